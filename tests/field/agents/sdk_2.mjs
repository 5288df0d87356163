// The client of the TypeScript SDK 2, which speaks either era.

import {Client, SSEClientTransport, StreamableHTTPClientTransport} from '@modelcontextprotocol/client';
import {StdioClientTransport, getDefaultEnvironment} from '@modelcontextprotocol/client/stdio';

import {drive, each, patienceMs} from './drive.mjs';

const options = {timeout: patienceMs};

function transportTo({command, args = [], env = {}, url, type, headers}) {
  if (command) return new StdioClientTransport({command, args, env: {...getDefaultEnvironment(), ...env}, stderr: 'pipe'});
  const how = {requestInit: {headers}};
  return type === 'sse' ? new SSEClientTransport(new URL(url), how) : new StreamableHTTPClientTransport(new URL(url), how);
}

await drive(async () => {
  const {opened, failed, use} = await each(async entry => {
    const client = new Client({name: 'sdk-2', version: '1.0.0'}, {versionNegotiation: {mode: 'auto'}});
    await client.connect(transportTo(entry), options);
    return client;
  }, client => client.getServerCapabilities()?.tools && client.listTools({}, options));
  return {
    failed,
    call: (server, name, args) => use(server, client => client.callTool({name, arguments: args}, options)),
    read: (server, uri) => use(server, client => client.readResource({uri}, options)),
    get: (server, name, args) => use(server, client => client.getPrompt({name, arguments: args}, options)),
    close: () => Promise.all(Object.values(opened).map(client => client.close())),
  };
});
