// A client of @mastra/mcp.

import {MCPClient} from '@mastra/mcp';

import {drive, patienceMs, servers} from './drive.mjs';

const entryOf = ({command, args, env, url, headers}) =>
  ({...(command ? {command, args, env} : {url: new URL(url), requestInit: {headers}}), timeout: patienceMs});

await drive(async () => {
  const named = Object.entries(servers).map(([name, entry]) => [name, entryOf(entry)]);
  const client = new MCPClient({servers: Object.fromEntries(named), timeout: patienceMs});
  const {toolsets = {}, errors = {}} = client.listToolsetsWithErrors ? await client.listToolsetsWithErrors() : {toolsets: await client.listToolsets()};
  return {
    failed: errors,
    call: (server, name, args) => {
      const tool = toolsets[server]?.[name];
      if (!tool) throw new Error(`${server} has no tool ${name}`);
      return tool.execute(args, {});
    },
    read: (server, uri) => client.resources.read(server, uri),
    get: (serverName, name, args) => client.prompts.get({serverName, name, args}),
    close: () => client.disconnect(),
  };
});
