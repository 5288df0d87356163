// Language models that others serve, asked by ours in each dialect: text, calls of tools and what
// came of them, failures, and answers that are cut. One line a step; exit status 1 when one fails.
//
//   node model_servers.mjs ASK_MODEL NODE_MODULES_PARENT

import {spawn} from 'node:child_process';
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';

import {freePort} from '../ports.mjs';
import {Commands, expect, fail} from './commands.mjs';

const [program, modules] = process.argv.slice(2);
const commands = new Commands(program);
const weather = {type: 'function', function: {name: 'get_weather', description: 'Of a city.',
  parameters: {type: 'object', properties: {city: {type: 'string'}}}}};
const user = content => ({role: 'user', content});

// serve starts a server of a package and waits until it answers.
async function serve(script, args, env, url) {
  const child = spawn(process.execPath, [join(modules, 'node_modules', script), ...args],
    {stdio: 'ignore', cwd: commands.folder, env: {...process.env, ...env}});
  commands.children.push(child);
  for (let tries = 0; tries < 200; ++tries) {
    if (await fetch(url).then(() => true, () => false)) return;
    await new Promise(resolve => setTimeout(resolve, 50));
  }
  fail(`${script} does not answer at ${url}`);
}

// asker returns a function that asks for a completion and returns what was said of it.
function asker(settings) {
  const file = join(commands.folder, `settings-${settings.interface}-${settings.url.length}.json`);
  const {interface: spoken, url} = settings;
  writeFileSync(file, JSON.stringify({
    providers: {it: {interface: spoken, url, key_variable: 'IT_KEY'}},
    models: {'*': {provider: 'it', window_tokens: 8000}}}));
  return async (...messages) => {
    const request = join(commands.folder, 'request.json');
    writeFileSync(request, JSON.stringify({model: 'any-model', messages, tools: [weather]}));
    const ended = await commands.run([file, request], {IT_KEY: 'sk-test-1234567890'});
    const lines = ended.out.trim().split('\n').map(line => JSON.parse(line || '{}'));
    const last = lines.pop();
    return {...last, status: ended.status, err: ended.err,
            pieces: lines.filter(line => line.text !== undefined).map(line => line.text),
            heard: lines.filter(line => line.call).map(line => line.call)};
  };
}

// talks has a model that knows these words say something.
async function talks(name, ask) {
  const hello = await ask({role: 'system', content: 'Be brief.'}, user('hello there'));
  expect(hello.completion?.text === 'Hi! How can I help you today?' && hello.completion.finish === 'stop',
    `${name}: says something` + (hello.failure ? ` (${hello.failure.message}) ${hello.err}` : ''));
  expect(hello.pieces.length > 1 && hello.pieces.join('') === hello.completion.text, `${name}: in pieces`);
}

// callsTools has it call a tool, and use what came of that.
async function callsTools(name, ask) {
  const first = await ask(user('What is the weather?'));
  const [call] = first.completion?.calls ?? [];
  expect(first.completion?.finish === 'tool_calls' && call?.name === 'get_weather' &&
    JSON.parse(call.arguments).city === 'Bern', `${name}: calls a tool`);
  expect(JSON.stringify(first.heard) === JSON.stringify(first.completion.calls), `${name}: tells of the call`);
  const second = await ask(user('What is the weather?'),
    {role: 'assistant', content: null, tool_calls: [{id: call.id, type: 'function',
      function: {name: call.name, arguments: call.arguments}}]},
    {role: 'tool', tool_call_id: call.id, content: '{"celsius": 21}'});
  expect(second.completion?.text.includes('21 degrees'), `${name}: takes what came of it`);
}

// mock-llm speaks Chat Completions. It streams no calls, and tells errors in streams of status 200.
const mock = await freePort();
const rule = (match, status, content) =>
  ({path: '/v1/chat/completions', match, response: {status, content: JSON.stringify(content)}});
const said = content => ({choices: [{message: {role: 'assistant', content}, finish_reason: 'stop'}]});
const last = words => `contains(body.messages[-1].content || '', '${words}')`;
writeFileSync(join(commands.folder, 'mock.json'), JSON.stringify({
  streaming: {chunkSize: 7, chunkIntervalMs: 1},
  rules: [
    rule(last('hello'), 200, said('Hi! How can I help you today?')),
    rule(last('wrong key'), 401, {error: {message: 'Incorrect API key: sk-test-1234567890', code: 'invalid_api_key'}}),
    rule(last('busy'), 429, {error: {message: 'Slow down', code: 'rate_limit_exceeded'}}),
    rule(last('broken'), 500, {error: {message: 'Oh', type: 'server_error'}}),
  ]}));
await serve('@dwmkerr/mock-llm/dist/main.js', ['--config', join(commands.folder, 'mock.json')],
  {PORT: String(mock), HOST: '127.0.0.1'}, `http://127.0.0.1:${mock}/health`);
const askMock = asker({interface: 'chat-completions', url: `http://127.0.0.1:${mock}/v1`});
await talks('mock-llm', askMock);
const refused = await askMock(user('wrong key'));
expect(refused.failure?.kind === 'authentication' && refused.failure.code === 'invalid_api_key' && refused.status === 1 &&
  !JSON.stringify(refused).includes('sk-test-1234567890'), 'mock-llm: a refused key is told, and not shown');
expect((await askMock(user('busy'))).failure?.kind === 'rate_limit', 'mock-llm: 429 is a limit');
expect((await askMock(user('broken'))).failure?.kind === 'unavailable', 'mock-llm: 500 may be asked again');

// aimock speaks every dialect.
const ai = await freePort();
writeFileSync(join(commands.folder, 'aimock.json'), JSON.stringify({fixtures: [
  {match: {userMessage: 'hello'}, response: {content: 'Hi! How can I help you today?'}},
  {match: {userMessage: 'weather', hasToolResult: false},
   response: {toolCalls: [{name: 'get_weather', arguments: '{"city":"Bern"}'}]}},
  {match: {userMessage: 'weather', hasToolResult: true}, response: {content: 'It is 21 degrees.'}},
  {match: {userMessage: 'busy'}, response: {error: {message: 'Slow down', type: 'rate_limit_error',
    code: 'rate_limit_exceeded'}, status: 429}},
  {match: {userMessage: 'break off'}, response: {content: 'One word after the other, and then it breaks off.'},
   chunkSize: 5, latency: 10, truncateAfterChunks: 8},
]}));
await serve('@copilotkit/aimock/dist/cli.js', ['--host', '127.0.0.1', '--port', String(ai), '--fixtures',
  join(commands.folder, 'aimock.json'), '--strict', '--log-level', 'silent'], {}, `http://127.0.0.1:${ai}/health`);
for (const [spoken, path] of [['chat-completions', '/v1'], ['responses', '/v1'], ['messages', '/v1'], ['ollama', '']]) {
  const ask = asker({interface: spoken, url: `http://127.0.0.1:${ai}${path}`});
  await talks(`aimock, ${spoken}`, ask);
  await callsTools(`aimock, ${spoken}`, ask);
  const busy = await ask(user('busy'));
  expect(busy.failure?.kind === 'rate_limit' && busy.failure.message.includes('Slow down'), `aimock, ${spoken}: 429 is a limit`);
  const cut = await ask(user('break off'));
  expect(cut.failure?.kind === 'unavailable' && cut.pieces.length > 0, `aimock, ${spoken}: what is cut is no answer`);
}
process.exit(0);
