// More of servers.mjs, taken as they came by somebody who has not seen the judge. `clause`: what the specification says.

import {failed, isObject, say} from './peers/server.mjs';

const called = message => message?.method === 'tools/call' && 'id' in message;
const asks = (message, method) => message?.method === method && 'id' in message;
const readOnlyHint = true;
const string = {type: 'string'};
const integer = {type: 'integer'};
const number = {type: 'number'};
const parse = text => { try { return JSON.parse(text); } catch { return undefined; } };
const here = request => new URL(request.url, 'http://here').pathname === '/mcp';
const posted = (request, body) => request.method === 'POST' && here(request) ? parse(body) : undefined;
function sent(response, status, value, type = 'application/json') {
  response.writeHead(status, {'Content-Type': type});
  response.end(typeof value === 'string' ? value : JSON.stringify(value));
  return true;
}

const machine = {name: 'emu_info', description: 'Tells which machine is emulated', annotations: {readOnlyHint},
  inputSchema: {type: 'object', properties: {}, additionalProperties: false},
  outputSchema: {type: 'object', properties: {machine: string, running: {type: 'boolean'}}, required: ['machine', 'running']},
  run() {
    const structuredContent = {machine: 'MSX2', running: true};
    return say(JSON.stringify(structuredContent), {structuredContent});
  }};
const draft = schema => ({$schema: 'http://json-schema.org/draft-07/schema#', ...schema});

const exemplar = {name: 'exemplar', description: 'Shows a good piece of code of a kind, or for a task: one of kind and task has to be given, and kind wins', annotations: {readOnlyHint},
  inputSchema: {type: 'object', properties: {kind: string, task: string}},
  run: ({kind, task}) => kind === undefined && task === undefined ? say('One of kind and task is needed', {isError: true}) : say(`// An example of ${kind ?? task}`)};

// A folder has folders in it: `inner` is what its schema calls them by.
const folders = (inner, $defs) => ({name: 'count-mail-folders', description: 'Counts the folders of a tree of mail folders', annotations: {readOnlyHint},
  inputSchema: {type: 'object', required: ['body'], ...$defs && {$defs}, properties: {body: {type: 'object', properties: {
    displayName: string, childFolders: {type: 'array', items: inner ?? {type: 'object', properties: {
      displayName: string, childFolders: {type: 'array', items: {$ref: '#/properties/body/properties/childFolders/items'}}}}}}}}},
  run({body}) {
    const good = folder => isObject(folder) && ['undefined', 'string'].includes(typeof folder.displayName) &&
        (folder.childFolders === undefined || Array.isArray(folder.childFolders) && folder.childFolders.every(good));
    const count = ({childFolders = []}) => 1 + childFolders.reduce((all, one) => all + count(one), 0);
    return good(body) ? say(`${count(body)} folders`) : say('A folder has a displayName, a string, and childFolders, an array of folders', {isError: true});
  }});

const thought = type => ({name: 'sequentialthinking', description: 'Takes down a thought', inputSchema: {type: 'object', properties: {thought: string}, required: ['thought']}, annotations: {readOnlyHint},
  run: ({thought}) => ({content: [{type, text: JSON.stringify({thought, thoughtNumber: 1, nextThoughtNeeded: false})}]})});

const weather = {name: 'weather_in', description: 'The weather of a region', annotations: {readOnlyHint},
  inputSchema: {type: 'object', properties: {region: {...string, 'x-mcp-header': 'Region'}}, required: ['region']}, run: ({region}) => say(`Fair in ${region}`)};
// decoded is what a header says; undefined: nothing that can be read.
function decoded(value) {
  if (value === undefined || /[^\t\x20-\x7e]/.test(value)) return undefined;
  const [, text] = /^=\?base64\?(.*)\?=$/.exec(value) ?? [];
  if (text === undefined) return value;
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes.toString('utf8') : undefined;
}

const guide = {uri: 'skill://demo-skill/setup%20guide.md', name: 'setup guide', mimeType: 'text/plain'};

