// More of servers.mjs, taken as they came by somebody who has not seen the judge. `clause`: what the specification says.

import {failed, isObject, say} from './peers/server.mjs';

const called = message => message?.method === 'tools/call' && 'id' in message;
const readOnlyHint = true;
const string = {type: 'string'};
const parse = text => { try { return JSON.parse(text); } catch { return undefined; } };
const here = request => new URL(request.url, 'http://here').pathname === '/mcp';
const logo = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
function sent(response, status, value) {
  response.writeHead(status, value === undefined ? {} : {'Content-Type': 'application/json'});
  response.end(value === undefined ? undefined : JSON.stringify(value));
  return true;
}

export const cases = [
  // https://github.com/samihalawa/mcp-server-smtp/pull/4
  {name: 'objects-of-its-own-for-results', from: 'samihalawa/mcp-server-smtp#4', in: ['legacy stdio', 'legacy http', 'modern http'],
   what: 'answers each call of a tool with an object of its own, {success: true, data: …}, which has no content',
   rules: ['tools.result-content-required', 'tools.output-schema-conform', 'schema.messages-validate'], clause: '2025-11-25 and 2026-07-28 schema, CallToolResult: content is a required array of content blocks',
   says: /content|CallToolResult/i,
   change: {answer(made, {message}) {
     if (!called(message) || !Array.isArray(made.result?.content) || made.result.isError) return made;
     const {content, structuredContent, ...rest} = made.result;
     return {...made, result: {...rest, success: true, data: structuredContent ?? content[0]?.text}};
   }}},
  // https://github.com/MarkusPfundstein/mcp-gsuite/issues/21
  {name: 'dies-of-cancellations', from: 'MarkusPfundstein/mcp-gsuite#21', in: ['legacy stdio'],
   what: 'does not know notifications/cancelled, and its process ends with a stack trace when a client cancels a call',
   rules: ['cancellation.race-handled', 'cancellation.invalid-ignored'], clause: '2025-11-25 basic/utilities/cancellation, Behavior Requirements: receivers SHOULD stop processing the cancelled request, free its resources and not send a response; Error Handling: cancellations that make no sense SHOULD be ignored',
   says: /cancel|exit|crash|die[sd]|end(s|ed)|clos|gone|no answer|not answer/i,
   change: {said(message) {
     if (message?.method !== 'notifications/cancelled') return undefined;
     process.stderr.write("ValidationError: 5 validation errors for ClientNotification\nProgressNotification.method\n  Input should be 'notifications/progress'\n");
     process.exit(1);
   }}},
  // https://github.com/modelcontextprotocol/python-sdk/issues/152
  {name: 'types-of-resources-forgotten', from: 'modelcontextprotocol/python-sdk#152', in: ['legacy stdio', 'legacy http', 'modern http'],
   what: 'lists a resource as image/png, and gives its blob as text/plain when it is read',
   rules: ['resources.type-as-listed'], clause: '2025-11-25 and 2026-07-28 schema, Resource and ResourceContents: mimeType is the MIME type of this resource; server/resources, Data Types: the two describe one resource',
   says: /mimeType|MIME|type/i,
   change: {resources: [{uri: 'notes://logo', name: 'logo', mimeType: 'image/png'}],
     answer: (made, {message}) => message?.method === 'resources/read' && message.params?.uri === 'notes://logo' && made.result
       ? {...made, result: {...made.result, contents: [{uri: 'notes://logo', mimeType: 'text/plain', blob: logo}]}} : made}},
  // https://github.com/posit-dev/mcptools/issues/116
  {name: 'resources-in-name-alone', from: 'posit-dev/mcptools#116', in: ['legacy stdio', 'legacy http'],
   what: 'declares resources, and answers resources/list, resources/templates/list and resources/read with -32601',
   rules: ['versioning.accepted-is-served', 'resources.capability-declared', 'resources.templates-listed', 'resources.not-found-32002'], clause: '2025-11-25 basic/lifecycle, Capability Negotiation: resources: provides readable resources; Operation: both parties MUST only use capabilities that were successfully negotiated; server/resources: servers that declare them answer resources/list and resources/read',
   says: /resource|capabilit|-32601/i,
   change: {capabilities: all => ({...all, resources: {}}),
     said: message => typeof message?.method === 'string' && message.method.startsWith('resources/') && 'id' in message
       ? failed(message.id, -32601, 'Method not found') : undefined}},
  // https://github.com/Hmbown/Codewhale/pull/5336
  {name: 'cursors-that-are-null', from: 'Hmbown/Codewhale#5336', in: ['legacy stdio', 'legacy http'],
   what: 'ends tools/list and resources/list with "nextCursor": null',
   rules: ['pagination.stable-cursors', 'schema.messages-validate'], clause: '2025-11-25 schema, PaginatedResult: nextCursor is an optional string (breaks Claude Code: expected string, received null)',
   says: /nextCursor|cursor|null/i,
   change: {answer: (made, {message}) => ['tools/list', 'resources/list'].includes(message?.method) && made.result
     ? {...made, result: {...made.result, nextCursor: made.result.nextCursor ?? null}} : made}},
  // https://github.com/MongLong0214/logic-pro-mcp/issues/218
  {name: 'cursors-it-does-not-know-begin-anew', from: 'MongLong0214/logic-pro-mcp#218', in: ['legacy stdio', 'legacy http', 'modern stdio'],
   what: 'answers lists with a cursor that it has never given with their first page',
   rules: ['pagination.invalid-cursor-error'], clause: '2025-11-25 and 2026-07-28 server/utilities/pagination, Error Handling: invalid cursors SHOULD result in an error with code -32602',
   says: /cursor|-32602/i,
   change: {said(message) {
     const {method, params} = message ?? {};
     if (/\/list$/.test(method ?? '') && isObject(params) && params.cursor !== undefined && !/^after-\d+$/.test(params.cursor)) delete params.cursor;
     return undefined;
   }}},
  // https://github.com/MemPalace/mempalace/issues/1574
  {name: 'missing-arguments-are-internal-errors', from: 'MemPalace/mempalace#1574', in: ['legacy stdio', 'legacy http', 'modern stdio'],
   what: 'answers calls that leave a required argument out with error -32000, Internal tool error',
   rules: ['tools.input-validation-in-result', 'jsonrpc.error-code-legacy-range-unused'], clause: '2025-11-25 and 2026-07-28 server/tools, Error Handling: input validation errors are tool execution errors, in a result with isError: true (in earlier revisions -32602, invalid arguments)',
   says: /-32000|-32602|isError|argument|required|validat|input/i,
   change: {answer: (made, {message}) => called(message) && made.result?.isError && / is required$/.test(made.result.content?.[0]?.text ?? '')
     ? failed(made.id, -32000, 'Internal tool error') : made}},
  // https://github.com/modelcontextprotocol/ruby-sdk/pull/517
  {name: 'unknown-prompts-are-internal-errors', from: 'modelcontextprotocol/ruby-sdk#517', in: ['legacy stdio', 'legacy http', 'modern stdio'],
   what: 'answers prompts/get of a prompt that it has not got, or without a required argument, with -32603',
   rules: ['jsonrpc.invalid-params-code', 'prompts.unknown-prompt-error', 'prompts.missing-argument-error'], clause: '2025-11-25 and 2026-07-28 server/prompts, Error Handling: invalid prompt name and missing required arguments: -32602',
   says: /prompt|-32602|-32603/i,
   change: {answer: (made, {message}) => message?.method === 'prompts/get' && made.error?.code === -32602 && !/protocolVersion/.test(made.error.message)
     ? failed(made.id, -32603, 'Internal error', `Prompt not found or argument missing: ${made.error.message}`) : made}},
  // https://github.com/Barnett-Studios/cxpak/issues/110
  {name: 'pings-are-not-found', from: 'Barnett-Studios/cxpak#110', in: ['legacy stdio', 'legacy http'],
   what: 'answers ping with -32601',
   rules: ['versioning.accepted-is-served', 'lifecycle.ping-during-init-answered', 'ping.empty-result'], clause: '2025-11-25 basic/utilities/ping, Behavior Requirements: the receiver MUST respond promptly with an empty response',
   says: /ping/i,
   change: {said: message => message?.method === 'ping' && 'id' in message ? failed(message.id, -32601, 'Method not found') : undefined}},
  // https://github.com/github/github-mcp-server/pull/179
  {name: 'json-on-many-lines', from: 'github/github-mcp-server#179', in: ['legacy stdio', 'modern stdio'],
   what: 'writes its messages indented, each on many lines',
   rules: ['stdio.stdout-only-mcp', 'stdio.no-embedded-newlines'], clause: '2025-11-25 basic/transports, stdio, and 2026-07-28 basic/transports/stdio: messages are delimited by newlines, and MUST NOT contain embedded newlines',
   says: /newline|line|JSON|stdout/i,
   change: {text: json => JSON.stringify(JSON.parse(json), null, 2)}},
  // https://github.com/cyanheads/mcp-ts-core/issues/354
  {name: 'updates-nobody-could-ask-for', from: 'cyanheads/mcp-ts-core#354', writes: true, in: ['legacy stdio', 'legacy http'],
   what: 'declares no subscribe and has no resources/subscribe, and tells every client notifications/resources/updated all the same',
   rules: ['lifecycle.only-negotiated-capabilities'], clause: '2025-11-25 server/resources, Capabilities: subscribe: whether the client can subscribe to be notified of changes to individual resources; basic/lifecycle, Operation: both parties MUST only use capabilities that were successfully negotiated; schema, ResourceUpdatedNotification: should only be sent if the client previously sent a resources/subscribe request',
   says: /subscri|resources\/updated|updated|capabilit/i,
   change: {capabilities: all => ({...all, resources: {}}),
     begin(server) {
       server.changed = uri => { for (const session of server.sessions.values()) session.tell({jsonrpc: '2.0', method: 'notifications/resources/updated', params: {uri}}); };
     },
     said: message => ['resources/subscribe', 'resources/unsubscribe'].includes(message?.method) && 'id' in message
       ? failed(message.id, -32601, `There is no ${message.method}`) : undefined}},
  // https://github.com/PrefectHQ/fastmcp-ts/issues/88
  {name: 'listens-and-is-told-nothing', from: 'PrefectHQ/fastmcp-ts#88', writes: true, in: ['modern stdio', 'modern http'],
   what: 'acknowledges subscriptions/listen for a resource, and never tells that it has changed',
   rules: ['subscriptions.resource-updated-delivered'], clause: '2026-07-28 basic/patterns/subscriptions: the acknowledgment reflects the subset the server agreed to honor; types it does not support are omitted; server/resources, Subscriptions: notifications/resources/updated for the resources subscribed to',
   says: /subscri|listen|updated|notif/i,
   change: {begin(server) { server.changed = () => {}; }}},
  // https://github.com/browseros-ai/BrowserOS/issues/2504
  {name: 'lists-of-tools-without-their-time', from: 'browseros-ai/BrowserOS#2504', in: ['modern http', 'modern stdio'],
   what: 'answers tools/list without ttlMs and cacheScope',
   rules: ['caching.hints-required', 'schema.messages-validate'], clause: '2026-07-28 schema, CacheableResult (ListToolsResult): ttlMs and cacheScope are required; server/utilities/caching (breaks Claude Code)',
   says: /ttlMs|cacheScope|cach/i,
   change: {answer(made, {message}) {
     if (message?.method !== 'tools/list' || !made.result) return made;
     const {ttlMs, cacheScope, ...result} = made.result;
     return {...made, result};
   }}},
  // https://github.com/saidsurucu/borsa-mcp/issues/6
  {name: 'null-ids-are-notifications', from: 'saidsurucu/borsa-mcp#6', in: ['legacy http', 'modern http'],
   what: 'takes a request whose id is null for a notification, and answers it with 202',
   rules: ['jsonrpc.bad-id-not-served'], clause: '2025-11-25 and 2026-07-28 basic, Requests: requests MUST include a string or integer ID, and the ID MUST NOT be null (JSON-RPC 2.0: else Invalid Request, -32600); transports: input that cannot be accepted gets an HTTP error status',
   says: /\bid\b|null|202|-32600|invalid/i,
   change: {http(request, response, body) {
     const message = request.method === 'POST' && here(request) ? parse(body) : undefined;
     return isObject(message) && message.id === null && typeof message.method === 'string' ? sent(response, 202) : false;
   }}},
  // https://github.com/springfall2008/batpred/pull/3501
  {name: 'tools-among-the-capabilities', from: 'springfall2008/batpred#3501', in: ['legacy stdio', 'legacy http'],
   what: 'declares tools by an array of all its tools',
   rules: ['schema.messages-validate'], clause: '2025-11-25 schema, ServerCapabilities: tools is an object, {listChanged?: boolean} (breaks the TypeScript SDK: expected object, received array)',
   says: /capabilit|tools|object|array/i,
   change: (() => { let tools = []; return {
     begin(server) { tools = server.tools; },
     capabilities: all => ({...all, tools: tools.map(({run, ...tool}) => tool)})}; })()},
  // https://github.com/oisee/odata_mcp_go/issues/37
  {name: 'failures-are-never-answered', from: 'oisee/odata_mcp_go#37', in: ['legacy stdio'],
   what: 'never answers a call whose tool fails, neither with a result nor with an error',
   rules: ['tools.inputs-validated'], clause: '2025-11-25 basic, Messages: responses are sent in reply to requests, a result or an error; server/tools, Error Handling: API failures and input validation errors are in a result with isError: true',
   says: /answer|respon|time|hang|silen/i,
   change: {tools: [{name: 'look_up', description: 'Looks a product up in the catalog', inputSchema: {type: 'object', properties: {key: string}, required: ['key']}, annotations: {readOnlyHint},
     run: ({key}) => ['HT-1000', 'HT-1001'].includes(key) ? say(`${key}: Notebook`) : say('404: no such product', {isError: true})}],
     answer: (made, {message}) => called(message) && made.result?.isError ? null : made}},
  // https://github.com/DAWNCR0W/affine-mcp-server/issues/301
  {name: 'sessions-it-does-not-know-400', from: 'DAWNCR0W/affine-mcp-server#301', in: ['legacy http'],
   what: 'answers an Mcp-Session-Id that it does not know, or no longer, with 400',
   rules: ['http.session-ended-404'], clause: '2025-11-25 basic/transports, Session Management: it MUST respond to requests containing a terminated session ID with 404 Not Found, at which the client MUST start a new session',
   says: /404|session/i,
   change: {head: (headers, status, message) => status === 404 && message?.error?.message === 'No such session' ? 400 : undefined}},
  // https://github.com/hyperdxio/hyperdx/issues/2686
  {name: 'notifications-must-have-params', from: 'hyperdxio/hyperdx#2686', in: ['legacy http'],
   what: 'refuses notifications that have no params, as notifications/initialized, with 400',
   rules: ['http.notification-202'], clause: '2025-11-25 schema, JSONRPCNotification and InitializedNotification: params is optional; basic/transports, Sending Messages: 202 Accepted (breaks the TypeScript SDK)',
   says: /notification|params|202|400/i,
   change: {http(request, response, body) {
     const message = request.method === 'POST' && here(request) ? parse(body) : undefined;
     return isObject(message) && !('id' in message) && typeof message.method === 'string' && message.params === undefined
       ? sent(response, 400, {jsonrpc: '2.0', error: {code: -32700, message: 'Parse error: Invalid JSON-RPC message'}, id: null}) : false;
   }}},
  // https://github.com/Jefferson49/webtrees-API/issues/27
  {name: 'gets-are-unknown-methods', from: 'Jefferson49/webtrees-API#27', in: ['legacy http'],
   what: 'answers GET with 200 and a JSON-RPC error, -32601',
   rules: ['http.origin-validated', 'http.get-stream-or-405'], clause: '2025-11-25 basic/transports, Listening for Messages from the Server: the server MUST either return Content-Type: text/event-stream in response to this GET, or else 405 Method Not Allowed',
   says: /GET|405|event-stream/,
   change: {http: (request, response) => request.method === 'GET' && here(request)
     ? sent(response, 200, {jsonrpc: '2.0', id: null, error: {code: -32601, message: 'Method not found'}}) : false}},
  // https://github.com/tobi/qmd/pull/286
  {name: 'one-client-ever', from: 'tobi/qmd#286', in: ['legacy http'],
   what: 'has one session for all: after the first client, each initialize is refused with 400, Server already initialized',
   rules: ['http.sessions-side-by-side'], clause: '2025-11-25 basic/transports, Streamable HTTP: the server operates as an independent process that can handle multiple client connections; basic/lifecycle, Initialization: the server MUST respond with its own capabilities and information',
   says: /session|initialize|second|connection|client/i,
   change: (() => { let begun = false; return {http(request, response, body) {
     const message = request.method === 'POST' && here(request) ? parse(body) : undefined;
     if (message?.method !== 'initialize') return false;
     if (begun) return sent(response, 400, {jsonrpc: '2.0', error: {code: -32600, message: 'Invalid Request: Server already initialized'}, id: null});
     begun = typeof message.params?.protocolVersion === 'string';
     return false;
   }}; })()},
  // The same, where DELETE closes the one transport: what one of TypeScript SDK 1 does.
  {name: 'one-transport-ever', from: 'tobi/qmd#286', in: ['legacy http'],
   what: 'has one transport for all: once the first client has ended its session, each initialize gets 404, Session not found',
   rules: ['http.sessions-side-by-side'], clause: '2025-11-25 basic/transports, Streamable HTTP: the server operates as an independent process that can handle multiple client connections',
   says: /session|initialize|second/i,
   change: (() => { let closed = false; return {http(request, response) {
     if (closed) return sent(response, 404, {jsonrpc: '2.0', error: {code: -32001, message: 'Session not found'}, id: null});
     closed = request.method === 'DELETE' && here(request);
     return false;
   }}; })()},
  // https://github.com/domdomegg/computer-use-mcp/pull/64
  {name: 'answers-of-others', from: 'domdomegg/computer-use-mcp#64', in: ['legacy http'],
   what: 'keeps requests of all its clients by their id alone: when two clients use the same id at a time, one gets the answer of the other, and that one none',
   rules: ['cancellation.invalid-ignored', 'elicitation.server-handles-all-actions', 'elicitation.content-omitted', 'elicitation.server-validates-response', 'http.sessions-side-by-side'], clause: '2025-11-25 basic, Requests and Responses: an id is unique within the session of its requestor, and responses are to the request they correspond to; basic/transports: the stream (or JSON) that answers a POST has the response to its request',
   says: /session|client|answer|respon|mix|other/i,
   change: (() => { const latest = new Map; const [lost, given] = [new WeakSet, new WeakMap]; return {
     said(message, call) {
       if (!isObject(message) || typeof message.method !== 'string' || message.method === 'initialize' || !('id' in message)) return undefined;
       const before = latest.get(message.id);
       if (before) lost.add(before);
       latest.set(message.id, call);
       return undefined;
     },
     answer(made, call) {
       const id = call.message?.id;
       const last = latest.get(id);
       if (lost.has(call)) { if (last) given.set(last, made); return null; }
       if (last === call) latest.delete(id);
       return given.get(call) ?? made;
     }}; })()},
];
