// Every scenario of the library at three seeds: the traces are the native program's, byte for byte.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import * as path from 'node:path';

import { expect, finish, module, native, root, run, scratch } from './compare.mjs';

const kSeeds = [1, 7, 2026];
const kAtOnce = 2;

const scenarios = readdirSync(path.join(root, 'scenarios/library'), { recursive: true })
  .filter((name) => name.endsWith('.json')).sort();

const sum = (file) => createHash('sha256').update(readFileSync(file)).digest('hex');
let bytes = 0;

async function compare(name, seed) {
  const file = path.join(root, 'scenarios/library', name);
  const traces = [native, module].map((_, i) => path.join(scratch, `${name.replaceAll('/', '-')}-${seed}-${i}`));
  const [a, b] = [await run(native, ['run', file, '--seed', `${seed}`, '--trace', traces[0]]),
    await run(module, ['run', file, '--seed', `${seed}`, '--trace', traces[1]])];
  expect(a.status === b.status, `${name}, seed ${seed}: status ${a.status} and ${b.status}: ${b.err}`);
  if (a.status !== b.status) return;
  bytes += readFileSync(traces[0]).length;
  expect(sum(traces[0]) === sum(traces[1]), `${name}, seed ${seed}: the traces differ`);
}

const work = scenarios.flatMap((name) => kSeeds.map((seed) => [name, seed]));
const helper = async () => {
  while (work.length > 0) await compare(...work.shift());
};
expect(scenarios.length > 400, `only ${scenarios.length} scenarios were found`);
await Promise.all(Array.from({ length: kAtOnce }, helper));
finish(`${scenarios.length} scenarios at ${kSeeds.length} seeds, ${(bytes / 1e6).toFixed(0)} MB of traces`);
