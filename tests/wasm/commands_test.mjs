// What commands print is what the native program prints.
import * as path from 'node:path';

import { expect, finish, module, native, root, run, same } from './compare.mjs';

// Times, and what is another in each run, aside. A rule about a call that is cut off passes or is
// skipped by how fast the server was.
const steady = (text) => text
  .replace(/ *\b\d+(\.\d+)? ?(ms|s|us|min)\b/g, ' TIME')
  .replace(/( TIME)+/g, ' TIME')
  .replace(/\b\d+ (a second|observations)\b/g, 'N $1')
  .replace(/\b(\d+) pass, (\d+) skip\b/g, (_, passed, skipped) => `${Number(passed) + Number(skipped)} pass or skip`)
  .replace(/127\.0\.0\.1:\d+/g, 'ADDRESS')
  .replace(/plumbline-[A-Za-z0-9]{6}/g, 'FOLDER');

const library = path.join(root, 'scenarios/library');
const commands = [
  ['--version'], ['--help'], ['run', '--help'], ['no-such-command'], ['run'], ['run', '/no/such/file'],
  ['list', 'checks'], ['list', 'scenarios'], ['explain', 'jsonrpc.parse-error-code'], ['explain', 'nothing'],
  ['run', path.join(library, 'basics'), '--seed', '3'],
  ['run', path.join(library, 'basics'), '--seeds', '1..20', '-j', '2', '--report', 'json=-', '-q'],
  ['sweep', path.join(library, 'basics'), '--seeds', '1..40', '-j', '2'],
  ['demo'],
  ['check', 'server', '--', 'no-such-program-here'],
  ['check', 'server', '--url', 'http://127.0.0.1:1/mcp'],
];
for (const words of commands) {
  const [a, b] = [await run(native, words), await run(module, words)];
  const what = words.join(' ').replaceAll(root, '.');
  expect(a.status === b.status, `${what}: status ${a.status} and ${b.status}: ${b.err.slice(0, 300)}`);
  const plain = (text) => (words.includes('json=-') ? text.replace(/"(started|duration_ms)":.*/g, '') : steady(text));
  same(plain(a.out), plain(b.out), `${what}, stdout`);
  same(steady(a.err), steady(b.err), `${what}, stderr`);
}
finish('commands');
