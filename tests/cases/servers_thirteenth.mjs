// More of servers.mjs, taken as they came by somebody who has not seen the judge. `clause`: what the specification says.

import {current, failed, isObject, meta, old, say} from './peers/server.mjs';

const called = message => message?.method === 'tools/call' && 'id' in message;
const wait = ms => new Promise(resolve => setTimeout(resolve, ms));
const readOnlyHint = true;
const number = {type: 'number'};

export const cases = [
  // https://github.com/awwaiid/mcp-server-taskwarrior/issues/11
  {name: 'schemas-that-name-a-dialect-alone', from: 'awwaiid/mcp-server-taskwarrior#11', in: ['legacy stdio', 'legacy http', 'modern http'],
   what: 'lists tools whose inputSchema is {"$schema": …} and nothing else, without type',
   rules: ['tools.input-schema-valid', 'tools.valid-arguments-taken', 'schema.prefer-2020-12', 'schema.messages-validate'], clause: '2025-11-25 and 2026-07-28 schema, Tool: inputSchema is an object whose type is the literal "object", and type is required',
   says: /inputSchema|type/i,
   change: {answer: (made, {message}) => message?.method === 'tools/list' && made.result?.tools
     ? {...made, result: {...made.result, tools: made.result.tools.map(tool => ({...tool, inputSchema: {$schema: 'http://json-schema.org/draft-07/schema#'}}))}} : made}},
  // https://github.com/brightwave-inc/tidebreak/pull/1464
  {name: 'runs-with-whatever-it-is-given', from: 'brightwave-inc/tidebreak#1464', in: ['legacy stdio', 'legacy http', 'modern stdio'],
   what: 'runs tools with arguments that their schema forbids: what is required is left out, or of another type, and the tool succeeds',
   rules: ['tools.inputs-validated'], clause: '2025-11-25 and 2026-07-28 server/tools, Security Considerations: servers MUST validate all tool inputs; Error Handling: input validation errors are reported (isError or -32602)',
   says: /validat|argument|input|schema|required/i,
   change: {begin(server) { server.tools = server.tools.map(tool => Object.defineProperty({...tool}, 'lax', {value: true})); },
            answer(made) {
              // What comes of it is of the right form: the fault is that it ran.
              const {structuredContent: structure, content} = made.result ?? {};
              if (structure && !Number.isFinite(structure.sum)) return {...made, result: {...made.result, ...say('{"sum":0}'), structuredContent: {sum: 0}}};
              return content?.[0] && typeof content[0].text !== 'string' ? {...made, result: {...made.result, ...say(String(content[0].text))}} : made;
            }}},
  // https://github.com/azizmazrou/ews-mcp/issues/133
  {name: 'banner-before-the-first-frame', from: 'azizmazrou/ews-mcp#133', in: ['legacy stdio', 'modern stdio'],
   what: 'writes a banner and lines of its log to stdout as it starts, before the first message',
   rules: ['stdio.stdout-only-mcp'], clause: '2025-11-25 basic/transports, stdio, and 2026-07-28 basic/transports/stdio: the server MUST NOT write anything to its stdout that is not a valid MCP message',
   says: /stdout|JSON|line|banner/i,
   change: {begin() {
     process.stdout.write('============================================\n  EWS MCP Server v3.4\n============================================\n');
     process.stdout.write('2026-05-16 08:00:00 [INFO] Starting server with transport: stdio\n2026-05-16 08:00:00 [INFO] Registered 6 tools\n');
   }}},
  // https://github.com/modelcontextprotocol/python-sdk/issues/961
  {name: 'ids-of-digits-become-numbers', from: 'modelcontextprotocol/python-sdk#961', in: ['legacy stdio', 'legacy http'],
   what: 'answers a request whose id is a text of digits, "1", with the number 1',
   rules: ['jsonrpc.response-id-matches'], clause: '2025-11-25 basic, Responses: result and error responses MUST include the same ID as the request they correspond to',
   says: /\bid\b/i,
   change: {answer: made => typeof made.id === 'string' && /^-?\d{1,15}$/.test(made.id) ? {...made, id: Number(made.id)} : made}},
  // https://github.com/HatriGt/hana-mcp-server/issues/22
  {name: 'unknown-notifications-are-refused', from: 'HatriGt/hana-mcp-server#22', in: ['legacy stdio'],
   what: 'answers notifications that it has no handler for, as notifications/roots/list_changed, by -32601 in an error without an id',
   rules: ['jsonrpc.notification-no-response', 'jsonrpc.unknown-notification-ignored'], clause: '2025-11-25 basic, Notifications: the receiver MUST NOT send a response (schema: JSONRPCErrorResponse in answer to nothing)',
   says: /notification|respon|answer|\bid\b/i,
   change: {said: message => typeof message?.method === 'string' && !('id' in message) && !['notifications/initialized', 'notifications/cancelled'].includes(message.method)
     ? {jsonrpc: '2.0', error: {code: -32601, message: `Method not found: ${message.method}`}} : undefined}},
  // https://github.com/modelcontextprotocol/typescript-sdk/issues/1303
  {name: 'notifications-204', from: 'modelcontextprotocol/typescript-sdk#1303', in: ['legacy http'],
   what: 'answers notifications and responses that it takes with 204',
   rules: ['http.notification-202'], clause: '2025-11-25 basic/transports, Sending Messages to the Server: if the server accepts the input, it MUST return HTTP status code 202 Accepted with no body (breaks the MCP Inspector)',
   says: /202|204|status/,
   change: {head: (headers, status) => status === 202 ? 204 : undefined}},
  // https://github.com/shaun0927/openchrome/pull/954
  {name: 'progress-that-stands', from: 'shaun0927/openchrome#954', in: ['legacy stdio', 'legacy http', 'modern stdio', 'modern http'],
   what: 'reports progress that never falls, and tells the same value twice where nothing new was found',
   rules: ['progress.increases'], clause: '2025-11-25 basic/utilities/progress and 2026-07-28 basic/patterns/progress, Progress Flow: the progress value MUST increase with each notification',
   says: /progress/i,
   change: {tools: [{name: 'read_slowly', description: 'Reads for a second, and tells how far it is', inputSchema: {type: 'object', properties: {}, additionalProperties: false}, annotations: {readOnlyHint},
     async run(_, call) {
       for (let i = 1; i <= 10 && !call.cancelled; ++i) {
         await wait(100);
         if (!call.cancelled) call.progress(Math.ceil(i / 2), 10);
       }
       return say('read');
     }}]}},
  // https://github.com/cyanheads/obsidian-mcp-server/issues/108
  {name: 'structure-without-its-wrapper', from: 'cyanheads/obsidian-mcp-server#108', in: ['legacy stdio', 'modern http'],
   what: 'declares an outputSchema with one member, result, and gives structuredContent that is what should be in it',
   rules: ['tools.output-schema-conform'], clause: '2025-11-25 and 2026-07-28 server/tools, Output Schema: servers MUST provide structured results that conform to this schema',
   says: /outputSchema|structured|conform|result/i,
   change: {tools: [{name: 'add', description: 'Adds two numbers', annotations: {readOnlyHint}, inputSchema: {type: 'object', properties: {a: number, b: number}, required: ['a', 'b']},
     outputSchema: {type: 'object', properties: {result: {type: 'object', properties: {sum: number}, required: ['sum']}}, required: ['result'], additionalProperties: false},
     run: ({a, b}) => ({...say(JSON.stringify({sum: a + b})), structuredContent: {sum: a + b}})}]}},
  // https://github.com/cyanheads/git-mcp-server/issues/40
  {name: 'errors-in-another-structure', from: 'cyanheads/git-mcp-server#40', in: ['legacy stdio', 'legacy http', 'modern stdio'],
   what: 'gives errors of tools that have an outputSchema structuredContent of {code, message}, which is not of it',
   rules: ['tools.error-structure-fits'], clause: '2025-11-25 and 2026-07-28 server/tools, Output Schema: servers MUST provide structured results that conform to this schema (breaks clients on the TypeScript SDK, which check it with isError too)',
   says: /outputSchema|structured|conform/i,
   change: {answer: made => made.result?.isError && Array.isArray(made.result.content)
     ? {...made, result: {...made.result, structuredContent: {code: -32007, message: made.result.content[0]?.text ?? 'failed', data: {}}}} : made}},
  // https://github.com/MadLlama25/fastmail-mcp/issues/15
  {name: 'texts-that-are-not-there', from: 'MadLlama25/fastmail-mcp#15', in: ['legacy stdio', 'legacy http', 'modern http'],
   what: 'gives a content of {"type": "text"} and no text',
   rules: ['tools.result-content-required', 'schema.messages-validate'], clause: '2025-11-25 and 2026-07-28 schema, TextContent: text is a required string',
   says: /text|content/i,
   change: {tools: [{name: 'today', description: 'The day of the week', inputSchema: {type: 'object', properties: {}, additionalProperties: false}, annotations: {readOnlyHint}, run: () => say(undefined)}]}},
  // https://github.com/GopherSecurity/gopher-mcp/issues/199
  {name: 'lists-without-their-name', from: 'GopherSecurity/gopher-mcp#199', in: ['legacy http', 'legacy stdio'],
   what: 'answers tools/list and prompts/list with an array as the result',
   rules: ['jsonrpc.result-is-object', 'schema.messages-validate'], clause: '2025-11-25 schema, ListToolsResult and ListPromptsResult: result is an object, in which tools (prompts) is an array',
   says: /array|result|tools|prompts/i,
   change: {answer(made, {message}) {
     const name = {'tools/list': 'tools', 'prompts/list': 'prompts'}[message?.method];
     return name && made.result?.[name] ? {...made, result: made.result[name]} : made;
   }}},
  // https://github.com/ronak-create/FableCut/pull/59
  {name: 'every-version-is-mine', from: 'ronak-create/FableCut#59', in: ['legacy stdio', 'legacy http'],
   what: 'answers initialize with whatever protocolVersion it was asked for, 2099-01-01 too',
   rules: ['versioning.server-counter-offers'], clause: '2025-11-25 basic/lifecycle, Version Negotiation: if the server does not support the requested version, it MUST respond with another protocol version it supports',
   says: /version/i,
   change: {answer: (made, {message}) => message?.method === 'initialize' && made.result
     ? {...made, result: {...made.result, protocolVersion: message.params.protocolVersion}} : made}},
  // https://github.com/fiberplane/mcp-lite/issues/25
  {name: 'other-versions-fail', from: 'fiberplane/mcp-lite#25', in: ['legacy http', 'legacy stdio'],
   what: 'fails initialize with an error when it does not know the protocolVersion, instead of offering its own',
   rules: ['versioning.server-counter-offers'], clause: '2025-11-25 basic/lifecycle, Version Negotiation: if the server does not support the requested version, it MUST respond with another protocol version it supports',
   says: /version/i,
   change: {said: message => message?.method === 'initialize' && typeof message.params?.protocolVersion === 'string' && !old.includes(message.params.protocolVersion)
     ? failed(message.id, -32000, `Unsupported MCP protocol version. Server supports: ${old[0]}, client requested: ${message.params.protocolVersion}`) : undefined}},
  // https://github.com/craigk5n/webcalendar/pull/725
  {name: 'properties-in-an-array', from: 'craigk5n/webcalendar#725', in: ['legacy stdio', 'legacy http', 'modern http'],
   what: 'lists a tool without parameters whose inputSchema has properties: []',
   rules: ['tools.input-schema-valid', 'schema.schemas-valid', 'schema.messages-validate'], clause: '2025-11-25 schema, Tool: inputSchema.properties is an object of schemas; JSON Schema 2020-12, 10.3.2.1: the value of properties MUST be an object',
   says: /properties|inputSchema/i,
   change: {tools: [{name: 'today', description: 'The day of the week', inputSchema: {type: 'object', properties: []}, annotations: {readOnlyHint}, run: () => say('Friday')}]}},
  // https://github.com/php-mcp/schema/issues/2
  {name: 'sampling-must-be-a-bool', from: 'php-mcp/schema#2', in: ['legacy http', 'legacy stdio'],
   what: 'fails initialize of clients that declare sampling, since it takes it for a boolean',
   rules: ['lifecycle.client-may-say-more'], clause: '2025-11-25 schema, ClientCapabilities: sampling is an object; basic/lifecycle, Initialization: the server MUST respond with its own capabilities and information',
   says: /sampling|initialize|capabilit/i,
   change: {said: message => message?.method === 'initialize' && isObject(message.params?.capabilities?.sampling)
     ? failed(message.id, -32603, 'PhpMcp\\Schema\\ClientCapabilities::__construct(): Argument #3 ($sampling) must be of type ?bool, array given') : undefined}},
  // https://github.com/modelcontextprotocol/ruby-sdk/issues/228
  {name: 'unknown-tools-are-failed-tools', from: 'modelcontextprotocol/ruby-sdk#228', in: ['legacy stdio', 'legacy http', 'modern stdio'],
   what: 'answers calls of tools that it has not got with a result that has isError',
   rules: ['jsonrpc.invalid-params-code', 'tools.unknown-tool-protocol-error', 'tools.malformed-call-protocol-error'], clause: '2025-11-25 and 2026-07-28 server/tools, Error Handling: unknown tools are protocol errors, standard JSON-RPC errors',
   says: /unknown|tool|isError|-32602/i,
   change: {answer: (made, {message, server}) => called(message) && made.error?.message.startsWith('There is no tool')
     ? server.result(message.id, say(`Tool not found: ${message.params.name}`, {isError: true})) : made}},
  // https://github.com/modelcontextprotocol/php-sdk/pull/449
  {name: 'asks-what-nobody-declared', from: 'modelcontextprotocol/php-sdk#449', in: ['modern stdio', 'modern http'],
   what: 'puts elicitation/create among its inputRequests for clients that have not declared elicitation',
   rules: ['lifecycle.missing-client-capability-error', 'mrtr.no-undeclared-input-requests', 'elicitation.no-unsupported-mode', 'lifecycle.no-undeclared-client-capability'], clause: '2026-07-28 basic/patterns/mrtr, Server Requirements (Basic Workflow): servers MUST NOT send inputRequests that the client has not declared support for in its capabilities (-32021 instead)',
   says: /elicitation|capabilit|declare|-32021|inputRequests/i,
   change: {said(message) {
     const said = message?.params?._meta;
     const capabilities = said?.[`${meta}clientCapabilities`];
     if (called(message) && said[`${meta}protocolVersion`] === current && isObject(capabilities)) capabilities.elicitation = {form: {}};
     return undefined;
   }}},
  // https://github.com/aws-samples/sample-voice-of-customer-datalake/pull/360
  {name: 'versions-refused-in-prose', from: 'aws-samples/sample-voice-of-customer-datalake#360', in: ['modern http'],
   what: 'refuses revisions that it has not got with -32600 and a sentence, without data',
   rules: ['versioning.unsupported-version-error', 'http.unsupported-version-400'], clause: '2026-07-28 basic/versioning and basic/transports/streamable-http, Protocol Version Header: it MUST respond with 400 and an UnsupportedProtocolVersionError (-32022) that lists its supported versions',
   says: /-32022|supported|version/i,
   change: {answer: made => made.error?.code === -32022
     ? {...made, error: {code: -32600, message: `MCP-Protocol-Version names an unsupported version: ${made.error.data?.requested}. Supported: ${current}`}} : made}},
  // https://github.com/mostlygeek/llama-swap/pull/1054
  {name: 'mismatches-are-invalid-requests', from: 'mostlygeek/llama-swap#1054', in: ['modern http'],
   what: 'refuses an Mcp-Method that is missing, or is not what the body says, with -32600',
   rules: ['http.header-validation-400-32020'], clause: '2026-07-28 basic/transports/streamable-http, Server Validation: servers MUST reject with 400 and JSON-RPC error code -32020 (HeaderMismatch) if any validation fails',
   says: /-32020|Mcp-Method|mismatch/i,
   change: {head(headers, status, message) {
     if (message?.error?.code === -32020 && message.error.message.startsWith('Mcp-Method')) Object.assign(message.error, {code: -32600, message: 'header mismatch: Mcp-Method is not the request method'});
     return undefined;
   }}},
];