const documentation = structured => ({name: 'remotion-documentation', description: 'Finds what the documentation says', annotations: {readOnlyHint},
  inputSchema: {type: 'object', properties: {query: string}, required: ['query']},
  outputSchema: {type: 'object', properties: {answer: string}, required: ['answer']},
  run({query}) {
    if (!structured) return say('MCP error -32602: Output validation error: Tool remotion-documentation has an output schema but no structured content was provided', {isError: true});
    const structuredContent = {answer: `Nothing is said of ${query}`};
    return say(JSON.stringify(structuredContent), {structuredContent});
  }});

const products = product => ({name: 'woocommerce-products-list', description: 'Lists the products of the shop', annotations: {readOnlyHint},
  inputSchema: {type: 'object', properties: {per_page: integer}},
  outputSchema: {type: 'object', required: ['data'], properties: {data: {type: 'array', items: {type: 'object',
    properties: {id: integer, name: string, date_created: {type: 'string', format: 'date-time'}, low_stock_amount: integer}, required: ['id', 'name', 'date_created', 'low_stock_amount']}}}},
  run() {
    const structuredContent = {data: [{id: 11, name: 'Hoodie', ...product}]};
    return say(JSON.stringify(structuredContent), {structuredContent});
  }});

const logarithm = shown => ({name: 'logarithm', description: 'The natural logarithm of a number', inputSchema: {type: 'object', properties: {x: number}, required: ['x']}, annotations: {readOnlyHint},
  run({x}) {
    const numeric = Math.log(x);
    return say(`log(${x}) is ${numeric}`, {structuredContent: {string: `log(${x})`, numeric: Number.isFinite(numeric) ? numeric : shown(numeric)}});
  }});

const effective = {name: 'effective_request', description: 'Shows the request that would be sent; the method is GET when none is given', annotations: {readOnlyHint},
  inputSchema: {type: 'object', properties: {url: string, method: string}, required: ['url']},
  run: ({url, method = 'GET'}) => say(`${method} ${url}`)};

