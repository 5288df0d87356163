// More of servers.mjs, taken as they came by somebody who has not seen the judge. `clause`: what the specification says.

import {PassThrough} from 'node:stream';

import {failed, isObject, say} from './peers/server.mjs';

const called = message => message?.method === 'tools/call' && 'id' in message;
const asks = (message, method) => message?.method === method && 'id' in message;
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
// What is no request, though it has an id: what is truthy and of another type where a text or an object must be.
const odd = message => {
  if (!isObject(message) || !('id' in message) || 'result' in message || 'error' in message) return false;
  const {method, params} = message;
  if (method && typeof method !== 'string' || params && !isObject(params)) return true;
  return method === 'tools/call' && Boolean(params?.arguments && !isObject(params.arguments) || params?.name && typeof params.name !== 'string');
};
const letters = [...'abcdefghijklmnopqrstuvwxyz'];
const many = letters.slice(0, 6).flatMap(one => letters.map(other => `${one}${other}`));
const methods = ['initialize', 'ping', 'tools/list', 'tools/call', 'resources/list', 'resources/templates/list', 'resources/read', 'resources/subscribe',
                 'resources/unsubscribe', 'prompts/list', 'prompts/get', 'logging/setLevel'];

export const cases = [
  // https://github.com/chaosxingxc-orion/spring-ai-ascend/issues/366
  {name: 'initialized-is-a-server-error', from: 'chaosxingxc-orion/spring-ai-ascend#366', in: ['legacy http'],
   what: 'answers notifications, notifications/initialized too, with 500, Internal Server Error',
   rules: ['http.notification-202'], clause: '2025-11-25 basic/transports, Sending Messages to the Server: a notification that is accepted MUST be answered with 202 Accepted and no body; basic/lifecycle, Initialization: the client MUST send an initialized notification (breaks the runtime of the agents)',
   says: /500|202|notif|initialized/i,
   change: {http(request, response, body) {
     const message = request.method === 'POST' && here(request) ? parse(body) : undefined;
     if (!isObject(message) || typeof message.method !== 'string' || 'id' in message) return false;
     return sent(response, 500, {timestamp: '2026-06-25T08:00:00.000+00:00', status: 500, error: 'Internal Server Error', path: '/mcp'});
   }}},
  // https://github.com/mcp-use/mcp-use/issues/114
  {name: 'messages-to-an-editor', from: 'mcp-use/mcp-use#114', in: ['legacy stdio'],
   what: 'sends window/logMessage, a notification of another protocol, while it answers initialize and calls',
   rules: ['jsonrpc.notifications-known'], clause: '2025-11-25 schema, ServerNotification: what a server may send are cancelled, progress, message, resources/updated, the list_changed ones, elicitation/complete and tasks/status; window/logMessage is none of them (breaks the Python SDK: validation errors, Connection closed)',
   says: /window\/logMessage|notif|method|unknown/i,
   change: {said(message, call) {
     if (asks(message, 'initialize') || called(message)) call.tell({jsonrpc: '2.0', method: 'window/logMessage', params: {type: 3, message: `Handling ${message.method}`}});
   }}},
  // https://github.com/anthropics/claude-code/issues/44364
  {name: 'required-is-null', from: 'anthropics/claude-code#44364', in: ['legacy stdio', 'legacy http', 'modern http'],
   what: 'lists a tool whose inputSchema has "required": null',
   rules: ['tools.input-schema-valid', 'schema.schemas-valid'], clause: '2025-11-25 schema, Tool: inputSchema.required is an array of strings, or not there; 2025-11-25 and 2026-07-28 basic, JSON Schema Usage: schemas MUST be valid according to their dialect, in which required is an array (breaks Claude Code, which drops all tools)',
   says: /required|inputSchema|null|array/i,
   change: {tools: [{name: 'list_projects', description: 'Lists the projects', annotations: {readOnlyHint}, run: () => say('home, work'),
     inputSchema: {type: 'object', properties: {filter: string}, required: null}}]}},
  // https://github.com/kintone/mcp-server/pull/463
  {name: 'settings-on-stdout', from: 'kintone/mcp-server#463', in: ['legacy stdio', 'modern stdio'],
   what: 'writes an object, as console.log shows it, to stdout each time one of its tools is called',
   rules: ['stdio.stdout-only-mcp'], clause: '2025-11-25 and 2026-07-28 basic/transports, stdio: the server MUST NOT write anything to its stdout that is not a valid MCP message (breaks Claude Desktop: Invalid JSON-RPC message)',
   says: /stdout|JSON|valid MCP message|no message/i,
   change: {tools: [{name: 'get_general_settings', description: 'The general settings of the app', inputSchema: closed, annotations: {readOnlyHint},
     run() {
       process.stdout.write("{\n  name: 'notes',\n  description: '',\n  icon: { type: 'PRESET', key: 'APP72' }\n}\n");
       return say('notes: APP72');
     }}]}},
  // https://github.com/kud/mcp-jenkins/issues/6
  {name: 'logs-of-json', from: 'kud/mcp-jenkins#6', in: ['legacy stdio', 'modern stdio'],
   what: 'writes its log to stdout, at its start and at each call: lines of JSON, {level, msg, time}, that are no messages',
   rules: ['stdio.stdout-only-mcp'], clause: '2025-11-25 and 2026-07-28 basic/transports, stdio: the server MUST NOT write anything to its stdout that is not a valid MCP message; basic, Messages: all messages MUST follow JSON-RPC 2.0 (breaks Claude Code, which disconnects)',
   says: /stdout|JSON|valid MCP message|no message/i,
   change: (() => {
     const log = (msg, fields) => process.stdout.write(`${JSON.stringify({level: 'info', msg, time: new Date().toISOString(), ...fields})}\n`);
     return {begin: () => void log('Jenkins MCP server running on stdio'),
       said(message) { if (called(message)) log('Calling a tool', {fields: {tool: message.params?.name}}); }};
   })()},
  // https://github.com/WordPress/mcp-adapter/issues/51
  {name: 'structure-promised-and-not-given', from: 'WordPress/mcp-adapter#51', in: ['legacy http', 'legacy stdio', 'modern http'],
   what: 'lists a tool with an outputSchema, and gives it as text alone, without structuredContent',
   rules: ['tools.output-schema-conform'], clause: '2025-11-25 and 2026-07-28 server/tools, Output Schema: if an output schema is provided, servers MUST provide structured results that conform to this schema (breaks the TypeScript SDK: has an output schema but did not return structured content)',
   says: /structuredContent|structured|outputSchema|output schema/i,
   change: {tools: [{name: 'get_site', description: 'The title and the language of the site', inputSchema: closed, annotations: {readOnlyHint},
     outputSchema: {type: 'object', properties: {title: string, language: string}, required: ['title', 'language']},
     run: () => say(JSON.stringify({title: 'Notes', language: 'en'}))}]}},
  // https://github.com/github/github-mcp-server/issues/887
  {name: 'prompts-by-a-system', from: 'github/github-mcp-server#887', in: ['legacy stdio', 'legacy http', 'modern stdio'],
   what: 'gives prompts whose first message has the role system',
   rules: ['prompts.result-shape'], clause: '2025-11-25 and 2026-07-28 server/prompts, PromptMessage, and schema, Role: either "user" or "assistant" (breaks the MCP Inspector: Invalid enum value)',
   says: /role|system|PromptMessage|prompt/i,
   change: {answer: (made, {message}) => message?.method === 'prompts/get' && made.result?.messages
     ? {...made, result: {...made.result, messages: [{role: 'system', content: {type: 'text', text: 'You are a helpful assistant for notes.'}}, ...made.result.messages]}} : made}},
  // https://github.com/voska/hass-mcp/issues/35
  {name: 'prompts-that-never-render', from: 'voska/hass-mcp#35', in: ['legacy stdio', 'legacy http'],
   what: 'lists prompts, and answers prompts/get of each, with all its arguments, with the error 0, Could not convert prompt result to message',
   rules: ['base.listed-is-served'], clause: '2025-11-25 server/prompts, Getting a Prompt: the answer has messages; Error Handling: -32602 for an invalid name and missing arguments, -32603 for internal errors: a prompt that is listed and whose arguments are given can be had',
   says: /prompt|error|code|-3260/i,
   change: {answer: (made, {message}) => message?.method === 'prompts/get' && made.result
     ? failed(made.id, 0, `Error rendering prompt ${message.params.name}: Could not convert prompt result to message: {'role': 'system', 'content': 'You are an assistant.'}`) : made}},
  // https://github.com/contentful/contentful-mcp-server/issues/129
  {name: 'arrays-of-nothing-said', from: 'contentful/contentful-mcp-server#129', in: ['legacy stdio', 'modern stdio'],
   what: 'lists a tool one of whose parameters is an array of which its inputSchema does not say what is in it: there is no items',
   rules: ['schema.hosts-accept'], clause: '2025-11-25 and 2026-07-28 server/tools, Data Types: inputSchema is the JSON Schema that defines the expected parameters; breaks VS Code with GitHub Copilot, which does not load the tool: tool parameters array type must have items',
   says: /items|array|inputSchema/i,
   change: {tools: [{name: 'create_ai_action', description: 'Drafts an AI action', annotations: {readOnlyHint}, run: () => say('drafted'),
     inputSchema: {type: 'object', properties: {name: string, conditions: {type: 'array', description: 'The conditions'}}, required: ['name']}}]}},
  // https://github.com/ProxymanApp/Proxyman/issues/2727
  {name: 'outlives-its-client', from: 'ProxymanApp/Proxyman#2727', in: ['legacy stdio', 'modern stdio'],
   what: 'goes on running when its stdin is closed',
   rules: ['stdio.exit-on-stdin-eof'], clause: '2026-07-28 basic/transports/stdio, Shutdown: servers SHOULD exit promptly when their standard input is closed; 2025-11-25 basic/lifecycle, Shutdown, stdio: the client closes the input stream and waits for the server to exit',
   says: /exit|shut|stdin|clos|EOF|terminat|runs? on/i,
   change: {begin() {
     const exit = process.exit.bind(process);
     process.exit = () => undefined;
     setTimeout(exit, 60_000, 0); // not for ever, for the sake of who tries it
   }}},
  // https://github.com/PortSwigger/mcp-server/issues/43
  {name: 'logging-in-name-alone', from: 'PortSwigger/mcp-server#43', in: ['legacy http', 'legacy stdio'],
   what: 'declares logging, and answers logging/setLevel with -32601',
   rules: ['logging.level-values'], clause: '2025-11-25 server/utilities/logging, Setting Log Level: clients MAY send logging/setLevel to a server that has declared logging, which is answered with an empty result; basic/lifecycle, Capability Negotiation (breaks the MCP Inspector 0.17.2, which cannot connect)',
   says: /logging|setLevel|-32601|capabilit/i,
   change: {said: message => asks(message, 'logging/setLevel') ? failed(message.id, -32601, 'Server does not support logging/setLevel') : undefined}},
  // https://github.com/ansys/pyaedt-mcp/issues/120
  {name: 'failures-in-prose', from: 'ansys/pyaedt-mcp#120', in: ['legacy stdio', 'legacy http', 'modern http'],
   what: 'gives the failure of a tool (there is no such project) as its text, Error opening project: …, with isError false',
   rules: ['tools.execution-error-in-result'], clause: '2025-11-25 and 2026-07-28 server/tools, Error Handling: tool execution errors are reported in tool results with isError: true; schema, CallToolResult: any errors that originate from the tool SHOULD be reported inside the result object, with isError set to true',
   says: /isError|error|fail/i,
   change: {tools: [{name: 'open_project', description: 'Opens a project, by its name', annotations: {readOnlyHint},
     inputSchema: {type: 'object', properties: {project: string}, required: ['project']},
     run: ({project}) => project === 'demo' ? say('demo: 2 designs', {isError: false}) : say('Error opening project: list index out of range', {isError: false})}]}},
  // https://github.com/JUNKDOGE-JOE/after-effects-mcp/issues/22
  {name: 'every-call-succeeds', from: 'JUNKDOGE-JOE/after-effects-mcp#22', in: ['legacy stdio', 'legacy http'],
   what: 'answers calls of tools that it has not got, and calls whose arguments the schema forbids, with a result that has isError false and the text {"ok": false, …}',
   rules: ['tools.unknown-tool-protocol-error', 'tools.inputs-validated'], clause: '2025-11-25 server/tools, Error Handling: unknown tools are protocol errors (-32602); input validation errors are tool execution errors, with isError: true; schema, CallToolResult: errors in finding the tool should be reported as an MCP error response',
   says: /isError|-32602|unknown tool|no such tool|has not got|validat|argument|schema/i,
   change: {answer(made, {message, server}) {
     if (!called(message)) return made;
     const bad = text => server.result(made.id, say(JSON.stringify({ok: false, error: text}), {isError: false}));
     if (made.error?.code === -32602) return bad(made.error.message);
     return made.result?.isError ? bad(made.result.content[0].text) : made;
   }}},
  // https://github.com/IBM/WxMCPServer/issues/17
  {name: 'ids-must-be-numbers', from: 'IBM/WxMCPServer#17', in: ['legacy http'],
   what: 'refuses each request whose id is a text',
   rules: ['jsonrpc.response-id-matches'], clause: '2025-11-25 basic, Requests: requests MUST include a string or integer ID; schema, RequestId: string | number; Responses MUST include the same ID as the request they correspond to',
   says: /\bid\b|string/i,
   change: {said: message => isObject(message) && typeof message.id === 'string' && typeof message.method === 'string'
     ? failed(null, -32600, 'id: type mismatch, expected java.math.BigInteger') : undefined}},
  // https://github.com/DeusData/codebase-memory-mcp/issues/253
  {name: 'texts-for-ids-are-nought', from: 'DeusData/codebase-memory-mcp#253', in: ['legacy stdio'],
   what: 'answers a request whose id is a text with the number at its beginning, which is 0 when there is none',
   rules: ['jsonrpc.response-id-matches'], clause: '2025-11-25 basic, Responses: result responses MUST include the same ID as the request they correspond to; ID: string | number (breaks Claude Desktop, whose initialize gets no answer)',
   says: /\bid\b|string|respon/i,
   change: {answer: (made, {message}) => isObject(made) && typeof message?.id === 'string' ? {...made, id: Number.parseInt(message.id, 10) || 0} : made}},
  // https://github.com/sleuthkit/autopsy/pull/7999
  {name: 'numbers-for-ids-become-texts', from: 'sleuthkit/autopsy#7999', in: ['legacy http', 'legacy stdio'],
   what: 'answers a request whose id is the number 1 with the id "1"',
   rules: ['jsonrpc.response-id-matches'], clause: '2025-11-25 basic, Responses: result responses MUST include the same ID as the request they correspond to',
   says: /\bid\b|string|respon/i,
   change: {answer: made => isObject(made) && typeof made.id === 'number' ? {...made, id: String(made.id)} : made}},
  // https://github.com/modelcontextprotocol/csharp-sdk/issues/408
  {name: 'resources-nobody-declares', from: 'modelcontextprotocol/csharp-sdk#408', in: ['legacy stdio', 'legacy http', 'modern http'],
   what: 'has resources, lists and reads them, and does not declare resources among its capabilities',
   rules: ['resources.capability-declared'], clause: '2025-11-25 and 2026-07-28 server/resources, Capabilities: servers that support resources MUST declare the resources capability (breaks the MCP Inspector: its tab for them is disabled)',
   says: /resources|capabilit|declar/i,
   change: {capabilities: ({resources, ...all}) => all}},
  // https://github.com/Effect-TS/effect/issues/6754
  {name: 'any-revision-in-the-header', from: 'Effect-TS/effect#6754', in: ['legacy http'],
   what: 'serves requests whose MCP-Protocol-Version is 2020-01-01, or anything',
   rules: ['http.protocol-version-invalid-400'], clause: '2025-11-25 basic/transports, Protocol Version Header: if the server receives a request with an invalid or unsupported MCP-Protocol-Version, it MUST respond with 400 Bad Request',
   says: /MCP-Protocol-Version|version|revision|400/i,
   change: {http(request) {
     delete request.headers['mcp-protocol-version'];
     return false;
   }}},
  // https://github.com/modelcontextprotocol/python-sdk/issues/2480
  {name: 'cancelled-is-an-answer', from: 'modelcontextprotocol/python-sdk#2480', in: ['legacy stdio', 'legacy http'],
   what: 'answers a request that was cancelled with the error 0, Request cancelled',
   rules: ['cancellation.no-response-after'], clause: '2025-11-25 basic/utilities/cancellation, Behavior Requirements: receivers of cancellation notifications SHOULD not send a response for the cancelled request (breaks Claude Code, which reconnects: a response for an unknown message ID)',
   says: /cancel/i,
   change: {said(message, {session}) {
     if (message?.method !== 'notifications/cancelled') return;
     const id = message.params?.requestId;
     session.running.get(id)?.tell(failed(id, 0, 'Request cancelled'));
   }}},
  // https://github.com/modelcontextprotocol/python-sdk/pull/3048
  {name: 'completions-without-end', from: 'modelcontextprotocol/python-sdk#3048', in: ['legacy stdio', 'legacy http', 'modern http'],
   what: 'gives all that match to completion/complete for its resource template: 156 values for an empty text',
   rules: ['completion.max-100-values'], clause: '2025-11-25 and 2026-07-28 server/utilities/completion, Completion Results: maximum 100 items per response; schema, CompleteResult: values must not exceed 100 items',
   says: /complet|values|100/i,
   change: {answer(made, {message}) {
     if (message?.method !== 'completion/complete' || !made.result || message.params.ref.type !== 'ref/resource') return made;
     return {...made, result: {...made.result, completion: {values: many.filter(name => name.startsWith(message.params.argument.value))}}};
   }}},
  // https://github.com/Cocoanetics/SwiftMCP/issues/31
  {name: 'unknown-methods-are-never-answered', from: 'Cocoanetics/SwiftMCP#31', in: ['legacy stdio', 'legacy http'],
   what: 'has no completions, and never answers completion/complete, nor any other method that it does not know',
   rules: ['jsonrpc.request-answered', 'jsonrpc.method-not-found-code'], clause: '2025-11-25 basic, Messages: all messages MUST follow JSON-RPC 2.0, 5: the server MUST reply with a response to a request, -32601 if the method does not exist (breaks the MCP Inspector: requests time out)',
   says: /answer|respon|-32601|unknown method|time[ds]? ?out|silen|hang/i,
   change: {capabilities: ({completions, ...all}) => all,
     said: message => isObject(message) && 'id' in message && typeof message.method === 'string' && !methods.includes(message.method) ? null : undefined}},
  // https://github.com/Roblox/studio-rust-mcp-server/issues/6
  {name: 'annotations-of-null', from: 'Roblox/studio-rust-mcp-server#6', in: ['legacy stdio', 'modern stdio'],
   what: 'lists its tools with "annotations": null',
   rules: ['schema.messages-validate'], clause: '2025-11-25 and 2026-07-28 schema, Tool: annotations is a ToolAnnotations, an object, or not there (breaks Claude Desktop: Expected object, received null)',
   says: /annotations|null|object/i,
   change: {answer: (made, {message}) => message?.method === 'tools/list' && made.result?.tools
     ? {...made, result: {...made.result, tools: made.result.tools.map(tool => ({...tool, annotations: null}))}} : made}},
  // https://github.com/PortSwigger/mcp-server/pull/116
  {name: 'optional-and-yet-missing', from: 'PortSwigger/mcp-server#116', in: ['legacy stdio', 'legacy http', 'modern stdio'],
   what: 'has a tool whose inputSchema does not require tabName, and fails each call that leaves it out',
   rules: ['tools.valid-arguments-taken'], clause: '2025-11-25 and 2026-07-28 server/tools, Data Types: inputSchema is the JSON Schema that defines the expected parameters: what is not in required may be left out',
   says: /required|optional|tabName|inputSchema|argument|missing|parameter/i,
   change: {tools: [{name: 'preview_repeater_tab', description: 'Shows a request as it would be in a tab', annotations: {readOnlyHint},
     inputSchema: {type: 'object', properties: {content: string, tabName: string}, required: ['content']},
     run: ({content, tabName}) => tabName === undefined
       ? say("Error: Field 'tabName' is required for type with serial name 'CreateRepeaterTab', but it was missing", {isError: true}) : say(`${tabName}: ${content}`)}]}},
  // https://github.com/modelcontextprotocol/rust-sdk/issues/1004
  {name: 'not-found-is-ok', from: 'modelcontextprotocol/rust-sdk#1004', in: ['modern http'],
   what: 'answers methods that it has not got, as ping, with -32601 and the status 200',
   rules: ['http.unknown-method-404'], clause: '2026-07-28 basic/transports/streamable-http, Protocol Version Header: if the server does not implement the requested RPC method, it MUST respond with 404 Not Found and a JSON-RPC error with code -32601',
   says: /404|200|-32601|status|method/i,
   change: {head: (headers, status, message) => message?.error?.code === -32601 ? 200 : undefined}},
  // https://github.com/jdevalk/specification.website/issues/186
  {name: 'results-of-no-type', from: 'jdevalk/specification.website#186', in: ['modern http'],
   what: 'gives results without resultType, but for that of server/discover',
   rules: ['base.result-type-required'], clause: '2026-07-28 basic, Result Responses: the result MUST include a resultType field (breaks clients, which get zero tools)',
   says: /resultType/i,
   change: {answer(made, {message}) {
     if (!made.result || message?.method === 'server/discover') return made;
     const {resultType, ...result} = made.result;
     return resultType === 'complete' ? {...made, result} : made;
   }}},
  // https://github.com/helidon-io/helidon-mcp/pull/152
  {name: 'gone-sessions-get-half-an-answer', from: 'helidon-io/helidon-mcp#152', in: ['legacy http'],
   what: 'answers requests with an Mcp-Session-Id that it does not know with 404 and {"jsonrpc": "2.0", "id": 1}, which is neither a result nor an error',
   rules: ['jsonrpc.response-result-xor-error'], clause: '2025-11-25 basic, Responses: error responses MUST include an error field with a code and message; result responses MUST include a result field; all messages MUST follow JSON-RPC 2.0 (breaks Claude Code, which does not initialize again)',
   says: /error|result|JSON-RPC|respon|message|body/i,
   change: {http(request, response, body, {server}) {
     const named = request.headers['mcp-session-id'];
     const message = request.method === 'POST' && here(request) ? parse(body) : undefined;
     if (named === undefined || server.sessions.has(named) || !isObject(message) || message.method === 'initialize') return false;
     return sent(response, 404, {jsonrpc: '2.0', ...'id' in message ? {id: message.id} : {}});
   }}},
  // https://github.com/codecoradev/uteke/issues/573
  {name: 'successes-with-an-error', from: 'codecoradev/uteke#573', in: ['legacy stdio', 'legacy http'],
   what: 'has "error": null beside the result in all its results',
   rules: ['jsonrpc.response-result-xor-error'], clause: '2025-11-25 schema, JSONRPCResultResponse: jsonrpc, id and result; JSON-RPC 2.0, 5: error MUST NOT exist if there was no error (breaks Claude Code: Failed to connect)',
   says: /error|null|JSON-RPC|result/i,
   change: {answer: made => isObject(made) && made.result ? {...made, error: null} : made}},
  // https://github.com/ramimbo/mergework/pull/74
  {name: 'no-json-is-a-server-error', from: 'ramimbo/mergework#74', in: ['legacy http'],
   what: 'answers a body that is no JSON with 500, Internal Server Error, as text',
   rules: ['jsonrpc.parse-error-code'], clause: '2025-11-25 basic, Messages: all messages MUST follow JSON-RPC 2.0, 5.1: -32700, Parse error: invalid JSON was received by the server; basic/transports: if it cannot accept the input, an HTTP error status code (e.g., 400 Bad Request)',
   says: /500|-32700|parse|JSON|400/i,
   change: {http(request, response, body) {
     if (request.method !== 'POST' || !here(request) || parse(body) !== undefined) return false;
     response.writeHead(500, {'Content-Type': 'text/plain; charset=utf-8'});
     response.end('Internal Server Error');
     return true;
   }}},
  // https://github.com/modelcontextprotocol/servers/issues/3359
  {name: 'dies-of-a-bad-line', from: 'modelcontextprotocol/servers#3359', in: ['legacy stdio', 'modern stdio'],
   what: 'ends with a stack trace when a line is no JSON',
   rules: ['jsonrpc.parse-error-code'], clause: '2025-11-25 and 2026-07-28 basic, Messages: all messages MUST follow JSON-RPC 2.0, 5.1: -32700, Parse error: invalid JSON was received by the server',
   says: /exit|\bdie[ds]?\b|\bend(s|ed)\b|crash|-32700|parse|malformed|JSON/i,
   change: {text(json, message) {
     if (message?.error?.code !== -32700) return json;
     process.stderr.write('  | ExceptionGroup: unhandled errors in a TaskGroup (1 sub-exception)\n');
     return process.exit(1);
   }}},
  // https://github.com/MemPalace/mempalace/issues/2231
  {name: 'bad-requests-are-never-answered', from: 'MemPalace/mempalace#2231', in: ['legacy stdio', 'legacy http'],
   what: 'never answers a request with an id whose method is a number, whose params are a text or whose arguments are a number; over HTTP it closes the connection',
   rules: ['jsonrpc.invalid-request-code'], clause: '2025-11-25 basic, Messages: all messages MUST follow JSON-RPC 2.0, 5: the server MUST reply with a response to a request, -32600 for what is no valid request, -32602 for invalid params; server/tools, Error Handling',
   says: /answer|respon|-3260|time[ds]? ?out|clos|connection|hang|silen/i,
   change: {said: message => odd(message) ? null : undefined,
     http(request, response, body) {
       if (request.method !== 'POST' || !here(request) || !odd(parse(body))) return false;
       response.destroy();
       return true;
     }}},
  // https://github.com/danielvm-git/bigpowers/issues/131
  {name: 'frames-of-an-editor', from: 'danielvm-git/bigpowers#131', in: ['legacy stdio'],
   what: 'wants and writes a Content-Length before each message, as language servers do, and so never answers lines of JSON',
   rules: ['stdio.newline-delimited'], clause: '2025-11-25 basic/transports, stdio: messages are individual JSON-RPC requests, notifications, or responses, delimited by newlines, and MUST NOT contain embedded newlines',
   says: /answer|respon|Content-Length|newline|time[ds]? ?out|initializ|JSON/i,
   change: {begin() {
     const {stdin} = process;
     const lines = new PassThrough;
     let rest = Buffer.alloc(0);
     stdin.on('data', chunk => {
       rest = Buffer.concat([rest, chunk]);
       for (let end = rest.indexOf('\r\n\r\n'); end >= 0; end = rest.indexOf('\r\n\r\n')) {
         const length = Number(/Content-Length: *(\d+)/i.exec(rest.subarray(0, end).toString())?.[1] ?? NaN);
         if (!(rest.length >= end + 4 + length)) break;
         lines.write(`${rest.subarray(end + 4, end + 4 + length).toString()}\n`);
         rest = rest.subarray(end + 4 + length);
       }
     });
     stdin.on('end', () => lines.end());
     Object.defineProperty(process, 'stdin', {value: lines, configurable: true});
   }, text: json => `Content-Length: ${Buffer.byteLength(json)}\r\n\r\n${json}`}},
  // https://github.com/Gitlawb/zero/pull/179
  {name: 'prompts-with-holes', from: 'Gitlawb/zero#179', in: ['legacy stdio', 'legacy http', 'modern stdio'],
   what: 'gives a prompt one of whose arguments is required, also when that is left out, with nothing in its place',
   rules: ['prompts.missing-argument-error'], clause: '2025-11-25 and 2026-07-28 server/prompts, Error Handling: missing required arguments: -32602; Implementation Considerations: servers SHOULD validate prompt arguments before processing',
   says: /required|argument|-32602|prompt/i,
   change: {answer: (made, {message, server}) => message?.method === 'prompts/get' && made.error?.message === 'who is required'
     ? server.result(made.id, {messages: [{role: 'user', content: {type: 'text', text: `${message.params.name} `}}]}) : made}},
  // https://github.com/exa-labs/exa-mcp-server/pull/362
  {name: 'prompts-of-nothing-need-something', from: 'exa-labs/exa-mcp-server#362', in: ['legacy http', 'legacy stdio'],
   what: 'refuses prompts/get of a prompt that has no arguments when arguments is left out, and takes {}',
   rules: ['prompts.optional-arguments-optional'], clause: '2025-11-25 schema, GetPromptRequestParams: arguments is optional (breaks clients on the Go SDK, which leave empty maps out)',
   says: /arguments|prompt|-32602|optional/i,
   change: {prompts: [{name: 'web_search_help', description: 'Get help with web search'}],
     said: message => asks(message, 'prompts/get') && ['web_search_help', 'plan'].includes(message.params?.name) && message.params.arguments === undefined
       ? failed(message.id, -32602, `Invalid arguments for prompt ${message.params.name}: Invalid input: expected object, received undefined`) : undefined}},
  // https://github.com/vercel/ai/issues/16865
  {name: 'events-that-do-not-end', from: 'vercel/ai#16865', in: ['legacy http'],
   what: 'answers requests by an event stream with "data: …" and no blank line after it, and leaves the stream open',
   rules: ['http.sse-format'], clause: '2025-11-25 basic/transports, Sending Messages to the Server: an SSE stream; after the response has been sent, the server SHOULD terminate the SSE stream; the event stream format of HTML, 9.2.6: an event is dispatched at a blank line (breaks the AI SDK, which hangs)',
   says: /SSE|stream|event|blank|answer|respon|time[ds]? ?out|terminat|hang/i,
   change: {http(request, response, body, {exchange}) {
     const message = request.method === 'POST' && here(request) ? parse(body) : undefined;
     if (!isObject(message) || !('id' in message) || typeof message.method !== 'string') return false;
     const {end} = exchange;
     let between = '';
     exchange.event = said => {
       exchange.open();
       response.write(`${between}data: ${JSON.stringify(said)}`);
       between = '\n\n';
       response.end = () => response;
     };
     exchange.end = (status, made, headers = {}) => {
       if (status !== 200 || made === undefined) return end.call(exchange, status, made, headers);
       response.writeHead(200, {'Content-Type': 'text/event-stream', 'Cache-Control': 'no-cache', ...headers});
       return exchange.event(made);
     };
     return false;
   }}},
  // https://github.com/Cocoanetics/SwiftMCP/pull/108
  {name: 'sessions-for-the-asking', from: 'Cocoanetics/SwiftMCP#108', in: ['legacy http'],
   what: 'gives out an Mcp-Session-Id at initialize, and makes a new session for each request that comes without one, which it serves',
   rules: [], clause: '2025-11-25 basic/lifecycle, Initialization: the initialization phase MUST be the first interaction between client and server; basic/transports, Session Management: servers that require a session ID SHOULD respond to requests without an Mcp-Session-Id header (other than initialization) with 400 Bad Request',
   says: /session|initializ|400/i,
   change: {async http(request, response, body) {
     const message = request.method === 'POST' && here(request) ? parse(body) : undefined;
     if (request.headers['mcp-session-id'] !== undefined || !isObject(message) || typeof message.method !== 'string' || message.method === 'initialize') return false;
     const hello = {jsonrpc: '2.0', id: 0, method: 'initialize', params: {protocolVersion: '2025-11-25', capabilities: {}, clientInfo: {name: 'itself', version: '1'}}};
     const made = await fetch(`http://127.0.0.1:${request.socket.localPort}/mcp`, {method: 'POST', body: JSON.stringify(hello),
       headers: {'content-type': 'application/json', accept: 'application/json, text/event-stream'}});
     await made.text();
     request.headers['mcp-session-id'] = made.headers.get('mcp-session-id');
     return false;
   }}},
  // https://github.com/php-mcp/server/issues/26
  {name: 'tools-without-parameters-fail', from: 'php-mcp/server#26', in: ['legacy http', 'legacy stdio'],
   what: 'refuses each call of a tool without parameters, with {} and without arguments, with -32602: Expected object',
   rules: ['base.listed-is-served'], clause: '2025-11-25 server/tools, Tool, inputSchema: for tools with no parameters, {"type": "object", "additionalProperties": false} accepts only empty objects: {} is what conforms to it; schema, CallToolRequestParams: arguments is optional',
   says: /arguments|-32602|parameter|empty|object/i,
   change: {said(message, {server}) {
     const tool = called(message) && server.tools.find(one => one.name === message.params?.name);
     if (!tool || Object.keys(tool.inputSchema.properties ?? {}).length || Object.keys(message.params.arguments ?? {}).length) return undefined;
     return failed(message.id, -32602, `Invalid parameters for tool '${tool.name}': Invalid type. Expected \`object\`, but received \`unknown\`.`,
       {validation_errors: [{pointer: '/', keyword: 'type', message: 'Invalid type. Expected `object`, but received `unknown`.'}]});
   }}},
  // https://github.com/justrach/codedb/issues/10
  {name: 'arguments-must-be-there', from: 'justrach/codedb#10', in: ['legacy stdio'],
   what: 'refuses calls of tools that need no arguments when arguments is left out, and takes {}',
   rules: ['tools.arguments-optional'], clause: '2025-11-25 schema, CallToolRequestParams: arguments is optional',
   says: /arguments|-32602|optional/i,
   change: {said: message => called(message) && message.params?.arguments === undefined ? failed(message.id, -32602, 'Missing arguments object') : undefined}},
  // https://github.com/nanbingxyz/5ire/issues/301
  {name: 'resources-from-nowhere', from: 'nanbingxyz/5ire#301', in: ['legacy stdio', 'legacy http', 'modern http'],
   what: 'gives a content of {type: "resource", resource: {text}}, without the uri of the resource',
   rules: ['tools.result-content-required'], clause: '2025-11-25 and 2026-07-28 schema, EmbeddedResource: resource is TextResourceContents or BlobResourceContents, whose uri is required (breaks 5ire: an error of its schema, and nothing to see)',
   says: /uri|resource|content/i,
   change: {tools: [{name: 'read_report', description: 'Reads the report of the day', inputSchema: closed, annotations: {readOnlyHint},
     run: () => ({content: [{type: 'resource', resource: {text: 'All is well.'}}]})}]}},
];
