// The chat as its callers meet it: the document's request with a token that jose has signed, its
// errors, streams, approvals, a real server of files, a kill in the middle, and a second instance.
// One line a step; exit status 1 when one fails.
//
//   node chat_api.mjs PLUMBLINE NODE_MODULES_PARENT
//
// Chats are kept in the PostgreSQL that PLUMBLINE_TEST_POSTGRES names, or in a file of SQLite.

import {mkdirSync, writeFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {join} from 'node:path';

import {Commands, expect} from './commands.mjs';
import {freePort} from '../ports.mjs';

const [program, modules] = process.argv.slice(2);
const jose = await import(createRequire(join(modules, 'package.json')).resolve('jose'));
const commands = new Commands(program);
const folder = join(commands.folder, 'shared');
mkdirSync(folder);
writeFileSync(join(folder, 'notes.txt'), 'The total is 42.');

const {publicKey, privateKey} = await jose.generateKeyPair('ES256');
const issuer = 'https://login.example';
const keys = join(commands.folder, 'keys.json');
writeFileSync(keys, JSON.stringify({keys: [{...await jose.exportJWK(publicKey), kid: 'k', alg: 'ES256', use: 'sig'}]}));
const postgres = process.env.PLUMBLINE_TEST_POSTGRES;
const store = postgres ? `postgres:${postgres}` : `sqlite:${join(commands.folder, 'chat.db')}`;
const filesystem = join(modules, 'node_modules/@modelcontextprotocol/server-filesystem/dist/index.js');
const everything = join(modules, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js');
const always = true;
const script = {turns: [
  {role: 'user', when: 'Resource trigger', always, text: 'the sky is blue'},
  {role: 'user', when: 'hang on', always, calls: [{name: 'add_mcp_server', arguments: {mcpServerId: 'asker'}}]},
  {role: 'user', when: 'ask back', always, calls: [{name: 'trigger-sampling-request', arguments: {prompt: 'what colour?', maxTokens: 9}}]},
  {role: 'user', when: '検索', always, calls: [{name: 'search_mcp_servers', arguments: {}}]},
  {role: 'user', when: 'link', always, calls: [{name: 'add_mcp_server', arguments: {mcpServerId: 'files'}}]},
  {role: 'user', when: 'join badly', always, calls: [{name: 'add_mcp_server', arguments: {mcpServerId: 'told', config: {planet: 'Mars'}}}]},
  {role: 'user', when: 'join', always, calls: [{name: 'add_mcp_server', arguments: {mcpServerId: 'told', config: {region: 'eu'}}}]},
  {role: 'user', when: 'region', always, calls: [{name: 'get_region', arguments: {}}]},
  {role: 'user', when: 'list', always, calls: [{name: 'list_directory', arguments: {path: folder}}]},
  {role: 'user', when: 'read', always, calls: [{name: 'read_text_file', arguments: {path: join(folder, 'notes.txt')}}]},
  {role: 'user', when: 'write', always, calls: [{name: 'write_file', arguments: {path: join(folder, 'new.txt'), content: 'new'}}]},
  {role: 'user', when: 'slow', always, text: 'one two three four five six', piece_ms: 500},
  {role: 'user', when: 'break', always, fails: {status: 401, code: 'invalid_api_key', message: 'the key is wrong'}},
  {role: 'tool', always, text: 'It came to this: {{last}}'},
  {always, text: 'Hello to you.'},
]};
writeFileSync(join(commands.folder, 'model.json'), JSON.stringify(script));
writeFileSync(join(commands.folder, 'told.mjs'), `import {createInterface} from 'node:readline';
const results = {initialize: {protocolVersion: '2025-11-25', capabilities: {tools: {}}, serverInfo: {name: 'told', version: '1'}},
  'tools/list': {tools: [{name: 'get_region', description: 'Tells its region', annotations: {readOnlyHint: true}, inputSchema: {type: 'object'}}]},
  'tools/call': {content: [{type: 'text', text: 'the region is ' + process.env.REGION}]}};
createInterface({input: process.stdin}).on('line', line => {
  const {id, method} = JSON.parse(line);
  if (id === undefined) return;
  const result = results[method];
  console.log(JSON.stringify({jsonrpc: '2.0', id, ...(result ? {result} : {error: {code: -32601, message: 'no'}})}));
});`);
const config = join(commands.folder, 'chat.json');
const port = await freePort();
const settings = audience => ({
  mcpServers: {files: {command: process.execPath, args: [filesystem, folder]},
               told: {command: process.execPath, args: [join(commands.folder, 'told.mjs')]},
               asker: {command: process.execPath, args: [everything, 'stdio']}},
  chat: {auth: `jwks=${keys},issuer=${issuer},audience=${audience}`, model: {script: 'model.json'},
         servers: {files: {name: 'Files', description: 'Reads files', tags: ['local']},
                   told: {tags: ['far'], config: {region: {env: 'REGION', description: 'us or eu'}}}}}});
writeFileSync(config, JSON.stringify(settings('https://chat.example')));

async function serve(at) {
  const server = commands.start(['chat-api', '--config', config, '--store', store, '--listen', `127.0.0.1:${at}`]);
  return {...server, base: (await commands.urlOf(server)).replace(/\/$/, '')};
}
const token = (sub, audience = 'https://chat.example') => new jose.SignJWT({}).setProtectedHeader({alg: 'ES256', kid: 'k'})
  .setSubject(sub).setIssuer(issuer).setAudience(audience).setIssuedAt().setExpirationTime('10m').sign(privateKey);
const ann = await token('ann');
const bob = await token('bob');

async function ask(server, method, path, bearer, body) {
  const answer = await fetch(server.base + path, {method, headers: {'Content-Type': 'application/json',
    ...(bearer && {Authorization: `Bearer ${bearer}`})}, ...(body && {body: JSON.stringify(body)})});
  const text = await answer.text();
  return {status: answer.status, headers: answer.headers, text, body: text.startsWith('{') ? JSON.parse(text) : null};
}
const chat = (server, body, bearer = ann) => ask(server, 'POST', '/api/agent/chat', bearer, body);

// events reads a stream until `enough` of them have come, or it ends.
async function events(answer, enough = Infinity) {
  const out = [];
  let text = '';
  for await (const piece of answer.body.pipeThrough(new TextDecoderStream())) {
    text += piece;
    for (let end; (end = text.indexOf('\n\n')) >= 0; text = text.slice(end + 2)) {
      const fields = Object.fromEntries(text.slice(0, end).split('\n').filter(line => line.includes(': '))
        .map(line => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]));
      if (fields.data) out.push({name: fields.event, id: fields.id, data: JSON.parse(fields.data)});
    }
    if (out.length >= enough) break;
  }
  return out;
}

let server = await serve(port);

// The document's example.
const example = await chat(server, {input: 'MCPサーバーを検索して'});
expect(example.status === 200 && example.body.session.userId === 'ann' && example.body.sessionId === example.body.session.id &&
  example.body.messages[0].content === 'MCPサーバーを検索して' && example.body.response.role === 'assistant' &&
  example.body.response.content.includes('"name":"Files"'), 'answers the request of the document in its shape');

// Its errors.
const refusals = [
  ['no token', await ask(server, 'POST', '/api/agent/chat', '', {input: 'hi'}), 401, undefined],
  ['a token for another', await chat(server, {input: 'hi'}, await token('ann', 'https://other.example')), 401, undefined],
  ['an unknown session', await chat(server, {input: 'hi', sessionId: 'none'}), 404, 'session_not_found'],
  ['a session of somebody else', await chat(server, {input: 'hi', sessionId: example.body.sessionId}, bob), 404, 'session_not_found'],
  ['no input', await chat(server, {}), 400, 'invalid_request'],
  ['a model that fails', await chat(server, {input: 'break'}), 502, 'agent_execution_failed'],
];
for (const [what, answer, status, code] of refusals) {
  expect(answer.status === status && (code === undefined || answer.body.error === code), `${what}: ${status} ${code || ''}`);
}
expect(refusals[0][1].headers.get('WWW-Authenticate').startsWith('Bearer'), 'says how to sign in');

// A server that is linked has its tools offered; reading needs no approval, writing does.
const nobody = await chat(server, {input: 'list it'});
expect(nobody.body.messages[2].content.startsWith('there is no tool'), 'a tool of a server that is not linked is not there');
const asks = await chat(server, {input: 'link files'});
expect(asks.status === 202 && asks.body.approval.name === 'add_mcp_server' && asks.body.response === null, 'linking waits for approval');
const decide = (session, approval, approve, bearer = ann) => ask(server, 'POST', `/api/agent/sessions/${session}/approval`, bearer,
  {approvalId: approval.approval_id, approve});
const linked = await decide(asks.body.sessionId, asks.body.approval, true);
expect(linked.status === 200 && linked.body.response.content.includes('MCP server successfully added'), 'links the server');
const listed = await chat(server, {input: 'list it'});
expect(listed.status === 200 && listed.body.response.content.includes('[FILE] notes.txt'), 'lists by server-filesystem');
const read = await chat(server, {input: 'read it', sessionId: listed.body.sessionId});
expect(read.body.response.content.includes('The total is 42.') && read.body.messages.length === 8, 'reads, in the same session');
expect((await chat(server, {input: 'read it'}, bob)).body.messages[2].content.startsWith('there is no tool'), 'another user has not linked it');
const write = await chat(server, {input: 'write it'});
expect(write.status === 202 && write.body.approval.risks.includes('writes_files'), 'writing waits for approval');
expect((await decide(write.body.sessionId, write.body.approval, true, bob)).status === 404, 'which nobody else can give');

// What a user says for a server when he links it reaches that server, and no other's.
const linkWith = async input => { const asked = await chat(server, {input}); return decide(asked.body.sessionId, asked.body.approval, true); };
const badly = await linkWith('join badly');
expect(badly.body.response.content.includes('takes no setting "planet"; it takes region'), 'a setting that a server does not take is refused');
expect((await linkWith('join it')).body.response.content.includes('successfully added'), 'links a server with a setting');
expect((await chat(server, {input: 'which region?'})).body.response.content.includes('the region is eu'), 'the setting reaches its server');

// A server may ask the model: a person sees the question first, and then only that is answered.
await linkWith('hang on');
const back = await chat(server, {input: 'ask back'});
expect(back.status === 202 && back.body.approval.type === 'tool', 'a call that may change something waits for approval');
const asking = await decide(back.body.sessionId, back.body.approval, true);
expect(asking.status === 202 && asking.body.approval.type === 'sampling' && JSON.stringify(asking.body.approval.shown).includes('what colour?'),
  'what its server asks the model is shown to a person');
const sampled = await decide(asking.body.sessionId, asking.body.approval, true);
expect(sampled.status === 200 && sampled.body.response.content.includes('the sky is blue'), 'and answered by the model when he approves');
const again = await chat(server, {input: 'ask back'});
const once = await decide(again.body.sessionId, again.body.approval, true);
const refused = await decide(once.body.sessionId, once.body.approval, false);
expect(refused.body.response.content.includes('a person refused'), 'and not when he refuses');

// A stream, cut and taken up.
const stream = body => fetch(`${server.base}/api/agent/chat`, {method: 'POST', body: JSON.stringify({...body, stream: true}),
  headers: {'Content-Type': 'application/json', Authorization: `Bearer ${ann}`}});
const first = await stream({input: 'slow'});
const session = first.headers.get('X-Session-Id');
const some = await events(first, 2);
const rest = await events(await fetch(`${server.base}/api/agent/sessions/${session}/events`,
  {headers: {Authorization: `Bearer ${ann}`, 'Last-Event-ID': some.at(-1).id}}));
const words = [...some, ...rest].filter(event => event.name === 'message.delta').map(event => event.data.delta).join('');
expect(words === 'one two three four five six' && rest.at(-1).name === 'done', 'streams, and goes on behind Last-Event-ID');

// A second instance over the same store, and the end of the first in the middle of a turn.
const second = await serve(0);
const there = await ask(second, 'GET', `/api/agent/sessions/${session}`, ann);
expect(there.body.messages.length === 2, 'a second instance knows the session');
const dying = await stream({input: 'slow', sessionId: session});
await events(dying, 2);
const twice = await chat(second, {input: 'hi', sessionId: session});
expect(twice.status === 409 && twice.body.error === 'turn_in_progress', 'one turn at a time, across instances');
server.child.kill('SIGKILL');
await server.ended;
let after;
for (let tries = 0; tries < 60; ++tries) {
  after = await ask(second, 'GET', `/api/agent/sessions/${session}`, ann);
  if (after.body.messages.length === 4) break;
  await new Promise(wake => setTimeout(wake, 500));
}
expect(after.body.messages.at(-1).content === 'one two three four five six' && after.body.session.state === 'idle',
  'the second instance ends the turn of the first, which was killed');
server = await serve(port);
const approved = await decide(write.body.sessionId, write.body.approval, true);
expect(approved.status === 200 && approved.body.response.content.includes('Successfully wrote'), 'an approval outlives the process that asked');
const page = await fetch(`${server.base}/`);
expect(page.status === 200 && (await page.text()).includes('<title>Chat</title>'), 'has a page');

for (const one of [server, second]) {
  one.child.kill('SIGTERM');
  expect((await one.ended).status === 0, 'ends in good order');
}

// Without a key, and without anybody who says who asks.
const open = commands.start(['chat-api', '--listen', '127.0.0.1:0', '--store', 'memory:'], {OPENAI_API_KEY: '', MCP_BASE_URL: ''});
const openBase = {base: (await commands.urlOf(open)).replace(/\/$/, '')};
const who = await ask(openBase, 'POST', '/api/agent/chat', '', {input: 'hi'});
expect(who.status === 500 && who.body.error === 'auth_context_missing', 'auth_context_missing: 500');
expect(open.said.err.includes('MCP_BASE_URL is not set'), 'a line says that no catalog is asked');
open.child.kill('SIGTERM');
const failing = join(commands.folder, 'failing.json');
writeFileSync(failing, JSON.stringify({turns: [{always: true, fails: {status: 500, message: 'the disk is on fire'}}]}));
writeFileSync(config, JSON.stringify({mcpServers: {}, chat: {anonymous: 'you', model: {script: failing}}}));
const broken = commands.start(['chat-api', '--config', config, '--listen', '127.0.0.1:0', '--store', 'memory:']);
const brokenBase = {base: (await commands.urlOf(broken)).replace(/\/$/, '')};
const failed = await ask(brokenBase, 'POST', '/api/agent/chat', '', {input: 'hi'});
expect(failed.status === 502 && failed.body.error === 'agent_execution_failed', 'a model that fails: 502');
expect(/"cause":"[^"]*the disk is on fire/.test(broken.said.err), 'and the log has the cause');
broken.child.kill('SIGTERM');
writeFileSync(config, JSON.stringify({mcpServers: {}, chat: {anonymous: 'you'}}));
const keyless = commands.start(['chat-api', '--config', config, '--listen', '127.0.0.1:0', '--store', 'memory:'], {OPENAI_API_KEY: ''});
const keylessBase = {base: (await commands.urlOf(keyless)).replace(/\/$/, '')};
const missing = await ask(keylessBase, 'POST', '/api/agent/chat', '', {input: 'hi'});
expect(missing.status === 503 && missing.body.error === 'openai_api_key_not_configured', `openai_api_key_not_configured: 503 (${missing.body.message})`);
keyless.child.kill('SIGTERM');
process.exit(0);
