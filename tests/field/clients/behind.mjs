// A client of the TypeScript SDK 1 that speaks over stdio with a program which goes on to the server at the URL.
//
//   node behind.mjs PROGRAM [OPTION...] URL

import {Client} from '@modelcontextprotocol/sdk/client/index.js';
import {StdioClientTransport, getDefaultEnvironment} from '@modelcontextprotocol/sdk/client/stdio.js';
import {CreateMessageRequestSchema, ElicitRequestSchema, ListRootsRequestSchema} from '@modelcontextprotocol/sdk/types.js';

import {drive, elicited, patienceMs, sampled} from './drive.mjs';

const options = {timeout: patienceMs};
const words = process.argv.slice(2);

await drive(async () => {
  const client = new Client({name: 'behind', version: '1.0.0'}, {capabilities: {sampling: {}, elicitation: {form: {}}, roots: {}}});
  client.setRequestHandler(CreateMessageRequestSchema, () => sampled);
  client.setRequestHandler(ElicitRequestSchema, ({params}) => elicited(params));
  client.setRequestHandler(ListRootsRequestSchema, () => ({roots: [{uri: 'file:///workspace', name: 'workspace'}]}));
  const env = {...getDefaultEnvironment(), HOME: process.env.HOME, BROWSER: process.env.BROWSER ?? ''};
  await client.connect(new StdioClientTransport({command: process.execPath, args: words, env}));
  const offered = client.getServerCapabilities() ?? {};
  return {
    tools: async () => (await client.listTools({}, options)).tools,
    call: (name, args) => client.callTool({name, arguments: args}, undefined, options),
    resources: async () => offered.resources ? (await client.listResources({}, options)).resources : [],
    read: uri => client.readResource({uri}, options),
    prompts: async () => offered.prompts ? (await client.listPrompts({}, options)).prompts : [],
    get: name => client.getPrompt({name}, options),
    close: () => client.close(),
  };
});
