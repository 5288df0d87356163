// A client of @langchain/mcp-adapters.

import {MultiServerMCPClient} from '@langchain/mcp-adapters';

import {command, drive, patienceMs, url} from './drive.mjs';

await drive(async () => {
  const judged = command ? {transport: 'stdio', command: command[0], args: command.slice(1)} : {transport: 'http', url};
  const client = new MultiServerMCPClient({mcpServers: {judged: {...judged, defaultToolTimeout: patienceMs}}, prefixToolNameWithServerName: false});
  const tools = new Map((await client.getTools()).map(tool => [tool.name, tool]));
  return {
    tools: () => [...tools.values()].map(tool => ({name: tool.name, inputSchema: tool.schema})),
    call: (name, args) => tools.get(name)?.invoke(args),
    resources: async () => (await client.listResources()).judged,
    read: uri => client.readResource('judged', uri),
    close: () => client.close(),
  };
});
