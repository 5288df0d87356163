// The supervisor's tools as a client of the official SDK uses them: what there is, a workflow in
// four steps whose server is killed in the middle, a consensus of three models, one thread across
// two tools, what is refused, the same over HTTP with tokens, and the execution API there. One line
// a step; exit status 1 when one fails.
//
//   node agents_serve.mjs PLUMBLINE NODE_MODULES_PARENT

import {createRequire} from 'node:module';
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';

import {Commands, expect} from './commands.mjs';

const [program, modules] = process.argv.slice(2);
const load = path => import(pathToFileURL(createRequire(join(modules, 'package.json')).resolve(path)));
const {Client} = await load('@modelcontextprotocol/sdk/client/index.js');
const {StdioClientTransport} = await load('@modelcontextprotocol/sdk/client/stdio.js');
const {StreamableHTTPClientTransport} = await load('@modelcontextprotocol/sdk/client/streamableHttp.js');
const jose = await load('jose');

const commands = new Commands(program);
const file = name => join(commands.folder, name);

// model writes the script of a model.
function model(name, turns) {
  writeFileSync(file(`${name}.json`), JSON.stringify({model: name, turns}));
  return ['--model-script', file(`${name}.json`)];
}
const expert = model('expert', [{when: 'off by one', always: true, text: 'The expert agrees: off by one.'},
  {when: 'Opinion of beth', always: true, text: 'All in all: do it.'}, {always: true, text: 'I looked at it.'}]);
const voices = [...model('alan', [{always: true, text: 'It is fast.'}]), ...model('beth', [{always: true, text: 'It is new.'}]),
  ...model('carl', [{always: true, text: 'It depends.'}])];
const serve = ['agents', 'serve', ...expert, ...voices, '--store', `sqlite:${file('threads.db')}`];

async function connected(transport, capabilities = {}) {
  const client = new Client({name: 'test', version: '1'}, {capabilities});
  await client.connect(transport);
  return client;
}
async function stdio(args = []) {
  const transport = new StdioClientTransport({command: program, args: [...serve, '--stdio', ...args], env: {...commands.environment}});
  return {client: await connected(transport), transport};
}
// caller returns what calls tools of `client`, and reads their answers.
const caller = client => async (name, args, options) => {
  const answer = await client.callTool({name, arguments: args}, undefined, options);
  return {isError: answer.isError === true, text: answer.content[0].text, ...answer.structuredContent};
};

const debugStep = (number, thread) => ({step: `Step ${number}`, step_number: number, total_steps: 4, next_step_required: number < 4,
  findings: number === 3 ? [{text: 'The loop is off by one', file: 'parser.cc', line: 7, severity: 'high'}] : [],
  confidence: number < 4 ? 'low' : 'medium', ...(thread && {thread_id: thread})});

