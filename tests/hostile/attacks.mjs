// A client that attacks a server:
//   node attacks.mjs INPUT http|sse|ws|stdio URL|COMMAND...   until it has said all, or is cut off
// Without a way it is a client to be judged: over HTTP its URL is the last word, over stdio the
// server's command stands in PLUMBLINE_SERVER_COMMAND.

import {spawn} from 'node:child_process';
import {randomBytes} from 'node:crypto';
import {writeFileSync} from 'node:fs';
import {Agent, request} from 'node:http';
import {connect} from 'node:net';
import {frame, pour} from './stream.mjs';

const MB = 1 << 20;
const text = message => JSON.stringify({jsonrpc: '2.0', ...message});
const ping = i => text({id: `p${i}`, method: 'ping'});
const initialize = text({id: 0, method: 'initialize', params: {protocolVersion: '2025-03-26', capabilities: {}, clientInfo: {name: 'h', version: '1'}}});
const initialized = text({method: 'notifications/initialized'});
const call = (id, name, args = {}) => text({id, method: 'tools/call', params: {name, arguments: args}});
const slow = i => call(`c${i}`, 'slow_compute', {seconds: 600});
const cancelled = i => text({method: 'notifications/cancelled', params: {requestId: `c${i}`}});
function* count(limit, make) {
  for (let i = 0; i < limit; ++i) yield make(i);
}

// Of messages: each is a line, a POST or a frame.
const messages = {
  'ordinary': () => count(10, ping),
  'pings-40000': () => count(40_000, ping),
  'pings-forever': () => count(Infinity, ping),
  'line-of-1mb': () => ['x'.repeat(MB)],
  'text-1mb': () => [call(1, 'greet', {name: 'x'.repeat(MB)})],
  'json-deep': () => ['['.repeat(100_000) + ']'.repeat(100_000)],
  'nuls': () => count(10, () => '\0'.repeat(100_000)),
  'ill-formed-utf8': () => count(10, () => Buffer.alloc(100_000, 0xff)),
  'numbers-huge': () => [`{"jsonrpc":"2.0","id":${'9'.repeat(MB)},"method":"ping"}`, '{"jsonrpc":"2.0","id":-1e999999,"method":"ping"}'],
  'versions': () => ['2025-11-25\n', '\0', 'x'.repeat(MB)].map((version, i) =>
    text({id: `v${i}`, method: 'initialize', params: {protocolVersion: version, capabilities: {}, clientInfo: {name: '\x1b[2J', version: '1'}}})),
  'batch-20000': () => [`[${[...count(20_000, ping)].join(',')}]`],
  'answers-nobody-asked': () => count(20_000, i => text({id: i, result: {}})),
  'cancelled-1100': () => function*() {
    for (let i = 0; i < 1_100; ++i) {
      yield slow(i);
      yield cancelled(i);
    }
    yield ping('last');
  }(),
  'log-level': () => [text({id: 1, method: 'logging/setLevel', params: {level: 'evil\n'}}), text({id: 2, method: 'logging/setLevel', params: {level: 7}})],
};

// Of bytes: what is said to the port, on as many connections as there are members.
const post = (size, more = '') => `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n${more}Content-Length: ${size}\r\n\r\n`;
const chunked = 'POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n';
const bytes = {
  'headers-100000': [['GET /mcp HTTP/1.1\r\n', 'X: y\r\n'.repeat(100_000)]],
  'no-newline-1mb': [['x'.repeat(MB)]],
  'chunk-sizes': [[chunked, 'ffffffffffffffffff\r\n'], [chunked, '-1\r\n'], [chunked, `1;${'e'.repeat(MB)}\r\n`]],
  'chunks-of-1': [[chunked, '1\r\nx\r\n'.repeat(MB / 6)]],
  'pipelined': [[(post(2) + '{}').repeat(5_000)]],
  'halves-of-1mb': Array.from({length: 64}, () => [post(16 * MB), 'x'.repeat(MB / 64)]),
  'half-heads': Array.from({length: 500}, () => ['POST / HTTP/1.1\r\nHost']),
  'session-ids': [[post(2, `Mcp-Session-Id: a\x01\xffb\r\n`) + '{}'], [post(2, `Mcp-Session-Id: ${'s'.repeat(60_000)}\r\n`) + '{}'], [post(2, 'Last-Event-ID: 99999999999999999999-1\r\n') + '{}']],
};

const pause = ms => new Promise(resolve => setTimeout(resolve, ms));

// asLines makes one text of a piece without ends of line in it.
const asLine = piece => Buffer.concat([Buffer.from(piece), Buffer.from('\n')]);

function* all(name) {
  yield initialize;
  yield initialized;
  yield* messages[name]();
}

async function overStdio(name, [program, ...args]) {
  const child = spawn(program, args, {stdio: ['pipe', 'pipe', 'inherit']});
  const exited = new Promise(resolve => child.once('exit', (_, by) => resolve(by)));
  child.stdin.on('error', () => {});
  child.stdout.resume();
  await pour(child.stdin, messages[name] ? all(name) : bytes[name].flat(), asLine);
  child.stdin.end();
  const signal = await exited;
  if (signal && signal !== 'SIGINT') throw new Error(`the server ended by ${signal}`);
}

