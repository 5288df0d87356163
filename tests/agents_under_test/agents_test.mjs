// Agents on the frameworks of others (examples/agents-under-test), each before its scenario: right as
// it is, and wrong for the reason that was put in. One line a step; exit status 1 when one fails.
//
//   node agents_test.mjs PLUMBLINE NODE_MODULES_PARENT

import {cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync} from 'node:fs';
import {spawnSync} from 'node:child_process';
import {join, resolve} from 'node:path';
import {fileURLToPath} from 'node:url';

const plumbline = resolve(process.argv[2]);
const modules = resolve(process.argv[3]);
const root = fileURLToPath(new URL('../..', import.meta.url));
const examples = join(root, 'examples/agents-under-test');
const folder = mkdtempSync(join(modules, 'agents-under-test-'));  // Below it, their packages are found.
cpSync(examples, folder, {recursive: true});

let failed = 0;
function expect(right, step, why = '') {
  console.log(`${right ? 'ok' : 'FAILED'}  ${step}${right ? '' : `\n${why}`}`);
  if (!right) ++failed;
}

// judge plays a scenario to a command and returns the row of the report, and the exit status.
function judge(scenario, options, ...command) {
  const words = ['run', scenario, '--client', ...options, '--report', 'json=-', '--', process.execPath, ...command];
  const run = spawnSync(plumbline, words, {encoding: 'utf8', timeout: 120_000, cwd: folder});
  let row;
  try {
    row = JSON.parse(run.stdout).results[0];
  } catch {
    row = {verdict: 'none', message: run.stdout + run.stderr};
  }
  return {status: run.status, row, told: `${row.message}\n${JSON.stringify(row.evidence?.at(-1))}`};
}

// What is made wrong in each agent, and what has to be told of it.
const wrong = {
  'sdk-client': [
    ['it writes before it refunds', /( *await call\('orders', 'refund_order'.*\n)( *await call\('mail'.*\n)/, '$2$1', /property\.mail-after-refund/],
    ['it refunds twice', /( *await call\('orders', 'refund_order'.*\n)/, '$1$1', /agent\.no-effect-twice/],
    ['it refunds more than was paid', 'amount: order.paid', 'amount: order.paid + 1', /property\.refunds-what-was-paid/]],
  langchain: [
    ['it offers every tool to the model', '.filter(tool => readers.includes(tool.name))', '', /expect\.never.*did something/]],
  'openai-agents': [
    ['it leaves the customer to the model', '{...args, customer}', 'args', /expect\.arguments: {"customer":"bob".*property\.never-bob/s]],
  'ai-sdk': [
    ['it stops before the model has answered', 'isStepCount(5)', 'isStepCount(1)', /expect\.response_contains: it printed "Let me look/],
    ['it keeps its server running', /for \(const client of clients\) await client\.close\(\);/, '', /agent\.ends/]],
  mastra: [
    ['it lets the model search on', 'maxSteps: 4', 'maxSteps: 20', /agent\.bounded.*tools\/call 20, expected 4/s],
    ['it says nothing when it gives up', "text || 'I could not find the order.'", 'text', /expect\.response_contains/]],
};

const listed = readFileSync(join(root, 'plumb'), 'utf8');
for (const [name, mistakes] of Object.entries(wrong)) {
  const here = join(folder, name);
  const {dependencies} = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8'));
  const missing = Object.entries(dependencies).filter(([dependency, version]) => !listed.includes(`${dependency}@${version}`));
  expect(missing.length === 0, `${name}: its packages are those that ./plumb test installs`, missing.join('\n'));
  const agent = readFileSync(join(here, 'agent.mjs'), 'utf8');
  expect(agent.split('\n').length <= 60, `${name}: is small`);
  const scenario = join(name, readdirSync(here).find(file => file.endsWith('.json') && file !== 'package.json'));
  const request = /\{"input": "([^"]*)"/.exec(readFileSync(join(folder, scenario), 'utf8'))[1];
  const words = agent.includes('MODEL_URL') ? ['{config}', '{model}', '{request}'] : ['{config}', '{request}'];
  const right = judge(scenario, [], join(name, 'agent.mjs'), ...words);
  expect(right.status === 0 && right.row.verdict === 'pass', `${name}: "${request}" passes`, right.told);
  for (const [what, from, to, says] of mistakes) {
    const made = agent.replace(from, to);
    writeFileSync(join(here, 'wrong.mjs'), made);
    const options = what.includes('running') ? ['--timeout', '3s'] : [];
    const judged = judge(scenario, options, join(name, 'wrong.mjs'), ...words);
    const caught = made !== agent && judged.status === 1 && says.test(judged.row.message);
    expect(caught, `${name}: when ${what}, it fails: ${/[a-z]+\.[a-z_-]+/.exec(judged.row.message)?.[0]}`, judged.told);
  }
}

// The model is there for whoever asks for it, in a word or in a variable, and for nobody where the file has none.
const asks = `fetch((process.env.MODEL ?? process.argv[1]) + '/models').then(async models => console.log(await models.text()))`;
for (const [how, options, words] of [['a word', [], ['{model}']], ['a variable', ['--env', 'MODEL={model}'], []]]) {
  const {row, told} = judge('mastra/endless-search.json', options, '-e', asks, ...words);
  expect(/"object":"list"|scripted/.test(row.outcome?.printed), `the model is told in ${how}`, told);
}
const none = judge('sdk-client/refunds.json', [], '-e', asks, '{model}');
expect(none.status === 3 && /takes \{model\}, and .* has no "model"/.test(none.row.message), 'a file without a model says so', none.told);

rmSync(folder, {recursive: true});
process.exit(failed === 0 ? 0 : 1);
