// Which planted defects `plumbline fuzz server` finds, each within so many sessions: a table on stdout. It fails when one that was
// named is not found as what it is, of all more than two, or when the server without a defect is blamed.
//
//   node planted.mjs PLUMBLINE RUNS [DEFECT...]

import {spawn} from 'node:child_process';
import {mkdtempSync, readFileSync, readdirSync, rmSync} from 'node:fs';
import {once} from 'node:events';
import {connect} from 'node:net';
import {tmpdir} from 'node:os';
import {fileURLToPath} from 'node:url';

import {freePort} from '../ports.mjs';

const [plumbline, runs, ...only] = process.argv.slice(2);
const server = fileURLToPath(new URL('broken_server.mjs', import.meta.url));

// What each defect is to be found as.
const planted = {
  'aborts-on-depth': 'fuzz.crash',
  'dies-of-bad-json': 'fuzz.exit',
  'hangs-on-a-long-text': 'fuzz.hang',
  'dies-of-null-params': 'fuzz.exit',
  'poisoned-by-a-number': 'fuzz.poisoned',
  'loses-its-list': 'fuzz.poisoned',
  'stack-trace': 'fuzz.tells-insides',
  'tells-its-environment': 'fuzz.tells-insides',
  'prints-to-stdout': 'fuzz.output',
  'echoes-bytes': 'fuzz.output',
  'leaks': 'fuzz.memory',
  'keeps-what-it-is-asked-for': 'fuzz.memory',
  'dies-of-a-repeated-id': 'fuzz.exit',
  'answers-notifications': 'fuzz.keeps-the-specification',
  'no-version-in-errors': 'fuzz.keeps-the-specification',
  'dies-of-a-name': 'fuzz.exit',
  'deaf-after-a-cancellation': 'fuzz.hang',
  'dies-of-a-surrogate': 'fuzz.exit',
  'dies-of-a-batch': 'fuzz.exit',
  'dies-without-arguments': 'fuzz.exit',
  'second-initialize': 'fuzz.poisoned',
  'http-500': 'fuzz.server-error',
};

// listens waits until somebody takes connections at a port.
async function listens(port) {
  for (let heard = false; !heard; await new Promise(resolve => setTimeout(resolve, 20))) {
    const socket = connect(port, '127.0.0.1');
    heard = await new Promise(resolve => socket.once('connect', () => resolve(true)).once('error', () => resolve(false)));
    socket.destroy();
  }
}

// fuzz returns what is found, and after how many seconds: it stops at the first finding that `wanted` names.
async function fuzz(defect, wanted) {
  const out = mkdtempSync(`${tmpdir()}/plumbline-fuzzed-`);
  const begin = Date.now();
  const web = defect.startsWith('http-') ? await freePort() : undefined;
  const peer = web && spawn(process.execPath, [server, defect, String(web)], {stdio: 'inherit'});
  if (peer) await listens(web);
  const target = web ? ['--url', `http://127.0.0.1:${web}/mcp`] : ['--stdio', '--', process.execPath, server, defect];
  const words = ['fuzz', 'server', '--seed', '7', '--runs', runs, '--timeout', '5s', '--quiet', '--out', out, '--report', `json=${out}/report.json`];
  const run = spawn(plumbline, [...words, ...target], {stdio: 'ignore'});
  const watch = setInterval(() => {
    if (wanted && readdirSync(out).some(name => name.startsWith(wanted))) run.kill('SIGINT');
  }, 50);
  await once(run, 'close');
  clearInterval(watch);
  peer?.kill();
  const found = readdirSync(out).filter(name => name.startsWith('fuzz.')).map(name => ({
    id: name.replace(/-\d+\.json$/, ''), messages: JSON.parse(readFileSync(`${out}/${name}`, 'utf8')).steps.length}));
  rmSync(out, {recursive: true});
  return {found, took: (Date.now() - begin) / 1000};
}

let missed = 0;
const names = Object.keys(planted).filter(name => only.length === 0 || only.includes(name));
for (const name of names) {
  const {found, took} = await fuzz(name, planted[name]);
  const hit = found.find(({id}) => id === planted[name]);
  missed += hit ? 0 : 1;
  console.log(`${name} | ${planted[name]} | ${hit ? `${took.toFixed(1)} s, ${hit.messages} message(s)` : `MISSED (${found.map(({id}) => id).join(', ') || 'nothing'})`}`);
}
console.log(`${names.length - missed} of ${names.length} found`);
const right = await fuzz('nothing');
console.log(`without a defect: ${right.found.map(({id}) => id).join(', ') || 'nothing is found'}`);
process.exit(missed > (only.length > 0 ? 0 : 2) || right.found.length > 0 ? 1 : 0);
