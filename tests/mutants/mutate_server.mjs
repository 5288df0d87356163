// A proxy that is in the way of a right server and makes it wrong in one way: a mutant.
//
//   node mutate_server.mjs NAME -- COMMAND...     over stdio; a script of Node runs in the same process
//   node mutate_server.mjs NAME URL               over Streamable HTTP; says "listening on PORT"
//
// What a mutant may have, each called with a Context at last:
//   said(message)       each message of the client; returns what the server gets, nothing: it gets nothing
//   answer(message)     each message of the server; returns what the client gets: one, several, or none
//   unparsed(line)      stdio: each line of the client that is no JSON
//   event(event)        HTTP: each event {id, event, data, retry} of a stream; returns it, or none
//   request(request)    HTTP: {method, url, headers, body, raw} to change, or returns {status, headers, body} to answer
//   head(head, request) HTTP: {status, headers} of the answer, to change
//   bytes(text)         what goes out at last: a line without its end, a body, an event; returns text or bytes

import {spawn} from 'node:child_process';
import http from 'node:http';
import {PassThrough} from 'node:stream';
import {fileURLToPath, pathToFileURL} from 'node:url';

const list = value => value === undefined ? [] : Array.isArray(value) ? value : [value];
const textOf = message => typeof message === 'string' ? message : JSON.stringify(message);
const parse = text => { try { return JSON.parse(text); } catch { return undefined; } };
const isObject = value => value !== null && typeof value === 'object' && !Array.isArray(value);
const isResponse = message => isObject(message) && message.method === undefined;

// Context is what hooks may use. `memory` lasts as long as the session (over stdio the process),
// `connection` as long as the TCP connection, `all` as long as the proxy.
class Context {
  constructor(mutant, memory, connection, all) {
    Object.assign(this, {mutant, memory, connection, all});
    this.memory.asked ??= new Map;
    this.late = [];
  }

  // asked returns the client's request that a response answers.
  asked(message) { return isResponse(message) ? this.memory.asked.get(JSON.stringify(message.id)) : undefined; }
  method(message) { return this.asked(message)?.method; }

  // later says something after the answer, and keeps a stream open as long.
  later(ms, message) {
    this.late.push(new Promise(resolve => setTimeout(() => { this.say(message); resolve(); }, ms)));
  }

  fromClient(message) {
    if (isObject(message) && message.id !== undefined && message.method) this.memory.asked.set(JSON.stringify(message.id), structuredClone(message));
    return this.mutant.said && isObject(message) ? this.mutant.said(message, this) : message;
  }
  fromServer(message) { return this.mutant.answer && isObject(message) ? list(this.mutant.answer(message, this)) : [message]; }
  bytes(text) { return Buffer.from(this.mutant.bytes?.(text, this) ?? text); }
}

// Lines cuts a stream into them.
function eachLine(stream, take) {
  let rest = '';
  stream.setEncoding('utf8').on('data', text => {
    const lines = (rest + text).split('\n');
    rest = lines.pop();
    lines.forEach(take);
  });
}

// serverOf starts what a mutant stands before: a script of Node in this very process, which is twice as
// fast to start, anything else as a child. Returns its two ends.
async function serverOf([program, ...args]) {
  if (/\.m?js$/.test(program)) {
    const [input, output] = [new PassThrough, new PassThrough];
    const real = {stdin: process.stdin, stdout: process.stdout};
    Object.defineProperty(process, 'stdin', {value: input});
    Object.defineProperty(process, 'stdout', {value: output});
    process.argv = [process.execPath, program, ...args];
    return {...real, input, output, begin: () => import(pathToFileURL(program))};
  }
  const child = spawn(program, args, {stdio: ['pipe', 'pipe', 'inherit']});
  child.on('exit', code => process.exit(code ?? 1));
  return {stdin: process.stdin, stdout: process.stdout, input: child.stdin, output: child.stdout, begin: () => {}};
}

export async function mutateStdio(mutant, argv) {
  const {stdin, stdout, input, output, begin} = await serverOf(argv);
  const context = new Context(mutant, {}, {}, {});
  const write = message => stdout.write(Buffer.concat([context.bytes(textOf(message)), Buffer.from('\n')]));
  context.say = message => write(message);
  context.pass = message => input.writable && input.write(`${textOf(message)}\n`);
  context.end = () => process.exit(1);
  mutant.begin?.(context);
  eachLine(stdin, line => {
    const message = parse(line);
    if (message === undefined && mutant.unparsed) return mutant.unparsed(line, context);
    if (message === undefined) return context.pass(line);
    const changed = context.fromClient(message);
    if (changed !== undefined) context.pass(changed);
  });
  eachLine(output, line => context.fromServer(parse(line) ?? line).forEach(write));
  stdin.on('end', () => input.end());
  input.on('error', () => {});
  await begin();
}

// Events cuts a body into those of its stream.
class Events {
  rest = '';
  add(text) {
    const blocks = (this.rest + text).split('\n\n');
    this.rest = blocks.pop();
    return blocks.map(block => {
      const event = {};
      for (const line of block.split('\n')) {
        const [, field, value] = /^([a-z]*): ?(.*)$/.exec(line) ?? [];
        if (field === 'data') event.data = event.data === undefined ? value : `${event.data}\n${value}`;
        else if (field) event[field] = value;
        else event.comment = line;
      }
      return event;
    });
  }
}

export function eventText(event) {
  if (event.raw !== undefined) return event.raw;
  if (event.comment !== undefined) return `${event.comment}\n\n`;
  let text = '';
  for (const field of ['event', 'id', 'retry']) if (event[field] !== undefined) text += `${field}: ${event[field]}\n`;
  for (const line of event.data?.split('\n') ?? []) text += `data: ${line}\n`;
  return `${text}\n`;
}

