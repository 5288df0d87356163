// More of servers.mjs, taken as they came by somebody who has not seen the judge. `clause`: what the specification says.

import {current, failed, isObject, meta, say} from './peers/server.mjs';

const called = message => message?.method === 'tools/call' && 'id' in message;
const readOnlyHint = true;
const string = {type: 'string'};
const closed = {type: 'object', properties: {}, additionalProperties: false};
const parse = text => { try { return JSON.parse(text); } catch { return undefined; } };
const here = request => new URL(request.url, 'http://here').pathname === '/mcp';
function sent(response, status, value) {
  response.writeHead(status, value === undefined ? {} : {'Content-Type': 'application/json'});
  response.end(value === undefined ? undefined : JSON.stringify(value));
  return true;
}
// loads is a tool that makes another one known, and then does `after`.
const loads = (name, other, after) => ({name, description: 'Loads the tools of an integration', inputSchema: closed,
  annotations: {readOnlyHint: false, destructiveHint: false, idempotentHint: true},
  run(_, call) {
    const {server} = call;
    if (!server.tools.some(tool => tool.name === other)) {
      server.tools.push({name: other, description: 'Lists the issues of the integration', inputSchema: closed, annotations: {readOnlyHint}, run: () => say('No issues')});
      after(call);
    }
    return say('loaded');
  }});

