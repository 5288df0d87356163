// What the tests of the module share: both programs are run, and what they say is compared.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';

export const [native, module] = process.argv.slice(2).map((name) => path.resolve(name));
export const root = path.resolve(import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname), '../..');
export const scratch = mkdtempSync(path.join(tmpdir(), 'plumbline-wasm-'));
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));

const kPatienceMs = 240_000;

// run returns {status, out, err} of one of the two programs.
export function run(program, args, options = {}) {
  const command = program.endsWith('.mjs') ? [process.execPath, program] : [program];
  const child = spawn(command[0], [...command.slice(1), ...args], { cwd: scratch, ...options });
  const said = { out: '', err: '' };
  child.stdout.on('data', (bytes) => { said.out += bytes; });
  child.stderr.on('data', (bytes) => { said.err += bytes; });
  child.stdin.on('error', () => {});  // It may have ended, and read nothing.
  child.stdin.end(options.input ?? '');
  const late = setTimeout(() => child.kill('SIGKILL'), kPatienceMs);
  return new Promise((resolve) => {
    child.on('close', (status, signal) => {
      clearTimeout(late);
      resolve({ status: status ?? signal, ...said });
    });
  });
}

let failures = 0;
let checks = 0;

// expect says what is wrong, and goes on.
export function expect(is, what) {
  ++checks;
  if (is) return;
  ++failures;
  console.log(`FAILED: ${what}`);
}

// same compares two texts, and shows the first line that differs.
export function same(mine, theirs, what) {
  const [a, b] = [mine.split('\n'), theirs.split('\n')];
  const at = a.findIndex((line, i) => line !== b[i]);
  expect(mine === theirs, `${what}, line ${at + 1}\n  native: ${a[at]}\n  module: ${b[at]}`);
}

// finish ends the test.
export function finish(said) {
  console.log(`${said}: ${checks - failures} of ${checks} as expected`);
  process.exit(failures === 0 && checks > 0 ? 0 : 1);
}
