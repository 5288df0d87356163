// SIGINT to every command that waits or serves, in the midst of it:
//   node interrupts.mjs PLUMBLINE [--only TEXT] [--times] [--slow-start]
//
// Each ends by itself with its status (0 of who serves, 130 of others) and leaves no process behind.
// The table says what it was doing, milliseconds to its end, its exit status, and whether it was the
// last resort of who is in the midst of a long step. --times: for an idle machine, by hand; each ends
// within a second then.

import {spawn} from 'node:child_process';
import {existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {connect, createServer} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

const [plumbline, ...options] = process.argv.slice(2);
const only = options.includes('--only') ? options[options.indexOf('--only') + 1] : '';
const times = options.includes('--times');
// The module takes longer until it hears signals, and longer still beside others: a row of a given
// time that was interrupted before is tried again, a little later each time.
const tries = options.includes('--slow-start') ? 16 : 1;
const interruptMax = 1000, readyMax = 20_000, endMax = 60_000, goneMax = 2_000;  // Milliseconds.
const folder = mkdtempSync(join(tmpdir(), 'interrupts-'));
const pause = ms => new Promise(resolve => setTimeout(resolve, ms));
const write = (name, value) => {
  writeFileSync(join(folder, name), typeof value === 'string' ? value : JSON.stringify(value));
  return join(folder, name);
};

// The silent peer takes connections, reads, and never says a word.
let dialled = 0;
const silent = createServer(socket => {
  ++dialled;
  socket.on('error', () => {});
  socket.resume();
});
await new Promise(resolve => silent.listen(0, '127.0.0.1', resolve));
const silentAt = kind => `${kind}://127.0.0.1:${silent.address().port}/mcp`;
// So is the silent program, which says by a file that it was started.
let marks = 0;
const silentProgram = () => {
  const mark = join(folder, `mark${++marks}`);
  return {mark, words: ['sh', '-c', ': > "$0"; trap "" TERM; while :; do sleep 60; done', mark]};
};

// What is done while it serves: a request that takes long, a stream, a connection that says half.
const message = (id, method, params) => JSON.stringify({jsonrpc: '2.0', id, method, params});
const opening = message(0, 'initialize', {protocolVersion: '2025-11-25', capabilities: {}, clientInfo: {name: 'i', version: '1'}});
const slow = message(1, 'tools/call', {name: 'slow_compute', arguments: {seconds: 60}});
const accept = {'Content-Type': 'application/json', Accept: 'application/json, text/event-stream'};
async function inTheMidstOfACall(url) {
  const begun = await fetch(url, {method: 'POST', headers: accept, body: opening});
  await begun.text();
  const headers = {...accept, 'Mcp-Session-Id': begun.headers.get('mcp-session-id') ?? '', 'MCP-Protocol-Version': '2025-11-25'};
  fetch(url, {method: 'POST', headers, body: slow}).then(answer => answer.text()).catch(() => {});
  await pause(200);
}
const say = path => async url => {
  const {hostname, port} = new URL(url);
  const socket = connect({host: hostname, port});
  socket.on('error', () => {});
  socket.resume();
  socket.write(path);
  await pause(200);
};
const request = path => say(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\n\r\n`);
const half = say('POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"json');
const upgraded = say('GET /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n' +
                     'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: mcp\r\n\r\n');
async function listening(url) {
  const opened = await fetch(new URL('/api/sessions', url), {method: 'POST', headers: accept, body: '{}'});
  const {code} = await opened.json();
  await request(`/api/stream?sessionCode=${code}`)(url);
  fetch(new URL(`/api/sessions/${code}/mcp`, url), {method: 'POST', headers: accept, body: opening}).catch(() => {});
  await pause(200);
}

// A scenario that takes long when it is played often, and one that fails.
const tool = {name: 'list_directory', description: 'List the files', does: [{notify: {method: 'n', params: {}, times: 2_000}}, {reply: {content: []}}]};
const scenario = (id, status) => ({plumbline: 1, id, title: 'Much is said.', request: {input: 'List the files', times: 20}, expect: {status}, servers: {files: {tools: [tool]}}});
const long = write('long.json', scenario('long', 'ok'));
const failing = write('failing.json', {...scenario('failing', 'failed'), request: {input: 'List the files', times: 100}});
const hangs = write('hangs.json', {plumbline: 1, id: 'hangs', title: 'It hangs.', request: {input: 'List the files'}, expect: {status: 'ok'},
                                   servers: {files: {tools: [{...tool, does: [{delay_ms: 3_000}, {reply: {content: []}}]}]}}});
const agentsFile = write('registry.json', {agents: []});
const model = write('model.json', {turns: [{role: 'user', always: true, text: 'yes'}]});
const chat = write('chat.json', {mcpServers: {}, chat: {anonymous: 'you', model: {script: model}, servers: {}}});

const of = server => write(`config${++marks}.json`, {mcpServers: {silent: server}});
const byUrl = kind => ({type: kind, url: silentAt(kind === 'ws' ? 'ws' : 'http')});

// Rows: command, what it is at, its words, and what is awaited: 'line' that it prints and then
// `meanwhile`, 'dial' of the silent peer, the silent program's `mark`, or some milliseconds.
const rows = [];
const add = (command, at, words, awaited, meanwhile) => rows.push({command, at, words, awaited, meanwhile});
const addSilent = (command, make) => {
  for (const kind of ['stdio', 'http', 'sse', 'ws']) {
    const program = silentProgram();
    const [first, ...rest] = program.words;
    const words = make(kind, kind === 'stdio' ? {command: first, args: rest} : byUrl(kind), program);
    if (words) add(command, `silent ${kind}`, words, kind === 'stdio' ? program.mark : 'dial');
  }
};
const reference = ['serve', '--reference'];
add('serve --stdio', 'idle', [...reference, '--stdio'], 300);
for (const way of ['http', 'sse', 'ws']) {
  const words = [...reference, `--${way}`, '127.0.0.1:0'];
  add(`serve --${way}`, 'idle', words, 'line');
  add(`serve --${way}`, 'half a request', words, 'line', half);
  if (way === 'http') add(`serve --${way}`, 'a call', words, 'line', inTheMidstOfACall);
  if (way === 'sse') add(`serve --${way}`, 'a stream', words, 'line', request('/sse'));
  if (way === 'ws') add(`serve --${way}`, 'a connection', words, 'line', upgraded);
}
const sessions = ['sessions', '--listen', '127.0.0.1:0', '--quiet'];
add('sessions', 'idle', sessions, 'line');
add('sessions', 'a worker, a client', sessions, 'line', listening);
add('sessions', 'half a request', sessions, 'line', half);
const serving = ['agents', 'serve', '--model-script', model];
add('agents serve', 'idle, stdio', [...serving, '--stdio'], 300);
add('agents serve', 'idle, http', [...serving, '--http', '127.0.0.1:0'], 'line');
add('agents serve', 'half a request', [...serving, '--http', '127.0.0.1:0'], 'line', half);
add('chat-api', 'idle', ['chat-api', '--config', chat, '--listen', '127.0.0.1:0', '--quiet'], 'line');
add('chat-api', 'half a request', ['chat-api', '--config', chat, '--listen', '127.0.0.1:0', '--quiet'], 'line', half);
add('registry', 'idle', ['registry', '--file', agentsFile, '--listen', '127.0.0.1:0'], 'line');
add('registry', 'half a request', ['registry', '--file', agentsFile, '--listen', '127.0.0.1:0'], 'line', half);
addSilent('record', (kind, server, {words}) => kind === 'sse' ? null :
  kind === 'stdio' ? ['record', '--out', join(folder, 'r.jsonl'), '--', ...words] : null);
add('record --listen', 'idle', ['record', '--out', join(folder, 'r2.jsonl'), '--url', silentAt('http'), '--listen', '127.0.0.1:0'], 'line');
add('record --listen', 'a call', ['record', '--out', join(folder, 'r3.jsonl'), '--url', silentAt('http'), '--listen', '127.0.0.1:0'], 'line',
    async url => { fetch(url, {method: 'POST', headers: accept, body: opening}).catch(() => {}); await pause(200); });
addSilent('check server', (kind, server, {words}) =>
  ['check', 'server', '--progress', 'never', ...(kind === 'stdio' ? ['--stdio', '--', ...words] : ['--url', server.url])]);
addSilent('fuzz server', (kind, server, {words}) => ['fuzz', 'server', '--seconds', '60', '--out', join(folder, 'found'),
  ...(kind === 'stdio' ? ['--stdio', '--', ...words] : ['--url', server.url])]);
for (const kind of ['http', 'stdio']) {
  const program = silentProgram();
  add('check client', `silent, ${kind}`, ['check', 'client', '--transport', kind, '--progress', 'never', '--', ...program.words], program.mark);
}
add('check gateway', 'silent http', ['check', 'gateway', '--listen', '127.0.0.1:0', '--url', silentAt('http'), '--progress', 'never'], 'dial');
add('check auth', 'silent http', ['check', 'auth', '--url', silentAt('http'), '--progress', 'never'], 'dial');
add('login', 'silent http', ['login', '--no-browser', '--url', silentAt('http')], 'dial');
addSilent('ask', (kind, server) => ['ask', 'List the files', '--config', of(server)]);
addSilent('connect test', (kind, server) => ['connect', 'test', of(server), '--progress', 'never']);
addSilent('connect status', (kind, server) => ['connect', 'status', of(server)]);
addSilent('ask --thread', (kind, server) => kind === 'stdio' ? ['ask', 'List the files', '--config', of(server), '--thread', 't', '--store', `sqlite:${folder}/t.db`] : null);
addSilent('replay --against', (kind, server, {words}) => ['replay', join(folder, 'recorded.jsonl'), '--against', 'server',
  ...(kind === 'stdio' ? ['--stdio', '--', ...words] : ['--url', server.url])]);
add('replay --serve', 'idle, http', ['replay', join(folder, 'recorded.jsonl'), '--serve', 'http'], 'line');
add('report view', 'idle', ['report', 'view', join(folder, 'recorded.jsonl')], 'line');
add('run', 'many seeds', ['run', long, '--seeds', '1..100000'], 500);
add('run', 'one long world', ['run', write('longer.json', {...scenario('longer', 'ok'), request: {input: 'List the files', times: 100}})], 200);
add('run --real', 'a server hangs', ['run', hangs, '--real'], 500);
{
  const program = silentProgram();
  add('run --client', 'silent', ['run', hangs, '--client', '--', ...program.words, '{config}', '{request}'], program.mark);
}
add('sweep', 'many seeds', ['sweep', long, '--seeds', '1..100000'], 500);
add('sweep -j 4', 'many seeds', ['sweep', long, '--seeds', '1..100000', '-j', '4'], 500);
add('shrink', 'a long world', ['shrink', failing, '--seed', '1', '--out', join(folder, 'small.json')], 300);

// leftBehind returns whether a process is there that has the folder's name among its arguments.
const leftBehind = word => readdirSync('/proc').some(name => {
  try {
    return /^\d+$/.test(name) && readFileSync(`/proc/${name}/cmdline`, 'latin1').split('\0').includes(word);
  } catch { return false; }
});

// staysBehind gives what was killed a moment to go.
async function staysBehind(word) {
  for (const until = Date.now() + goneMax; leftBehind(word); await pause(20)) {
    if (Date.now() > until) return true;
  }
  return false;
}

// A recording to play.
async function record() {
  const child = spawn(plumbline, ['record', '--out', join(folder, 'recorded.jsonl'), '--', plumbline, ...reference, '--stdio'], {cwd: folder, stdio: ['pipe', 'pipe', 'ignore']});
  child.stdin.write(`${opening}\n${message(2, 'tools/list')}\n`);
  let said = '';
  child.stdout.on('data', bytes => said += bytes);
  const ended = new Promise(resolve => child.once('exit', resolve));
  for (const until = Date.now() + readyMax; said.split('\n').length < 3; await pause(10)) {
    if (Date.now() > until) throw new Error('nothing can be recorded');
  }
  child.stdin.end();
  if (await Promise.race([ended, pause(endMax).then(() => 'late')]) === 'late') throw new Error('record does not end');
}

async function awaitIt({awaited, meanwhile}, before, said, over) {
  const until = Date.now() + readyMax;
  const is = {dial: () => dialled > before, line: () => said.out.includes('\n')}[awaited] ?? (() => existsSync(awaited));
  if (typeof awaited === 'number') return pause(awaited);
  while (!is() && !over() && Date.now() < until) await pause(5);
  if (!is()) return 'it did not come to wait';
  const url = /\S+:\/\/\S+/.exec(said.out)?.[0].replace(/^ws/, 'http');
  if (awaited === 'line' && url && meanwhile) await meanwhile(url);
  await pause(100);
}

// What serves has done its work when it is interrupted.
const serves = command => /serve|sessions|chat-api|registry|--listen|view/.test(command) && !command.startsWith('check') && !command.startsWith('fuzz');

// attempt interrupts it once, and returns {status, late, wrong, lastResort}.
async function attempt(one) {
  const before = dialled;
  const child = spawn(plumbline, one.words, {cwd: folder, stdio: ['pipe', 'pipe', 'pipe'], env: {...process.env, XDG_STATE_HOME: folder}});
  child.stdin.on('error', () => {});
  const said = {out: '', err: ''};
  child.stdout.on('data', bytes => said.out += bytes);
  child.stderr.on('data', bytes => said.err += bytes);
  let ended = false;
  const exited = new Promise(resolve => child.once('exit', (code, signal) => resolve(signal ?? code)));
  exited.then(() => ended = true);
  const problem = await awaitIt(one, before, said, () => ended);
  const wrong = problem ? [problem] : [];
  const early = ended;
  if (early && /need Node 22\.13/.test(said.err)) return {status: 'none', late: 0, wrong: [], note: 'no SQLite in this Node'};
  if (early) wrong.push(`it ended before: ${said.err.trim().slice(0, 200)}`);
  const interrupted = Date.now();
  child.kill('SIGINT');
  await Promise.race([exited, pause(endMax)]);
  const late = Date.now() - interrupted;
  if (!ended) {
    wrong.push('it does not end');
    child.kill('SIGKILL');
  }
  const status = await exited;
  if (!early && status !== (serves(one.command) ? 0 : 130)) wrong.push(`status ${status}`);
  if (typeof one.awaited === 'string' && one.awaited.startsWith('/') && await staysBehind(one.awaited)) wrong.push('it leaves processes behind');
  if (times && late > interruptMax) wrong.push('too late');
  return {status, late, wrong, note: said.err.includes('in the midst of a long step') ? 'by the last resort' : ''};
}

async function row(one) {
  let came = await attempt(one);
  for (let more = 1; typeof one.awaited === 'number' && came.status === 'SIGINT' && more < tries; ++more) {
    came = await attempt({...one, awaited: one.awaited * 1.3 ** more});
  }
  const {status, late, wrong, note} = came;
  console.log([one.command.padEnd(17), one.at.padEnd(19), `${late}`.padStart(6), `${status}`.padStart(7),
               note && `  ${note}`, wrong.length ? `  FAIL ${wrong.join('; ')}` : ''].join(' ').trimEnd());
  return wrong.length === 0;
}

await record();
console.log('command           in the midst of     SIGINT  status');
let failed = 0;
for (const one of rows.filter(({command, at}) => `${command} ${at}`.includes(only))) failed += await row(one) ? 0 : 1;
silent.close();
rmSync(folder, {recursive: true, force: true});
console.log(`${rows.length} rows, ${failed} failed`);
process.exit(failed ? 1 : 0);
