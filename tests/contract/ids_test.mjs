// No id disappears: every one that cli/known/ids.tsv lists is there, or leads to one that is; and
// every one that is there is listed.
//   node ids_test.mjs PROGRAM [--update]    --update adds what is new; it takes nothing out.

import {execFileSync} from 'node:child_process';
import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';

import {rules} from './rules.mjs';

const [program, update] = process.argv.slice(2);
const root = fileURLToPath(new URL('../..', import.meta.url));
const read = name => readFileSync(join(root, name), 'utf8');
const table = name => read(name).trimEnd().split('\n').slice(1).map(line => line.split('\t'));
const ids = table('cli/known/ids.tsv').map(([kind, id, now]) => ({kind, id, now}));
const name = ({kind, id}) => `${kind} ${id}`;

// What the program lists, the rules that it does not judge, reasons of findings.
const there = new Set();
for (const what of ['checks', 'scenarios', 'errors', 'faults', 'situations']) {
  const list = JSON.parse(execFileSync(program, ['list', what, '--json'], {maxBuffer: 1 << 26}))[what];
  for (const {id} of list) there.add(`${what.slice(0, -1)} ${id}`);
}
for (const {id} of rules()) there.add(`check ${id}`);
for (const [, id] of read('conformance/catalogue/outcomes.h').matchAll(/string_view k\w+ = "([^"]+)"/g)) {
  there.add(`reason ${id}`);
}
// What only reports of older versions have.
there.add(`reason ${read('conformance/catalogue/outcomes.cc').match(/kNullResult = "([^"]+)"/)[1]}`);

const problems = [];
const listed = new Set();
for (const row of ids) {
  if (listed.has(name(row))) problems.push(`${name(row)} is listed twice`);
  listed.add(name(row));
  if (row.now && there.has(name(row))) problems.push(`${name(row)} is there, and is said to be called ${row.now}`);
  const now = row.now ? {kind: row.kind, id: row.now} : row;
  if (!there.has(name(now))) {
    problems.push(`${name(now)} is gone: keep it, or give its row in cli/known/ids.tsv the id that it has now`);
  }
}
const missing = [...there].filter(each => !listed.has(each)).sort();
if (update === '--update') {
  const rows = [...ids.map(({kind, id, now}) => `${kind}\t${id}\t${now ?? ''}`), ...missing.map(each => `${each.replace(' ', '\t')}\t`)];
  writeFileSync(join(root, 'cli/known/ids.tsv'), `kind\tid\tnow\n${rows.sort().join('\n')}\n`);
} else {
  for (const each of missing) problems.push(`${each} is new: add it by ids_test.mjs PROGRAM --update`);
}
if (there.size < 1000) problems.push(`only ${there.size} ids were found: the test reads the wrong place`);

for (const problem of problems) console.log(problem);
console.log(`${there.size} ids, ${ids.filter(({now}) => now).length} of them renamed, ${problems.length} problems`);
process.exit(problems.length === 0 ? 0 : 1);
