// The judge is a product by itself: the program that is linked with nothing of agents, services, stores,
// models, scenarios and fakes judges by the same rules as plumbline does.
//   node judge_test.mjs PLUMBLINE_JUDGE LINK_CLOSURE PLUMBLINE

import {execFileSync, spawnSync} from 'node:child_process';
import {readFileSync} from 'node:fs';

const [judge, closure, plumbline] = process.argv.slice(2);
const problems = [];

// What belongs to the other product, as libraries and as namespaces.
const others = ['agents', 'service', 'store', 'model', 'graph', 'connector', 'auth', 'mcp'];
const libraries = [...others.map(name => `core_${name}`), 'fakes', 'reference', 'scenarios', 'cli'];
const namespaces = [...others.filter(name => !['auth', 'mcp'].includes(name)), 'fakes', 'reference', 'scenarios', 'cli'];

const linked = readFileSync(closure, 'utf8').trim().split('\n');
if (!linked.includes('conformance') || !linked.includes('reports')) problems.push(`the closure is no list of libraries: ${linked}`);
for (const library of libraries) {
  if (linked.includes(library)) problems.push(`plumbline-judge is linked with ${library}`);
}

// Names of functions, which are there while a program is not stripped.
const symbols = program => execFileSync('nm', ['-C', program], {encoding: 'utf8', maxBuffer: 1 << 30});
const of = (text, name) => text.match(new RegExp(`\\bplumbline::${name}::[\\w~]+`))?.[0];
const inside = symbols(judge);
if (!of(inside, 'conformance')) problems.push('plumbline-judge has no symbols to look at');
for (const name of namespaces) {
  const symbol = of(inside, name);
  if (symbol) problems.push(`plumbline-judge has ${symbol}`);
}
// That they would be found is seen in the whole program.
const whole = symbols(plumbline);
for (const name of namespaces) {
  if (!of(whole, name)) problems.push(`plumbline itself has nothing of ${name}: is it called otherwise by now?`);
}

const server = [plumbline, 'serve', '--reference', '--stdio'];
function rows(text) {
  if (!text.startsWith('{')) return new Set();
  return new Set(JSON.parse(text).results.map(({id, revision}) => `${id} ${revision}`));
}
const alone = spawnSync(judge, server, {encoding: 'utf8', maxBuffer: 1 << 28});
const asked = spawnSync(plumbline, ['check', 'server', '--stdio', '--report', 'json=-', '--', ...server], {encoding: 'utf8', maxBuffer: 1 << 28});
if (alone.status !== 0) problems.push(`plumbline-judge ends with ${alone.status}: ${alone.stderr}`);
const [ours, theirs] = [rows(alone.stdout), rows(asked.stdout)];
for (const row of theirs) if (!ours.has(row)) problems.push(`plumbline-judge does not judge ${row}`);
for (const row of ours) if (!theirs.has(row)) problems.push(`plumbline does not judge ${row}`);
if (ours.size < 100) problems.push(`only ${ours.size} rows`);

for (const problem of problems) console.log(problem);
console.log(`${linked.length} libraries, ${ours.size} rows, ${problems.length} problems`);
process.exit(problems.length ? 1 : 0);