export const cases = [
  // https://github.com/api-platform/core/issues/8428
  {name: 'resources-are-results-of-tools', from: 'api-platform/core#8428', in: ['legacy stdio', 'legacy http', 'modern http'],
   what: 'answers resources/read with what a tool would give, {content, structuredContent}, and no contents',
   rules: ['resources.contents-shape', 'schema.messages-validate'], clause: '2025-11-25 and 2026-07-28 schema, ReadResourceResult: contents is a required array of TextResourceContents or BlobResourceContents',
   says: /contents|ReadResourceResult|resources\/read/i,
   change: {answer(made, {message}) {
     if (message?.method !== 'resources/read' || !made.result) return made;
     const {contents, ...rest} = made.result;
     return {...made, result: {...rest, content: [{type: 'text', text: JSON.stringify({text: contents[0].text})}], isError: false, structuredContent: {text: contents[0].text}}};
   }}},
  // https://github.com/zoedsoupe/anubis-mcp/issues/148
  {name: 'subscribe-in-name-alone', from: 'zoedsoupe/anubis-mcp#148', in: ['legacy stdio', 'legacy http'],
   what: 'declares resources.subscribe, and answers resources/subscribe and resources/unsubscribe with -32601',
   rules: ['resources.updated-after-subscribe'], clause: '2025-11-25 server/resources, Capabilities: subscribe: whether the client can subscribe to be notified of changes to individual resources; basic/lifecycle, Capability Negotiation: subscribe: support for subscribing to individual items\' changes',
   says: /subscri|capabilit|-32601/i,
   change: {said: message => ['resources/subscribe', 'resources/unsubscribe'].includes(message?.method) && 'id' in message
     ? failed(message.id, -32601, 'Method not found') : undefined}},
  // https://github.com/OpenDigitalProductFactory/opendigitalproductfactory/pull/705
  {name: 'its-latest-for-everybody', from: 'OpenDigitalProductFactory/opendigitalproductfactory#705', in: ['legacy http'],
   what: 'answers each initialize with 2025-11-25, also when it is asked for 2025-06-18 or 2025-03-26, which it serves (it takes both in MCP-Protocol-Version)',
   rules: ['versioning.server-echoes-supported'], clause: '2025-11-25 basic/lifecycle, Version Negotiation: if the server supports the requested protocol version, it MUST respond with the same version (breaks Claude Code, which gives up)',
   says: /version|revision|negotiat/i,
   change: {answer(made, {message, session}) {
     if (message?.method !== 'initialize' || !made.result) return made;
     session.version = '2025-11-25';
     return {...made, result: {...made.result, protocolVersion: '2025-11-25'}};
   }}},
  // https://github.com/ramimbo/mergework/pull/848
  {name: 'initialize-is-an-unknown-method', from: 'ramimbo/mergework#848', in: ['legacy http', 'legacy stdio'],
   what: 'answers initialize with -32601, and tools/list and all else without it',
   rules: ['lifecycle.server-answers-initialize'], clause: '2025-11-25 basic/lifecycle, Initialization: the initialization phase MUST be the first interaction; the server MUST respond with its own capabilities and information',
   says: /initializ|handshake|-32601/i,
   change: (() => { let one; return {
     begin(server) {
       const get = server.sessions.get.bind(server.sessions);
       server.sessions.get = name => get(name) ?? one;
     },
     said(message, {session}) {
       if (message?.method !== 'initialize' || !('id' in message)) return undefined;
       one ??= session;
       session.version = '2025-11-25';
       return failed(message.id, -32601, 'unknown method');
     }}; })()},
  // https://github.com/ian-cowley/MCPSqlServer/pull/3
  {name: 'capabilities-and-no-more', from: 'ian-cowley/MCPSqlServer#3', in: ['legacy stdio', 'legacy http'],
   what: 'answers initialize without protocolVersion and serverInfo',
   rules: ['lifecycle.server-answers-initialize'], clause: '2025-11-25 schema, InitializeResult: protocolVersion, capabilities and serverInfo are required (breaks Windsurf: Failed to initialize server)',
   says: /protocolVersion|serverInfo|InitializeResult/i,
   change: {answer(made, {message}) {
     if (message?.method !== 'initialize' || !made.result) return made;
     const {protocolVersion, serverInfo, ...result} = made.result;
     return {...made, result};
   }}},
  // https://github.com/strowk/mcp-k8s-go/issues/40
  {name: 'a-revision-of-its-own', from: 'strowk/mcp-k8s-go#40', in: ['legacy stdio'],
   what: 'answers initialize with the protocolVersion 2024-10-07, which was never published, whatever it is asked for',
   rules: ['versioning.server-counter-offers'], clause: '2025-11-25 basic/lifecycle, Version Negotiation: the same version if it supports it, otherwise another protocol version it supports; the protocol versions are those of the specification, and 2024-10-07 is none of them (breaks the sample client: Unsupported protocol version from the server)',
   says: /version|revision|2024-10-07/i,
   change: {answer: (made, {message}) => message?.method === 'initialize' && made.result ? {...made, result: {...made.result, protocolVersion: '2024-10-07'}} : made}},
  // https://github.com/Xyna-Factory/xyna-factory/issues/2585
  {name: 'errors-are-not-closed', from: 'Xyna-Factory/xyna-factory#2585', in: ['legacy http', 'legacy stdio'],
   what: 'writes errors without their last bracket, which is no JSON',
   rules: ['http.response-content-type', 'stdio.stdout-only-mcp'], clause: '2025-11-25 basic: all messages MUST follow the JSON-RPC 2.0 specification; basic/transports, stdio: the server MUST NOT write anything to its stdout that is not a valid MCP message; Streamable HTTP: Content-Type: application/json, to return one JSON object',
   says: /JSON|parse|bracket|malformed|stdout/i,
   change: {text: (json, message) => message?.error ? json.slice(0, -1) : json}},
  // https://github.com/modelcontextprotocol/java-sdk/issues/991
  {name: 'completes-for-prompts-alone', from: 'modelcontextprotocol/java-sdk#991', in: ['legacy stdio', 'legacy http', 'modern stdio'],
   what: 'declares completions, and answers completion/complete for the resource template that it lists with -32602',
   rules: ['completion.listed-is-served'], clause: '2025-11-25 and 2026-07-28 server/utilities/completion, Reference Types: ref/prompt and ref/resource; Error Handling: -32602 is for an invalid prompt name and missing arguments; Response: completion.values, of up to 100 (breaks the MCP Inspector: an error at each key)',
   says: /complet|-32602/i,
   change: {said: message => message?.method === 'completion/complete' && 'id' in message && message.params?.ref?.type === 'ref/resource'
     ? failed(message.id, -32602, 'AsyncCompletionSpecification not found: ResourceReference') : undefined}},
  // https://github.com/loonghao/pypi-query-mcp-server/issues/77
  {name: 'prompts-that-want-lists', from: 'loonghao/pypi-query-mcp-server#77', in: ['legacy stdio', 'legacy http', 'modern stdio'],
   what: 'has a prompt whose argument has to be a list, and refuses every text',
   rules: ['prompts.argument-values-strings'], clause: '2025-11-25 and 2026-07-28 schema, GetPromptRequestParams: arguments is {[key: string]: string}: there is no other way to give it',
   says: /prompt|argument|string/i,
   change: {prompts: [{name: 'compare_packages', description: 'Compares packages of PyPI', arguments: [{name: 'packages', description: 'The packages to compare', required: true}]}],
     said: message => message?.method === 'prompts/get' && 'id' in message && message.params?.name === 'compare_packages' && !Array.isArray(message.params.arguments?.packages)
       ? failed(message.id, -32602, 'packages: Input should be a valid list') : undefined}},
  // https://github.com/auth0/auth0-mcp-server/issues/161
  {name: 'speaks-before-it-is-asked', from: 'auth0/auth0-mcp-server#161', in: ['legacy stdio'],
   what: 'sends notifications/message as it starts, before a client has sent initialize',
   rules: [], clause: '2025-11-25 basic/lifecycle, Initialization: the initialization phase MUST be the first interaction between client and server; Operation: both parties MUST only use capabilities that were successfully negotiated (breaks strict stdio clients)',
   says: /initializ|before|first|notifications\/message|log/i,
   change: {begin() {
     const data = 'Auth0 MCP Server version 0.1.0-beta.12 running on stdio with 21/21 tools available';
     process.stdout.write(`${JSON.stringify({method: 'notifications/message', params: {level: 'info', data}, jsonrpc: '2.0'})}\n`);
   }}},
  // https://github.com/veryfront/veryfront-code/issues/844
  {name: 'lists-change-without-a-word', from: 'veryfront/veryfront-code#844', writes: true, in: ['legacy stdio', 'legacy http'],
   what: 'declares tools.listChanged, has one tool more after load_integration was called, and tells nobody',
   rules: ['tools.list-changed-notification'], clause: '2025-11-25 server/tools, Capabilities: listChanged indicates whether the server will emit notifications when the list changes; List Changed Notification: servers that declared it SHOULD send a notification when the list of available tools changes',
   says: /list_?changed|notif|tools\/list/i,
   change: {capabilities: all => ({...all, tools: {listChanged: true}}), tools: [loads('load_integration', 'list_issues', () => {})]}},
  // https://github.com/laravel/mcp/pull/135
  {name: 'params-that-are-an-empty-list', from: 'laravel/mcp#135', writes: true, in: ['legacy stdio', 'legacy http'],
   what: 'sends notifications/tools/list_changed with "params": []',
   rules: ['jsonrpc.params-by-name', 'schema.messages-validate'], clause: '2025-11-25 basic, Notifications, and schema, JSONRPCNotification: params is an object, {[key: string]: unknown} (breaks the MCP Inspector)',
   says: /params|object|array|schema/i,
   change: {capabilities: all => ({...all, tools: {listChanged: true}}),
     tools: [loads('enable_issues', 'find_issues', call => call.tell({jsonrpc: '2.0', method: 'notifications/tools/list_changed', params: []}))]}},
  // https://github.com/lightpanda-io/browser/pull/2683
  {name: 'pings-come-back-as-lists', from: 'lightpanda-io/browser#2683', in: ['legacy stdio', 'legacy http'],
   what: 'answers ping with "result": []',
   rules: ['ping.empty-result', 'jsonrpc.result-is-object'], clause: '2025-11-25 basic/utilities/ping, Behavior Requirements: the receiver MUST respond promptly with an empty response, "result": {}; schema, EmptyResult: a result is an object (breaks the keep-alive of the Go SDK)',
   says: /ping|result|object|array/i,
   change: {answer: (made, {message}) => message?.method === 'ping' && made.result ? {...made, result: []} : made}},
  // https://github.com/logiscape/mcp-sdk-php/issues/1
  {name: 'experiments-in-a-list', from: 'logiscape/mcp-sdk-php#1', in: ['legacy stdio', 'legacy http'],
   what: 'declares "experimental": [] among its capabilities',
   rules: ['schema.messages-validate'], clause: '2025-11-25 schema, ServerCapabilities: experimental is an object, {[key: string]: object} (breaks the MCP Inspector: expected object, received array)',
   says: /experimental|capabilit|object|array/i,
   change: {capabilities: all => ({experimental: [], ...all})}},
  // https://github.com/supabase/mcp/issues/400
  {name: 'living-sessions-not-found-to-end', from: 'supabase/mcp#400', in: ['legacy http'],
   what: 'answers DELETE of a session that it serves with 404, and serves it still',
   rules: ['http.session-delete-accepted-or-405'], clause: '2025-11-25 basic/transports, Session Management: 404 is for a session that was terminated; DELETE ends one, to which the server MAY respond with 405 when clients may not terminate sessions (breaks rmcp: fail to delete session)',
   says: /DELETE|terminat|404|session/i,
   change: {http: (request, response, body, {server}) => request.method === 'DELETE' && here(request) && server.sessions.has(request.headers['mcp-session-id'])
     ? sent(response, 404, failed(null, -32001, 'Session not found')) : false}},
  // https://github.com/modelcontextprotocol/ruby-sdk/pull/261
  {name: 'ends-sessions-it-has-not-got', from: 'modelcontextprotocol/ruby-sdk#261', in: ['legacy http'],
   what: 'answers DELETE of a session that it does not know, or that has been ended, with 200',
   rules: ['http.session-ended-404'], clause: '2025-11-25 basic/transports, Session Management: after a session is terminated it MUST respond to requests containing that session ID with 404 Not Found',
   says: /DELETE|404|session/i,
   change: {http(request, response, body, {server}) {
     const named = request.headers['mcp-session-id'];
     return request.method === 'DELETE' && here(request) && named !== undefined && !server.sessions.has(named) ? sent(response, 200, {success: true}) : false;
   }}},
  // https://github.com/breaking-brake/cc-wf-studio/pull/624
  {name: 'from-wherever-they-come', from: 'breaking-brake/cc-wf-studio#624', in: ['legacy http', 'modern http'],
   what: 'serves requests with any Origin and any Host on a loopback address',
   rules: ['http.origin-validated', 'http.origin-invalid-403', 'security.rebinding-refused'], clause: '2025-11-25 basic/transports and 2026-07-28 basic/transports/streamable-http, Security Warning: servers MUST validate the Origin header on all incoming connections; if it is present and invalid, they MUST respond with 403 Forbidden',
   says: /origin|host|rebinding|403/i,
   change: {http(request) {
     delete request.headers.origin;
     request.headers.host = 'localhost';
     return false;
   }}},
  // https://github.com/MemPalace/mempalace/pull/1060
  {name: 'ascii-or-internal-error', from: 'MemPalace/mempalace#1060', in: ['legacy stdio'],
   what: 'answers calls whose arguments have a letter that is not ASCII with -32000, Internal tool error',
   rules: ['tools.valid-arguments-taken'], clause: '2025-11-25 basic/transports: JSON-RPC messages MUST be UTF-8 encoded; server/tools: arguments that conform to inputSchema are taken',
   says: /UTF-8|unicode|ascii|encod|character|-32000|argument/i,
   change: {said: message => called(message) && /[^\x00-\x7f]/.test(JSON.stringify(message.params?.arguments ?? {}))
     ? failed(message.id, -32000, 'Internal tool error') : undefined}},
  // https://github.com/simonlin1212/Vibe-Research/issues/27
  {name: 'writes-in-its-code-page', from: 'simonlin1212/Vibe-Research#27', in: ['legacy stdio', 'modern stdio'],
   what: 'writes its messages in the code page of the machine, not in UTF-8',
   rules: ['base.utf8-encoding', 'stdio.stdout-only-mcp'], clause: '2025-11-25 basic/transports and 2026-07-28 basic/transports: JSON-RPC messages MUST be UTF-8 encoded',
   says: /UTF-8|encod|byte|character|unicode|JSON/i,
   change: {tools: [{name: 'query_news', description: 'The news of today', inputSchema: closed, annotations: {readOnlyHint}, run: () => say('Münchner Café öffnet: 3 000 Gäste')}],
     text: json => Buffer.from(json, 'latin1')}},
  // https://github.com/Quantum3-Labs/ARBuilder/pull/2
  {name: 'answers-without-an-envelope', from: 'Quantum3-Labs/ARBuilder#2', in: ['legacy stdio'],
   what: 'writes results and errors as they are, without jsonrpc and id around them',
   rules: ['jsonrpc.version-is-2.0', 'jsonrpc.conforms-to-2-0', 'jsonrpc.response-result-xor-error'], clause: '2025-11-25 basic, Responses, and schema, JSONRPCResultResponse: jsonrpc, id and result are required; the same ID as the request they correspond to (breaks clients: Missing required fields: jsonrpc, id)',
   says: /jsonrpc|\bid\b|envelope|respon|message|valid/i,
   change: {answer: made => Array.isArray(made) ? made : made.error ? {error: made.error} : made.result}},
  // https://github.com/coder/coder/pull/29051
  {name: 'failures-of-tools-are-errors-of-the-protocol', from: 'coder/coder#29051', in: ['legacy stdio', 'legacy http', 'modern http'],
   what: 'answers a call whose tool fails (no such workspace) with -32603 instead of a result',
   rules: ['tools.execution-error-in-result'], clause: '2025-11-25 and 2026-07-28 server/tools, Error Handling: API failures and business logic errors are tool execution errors, in results with isError: true; schema, CallToolResult: any errors that originate from the tool SHOULD be reported inside the result object, not as an MCP protocol-level error',
   says: /isError|-32603|tool|execution/i,
   change: {tools: [{name: 'show_workspace', description: 'Shows a workspace, by its name', inputSchema: {type: 'object', properties: {workspace: string}, required: ['workspace']}, annotations: {readOnlyHint},
     run: ({workspace}, call) => workspace === 'main' ? say('main: running') : failed(call.message.id, -32603, workspace === '' ? 'workspace name cannot be empty' : `workspace ${workspace} not found`)}]}},
  // https://github.com/NetApp/netapp-dataops-toolkit/issues/38
  {name: 'names-with-blanks', from: 'NetApp/netapp-dataops-toolkit#38', in: ['legacy stdio', 'legacy http', 'modern http'],
   what: 'has a tool that is named "List CIFS Shares", with blanks',
   rules: ['tools.name-charset'], clause: '2025-11-25 and 2026-07-28 server/tools, Tool Names: tool names SHOULD NOT contain spaces, commas, or other special characters (breaks Claude Desktop, which loads none of the tools)',
   says: /name|space|blank|character/i,
   change: {tools: [{name: 'List CIFS Shares', description: 'Lists the shares', inputSchema: closed, annotations: {readOnlyHint}, run: () => say('share1, share2')}]}},
  // https://github.com/cognizant-ai-lab/neuro-san/issues/1341
  {name: 'null-among-the-tools', from: 'cognizant-ai-lab/neuro-san#1341', in: ['legacy http', 'legacy stdio', 'modern http'],
   what: 'has null for a tool at the end of tools/list',
   rules: ['schema.messages-validate', 'tools.input-schema-valid', 'tools.definition-required-fields'], clause: '2025-11-25 and 2026-07-28 schema, ListToolsResult: tools is an array of Tool, which is an object',
   says: /null|tools\/list|Tool\b|object/i,
   change: {answer: (made, {message}) => message?.method === 'tools/list' && made.result?.tools && made.result.nextCursor === undefined
     ? {...made, result: {...made.result, tools: [...made.result.tools, null]}} : made}},
  // https://github.com/kenn-io/msgvault/issues/626
  {name: 'output-of-null-or-array', from: 'kenn-io/msgvault#626', in: ['legacy http', 'legacy stdio'],
   what: 'lists a tool whose outputSchema has the type ["null", "array"], and gives such structuredContent',
   rules: ['tools.structured-content-object', 'schema.messages-validate'], clause: '2025-11-25 schema, Tool: the type of outputSchema is the literal "object"; CallToolResult: structuredContent is an object (breaks the TypeScript SDK, which takes none of the tools)',
   says: /outputSchema|structuredContent|object|type/i,
   change: {tools: [{name: 'aggregate', description: 'Counts messages by sender', inputSchema: closed, annotations: {readOnlyHint},
     outputSchema: {type: ['null', 'array'], items: {type: 'object', properties: {key: string, count: {type: 'integer'}}, required: ['key', 'count']}},
     run: () => ({...say('[{"key":"ann","count":3}]'), structuredContent: [{key: 'ann', count: 3}]})}]}},
  // https://github.com/webstudio-is/webstudio/issues/6009
  {name: 'schemas-that-say-nothing', from: 'webstudio-is/webstudio#6009', in: ['legacy stdio', 'modern stdio'],
   what: 'lists a tool whose parameters have the schema {}, and refuses what is no number and no boolean',
   rules: ['tools.valid-arguments-taken'], clause: '2025-11-25 and 2026-07-28 server/tools, Data Types: inputSchema is the JSON Schema that defines the expected parameters: what conforms to it is taken',
   says: /inputSchema|schema|argument|parameter|type/i,
   // `lax`, which is not listed: the tool itself looks at what it is given.
   change: {tools: [Object.defineProperty({name: 'list_pages', description: 'Lists the pages of the project', annotations: {readOnlyHint},
     inputSchema: {type: 'object', properties: {limit: {}, verbose: {}}, required: ['limit', 'verbose'], additionalProperties: false},
     run(given) {
       const extra = Object.keys(given).find(name => !['limit', 'verbose'].includes(name));
       if (extra) return say(`${extra}: Unrecognized key`, {isError: true});
       for (const [name, type] of [['limit', 'number'], ['verbose', 'boolean']]) {
         if (typeof given[name] !== type) return say(`${name}: Invalid input: expected ${type}, received ${typeof given[name]}`, {isError: true});
       }
       return say('home, about');
     }}, 'lax', {value: true})]}},
  // https://github.com/joshrotenberg/tower-mcp/issues/458
  {name: 'not-ready-though-it-says-so', from: 'joshrotenberg/tower-mcp#458', in: ['legacy http'],
   what: 'refuses requests with -32600, Session not initialized, for a while after it has answered initialize and taken notifications/initialized with 202',
   rules: ['versioning.accepted-is-served'], clause: '2025-11-25 basic/lifecycle, Initialization: after successful initialization the client MUST send an initialized notification to indicate that it is ready to begin normal operations; Operation: the two exchange messages',
   says: /initializ|-32600|session|ready/i,
   change: (() => { const since = new WeakMap; return {said(message, {session}) {
     if (message?.method === 'initialize') since.set(session, Date.now());
     return 'id' in (message ?? {}) && typeof message.method === 'string' && !['initialize', 'ping', 'tools/list'].includes(message.method) && Date.now() - since.get(session) < 300
       ? failed(message.id, -32600, 'Session not initialized') : undefined;
   }}; })()},
  // https://github.com/platformatic/mcp/pull/170
  {name: 'headers-alone-are-not-modern', from: 'platformatic/mcp#170', in: ['modern http'],
   what: 'serves requests with MCP-Protocol-Version: 2026-07-28 whose body has no protocolVersion in _meta, and does not look at their Mcp-Method and Mcp-Name: it calls one tool when the header names another',
   rules: ['lifecycle.missing-meta-rejected'], clause: '2026-07-28 basic/transports/streamable-http, Server Validation: servers MUST reject requests where the values in the headers do not match those in the body, 400 and -32020; basic, _meta: protocolVersion and clientCapabilities are required in every request',
   says: /_meta|protocolVersion|Mcp-Name|Mcp-Method|header|-32020/i,
   change: {http(request, response, body, {exchange}) {
     const message = request.method === 'POST' && here(request) ? parse(body) : undefined;
     if (!isObject(message) || typeof message.method !== 'string' || !('id' in message) || message.method === 'initialize') return false;
     const params = isObject(message.params) ? message.params : {};
     if (request.headers['mcp-protocol-version'] !== current || params._meta?.[`${meta}protocolVersion`] !== undefined) return false;
     const named = {'tools/call': params.name, 'prompts/get': params.name, 'resources/read': params.uri}[message.method];
     exchange.header = {...request.headers, 'mcp-method': message.method, ...named === undefined ? {} : {'mcp-name': named}};
     const _meta = {[`${meta}clientCapabilities`]: {}, ...params._meta, [`${meta}protocolVersion`]: current};
     return exchange.modern({...message, params: {...params, _meta}}).then(() => true);
   }}},
];
