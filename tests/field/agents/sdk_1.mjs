// The client of the TypeScript SDK 1.

import {Client} from '@modelcontextprotocol/sdk/client/index.js';
import {SSEClientTransport} from '@modelcontextprotocol/sdk/client/sse.js';
import {StdioClientTransport, getDefaultEnvironment} from '@modelcontextprotocol/sdk/client/stdio.js';
import {StreamableHTTPClientTransport} from '@modelcontextprotocol/sdk/client/streamableHttp.js';

import {drive, each, patienceMs} from './drive.mjs';

const options = {timeout: patienceMs};

function transportTo({command, args = [], env = {}, url, type, headers}) {
  if (command) return new StdioClientTransport({command, args, env: {...getDefaultEnvironment(), ...env}, stderr: 'pipe'});
  const how = {requestInit: {headers}};
  return type === 'sse' ? new SSEClientTransport(new URL(url), how) : new StreamableHTTPClientTransport(new URL(url), how);
}

await drive(async () => {
  const {opened, failed, of} = await each(async (name, entry) => {
    const client = new Client({name: 'sdk-1', version: '1.0.0'});
    await client.connect(transportTo(entry), options);
    if (client.getServerCapabilities()?.tools) await client.listTools({}, options);
    return client;
  });
  return {
    failed,
    call: (server, name, args) => of(server).callTool({name, arguments: args}, undefined, options),
    read: (server, uri) => of(server).readResource({uri}, options),
    get: (server, name, args) => of(server).getPrompt({name, arguments: args}, options),
    close: () => Promise.all(Object.values(opened).map(client => client.close())),
  };
});
