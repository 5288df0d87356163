// A small MCP server that is right but for one defect, which `plumbline fuzz server` has to find.
//
//   node broken_server.mjs DEFECT           over stdio
//   node broken_server.mjs DEFECT PORT      over HTTP, without sessions

import http from 'node:http';

const [defect, port] = process.argv.slice(2);
const is = name => defect === name;

const tools = [
  {name: 'add', description: 'Add two numbers', annotations: {readOnlyHint: true},
   inputSchema: {type: 'object', properties: {a: {type: 'number', default: 1}, b: {type: 'number', default: 2}}, required: ['a', 'b']}},
  {name: 'repeat', description: 'Repeat a text', annotations: {readOnlyHint: true},
   inputSchema: {type: 'object', properties: {text: {type: 'string', default: 'x'}, count: {type: 'integer', default: 1}}, required: ['text']}},
];
const kept = [];
const open = new Set();
let poisoned = false, deaf = false, initialized = false;

class Wrong extends Error {
  constructor(code, message) { super(message); this.code = code; }
}

const depth = value => value && typeof value === 'object' ? 1 + Math.max(0, ...Object.values(value).map(depth)) : 0;

function add({a, b}) {
  if (is('poisoned-by-a-number') && Math.abs(a) >= 2 ** 53) poisoned = true;
  if (typeof a !== 'number' || typeof b !== 'number') {
    if (is('stack-trace')) throw new Wrong(-32602, new TypeError('a is no number').stack);
    throw new Wrong(-32602, 'a and b are numbers');
  }
  return `${a + b}`;
}

function repeat({text, count = 1}) {
  if (is('hangs-on-a-long-text') && text?.length > 50_000) for (;;);
  if (is('dies-of-a-surrogate')) encodeURIComponent(text);
  if (is('keeps-what-it-is-asked-for') && count > 1e6) kept.push(Buffer.alloc(Math.min(count, 2 ** 27), 1));
  if (typeof text !== 'string') throw new Wrong(-32602, 'text is a string');
  return text.repeat(1).slice(0, 1000);
}

function call({name, arguments: args}) {
  if (!tools.some(tool => tool.name === name)) {
    if (is('no-version-in-errors')) return {broken: true};
    throw new Wrong(-32602, `Unknown tool: ${typeof name === 'string' ? name.slice(0, 100) : typeof name}`);
  }
  if (is('dies-without-arguments')) args.hasOwnProperty('a');
  if (is('dies-of-a-name') && Object.keys(args ?? {}).some(key => ['__proto__', 'constructor', 'toString'].includes(key))) process.exit(3);
  const given = args && typeof args === 'object' ? args : {};
  return {content: [{type: 'text', text: name === 'add' ? add(given) : repeat(given)}]};
}

function list(params) {
  const {cursor} = params ?? {};
  if (is('loses-its-list') && cursor !== undefined && typeof cursor !== 'string') poisoned = true;
  if (cursor !== undefined && cursor !== null) throw new Wrong(-32602, 'Unknown cursor');
  return {tools: is('loses-its-list') && poisoned ? [] : tools};
}

function read({uri} = {}) {
  if (uri === 'note://1') return {contents: [{uri, text: 'one'}]};
  if (is('tells-its-environment')) throw new Wrong(-32002, `not found; looked with ${JSON.stringify(process.env)}`);
  throw new Wrong(-32002, 'Resource not found');
}

