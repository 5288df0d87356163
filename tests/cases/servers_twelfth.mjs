// More of servers.mjs, taken as they came by somebody who has not seen the judge. `clause`: what the specification says.

import {current, failed, isObject, meta, say} from './peers/server.mjs';

const parsed = body => { try { return JSON.parse(body); } catch { return undefined; } };
const called = message => message?.method === 'tools/call' && 'id' in message;
const wait = ms => new Promise(resolve => setTimeout(resolve, ms));

export const cases = [
  // https://github.com/0xMassi/webclaw/issues/107
  {name: 'exits-when-greeted-otherwise', from: '0xMassi/webclaw#107', in: ['legacy stdio'],
   what: 'exits without a word when the first message is not initialize',
   rules: ['lifecycle.initialize-may-follow'], clause: '2025-11-25 basic/lifecycle, Initialization: the client SHOULD NOT send requests other than pings before the server has responded to initialize: a ping may come first; 2026-07-28 basic/transports/stdio: legacy servers respond to unknown requests before initialize with errors or not at all, and initialize follows on the same connection',
   says: /exit|ended|closed|died|first|before initialize|ping/i,
   change: {said(message, {server}) {
     const first = !server.greeted;
     server.greeted = true;
     if (first && message?.method !== 'initialize') process.exit(1);
     return undefined;
   }}},
  // https://github.com/OpenLiberty/open-liberty/issues/33213
  {name: 'delete-keeps-the-session', from: 'OpenLiberty/open-liberty#33213', in: ['legacy http'],
   what: 'answers DELETE with 200 and goes on serving the session',
   rules: ['http.session-ended-404'], clause: '2025-11-25 basic/transports, Session Management: DELETE with MCP-Session-Id explicitly terminates the session (or is answered with 405); a session that is terminated MUST be answered with 404',
   says: /DELETE|session|404/i,
   change: {http(request, response, body, {server}) {
     if (request.method !== 'DELETE' || !server.sessions.has(request.headers['mcp-session-id'])) return false;
     response.writeHead(200);
     response.end();
     return true;
   }}},
  // https://github.com/modelcontextprotocol/rust-sdk/issues/791
  {name: 'every-stream-begins-with-event-0', from: 'modelcontextprotocol/rust-sdk#791', in: ['legacy http'],
   what: 'begins each stream with an empty event whose id is 0, whichever stream it is',
   rules: ['http.event-id-unique'], clause: '2025-11-25 basic/transports, Resumability and Redelivery: the ID MUST be globally unique across all streams within that session',
   says: /\bids?\b|unique|event/i,
   change: {http(request, response) {
     const writeHead = response.writeHead.bind(response);
     response.writeHead = (status, headers) => {
       writeHead(status, headers);
       if (/event-stream/.test(headers?.['Content-Type'])) response.write('id: 0\nretry: 3000\ndata: \n\n');
       return response;
     };
     return false;
   }}},
  // https://github.com/j0hanz/filesystem-mcp/issues/6
  {name: 'get-is-a-page-of-json', from: 'j0hanz/filesystem-mcp#6', in: ['legacy http'],
   what: 'answers GET with 200 and application/json',
   rules: ['http.get-stream-or-405'], clause: '2025-11-25 basic/transports, Listening for Messages: the server MUST either return Content-Type text/event-stream in response to GET, or 405',
   says: /GET|event-stream|405/i,
   change: {http(request, response) {
     if (request.method !== 'GET') return false;
     response.writeHead(200, {'Content-Type': 'application/json; charset=utf-8'});
     response.end(JSON.stringify({name: 'notes', version: '1.0.0', status: 'ok'}));
     return true;
   }}},
  // https://github.com/LIghtJUNction/OniMods/pull/126
  {name: 'raw-names-taken', from: 'LIghtJUNction/OniMods#126', in: ['modern http'],
   what: 'takes an Mcp-Name with raw bytes of UTF-8, unencoded, as long as it is what the body says',
   rules: ['http.name-header-invalid-chars-rejected'], clause: '2026-07-28 basic/transports/streamable-http, Value Encoding and Server Validation: values that are not visible ASCII are carried as =?base64?...?=; a header value that contains invalid characters is a validation failure, MUST be 400 and -32020',
   says: /Mcp-Name|character|encod|base64|-32020|ASCII/i,
   change: {http(request, response, body) {
     const raw = request.headers['mcp-name'];
     if (!raw || !/[^\x00-\x7f]/.test(raw)) return false;
     const {params} = parsed(body) ?? {};
     const text = Buffer.from(raw, 'latin1').toString('utf8');
     if (text === (params?.name ?? params?.uri)) request.headers['mcp-name'] = text;
     return false;
   }}},
  // https://github.com/modelcontextprotocol/typescript-sdk/issues/2012
  {name: 'null-arguments-are-internal', from: 'modelcontextprotocol/typescript-sdk#2012', in: ['legacy stdio', 'legacy http'],
   what: 'answers tools/call with arguments: null by -32603 and the complaint of its validator',
   rules: ['jsonrpc.invalid-params-code'], clause: '2025-11-25 server/tools, Error Handling: malformed requests are protocol errors (-32602 in the example); JSON-RPC: -32603 is an internal error of the server, -32602 invalid params',
   says: /-32603|internal|null|-32602/i,
   change: {said: message => called(message) && message.params?.arguments === null
     ? failed(message.id, -32603, JSON.stringify([{expected: 'record', code: 'invalid_type', path: ['params', 'arguments'], message: 'Invalid input: expected record, received null'}], null, 2)) : undefined}},
  // https://github.com/modelcontextprotocol/python-sdk/issues/3484
  {name: 'mirror-of-a-list', from: 'modelcontextprotocol/python-sdk#3484', in: ['modern http'],
   what: 'lists a tool with x-mcp-header at a parameter that is an array, which every right client drops',
   rules: ['http.x-mcp-header-primitive-types'], clause: '2026-07-28 server/tools, x-mcp-header: MUST only be applied to parameters with primitive types (integer, string, boolean)',
   says: /x-mcp-header|primitive|array|mirror/i,
   change: {tools: [{name: 'only_of', description: 'Notes of some people', annotations: {readOnlyHint: true},
     inputSchema: {type: 'object', properties: {people: {type: 'array', items: {type: 'string'}, 'x-mcp-header': 'People'}}, required: ['people']},
     run: ({people}) => say(`Of ${people.join(', ')}`)}]}},
  // https://github.com/seuros/action_mcp/issues/181
  {name: 'structure-and-no-content', from: 'seuros/action_mcp#181', in: ['legacy http', 'legacy stdio'],
   what: 'gives structuredContent with an empty list of content',
   rules: ['tools.structured-text-fallback'], clause: '2025-11-25 server/tools, Structured Content: for backwards compatibility, a tool that returns structured content SHOULD also return the serialized JSON in a TextContent block',
   says: /structured|content|text/i,
   change: {answer: made => made.result?.structuredContent ? {...made, result: {...made.result, content: []}} : made}},
  // https://github.com/modelcontextprotocol/python-sdk/issues/1579
  {name: 'missing-is-code-0', from: 'modelcontextprotocol/python-sdk#1579', in: ['legacy stdio', 'legacy http'],
   what: 'answers resources/read of what is not there with code 0',
   rules: ['resources.not-found-32002'], clause: '2025-11-25 server/resources, Error Handling: servers SHOULD return standard JSON-RPC errors: resource not found: -32002',
   says: /-32002|not found|code/i,
   change: {answer: (made, {message}) => message?.method === 'resources/read' && made.error?.code === -32002
     ? {...made, error: {code: 0, message: `Unknown resource: ${message.params.uri}`}} : made}},
  // https://github.com/yandex-cloud/mcp/issues/2
  {name: 'no-resources-is-null', from: 'yandex-cloud/mcp#2', in: ['legacy http', 'legacy stdio'],
   what: 'has no resources, and lists null',
   rules: ['schema.messages-validate'], clause: '2025-11-25 schema, ListResourcesResult: resources is an array of Resource',
   says: /null|resources|array/i,
   change: {begin(server) { server.resources = []; },
            answer: (made, {message}) => message?.method === 'resources/list' && made.result?.resources?.length === 0 ? {...made, result: {...made.result, resources: null}} : made}},
  // https://github.com/joshrotenberg/tower-mcp/issues/376
  {name: 'level-set-and-ignored', from: 'joshrotenberg/tower-mcp#376', in: ['legacy stdio', 'legacy http'],
   what: 'answers logging/setLevel and logs at debug whatever the level is',
   rules: ['logging.level-respected'], clause: '2025-11-25 server/utilities/logging: setLevel configures the minimum log level; schema, SetLevelRequestParams: the server should send all logs at this level and higher',
   says: /level|log|debug/i,
   change: {said(message, call) {
     if (called(message)) call.tell({jsonrpc: '2.0', method: 'notifications/message', params: {level: 'debug', logger: 'notes', data: `calling ${message.params?.name}`}});
     return undefined;
   }}},
  // https://github.com/PrefectHQ/fastmcp/issues/5070
  {name: 'offsets-of-cursors-unchecked', from: 'PrefectHQ/fastmcp#5070', in: ['legacy http', 'modern http'],
   what: 'has cursors that are base64 of {"o": offset}: with an offset that is a text or a fraction it fails with -32603, with a negative one it serves a page',
   rules: ['pagination.invalid-cursor-error'], clause: '2025-11-25 and 2026-07-28 server/utilities/pagination, Error Handling: invalid cursors SHOULD result in an error with code -32602 (Invalid params)',
   says: /cursor/i,
   change: {said(message, {server}) {
     const cursor = message?.params?.cursor;
     const name = {'tools/list': 'tools', 'resources/list': 'resources', 'prompts/list': 'prompts', 'resources/templates/list': 'resourceTemplates'}[message?.method];
     if (!name || typeof cursor !== 'string') return undefined;
     const {o} = parsed(Buffer.from(cursor, 'base64url').toString()) ?? {};
     if (o === undefined) return undefined;
     if (!Number.isInteger(o)) return failed(message.id, -32603, 'slice indices must be integers or None or have an __index__ method');
     if (o < 0) return server.result(message.id, server.cached({[name]: (server[name] ?? []).slice(o).map(({run, ...rest}) => rest)}));
     message.params.cursor = `after-${o}`;
     return undefined;
   }, answer(made) {
     const at = /^after-(\d+)$/.exec(made.result?.nextCursor)?.[1];
     return at === undefined ? made : {...made, result: {...made.result, nextCursor: Buffer.from(JSON.stringify({o: Number(at)})).toString('base64url')}};
   }}},
  // https://github.com/modelcontextprotocol/java-sdk/issues/1067
  {name: 'asks-for-roots-of-nobody', from: 'modelcontextprotocol/java-sdk#1067', in: ['legacy stdio', 'legacy http'],
   what: 'sends roots/list in a tool, whether or not the client has declared roots',
   rules: ['lifecycle.only-negotiated-capabilities'], clause: '2025-11-25 basic/lifecycle, Operation: both parties MUST only use capabilities that were successfully negotiated; client/roots: clients that support roots MUST declare the capability',
   says: /roots|capabilit|declare/i,
   change: {async said(message, {session, tell}) {
     if (called(message) && message.params?.name === 'today' && session.version) await Promise.race([session.ask(tell, 'roots/list', {}), wait(1000)]);
     return undefined;
   }}},
  // https://github.com/openai/codex/issues/4223
  {name: 'events-of-its-own', from: 'openai/codex#4223', in: ['legacy stdio'],
   what: 'sends notifications with the method codex/event while a tool runs',
   rules: ['jsonrpc.notifications-known'], clause: 'none: breaks the Python SDK (and Agno, which is built on it), which validates each notification against ServerNotification of the schema (a closed union of methods)',
   says: /codex\/event|notification|method|unknown/i,
   change: {said(message, call) {
     if (called(message)) call.tell({jsonrpc: '2.0', method: 'codex/event', params: {_meta: {requestId: message.id}, id: String(message.id), msg: {type: 'task_started', model_context_window: null}}});
     return undefined;
   }}},
  // https://github.com/SylphxAI/pdf-reader-mcp/issues/662
  {name: 'no-hints-for-caches', from: 'SylphxAI/pdf-reader-mcp#662', in: ['modern stdio'],
   what: 'leaves ttlMs and cacheScope out of discovery and lists',
   rules: ['caching.hints-required'], clause: '2026-07-28 server/utilities/caching, Cacheable Results: servers MUST include caching hints on complete results of server/discover, the lists and resources/read',
   says: /ttlMs|cacheScope|cach/i,
   change: {answer(made) {
     if (!isObject(made.result)) return made;
     const {ttlMs, cacheScope, ...result} = made.result;
     return {...made, result};
   }}},
  // https://github.com/accordproject/apap/pull/224
  {name: 'listen-returns-an-id', from: 'accordproject/apap#224', in: ['modern stdio', 'modern http'],
   what: 'looks for uris in the params of subscriptions/listen and answers at once with {subscriptionId}, acknowledging nothing',
   rules: ['subscriptions.acknowledged-first'], clause: '2026-07-28 basic/patterns/subscriptions: the server MUST send notifications/subscriptions/acknowledged as the first message; the response comes when the subscription ends',
   says: /acknowledged|listen|subscription/i,
   change: {said({id, method, params}, call) {
     const said = params?._meta;
     if (method !== 'subscriptions/listen' || said?.[`${meta}protocolVersion`] !== current || !isObject(said[`${meta}clientCapabilities`])) return undefined;
     const subscriptionId = `sub-${id}`;
     if (Array.isArray(params.uris) && params.uris.length) call.server.listeners.set(subscriptionId, {id: subscriptionId, uris: params.uris, tell: call.tell});
     return call.server.result(id, {subscriptionId});
   }}},
];
