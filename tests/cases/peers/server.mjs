// A right server of MCP, written from the specification alone, without an SDK: notes, tools, prompts, a question to the
// user. Over stdio or Streamable HTTP, of the revisions with sessions or of the one without. A case changes one thing.
//
// What a case may have:
//   begin(server)                 before all
//   capabilities(all)             what is declared, to change
//   tools, resources, prompts     more of them (a tool has run(arguments, call))
//   said(message, call)           each message of the client: returns what to answer instead, null for silence
//   answer(message, call)         each answer: returns what is sent instead, null for nothing
//   text(json)                    what is written for a message, without its end of line
//   http(request, response, body, call)  each HTTP request: returns true when it has answered
//   head(headers, status, message)       the headers of an HTTP answer, to change; may return another status

import {createHmac, randomBytes, randomUUID} from 'node:crypto';
import http from 'node:http';

export const old = ['2025-11-25', '2025-06-18', '2025-03-26'];
export const current = '2026-07-28';
export const meta = 'io.modelcontextprotocol/';
export const say = (text, more = {}) => ({content: [{type: 'text', text}], ...more});
export const failed = (id, code, message, data) => ({jsonrpc: '2.0', id, error: {code, message, ...data && {data}}});
export const isObject = value => value !== null && typeof value === 'object' && !Array.isArray(value);
const wait = ms => new Promise(resolve => setTimeout(resolve, ms));
const readOnlyHint = true;

const closed = {type: 'object', properties: {}, additionalProperties: false};
const of = (properties, required = Object.keys(properties)) => ({type: 'object', properties, required});
const number = {type: 'number'};
const string = {type: 'string'};

const tools = [
  {name: 'repeat', description: 'Says it again', inputSchema: of({text: string}), annotations: {readOnlyHint}, run: ({text}) => say(text)},
  {name: 'add', description: 'Adds two numbers', inputSchema: of({a: number, b: number}), outputSchema: of({sum: number}),
   annotations: {readOnlyHint},
   run: ({a, b}) => ({...say(JSON.stringify({sum: a + b})), structuredContent: {sum: a + b}})},
  {name: 'today', description: 'The day of the week', inputSchema: closed, annotations: {readOnlyHint}, run: () => say('Friday')},
  {name: 'pin_note', description: 'Pins the note of today to the board', inputSchema: closed,
   annotations: {readOnlyHint: false, destructiveHint: false, idempotentHint: true},
   run: (_, call) => { ++call.server.pinned; call.changed('notes://board'); return say('pinned'); }},
  {name: 'read_slowly', description: 'Reads for a second, and tells how far it is', inputSchema: closed, annotations: {readOnlyHint},
   async run(_, call) {
     for (let i = 1; i <= 10 && !call.cancelled; ++i) {
       await wait(100);
       if (!call.cancelled) call.progress(i, 10);
     }
     return say('read');
   }},
  {name: 'ask_name', description: 'Asks for your name', inputSchema: closed, annotations: {readOnlyHint},
   async run(_, call) {
     const answer = await call.ask('who', 'Who are you?', of({name: string}));
     if (!answer) return undefined;
     if (answer.action !== 'accept') return say('Hello');
     const name = answer.content?.name;
     return typeof name === 'string' ? say(`Hello ${name}`) : say('A name must be a string', {isError: true});
   }},
];
const resources = ['board', 'terms', 'today'].map(name => ({uri: `notes://${name}`, name, mimeType: 'text/plain'}));
const resourceTemplates = [{uriTemplate: 'notes://of/{name}', name: 'notes', mimeType: 'text/plain'}];
const prompts = [{name: 'greet', description: 'Greets somebody', arguments: [{name: 'who', required: true}]}, {name: 'plan', description: 'Plans the day'}];
const people = ['ann', 'bob', 'bea'];

