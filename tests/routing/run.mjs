// Whether `plumbline ask` finds the right tool, and the right arguments, among those of a server:
//   node run.mjs PLUMBLINE [--only NAME]... [--show] [--model right|wrong]
//
// requests/NAME.tsv has a request, the tools that serve it ("-": none does), and arguments that it has to give. The
// servers themselves are only asked for their lists. `right`: that call and no other, or none where none fits; `refused`:
// nothing was done though a tool fits; `wrong`: another call, other arguments, or success without a call. The servers
// that are `scored_only` were not looked at when anything was decided. A line that ends with "known" is one that is known
// to come to another call: it is counted. Ends with 1 where anything else is wrong.
//
// With --model a scripted model is asked as well (`ask --model-script`): one that always names the right tool, or says
// that there is none, or one that always names another; and the arguments that the request gives. It shows what a model
// can mend, and what it can spoil.

import {spawnSync} from 'node:child_process';
import {existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';

import {here, servers, toolList} from './tool_lists.mjs';

const [named, ...options] = process.argv.slice(2);
const program = resolve(named);
const only = options.filter((_, i) => options[i - 1] === '--only');
const show = options.includes('--show');
const model = options.includes('--model') ? options[options.indexOf('--model') + 1] : '';
const folder = mkdtempSync(join(tmpdir(), 'routing-'));
const calls = join(folder, 'calls'), config = join(folder, 'config.json');

const lines = path => readFileSync(path, 'utf8').split('\n').filter(line => line !== '');

// said_by_model returns which tool the model names.
function saidByModel(server, tools, all) {
  const right = tools.split('|');
  const other = all.find(name => !right.includes(name)) ?? right[0];
  const name = model === 'wrong' ? other : right[0];
  return name === '-' ? 'none' : `${server}/${name}`;
}

function ask(request, choice, wanted) {
  rmSync(calls, {force: true});
  const script = join(folder, 'model.json');
  const says = answer => ({text: JSON.stringify(answer)});
  if (model) writeFileSync(script, JSON.stringify({turns: [says({choice: 'execute_tool'}), says({choice}), says({arguments: wanted})]}));
  const advised = model ? ['--model-script', script] : [];
  const asked = spawnSync(program, ['ask', request, '--config', config, '--approve', 'all', '--json', ...advised], {encoding: 'utf8', timeout: 30_000, cwd: folder});
  if (asked.error?.code === 'ENOENT') throw new Error(`${program} cannot be started: name the program that was built`);
  return {status: asked.status, call: existsSync(calls) ? JSON.parse(lines(calls)[0]) : null, said: asked.stdout || asked.stderr};
}

// plain returns a value as JSON with its members in the order of their names.
const plain = value => JSON.stringify(value, (_, one) => one && typeof one === 'object' && !Array.isArray(one)
  ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => a < b ? -1 : 1)) : one);

function judge({status, call}, tools, wanted) {
  if (tools === '-') return call === null && status !== 0 ? ['right'] : ['wrong', call ? `called ${call.name} ${JSON.stringify(call.arguments)}` : 'success without a call'];
  if (call === null) return status === 0 ? ['wrong', 'success without a call'] : ['refused', `exit ${status}`];
  if (!tools.split('|').includes(call.name)) return ['wrong', `called ${call.name} for ${tools}`];
  for (const [name, value] of Object.entries(wanted)) {
    const given = plain(call.arguments?.[name]);
    if (given !== plain(value)) return ['wrong', `${name} is ${given}, expected ${JSON.stringify(value)}`];
  }
  return ['right'];
}

const sums = {decided: {right: 0, refused: 0, wrong: 0}, held: {right: 0, refused: 0, wrong: 0}};
let failed = false;
const words = ({right, refused, wrong}) =>
  `${right} of ${right + refused + wrong} right (${(100 * right / (right + refused + wrong)).toFixed(1)} %), ${refused} refused, ${wrong} wrong`;
for (const name of Object.keys(servers).filter(name => only.length === 0 || only.includes(name))) {
  const list = await toolList(name);
  writeFileSync(config, JSON.stringify({mcpServers: {[name]: {command: process.execPath, args: [`${here}/listed_server.mjs`, list, calls]}}}));
  const all = JSON.parse(readFileSync(list, 'utf8')).tools.map(tool => tool.name);
  const sum = {right: 0, refused: 0, wrong: 0};
  for (const line of lines(`${here}/requests/${name}.tsv`)) {
    const [request, tools, wanted = '', known] = line.split('\t');
    const needed = wanted === '' || wanted === '-' ? {} : JSON.parse(wanted);
    const [verdict, why] = judge(ask(request, saidByModel(name, tools, all), needed), tools, needed);
    ++sum[verdict];
    failed ||= verdict === 'wrong' && known !== 'known';
    ++sums[servers[name].scored_only ? 'held' : 'decided'][verdict];
    if (show && verdict !== 'right') console.log(`  ${verdict}: ${request}: ${why}`);
  }
  console.log(`${name}: ${words(sum)}`);
}
rmSync(folder, {recursive: true, force: true});
for (const [which, sum] of Object.entries(sums)) if (sum.right + sum.refused + sum.wrong > 0) console.log(`${which}: ${words(sum)}`);
process.exit(failed ? 1 : 0);
