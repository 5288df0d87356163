// The sixteen tools as a person in a client of the SDK gets them: what each model wrote reaches the caller, in both ways
// of calling; each step is told what came before; a consensus shows every opinion and failure; a small window is kept,
// and what was left out is said; without a key one line names its variable; and what the server says of itself. One line
// a step; exit status 1 when one fails.
//
//   node agents_tools.mjs PLUMBLINE NODE_MODULES_PARENT
//
// Two processes share the PostgreSQL that PLUMBLINE_TEST_POSTGRES names, or a file of SQLite.

import {createRequire} from 'node:module';
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';

import {Commands, expect} from './commands.mjs';

const [program, modules] = process.argv.slice(2);
const load = path => import(pathToFileURL(createRequire(join(modules, 'package.json')).resolve(path)));
const {Client} = await load('@modelcontextprotocol/sdk/client/index.js');
const {StdioClientTransport} = await load('@modelcontextprotocol/sdk/client/stdio.js');

const commands = new Commands(program);
const file = name => join(commands.folder, name);
const write = (name, what) => { writeFileSync(file(name), typeof what === 'string' ? what : JSON.stringify(what)); return file(name); };
// model writes the script of a model, and returns the option that names it.
const model = (name, turns, more = {}) => ['--model-script', write(`${name}.json`, {model: name, turns, ...more})];
const says = (name, text, more) => model(name, [{always: true, text}], more);
const fenced = (request, words = '') => `${words}\n\n\`\`\`json\n${JSON.stringify(request)}\n\`\`\``;

async function serve(args, environment = {}) {
  const transport = new StdioClientTransport({command: program, args: ['agents', 'serve', '--stdio', ...args],
    env: {...commands.environment, ...environment}, stderr: 'inherit'});
  const client = new Client({name: 'a desk', version: '7'});
  await client.connect(transport);
  const call = async (name, args, options) => {
    const answer = await client.callTool({name, arguments: args}, undefined, options);
    return {isError: answer.isError === true, text: answer.content[0].text, ...answer.structuredContent};
  };
  return {client, call, pid: transport.pid, close: () => client.close()};
}
const step = (number, more = {}) => ({step: `I did ${number}.`, step_number: number, total_steps: 2, next_step_required: number < 2, ...more});
const shown = text => text.slice(0, 160).replaceAll('\n', ' / ');

const zebra = 'The zebra wears tartan on Sundays.';
const asks = ['chat', 'challenge', 'thinkdeep', 'consensus', 'debug', 'codereview', 'refactor', 'precommit', 'secaudit', 'analyze', 'planner', 'docgen',
  'tracer', 'testgen'];
const judged = asks.slice(4, 10);

{
  const server = await serve(says('m', zebra));
  for (const tool of asks) {
    const answer = await server.call(tool, {prompt: 'Look at the zebra.'});
    expect(!answer.isError && answer.status === 'completed' && answer.text.includes(zebra), `${tool}, asked: ${shown(answer.text)}`);
  }
  for (const tool of [...judged, 'testgen']) {
    const answer = await server.call(tool, {...step(1), next_step_required: false});
    expect(answer.status === 'completed' && answer.text.startsWith(zebra), `${tool}, stepped: ${shown(answer.text)}`);
  }
  const answer = await server.call('challenge', {prompt: 'It is so.', use_assistant_model: false});
  expect(answer.status === 'completed' && !answer.text.includes(zebra) && answer.text.includes('> It is so.') && answer.expert.asked === false,
    'challenge asks nobody where it is told so');
  await server.close();
}

{
  const server = await serve(model('m', [{when: 'Make step 1 of this', text: fenced({files: [write('a.txt', 'a[0] = 1\n')], findings: [
    {text: 'a[0] is read', file: 'a.txt', line: 1, severity: 'high'}, {file: 'x'}]}, 'I read MARK.')},
  {when: 'Make step 2 of this', text: '{{last}}'}, {when: 'Judge what was found', always: true, text: 'Cause: the empty list.\n\n{{last}}'}]).concat(
    ['--root', commands.folder]));
  const answer = await server.call('debug', {prompt: 'Why does it crash?'});
  expect(answer.content.startsWith('Cause: the empty list.'), `debug: ${shown(answer.content)}`);
  expect(answer.steps[0].text === 'I read MARK.' && answer.findings.length === 1, `its steps and findings are there: ${JSON.stringify([answer.steps, answer.findings])}`);
  const told = answer.steps[1].text;
  expect(told.includes('Why does it crash?') && told.includes('I read MARK.') && told.includes('1\ta[0] = 1'), 'step 2 is told the task, step 1 and the file');
  expect(told.includes('A finding could not be read: '), 'and what could not be read of it');
  const [, expert] = answer.content.split('Cause: the empty list.\n\n');
  expect(expert.includes('Why does it crash?') && expert.includes('I read MARK.') && expert.split('a[0] = 1').length === 2 + 1, 'the expert is told all of it');
  await server.close();
}

