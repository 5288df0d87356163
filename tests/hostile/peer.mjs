// A server that says one of the inputs:
//   node peer.mjs stdio INPUT MARK   on its stdin and stdout
//   node peer.mjs net FOLDER         at /http/INPUT/MARK, /sse/... and /ws/... of a port that it prints
// The file MARK (in FOLDER) is made once the input was said, or has no end and is well under way.

import {spawn} from 'node:child_process';
import {createHash} from 'node:crypto';
import {writeFileSync} from 'node:fs';
import {createServer} from 'node:net';
import {join} from 'node:path';
import {inputs} from './inputs.mjs';
import {frame, pour} from './stream.mjs';

const mark = file => file && writeFileSync(file, '');

// marked hands pieces on, and makes the mark when they are out or are more than a megabyte.
function* marked(pieces, file) {
  let bytes = 0;
  for (const piece of pieces) {
    yield piece;
    if (bytes < 1 << 20 && (bytes += piece.length) >= 1 << 20) mark(file);
  }
  mark(file);
}

// inBatches joins small pieces: a flood is not to be bounded by its own calls.
function* inBatches(pieces, wrap) {
  let batch = [];
  let bytes = 0;
  for (const piece of pieces) {
    batch.push(Buffer.from(wrap(piece)));
    bytes += batch.at(-1).length;
    if (bytes < 65536) continue;
    yield Buffer.concat(batch);
    batch = [];
    bytes = 0;
  }
  yield Buffer.concat(batch);
}

let cursors = 0;
function answer(input, {id, method, params}) {
  const reply = body => JSON.stringify({jsonrpc: '2.0', id, ...body});
  if (method === 'initialize') {
    const result = {protocolVersion: params?.protocolVersion ?? '2025-11-25', capabilities: {tools: {}, logging: {}},
                    serverInfo: {name: 'hostile', version: '1'}};
    if (!['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'].includes(result.protocolVersion)) result.protocolVersion = '2025-11-25';
    return reply({result: input.initialize ? input.initialize(result) : result});
  }
  if (method === 'ping' || method === 'logging/setLevel') return reply({result: {}});
  if (method === 'tools/list') {
    const tools = input.tools?.() ?? [{name: 'list_directory', description: 'List the files of a folder',
                                       inputSchema: {type: 'object', properties: {path: {type: 'string', default: '.'}}}}];
    return reply({result: input.cursor ? {tools, nextCursor: input.cursor(++cursors)} : {tools}});
  }
  if (method === 'tools/call') return reply({result: {content: [{type: 'text', text: input.call?.() ?? 'sample.txt'}]}});
  return reply({error: {code: -32601, message: 'Method not found'}});
}

// said returns what is said to one message: all texts, the answer last.
function* said(input, message, file) {
  const {method, id} = message;
  if (method === undefined || id === undefined) return;
  if (method === 'tools/list' && input.before) yield* marked(input.before(), file);
  yield answer(input, message);
  const last = input.initialize ? 'initialize' : input.call ? 'tools/call' : 'tools/list';
  if (method === last) mark(file);
}

const parsed = body => {
  try { return JSON.parse(body); } catch { return {}; }
};

// Standard streams ---------------------------------------------------------------------------------

// leaveOrphans starts processes in sessions of their own, whose parents are gone; MARK is an
// argument of theirs.
async function leaveOrphans(file) {
  const orphans = `setsid sh -c 'sleep 600; :' ${file} & setsid sh -c 'sh -c "sleep 600; :" ${file} & sleep 600; :' ${file} &`;
  const parent = spawn('sh', ['-c', orphans], {stdio: ['ignore', 'inherit', 'inherit'], detached: true});
  await new Promise(resolve => parent.once('exit', resolve));
  await new Promise(resolve => setTimeout(resolve, 300));
}

async function serveStdio(input, file) {
  const {special} = input;
  const out = process.stdout;
  if (special && special !== 'double-forks') mark(file);
  out.on('error', () => {});
  if (special === 'deaf') process.on('SIGTERM', () => {});
  if (special === 'deaf' || special === 'closes-stdout') setInterval(() => {}, 1000);
  if (special === 'closes-stdout') return out.end();
  if (special === 'double-forks') await leaveOrphans(file);
  if (special === 'stderr') pour(process.stderr, function*() { for (;;) yield 'e'.repeat(65536); }());
  if (input.stdio) {
    pour(out, marked(input.stdio(), file));
    setInterval(() => {}, 1000);  // Stays, whatever is closed.
    return;
  }
  let rest = '';
  let turn = Promise.resolve();
  process.stdin.setEncoding('utf8').on('data', bytes => {
    const lines = (rest + bytes).split('\n');
    rest = lines.pop();
    for (const line of lines) {
      turn = turn.then(() => pour(out, inBatches(said(input, parsed(line), file), piece =>
        Buffer.concat([Buffer.from(piece), Buffer.from('\n')]))));
    }
  });
}

// HTTP ---------------------------------------------------------------------------------------------

const event = piece => Buffer.concat([Buffer.from('data: '), Buffer.from(piece), Buffer.from('\n\n')]);
const streams = new Map();  // Of HTTP+SSE, by the number in the endpoint's URL.

