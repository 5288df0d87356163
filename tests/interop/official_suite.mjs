// Runs the official conformance suite at one revision, against our reference server or our
// reference client, and says what fails. Exit status 1 when something that the revision requires
// does not pass; what the suite runs without scoring it is told and changes nothing.
//
//   node official_suite.mjs SUITE REVISION server PLUMBLINE
//   node official_suite.mjs SUITE REVISION client REFERENCE_CLIENT
//
// SUITE is the folder of the package @modelcontextprotocol/conformance.

import {spawn} from 'node:child_process';
import {existsSync, mkdtempSync, readFileSync, readdirSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {createInterface} from 'node:readline';

import {shellWord} from '../shell_word.mjs';

const [suite, revision, direction, program] = process.argv.slice(2);
const version = JSON.parse(readFileSync(join(suite, 'package.json'), 'utf8')).version;
const runner = join(suite, 'dist', 'index.js');
const knowsRequirements = !version.startsWith('0.1.');  // Those know one revision, and no sets.
const runMsMax = 150_000;

// Extensions that we do not have, which no revision scores.
const leftOut = name => ['auth/enterprise-managed-authorization', 'auth/dpop', 'auth/dpop-nonce',
                         'auth/wif-jwt-bearer'].includes(name);
// Depends on how busy the machine is: a client may be a little late.
// It answers, without a requestState, what it was never asked: an answer counts with that alone.
const mayWarn = new Set(['client-sse-retry-timing', 'sep-2322-ignore-unexpected-params']);

// A client learns from this which revision to speak; the first versions of the suite do not say.
const environment = {...process.env, MCP_CONFORMANCE_PROTOCOL_VERSION: revision};

const output = mkdtempSync(join(tmpdir(), 'official-suite-'));
process.on('exit', () => rmSync(output, {recursive: true, force: true}));

// run returns what a program of the suite has printed, and its exit status; it is ended when it
// takes too long.
function run(args) {
  return new Promise(resolve => {
    const child = spawn(process.execPath, [runner, ...args],
                        {stdio: ['ignore', 'pipe', 'pipe'], env: environment});
    const late = setTimeout(() => child.kill('SIGKILL'), runMsMax);
    let text = '';
    child.stdout.on('data', data => { text += data; });
    child.stderr.on('data', data => { text += data; });
    child.on('close', status => { clearTimeout(late); resolve({text, status}); });
  });
}

// scenarios returns the names of what is required, and of what is only told.
async function scenarios() {
  const args = knowsRequirements ? ['list', '--requirements', revision]
                                 : ['list', `--${direction}`, '--spec-version', revision];
  const {text} = await run(args);
  const required = [];
  const told = [];
  let section = '';
  for (const line of text.split('\n')) {
    if (/^\S/.test(line)) section = line;
    const name = /^\s+- (\S+)(?: \[(\w+)\])?/.exec(line);
    if (!name) continue;
    if (section.startsWith('Run and reported')) {
      if (name[2] === direction) told.push(name[1]);
    } else if (section.toLowerCase().startsWith(`${direction} scenarios`)) {
      required.push(name[1]);
    }
  }
  return {required, told};
}

async function judgeServer() {
  const server = spawn(program, ['serve', '--reference', '--http', '127.0.0.1:0'],
                       {stdio: ['ignore', 'pipe', 'inherit']});
  try {
    const url = await new Promise((resolve, reject) => {
      createInterface({input: server.stdout}).once('line', resolve);
      server.once('error', reject);
      server.once('exit', code => reject(new Error(`the server ended with ${code}`)));
    });
    const which = knowsRequirements ? ['--requirements', revision] : ['--suite', 'all'];
    await run(['server', '--url', url, ...which, '-o', output]);
    if (server.exitCode !== null) throw new Error(`the server ended with ${server.exitCode}`);
  } finally {
    server.kill('SIGTERM');
  }
}

// One scenario after the other: some of them measure time.
async function judgeClient(names) {
  const at = knowsRequirements ? ['--spec-version', revision, '--force'] : [];
  for (const name of names) {
    const {status, text} =
        await run(['client', '--command', shellWord(program), '--scenario', name, ...at, '-o', output]);
    if (/CLIENT (TIMED OUT|EXITED)/.test(text) || status === null) broken.set(name, text);
  }
}

const broken = new Map();  // Scenarios whose client has failed, and what was printed.

// verdicts returns the checks of each scenario, by its name.
function verdicts() {
  const found = new Map();
  const prefix = direction === 'server' ? 'server-' : '';  // Of folders: server-ping-2026-...Z.
  const folders = (at, before) => readdirSync(at, {withFileTypes: true}).forEach(entry => {
    if (!entry.isDirectory()) return;
    const path = join(at, entry.name);
    const name = before + entry.name;
    const checks = join(path, 'checks.json');
    if (!existsSync(checks)) return folders(path, `${name}/`);
    const scenario = name.slice(prefix.length).replace(/-\d{4}-\d\d-\d\dT[\d-]+Z$/, '');
    found.set(scenario, JSON.parse(readFileSync(checks, 'utf8')));
  });
  folders(output, '');
  return found;
}

const {required, told} = await scenarios();
const wanted = required.filter(name => !leftOut(name));
if (wanted.length === 0) {
  console.error(`the suite ${version} lists nothing for a ${direction} at ${revision}`);
  process.exit(1);
}
const alsoTold = told.filter(name => !leftOut(name));
try {
  await (direction === 'server' ? judgeServer() : judgeClient([...wanted, ...alsoTold]));
} catch (error) {
  console.error(`${program}: ${error.message}`);
  process.exit(1);
}

const found = verdicts();
let failed = 0;
function judge(name, counts) {
  const checks = found.get(name) ?? [];
  const wrong = checks.filter(check => check.status === 'FAILURE' ||
                                       (check.status === 'WARNING' && !mayWarn.has(check.id)));
  const passed = checks.filter(check => check.status === 'SUCCESS').length;
  const skipped = checks.length > 0 && checks.every(check => check.status === 'SKIPPED');
  const ok = wrong.length === 0 && (passed > 0 || skipped) && !broken.has(name);
  if (!ok && counts) ++failed;
  console.log(`${ok ? 'ok  ' : 'FAIL'} ${name}: ${passed} passed${counts ? '' : ', not scored'}`);
  for (const check of wrong) {
    console.log(`       ${check.status} ${check.id}: ${check.errorMessage ?? check.description}`);
  }
  if (checks.length === 0) console.log('       nothing was checked');
  if (broken.has(name)) console.log(broken.get(name).replace(/^/gm, '       '));
  return ok;
}
const good = wanted.filter(name => judge(name, true)).length;
const goodToo = alsoTold.filter(name => judge(name, false)).length;
console.log(`suite ${version} at ${revision}, our ${direction}: ${good} of ${wanted.length} required ` +
            `scenarios pass, ${goodToo} of ${alsoTold.length} that are not scored`);
process.exit(failed === 0 ? 0 : 1);