{
  const server = await serve(says('m', 'Write it so.\n\n```js src/a.test.js\ntest();\n```'));
  const tests = await server.call('testgen', {prompt: 'Test a.js'});
  expect(tests.artifacts?.[0]?.path === 'src/a.test.js' && tests.artifacts[0].text === 'test();\n', 'testgen returns the tests with their path');
  await server.close();
}

{
  const server = await serve(model('m', []));
  const first = await server.call('planner', {...step(1, {step: 'Back up.', total_steps: 4}), next_step_required: true});
  expect(first.status === 'continue' && first.text.includes('## Next') && first.text.includes('After 1 step'), `planner, step 1: ${shown(first.text)}`);
  const go = more => server.call('planner', {total_steps: 4, next_step_required: true, thread_id: first.thread_id, ...more});
  await go({step: 'Move the writers.', step_number: 2});
  await go({step: 'Move the writers, one by one.', step_number: 3, revises_step: 2});
  const plan = await go({step: 'Or buy it.', step_number: 4, branch: 'buy', branch_from_step: 1, next_step_required: false});
  expect(plan.status === 'completed' && plan.text.includes('1. Back up.') && plan.text.includes('2. Move the writers, one by one. (revised in step 3)')
    && plan.text.includes('## Branch: buy, from step 1') && plan.plan.length === 4, `the plan is put together, and no model asked: ${shown(plan.text)}`);
  const edge = (from, to, more = {}) => ({text: `${from} calls ${to}`, from, to, file: 'a.cc', line: 3, ...more});
  const trace = await server.call('tracer', {...step(1), next_step_required: false, findings: [edge('main', 'run'), edge('run', 'stop', {condition: 'it is late'}),
    edge('run', 'main'), edge('stop', 'log', {sure: false})]});
  expect(trace.text.includes('main\n  -> run  a.cc:3\n    -> stop  a.cc:3  if it is late\n      -> log  a.cc:3  (unsure)\n    -> main  a.cc:3 (see above)'), 'tracer draws the calls, and ends in circles');
  await server.close();
}

{
  const server = await serve([...says('judge', 'Yes, but slowly.'), ...says('ann', 'I am for it.'),
    ...model('bob', [{always: true, fails: {status: 500, message: 'out of order'}}]), ...says('eve', 'I am against it.')]);
  const models = ['ann', 'bob', 'eve'].map((name, i) => ({model: name, stance: ['for', 'neutral', 'against'][i]}));
  const answer = await server.call('consensus', {prompt: 'Rewrite it?', models});
  expect(answer.status === 'completed' && answer.text.startsWith('2 of 3 models answered. bob failed: '), `consensus: ${shown(answer.text)}`);
  expect(['Yes, but slowly.', 'I am for it.', 'I am against it.', 'out of order'].every(text => answer.text.includes(text)), 'every opinion and failure is shown');
  expect(answer.opinions.length === 3 && answer.failed.join() === 'bob', 'and is there as data');
  const twice = await server.call('consensus', {prompt: 'x', models: [models[0], models[0]]});
  expect(twice.isError && twice.error.code === 'bad_arguments', `nobody is asked twice: ${shown(twice.text)}`);
  const nobody = await server.call('consensus', {prompt: 'x', models: [{model: 'zoe'}]});
  expect(nobody.isError && nobody.error.code === 'unknown_model' && nobody.text.includes('ann'), `an unknown model is refused first: ${shown(nobody.text)}`);
  await server.close();
}

{
  const lines = Array.from({length: 4_000}, (_, i) => `line ${i + 1} of a file that is much too long for it`).join('\n');
  write('big.txt', lines);
  const server = await serve([...says('small', '{{last}}', {context_tokens: 8_000}), '--root', commands.folder]);
  const answer = await server.call('chat', {prompt: 'What is in it?', files: ['big.txt']});
  expect(!answer.isError && answer.usage.input_tokens <= 8_000, `a window of 8,000 is kept with ${lines.length} bytes: ${answer.usage.input_tokens} tokens`);
  expect(/big\.txt: only lines 1 to \d+ of 4000 have room/.test(answer.text) && answer.files.in_part.length === 1, 'and the answer names what was left out');
  await server.close();
}