// wrong says what is wrong with arguments, by the few words that schemas of these tools have.
function wrong(schema, given) {
  for (const name of schema.required ?? []) if (!(name in given)) return `${name} is required`;
  for (const [name, value] of Object.entries(given)) {
    const type = schema.properties?.[name]?.type;
    if (type === undefined && schema.additionalProperties === false) return `${name} is not known`;
    const found = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
    if (type && type !== found && !(type === 'integer' && Number.isInteger(value))) return `${name} must be a ${type}`;
  }
  return undefined;
}

// A Server has what all its clients share; a Session is one of them (of the newest revision: one request).
class Server {
  constructor(change, era) {
    Object.assign(this, {change, era, pinned: 0, sessions: new Map, key: randomBytes(32), listeners: new Map});
    this.tools = [...tools, ...change.tools ?? []].filter((tool, i, all) => all.findLastIndex(other => other.name === tool.name) === i);
    this.resources = [...resources, ...change.resources ?? []];
    this.prompts = [...prompts, ...change.prompts ?? []];
  }

  get modern() { return this.era === 'modern'; }
  cached(page) { return this.modern ? {...page, ttlMs: 0, cacheScope: 'private'} : page; }
  result(id, result) {
    if (!this.modern) return {jsonrpc: '2.0', id, result};
    const _meta = {[`${meta}serverInfo`]: {name: 'notes', version: '1.0.0'}, ...result._meta};
    return {jsonrpc: '2.0', id, result: {resultType: 'complete', ...result, _meta}};
  }
  seal(value) {
    const text = Buffer.from(JSON.stringify(value)).toString('base64url');
    return `${text}.${createHmac('sha256', this.key).update(text).digest('base64url')}`;
  }
  unseal(sealed) {
    const [text, signature] = typeof sealed === 'string' ? sealed.split('.') : [];
    if (!text || createHmac('sha256', this.key).update(text).digest('base64url') !== signature) return undefined;
    return JSON.parse(Buffer.from(text, 'base64url').toString());
  }

  declared() {
    const all = {tools: {}, resources: {subscribe: true}, prompts: {}, completions: {}, ...this.modern ? {} : {logging: {}}};
    return this.change.capabilities?.(all) ?? all;
  }

  page(id, name, all, cursor) {
    const from = cursor === undefined ? 0 : Number(/^after-(\d+)$/.exec(cursor)?.[1] ?? NaN);
    if (!(from < all.length || from === 0)) return failed(id, -32602, 'No such cursor');
    const next = from + 2 < all.length ? {nextCursor: `after-${from + 2}`} : {};
    return this.result(id, this.cached({[name]: all.slice(from, from + 2).map(({run, ...rest}) => rest), ...next}));
  }

  changed(uri) {
    for (const session of this.sessions.values()) {
      if (session.subscribed.has(uri)) session.tell({jsonrpc: '2.0', method: 'notifications/resources/updated', params: {uri}});
    }
    for (const listener of this.listeners.values()) {
      if (!listener.uris.includes(uri)) continue;
      listener.tell({jsonrpc: '2.0', method: 'notifications/resources/updated', params: {uri, _meta: {[`${meta}subscriptionId`]: listener.id}}});
    }
  }

  close() {
    for (const {id, tell} of this.listeners.values()) tell(this.result(id, {_meta: {[`${meta}subscriptionId`]: id}}));
  }
}

// A Call is a request while it is served: `tell` says something before its answer.
class Call {
  cancelled = false;
  constructor(server, session, message, tell) {
    Object.assign(this, {server, session, message, tell, token: message.params?._meta?.progressToken});
  }
  changed(uri) { this.server.changed(uri); }
  progress(progress, total) {
    if (this.token === undefined) return;
    this.tell({jsonrpc: '2.0', method: 'notifications/progress', params: {progressToken: this.token, progress, total}});
  }