function onStreamable(socket, input, {method, body, file}) {
  if (input.http) return pour(socket, marked(input.http(), file));
  if (method !== 'POST') return socket.write('HTTP/1.1 405 X\r\nContent-Length: 0\r\n\r\n');
  const message = parsed(body);
  if (message.method === undefined || message.id === undefined) return socket.write('HTTP/1.1 202 X\r\nContent-Length: 0\r\n\r\n');
  const session = message.method === 'initialize' ? `Mcp-Session-Id: ${input.session ?? 'one'}\r\n` : '';
  if (message.method === 'tools/list' && input.before) {
    socket.write(`HTTP/1.1 200 X\r\nContent-Type: text/event-stream\r\nConnection: close\r\n${session}\r\n`, 'latin1');
    return pour(socket, inBatches(said(input, message, file), event)).then(() => socket.end());
  }
  const text = Buffer.from(answer(input, message));
  socket.write(`HTTP/1.1 200 X\r\nContent-Type: application/json\r\n${session}Content-Length: ${text.length}\r\n\r\n`, 'latin1');
  socket.write(text);
  const last = input.initialize || input.session ? 'initialize' : input.call ? 'tools/call' : 'tools/list';
  if (message.method === last) mark(file);
}

function onSse(socket, target, input, {method, query, body, file}) {
  if (method === 'GET') {
    if (input.sse) return pour(socket, marked(input.sse(), file));
    const number = streams.size;
    streams.set(`${number}`, socket);
    return socket.write(`HTTP/1.1 200 X\r\nContent-Type: text/event-stream\r\n\r\nevent: endpoint\ndata: ${target}?${number}\n\n`);
  }
  const stream = streams.get(query);
  if (!stream) return socket.write('HTTP/1.1 405 X\r\nContent-Length: 0\r\n\r\n');
  socket.write('HTTP/1.1 202 X\r\nContent-Length: 0\r\n\r\n');
  pour(stream, inBatches(said(input, parsed(body), file), event));
}

// WebSocket ----------------------------------------------------------------------------------------

function onWebSocket(socket, input, {fields, file}) {
  const key = /sec-websocket-key: *(\S+)/i.exec(fields)?.[1] ?? '';
  const accept = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
  socket.write('HTTP/1.1 101 X\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Protocol: mcp\r\n' +
               `Sec-WebSocket-Accept: ${accept}\r\n\r\n`);
  if (input.ws) return pour(socket, marked(input.ws(), file));
  let rest = Buffer.alloc(0);
  socket.removeAllListeners('data');
  socket.on('data', bytes => {
    rest = Buffer.concat([rest, bytes]);
    for (;;) {
      if (rest.length < 2) return;
      const short = rest[1] & 127;
      const at = short === 126 ? 4 : short === 127 ? 10 : 2;
      if (rest.length < at + 4) return;
      const size = short === 126 ? rest.readUInt16BE(2) : short === 127 ? Number(rest.readBigUInt64BE(2)) : short;
      if (rest.length < at + 4 + size) return;
      const payload = Buffer.from(rest.subarray(at + 4, at + 4 + size));
      payload.forEach((byte, i) => payload[i] = byte ^ rest[at + i % 4]);
      const opcode = rest[0] & 15;
      rest = rest.subarray(at + 4 + size);
      if (opcode === 8) return socket.end(Buffer.from([0x88, 0]));
      if (opcode === 1) pour(socket, inBatches(said(input, parsed(payload), file), piece => frame(0x81, Buffer.from(piece))));
    }
  });
}

function serveNet(folder) {
  const server = createServer(socket => {
    let rest = Buffer.alloc(0);
    socket.on('error', () => {});
    socket.on('data', bytes => {
      rest = Buffer.concat([rest, bytes]);
      for (;;) {
        const end = rest.indexOf('\r\n\r\n');
        if (end < 0) return;
        const fields = rest.toString('latin1', 0, end);
        const size = Number(/content-length: *(\d+)/i.exec(fields)?.[1] ?? 0);
        if (rest.length < end + 4 + size) return;
        const body = rest.toString('utf8', end + 4, end + 4 + size);
        rest = rest.subarray(end + 4 + size);
        const [method, target] = fields.split(' ');
        const [, path, way, name, markName, query] = /^(\/(http|sse|ws)\/([^?/]*)\/?([^?/]*))\??(.*)$/.exec(target) ?? [];
        const input = inputs[name];
        const file = markName && join(folder, markName);
        if (!input) return socket.end('HTTP/1.1 404 X\r\nContent-Length: 0\r\n\r\n');
        if (way === 'http') onStreamable(socket, input, {method, body, file});
        if (way === 'sse') onSse(socket, path, input, {method, query, body, file});
        if (way === 'ws') return onWebSocket(socket, input, {fields, file});
      }
    });
  });
  server.listen(0, '127.0.0.1', () => console.log(server.address().port));
  process.stdin.resume().on('end', () => process.exit(0));  // Goes with who started it.
}

const [way, name, file] = process.argv.slice(2);
if (way === 'net') serveNet(name);
else serveStdio(inputs[name], file);
