// More of servers.mjs: arrays of one answer and objects for arrays, what is told too late, members that need not be there, ids of two clients.

import {failed} from './peers/server.mjs';

const levels = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];
const parsed = body => { try { return JSON.parse(body); } catch { return undefined; } };

export const cases = [
  // https://github.com/Effect-TS/effect/issues/6274
  {name: 'answers-in-lists-of-one', from: 'Effect-TS/effect#6274', in: ['legacy http'],
   what: 'answers each request, which came alone, with an array that holds the one response',
   rules: ['jsonrpc.no-batching', 'jsonrpc.conforms-to-2-0', 'schema.messages-validate', 'lifecycle.server-answers-initialize'], says: /array|batch|list/i,
   change: {text: (json, message) => Array.isArray(message) ? json : `[${json}]`}},
  // https://github.com/HiThink-Tech/Financial-API/issues/40
  {name: 'prompts-in-an-object', from: 'HiThink-Tech/Financial-API#40', in: ['legacy http', 'modern http'],
   what: 'lists its prompts as an object, not as an array',
   rules: ['prompts.list-responds', 'schema.messages-validate'], says: /prompts/,
   change: {answer: (made, {message}) => message?.method === 'prompts/list' && Array.isArray(made.result?.prompts)
     ? {...made, result: {...made.result, prompts: Object.fromEntries(made.result.prompts.map(one => [one.name, one]))}} : made}},
  // https://github.com/Tr3kkR/Yuzu/issues/2439
  {name: 'progress-kept-until-the-answer', from: 'Tr3kkR/Yuzu#2439', in: ['legacy http'],
   what: 'keeps the progress of a call until it is answered, and tells it on the GET stream then',
   rules: ['progress.stops-after-completion', 'progress.only-active-tokens', 'http.get-stream-unrelated-messages'], says: /progress/i,
   change: {
     said(message, call) {
       if (message?.method !== 'tools/call') return;
       call.late = [];
       call.progress = (progress, total) => { if (call.token !== undefined) call.late.push({jsonrpc: '2.0', method: 'notifications/progress', params: {progressToken: call.token, progress, total}}); };
     },
     answer(made, call) { if (call.late?.length) setTimeout(() => { for (const one of call.late) call.session.stream?.event(one); }, 50); return made; }}},
  // https://github.com/nrwl/nx-console/issues/2844
  {name: 'log-without-data', from: 'nrwl/nx-console#2844', in: ['legacy stdio', 'legacy http'],
   what: 'logs with a member message where data has to be',
   rules: ['schema.messages-validate', 'schema.member-names-exact', 'logging.capability-declared'], says: /data|message/,
   change: {said(message, call) {
     if (message?.method === 'logging/setLevel' && levels.includes(message.params?.level)) call.session.level = message.params.level;
     if (message?.method !== 'tools/call' || levels.indexOf(call.session.level ?? 'debug') > levels.indexOf('info')) return;
     call.tell({jsonrpc: '2.0', method: 'notifications/message', params: {level: 'info', message: `calling ${message.params?.name}`}});
   }}},
  // https://github.com/cristianuibar/bricks-mcp/issues/45
  {name: 'ping-gets-an-empty-list', from: 'cristianuibar/bricks-mcp#45', in: ['legacy http', 'legacy stdio'],
   what: 'answers ping with [] for {}',
   rules: ['ping.empty-result', 'jsonrpc.result-is-object', 'schema.messages-validate'], says: /ping|result|array/,
   change: {answer: (made, {message}) => message?.method === 'ping' && made.result ? {...made, result: []} : made}},
  // https://github.com/WordPress/mcp-adapter/issues/113
  {name: 'contents-by-name', from: 'WordPress/mcp-adapter#113', in: ['legacy http', 'modern http'],
   what: 'gives what was read as an object of contents by their names, not as a list',
   rules: ['resources.contents-shape', 'schema.messages-validate'], says: /contents/,
   change: {answer: (made, {message}) => message?.method === 'resources/read' && Array.isArray(made.result?.contents)
     ? {...made, result: {...made.result, contents: Object.fromEntries(made.result.contents.map((one, i) => [i ? `config_${i}` : 'config', one]))}} : made}},
  // https://github.com/gts360/django-mcp-server/issues/55
  {name: 'streams-are-not-acceptable', from: 'gts360/django-mcp-server#55', in: ['legacy http'],
   what: 'answers 406 to the GET of who accepts event streams',
   rules: ['http.get-stream-or-405', 'http.single-endpoint-post-get'], says: /406|GET/,
   change: {http(request, response) {
     if (request.method !== 'GET' || !/text\/event-stream/i.test(request.headers.accept ?? '')) return false;
     response.writeHead(406, {'content-type': 'application/json'});
     response.end('{"detail":"Could not satisfy the request Accept header."}');
     return true;
   }}},
  // https://github.com/modelcontextprotocol/servers/issues/4029
  {name: 'content-of-type-blob', from: 'modelcontextprotocol/servers#4029', in: ['legacy stdio', 'modern http'],
   what: 'has content of a type "blob" where a file is neither image nor audio',
   rules: ['schema.messages-validate', 'schema.content-types-by-revision', 'tools.result-content-required'], says: /blob|type|content/,
   change: {tools: [{name: 'read_report', description: 'Reads the report of today', inputSchema: {type: 'object', properties: {}, additionalProperties: false},
                     annotations: {readOnlyHint: true}, run: () => ({content: [{type: 'blob', data: 'JVBERi0xLjQK', mimeType: 'application/pdf'}]})}]}},
  // https://github.com/bgauryy/octocode/issues/373
  {name: 'prompts-want-arguments', from: 'bgauryy/octocode#373', in: ['legacy stdio', 'modern http'],
   what: 'refuses prompts/get without the member arguments, though the prompt has none',
   rules: ['prompts.optional-arguments-optional', 'prompts.result-shape', 'base.listed-is-served'], says: /prompt|argument/,
   change: {said: message => message?.method === 'prompts/get' && typeof message.params?.name === 'string' && message.params.arguments === undefined
     ? failed(message.id, -32602, `Invalid arguments for prompt ${message.params.name}: expected object, received undefined`) : undefined}},
  // https://github.com/mark3labs/mcp-go/issues/370
  {name: 'sessions-checked-without-sessions', from: 'mark3labs/mcp-go#370', in: ['modern http'],
   what: 'has no sessions, and refuses requests that name one with 400',
   rules: ['http.session-id-ignored'], says: /session/i,
   change: {http(request, response) {
     if (request.method !== 'POST' || !request.headers['mcp-session-id']) return false;
     response.writeHead(400, {'content-type': 'text/plain; charset=utf-8'});
     response.end('Invalid session ID\n');
     return true;
   }}},
  // https://github.com/tmattio/ocaml-mcp/issues/3
  {name: 'lists-want-params', from: 'tmattio/ocaml-mcp#3', in: ['legacy stdio'],
   what: 'cannot read a request for a list that has no params, and never answers it',
   rules: ['jsonrpc.request-answered', 'tools.list-responds', 'prompts.list-responds', 'resources.list-responds'], says: /list|params|answer/,
   change: {said: message => typeof message?.method === 'string' && message.method.endsWith('/list') && 'id' in message && message.params === undefined ? null : undefined}},
  // https://github.com/modelcontextprotocol/swift-sdk/issues/265
  {name: 'who-waits-is-known-by-the-id', from: 'modelcontextprotocol/swift-sdk#265', in: ['modern http'],
   what: 'finds who waits for an answer by the id of the request alone: of two clients with one id at a time, the second gets the answer of the first, and the first none',
   rules: ['lifecycle.multiplex-contexts', 'jsonrpc.request-answered', 'http.multiple-streams-tolerated', 'tools.at-once-as-in-turn'], says: /client|several|at a time|at once|\bids?\b/,
   change: {http(request, response, body, {server, exchange}) {
     const said = request.method === 'POST' ? parsed(body) : undefined;
     if (typeof said?.method !== 'string' || said.id === undefined || said.id === null) return false;
     server.waiting ??= new Map;
     const key = JSON.stringify(said.id);
     server.waiting.set(key, exchange);
     const {end} = Object.getPrototypeOf(exchange);
     exchange.end = (status, message, headers) => {
       if (message === undefined || JSON.stringify(message.id) !== key) return end.call(exchange, status, message, headers);
       const to = server.waiting.get(key);
       server.waiting.delete(key);
       if (to) end.call(to, status, message, headers);
     };
     return false;
   }}},
];
