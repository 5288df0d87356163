// One judgement over stdio, one over HTTP and one of a client: the rows are the native program's.
import { spawn } from 'node:child_process';
import * as path from 'node:path';

import { expect, finish, module, native, root, run } from './compare.mjs';

const everything = path.join(root, 'build/npm/node_modules/.bin/mcp-server-everything');

// What these come to depends on how fast the two sides are: on a call that lasts long enough to be
// cut, on a server that ends in its time. Either end is right.
const timed = ['http.session-outlives-a-lost-answer', 'stdio.exit-on-stdin-eof'];

const kAgain = 3;

// verdicts returns a line for each row of a JSON report.
function verdicts(text) {
  try {
    const report = JSON.parse(text);
    return report.results.map(({ id, revision, verdict }) => `${timed.includes(id) ? 'any' : verdict} ${id} ${revision}`).sort();
  } catch (error) {
    return [`no report: ${error.message}: ${text.slice(0, 200)}`];
  }
}

// judged returns what both programs say of the same, as {a, b, mine, theirs, differing}.
async function judged(args) {
  const report = ['--report', 'json=-', '--progress', 'never'];
  const end = args.indexOf('--') < 0 ? args.length : args.indexOf('--');
  const words = [...args.slice(0, end), ...report, ...args.slice(end)];
  const [a, b] = [await run(native, words), await run(module, words)];
  const [mine, theirs] = [verdicts(a.out), verdicts(b.out)];
  const differing = [...mine.filter((line) => !theirs.includes(line)), ...theirs.filter((line) => !mine.includes(line))];
  return { a, b, mine, theirs, differing };
}

// compare judges what differs by itself again: what still differs does not do so by time.
async function compare(what, args, most) {
  const { a, b, mine, theirs, differing } = await judged(args);
  expect(a.status === b.status, `${what}: status ${a.status} and ${b.status}: ${b.err}`);
  expect(mine.length > most, `${what}: only ${mine.length} rows: ${mine[0]}`);
  expect(mine.length === theirs.length, `${what}: ${mine.length} and ${theirs.length} rows`);
  let left = differing;
  for (let again = 0; left.length > 0 && again < kAgain; ++again) {
    console.log(`${what}, once more: ${left.join('; ')}`);
    const ids = [...new Set(left.map((line) => line.split(' ')[1]))];
    const words = args.filter((word, i) => word !== '--only' && args[i - 1] !== '--only');
    left = (await judged([...words.slice(0, 2), '--only', ids.join(','), ...words.slice(2)])).differing;
  }
  expect(left.length === 0, `${what}: of the native program and of the module: ${left.slice(0, 9).join('; ')}`);
  console.log(`${what}: ${mine.length} rows, ${differing.length / 2} of them alike at another try`);
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
