// Judges mutants of right servers: each must fail by the id of the rule that it breaks. A table, a class
// a line; exit status 1 when one survives that survivors.tsv does not know.
//
//   node run.mjs PLUMBLINE MODULES [--only REGEX] [--sample N] [--jobs N] [--whole N] [--out FILE]
//
// --only: of "NAME CLASS ID"; --sample N: every Nth; --whole N: every Nth is judged by all checks, not by the one alone.

import {spawn} from 'node:child_process';
import {copyFileSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {createInterface} from 'node:readline';
import {fileURLToPath} from 'node:url';

import {mutateHttp} from './mutate_server.mjs';
import {mutants as every} from './server_mutants.mjs';

const [plumbline, modules, ...options] = process.argv.slice(2);
const option = (name, otherwise) => options.includes(name) ? options[options.indexOf(name) + 1] : otherwise;
const only = new RegExp(option('--only', ''));
const [sample, jobs, whole] = [['--sample', 1], ['--jobs', 4], ['--whole', 0]].map(([name, otherwise]) => Number(option(name, otherwise)));
const timeout = 90_000;
const besideThis = name => fileURLToPath(new URL(name, import.meta.url));
const node = process.execPath;

// Where Node finds their packages.
for (const [folder, name] of [...readdirSync(besideThis('servers')).map(name => ['servers', name]), ['../interop', 'sdk_server.mjs'], ['../interop', 'on_loopback.mjs']]) {
  copyFileSync(besideThis(`${folder}/${name}`), `${modules}/${name}`);
}
const everything = `${modules}/node_modules/@modelcontextprotocol/server-everything/dist/index.js`;
const loopback = ['--import', `file://${modules}/on_loopback.mjs`];
const bases = {
  legacy: {stdio: [`${modules}/legacy_server.mjs`, 'stdio'], http: [node, `${modules}/legacy_server.mjs`, 'http']},
  modern: {stdio: [`${modules}/modern_server.mjs`, 'stdio'], http: [node, `${modules}/modern_server.mjs`, 'http']},
  'sdk-2': {stdio: [`${modules}/sdk_server.mjs`, 'stdio'], http: [node, `${modules}/sdk_server.mjs`, 'http-modern']},
  everything: {stdio: [everything, 'stdio'], http: [node, ...loopback, everything, 'streamableHttp']},
  reference: {stdio: [plumbline, 'serve', '--reference', '--stdio'], http: [plumbline, 'serve', '--reference', '--http', '127.0.0.1:0']},
};

let ended = false;
const servers = new Map();
function urlOf(base) {
  if (!servers.has(base)) {
    const [program, ...args] = bases[base].http;
    const child = spawn(program, args, {stdio: ['ignore', 'pipe', 'ignore']});
    const url = new Promise((resolve, reject) => {
      createInterface({input: child.stdout}).on('line', line => {
        const port = /^listening on (\d+)$/.exec(line)?.[1];
        if (port || line.startsWith('http')) resolve(port ? `http://127.0.0.1:${port}/mcp` : line);
      });
      child.once('exit', code => { servers.delete(base); reject(new Error(`${base} ended with ${code}`)); });
    });
    servers.set(base, {child, url});
  }
  return servers.get(base).url;
}

// judge returns the rows of a check.
async function judge(args) {
  const child = spawn(plumbline, ['check', 'server', '--report', 'json=-', '--progress', 'never', '--timeout', '20s', ...args],
                      {stdio: ['ignore', 'pipe', 'pipe'], timeout, killSignal: 'SIGKILL'});
  let said = '';
  let complained = '';
  child.stdout.setEncoding('utf8').on('data', text => said += text);
  child.stderr.setEncoding('utf8').on('data', text => complained += text);
  const status = await new Promise(resolve => child.once('close', resolve));
  try { return {status, rows: JSON.parse(said).results}; } catch { return {status, rows: [], complained: complained.trim()}; }
}

async function judgeMutant(mutant, ids) {
  if (ended) return {rows: []};
  const args = ['--revision', mutant.revision, ...ids ? ['--only', ids.join(',')] : []];
  if (mutant.transport === 'stdio') {
    const name = mutant.name ?? 'none';
    return judge([...args, '--env', 'NODE_COMPILE_CACHE', '--stdio', '--', node, besideThis('mutate_server.mjs'), name, '--', ...bases[mutant.base].stdio]);
  }
  const target = new URL(await urlOf(mutant.base));
  const proxy = await mutateHttp(mutant, target);
  const made = await judge([...args, '--url', `http://127.0.0.1:${proxy.port}${target.pathname}`]);
  proxy.close();
  return made;
}

async function inSlots(todo, work) {
  const rest = [...todo];
  await Promise.all(Array.from({length: jobs}, async () => { while (rest.length) await work(rest.shift()); }));
}

process.env.NODE_COMPILE_CACHE ??= `${modules}/compile-cache`;
const chosen = every.filter(mutant => only.test(`${mutant.name} ${mutant.class} ${mutant.ids}`)).filter((_, i) => i % sample === 0);

// A rule that the right server fails by itself says nothing about its mutants.
const rights = new Map();
for (const mutant of chosen) {
  const place = `${mutant.base} ${mutant.revision} ${mutant.transport}`;
  if (!rights.has(place)) rights.set(place, {base: mutant.base, revision: mutant.revision, transport: mutant.transport, ids: new Set});
  mutant.ids.forEach(id => rights.get(place).ids.add(id));
}
await inSlots(rights.values(), async right => {
  // What fails is asked again by itself: the machine may have been busy.
  let asked = [...right.ids];
  right.judged = new Set;
  for (let tries = 0; tries < 4 && asked.length > 0; ++tries) {
    const {rows} = await judgeMutant({base: right.base, revision: right.revision, transport: right.transport}, asked);
    rows.forEach(row => right.judged.add(row.id));
    right.fails = new Set(rows.filter(row => ['fail', 'warn'].includes(row.verdict)).map(row => row.id));
    if (rows.length) asked = [...right.fails];
  }
  console.log(`right ${right.base} ${right.revision} ${right.transport}: fails ${[...right.fails].join(' ') || 'nothing'}; no rules there: ${[...right.ids].filter(id => !right.judged.has(id)).join(' ') || 'none'}`);
});

const known = new Map(readFileSync(besideThis('survivors.tsv'), 'utf8').split('\n').slice(1).filter(Boolean).map(line => line.split('\t')));
const results = [];
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, report);
await inSlots(chosen.entries(), async ([number, mutant]) => {
  const right = rights.get(`${mutant.base} ${mutant.revision} ${mutant.transport}`);
  const ids = mutant.ids.filter(id => right.judged.has(id) && !right.fails.has(id));
  const result = {name: mutant.name, class: mutant.class, ids: mutant.ids, what: mutant.what};
  results.push(result);
  if (ids.length === 0) return void (result.unfair = true);
  let {rows, complained} = await judgeMutant(mutant, whole && number % whole === 0 ? undefined : ids);
  // A process that did not start in time says nothing.
  if (rows.length === 0) ({rows, complained} = await judgeMutant(mutant, ids));
  const said = ids.map(id => rows.find(row => row.id === id && row.verdict === 'fail') ?? rows.find(row => row.id === id)).filter(Boolean);
  result.killed = said.some(row => row.verdict === 'fail');
  result.said = said.map(row => `${row.verdict} ${row.id}: ${row.message ?? ''}`).join(' | ') || `no row: ${complained}`;
  if (!result.killed) console.log(`survives ${mutant.name} (${mutant.what}): ${result.said}`.slice(0, 600));
});
// report tells what came out, and ends.
function report() {
  ended = true;
  for (const {child} of servers.values()) child.kill('SIGKILL');

  const fair = results.filter(result => !result.unfair && result.killed !== undefined);
  results.sort((a, b) => a.name < b.name ? -1 : 1);
  const row = (kind, all) => {
    const killed = all.filter(result => result.killed).length;
    return `${kind.padEnd(28)} ${String(all.length).padStart(4)} ${String(killed).padStart(6)} ${String(Math.round(100 * killed / all.length)).padStart(4)} %`;
  };
  console.log(`\n${'class'.padEnd(28)} mutants killed`);
  for (const kind of new Set(fair.map(result => result.class))) console.log(row(kind, fair.filter(result => result.class === kind)));
  for (const transport of ['stdio', 'http']) {
    const all = fair.filter(result => result.name.endsWith(transport));
    if (all.length) console.log(row(`all over ${transport}`, all));
  }
  if (fair.length) console.log(row('all', fair));
  const unfair = results.filter(result => result.unfair);
  if (unfair.length) console.log(`left out, as the right server fails the same rule: ${unfair.map(result => result.name).join(' ')}`);
  const news = fair.filter(result => !result.killed && !known.has(result.name));
  for (const result of news) console.log(`FAIL ${result.name} survives: ${result.said}`.slice(0, 400));
  for (const result of fair) if (result.killed && known.has(result.name)) console.log(`${result.name} is killed: take it out of survivors.tsv`);
  if (option('--out')) writeFileSync(option('--out'), JSON.stringify(results, null, 1));
  process.exit(news.length ? 1 : 0);
}
report();
