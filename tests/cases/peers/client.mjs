// A right client of MCP without an SDK, as `check client` runs it: over Streamable HTTP or stdio, of the revisions with
// sessions or of the one without. It lists, calls, reads, gets prompts, answers forms, signs in. A case changes one thing.
//
//   out(message)             each message to send, to change
//   headers(all, message)    of each HTTP request, to change
//   question(message)        an answer to a question of the server: {result} or {error}; 'nothing': none
//   bytes(decoder)           how bytes become text
//   lines(text), data(lines) how the text of a stream becomes lines that end in \n, and data one text
//   sent(answer)             what is done with the answer to a notification
//   refused(status, error)   what to do when server/discover is refused: 'initialize' or 'give up'
//   version(wanted, got)     whether a revision that the server offers is taken
//   wellKnown(url, name)     where metadata is looked for: a list of addresses
//   more(cursor)             whether another page is asked for
//   gone(message)            'go on': with a session that is gone
//   start()                  the cursor that a list begins with
//   cursor(last, here)       the last event, and that of this stream: which one to resume with
//   registration(all)        what is registered, to change
//   state(text)              the state that came back
//   authorize(parameters), token(form), refresh(form)   what is asked of the authorization server, to change
//   scopes(had, now)         the scope to sign in with: what was asked for before, what is wanted now
//   decoded(chunk, decoder)  how a piece of a stream becomes text
//   waits                    whether an answer is taken at the end of its stream alone
//   pause(ms)                how long to wait before a stream is taken up again
//   listed(tools)            what is made of the tools that are listed
//   challenged(text, name)   a parameter of a challenge
//   granted(answer)          an answer of the token endpoint; throws when it is not taken
//   kept(given, had)         the refresh token to keep, of the one given and the one there was
//   line(text)               each line of a server, as it comes
//   scheme(answer)           what stands before a token
//   notice(message, client)  what is done with a notification
//   own(said)                whether what has the id of a request is taken for its answer, whatever it is
//   standing(answer)         what is done with the answer to GET
//   silence()                'give up': when server/discover is not answered
//   endpoints(authority, url, issuer)   the metadata of the authorization server as they are used
//   where(endpoint, asked)   the address to ask for authorization at
//   first()                  whether the first message of a stream is its answer
//   missing(answer)          what is done when metadata is not there; throws when that is the end
//   url(text), fetch(url, init)   the address of the server as it is used; how a message is posted
//   cancels(message)         whether a request that is not answered in time is cancelled
//   input(result)            throws when a result that asks for input is not taken
//   taken(result, method)    throws when a result is not taken
//   tells(method)            whether a notification is sent
//   unreadable(event)        what is done with an event that is no JSON; throws when that ends the stream
//   again                    whether a standing stream that ends is opened again at once
//   redirects                what is done with redirects of metadata: 'follow' or 'error'

import {spawn} from 'node:child_process';
import {createInterface} from 'node:readline';

import {refreshed, signIn} from './client_auth.mjs';

const meta = 'io.modelcontextprotocol/';
const current = '2026-07-28';
const old = ['2025-11-25', '2025-06-18', '2025-03-26'];
const wanted = process.env.MCP_CONFORMANCE_PROTOCOL_VERSION ?? old[0];
const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}');
const command = JSON.parse(process.env.PLUMBLINE_SERVER_COMMAND ?? 'null');
const patience = 4000;
const plain = value => /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(value) && !/^=\?base64\?.*\?=$/.test(value);
const encoded = value => plain(value) ? value : `=?base64?${Buffer.from(value, 'utf8').toString('base64')}?=`;
const wait = ms => new Promise(resolve => setTimeout(resolve, ms));

const of = schema => ({number: 1, integer: 1, boolean: true, array: [], object: {}})[schema?.type] ?? 'x';
const filled = (schema, all = false) => Object.fromEntries(Object.entries(schema?.properties ?? {})
    .filter(([name]) => all || schema.required?.includes(name))
    .map(([name, one]) => [name, one.default ?? one.enum?.[0] ?? one.oneOf?.[0]?.const ?? of(one)]));

