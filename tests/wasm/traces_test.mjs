// Every scenario of the library at three seeds: the traces are the native program's, byte for byte.
// The module is compiled once, and run in this process: `run` waits for nothing.
import { createHash } from 'node:crypto';
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs';
import * as path from 'node:path';
import { pathToFileURL } from 'node:url';

import { expect, finish, module, native, root, run, scratch } from './compare.mjs';

const kSeeds = [1, 7, 2026];

const folder = path.dirname(module);
const host = await import(pathToFileURL(path.join(folder, 'module.mjs')).href);
const compiled = await WebAssembly.compile(readFileSync(path.join(folder, 'plumbline.wasm')));
const outside = {
  tell() {}, order: () => ({ refusal: { code: '', text: 'there is no outside' } }), wait: () => undefined,
  stopAsked: () => false, took() {},
};
const nowhere = openSync('/dev/null', 'w');
const scenarios = readdirSync(path.join(root, 'scenarios/library'), { recursive: true })
  .filter((name) => name.endsWith('.json')).sort();

const sum = (file) => createHash('sha256').update(readFileSync(file)).digest('hex');
let bytes = 0;

async function compare(name, seed) {
  const file = path.join(root, 'scenarios/library', name);
  const traces = ['native', 'module'].map((which) => path.join(scratch, which));
  for (const trace of traces) closeSync(openSync(trace, 'w'));
  const words = (trace) => ['run', file, '--seed', `${seed}`, '--trace', trace];
  const a = await run(native, words(traces[0]));
  const status = await host.run(compiled, { args: ['plumbline', ...words(traces[1])], env: process.env, columns: 0, outside,
    suspends: false, descriptors: { 1: nowhere, 2: nowhere } });
  expect(a.status === status, `${name}, seed ${seed}: status ${a.status} and ${status}: ${a.err}`);
  const size = readFileSync(traces[0]).length;
  bytes += size;
  expect(size > 0 && sum(traces[0]) === sum(traces[1]), `${name}, seed ${seed}: the traces differ`);
}

expect(scenarios.length > 400, `only ${scenarios.length} scenarios were found`);
for (const seed of kSeeds) {
  for (const name of scenarios) await compare(name, seed);
  console.log(`seed ${seed}: ${scenarios.length} traces compared`);
}
finish(`${scenarios.length} scenarios at ${kSeeds.length} seeds, ${(bytes / 1e6).toFixed(0)} MB of traces`);
