// More of clients.mjs: roots, what they accept, versions, answers to forms, sessions, what they read of a stream.

const S = '2025-11-25';
const M = '2026-07-28';
const lf = text => text.replaceAll('\r\n', '\n').replace(/\r(?!$)/g, '\n');
const meta = 'io.modelcontextprotocol/';
const roots = uri => ({
  out(message) { if (message.method === 'initialize') message.params.capabilities = {...message.params.capabilities, roots: {}}; return message; },
  question: ({method}) => method === 'roots/list' ? {result: {roots: [{uri, name: 'tmp'}]}} : undefined});
let mine;
const content = init => { try { return JSON.parse(init.body); } catch { return undefined; } };

export const cases = [
  // https://github.com/anthropics/claude-code/issues/68010
  {name: 'roots-with-backslashes', from: 'anthropics/claude-code#68010', in: [`${S} http`, `${S} stdio`],
   what: 'writes a root as file://d:\\dev\\tmp, which is no URI',
   rules: ['roots.uri-file-scheme', 'schema.messages-validate'], says: /root|uri/i,
   change: roots('file://d:\\dev\\flutter\\tmp'), right: roots('file:///d:/dev/flutter/tmp')},
  // https://github.com/anthropics/claude-code/issues/45368
  {name: 'accepts-no-streams', from: 'anthropics/claude-code#45368', in: [`${S} http`, `${M} http`],
   what: 'says in Accept that it reads application/json, and not text/event-stream',
   rules: ['http.accept-header-both-types'], says: /Accept/i,
   change: {headers: (all, {method}) => method === 'GET' ? all : {...all, accept: 'application/json'}}},
  // https://github.com/QwenLM/qwen-code/issues/379
  {name: 'structures-in-strings', from: 'QwenLM/qwen-code#379', in: [`${S} stdio`, `${M} http`],
   what: 'sends arguments that are arrays or objects as texts of JSON',
   rules: ['tools.call-arguments-exact'], says: /argument/,
   change: {out(message) {
     if (message.method !== 'tools/call' || !message.params.arguments) return message;
     const all = Object.entries(message.params.arguments).map(([name, value]) => [name, value !== null && typeof value === 'object' ? JSON.stringify(value) : value]);
     return {...message, params: {...message.params, arguments: Object.fromEntries(all)}};
   }}},
  // https://github.com/metoro-io/mcp-golang/issues/134
  {name: 'version-one', from: 'metoro-io/mcp-golang#134', in: [`${S} http`, `${S} stdio`],
   what: 'asks for the protocolVersion "1.0", which there is not',
   rules: ['versioning.client-offers-supported', 'lifecycle.client-sends-initialize'], says: /1\.0|version/i,
   change: {out(message) { if (message.method === 'initialize') message.params.protocolVersion = '1.0'; return message; }}},
  // https://github.com/f/mcptools/issues/23
  {name: 'no-handshake', from: 'f/mcptools#23', in: [`${S} stdio`, `${S} http`],
   what: 'begins with tools/list, without initialize',
   rules: ['lifecycle.initialize-first', 'lifecycle.client-sends-initialize'], says: /initialize/,
   change: {out: message => message.method === 'initialize' ? {jsonrpc: '2.0', id: message.id, method: 'tools/list'} : message,
            version: () => true, tells: method => method !== 'notifications/initialized',
            taken(result, method) { if (method === 'initialize') result.capabilities = {tools: {}}; }}},
  // https://github.com/openai/codex/issues/9053
  {name: 'accepts-without-content', from: 'openai/codex#9053', in: [`${S} http`, `${S} stdio`],
   what: 'accepts forms without the member content, whatever they require',
   rules: ['elicitation.client-validates-response'], says: /content|required/,
   change: {question: ({method, params}, client) => {
     if (method !== 'elicitation/create') return undefined;
     const {action} = client.fill(params);
     return {result: {action}};
   }}},
  // https://github.com/modelcontextprotocol/java-sdk/issues/443
  {name: 'comments-break-streams', from: 'modelcontextprotocol/java-sdk#443', in: [`${S} http`, `${M} http`],
   what: 'gives a stream up at a comment, as servers send to keep it alive',
   rules: ['http.answer-forms-read', 'http.sse-comments-ignored', 'http.sse-format'], says: /comment|stream|answer/,
   change: {lines(text) {
     const all = lf(text);
     if (/^:/m.test(all)) throw new Error('Invalid SSE response. Status code: 200 Line: : keep-alive');
     return all;
   }}},
  // https://github.com/anthropics/claude-ai-mcp/issues/583
  {name: 'a-session-for-each-call', from: 'anthropics/claude-ai-mcp#583', in: [`${S} http`],
   what: 'opens a new session before each call, and leaves the one it has',
   rules: ['http.session-id-echoed', 'lifecycle.initialize-first'], says: /session/i,
   change: {headers(all, message, client) { mine = client; return all; },
            async fetch(url, init) {
              if (content(init)?.method !== 'tools/call') return fetch(url, init);
              const {'mcp-session-id': _, 'mcp-protocol-version': __, ...headers} = init.headers;
              const post = (more, message) => fetch(url, {method: 'POST', headers: {...headers, ...more}, body: JSON.stringify({jsonrpc: '2.0', ...message})});
              const opened = await post({}, {id: `again-${content(init).id}`, method: 'initialize', params: {protocolVersion: S, capabilities: {elicitation: {}}, clientInfo: {name: 'case', version: '1.0.0'}}});
              await opened.text();
              const session = opened.headers.get('mcp-session-id');
              const more = {'mcp-protocol-version': mine?.version ?? S, ...session ? {'mcp-session-id': session} : {}};
              await (await post(more, {method: 'notifications/initialized'})).text();
              if (mine && session) mine.session = session;
              return fetch(url, {...init, headers: {...headers, ...more}});
            }}},
  // https://github.com/CALLE-AI/call-e-integrations/issues/110
  {name: 'streams-read-as-json', from: 'CALLE-AI/call-e-integrations#110', in: [`${S} http`, `${M} http`],
   what: 'says that it accepts event streams, reads each answer as JSON, and takes a stream for an empty answer',
   rules: ['http.client-supports-both-response-types', 'http.answer-forms-read'], says: /event|stream/,
   change: {async fetch(url, init) {
     const answer = await fetch(url, init);
     if (!(answer.headers.get('content-type') ?? '').startsWith('text/event-stream')) return answer;
     await answer.text();
     const id = content(init)?.id;
     return new Response(JSON.stringify({jsonrpc: '2.0', id, result: {}}), {status: answer.status, headers: {'content-type': 'application/json'}});
   }}},
  // https://github.com/quarkiverse/quarkus-langchain4j/issues/1751
  {name: 'posts-without-a-type', from: 'quarkiverse/quarkus-langchain4j#1751', in: [`${S} http`, `${M} http`],
   what: 'posts its messages without Content-Type',
   rules: ['http.body-is-json'], says: /Content-Type/i,
   change: {headers({'content-type': _, ...all}) { return all; },
            fetch: (url, init) => fetch(url, {...init, body: new Blob([init.body])})}},
  // https://github.com/modelcontextprotocol/python-sdk/issues/1056
  {name: 'rejects-for-declines', from: 'modelcontextprotocol/python-sdk#1056', in: [`${S} http`, `${S} stdio`],
   what: 'says the action "reject" of a form that was declined, as the text of the first draft does',
   rules: ['elicitation.result-action', 'schema.messages-validate'], says: /reject|action/,
   change: {question: ({method, params}, client) => {
     if (method !== 'elicitation/create') return undefined;
     const made = client.reply({method, params});
     return made.result?.action === 'decline' ? {result: {action: 'reject'}} : made;
   }}},
  // https://github.com/everruns/everruns/pull/2906
  {name: 'only-its-name-in-meta', from: 'everruns/everruns#2906', in: [`${M} http`, `${M} stdio`],
   what: 'says in _meta of its requests who it is, and neither the revision nor what it can do',
   rules: ['lifecycle.meta-protocol-version-on-requests', 'lifecycle.meta-client-capabilities-on-requests', 'schema.messages-validate'], says: /_meta|protocolVersion|clientCapabilities/,
   change: {out(message) {
     if (message.params?._meta) { delete message.params._meta[`${meta}protocolVersion`]; delete message.params._meta[`${meta}clientCapabilities`]; }
     return message;
   }}},
  // https://github.com/aaif-goose/goose/issues/9024
  {name: 'no-becomes-yes', from: 'aaif-goose/goose#9024', in: [`${S} http`, `${S} stdio`],
   what: 'answers accept, with nothing filled in, when its user declines or closes a form',
   rules: ['elicitation.client-validates-response', 'elicitation.decline-and-cancel-options'], says: /decline|cancel|accept|content|user/,
   change: {question: ({method, params}, client) => {
     if (method !== 'elicitation/create') return undefined;
     const made = client.reply({method, params});
     return made.result && made.result.action !== 'accept' ? {result: {action: 'accept', content: {}}} : made;
   }}},
];
