// The supervisor's tools as a client of the official SDK uses them: what there is, a workflow in
// four steps, one thread across two tools, and what is refused. One line a step; exit status 1 when
// one fails.
//
//   node agents_serve.mjs PLUMBLINE NODE_MODULES_PARENT

import {createRequire} from 'node:module';
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';

import {Commands, expect} from './commands.mjs';

const [program, modules] = process.argv.slice(2);
const sdk = path => import(pathToFileURL(createRequire(join(modules, 'package.json')).resolve(`@modelcontextprotocol/sdk/${path}`)));
const {Client} = await sdk('client/index.js');
const {StdioClientTransport} = await sdk('client/stdio.js');

const commands = new Commands(program);
const script = join(commands.folder, 'model.json');
writeFileSync(script, JSON.stringify({turns: [{when: 'off by one', always: true, text: 'The expert agrees: off by one.'},
  {always: true, text: 'I looked at it.'}]}));
const client = new Client({name: 'test', version: '1'});
await client.connect(new StdioClientTransport({command: program, args: ['agents', 'serve', '--stdio', '--model-script', script]}));

const {tools} = await client.listTools();
const names = tools.map(tool => tool.name);
const sixteen = ['chat', 'challenge', 'thinkdeep', 'listmodels', 'version', 'debug', 'codereview', 'refactor', 'planner', 'consensus', 'precommit',
  'secaudit', 'docgen', 'analyze', 'tracer', 'testgen'];
expect(sixteen.every(name => names.includes(name)), 'offers the sixteen tools');

async function call(name, args) {
  const answer = await client.callTool({name, arguments: args});
  const text = answer.content[0].text;
  return {isError: answer.isError === true, text, ...(text.startsWith('{') && JSON.parse(text))};
}
const chat = await call('chat', {prompt: 'What do you think?'});
expect(chat.status === 'completed' && chat.content === 'I looked at it.', 'chats');

let thread;
let answer;
for (let step = 1; step <= 4; ++step) {
  answer = await call('debug', {step: `Step ${step}`, step_number: step, total_steps: 4, next_step_required: step < 4,
    findings: step === 3 ? [{text: 'The loop is off by one', file: 'parser.cc', line: 7, severity: 'high'}] : [], confidence: step < 4 ? 'low' : 'medium', ...(thread && {thread_id: thread})});
  expect(!answer.isError && answer.status === (step < 4 ? 'continue' : 'completed'), `debug, step ${step}: ${answer.status}`);
  expect(!thread || answer.thread_id === thread, 'in the same thread');
  thread = answer.thread_id;
}
const review = await call('chat', {prompt: 'Sum it up.', continuation_id: thread});
expect(review.thread_id === thread, 'another tool goes on with the thread');

const wrong = await call('debug', {step: 'x', step_number: 'one', total_steps: 1, next_step_required: false, findings: []});
expect(wrong.isError, `refuses a step that is no number: ${wrong.text.slice(0, 100)}`);
const lost = await call('chat', {prompt: 'hi', thread_id: 'none'});
expect(lost.isError, `refuses a thread that it does not know: ${lost.text.slice(0, 100)}`);
await client.close();
process.exit(0);
