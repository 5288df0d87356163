// A client of @mastra/mcp.

import {MCPClient} from '@mastra/mcp';

import {command, drive, elicited, patienceMs, url} from './drive.mjs';

await drive(async () => {
  const server = command ? {command: command[0], args: command.slice(1)} : {url: new URL(url)};
  const client = new MCPClient({servers: {judged: {...server, timeout: patienceMs, inputRequests: ({params}) => elicited(params)}}, timeout: patienceMs});
  const tools = (await client.listToolsets()).judged ?? {};
  return {
    tools: () => Object.keys(tools).map(name => ({name})),
    call: (name, args) => tools[name].execute(args, {}),
    resources: async () => (await client.resources.list()).judged,
    read: uri => client.resources.read('judged', uri),
    prompts: async () => (await client.prompts.list()).judged,
    get: name => client.prompts.get({serverName: 'judged', name}),
    close: () => client.disconnect(),
  };
});