// mirrored returns which members of arguments a schema wants in headers: [path, name of the header].
function mirrored(schema, path = []) {
  return Object.entries(schema?.properties ?? {}).flatMap(([key, one]) => {
    const here = [...path, key];
    return [...one['x-mcp-header'] === undefined ? [] : [[here, one['x-mcp-header'], one.type]], ...mirrored(one, here)];
  });
}
// usable returns whether a client of 2026-07-28 over HTTP may show a tool.
function usable({inputSchema}) {
  const all = mirrored(inputSchema);
  const places = JSON.stringify(inputSchema).match(/"x-mcp-header":/g)?.length ?? 0;
  const names = all.map(([, name]) => String(name).toLowerCase());
  return places === all.length && new Set(names).size === names.length &&
      all.every(([, name, type]) => typeof name === 'string' && /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name) && ['string', 'integer', 'boolean'].includes(type));
}

class Refused extends Error {
  constructor(error, status) { super(error?.message ?? `status ${status}`); Object.assign(this, {error, status}); }
}

class Client {
  next = 1;
  modern = wanted === current;
  pending = new Map;
  answers = [...context.user?.answers ?? []];
  constructor(change, url) { Object.assign(this, {change, url}); }

  said(message) { return JSON.stringify(this.change.out?.(message) ?? message); }
  async answer(question) {
    if (this.modern) return;
    const made = this.change.question?.(question, this) ?? this.reply(question);
    if (made && made !== 'nothing') await this.send({jsonrpc: '2.0', id: question.id, ...made});
  }
  reply({method, params}) {
    if (method === 'ping') return {result: {}};
    if (typeof method !== 'string') return {error: {code: -32600, message: 'A method is a string'}};
    if (method === 'elicitation/create') {
      const form = typeof params?.message === 'string' && (params.mode ?? 'form') === 'form' && params.requestedSchema;
      return form ? {result: this.fill(params)} : {error: {code: -32602, message: 'I fill in forms'}};
    }
    return {error: {code: -32601, message: `There is no ${method}`}};
  }
  fill(params) {
    const action = this.answers.shift() ?? 'accept';
    return action === 'accept' ? {action, content: filled(params.requestedSchema, true)} : {action};
  }

  cancels(message) { return this.change.cancels?.(message) ?? message.method !== 'initialize'; }
  notify(method, params) { return this.change.tells?.(method) === false ? undefined : this.send({jsonrpc: '2.0', method, ...params && {params: this.modern ? {...params, _meta: this.meta()} : params}}); }
  meta() {
    return {[`${meta}protocolVersion`]: current, [`${meta}clientCapabilities`]: {elicitation: {form: {}}},
            [`${meta}clientInfo`]: {name: 'case', version: '1.0.0'}};
  }
  async request(method, params, headers) {
    const all = this.modern ? {...params, _meta: {...params?._meta, ...this.meta()}} : params;
    const message = {jsonrpc: '2.0', id: this.next++, method, ...all && {params: all}};
    const answer = await this.ask(message, headers);
    if (('result' in answer) === ('error' in answer)) throw new Error('it is neither a result nor an error, or both');
    if (answer.error) throw new Refused(answer.error, answer.status);
    if (this.modern && !['complete', 'input_required', undefined].includes(answer.result.resultType)) throw new Error(`no result is ${answer.result.resultType}`);
    this.change.taken?.(answer.result, method);
    return answer.result;
  }

  async open() {
    if (!this.modern) return this.initialize();
    try {
      this.server = await this.request('server/discover');
    } catch (error) {
      if (!(error instanceof Refused)) {
        if (!error.silent || this.change.silence?.() === 'give up') throw error;
        this.modern = false;
        return this.initialize();
      }
      if (error.error?.code === -32022 && error.error.data?.supported?.includes(current) && !this.again) return (this.again = true, this.open());
      if (error.error?.code === -32022) throw error;
      if ((this.change.refused?.(error.status, error.error) ?? 'initialize') === 'give up') throw error;
      this.modern = false;
      await this.initialize();
    }
  }
  async initialize() {
    const asked = wanted === current ? old[0] : wanted;
    this.server = await this.request('initialize', {
      protocolVersion: asked, capabilities: {elicitation: {}}, clientInfo: {name: 'case', version: '1.0.0'}});
    const got = this.server.protocolVersion;
    if (!(this.change.version ? this.change.version(asked, got) : old.includes(got))) throw new Error(`no revision ${got}`);
    this.version = got;
    await this.notify('notifications/initialized');
    this.listen?.();
  }