{
  let {client, transport} = await stdio();
  const names = (await client.listTools()).tools.map(tool => tool.name);
  const sixteen = ['chat', 'challenge', 'thinkdeep', 'listmodels', 'version', 'debug', 'codereview', 'refactor', 'planner', 'consensus', 'precommit',
    'secaudit', 'docgen', 'analyze', 'tracer', 'testgen'];
  expect(sixteen.every(name => names.includes(name)), 'offers the sixteen tools');

  let call = caller(client);
  const chat = await call('chat', {prompt: 'What do you think?'});
  expect(chat.status === 'completed' && chat.content === 'I looked at it.', 'chats');

  let thread;
  for (const number of [1, 2]) {
    const answer = await call('debug', debugStep(number, thread));
    expect(!answer.isError && answer.status === 'continue', `debug, step ${number}: ${answer.status}`);
    thread = answer.thread_id;
  }
  const killed = new Promise(resolve => { client.onclose = resolve; });
  process.kill(transport.pid, 'SIGKILL');
  await killed;
  const drawn = await commands.run(['graph', 'supervisor', '--store', `sqlite:${file('threads.db')}`, '--thread', thread]);
  expect(drawn.status === 0 && /^ *class \S+ here$/m.test(drawn.out), 'the graph is drawn with its run, which waits for a step');
  ({client, transport} = await stdio());
  call = caller(client);
  for (const number of [3, 4]) {
    const answer = await call('debug', debugStep(number, thread));
    expect(answer.status === (number < 4 ? 'continue' : 'completed'), `after kill -9, debug, step ${number}: ${answer.status}`);
    expect(answer.thread_id === thread, 'in the same thread');
    if (number === 4) expect(answer.content.startsWith('The expert agrees: off by one.\n\n## Findings'), 'with the expert at its end');
  }
  const review = await call('chat', {prompt: 'Sum it up.', continuation_id: thread});
  expect(review.thread_id === thread, 'another tool goes on with the thread');

  const consensus = await call('consensus', {prompt: 'Do we rewrite it?', models: [{model: 'alan', stance: 'for'},
    {model: 'beth', stance: 'against'}, {model: 'carl', stance: 'neutral'}]});
  expect(consensus.status === 'completed' && consensus.content.startsWith('3 of 3 models answered.\n\nAll in all: do it.') && consensus.content.includes('It is new.'), `three models come to a consensus: ${consensus.content}`);

  const wrong = await call('debug', {step: 'x', step_number: 'one', total_steps: 1, next_step_required: false, findings: []});
  expect(wrong.isError, `refuses a step that is no number: ${wrong.text.slice(0, 100)}`);
  const lost = await call('chat', {prompt: 'hi', thread_id: 'none'});
  expect(lost.isError, `refuses a thread that it does not know: ${lost.text.slice(0, 100)}`);
  await client.close();
}

{
  const issuer = 'https://login.example';
  const {publicKey, privateKey} = await jose.generateKeyPair('ES256');
  writeFileSync(file('keys.json'), JSON.stringify({keys: [{...await jose.exportJWK(publicKey), kid: 'k', alg: 'ES256'}]}));
  const token = sub => new jose.SignJWT({}).setProtectedHeader({alg: 'ES256', kid: 'k'}).setSubject(sub).setIssuer(issuer)
    .setAudience('https://agents.example').setIssuedAt().setExpirationTime('10m').sign(privateKey);
  writeFileSync(file('commands.json'), JSON.stringify({plumbline_commands: 1, remote: {enabled: false},
    local: {programs: ['git'], roots: [commands.folder], approval: false}}));
  const url = await commands.url([...serve, '--http', '127.0.0.1:0', '--commands', file('commands.json'), '--execution-api',
    '--auth', `jwks=${file('keys.json')},issuer=${issuer},audience=https://agents.example`]);
  const anybody = await fetch(url, {method: 'POST', body: '{}', headers: {'Content-Type': 'application/json'}});
  expect(anybody.status === 401, 'over HTTP nobody comes in without a token');
  const web = async sub => connected(new StreamableHTTPClientTransport(new URL(url),
    {requestInit: {headers: {Authorization: `Bearer ${await token(sub)}`}}}));
  const [ann, bob] = [await web('ann'), await web('bob')];
  const first = await caller(ann)('debug', debugStep(1));
  expect(first.status === 'continue', `debug over HTTP: ${first.status}`);
  const second = await caller(ann)('debug', debugStep(2, first.thread_id));
  expect(second.status === 'continue', `and its next step: ${second.status}`);
  const others = await caller(bob)('debug', debugStep(3, first.thread_id));
  expect(others.isError, `whose thread is another's, does not get it: ${others.text.slice(0, 100)}`);
  await ann.close();
  await bob.close();

  const execute = async (body, headers) => fetch(new URL('/execute', url), {method: 'POST', body: JSON.stringify(body), headers});
  const shown = {Authorization: `Bearer ${await token('ann')}`};
  expect((await execute({command: 'git --version'}, {})).status === 401, 'the execution API lets nobody in without a token');
  const ran = await (await execute({command: 'git --version'}, shown)).json();
  expect(ran.status === 'success' && ran.stdout.startsWith('git version'), `runs a command: ${ran.stdout.trim()}`);
  const blocked = await (await execute({command: 'rm x'}, shown)).json();
  expect(blocked.status === 'blocked', `and not another: ${blocked.error}`);
}
process.exit(0);
