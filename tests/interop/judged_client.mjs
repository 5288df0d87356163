// A client written with the official SDK, for `plumbline check client`: it does what the scenario
// asks for, as docs/porting-a-client.md says.
//
//   node judged_client.mjs 1|2|2-auto|2-modern [URL]     (the URL comes from the judge; without: stdio)

import {existsSync} from 'node:fs';
import {createRequire} from 'node:module';
import {pathToFileURL} from 'node:url';

import {signInAlone} from './sign_in.mjs';

const [major, url] = process.argv.slice(2);
const scenario = process.env.PLUMBLINE_SCENARIO ?? process.env.MCP_CONFORMANCE_SCENARIO ?? '';
const modern = major === '2-modern';
const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}');
const command = JSON.parse(process.env.PLUMBLINE_SERVER_COMMAND ?? 'null');
const patience = {timeout: 4000};
const signsInMax = 4;  // For one thing that it wants.
const authProvider = scenario.startsWith('auth-') ? signInAlone(context) : undefined;
let transport;

// load imports a package from below PLUMBLINE_NODE_MODULES, or as any program does.
function load(name) {
  const root = process.env.PLUMBLINE_NODE_MODULES;
  if (!root) return import(name);
  return import(pathToFileURL(createRequire(`${root}/package.json`).resolve(name)).href);
}

const capabilities = {sampling: {}, elicitation: {form: {applyDefaults: true}}, roots: {}};
const info = {name: 'judged', version: '1.0.0'};
const {answers = [], models = [], roots = ['file:///workspace']} = context.user ?? {};
const sampled = request => ({role: 'assistant', stopReason: 'endTurn',
                             model: request.params.modelPreferences?.hints?.map(({name}) => name)
                                 .find(name => models.includes(name)) ?? 'none',
                             content: {type: 'text', text: 'sampled'}});
const elicited = () => {
  const action = answers.shift() ?? 'accept';
  return action === 'accept' ? {action, content: {}} : {action};
};
const rooted = () => ({roots: roots.filter(uri => existsSync(new URL(uri)) || uri.endsWith('workspace'))
                                  .map(uri => ({uri, name: 'workspace'}))});

async function open1() {
  const {Client} = await load('@modelcontextprotocol/sdk/client/index.js');
  const types = await load('@modelcontextprotocol/sdk/types.js');
  const client = new Client(info, {capabilities});
  client.setRequestHandler(types.CreateMessageRequestSchema, sampled);
  client.setRequestHandler(types.ElicitRequestSchema, elicited);
  client.setRequestHandler(types.ListRootsRequestSchema, rooted);
  if (command) {
    const {StdioClientTransport} = await load('@modelcontextprotocol/sdk/client/stdio.js');
    await client.connect(new StdioClientTransport({command: command[0], args: command.slice(1)}));
    return client;
  }
  const {StreamableHTTPClientTransport} =
      await load('@modelcontextprotocol/sdk/client/streamableHttp.js');
  transport = new StreamableHTTPClientTransport(new URL(url), {authProvider});
  await client.connect(transport);
  client.farewell = () => transport.terminateSession();
  return client;
}

async function open2() {
  const {Client, StreamableHTTPClientTransport} = await load('@modelcontextprotocol/client');
  const client = new Client(info, {
    capabilities,
    versionNegotiation: {mode: modern ? {pin: '2026-07-28'} : major === '2-auto' ? 'auto' : 'legacy'},
  });
  client.setRequestHandler('sampling/createMessage', sampled);
  client.setRequestHandler('elicitation/create', elicited);
  client.setRequestHandler('roots/list', rooted);
  if (command) {
    const {StdioClientTransport} = await load('@modelcontextprotocol/client/stdio');
    await client.connect(new StdioClientTransport({command: command[0], args: command.slice(1)}));
    return client;
  }
  transport = new StreamableHTTPClientTransport(new URL(url), {authProvider});
  await client.connect(transport);
  if (!modern) client.farewell = () => transport.terminateSession();
  return client;
}

// signedIn does one thing, and does it again when somebody had to sign in for it.
async function signedIn(work) {
  for (let times = 0; ; ++times) {
    try {
      return await work();
    } catch (error) {
      const back = times < signsInMax ? authProvider?.broughtBack() : undefined;
      if (!back) throw error;
      await transport.finishAuth(major === '1' ? back.get('code') : back);
    }
  }
}

// attempt does one thing and goes on whatever comes of it.
async function attempt(what, work) {
  try {
    return await signedIn(work);
  } catch (error) {
    console.error(`${what}: ${error.message}`);
    return undefined;
  }
}

async function everyPage(list, member) {
  const found = [];
  let cursor;
  for (let page = 0; page < 100; ++page) {
    const result = await list(cursor === undefined ? {} : {cursor});
    found.push(...result[member]);
    if (result.nextCursor === undefined || result.nextCursor === cursor) break;
    cursor = result.nextCursor;
  }
  return found;
}

const client = await signedIn(() => major === '1' ? open1() : open2());
const call = params => major === '1' ? client.callTool(params, undefined, patience)
                                     : client.callTool(params, patience);
const offered = client.getServerCapabilities() ?? {};
const tools = await attempt('tools/list', () =>
    everyPage(params => client.listTools(params, patience), 'tools')) ?? [];
const calls = context.toolCalls ?? tools.map(tool => ({
  name: tool.name,
  arguments: Object.fromEntries(Object.entries(tool.inputSchema?.properties ?? {})
      .filter(([, schema]) => schema.type === 'number').map(([name]) => [name, 1])),
}));
// callAsTask follows a task to its end, where the SDK can: that of generation 2 cannot.
async function callAsTask(params) {
  for await (const _ of client.experimental.tasks.callToolStream(params, undefined, patience)) {}
}
const tasksOnly = new Set(!client.experimental || !offered.tasks ? [] : tools
    .filter(tool => tool.execution?.taskSupport === 'required').map(tool => tool.name));
for (const one of calls) {
  await attempt(`tools/call ${one.name}`,
                () => tasksOnly.has(one.name) ? callAsTask(one) : call(one));
}
if (offered.resources) {
  for (let round = 0; round < (scenario === 'caching' ? 2 : 1); ++round) {
    const resources = await attempt('resources/list', () =>
        everyPage(params => client.listResources(params, patience), 'resources')) ?? [];
    for (const {uri} of resources) {
      await attempt(`resources/read ${uri}`, () => client.readResource({uri}, patience));
    }
  }
}
if (offered.prompts) {
  const prompts = await attempt('prompts/list', () =>
      everyPage(params => client.listPrompts(params, patience), 'prompts')) ?? [];
  for (const {name} of prompts) {
    await attempt(`prompts/get ${name}`, () => client.getPrompt({name}, patience));
  }
}
if (client.farewell) await attempt('DELETE', client.farewell);
await client.close();
process.exit(0);