  async pages(method, name) {
    const [all, seen] = [[], new Set];
    for (let cursor = this.change.start?.(); !seen.has(cursor); ) {
      seen.add(cursor);
      const page = await this.request(method, cursor === undefined ? undefined : {cursor});
      if (!Array.isArray(page?.[name])) throw new Error(`no ${name}`);
      all.push(...page[name]);
      if (typeof page.nextCursor !== 'string' || this.change.more?.(page.nextCursor) === false) break;
      cursor = page.nextCursor;
    }
    return all;
  }

  async try(what, work) {
    try { return await work(); } catch (error) {
      if (process.env.CASE_LOG) console.error(`${what}: ${error.message}`);
      return undefined;
    }
  }

  // round asks again as long as a result wants input.
  async round(method, params, headers) {
    let result = await this.request(method, params, headers);
    for (let i = 0; result.resultType === 'input_required' && i < 8; ++i) {
      this.change.input?.(result);
      const inputResponses = {};
      for (const [key, {method: what, params: asked}] of Object.entries(result.inputRequests ?? {})) {
        if (what !== 'elicitation/create' || (asked.mode ?? 'form') !== 'form') throw new Error('that was not declared');
        inputResponses[key] = this.fill(asked);
      }
      const state = result.requestState === undefined ? {} : {requestState: result.requestState};
      result = await this.request(method, {...params, ...result.inputRequests ? {inputResponses} : {}, ...state}, headers);
    }
    return result;
  }

  async call({name, arguments: given}, tools) {
    const tool = tools.find(one => one.name === name);
    const headers = {};
    for (const [path, name] of this.modern ? mirrored(tool?.inputSchema) : []) {
      const value = path.reduce((all, key) => all?.[key], given ?? {});
      if (value === undefined || value === null) continue;
      if (typeof value === 'number' && !Number.isSafeInteger(value)) throw new Error('too big for a header');
      headers[`mcp-param-${name}`] = encoded(String(value));
    }
    const token = this.modern ? {} : {_meta: {progressToken: `p${this.next}`}};
    return this.round('tools/call', {name, arguments: given ?? {}, ...token}, headers);
  }

  async live() {
    await this.open();
    const offered = this.server.capabilities ?? {};
    const list = async () => { const all = await this.pages('tools/list', 'tools'); return this.change.listed?.(all) ?? all; };
    const tools = offered.tools ? await this.try('tools/list', list) ?? [] : [];
    const calls = context.toolCalls ?? tools.filter(tool => !this.modern || usable(tool)).map(tool => ({name: tool.name, arguments: filled(tool.inputSchema)}));
    for (const one of calls) await this.try(`tools/call ${one.name}`, () => this.call(one, tools));
    if (offered.resources) {
      const times = process.env.PLUMBLINE_SCENARIO === 'caching' ? 2 : 1;
      for (let i = 0; i < times; ++i) {
        for (const {uri} of await this.try('resources/list', () => this.pages('resources/list', 'resources')) ?? []) {
          await this.try(`resources/read ${uri}`, () => this.round('resources/read', {uri}));
        }
      }
    }
    if (offered.prompts) {
      for (const prompt of await this.try('prompts/list', () => this.pages('prompts/list', 'prompts')) ?? []) {
        const given = Object.fromEntries((prompt.arguments ?? []).map(({name}) => [name, 'x']));
        await this.try(`prompts/get ${prompt.name}`, () => this.round('prompts/get', {name: prompt.name, arguments: given}));
      }
    }
    await this.close();
  }
}

