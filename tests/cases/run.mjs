// Judges faults of the field, rebuilt small, each beside its right twin: what only the fault shows, whether a rule that
// is meant for it is among that, and whether the message speaks of it.
//
//   node run.mjs PLUMBLINE [--only REGEX] [--jobs N] [--out FILE] [--known]
//
// Roles are server, client, gateway, authority; resource: a server that wants a token; mutant: one that breaks one MUST. --only: of "ROLE NAME PLACE"; --known: exit status 1 when one is not named that missed.tsv does not have, or a twin fails.

import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {readFileSync, writeFileSync} from 'node:fs';
import {createInterface} from 'node:readline';
import {fileURLToPath} from 'node:url';
import {parseArgs} from 'node:util';

import {freePort} from '../ports.mjs';
import {shellWord} from '../shell_word.mjs';
import {cases as authorities} from './authorities.mjs';
import {cases as clients} from './clients.mjs';
import {cases as gateways} from './gateways.mjs';
import {cases as mutants} from './mutants.mjs';
import {cases as resources} from './resources.mjs';
import {cases as servers} from './servers.mjs';

const {values, positionals: [plumbline]} = parseArgs({allowPositionals: true, options: {
  only: {type: 'string', default: ''}, jobs: {type: 'string', default: '2'}, out: {type: 'string'}, known: {type: 'boolean', default: false}}});
const here = name => fileURLToPath(new URL(name, import.meta.url));
const node = process.execPath;
const bad = ['fail', 'warn', 'inconclusive'];

// ran returns the results of one run.
async function ran(args) {
  const child = spawn(plumbline, [...args.slice(0, 2), '--report', 'json=-', '--progress', 'never', ...args.slice(2)],
                      {stdio: ['ignore', 'pipe', 'pipe'], timeout: 200_000, killSignal: 'SIGKILL'});
  let [said, complained] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', text => said += text);
  child.stderr.setEncoding('utf8').on('data', text => complained += text);
  await once(child, 'close');
  const why = complained.trim().split('\n')[0] || 'no report';
  try {
    const {results} = JSON.parse(said);
    return results.length ? results : why;
  } catch { return why; }
}

// standing starts a program that says where it listens, and ends it after `work`.
async function standing(args, work) {
  const child = spawn(node, args, {stdio: ['ignore', 'pipe', 'ignore']});
  try {
    const [line] = await once(createInterface({input: child.stdout}), 'line');
    return await work(`http://127.0.0.1:${line.match(/\d+/)[0]}`);
  } finally { child.kill('SIGKILL'); }
}

const judgeServer = file => async (one, place, twin) => {
  const [era, transport] = place.split(' ');
  const words = [here(file), `${one.name}@${era}`, transport, ...twin];
  const options = one.writes ? ['--allow-writes'] : [];
  if (transport === 'stdio') return ran(['check', 'server', ...options, '--stdio', '--', node, ...words]);
  return standing(words, url => ran(['check', 'server', ...options, '--url', `${url}/mcp`]));
};

const roles = {
  server: {all: servers, places: one => one.in, judge: judgeServer('servers.mjs')},
  mutant: {all: mutants, places: one => one.in, judge: judgeServer('mutants.mjs')},
  client: {all: clients, places: one => one.in, judge: (one, place, twin) => {
    const [revision, transport] = place.split(' ');
    return ran(['check', 'client', '--revision', revision, '--transport', transport, '--', node, here('clients.mjs'), one.name, ...twin]);
  }},
  gateway: {all: gateways, places: one => one.eras, judge: async (one, place, twin) => {
    const port = await freePort();
    const revision = place === 'modern' ? '2026-07-28' : '2025-11-25';
    return ran(['check', 'gateway', '--revision', revision, '--listen', '127.0.0.1:0', '--url', `http://127.0.0.1:${port}/mcp`, '--start',
                `exec ${shellWord(node)} ${shellWord(here('gateways.mjs'))} ${one.name} ${port} {url} ${twin.join(' ')}`]);
  }},
  resource: {all: resources, places: one => one.in, judge: (one, place, twin) => {
    const [era, transport] = place.split(' ');
    return standing([here('resources.mjs'), `${one.name}@${era}`, transport, ...twin],
                    url => ran(['check', 'server', '--header', 'Authorization: Bearer good-token', '--url', `${url}/mcp`]));
  }},
  authority: {all: authorities, places: () => [''], judge: (one, place, twin) =>
    standing([here('authorities.mjs'), one.name, ...twin], url => ran(['check', 'auth', '--consent', 'auto', '--url', url]))},
};

