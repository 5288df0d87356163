// Every variable of the environment that the program asks for stands in cli/known/variables.tsv.
//   node variables_test.mjs

import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const table = readFileSync(join(root, 'cli/known/variables.tsv'), 'utf8').trimEnd().split('\n').slice(1);
const known = new Set(table.map(line => line.split('\t')[0]));
let seen = 0;
const unknown = [];
for (const name of readdirSync(join(root, 'cli'), {recursive: true})) {
  if (!name.endsWith('.cc') || name.endsWith('_test.cc')) continue;
  const text = readFileSync(join(root, 'cli', name), 'utf8');
  for (const [, variable] of text.matchAll(/(?:environment_variable|is_set)\("([A-Z_]+)"\)/g)) {
    ++seen;
    if (!known.has(variable) && variable !== 'HOME') unknown.push(`cli/${name}: variables.tsv knows no ${variable}`);
  }
}
for (const each of unknown) console.log(each);
console.log(`${seen} variables asked for, ${unknown.length} unknown`);
process.exit(unknown.length === 0 && seen > 10 ? 0 : 1);
