// The official SDK's client against a server with the fixtures of the official suite: it lists and
// uses what is there and fails loudly on anything unexpected. Prints what it saw as one JSON line.
//
//   node sdk_client.mjs 1|2|2-modern stdio COMMAND ARGS...
//   node sdk_client.mjs 1|2|2-modern http|sse|ws URL

import assert from 'node:assert/strict';

const [major, transportName, ...target] = process.argv.slice(2);
const modern = major === '2-modern';

// open returns a connected client, whatever the generation of the SDK.
async function open() {
  const capabilities = {sampling: {}, elicitation: {}, roots: {}};
  const info = {name: 'interop', version: '1'};
  if (major === '1') {
    const {Client} = await import('@modelcontextprotocol/sdk/client/index.js');
    const types = await import('@modelcontextprotocol/sdk/types.js');
    const client = new Client(info, {capabilities});
    client.setRequestHandler(types.CreateMessageRequestSchema, sample);
    client.setRequestHandler(types.ElicitRequestSchema, elicit);
    client.setRequestHandler(types.ListRootsRequestSchema, roots);
    await client.connect(await transportOf1());
    return client;
  }
  const {Client} = await import('@modelcontextprotocol/client');
  const client = new Client(info, {capabilities, versionNegotiation: {mode: modern ? {pin: '2026-07-28'} : 'legacy'}});
  client.setRequestHandler('sampling/createMessage', sample);
  client.setRequestHandler('elicitation/create', elicit);
  client.setRequestHandler('roots/list', roots);
  await client.connect(await transportOf2());
  return client;
}

async function transportOf1() {
  if (transportName === 'stdio') {
    const {StdioClientTransport} = await import('@modelcontextprotocol/sdk/client/stdio.js');
    return new StdioClientTransport({command: target[0], args: target.slice(1)});
  }
  const url = new URL(target[0]);
  if (transportName === 'sse') return new (await import('@modelcontextprotocol/sdk/client/sse.js')).SSEClientTransport(url);
  if (transportName === 'ws') return new (await import('@modelcontextprotocol/sdk/client/websocket.js')).WebSocketClientTransport(url);
  return new (await import('@modelcontextprotocol/sdk/client/streamableHttp.js')).StreamableHTTPClientTransport(url);
}

async function transportOf2() {
  if (transportName === 'stdio') {
    const {StdioClientTransport} = await import('@modelcontextprotocol/client/stdio');
    return new StdioClientTransport({command: target[0], args: target.slice(1)});
  }
  const {SSEClientTransport, StreamableHTTPClientTransport} = await import('@modelcontextprotocol/client');
  return new (transportName === 'sse' ? SSEClientTransport : StreamableHTTPClientTransport)(new URL(target[0]));
}

const asked = [];
function sample(request) {
  asked.push(request.method);
  return {role: 'assistant', model: 'none', content: {type: 'text', text: 'sampled'}, stopReason: 'endTurn'};
}
function elicit(request) {
  asked.push(request.method);
  return {action: 'accept', content: {username: 'ada', email: 'ada@example.com', response: 'yes', name: 'Ada'}};
}
function roots(request) {
  asked.push(request.method);
  return {roots: [{uri: 'file:///tmp', name: 'tmp'}]};
}

const watchdog = setTimeout(() => { console.error('no end after 30 s'); process.exit(1); }, 30_000);
const client = await open();
const seen = {server: client.getServerVersion(), capabilities: Object.keys(client.getServerCapabilities()).sort()};

const {tools} = await client.listTools();
seen.tools = tools.length;
const call = (name, args = {}, options) => client.callTool({name, arguments: args}, ...(major === '1' ? [undefined, options] : [options]));
const names = new Set(tools.map(tool => tool.name));

assert.ok(names.has('test_simple_text'));
assert.equal((await call('test_simple_text')).content[0].type, 'text');
assert.equal((await call('test_image_content')).content[0].type, 'image');
assert.equal((await call('test_audio_content')).content[0].type, 'audio');
assert.equal((await call('test_embedded_resource')).content[0].type, 'resource');
assert.equal((await call('test_error_handling')).isError, true);

let reports = 0;
await call('test_tool_with_progress', {}, {onprogress: () => ++reports});
assert.ok(reports >= 3, `progress was reported ${reports} times`);

if (!modern) {
  assert.ok(!(await call('test_sampling', {prompt: 'hello'})).isError);
  assert.ok(!(await call('test_elicitation', {message: 'who?'})).isError);
  assert.deepEqual(asked, ['sampling/createMessage', 'elicitation/create']);
  await client.ping();
} else {
  assert.ok(!(await call('test_input_required_result_elicitation')).isError);
  assert.deepEqual(asked, ['elicitation/create']);
}

const {resources} = await client.listResources();
seen.resources = resources.length;
assert.ok(resources.length > 0);
assert.ok((await client.readResource({uri: 'test://static-text'})).contents[0].text.length > 0);
assert.ok((await client.readResource({uri: 'test://static-binary'})).contents[0].blob.length > 0);
await assert.rejects(client.readResource({uri: 'test://there-is-no-such-thing'}));

const {prompts} = await client.listPrompts();
seen.prompts = prompts.length;
assert.ok((await client.getPrompt({name: 'test_simple_prompt'})).messages.length > 0);

const many = await Promise.all(Array.from({length: 50}, () => call('test_simple_text')));
assert.ok(many.every(result => result.content[0].text === many[0].content[0].text));

await client.close();
clearTimeout(watchdog);
console.log(JSON.stringify(seen));