const shown = rows => new Map(typeof rows === 'string' ? [] : rows.filter(row => bad.includes(row.verdict)).map(row => [`${row.id} ${row.verdict} ${row.revision}`, row]));
// Twins are the same server for many cases: each is judged once.
const twins = new Map();
async function twinOf(role, one, place) {
  const key = `${role === 'mutant' ? 'server' : role} ${place} ${one.right ? one.name : ''} ${one.writes ?? ''}`;
  if (!twins.has(key)) twins.set(key, roles[role].judge(one, place, ['--right']));
  return twins.get(key);
}

async function compare(role, one, place) {
  const [wrong, right] = [await roles[role].judge(one, place, []), await twinOf(role, one, place)];
  const [mine, twin] = [shown(wrong), shown(right)];
  const only = [...mine].filter(([key]) => !twin.has(key)).map(([, row]) => row);
  const named = only.filter(row => one.rules.includes(row.id) && row.verdict !== 'inconclusive' && (!one.says || one.says.test(row.message)));
  const falsely = [...twin.values()].filter(row => row.verdict === 'fail').map(row => row.id);
  return {role, name: one.name, place, from: one.from, what: one.what, named: named.map(row => row.id), falsely,
          only: only.map(({id, verdict, message, because}) => ({id, verdict, message, because})), report: typeof wrong === 'string' ? wrong : undefined};
}

const todo = Object.entries(roles).flatMap(([role, {all, places}]) => all.flatMap(one => places(one).map(place => ({role, one, place}))))
    .filter(({role, one, place}) => new RegExp(values.only).test(`${role} ${one.name} ${place}`));
const results = [];
const queue = [...todo];
await Promise.all(Array.from({length: Number(values.jobs)}, async () => {
  while (queue.length) {
    const {role, one, place} = queue.shift();
    const result = await compare(role, one, place);
    results.push(result);
    const seen = result.named.length ? `named  ${result.named.join(' ')}`
        : result.only.length ? `OTHER  ${result.only.map(row => `${row.verdict}:${row.id}`).join(' ')}` : `MISSED ${result.report ?? ''}`;
    console.log(`${`${role} ${one.name} ${place}`.padEnd(58)} ${seen}${result.falsely.length ? ` | TWIN FAILS ${result.falsely.join(' ')}` : ''}`);
  }
}));
// A kind is caught when each of its places is.
const kinds = new Map;
for (const result of results) {
  const key = `${result.role} ${result.name}`;
  kinds.set(key, [...kinds.get(key) ?? [], result]);
}
const caught = [...kinds.values()].filter(places => places.every(result => result.named.length));
for (const role of Object.keys(roles)) {
  const ours = [...kinds].filter(([key]) => key.startsWith(`${role} `));
  if (ours.length) console.log(`${role.padEnd(10)} ${ours.filter(([, places]) => places.every(result => result.named.length)).length} of ${ours.length} kinds named`);
}
console.log(`${caught.length} of ${kinds.size} kinds named; ${results.filter(result => result.falsely.length).length} twins fail`);
if (values.out) writeFileSync(values.out, JSON.stringify(results, null, 1));
if (values.known) {
  const missed = new Set(readFileSync(here('missed.tsv'), 'utf8').split('\n').slice(1).map(line => line.split('\t')[0]));
  const news = results.filter(result => result.falsely.length || !result.named.length && !missed.has(`${result.role} ${result.name}`));
  process.exit(news.length ? 1 : 0);
}
