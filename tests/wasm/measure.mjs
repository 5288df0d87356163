// measure.mjs NATIVE MODULE: sizes, starts and rates of the two, in turns, as rows for docs/wasm.md.
import { readFileSync, statSync } from 'node:fs';
import * as path from 'node:path';
import { gzipSync } from 'node:zlib';

import { module, native, root, run } from './compare.mjs';

const library = path.join(root, 'scenarios/library');
const everything = path.join(root, 'build/npm/node_modules/.bin/mcp-server-everything');

// medians returns that of each program, in seconds, run in turns, and that of the ratios of the pairs.
async function medians(words, times) {
  const taken = [[], []];
  for (let i = 0; i < times; ++i) {
    for (const [which, program] of [native, module].entries()) {
      const from = performance.now();
      await run(program, words);
      taken[which].push((performance.now() - from) / 1000);
    }
  }
  const median = (all) => all.toSorted((a, b) => a - b)[times >> 1];
  return [...taken.map(median), median(taken[0].map((mine, i) => taken[1][i] / mine))];
}

const wasm = path.join(path.dirname(module), 'plumbline.wasm');
const bytes = readFileSync(wasm);
console.log(`| size | ${statSync(native).size} | ${bytes.length}, gzip ${gzipSync(bytes, { level: 9 }).length} |`);
const rows = [
  ['start (`--version`)', ['--version'], 7],
  ['`run scenarios/library --jobs 1`', ['run', library, '-j', '1', '-q'], 3],
  ['`check server` on server-everything, stdio', ['check', 'server', '-q', '--', everything], 5],
];
for (const [what, words, times] of rows) {
  const [a, b, ratio] = await medians(words, times);
  console.log(`| ${what} | ${a.toFixed(2)} s | ${b.toFixed(2)} s, in pairs ${ratio.toFixed(2)} times |`);
}