  // ask asks the user; undefined when the answer comes with another request.
  async ask(key, message, requestedSchema) {
    const {params, id} = this.message;
    const {modern} = this.server;
    const can = (modern ? params._meta[`${meta}clientCapabilities`] : this.session.client.capabilities)?.elicitation;
    const able = can && (Object.keys(can).length === 0 || can.form);
    if (!modern) return able ? this.session.ask(this.tell, 'elicitation/create', {message, requestedSchema}) : {action: 'cancel'};
    if (!able) {
      this.answered = failed(id, -32021, 'I have to ask', {requiredCapabilities: {elicitation: {form: {}}}});
      return undefined;
    }
    const asked = JSON.stringify([params.name, params.arguments ?? {}]);
    if (params.requestState !== undefined && this.server.unseal(params.requestState) !== asked) {
      this.answered = failed(id, -32602, 'The requestState is not of this call');
      return undefined;
    }
    if (params.inputResponses !== undefined && !isObject(params.inputResponses)) {
      this.answered = failed(id, -32602, 'inputResponses must be an object');
      return undefined;
    }
    const answer = params.inputResponses?.[key];
    if (params.requestState !== undefined && isObject(answer) && ['accept', 'decline', 'cancel'].includes(answer.action)) return answer;
    const inputRequests = {[key]: {method: 'elicitation/create', params: {mode: 'form', message, requestedSchema}}};
    this.answered = this.server.result(id, {resultType: 'input_required', inputRequests, requestState: this.server.seal(asked)});
    return undefined;
  }
}

class Session {
  subscribed = new Set;
  running = new Map;
  asked = new Map;
  client = {};
  constructor(server, tell) { Object.assign(this, {server, tell}); }

  ask(tell, method, params) {
    const id = `q${this.asked.size + 1}`;
    tell({jsonrpc: '2.0', id, method, params});
    return new Promise(resolve => this.asked.set(id, message => resolve(message.result ?? {action: 'cancel'})));
  }

  // take answers a message; null: there is nothing to say.
  async take(message, tell = this.tell) {
    const call = new Call(this.server, this, message ?? {}, tell);
    const instead = await this.server.change.said?.(message, call);
    const made = instead !== undefined ? instead : await this.serve(message, call);
    if (made === null || made === undefined) return null;
    const sent = this.server.change.answer?.(made, call);
    return sent === undefined ? made : sent;
  }

  serve(message, call) {
    if (Array.isArray(message)) return this.batch(message, call);
    if (!isObject(message) || message.jsonrpc !== '2.0') return failed(message?.id ?? null, -32600, 'No request');
    if ('result' in message || 'error' in message) return this.asked.get(message.id)?.(message) ?? null;
    const {id, method, params} = message;
    if (typeof method !== 'string') return failed(id ?? null, -32600, 'No method');
    if ('id' in message && typeof id !== 'string' && !Number.isInteger(id)) return failed(null, -32600, 'No id');
    if (params !== undefined && !isObject(params)) return 'id' in message ? failed(id, -32602, 'params must be an object') : null;
    if (!('id' in message)) return this.notice(message);
    return this.server.modern ? this.modern(message, call) : this.legacy(message, call);
  }

  async batch(messages, call) {
    if (this.version !== '2025-03-26' || messages.length === 0) return failed(null, -32600, 'No request');
    const all = [];
    for (const message of messages) all.push(await this.serve(message, new Call(this.server, this, message ?? {}, call.tell)));
    return all.some(made => made !== null) ? all.filter(made => made !== null) : null;
  }

  notice({method, params}) {
    if (method === 'notifications/initialized') this.ready = true;
    if (method === 'notifications/cancelled') {
      const call = this.running.get(params?.requestId);
      if (call) call.cancelled = true;
      const key = this.server.modern ? JSON.stringify(params?.requestId) : undefined;
      this.server.listeners.delete(key);
    }
    return null;
  }