{
  const models = join(import.meta.dirname, '../../examples/models.json');
  const server = await serve(['--models', models], {OPENAI_API_KEY: '', ANTHROPIC_API_KEY: ''});
  const chat = await server.call('chat', {prompt: 'hi'});
  expect(chat.isError && chat.error.code === 'no_key' && chat.text.split('\n')[0].includes('OPENAI_API_KEY'), `without a key: ${shown(chat.text)}`);
  const review = await server.call('codereview', {...step(1), next_step_required: false, findings: [{text: 'a leak'}]});
  expect(review.status === 'completed' && review.expert.asked === false && review.text.includes('a leak') && review.text.includes('OPENAI_API_KEY'),
    `steps of one's own go on: ${shown(review.text)}`);
  const list = await server.call('listmodels', {});
  expect(list.models.length >= 4 && list.models.find(each => each.name === 'gpt-5').why_not.includes('OPENAI_API_KEY')
    && list.models.find(each => each.name === 'small').available && list.patterns.includes('claude-*'), `listmodels: ${shown(list.text)}`);
  const version = await server.call('version', {});
  const {out} = await commands.run(['--version']);
  expect(out.includes(version.version) && version.client === 'a desk 7' && version.commands === 'off' && version.revision, `version: ${shown(version.text)}`);
  const {instructions} = {instructions: server.client.getInstructions()};
  expect(Buffer.byteLength(instructions) <= 1_200 && instructions.includes('OPENAI_API_KEY') && instructions.includes('No files'), 'the instructions say what is missing');
  const {tools} = await server.client.listTools();
  expect(JSON.stringify(tools).length <= 24_000 && tools.every(tool => tool.annotations.readOnlyHint && !tool.inputSchema.properties.commands),
    `the tools are small and read-only: ${JSON.stringify(tools).length} bytes`);
  const wrong = await server.call('chat', {prompt: 'x', relevant_files: ['/a']}).catch(error => ({text: error.message}));
  expect(wrong.text.includes('"relevant_files" is called "files" here'), `a name of another server: ${shown(wrong.text)}`);
  const bad = await server.call('debug', {step: 'x', step_number: 1});
  expect(bad.isError && bad.error.code === 'bad_step' && bad.text.includes('total_steps') && bad.text.includes('next_step_required'), `a bad step: ${shown(bad.text)}`);
  const prompt = await server.client.getPrompt({name: 'debug', arguments: {request: 'it crashes'}});
  expect(prompt.messages[0].content.text.includes('it crashes'), 'each tool is a prompt');
  await server.close();
}

{
  const store = `sqlite:${file('threads.db')}`;
  const server = await serve([...says('m', zebra), '--store', store, '--tools', 'chat,debug']);
  expect((await server.client.listTools()).tools.map(tool => tool.name).join() === 'chat,listmodels,version,debug', '--tools offers those, and two more');
  const {thread_id: thread} = await server.call('chat', {prompt: 'Who wears tartan?'});
  await server.close();
  const list = await commands.run(['thread', 'list', '--store', store]);
  expect(list.out.includes(thread) && list.out.includes('chat: Who wears tartan?'), 'thread list shows it');
  const show = await commands.run(['thread', 'show', thread, '--store', store]);
  expect(show.status === 0 && show.out.includes(zebra) && show.out.includes('Who wears tartan?'), 'thread show shows what was said');
  const none = await commands.run(['agents', 'serve', '--stdio', '--tools', 'chatt']);
  expect(none.status === 2 && none.err.includes('there is no tool "chatt"'), 'an unknown tool is refused');
}

// Two processes over one store: each goes on with what the other has begun, one waits while the other is at work, and
// takes up what is left when that is killed.
{
  const postgres = process.env.PLUMBLINE_TEST_POSTGRES;
  const store = postgres ? `postgres:${postgres}` : `sqlite:${file('shared.db')}`;
  const slow = await serve([...model('m', [{always: true, text: 'Late.', latency_ms: 60_000}]), '--store', store]);
  const quick = await serve([...says('m', 'The cause is the cache.'), '--store', store]);
  const first = await slow.call('debug', {...step(1), findings: [{text: 'it is cold'}]});
  const second = await quick.call('debug', {...step(2, {total_steps: 3, next_step_required: true}), thread_id: first.thread_id});
  expect(second.status === 'continue' && second.next_step.findings.length === 1, 'a step of one process follows that of another');
  const last = {...step(3), next_step_required: false, thread_id: first.thread_id};
  const lost = slow.call('debug', last).catch(() => 'lost');
  let show;
  for (let i = 0; i < 100 && !show?.out.includes('unfinished'); ++i) show = await commands.run(['thread', 'list', '--store', store]);
  const busy = await quick.call('chat', {prompt: 'And?', thread_id: first.thread_id});
  expect(busy.isError && busy.text.includes('the thread is at work'), `one waits while the other is at work: ${shown(busy.text)}`);
  process.kill(slow.pid, 'SIGKILL');
  expect(await lost === 'lost', 'the one at work is killed');
  const taken = await quick.call('debug', last);
  expect(taken.status === 'completed' && taken.text.startsWith('The cause is the cache.') && taken.findings.length === 1, `the other takes up its call: ${shown(taken.text)}`);
  const third = await serve([...says('m', 'Nothing else.'), '--store', store]);
  const both = await Promise.all([quick, third].map(one => one.call('chat', {prompt: 'And now?', thread_id: first.thread_id})));
  const answered = both.filter(one => !one.isError).length;
  expect(answered >= 1 && both.every(one => !one.isError || /at work|has gone on with the thread/.test(one.text)),
         `of two that ask at once, ${answered} are answered, and the other is told: ${both.map(one => shown(one.text)).join(' | ')}`);
  const kept = await commands.run(['thread', 'show', first.thread_id, '--store', store]);
  expect((kept.out.match(/And now\?/g) ?? []).length === answered, `the thread keeps what was answered: ${answered}`);
  await quick.close();
  await third.close();
}
process.exit(0);