class OverHttp extends Client {
  headers(message, more) {
    const all = {'content-type': 'application/json', accept: 'application/json, text/event-stream', ...more};
    if (this.modern) {
      const {method, params} = message;
      all['mcp-protocol-version'] = current;
      if (method) all['mcp-method'] = method;
      const name = {'tools/call': params?.name, 'prompts/get': params?.name, 'resources/read': params?.uri}[method];
      if (name !== undefined) all['mcp-name'] = encoded(name);
    } else {
      if (this.version) all['mcp-protocol-version'] = this.version;
      if (this.session) all['mcp-session-id'] = this.session;
    }
    if (this.token) all.authorization = `${this.scheme ?? 'Bearer'} ${this.token}`;
    return this.change.headers?.(all, message, this) ?? all;
  }

  async post(message, more) {
    const send = () => (this.change.fetch ?? fetch)(this.url, {method: 'POST', headers: this.headers(message, more), body: this.said(message), signal: AbortSignal.timeout(patience)});
    let answer = await send();
    for (let i = 0; i < 2 && [401, 403].includes(answer.status) && !this.signing; ++i) {
      const challenge = answer.headers.get('www-authenticate');
      if (answer.status === 403 && (i > 0 || !/insufficient_scope/.test(challenge ?? ''))) break;
      await answer.arrayBuffer();
      this.signing = true;
      try { if (answer.status === 403 || i > 0 || !await refreshed(this)) this.token = await signIn(this.change, this.url, challenge, this); } finally { this.signing = false; }
      answer = await send();
    }
    return answer;
  }
  async send(message) {
    const answer = await this.post(message);
    await (this.change.sent?.(answer) ?? answer.arrayBuffer());
  }

  async ask(message, more) {
    try {
      return await this.answered(message, more);
    } catch (error) {
      if (error.name === 'TimeoutError' && !this.modern && this.cancels(message)) await this.notify('notifications/cancelled', {requestId: message.id, reason: 'It took too long'});
      throw error;
    }
  }

  async answered(message, more) {
    let answer = await this.post(message, more);
    if (answer.status === 404 && this.change.gone?.(message) !== 'go on' && this.session && message.method !== 'initialize') {
      await answer.arrayBuffer();
      this.session = this.version = undefined;
      await this.initialize();
      answer = await this.post(message, more);
    }
    if (message.method === 'initialize') this.session = answer.headers.get('mcp-session-id') ?? undefined;
    this.change.opened?.(answer, this);
    const type = answer.headers.get('content-type') ?? '';
    if (answer.ok && type.startsWith('text/event-stream')) return this.stream(message, answer);
    const text = await answer.text();
    let said;
    try { said = JSON.parse(text); } catch { throw new Refused(undefined, answer.status); }
    if (!answer.ok && said?.error) throw new Refused(said.error, answer.status);
    if (!answer.ok || said?.id !== message.id) throw new Refused(undefined, answer.status);
    return {...said, status: answer.status};
  }

  async stream(message, answer) {
    let [last, pause, found] = [undefined, 100];
    for (let times = 0; times < 4; ++times) {
      let here;
      for await (const event of events(answer, this.change)) {
        if (event.id !== undefined) here = last = event.id;
        if (event.retry) pause = event.retry;
        const said = parsed(event);
        if (said === undefined && event.data.trim()) this.change.unreadable?.(event);
        if (said === undefined) continue;
        if (this.change.first?.()) return said;
        if (said.method && !('id' in said)) this.change.notice?.(said, this);
        if (said.id === message.id && (this.change.own?.(said) ?? !said.method) && !this.change.waits) return said;
        if (said.id === message.id && !said.method) found = said;
        if (said.method && 'id' in said) await this.answer(said);
      }
      if (found) return found;
      if (last === undefined || this.modern) throw new Error('the stream ended without an answer');
      await wait(this.change.pause?.(pause) ?? pause);
      const cursor = this.change.cursor ? this.change.cursor(last, here) : last;
      const headers = this.headers({method: 'GET'}, {accept: 'text/event-stream', ...cursor === undefined ? {} : {'last-event-id': cursor}});
      delete headers['content-type'];
      answer = await fetch(this.url, {headers, signal: AbortSignal.timeout(patience)});
      if (!answer.ok) throw new Error(`status ${answer.status} for what was missed`);
    }
    throw new Error('there is no end of streams');
  }