export const cases = [
  // https://github.com/awslabs/mcp/issues/3295
  {name: 'null-for-what-wants-no-answer', from: 'awslabs/mcp#3295', in: ['legacy http'],
   what: 'answers notifications, notifications/initialized too, with 200 and the JSON null',
   clause: '2025-11-25 basic/transports, Sending Messages to the Server: if the input is a JSON-RPC response or notification and the server accepts it, the server MUST return HTTP status code 202 Accepted with no body (breaks Codex: data did not match any variant of untagged enum JsonRpcMessage)',
   rules: ['http.notification-202'], says: /202|notification|null\b.*body|body.*null/i,
   change: {http(request, response, body, {exchange}) {
     const message = posted(request, body);
     if (!isObject(message) || 'id' in message || typeof message.method !== 'string') return false;
     const {end} = Object.getPrototypeOf(exchange);
     exchange.end = (status, made, headers) => status === 202 ? end.call(exchange, 200, null, headers) : end.call(exchange, status, made, headers);
     return false;
   }}},
  // https://github.com/nataliapc/mcp-openmsx/issues/22
  {name: 'schemas-in-an-older-dialect', from: 'nataliapc/mcp-openmsx#22', in: ['legacy stdio', 'modern stdio'],
   what: 'lists a tool whose inputSchema and outputSchema say $schema: http://json-schema.org/draft-07/schema#',
   clause: '2025-11-25 and 2026-07-28 basic, JSON Schema Usage: implementations MUST support at least 2020-12; others are optional (breaks Claude Code, and the TypeScript client 2.0: JSON Schema declares an unsupported dialect; the tool cannot be called)',
   rules: ['schema.prefer-2020-12'], says: /draft-0?7|dialect|2020-12|\$schema/i,
   change: {tools: [{...machine, inputSchema: draft(machine.inputSchema), outputSchema: draft(machine.outputSchema)}]}, right: {tools: [machine]}},
  // https://github.com/redhat-et/ripwire/issues/48
  {name: 'either-of-two-at-the-top', from: 'redhat-et/ripwire#48', in: ['legacy stdio', 'modern http'],
   what: 'lists a tool whose inputSchema has anyOf at its top: one of two parameters has to be given',
   clause: 'server/tools, Tool: inputSchema, which hosts hand on to models (breaks opencode, and what else uses the API of Anthropic: input_schema does not support oneOf, allOf, or anyOf at the top level: the whole request is refused)',
   rules: ['schema.hosts-accept'], says: /anyOf|oneOf|allOf|top[- ]level|composition|combinator/i,
   change: {tools: [{...exemplar, inputSchema: {...exemplar.inputSchema, anyOf: [{required: ['kind']}, {required: ['task']}]}}]}, right: {tools: [exemplar]}},
  // https://github.com/Softeria/ms-365-mcp-server/issues/571
  {name: 'schemas-that-point-into-themselves', from: 'Softeria/ms-365-mcp-server#571', in: ['legacy stdio', 'modern stdio'],
   what: 'lists a tool whose inputSchema has a recursive $ref to #/properties/…, and not to #/$defs/…',
   clause: 'server/tools, Tool: inputSchema, which hosts hand on to models (breaks Kimi Code and the API of Moonshot: 400, references must start with #/$defs/: the whole request is refused)',
   rules: ['schema.hosts-accept'], says: /\$ref|\$defs|reference|recurs/i,
   change: {tools: [folders()]},
   right: {tools: [folders({$ref: '#/$defs/folder'}, {folder: {type: 'object', properties: {displayName: string, childFolders: {type: 'array', items: {$ref: '#/$defs/folder'}}}}})]}},
  // https://github.com/AgentDeskAI/browser-tools-mcp/issues/239
  {name: 'tells-what-it-looks-for', from: 'AgentDeskAI/browser-tools-mcp#239', in: ['legacy stdio', 'modern stdio'],
   what: 'writes lines of text to stdout before its first message: Starting server discovery process, Will try hosts: …',
   clause: '2025-11-25 and 2026-07-28 basic/transports, stdio: the server MUST NOT write anything to its stdout that is not a valid MCP message',
   rules: ['stdio.stdout-only-mcp'], says: /stdout|no JSON|not (valid )?JSON|(no|not a) (valid )?(MCP |JSON-RPC )?message/i,
   change: {begin() {
     process.stdout.write('Starting server discovery process\nWill try hosts: 127.0.0.1, 127.0.0.1, localhost\nWill try ports: 3025, 3026, 3027, 3028, 3029\nChecking 127.0.0.1:3025...\n');
   }}},
  // https://github.com/modelcontextprotocol/python-sdk/issues/820
  {name: 'broken-by-one-bad-call', from: 'modelcontextprotocol/python-sdk#820', in: ['legacy http'],
   what: 'answers tools/call whose arguments are a text with 200 and an empty event stream, and from then on each request, of every client, with 500',
   clause: '2025-11-25 server/tools, Error Handling: malformed requests are protocol errors; JSON-RPC 2.0, 5: a response MUST be sent, but for notifications; basic/transports: the event stream SHOULD have the response to the request',
   rules: ['lifecycle.capability-failure-handled', 'versioning.server-counter-offers', 'cancellation.race-handled', 'cancellation.late-response-ignored', 'logging.invalid-level-error', 'http.sessions-side-by-side', 'security.deep-input-survived', 'security.large-input-survived'], says: /500|arguments|malformed|no (answer|response)|not answered|any ?more|no longer/i,
   change: {http(request, response, body, {server}) {
     if (!here(request)) return false;
     if (server.broken) return sent(response, 500, 'Internal Server Error', 'text/plain; charset=utf-8');
     const message = posted(request, body);
     if (!called(message) || typeof message.params?.arguments !== 'string' || !server.sessions.has(request.headers['mcp-session-id'])) return false;
     server.broken = true;
     return sent(response, 200, '', 'text/event-stream');
   }}},
  // https://github.com/vercel/mcp-handler/issues/128
  {name: 'ends-when-somebody-goes-away', from: 'vercel/mcp-handler#128', in: ['legacy http', 'modern http'],
   what: 'ends, by an unhandled rejection (Error: aborted), when a client closes the connection of a POST before it is answered',
   clause: '2025-11-25 basic/transports, Sending Messages to the Server: disconnection MAY occur at any time, and SHOULD NOT be interpreted as the client cancelling its request; 2026-07-28 basic/transports/streamable-http: closing the stream is how clients cancel a request',
   rules: [], says: /disconnect|abort|closed|closes|closing|went away|\bgone\b|ended|exit|crash|ECONNREFUSED|reach/i,
   change: {http(request, response, body) {
     const message = posted(request, body);
     if (message && message.method !== 'subscriptions/listen') {
       response.on('close', () => {
         if (response.writableFinished) return;
         console.error('Unhandled rejection\n\nError: aborted\n    at abortIncoming (node:_http_server:809:17)');
         process.exit(1);
       });
     }
     return false;
   }}},
  // https://github.com/waldzellai/waldzell-mcp/issues/44
  {name: 'contents-of-a-type-of-its-own', from: 'waldzellai/waldzell-mcp#44', in: ['legacy stdio', 'legacy http', 'modern http'],
   what: 'gives a content of the type application/json, {type: "application/json", text}',
   clause: '2025-11-25 and 2026-07-28 schema, ContentBlock: its type is text, image, audio, resource_link or resource (breaks Cline and Roo Code: invalid_union, Invalid literal value, expected "text")',
   rules: ['tools.result-content-required', 'schema.content-types-by-revision', 'schema.messages-validate'], says: /application\/json|ContentBlock|content.*type|type.*content|content[[.\/]0/i,
   change: {tools: [thought('application/json')]}, right: {tools: [thought('text')]}},
  // https://github.com/laravel/mcp/pull/286
  {name: 'headers-are-decoration', from: 'laravel/mcp#286', in: ['modern http'],
   what: 'does not look at MCP-Protocol-Version, Mcp-Method and Mcp-Name: it serves requests without them, and requests whose body says something else',
   clause: '2026-07-28 basic/transports/streamable-http, Server Validation: servers that process the body MUST reject requests whose required standard headers are missing or do not match it, with 400 Bad Request and -32020 (HeaderMismatch)',
   rules: ['http.protocol-version-mismatch-rejected', 'http.missing-version-header-rejected', 'http.missing-required-header-rejected', 'http.header-body-mismatch-rejected', 'http.header-validation-400-32020', 'http.base64-sentinel-exact', 'http.base64-decode-before-compare'], says: /Mcp-(Method|Name)|MCP-Protocol-Version|header|-32020/i,
   change: {http(request, response, body) {
     const message = posted(request, body);
     if (!isObject(message) || typeof message.method !== 'string') return false;
     const params = isObject(message.params) ? message.params : {};
     const named = {'tools/call': params.name, 'prompts/get': params.name, 'resources/read': params.uri}[message.method];
     const version = params._meta?.['io.modelcontextprotocol/protocolVersion'];
     request.headers['mcp-method'] = message.method;
     if (typeof version === 'string') request.headers['mcp-protocol-version'] = version;
     if (typeof named === 'string') request.headers['mcp-name'] = named;
     return false;
   }}},
  // https://github.com/modelcontextprotocol/python-sdk/pull/3033
  {name: 'parameters-in-headers-are-not-compared', from: 'modelcontextprotocol/python-sdk#3033', in: ['modern http'],
   what: 'lists a tool with a parameter of x-mcp-header: Region, and calls it without Mcp-Param-Region, and with one that says something else than the arguments',
   clause: '2026-07-28 basic/transports/streamable-http, Server Behavior for Custom Headers and Server Validation: servers MUST validate that the values of Mcp-Param headers, decoded, match the body, and MUST reject with 400 Bad Request and -32020 (HeaderMismatch)',
   rules: ['http.param-header-validated', 'http.param-header-missing-rejected', 'http.param-header-invalid-chars-rejected'], says: /Mcp-Param|x-mcp-header|Region|-32020/i,
   change: {tools: [weather]},
   right: {tools: [weather], http(request, response, body, {exchange}) {
     const {modern} = Object.getPrototypeOf(exchange);
     exchange.modern = message => {
       const region = message?.params?.arguments?.region;
       const header = request.headers['mcp-param-region'];
       const wanted = typeof region === 'string' ? region : undefined;
       if (called(message) && message.params?.name === weather.name && (wanted !== undefined || header !== undefined) && decoded(header) !== wanted) {
         return exchange.end(400, failed(message.id, -32020, 'Header mismatch: Mcp-Param-Region is not what the arguments say'));
       }
       return modern.call(exchange, message);
     };
     return false;
   }}},
  // https://github.com/jmrplens/gitlab-mcp-server/issues/369
  {name: 'watching-is-promised-and-refused', from: 'jmrplens/gitlab-mcp-server#369', in: ['modern http'],
   what: 'declares resources.subscribe, and refuses each subscriptions/listen that has resourceSubscriptions with -32601',
   clause: '2026-07-28 server/resources, Capabilities: subscribe: whether the client can subscribe to be notified of changes to individual resources; basic/patterns/subscriptions: the server acknowledges the notifications that it will deliver',
   rules: ['subscriptions.acknowledged-first', 'subscriptions.nothing-before-ack'], says: /subscri|listen|resourceSubscriptions|-32601|acknowledg/i,
   change: {said(message) {
     const uris = message?.params?.notifications?.resourceSubscriptions;
     return asks(message, 'subscriptions/listen') && Array.isArray(uris) && uris.length > 0 && typeof message.params?._meta?.['io.modelcontextprotocol/protocolVersion'] === 'string'
       ? failed(message.id, -32601, 'resource subscriptions are not available in stateless mode') : undefined;
   }}},
  // https://github.com/jdx/fnox/pull/727
  {name: 'tools-without-a-time-to-live', from: 'jdx/fnox#727', in: ['modern stdio', 'modern http'],
   what: 'answers tools/list without ttlMs and cacheScope',
   clause: '2026-07-28 server/utilities/caching: servers MUST include ttlMs and cacheScope in complete results of server/discover, tools/list, prompts/list, resources/list, resources/templates/list and resources/read; schema, ListToolsResult (breaks Claude Code: expected number, received undefined)',
   rules: ['caching.hints-required', 'schema.messages-validate'], says: /ttlMs|cacheScope|cach/i,
   change: {answer(made, {message}) {
     if (message?.method !== 'tools/list' || !made.result?.tools) return made;
     const {ttlMs: _, cacheScope: __, ...result} = made.result;
     return {...made, result};
   }}},
  // https://github.com/modelcontextprotocol/python-sdk/issues/1641
  {name: 'anything-is-not-acceptable', from: 'modelcontextprotocol/python-sdk#1641', in: ['legacy http', 'modern http'],
   what: 'answers requests with Accept: */* with 406',
   clause: 'RFC 9110, 12.5.1: */* indicates all media types; 15.5.7: 406 is for when there is no representation that would be acceptable (basic/transports: HTTP)',
   rules: [], says: /Accept|406|\*\/\*|wildcard/i,
   change: {http(request, response) {
     const {accept = ''} = request.headers;
     if (request.method !== 'POST' || !here(request) || !accept.includes('*/*') || /application\/json/i.test(accept)) return false;
     return sent(response, 406, failed(null, -32600, 'Not Acceptable: Client must accept application/json'));
   }}},
  // https://github.com/PrefectHQ/fastmcp/issues/4545
  {name: 'names-with-spaces-are-not-found', from: 'PrefectHQ/fastmcp#4545', in: ['legacy stdio', 'legacy http', 'modern http'],
   what: 'lists a resource with %20 in its uri, and answers resources/read of that uri with: not found',
   clause: '2025-11-25 and 2026-07-28 server/resources: resources/list: available resources; resources/read: to retrieve resource contents: each is uniquely identified by its URI',
   rules: ['base.listed-is-served'], says: /listed|not found|%20|percent|encod|cannot be read|no such resource/i,
   change: {resources: [guide], said: (message, {session}) => asks(message, 'resources/read') && message.params?.uri === guide.uri && (session.version || session.server.modern)
     ? session.noResource(message.id, guide.uri) : undefined},
   right: {resources: [guide]}},
  // https://github.com/caomengxuan666/cxxmcp/issues/51
  {name: 'all-wait-for-one', from: 'caomengxuan666/cxxmcp#51', in: ['legacy stdio', 'legacy http'],
   what: 'answers no request, of no client, initialize and ping neither, while it runs a tool',
   clause: '2025-11-25 basic/utilities/ping: the receiver MUST respond promptly; basic/transports: a server can handle multiple client connections (breaks hosts whose new session times out)',
   rules: ['jsonrpc.answers-meanwhile'], says: /while|meanwhile|block|concurren|parallel|side by side|other (client|session|request)|at once|until/i,
   change: {said(message, call) {
     if (!isObject(message) || typeof message.method !== 'string' || !('id' in message)) return undefined;
     const {server, session} = call;
     const made = (server.queue ?? Promise.resolve()).then(() => session.serve(message, call));
     server.queue = made.catch(() => {});
     return made;
   }}},
  // https://github.com/remotion-dev/remotion/issues/6275
  {name: 'its-own-results-are-refused', from: 'remotion-dev/remotion#6275', in: ['legacy stdio', 'legacy http'],
   what: 'has a tool with an outputSchema each call of which fails, with isError: Output validation error: Tool … has an output schema but no structured content was provided',
   clause: '2025-11-25 server/tools, Output Schema: if an output schema is provided, servers MUST provide structured results that conform to this schema',
   rules: ['tools.output-schema-conform'], says: /output ?schema|structured|remotion/i,
   change: {tools: [documentation(false)]}, right: {tools: [documentation(true)]}},
  // https://github.com/Automattic/mcp-wordpress-remote/issues/50 (there the server is WooCommerce 10.7.0)
  {name: 'null-where-a-number-is-promised', from: 'Automattic/mcp-wordpress-remote#50', in: ['legacy stdio', 'legacy http'],
   what: 'has a tool whose structuredContent has null where its outputSchema has an integer, and a date-time without an offset',
   clause: '2025-11-25 server/tools, Output Schema: servers MUST provide structured results that conform to this schema (breaks clients on the TypeScript SDK: -32602, data/data/0/date_created must match format "date-time", data/data/0/low_stock_amount must be integer)',
   rules: ['tools.output-schema-conform'], says: /structuredContent|structured|output ?schema|low_stock_amount|date_created|conform/i,
   change: {tools: [products({date_created: '2026-04-17T10:00:00', low_stock_amount: null})]}, right: {tools: [products({date_created: '2026-04-17T10:00:00Z', low_stock_amount: 2})]}},
  // https://github.com/hoophq/hoop/issues/1764
  {name: 'json-letter-by-letter', from: 'hoophq/hoop#1764', in: ['legacy http', 'modern http'],
   what: 'answers POST with Content-Type: application/json; charset=utf-8, or Application/JSON, with 415',
   clause: 'RFC 9110, 8.3.1: the type and subtype tokens are case-insensitive, and can be followed by parameters (basic/transports: HTTP; breaks AWS Bedrock AgentCore and what else uses Apache HttpClient)',
   rules: ['http.media-types-parsed'], says: /Content-Type|charset|415|media type/i,
   change: {http(request, response) {
     const type = request.headers['content-type'];
     if (request.method !== 'POST' || !here(request) || type === 'application/json') return false;
     return sent(response, 415, 'Content-Type must be \'application/json\'\n', 'text/plain; charset=utf-8');
   }}},
  // https://github.com/pgEdge/pgedge-postgres-mcp/issues/212
  {name: 'agrees-to-whatever-is-asked', from: 'pgEdge/pgedge-postgres-mcp#212', in: ['legacy stdio', 'legacy http'],
   what: 'answers initialize with the protocolVersion of the client, whatever that is',
   clause: '2025-11-25 basic/lifecycle, Version Negotiation: if the server supports the requested protocol version, it MUST respond with the same version; otherwise, the server MUST respond with another protocol version it supports',
   rules: ['versioning.server-counter-offers'], says: /version|revision|negotiat|protocolVersion/i,
   change: {answer: (made, {message}) => asks(message, 'initialize') && made.result
     ? {...made, result: {...made.result, protocolVersion: message.params.protocolVersion}} : made}},
  // https://github.com/confluentinc/mcp-confluent/issues/122
  {name: 'connected-already', from: 'confluentinc/mcp-confluent#122', in: ['legacy http'],
   what: 'answers initialize with 500, Already connected to a transport, while there is another session',
   clause: '2025-11-25 basic/transports, Streamable HTTP: the server operates as an independent process that can handle multiple client connections',
   rules: ['http.sessions-side-by-side'], says: /session|500|second|side by side|several|other client|multiple/i,
   change: {http(request, response, body, {server}) {
     if (!asks(posted(request, body), 'initialize') || server.sessions.size === 0) return false;
     return sent(response, 500, {statusCode: 500, error: 'Internal Server Error',
       message: 'Already connected to a transport. Call close() before connecting to a new transport, or use a separate Protocol instance per connection.'});
   }}},
  // https://github.com/joshrotenberg/tower-mcp/issues/802
  {name: 'errors-of-nobody', from: 'joshrotenberg/tower-mcp#802', in: ['legacy stdio', 'legacy http'],
   what: 'leaves id out of its errors where it is null, as when a line is no JSON',
   clause: 'JSON-RPC 2.0, 5, Response object: id: this member is REQUIRED; if there was an error in detecting the id, it MUST be Null (2025-06-18 schema, JSONRPCError: id is required; breaks rmcp)',
   rules: [], says: /\bid\b|null/i,
   change: {text(json, message) {
     if (!message?.error || message.id !== null) return json;
     const {id: _, ...rest} = message;
     return JSON.stringify(rest);
   }}},
  // https://github.com/XBP-Europe/sagemath-mcp/pull/66
  {name: 'numbers-without-end', from: 'XBP-Europe/sagemath-mcp#66', in: ['legacy stdio', 'legacy http', 'modern stdio'],
   what: 'writes -Infinity and NaN, which is no JSON, where the result of a tool is no finite number, as the logarithm of 0 and of -1',
   clause: '2025-11-25 and 2026-07-28 basic, Messages: all messages MUST follow JSON-RPC 2.0, which is JSON; RFC 8259, 6: numeric values such as Infinity and NaN are not permitted',
   rules: ['jsonrpc.conforms-to-2-0'], says: /(no|not|invalid|valid) JSON|JSON.*(invalid|valid)|Infinity|NaN|finite|pars(e|ing)/i,
   change: {tools: [logarithm(value => `@@${value}`)], text: json => json.replace(/"@@(NaN|-?Infinity)"/g, '$1')},
   right: {tools: [logarithm(String)]}},
  // https://github.com/hahwul/gori/pull/630
  {name: 'what-is-no-text-was-not-given', from: 'hahwul/gori#630', in: ['legacy stdio', 'modern stdio'],
   what: 'takes an argument that is to be a text, and is none, as method: 123, for one that was not given, and does what it does without, as if all were well',
   clause: '2025-11-25 and 2026-07-28 server/tools, Security Considerations: servers MUST validate all tool inputs; Error Handling: input validation errors are tool execution errors, with isError: true',
   rules: ['tools.inputs-validated'], says: /validat|argument|schema|wrong type|of the type|must be a string/i,
   change: {tools: [effective], said(message) {
     const given = called(message) && message.params?.name === effective.name ? message.params.arguments : undefined;
     if (isObject(given)) for (const name of ['url', 'method']) if (typeof given[name] !== 'string') delete given[name];
   }}, right: {tools: [effective]}},
  // https://github.com/mcp-use/mcp-use/pull/2159
  {name: 'no-is-not-an-answer', from: 'mcp-use/mcp-use#2159', in: ['modern stdio', 'modern http'],
   what: 'asks the same again, by input_required, when the user has declined or cancelled',
   clause: '2026-07-28 client/elicitation, Error Handling and Response Actions: servers MUST handle decline and cancel: decline: handle explicit decline (e.g., offer alternatives); cancel: handle dismissal (e.g., prompt again later)',
   rules: ['elicitation.decline-cancel-handled'], says: /declin|cancel|again|input_required|elicit/i,
   change: {tools: [{name: 'ask_name', description: 'Asks for your name', inputSchema: {type: 'object', properties: {}, additionalProperties: false}, annotations: {readOnlyHint},
     async run(_, call) {
       const question = ['who', 'Who are you?', {type: 'object', properties: {name: string}, required: ['name']}];
       const answer = await call.ask(...question);
       if (!answer) return undefined;
       if (answer.action !== 'accept') {
         const {inputResponses: __, ...params} = call.message.params;
         call.message = {...call.message, params};
         return call.ask(...question);
       }
       const name = answer.content?.name;
       return typeof name === 'string' ? say(`Hello ${name}`) : say('A name must be a string', {isError: true});
     }}]}},
];
