// A client of @ai-sdk/mcp.

import {createMCPClient} from '@ai-sdk/mcp';
import {Experimental_StdioMCPTransport} from '@ai-sdk/mcp/mcp-stdio';

import {drive, each, patienceMs} from './drive.mjs';

const options = {timeout: patienceMs};

const transportTo = ({command, args, env, url, type, headers}) =>
  command ? new Experimental_StdioMCPTransport({command, args, env, stderr: 'pipe'}) : {type, url, headers};

await drive(async () => {
  const {opened, failed, of} = await each(async (name, entry) => {
    const client = await createMCPClient({transport: transportTo(entry)});
    await client.tools();
    return client;
  });
  return {
    failed,
    call: (server, name, args) => of(server).callTool({name, arguments: args, options}),
    read: (server, uri) => of(server).readResource({uri, options}),
    get: (server, name, args) => of(server).getPrompt({name, arguments: args, options}),
    close: () => Promise.all(Object.values(opened).map(client => client.close())),
  };
});