function answer({method, params}) {
  if (poisoned && is('poisoned-by-a-number') && method === 'tools/call') throw new Wrong(-32603, 'Internal error');
  if (method === 'initialize') {
    if (initialized && is('second-initialize')) poisoned = true;
    initialized = true;
    const version = params?.protocolVersion;
    return {protocolVersion: /^2025-(03-26|06-18|11-25)$/.test(version) ? version : '2025-11-25', capabilities: {tools: {}, resources: {}},
            serverInfo: {name: 'broken', version: '1'}};
  }
  if (poisoned && is('second-initialize')) throw new Wrong(-32600, 'Not initialized');
  if (is('dies-of-null-params') && params === null) params.cursor.length;
  const methods = {'ping': () => ({}), 'tools/list': list, 'tools/call': params => call(params ?? {}), 'resources/read': read,
                   'resources/list': () => ({resources: [{uri: 'note://1', name: 'one'}]}),
                   'resources/templates/list': () => ({resourceTemplates: []})};
  if (!Object.hasOwn(methods, method)) {
    if (is('prints-to-stdout')) console.log('unknown method', String(method).slice(0, 20));
    throw new Wrong(-32601, 'Method not found');
  }
  return methods[method](params && typeof params === 'object' ? params : {});
}

function failure(id, code, message) { return {jsonrpc: '2.0', id, error: {code, message}}; }

// handle returns the answer, or nothing.
function handle(text) {
  let message;
  try {
    message = JSON.parse(text);
  } catch (error) {
    if (is('dies-of-bad-json')) process.exit(1);
    if (is('echoes-bytes')) return Symbol.for('echo');
    return failure(null, -32700, 'Parse error');
  }
  if (is('aborts-on-depth') && depth(message) > 100) process.abort();
  if (is('leaks')) kept.push(Buffer.alloc(2 ** 20, text.length % 256));
  if (is('dies-of-a-batch') && Array.isArray(message)) process.exit(1);
  if (!message || typeof message !== 'object' || Array.isArray(message) || message.jsonrpc !== '2.0') return failure(null, -32600, 'Invalid request');
  const {id, method} = message;
  if (id === undefined) {
    if (is('deaf-after-a-cancellation') && method === 'notifications/cancelled') deaf = true;
    if (is('answers-notifications') && typeof method === 'string') return failure(null, -32601, 'Method not found');
    return undefined;
  }
  if (method === undefined) return undefined;
  if (typeof id !== 'string' && !Number.isInteger(id) || typeof method !== 'string') return failure(null, -32600, 'Invalid request');
  if (is('dies-of-a-repeated-id')) {
    if (open.has(id)) throw new Error(`assertion failed: id ${id} is new`);
    open.add(id);
  }
  try {
    const result = answer(message);
    return result.broken ? {id, error: {code: -32602, message: 'Unknown tool'}} : {jsonrpc: '2.0', id, result};
  } catch (error) {
    if (error instanceof Wrong) return failure(id, error.code, error.message);
    throw error;
  }
}

function overStdio() {
  let text = Buffer.alloc(0);
  process.stdin.on('data', bytes => {
    if (deaf) return;
    text = Buffer.concat([text, bytes]);
    for (let end; (end = text.indexOf(10)) >= 0; text = text.subarray(end + 1)) {
      const line = text.subarray(0, end);
      if (line.toString().trim() === '') continue;
      const reply = handle(line.toString());
      if (reply === Symbol.for('echo')) process.stdout.write(Buffer.concat([Buffer.from('cannot read '), line.subarray(0, 100), Buffer.from('\n')]));
      else if (reply !== undefined) process.stdout.write(JSON.stringify(reply) + '\n');
    }
  });
  process.stdin.on('end', () => process.exit(0));
}

function overHttp() {
  const server = http.createServer((request, response) => {
    const parts = [];
    request.on('data', part => parts.push(part));
    request.on('end', () => {
      if (request.method !== 'POST') return response.writeHead(405).end();
      const text = Buffer.concat(parts).toString();
      if (is('http-500')) {
        try { JSON.parse(text); } catch { return response.writeHead(500).end('Internal Server Error'); }
      }
      const reply = handle(text);
      if (reply === undefined) return response.writeHead(202).end();
      response.writeHead(reply.error && reply.id === null ? 400 : 200, {'Content-Type': 'application/json'}).end(JSON.stringify(reply));
    });
  });
  server.listen(Number(port), '127.0.0.1');
}

if (port) overHttp(); else overStdio();