  listen() {
    const headers = this.headers({method: 'GET'}, {accept: 'text/event-stream'});
    delete headers['content-type'];
    this.gone ??= new AbortController;
    fetch(this.url, {headers, signal: this.gone.signal}).then(async answer => {
      this.change.standing?.(answer);
      if (!answer.ok) return;
      for await (const event of events(answer, this.change)) {
        const said = parsed(event);
        if (said?.method && !('id' in said)) this.change.notice?.(said, this);
        if (said?.method && 'id' in said) await this.answer(said);
      }
      if (this.change.again && !this.gone.signal.aborted) this.listen();
    }).catch(() => {});
  }

  async close() {
    this.gone?.abort();
    if (!this.session) return;
    await fetch(this.url, {method: 'DELETE', headers: this.headers({method: 'DELETE'})}).then(answer => answer.arrayBuffer()).catch(() => {});
  }
}

function parsed(event) {
  if (event.event !== 'message' || !event.data.trim()) return undefined;
  try { return JSON.parse(event.data); } catch { return undefined; }
}

async function* events(answer, {lines = text => text.replaceAll('\r\n', '\n').replace(/\r(?!$)/g, '\n'), data: join = all => all.join('\n'), decoded = (chunk, decoder) => decoder.decode(chunk, {stream: true})}) {
  const decoder = new TextDecoder;
  let rest = '';
  async function* pieces() {
    for await (const chunk of answer.body) yield decoded(chunk, decoder);
    if (rest.endsWith('\r')) yield '\n';
  }
  for await (const piece of pieces()) {
    rest = lines(rest + piece);
    const blocks = rest.split('\n\n');
    rest = blocks.pop();
    for (const block of blocks) {
      const event = {event: 'message', data: ''};
      const data = [];
      for (const line of block.split('\n')) {
        const [, field, value] = /^([a-z]+):? ?(.*)$/s.exec(line) ?? [];
        if (field === 'data') data.push(value);
        else if (field === 'retry') event.retry = Number(value);
        else if (field) event[field] = value;
      }
      yield {...event, data: join(data)};
    }
  }
}

class OverStdio extends Client {
  constructor(change) {
    super(change);
    this.child = spawn(command[0], command.slice(1), {stdio: ['pipe', 'pipe', 'inherit']});
    this.child.stdin.on('error', () => {});
    if (this.change.bytes) this.child.stdout.setEncoding(this.change.bytes);
    createInterface({input: this.child.stdout, crlfDelay: Infinity}).on('line', line => {
      let said;
      this.change.line?.(line);
      try { said = JSON.parse(line); } catch { return; }
      if (said === null || typeof said !== 'object') return;
      if (this.change.own?.(said) && this.pending.has(said.id)) return this.pending.get(said.id)(said);
      if (said.method && !('id' in said)) this.change.notice?.(said, this);
      if (said.method && 'id' in said) this.answer(said);
      else if (!said.method) this.pending.get(said.id)?.(said);
    });
  }
  send(message) { this.child.stdin.write(`${this.said(message)}\n`); }
  ask(message) {
    this.send(message);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        if (this.cancels(message)) this.notify('notifications/cancelled', {requestId: message.id, reason: 'It took too long'});
        reject(Object.assign(new Error('no answer'), {silent: true}));
      }, patience);
      this.pending.set(message.id, said => { clearTimeout(timer); this.pending.delete(message.id); resolve(said); });
    });
  }
  async close() {
    const ended = new Promise(resolve => this.child.on('exit', resolve));
    this.child.stdin.end();
    await Promise.race([ended, wait(1000)]);
    this.child.kill();
  }
}

export function live(change) {
  process.on('unhandledRejection', error => { console.error(error?.message ?? error); process.exit(1); });
  return (command ? new OverStdio(change) : new OverHttp(change, change.url?.(process.argv.at(-1)) ?? process.argv.at(-1))).live();
}
