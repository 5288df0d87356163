// A client of @ai-sdk/mcp.

import {createMCPClient} from '@ai-sdk/mcp';
import {Experimental_StdioMCPTransport} from '@ai-sdk/mcp/mcp-stdio';

import {drive, each, patienceMs} from './drive.mjs';

const options = {timeout: patienceMs};

const transportTo = ({command, args, env, url, type, headers}) =>
  command ? new Experimental_StdioMCPTransport({command, args, env, stderr: 'pipe'}) : {type, url, headers};

await drive(async () => {
  const {opened, failed, use} = await each(entry => createMCPClient({transport: transportTo(entry)}), client => client.tools().catch(error => { if (!/does not support tools/.test(error.message)) throw error; }));
  return {
    failed,
    call: (server, name, args) => use(server, client => client.callTool({name, arguments: args, options})),
    read: (server, uri) => use(server, client => client.readResource({uri, options})),
    get: (server, name, args) => use(server, client => client.getPrompt({name, arguments: args, options})),
    close: () => Promise.all(Object.values(opened).map(client => client.close())),
  };
});
