// Servers that anybody may reach, flooded by one caller while another behaves:
//   node guests.mjs PLUMBLINE [--only TEXT] [--no-figures]
//
// Of each flood the table says seconds, the most MB, how often the flood was refused, the p99 of the
// other's requests in milliseconds, milliseconds to SIGINT and the exit status. Nothing may end the
// server, it holds no more than `mbMax`, the other is served each time, and who floods past its share
// is told so. --no-figures: for builds whose memory says nothing (sanitizers).

import {spawn} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {Agent, request} from 'node:http';
import {connect} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {frame} from './stream.mjs';

const [plumbline, ...options] = process.argv.slice(2);
const only = options.includes('--only') ? options[options.indexOf('--only') + 1] : '';
const figures = !options.includes('--no-figures');
const MB = 1 << 20;
const mbMax = 128, floodMax = 12_000;  // Milliseconds.
const folder = mkdtempSync(join(tmpdir(), 'guests-'));
const pause = ms => new Promise(resolve => setTimeout(resolve, ms));
const lists = count => `[${Array(count).fill('[]').join(',')}]`;

// say makes a request from `from`, an address of this machine, and returns {status, body, headers}.
const agents = new Map();
function say(port, from, method, path, body, headers = {}) {
  if (!agents.has(from)) agents.set(from, new Agent({keepAlive: true, maxSockets: 64}));
  const all = {...headers};
  if (body !== undefined) Object.assign(all, {'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body)});
  return new Promise(resolve => {
    const asking = request({host: '127.0.0.1', port, method, path, localAddress: from, agent: agents.get(from), headers: all}, answer => {
      let text = '';
      answer.on('data', bytes => { if (text.length < MB) text += bytes; });
      answer.on('end', () => resolve({status: answer.statusCode, body: text, headers: answer.headers}));
      answer.on('error', () => resolve({status: 0, body: text, headers: {}}));
    });
    asking.on('error', () => resolve({status: 0, body: '', headers: {}}));
    asking.end(body);
  });
}

const accept = {Accept: 'application/json, text/event-stream'};
const message = (id, method, params) => JSON.stringify({jsonrpc: '2.0', id, method, params});
const opening = message(0, 'initialize', {protocolVersion: '2025-11-25', capabilities: {}, clientInfo: {name: 'g', version: '1'}});
async function openMcp(port, from) {
  const {headers} = await say(port, from, 'POST', '/mcp', opening, accept);
  return {...accept, 'Mcp-Session-Id': headers['mcp-session-id'] ?? '', 'MCP-Protocol-Version': '2025-11-25'};
}

async function openSession(port, from) {
  const {code} = JSON.parse((await say(port, from, 'POST', '/api/sessions', '{}')).body);
  const tools = JSON.stringify({tools: [{name: 't', inputSchema: {type: 'object'}}]});
  await say(port, from, 'PUT', `/api/sessions/${code}/tools`, tools);
  return code;
}

function listen(port, from, code) {
  const socket = connect({port, host: '127.0.0.1', localAddress: from});
  socket.on('error', () => {});
  socket.resume();
  socket.write(`GET /api/stream?sessionCode=${code} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\n\r\n`);
  return pause(300);
}

const bad = '127.0.0.2', good = '127.0.0.1';
const refused = status => status === 413 || status === 429 || status === 503;

// The floods. Each goes on while going() says so, and returns how often it was refused.
async function keptResults(port, going) {
  const code = await openSession(port, bad);
  await listen(port, bad, code);
  const big = lists(340_000);
  let no = 0;
  for (let i = 0; i < 400 && going(); ++i) {
    await say(port, bad, 'POST', '/api/request', JSON.stringify({sessionCode: code, requestId: `r${i}`, toolName: 't', params: {}}));
    const {status} = await say(port, bad, 'POST', '/api/response', `{"sessionCode":"${code}","requestId":"r${i}","result":${big}}`);
    if (refused(status)) ++no;
  }
  return no;
}

async function waitingCalls(port, going) {
  const code = await openSession(port, bad);
  await listen(port, bad, code);
  const big = lists(340_000);
  let no = 0;
  for (let i = 0; i < 400 && going(); ++i) {
    const {status} = await say(port, bad, 'POST', '/api/request', `{"sessionCode":"${code}","requestId":"r${i}","toolName":"t","params":{"a":${big}}}`);
    if (refused(status)) ++no;
  }
  return no;
}

async function manySessions(port, going) {
  let no = 0;
  const open = async () => {
    for (let i = 0; i < 400 && going(); ++i) {
      if (refused((await say(port, bad, 'POST', '/api/sessions', '{}')).status)) ++no;
    }
  };
  await Promise.all(Array.from({length: 16}, open));
  return no;
}

async function dearSchemas(port, going) {
  const code = await openSession(port, bad);
  const $defs = {a40: {type: 'string'}};
  for (let i = 0; i < 40; ++i) $defs[`a${i}`] = {anyOf: [{$ref: `#/$defs/a${i + 1}`}, {$ref: `#/$defs/a${i + 1}`}]};
  const tools = [{name: 'x', inputSchema: {type: 'object', $defs, allOf: [{$ref: '#/$defs/a0'}]}}];
  await say(port, bad, 'PUT', `/api/sessions/${code}/tools`, JSON.stringify({tools}));
  const ask = async of => {
    for (let i = 0; i < 10 && going(); ++i) {
      await say(port, bad, 'POST', '/api/request', JSON.stringify({sessionCode: code, requestId: `${of}-${i}`, toolName: 'x', params: {k: 1}}));
    }
  };
  await Promise.all(Array.from({length: 16}, (_, of) => ask(of)));
  return null;
}

async function neverRead(port, going) {
  const code = await openSession(port, bad);
  const tools = Array.from({length: 64}, (_, i) => ({name: `t${i}`, description: 'x'.repeat(15_000), inputSchema: {type: 'object'}}));
  await say(port, bad, 'PUT', `/api/sessions/${code}/tools`, JSON.stringify({tools}));
  const gets = `GET /api/sessions/${code}/tools HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`.repeat(40);
  const sockets = [];
  for (let i = 0; i < 400 && going(); ++i) {
    const socket = connect({port, host: '127.0.0.1', localAddress: bad});
    socket.on('error', () => {});
    socket.pause();
    socket.write(gets);
    sockets.push(socket);
    await pause(5);
  }
  while (going()) await pause(100);
  for (const socket of sockets) socket.destroy();
  return null;
}

async function openFragments(port, going) {
  let no = 0;
  const sockets = [];
  for (let i = 0; i < 150 && going(); ++i) {
    const socket = connect({port, host: '127.0.0.1', localAddress: bad});
    socket.on('error', () => {});
    socket.on('close', () => ++no);
    socket.resume();
    socket.write('GET /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n' +
                 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: mcp\r\n\r\n');
    const part = frame(0x01, Buffer.alloc(8 * MB, 32), {masked: true});
    await Promise.race([new Promise(resolve => socket.write(part, resolve)), pause(300)]);
    sockets.push(socket);
  }
  while (going()) await pause(100);
  const closed = no;
  for (const socket of sockets) socket.destroy();
  return closed;
}

async function slowCalls(port, going) {
  const headers = await openMcp(port, bad);
  const big = lists(2_500_000);
  let no = 0;
  const calls = Array.from({length: 16}, async (_, i) => {
    await pause(300 * i);
    if (!going()) return;
    const body = `{"jsonrpc":"2.0","id":${100 + i},"method":"tools/call","params":{"name":"slow_compute","arguments":{"seconds":20,"a":${big}}}}`;
    if (refused((await say(port, bad, 'POST', '/mcp', body, headers)).status)) ++no;
  });
  await Promise.race([Promise.all(calls), (async () => { while (going()) await pause(100); })()]);
  return no;
}

async function longPrompts(port, going) {
  const headers = await openMcp(port, bad);
  for (let i = 0; i < 200 && going(); ++i) {
    await say(port, bad, 'POST', '/mcp', message(100 + i, 'tools/call', {name: 'chat', arguments: {prompt: 'x'.repeat(1_900_000)}}), headers);
  }
  return null;
}

// What another caller asks meanwhile; each returns whether it was served.
const health = async port => (await say(port, good, 'GET', '/healthz')).status === 200;
const session = async port => (await say(port, good, 'POST', '/api/sessions', '{}')).status === 201;
const listed = async port => {
  const {status} = await say(port, good, 'POST', '/mcp', opening, accept);
  return status === 200;
};
const upgraded = port => new Promise(resolve => {
  const socket = connect({port, host: '127.0.0.1', localAddress: good});
  socket.on('error', () => resolve(false));
  socket.once('data', bytes => { resolve(bytes.toString('latin1').startsWith('HTTP/1.1 101')); socket.destroy(); });
  socket.write('GET /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n' +
               'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: mcp\r\n\r\n');
});

writeFileSync(join(folder, 'model.json'), JSON.stringify({turns: [{role: 'user', always: true, text: 'yes'}]}));
const sessions = ['sessions', '--listen', '127.0.0.1:0', '--quiet'];
const rows = [
  ['sessions', 'kept-results', sessions, keptResults, health],
  ['sessions', 'waiting-calls', sessions, waitingCalls, health],
  ['sessions', 'many-sessions', sessions, manySessions, session],
  ['sessions', 'dear-schemas', sessions, dearSchemas, health],
  ['sessions', 'never-read', sessions, neverRead, health],
  ['serve --ws', 'open-fragments', ['serve', '--reference', '--ws', '127.0.0.1:0'], openFragments, upgraded],
  ['serve --http', 'slow-calls', ['serve', '--reference', '--http', '127.0.0.1:0'], slowCalls, listed],
  ['agents serve', 'long-prompts', ['agents', 'serve', '--http', '127.0.0.1:0', '--model-script', join(folder, 'model.json')], longPrompts, listed],
].filter(row => `${row[0]} ${row[1]}`.includes(only));

function peakOf(pid) {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))[1]) / 1024;
  } catch { return 0; }
}