  legacy(message, call) {
    const {id, method, params = {}} = message;
    if (method === 'ping') return this.server.result(id, {});
    if (method === 'initialize') {
      if (typeof params.protocolVersion !== 'string' || !isObject(params.capabilities) || !isObject(params.clientInfo)) {
        return failed(id, -32602, 'protocolVersion, capabilities and clientInfo are required');
      }
      this.client = params;
      this.version = old.includes(params.protocolVersion) ? params.protocolVersion : old[0];
      return this.server.result(id, {
        protocolVersion: this.version, capabilities: this.server.declared(), serverInfo: {name: 'notes', version: '1.0.0'}});
    }
    if (!this.version) return failed(id, -32600, 'initialize first');
    if (method === 'logging/setLevel') {
      const levels = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];
      return levels.includes(params.level) ? this.server.result(id, {}) : failed(id, -32602, 'No such level');
    }
    if (method === 'resources/subscribe' || method === 'resources/unsubscribe') {
      if (!this.contents(params.uri)) return this.noResource(id, params.uri);
      this.subscribed[method === 'resources/subscribe' ? 'add' : 'delete'](params.uri);
      return this.server.result(id, {});
    }
    return this.both(message, call);
  }

  modern(message, call) {
    const {id, method, params = {}} = message;
    const said = params._meta;
    const version = said?.[`${meta}protocolVersion`];
    if (method === 'initialize') return failed(id, -32022, 'No such revision', {supported: [current], requested: String(params.protocolVersion)});
    if (typeof version !== 'string' || !isObject(said[`${meta}clientCapabilities`])) return failed(id, -32602, 'protocolVersion and clientCapabilities are required');
    if (version !== current) return failed(id, -32022, 'No such revision', {supported: [current], requested: version});
    if (method === 'server/discover') return this.server.result(id, this.server.cached({supportedVersions: [current], capabilities: this.server.declared()}));
    if (method === 'subscriptions/listen') return this.listen(id, params.notifications, call);
    return this.both(message, call);
  }

  listen(id, wanted, call) {
    if (!isObject(wanted)) return failed(id, -32602, 'notifications must be an object');
    const uris = (wanted.resourceSubscriptions ?? []).filter(uri => this.contents(uri));
    const notifications = uris.length ? {resourceSubscriptions: uris} : {};
    const _meta = {[`${meta}subscriptionId`]: id};
    call.listener = {id, uris, tell: call.tell};
    this.server.listeners.set(this.server.overHttp ? call.listener : JSON.stringify(id), call.listener);
    call.tell({jsonrpc: '2.0', method: 'notifications/subscriptions/acknowledged', params: {notifications, _meta}});
    return null;
  }

  contents(uri) {
    const name = this.server.resources.find(one => one.uri === uri)?.name ?? /^notes:\/\/of\/([a-z]+)$/.exec(uri ?? '')?.[1];
    const pinned = name === 'board' && this.server.pinned > 0 ? `, pinned ${this.server.pinned} times` : '';
    return name && [{uri, mimeType: 'text/plain', text: `About ${name}${pinned}`}];
  }
  noResource(id, uri) {
    return typeof uri === 'string' ? failed(id, this.server.modern ? -32602 : -32002, 'No such resource', {uri}) : failed(id, -32602, 'uri must be a string');
  }

  both({id, method, params = {}}, call) {
    const {server} = this;
    const lists = {'tools/list': ['tools', server.tools], 'resources/list': ['resources', server.resources], 'prompts/list': ['prompts', server.prompts],
                   'resources/templates/list': ['resourceTemplates', resourceTemplates]};
    if (lists[method]) return server.page(id, ...lists[method], params.cursor);
    if (method === 'tools/call') return this.call(id, params, call);
    if (method === 'resources/read') {
      const contents = this.contents(params.uri);
      return contents ? server.result(id, server.cached({contents})) : this.noResource(id, params.uri);
    }
    if (method === 'prompts/get') {
      const prompt = server.prompts.find(one => one.name === params.name);
      if (!prompt) return failed(id, -32602, 'No such prompt');
      if (prompt.name === 'greet' && typeof params.arguments?.who !== 'string') return failed(id, -32602, 'who is required');
      return server.result(id, {messages: [{role: 'user', content: {type: 'text', text: `${prompt.name} ${params.arguments?.who ?? ''}`}}]});
    }
    if (method === 'completion/complete') {
      const {ref, argument} = params;
      const known = ref?.type === 'ref/prompt' ? server.prompts.some(one => one.name === ref.name) : resourceTemplates.some(one => one.uriTemplate === ref?.uri);
      if (!known || typeof argument?.name !== 'string' || typeof argument.value !== 'string') return failed(id, -32602, 'Nothing to complete');
      return server.result(id, {completion: {values: people.filter(name => name.startsWith(argument.value)), hasMore: false}});
    }
    return failed(id, -32601, `There is no ${method}`);
  }

  async call(id, params, call) {
    const tool = this.server.tools.find(one => one.name === params.name);
    if (!tool) return failed(id, -32602, `There is no tool ${params.name}`);
    const given = params.arguments ?? {};
    if (!isObject(given)) return failed(id, -32602, 'arguments must be an object');
    const why = tool.lax ? undefined : wrong(tool.inputSchema, given);
    if (why) return this.server.result(id, say(why, {isError: true}));
    this.running.set(id, call);
    const result = await tool.run(given, call);
    this.running.delete(id);
    if (call.cancelled) return null;
    return call.answered ?? (result.jsonrpc ? result : this.server.result(id, result));
  }
}