// poster returns a function that posts one message, and returns the status and what was said.
function poster(url) {
  const agent = new Agent({keepAlive: true, maxSockets: Infinity});
  let session = {};
  return body => new Promise(resolve => {
    const headers = {'Content-Type': 'application/json', Accept: 'application/json, text/event-stream', 'Content-Length': Buffer.byteLength(body), ...session};
    const asking = request(url, {method: 'POST', agent, headers}, answer => {
      if (answer.headers['mcp-session-id']) session = {'Mcp-Session-Id': answer.headers['mcp-session-id']};
      let said = '';
      answer.on('data', bytes => said += bytes).on('end', () => resolve({status: answer.statusCode, said})).on('error', () => resolve({}));
    });
    asking.on('error', () => resolve({}));
    asking.end(body);
  });
}

async function inParallel(number, pieces, work) {
  const rest = pieces[Symbol.iterator]();
  await Promise.all(Array.from({length: number}, async () => {
    for (let next = rest.next(); !next.done; next = rest.next()) await work(next.value);
  }));
}

async function overHttp(name, url) {
  const say = poster(url);
  await say(initialize);
  await say(initialized);
  if (name !== 'cancelled-1100') return inParallel(32, messages[name](), say);
  await inParallel(32, count(1_100, i => i), async i => {
    let over = false;
    say(slow(i)).then(() => over = true);
    // The call may still be on its way.
    for (let tries = 0; tries < 20 && !over; ++tries) await pause(2).then(() => say(cancelled(i)));
  });
  const {status} = await say(ping('last'));
  if (status !== 200) throw new Error(`a ping after cancellations is answered ${status}`);
}

async function overSse(name, url) {
  const stream = await fetch(url, {headers: {Accept: 'text/event-stream'}});
  const reader = stream.body.getReader();
  const {value} = await reader.read();
  const endpoint = new URL(/data: (.*)/.exec(Buffer.from(value).toString())[1].trim(), url);
  (async () => { while (!(await reader.read().catch(() => ({done: true}))).done); })();
  for (const piece of all(name)) {
    const answer = await fetch(endpoint, {method: 'POST', body: piece, headers: {'Content-Type': 'application/json'}}).catch(() => null);
    await answer?.text().catch(() => '');
  }
  reader.cancel().catch(() => {});
}

const masked = (first, payload) => frame(first, payload, {masked: true});
const frames = {
  'fragments-1mb': [masked(0x01, Buffer.from('[')), Buffer.concat([...count(70_000, () => masked(0x00, Buffer.from('1')))])],
  'frame-pings': [Buffer.concat([...count(10_000, () => masked(0x89, Buffer.alloc(100, 112)))])],
  'frame-huge': [Buffer.from([0x81, 0xff, 0, 31, 255, 255, 255, 255, 255, 255, 0, 0, 0, 0]), Buffer.alloc(MB)],
  'frame-reserved': [masked(0xff, Buffer.from('x'))],
  'close-codes': [masked(0x88, Buffer.from([0x03, 0xed]))],
};

function open(url) {
  const {hostname, port} = new URL(url.replace(/^ws/, 'http'));
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  socket.resume();
  return socket;
}

async function overWebSocket(name, url) {
  const socket = open(url);
  const path = new URL(url.replace(/^ws/, 'http')).pathname;
  socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: mcp\r\nSec-WebSocket-Key: ${randomBytes(16).toString('base64')}\r\n\r\n`);
  await new Promise(resolve => socket.once('data', resolve).once('close', resolve));
  if (frames[name]) await pour(socket, frames[name]);
  else await pour(socket, all(name), piece => masked(0x81, Buffer.from(piece)));
  await pause(200);
  socket.destroy();
}

async function overBytes(name, url) {
  const sockets = bytes[name].map(pieces => {
    const socket = open(url);
    pour(socket, pieces.map(piece => Buffer.from(piece, 'latin1')));
    return socket;
  });
  await pause(500);
  for (const socket of sockets) socket.destroy();
}

export const attacks = {
  stdio: [...Object.keys(messages), 'no-newline-1mb'],
  http: [...Object.keys(messages), ...Object.keys(bytes)],
  sse: ['ordinary', 'pings-forever', 'text-1mb', 'json-deep'],
  ws: [...Object.keys(messages), ...Object.keys(frames)],
};

async function main([name, way, ...rest]) {
  if (way === 'stdio') return overStdio(name, rest);
  if (way === 'ws') return overWebSocket(name, rest[0]);
  if (way === 'sse') return overSse(name, rest[0]);
  if (way === 'http') return bytes[name] ? overBytes(name, rest[0]) : overHttp(name, rest[0]);
  if (process.env.PLUMBLINE_SERVER_COMMAND) return overStdio(name, JSON.parse(process.env.PLUMBLINE_SERVER_COMMAND));
  return overHttp(name, way);
}

const isFlood = name => name.endsWith('forever');

if (process.argv[1] === new URL(import.meta.url).pathname) {
  // MARK is a file that is made once all was said, or in the midst of what has no end.
  const mark = () => process.env.MARK && writeFileSync(process.env.MARK, '');
  if (isFlood(process.argv[2])) setTimeout(mark, 500);
  main(process.argv.slice(2)).then(mark).then(() => process.exit(0), error => {
    console.error(`attack failed: ${error.message}`);
    process.exit(1);
  });
}
