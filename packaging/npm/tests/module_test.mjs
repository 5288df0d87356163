// module_test.mjs TARBALL [EVERYTHING [SUMS]]: installs the npm package without a native program into
// an empty folder, on whatever system has Node, and uses the WebAssembly module as its users do.
// EVERYTHING is the script of server-everything; without it, it comes from npm. SUMS has a line for
// each of some traces of the native program: its SHA-256, a scenario, a seed.

import {spawn, spawnSync} from 'node:child_process';
import {createHash} from 'node:crypto';
import {existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync, mkdirSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join, resolve} from 'node:path';
import {fileURLToPath} from 'node:url';

const [tarball, givenServer, sums] = process.argv.slice(2).map(name => (name === '-' ? undefined : name && resolve(name)));
const root = fileURLToPath(new URL('../../..', import.meta.url));
const windows = process.platform === 'win32';
const kPatienceMs = 600_000;
// A blank and a letter beyond ASCII are in the names of many homes.
const folder = mkdtempSync(join(realpathSync(tmpdir()), 'a vendor\u00e9 '));
process.chdir(folder);
writeFileSync('package.json', '{"private": true, "type": "module"}');

let failures = 0;
const expect = (holds, what) => {
  if (!holds) ++failures;
  console.log(`${holds ? 'ok    ' : 'FAILED'} ${what}`);
};
const shown = text => text.trim().split('\n').slice(-6).join('\n       ');

// npm is a script of the shell on Windows: no word of these has anything to quote but a path.
function npm(...words) {
  const {status, stderr} = spawnSync('npm', words.map(word => (windows ? `"${word}"` : word)),
    {shell: windows, encoding: 'utf8', timeout: kPatienceMs});
  expect(status === 0, `npm ${words[0]}${status === 0 ? '' : `: ${stderr}`}`);
}

const offline = givenServer === undefined ? [] : ['--offline'];
npm('install', '--no-audit', '--no-fund', ...offline, tarball);
if (givenServer === undefined) npm('install', '--no-audit', '--no-fund', '@modelcontextprotocol/server-everything@2026.8.31');
const everything = givenServer ?? join(folder, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js');
const launcher = join(folder, 'node_modules/mcp-plumbline/bin/plumbline.js');

// start returns the program's process, as its users start it but for the shim of npm.
const start = (words, options = {}) => spawn(process.execPath, [launcher, ...words], {cwd: folder, ...options});

// run returns {status, out, err, seconds}.
async function run(words, input = '') {
  const from = performance.now();
  const child = start(words);
  const said = {out: '', err: ''};
  child.stdout.on('data', bytes => { said.out += bytes; });
  child.stderr.on('data', bytes => { said.err += bytes; });
  child.stdin.end(input);
  const late = setTimeout(() => child.kill('SIGKILL'), kPatienceMs);
  const status = await new Promise(resolved => child.on('close', (code, signal) => resolved(code ?? signal)));
  clearTimeout(late);
  return {status, ...said, seconds: (performance.now() - from) / 1000};
}

// ends runs the program, and expects its exit status and a text in what it says.
async function ends(words, status, text, what, input) {
  const came = await run(words, input);
  const holds = came.status === status && text.test(came.out + came.err);
  expect(holds, `${what} (${came.seconds.toFixed(1)} s)${holds ? '' : `: status ${came.status}\n       ${shown(came.out + came.err)}`}`);
  return came;
}

const scenario = {
  plumbline: 1, id: 'one', title: 'One tool is asked.', request: {input: 'List the files'}, expect: {status: 'ok'},
  servers: {files: {tools: [{name: 'list_directory', description: 'List the files', does: [{reply: {content: []}}]}]}},
};
const text = JSON.stringify(scenario, null, 2);
mkdirSync('sub folder');
writeFileSync(join('sub folder', 'one.json'), text);
mkdirSync('crlf');
const crlf = join('crlf', 'one.json');
writeFileSync(crlf, text.replaceAll('\n', '\r\n'));

const version = await ends(['--version', '--verbose'], 0, /^runs: the WebAssembly module, by Node /m, 'it is the module that runs');
console.log(`       ${/^runs: .*$/m.exec(version.out)?.[0]}`);
await ends(['demo'], 0, /./, 'demo');
await ends(['run', join('sub folder', 'one.json'), '--seed', '3', '--trace', 'one.jsonl'], 0, /pass/, 'run, a folder with a blank');
await ends(['run', crlf, '--seed', '3', '--trace', 'crlf.jsonl'], 0, /pass/, 'run, lines that end by CR LF');
await ends(['sweep', crlf, '--seeds', '1..50'], 0, /./, 'sweep');
await ends(['list', 'checks'], 0, /tools\./, 'list');
await ends(['explain', 'jsonrpc.parse-error-code'], 0, /-32700/, 'explain');
await ends(['fly'], 2, /fly/, 'a command that there is not');
await ends(['check', 'server', '--', 'no-such-program-here'], 3, /no-such-program-here/, 'a program that there is not');

const judging = ['check', 'server', '--progress', 'never', '--baseline', 'sdk'];
const judged = await ends([...judging, '--report', 'json=report.json', '--', 'node', everything], 0, /./,
  'check server over stdio');
console.log(`       ${shown(judged.out)}`);
const rows = existsSync('report.json') ? JSON.parse(readFileSync('report.json', 'utf8')).results.length : 0;
expect(rows > 200, `${rows} rows`);
if (givenServer === undefined) {
  await ends([...judging, '--', 'npx', '--no-install', 'mcp-server-everything'], 0, /./, 'check server that npx starts');
}
const own = ['--', process.execPath, launcher, 'serve', '--reference', '--stdio'];
await ends(['check', 'server', '--progress', 'never', '--only', 'tools.input-schema-valid', ...own], 0, /pass/,
  'check of our own reference server');
const opening = '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}\n';
await ends(['record', '--out', 'recorded.jsonl', ...own], 0, /"serverInfo"/, 'record', opening);
await ends(['replay', 'recorded.jsonl', '--against', 'server', '--stdio', ...own], 0, /pass/, 'replay');

// What listens, asked by Node's own client.
{
  const server = start(['serve', '--reference', '--http', '127.0.0.1:0'], {stdio: ['ignore', 'pipe', 'inherit']});
  const url = await new Promise(resolved => server.stdout.once('data', line => resolved(String(line).trim())));
  await ends(['check', 'server', '--progress', 'never', '--only', 'tools.input-schema-valid', '--url', url], 0, /pass/,
    'serve and check over HTTP');
  const ended = new Promise(resolved => server.once('exit', (code, signal) => resolved(code ?? signal)));
  server.kill('SIGINT');
  const how = await ended;
  expect(windows || how === 0, `serve ends by SIGINT: ${how}`);
}

if (sums !== undefined) {
  let same = 0, all = 0;
  for (const line of readFileSync(sums, 'utf8').trimEnd().split('\n')) {
    const [sum, name, seed] = line.split('\t');
    ++all;
    await run(['run', join(root, name), '--seed', seed, '--trace', 'trace.jsonl']);
    same += createHash('sha256').update(readFileSync('trace.jsonl')).digest('hex') === sum;
  }
  expect(same === all && all > 0, `${same} of ${all} traces are the native program's`);
}
process.chdir(dirname(folder));
rmSync(folder, {recursive: true, force: true, maxRetries: 5});
console.log(`${process.platform} ${process.arch}, Node ${process.versions.node}: ${failures === 0 ? 'all as expected' : `${failures} failed`}`);
process.exit(failures === 0 ? 0 : 1);