function serveStdio(server) {
  const text = message => server.change.text?.(JSON.stringify(message), message) ?? JSON.stringify(message);
  const write = message => process.stdout.write(Buffer.concat([Buffer.from(text(message)), Buffer.from('\n')]));
  const session = new Session(server, write);
  server.sessions.set('', session);
  let rest = '';
  const line = async said => {
    let message;
    try { message = JSON.parse(said); } catch { return write(failed(null, -32700, 'No JSON')); }
    const made = await session.take(message);
    if (made !== null) write(made);
  };
  process.stdin.setEncoding('utf8').on('data', chunk => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop();
    lines.filter(said => said.trim()).forEach(line);
  });
  process.stdin.on('end', () => { server.close(); setTimeout(() => process.exit(0), 30); });
}

// An Exchange is an HTTP request and its answer, which becomes a stream when something is said before the end.
class Exchange {
  constructor(server, request, response) { Object.assign(this, {server, request, response, header: request.headers}); }

  end(status, message, headers = {}) {
    const type = message === undefined ? {} : {'Content-Type': 'application/json'};
    const all = {...type, ...headers};
    const other = this.server.change.head?.(all, status, message);
    this.response.writeHead(other ?? status, all);
    this.response.end(message === undefined ? undefined : this.server.change.text?.(JSON.stringify(message), message) ?? JSON.stringify(message));
  }
  open() {
    if (this.response.headersSent) return;
    const all = {'Content-Type': 'text/event-stream', 'Cache-Control': 'no-cache', ...this.server.modern ? {'X-Accel-Buffering': 'no'} : {}};
    this.server.change.head?.(all, 200);
    this.response.writeHead(200, all);
    this.response.flushHeaders();
  }
  event(message) {
    this.open();
    if (!this.response.writableEnded) this.response.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
  }