class Exchange {
  constructor(proxy, request, response, body) {
    Object.assign(this, {proxy, response});
    this.request = {method: request.method, url: request.url, headers: {...request.headers}, body, raw: request.rawHeaders};
    this.session = request.headers['mcp-session-id'];
    const memory = this.session && proxy.sessions.get(this.session) || {};
    const connection = proxy.connections.get(request.socket) ?? {};
    proxy.connections.set(request.socket, connection);
    this.context = new Context(proxy.mutant, memory, connection, proxy.all);
    this.context.request = this.request;
    this.context.say = message => this.event({event: 'message', data: textOf(message)});
    this.context.sendEvent = event => this.event(event);
    this.context.pass = message => proxy.post(this.request, message);
    this.context.end = () => response.destroy();
    memory.gets ??= new Set;
  }

  run() {
    const made = this.proxy.mutant.request?.(this.request, this.context);
    if (made) return this.response.writeHead(made.status, made.headers).end(made.body);
    const message = this.request.method === 'POST' ? parse(this.request.body) : undefined;
    if (message !== undefined) {
      const changed = this.context.fromClient(message);
      if (changed === undefined) return this.response.writeHead(202).end();
      this.request.body = textOf(changed);
    }
    this.forward();
  }

  forward() {
    const {method, url, headers, body} = this.request;
    delete headers['content-length'];
    delete headers['transfer-encoding'];
    if (body) headers['content-length'] = Buffer.byteLength(body);
    const {hostname, port} = this.proxy.target;
    const upstream = http.request({host: hostname, port, method, path: url, headers, agent: false}, answer => this.relay(answer));
    upstream.on('error', () => this.response.destroy());
    this.response.on('close', () => upstream.destroy());
    upstream.end(body);
  }

  relay(answer) {
    const head = {status: answer.statusCode, headers: {...answer.headers}};
    for (const name of ['content-length', 'transfer-encoding', 'connection', 'keep-alive']) delete head.headers[name];
    this.proxy.mutant.head?.(head, this.request, this.context);
    const made = head.headers['mcp-session-id'];
    if (made && made !== this.session) this.proxy.sessions.set(made, this.context.memory);
    this.head = head;
    if (/event-stream/.test(answer.headers['content-type'])) this.stream(answer);
    else this.whole(answer).catch(() => this.response.destroy());
  }

  open() {
    if (this.response.headersSent) return;
    this.response.writeHead(this.head.status, this.head.headers);
    this.response.flushHeaders();
    if (this.request.method === 'GET') {
      this.context.memory.gets.add(this);
      this.response.on('close', () => this.context.memory.gets.delete(this));
    }
  }

  event(event) {
    this.open();
    if (!this.response.writableEnded) this.response.write(this.context.bytes(eventText(event)));
  }

  stream(answer) {
    this.open();
    const events = new Events;
    answer.setEncoding('utf8').on('data', text => {
      for (const event of events.add(text)) this.one(event);
    });
    answer.on('end', () => this.finish());
    answer.on('error', () => this.response.destroy());
  }

  one(event) {
    const message = event.data ? parse(event.data) : undefined;
    const said = message === undefined ? [event] : this.context.fromServer(message).map(item => ({...event, data: textOf(item)}));
    said.forEach((item, i) => {
      if (i > 0 && item.id !== undefined) item.id = `${item.id}.${i}`;
      for (const changed of list(this.proxy.mutant.event ? this.proxy.mutant.event(item, this.context) : item)) this.event(changed);
    });
  }

  async finish() {
    await Promise.all(this.context.late);
    if (!this.proxy.mutant.open) this.response.end();
  }

  async whole(answer) {
    const chunks = [];
    for await (const chunk of answer) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString('utf8');
    const message = parse(text);
    const said = message === undefined ? [text] : this.context.fromServer(message);
    if (said.length === 1 && this.context.late.length === 0) {
      this.proxy.mutant.last?.(this.head, this.context);
      const bytes = this.context.bytes(textOf(said[0]));
      return this.response.writeHead(this.head.status, this.head.headers).end(bytes);
    }
    if (said.length === 0 && this.context.late.length === 0) return;  // Never answered.
    this.head.headers['content-type'] = 'text/event-stream';
    for (const item of said) this.event({event: 'message', data: textOf(item)});
    await this.finish();
  }
}

// mutateHttp returns {port, close} of a proxy before the server at `url`.
export async function mutateHttp(mutant, url) {
  const proxy = {mutant, target: new URL(url), sessions: new Map, connections: new WeakMap, all: {}};
  proxy.post = (request, message) => http.request(
      {host: proxy.target.hostname, port: proxy.target.port, method: 'POST', path: request.url,
       headers: {...request.headers, 'content-length': Buffer.byteLength(textOf(message))}}, answer => answer.resume())
      .on('error', () => {}).end(textOf(message));
  const server = http.createServer(async (request, response) => {
    const chunks = [];
    try { for await (const chunk of request) chunks.push(chunk); } catch { return; }
    try {
      new Exchange(proxy, request, response, Buffer.concat(chunks).toString('utf8')).run();
    } catch (error) {
      console.error(`${mutant.name}: ${error.message}`);
      response.destroy();
    }
  });
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve));
  return {port: server.address().port, close: () => { server.closeAllConnections(); server.close(); }};
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const {mutants} = await import('./server_mutants.mjs');
  const [name, ...rest] = process.argv.slice(2);
  const mutant = name === 'none' ? {} : mutants.find(one => one.name === name);
  if (!mutant) throw new Error(`no mutant is called ${name}`);
  if (rest[0] === '--') await mutateStdio(mutant, rest.slice(1));
  else console.log(`listening on ${(await mutateHttp(mutant, rest[0])).port}`);
}
