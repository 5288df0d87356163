// One judgement over stdio, one over HTTP and one of a client: the rows are the native program's.
import { spawn } from 'node:child_process';
import * as path from 'node:path';

import { expect, finish, module, native, root, run } from './compare.mjs';

const everything = path.join(root, 'build/npm/node_modules/.bin/mcp-server-everything');

// What these come to depends on how fast the two sides are: on a call that lasts long enough to be
// cut, on a server that ends in its time. Either end is right.
const timed = ['http.session-outlives-a-lost-answer', 'stdio.exit-on-stdin-eof'];

// verdicts returns a line for each row of a JSON report.
function verdicts(text) {
  try {
    const report = JSON.parse(text);
    return report.results.map(({ id, revision, verdict }) => `${timed.includes(id) ? 'any' : verdict} ${id} ${revision}`).sort();
  } catch (error) {
    return [`no report: ${error.message}: ${text.slice(0, 200)}`];
  }
}

async function compare(what, args, most) {
  const report = ['--report', 'json=-', '--progress', 'never'];
  const [head, ...command] = args.join('\n').split('\n--\n');
  const words = [...head.split('\n'), ...report, ...(command.length ? ['--', ...command[0].split('\n')] : [])];
  const [a, b] = [await run(native, words), await run(module, words)];
  const [mine, theirs] = [verdicts(a.out), verdicts(b.out)];
  const differing = mine.filter((line) => !theirs.includes(line));
  expect(a.status === b.status, `${what}: status ${a.status} and ${b.status}: ${b.err}`);
  expect(mine.length > most, `${what}: only ${mine.length} rows: ${mine[0]}`);
  expect(mine.length === theirs.length && differing.length === 0,
    `${what}: ${mine.length} and ${theirs.length} rows; the native program's alone: ${differing.slice(0, 5).join('; ')}; of the module ${theirs.filter((line) => !mine.includes(line)).slice(0, 5).join('; ')}`);
  console.log(`${what}: ${mine.length} rows`);
}

// serveHttp starts a server of the native program, and returns it with its address.
function serveHttp() {
  const server = spawn(native, ['serve', '--reference', '--http', '127.0.0.1:0']);
  return new Promise((resolve, reject) => {
    server.stdout.once('data', (line) => resolve({ server, url: String(line).trim() }));
    server.once('exit', () => reject(new Error('the server has ended')));
  });
}

await compare('stdio', ['check', 'server', '--', everything], 200);
try {
  const { server, url } = await serveHttp();
  await compare('http', ['check', 'server', '--url', url], 100);
  server.kill();
} catch (error) {
  expect(false, `http: ${error.message}`);
}
await compare('client', ['check', 'client', '--revision', '2025-11-25', '--only', 'lifecycle.*', '--env',
  `PLUMBLINE_NODE_MODULES=${path.join(root, 'build/npm/node_modules')}`, '--',
  'node', path.join(root, 'tests/interop/judged_client.mjs'), '1'], 5);
finish('judgements');