  async run(body) {
    const call = {server: this.server, exchange: this};
    if (await this.server.change.http?.(this.request, this.response, body, call)) return;
    const local = /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/;
    const {host, origin, accept = '', 'content-type': type = ''} = this.header;
    if (!local.test(host ?? '') || origin && !local.test(origin.replace(/^https?:\/\//, ''))) return this.end(403, failed(null, -32600, 'Not from there'));
    if (new URL(this.request.url, 'http://here').pathname !== '/mcp') return this.end(404);
    if (this.request.method !== 'POST') return this.server.modern ? this.end(405, undefined, {Allow: 'POST'}) : this.other();
    if (!/application\/json/i.test(accept) && !accept.includes('*/*')) return this.end(406, failed(null, -32600, 'Accept JSON and event streams'));
    if (!/^application\/json\s*(;|$)/i.test(type)) return this.end(415, failed(null, -32600, 'Send JSON'));
    let message;
    try { message = JSON.parse(body); } catch { return this.end(400, failed(null, -32700, 'No JSON')); }
    return this.server.modern ? this.modern(message) : this.legacy(message);
  }

  other() {
    const session = this.server.sessions.get(this.header['mcp-session-id']);
    if (!session) return this.end(this.header['mcp-session-id'] ? 404 : 400, failed(null, -32000, 'No such session'));
    if (this.request.method === 'DELETE') {
      this.server.sessions.delete(this.header['mcp-session-id']);
      session.stream?.response.end();
      return this.end(204);
    }
    if (this.request.method !== 'GET') return this.end(405, undefined, {Allow: 'GET, POST, DELETE'});
    session.stream = this;
    return this.open();
  }

  legacy(message) {
    const named = this.header['mcp-session-id'];
    const version = this.header['mcp-protocol-version'];
    if (message?.method === 'initialize') {
      const session = new Session(this.server, said => session.stream?.event(said));
      return this.answer(session, message, made => {
        if (!made?.result) return {};
        const name = randomUUID();
        this.server.sessions.set(name, session);
        return {'Mcp-Session-Id': name};
      });
    }
    const session = this.server.sessions.get(named);
    if (!session) return this.end(named ? 404 : 400, failed(message?.id ?? null, named ? -32001 : -32000, 'No such session'));
    if (version !== undefined && !old.includes(version)) return this.end(400, failed(message?.id ?? null, -32600, `No revision ${version}`));
    return this.answer(session, message);
  }

  modern(message) {
    const id = message?.id ?? null;
    const params = isObject(message?.params) ? message.params : {};
    const said = params._meta?.[`${meta}protocolVersion`];
    const name = this.header['mcp-name'];
    const decoded = name?.replace(/^=\?base64\?(.*)\?=$/, (_, text) => Buffer.from(text, 'base64').toString());
    const named = {'tools/call': params.name, 'prompts/get': params.name, 'resources/read': params.uri}[message?.method];
    const version = this.header['mcp-protocol-version'];
    if (isObject(message) && typeof message.method === 'string' && message.method !== 'initialize') {
      if (said !== undefined && version !== said) return this.end(400, failed(id, -32020, 'MCP-Protocol-Version is not what the body says'));
      if (this.header['mcp-method'] !== message.method) return this.end(400, failed(id, -32020, 'Mcp-Method is not what the body says'));
      if (named !== undefined && decoded !== named) return this.end(400, failed(id, -32020, 'Mcp-Name is not what the body says'));
    }
    return this.answer(new Session(this.server, said => this.event(said)), message);
  }

  async answer(session, message, headers = () => ({})) {
    const listening = this.server.modern && message?.method === 'subscriptions/listen';
    const tell = said => this.event(said);
    this.response.on('close', () => {
      for (const call of session.running.values()) if (this.server.modern) call.cancelled = true;
      for (const [key, listener] of this.server.listeners) if (listener.tell === tell) this.server.listeners.delete(key);
    });
    const made = await session.take(message, tell);
    if (this.response.headersSent) {
      if (made !== null) this.event(made);
      if (!listening || made !== null) this.response.end();
      return;
    }
    if (made === null && !(isObject(message) && 'id' in message && message.method)) return this.end(202);
    if (made === null) return void (this.open(), this.response.end());
    const status = {'-32601': 404, '-32602': 400, '-32020': 400, '-32021': 400, '-32022': 400, '-32600': 400}[made.error?.code];
    this.end(made.error && (this.server.modern ? status !== 400 || params(made) : made.id === null) ? status ?? 400 : 200, made, headers(made));
  }
}
// Of wrong params a status says nothing, unless what is missing is the metadata.
const params = made => made.error.code !== -32602 || /protocolVersion/.test(made.error.message);

function serveHttp(server) {
  server.overHttp = true;
  const web = http.createServer(async (request, response) => {
    const chunks = [];
    try { for await (const chunk of request) chunks.push(chunk); } catch { return; }
    new Exchange(server, request, response).run(Buffer.concat(chunks).toString('utf8')).catch(error => { console.error(error); response.destroy(); });
  });
  web.listen(0, '127.0.0.1', () => process.stdout.write(`listening on ${web.address().port}\n`));
}

export function serve(change, era, transport) {
  const server = new Server(change, era);
  change.begin?.(server);
  (transport === 'http' ? serveHttp : serveStdio)(server);
}