async function start(words) {
  const child = spawn(plumbline, words, {stdio: ['ignore', 'pipe', 'pipe'], cwd: folder});
  let out = '', errors = '';
  child.stderr.on('data', bytes => { if (errors.length < 10_000) errors += bytes; });
  child.stdout.on('data', bytes => out += bytes);
  const exited = new Promise(resolve => child.once('exit', (code, signal) => resolve(signal ?? code)));
  let over = false;
  exited.then(() => over = true);
  while (!out.includes('\n') && !over) await pause(10);
  if (over) throw new Error(`${words.join(' ')} ended: ${errors}`);
  return {child, exited, over: () => over, port: Number(/:(\d+)\b/.exec(out)[1])};
}

async function row([command, name, words, flood, ask]) {
  const begun = Date.now();
  const {child, exited, over, port} = await start(words);
  const until = Date.now() + floodMax;
  let flooding = true, mb = 0;
  const going = () => Date.now() < until && !over();
  const flooded = flood(port, going).then(no => { flooding = false; return no; });
  const took = [];
  let unserved = 0;
  while (flooding && !over()) {
    const asked = Date.now();
    if (!await ask(port) && !over()) ++unserved;
    took.push(Date.now() - asked);
    mb = Math.max(mb, peakOf(child.pid));
    await pause(20);
  }
  const no = await flooded;
  mb = Math.max(mb, peakOf(child.pid));
  const wrong = [];
  if (over()) wrong.push(`it ended by itself: ${await exited}`);
  const interrupted = Date.now();
  child.kill('SIGINT');
  await Promise.race([exited, pause(10_000)]);
  if (!over()) child.kill('SIGKILL');
  const status = await exited;
  const late = Date.now() - interrupted;
  took.sort((a, b) => a - b);
  if (figures && mb > mbMax) wrong.push(`${Math.round(mb)} MB`);
  if (unserved > 0) wrong.push(`the other caller was not served ${unserved} times of ${took.length}`);
  if (no === 0) wrong.push('nobody refused the flood');
  if (status !== 0) wrong.push(`exit ${status}`);
  console.log([command.padEnd(13), name.padEnd(15), ((Date.now() - begun) / 1000).toFixed(1).padStart(7), mb.toFixed(0).padStart(6),
               `${no ?? '-'}`.padStart(7), `${took[Math.floor(took.length * 0.99)] ?? '-'}`.padStart(7), `${late}`.padStart(7), `${status}`.padStart(7),
               wrong.length ? `  FAIL ${wrong.join('; ')}` : ''].join(' ').trimEnd());
  return wrong.length === 0;
}

console.log('server        flood           seconds     MB refused  p99 ms  SIGINT  status');
let failed = 0;
for (const one of rows) failed += await row(one) ? 0 : 1;
for (const agent of agents.values()) agent.destroy();
rmSync(folder, {recursive: true, force: true});
console.log(`${rows.length} rows, ${failed} failed`);
process.exit(failed ? 1 : 0);
