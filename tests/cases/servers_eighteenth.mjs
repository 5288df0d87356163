// More of servers.mjs, taken as they came by somebody who has not seen the judge. `clause`: what the specification says.

import {failed, isObject, old, say} from './peers/server.mjs';

const called = message => message?.method === 'tools/call' && 'id' in message;
const asks = (message, method) => message?.method === method && 'id' in message;
const readOnlyHint = true;
const string = {type: 'string'};
const integer = {type: 'integer'};
const closed = {type: 'object', properties: {}, additionalProperties: false};
const parse = text => { try { return JSON.parse(text); } catch { return undefined; } };
const here = request => new URL(request.url, 'http://here').pathname === '/mcp';
function sent(response, status, value) {
  response.writeHead(status, value === undefined ? {} : {'Content-Type': 'application/json'});
  response.end(value === undefined ? undefined : JSON.stringify(value));
  return true;
}
const plan = {uri: 'notes://plan', name: 'the "weekly" plan', mimeType: 'text/plain'};
const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

export const cases = [
  // https://github.com/Graylog2/graylog2-server/issues/24701
  {name: 'refuses-revisions-of-others', from: 'Graylog2/graylog2-server#24701', in: ['legacy http'],
   what: 'answers initialize with a protocolVersion that it does not support with 400 and -32602, Invalid protocol version',
   clause: '2025-11-25 basic/lifecycle, Version Negotiation: if the server supports the requested version, it MUST respond with the same; otherwise, the server MUST respond with another protocol version it supports',
   rules: [], says: /version|revision|negotiat|-32602|initialize/i,
   change: {http(request, response, body) {
     const message = request.method === 'POST' && here(request) ? parse(body) : undefined;
     const wanted = message?.params?.protocolVersion;
     if (!asks(message, 'initialize') || typeof wanted !== 'string' || old.includes(wanted)) return false;
     return sent(response, 400, failed(message.id, -32602, 'Invalid protocol version', {supported: old}));
   }}},
  // https://github.com/yamadashy/repomix/issues/833
  {name: 'errors-that-are-not-of-the-output', from: 'yamadashy/repomix#833', in: ['legacy stdio', 'modern stdio'],
   what: 'gives the failure of a tool with structuredContent, {errorMessage}, which its outputSchema forbids',
   clause: '2025-11-25 and 2026-07-28 server/tools, Output Schema: if an output schema is provided, servers MUST provide structured results that conform to this schema (breaks clients on the TypeScript SDK: Structured content does not match the tool\'s output schema: data should NOT have additional properties)',
   rules: [], says: /structuredContent|structured|outputSchema|output schema|errorMessage|conform/i,
   change: {tools: [{name: 'pack_codebase', description: 'Packs a directory into one text, and gives its numbers', annotations: {readOnlyHint},
     inputSchema: {type: 'object', properties: {directory: string}, required: ['directory']},
     outputSchema: {type: 'object', properties: {totalFiles: {type: 'number'}, totalTokens: {type: 'number'}}, required: ['totalFiles', 'totalTokens'], additionalProperties: false},
     run({directory}) {
       const structuredContent = directory === 'demo' ? {totalFiles: 2, totalTokens: 40} : {errorMessage: `Directory not found: ${directory}`};
       return say(JSON.stringify(structuredContent), {structuredContent, ...directory === 'demo' ? {} : {isError: true}});
     }}]}},
  // https://github.com/cap-js/mcp/pull/36
  {name: 'gets-are-not-found', from: 'cap-js/mcp#36', in: ['legacy http'],
   what: 'answers each GET of its endpoint with 404 and a page, Cannot GET /mcp',
   clause: '2025-11-25 basic/transports, Listening for Messages from the Server: the server MUST either return Content-Type: text/event-stream in response to this HTTP GET, or else return HTTP 405 Method Not Allowed (breaks Cursor, which takes the connection for broken)',
   rules: [], says: /GET|404|405|event-stream|stream/i,
   change: {http(request, response) {
     if (request.method !== 'GET' || !here(request)) return false;
     response.writeHead(404, {'Content-Type': 'text/html; charset=utf-8'});
     response.end('<!DOCTYPE html>\n<html lang="en">\n<body>\n<pre>Cannot GET /mcp</pre>\n</body>\n</html>\n');
     return true;
   }}},
  // https://github.com/modelcontextprotocol/java-sdk/issues/319
  {name: 'templates-in-both-lists', from: 'modelcontextprotocol/java-sdk#319', in: ['legacy stdio', 'legacy http', 'modern http'],
   what: 'lists its resource template, notes://of/{name}, also in resources/list, with the template for a uri',
   clause: '2025-11-25 and 2026-07-28 schema, Resource: uri is the URI of this resource (@format uri), in which no braces can be; server/resources, Resource Templates: parameterized resources are exposed by URI templates, at resources/templates/list',
   rules: [], says: /uri|template|resources\/list|\{|brace/i,
   change: {resources: [{uri: 'notes://of/{name}', name: 'notes', mimeType: 'text/plain'}]}},
  // https://github.com/naw103/foremerge/pull/28
  {name: 'structures-that-are-lists', from: 'naw103/foremerge#28', in: ['legacy stdio', 'legacy http'],
   what: 'has a tool, without an outputSchema, whose structuredContent is an array',
   clause: '2025-11-25 schema, CallToolResult: structuredContent is a JSON object; server/tools, Structured Content: structured content is returned as a JSON object (breaks @modelcontextprotocol/client 2.0.0 and Claude Code: expected record, received array)',
   rules: [], says: /structuredContent|structured|array|object|record/i,
   change: {tools: [{name: 'query_work', description: 'Lists the work that is in progress', inputSchema: closed, annotations: {readOnlyHint},
     run() {
       const structuredContent = [{id: 'w1', agent: 'ann', state: 'open'}, {id: 'w2', agent: 'bob', state: 'done'}];
       return say(JSON.stringify(structuredContent), {structuredContent});
     }}]}},
  // https://github.com/symfony/ai/issues/123
  {name: 'contents-of-one', from: 'symfony/ai#123', in: ['legacy stdio', 'legacy http'],
   what: 'gives results of tools whose content is one block, {type, text}, and no array',
   clause: '2025-11-25 schema, CallToolResult: content is an array of ContentBlock (breaks PhpStorm: Expected array, received object)',
   rules: [], says: /content|array/i,
   change: {answer: (made, {message}) => called(message) && Array.isArray(made.result?.content) ? {...made, result: {...made.result, content: made.result.content[0]}} : made}},
  // https://github.com/laurent22/joplin/pull/16141
  {name: 'pictures-by-address', from: 'laurent22/joplin#16141', in: ['legacy stdio', 'legacy http', 'modern http'],
   what: 'gives a picture whose data begin with data:image/png;base64,',
   clause: '2025-11-25 and 2026-07-28 schema, ImageContent: data is the base64-encoded image data (@format byte); server/tools, Image Content',
   rules: [], says: /base64|data|image/i,
   change: {tools: [{name: 'read_image', description: 'The picture of the note of today', inputSchema: closed, annotations: {readOnlyHint},
     run: () => ({content: [{type: 'image', data: `data:image/png;base64,${pixel}`, mimeType: 'image/png'}]})}]}},
  // https://github.com/zereight/gitlab-mcp/issues/286
  {name: 'schemas-of-nothing', from: 'zereight/gitlab-mcp#286', in: ['legacy stdio', 'legacy http', 'modern stdio'],
   what: 'lists each of its tools with the inputSchema {}',
   clause: '2025-11-25 and 2026-07-28 schema, Tool: inputSchema has type: "object", which is required (breaks Cursor, AMP and Windsurf: Invalid literal value, expected "object")',
   rules: [], says: /inputSchema|type|object|schema/i,
   change: {answer: (made, {message}) => message?.method === 'tools/list' && made.result?.tools
     ? {...made, result: {...made.result, tools: made.result.tools.map(tool => ({...tool, inputSchema: {}}))}} : made}},
  // https://github.com/simonx1/ruby-mcp-client/pull/245
  {name: 'forms-for-who-opens-pages', from: 'simonx1/ruby-mcp-client#245', in: ['modern http', 'modern stdio'],
   what: 'asks a client that has declared elicitation of the mode url alone by a form',
   clause: '2026-07-28 client/elicitation, Capabilities: servers MUST NOT send elicitation requests with modes that are not supported by the client; basic, _meta: a server MUST NOT rely on capabilities the client has not declared, and MUST return -32021 with requiredCapabilities',
   rules: [], says: /elicitation|form|mode|capabilit|-32021/i,
   change: {said(message) {
     const can = message?.params?._meta?.['io.modelcontextprotocol/clientCapabilities'];
     if (called(message) && isObject(can?.elicitation)) can.elicitation = {};
   }}},
  // https://github.com/quarkiverse/quarkus-mcp-server/pull/912
  {name: 'streams-are-announced-to-everybody', from: 'quarkiverse/quarkus-mcp-server#912', in: ['legacy http'],
   what: 'sends a notifications/message of the level debug when a client opens a stream with GET, also after logging/setLevel of error',
   clause: '2025-11-25 server/utilities/logging: clients can control logging verbosity by setting minimum log levels; schema, SetLevelRequestParams: the server should send all logs at this level and higher (i.e., more severe) to the client',
   rules: ['logging.level-respected'], says: /log|level|debug|notifications\/message/i,
   change: {http(request, response, body, {server, exchange}) {
     const named = request.headers['mcp-session-id'];
     if (request.method === 'GET' && here(request) && server.sessions.has(named)) {
       setTimeout(() => {
         if (server.sessions.get(named)?.stream !== exchange) return;
         exchange.event({jsonrpc: '2.0', method: 'notifications/message', params: {level: 'debug', logger: 'mcp', data: `Subsidiary SSE stream opened [${named}]`}});
       }, 20);
     }
     return false;
   }}},
  // https://github.com/MaterializeInc/materialize/pull/36139
  {name: 'strangers-that-agree-with-themselves', from: 'MaterializeInc/materialize#36139', in: ['legacy http', 'modern http'],
   what: 'compares Origin with Host alone: it serves a request with Origin: http://evil.example and Host: evil.example, as DNS rebinding makes it, on a loopback address',
   clause: '2025-11-25 and 2026-07-28 basic/transports, Security: servers MUST validate the Origin header on all incoming connections to prevent DNS rebinding attacks; if it is present and invalid, they MUST respond with 403 Forbidden',
   rules: [], says: /origin|host|rebinding|403/i,
   change: {http(request) {
     const {origin, host} = request.headers;
     if (host && /^https?:\/\/([^/]+)$/i.exec(origin ?? '')?.[1] === host) {
       delete request.headers.origin;
       request.headers.host = `127.0.0.1:${request.socket.localPort}`;
     }
     return false;
   }}},
  // https://github.com/0xMassi/webclaw/issues/117
  {name: 'what-it-has-is-not-found', from: '0xMassi/webclaw#117', in: ['modern stdio', 'modern http'],
   what: 'answers server/discover without _meta with -32601, Method not found',
   clause: '2026-07-28 basic, _meta: a request missing any required field is malformed; the server MUST reject it with -32602 (Invalid params), and with 400 Bad Request over HTTP',
   rules: [], says: /-32602|-32601|_meta|400|404|protocolVersion|missing/i,
   change: {said: message => asks(message, 'server/discover') && message.params?._meta === undefined ? failed(message.id, -32601, 'Method not found: server/discover') : undefined}},
  // https://github.com/dbernheisel/phantom_mcp/issues/14
  {name: 'errors-among-the-contents', from: 'dbernheisel/phantom_mcp#14', in: ['legacy http', 'legacy stdio'],
   what: 'answers resources/read of a resource that there is not with a result whose contents are the error, [{code: -32002, message, data}]',
   clause: '2025-11-25 server/resources, Error Handling: servers SHOULD return standard JSON-RPC errors: resource not found: -32002; schema, ReadResourceResult: contents have a uri and text or blob (breaks clients: expected string, received undefined)',
   rules: [], says: /-32002|not found|contents|uri|unknown resource|error/i,
   change: {answer: (made, {message, server}) => message?.method === 'resources/read' && made.error?.code === -32002 ? server.result(made.id, {contents: [made.error]}) : made}},
  // https://github.com/PrefectHQ/fastmcp/issues/3038
  {name: 'not-found-by-another-number', from: 'PrefectHQ/fastmcp#3038', in: ['legacy stdio', 'legacy http'],
   what: 'answers resources/read of a resource that there is not with -32001',
   clause: '2025-11-25 server/resources, Error Handling: resource not found: -32002',
   rules: [], says: /-32002|-32001|not found|unknown resource|code/i,
   change: {answer: (made, {message}) => message?.method === 'resources/read' && made.error?.code === -32002
     ? failed(made.id, -32001, `Resource not found: ${message.params.uri}`) : made}},
  // https://github.com/oisee/odata_mcp_go/pull/33
  {name: 'notifications-get-nought', from: 'oisee/odata_mcp_go#33', in: ['legacy stdio'],
   what: 'answers notifications, notifications/initialized too, with -32601 and the id 0',
   clause: '2025-11-25 basic, Notifications: the receiver MUST NOT send a response (breaks Claude Code 2.1.117: Received a response for an unknown message ID)',
   rules: [], says: /notif|respon|\bid\b|unknown/i,
   change: {said(message, call) {
     if (!isObject(message) || 'id' in message || typeof message.method !== 'string') return undefined;
     call.session.notice(message);
     call.tell(failed(0, -32601, `Method not found: ${message.method}`));
     return null;
   }}},
  // https://github.com/modelcontextprotocol/ruby-sdk/issues/434
  {name: 'null-for-notifications-with-ids', from: 'modelcontextprotocol/ruby-sdk#434', in: ['legacy stdio', 'legacy http', 'modern stdio'],
   what: 'answers a request with an id whose method is that of a notification, as notifications/cancelled, with "result": null',
   clause: '2025-11-25 and 2026-07-28 basic, Responses: the result MAY follow any JSON object structure; schema, Result is an object; JSON-RPC 2.0, 5.1: -32601 for a method that there is not',
   rules: [], says: /null|result|-32601|notification/i,
   change: {said: message => isObject(message) && 'id' in message && /^notifications\//.test(message.method) ? {jsonrpc: '2.0', id: message.id, result: null} : undefined}},
  // https://github.com/modelcontextprotocol/python-sdk/issues/934
  {name: 'no-batches-of-its-time', from: 'modelcontextprotocol/python-sdk#934', in: ['legacy http'],
   what: 'serves 2025-03-26, and answers batches of it with 400 and -32602, Validation error',
   clause: '2025-03-26 basic, Batching: implementations MAY support sending JSON-RPC batches, but MUST support receiving JSON-RPC batches; basic/transports: the body may be an array',
   rules: [], says: /batch|array/i,
   change: {http(request, response, body) {
     if (request.method !== 'POST' || !here(request) || !Array.isArray(parse(body))) return false;
     return sent(response, 400, failed(null, -32602, 'Validation error: Input should be a valid dictionary or instance of JSONRPCRequest'));
   }}},
  // https://github.com/accensa/x402-facilitator-stellar/issues/199
  {name: 'lists-of-requests-are-lost', from: 'accensa/x402-facilitator-stellar#199', in: ['legacy stdio'],
   what: 'says nothing at all to a batch, neither the answers nor an error',
   clause: '2025-03-26 basic, Batching: implementations MUST support receiving JSON-RPC batches; 2025-11-25 basic, Messages: all messages MUST follow JSON-RPC 2.0, in which what is no valid request is answered with -32600',
   rules: [], says: /batch|array|answer|respon|-32600|silen|time[ds]? ?out/i,
   change: {said: message => Array.isArray(message) ? null : undefined}},
  // https://github.com/nanoframework/nanoFramework.WebServer/pull/374
  {name: 'texts-as-they-are', from: 'nanoframework/nanoFramework.WebServer#374', in: ['legacy http'],
   what: 'puts the text of a resource into its answer without escaping it: a quote in it makes that no JSON',
   clause: '2025-11-25 basic, Messages: all messages MUST follow JSON-RPC 2.0, which is JSON; basic/transports: Content-Type: application/json, to return one JSON object',
   rules: [], says: /JSON|parse|pars|escap|quot/i,
   change: {resources: [plan], text(json, message) {
     const texts = message?.result?.contents;
     if (!Array.isArray(texts)) return json;
     return texts.reduce((made, {text}) => made.replace(JSON.stringify(text), () => `"${text}"`), json);
   }}, right: {resources: [plan]}},
  // https://github.com/gsabran/mcp-swift-sdk/issues/21
  {name: 'whole-numbers-are-no-numbers', from: 'gsabran/mcp-swift-sdk#21', in: ['legacy stdio'],
   what: 'fails calls whose number, by the schema, is a whole one, as 123, with Decoding error, and takes 1.5',
   clause: '2025-11-25 server/tools, Data Types: inputSchema is the JSON Schema that defines the expected parameters; JSON Schema 2020-12: a number is any number, also a whole one',
   rules: ['tools.valid-arguments-taken'], says: /number|argument|schema|decod|integer|valid/i,
   change: {said(message, {server}) {
     const tool = called(message) && server.tools.find(one => one.name === message.params?.name);
     if (!tool || !isObject(message.params.arguments)) return undefined;
     const whole = Object.entries(message.params.arguments).some(([name, value]) => tool.inputSchema.properties?.[name]?.type === 'number' && Number.isInteger(value));
     return whole ? server.result(message.id, say(`Decoding error. Received:\n${JSON.stringify(message.params.arguments)}\nExpected schema:\n${JSON.stringify(tool.inputSchema)}`, {isError: true})) : undefined;
   }}},
  // https://github.com/langchain4j/langchain4j-cdi/issues/298
  {name: 'choices-that-cannot-be-made', from: 'langchain4j/langchain4j-cdi#298', in: ['legacy http', 'modern http'],
   what: 'lists a tool with a parameter of enum, and answers each call of it, also with a value of that, with -32603',
   clause: '2025-11-25 and 2026-07-28 server/tools, Data Types: inputSchema is the JSON Schema that defines the expected parameters; Calling Tools: what conforms to it is called; Error Handling',
   rules: ['tools.valid-arguments-taken'], says: /enum|-32603|argument|schema|by_priority|valid/i,
   change: {tools: [{name: 'by_priority', description: 'Lists the tasks of a priority', annotations: {readOnlyHint},
     inputSchema: {type: 'object', properties: {priority: {type: 'string', enum: ['LOW', 'NORMAL', 'HIGH']}}, required: ['priority']},
     run: (_, {message}) => failed(message.id, -32603, 'Internal error: argument type mismatch')}]}},
  // https://github.com/delinoio/oss/issues/130
  {name: 'half-of-a-millisecond', from: 'delinoio/oss#130', in: ['legacy stdio', 'modern stdio'],
   what: 'takes 0.5 for an integer, and does as if it were 0',
   clause: '2025-11-25 and 2026-07-28 server/tools, Security Considerations: servers MUST validate all tool inputs; Error Handling: input validation errors are tool execution errors, with isError: true',
   rules: ['tools.inputs-validated'], says: /integer|validat|schema|argument|isError|-32602/i,
   change: {tools: [{name: 'wait_output', description: 'Waits for the output of a session', annotations: {readOnlyHint},
     inputSchema: {type: 'object', properties: {session_id: string, timeout_ms: integer}, required: ['session_id', 'timeout_ms']},
     run: ({session_id: session, timeout_ms: time}) => say(`${session}: nothing in ${time} ms`)}],
     said(message, {server}) {
       const tool = called(message) && server.tools.find(one => one.name === message.params?.name);
       if (!tool || !isObject(message.params.arguments)) return;
       for (const [name, value] of Object.entries(message.params.arguments)) {
         if (tool.inputSchema.properties?.[name]?.type === 'integer' && typeof value === 'number') message.params.arguments[name] = Math.trunc(value);
       }
     }}, right: {tools: [{name: 'wait_output', description: 'Waits for the output of a session', annotations: {readOnlyHint},
     inputSchema: {type: 'object', properties: {session_id: string, timeout_ms: integer}, required: ['session_id', 'timeout_ms']},
     run: ({session_id: session, timeout_ms: time}) => say(`${session}: nothing in ${time} ms`)}]}},
  // https://github.com/BaseIntelligence/bounty-challenge/issues/15885
  {name: 'serves-before-it-has-met', from: 'BaseIntelligence/bounty-challenge#15885', in: ['legacy stdio'],
   what: 'serves tools/list, tools/call, resources/read and all else before it has been sent initialize',
   clause: '2025-11-25 basic/lifecycle, Initialization: the initialization phase MUST be the first interaction between client and server',
   rules: [], says: /initializ|lifecycle|before|handshake/i,
   change: {said(message, {session}) {
     if (isObject(message) && message.method !== 'initialize') session.version ??= old[0];
   }}},
  // https://github.com/asciimoo/hister/issues/363
  {name: 'servers-of-no-version', from: 'asciimoo/hister#363', in: ['legacy http', 'legacy stdio'],
   what: 'answers initialize with a serverInfo that has no version',
   clause: '2025-11-25 schema, Implementation: version is a required string (breaks Cursor: serverInfo.version: expected string, received undefined)',
   rules: [], says: /version|serverInfo|Implementation/i,
   change: {answer: (made, {message}) => message?.method === 'initialize' && made.result ? {...made, result: {...made.result, serverInfo: {name: made.result.serverInfo.name}}} : made}},
];
