// More faults of servers that public reports tell of: forms of schemas, of results, of requests and of streams.
// servers.mjs serves these as well, and says what a case has.

import {failed, say} from './peers/server.mjs';

const readOnly = {readOnlyHint: true};
const closed = {type: 'object', properties: {}, additionalProperties: false};
const object = (properties, more = {}) => ({type: 'object', properties, ...more});
const tool = (name, description, more) => ({tools: [{name, description, annotations: readOnly, inputSchema: closed, run: () => say('done'), ...more}]});

// Templates of which each value has to be encoded.
const people = ['Zoë Smith', 'Ann Lee'];
const encoded = read => ({said({id, method, params}, {server}) {
  if (method === 'completion/complete' && params?.ref?.type === 'ref/resource') return server.result(id, {completion: {values: people.filter(name => name.startsWith(params.argument?.value)), hasMore: false}});
  if (method !== 'resources/read' || !String(params?.uri).startsWith('notes://of/')) return undefined;
  if (!people.includes(read(params.uri.slice('notes://of/'.length)))) return undefined;
  return server.result(id, server.cached({contents: [{uri: params.uri, mimeType: 'text/plain', text: 'A note'}]}));
}});
const decoded = text => { try { return decodeURIComponent(text); } catch { return text; } };

// Streams whose events have ids, counted by `next`.
const numbered = next => ({http(request, response) {
  const write = response.write.bind(response);
  response.write = text => write(typeof text === 'string' && text.startsWith('event: message\n') ? `id: ${next(response)}\n${text}` : text);
}});

export const cases = [
  // https://github.com/anthropics/claude-code/issues/88049
  {name: 'anyof-at-the-top', from: 'anthropics/claude-code#88049', in: ['legacy stdio', 'modern http'], what: 'has an inputSchema that is an anyOf of objects, and no type',
   rules: ['tools.input-schema-valid', 'schema.hosts-accept', 'schema.messages-validate'], says: /type|anyOf/,
   change: tool('find', 'Finds a note by its name or its number', {inputSchema: {anyOf: [object({name: {type: 'string'}}, {required: ['name']}), object({number: {type: 'integer'}}, {required: ['number']})]}})},
  // https://github.com/opentokenz/mcpx/issues/28
  {name: 'output-of-no-type', from: 'opentokenz/mcpx#28', in: ['legacy stdio'], what: 'has an outputSchema without a type, over which SDKs refuse the whole list',
   rules: ['schema.messages-validate', 'schema.hosts-accept', 'schema.schemas-valid'], says: /outputSchema|type/,
   change: tool('count', 'Counts the notes', {outputSchema: {$id: 'https://notes.example/count.v1', description: 'How many'}, run: () => say('{"count":3}', {structuredContent: {count: 3}})})},
  // https://github.com/gemini-cli-extensions/stitch/issues/13
  {name: 'nested-definitions', from: 'gemini-cli-extensions/stitch#13', in: ['legacy stdio', 'modern stdio'], what: 'refers in an outputSchema to #/$defs, and has the $defs of a property alone',
   rules: ['schema.references-resolve', 'schema.schemas-valid'], says: /\$ref|\$defs/,
   change: tool('screen', 'The screen of today', {outputSchema: object({screen: object({one: {$ref: '#/$defs/Screen'}}, {$defs: {Screen: {type: 'object'}}})}), run: () => say('{"screen":{"one":{}}}', {structuredContent: {screen: {one: {}}}})})},
  // https://github.com/paiml/paiml-mcp-agent-toolkit/issues/648
  {name: 'dies-of-a-call-without-a-name', from: 'paiml/paiml-mcp-agent-toolkit#648', in: ['legacy stdio', 'modern stdio'], what: 'ends without a word when a call has no name',
   rules: ['tools.malformed-call-protocol-error', 'jsonrpc.invalid-params-code', 'jsonrpc.request-answered'], says: /name|end|exit|died/,
   change: {said({method, params}) { if (method === 'tools/call' && typeof params?.name !== 'string') process.exit(0); return undefined; }}},
  // https://github.com/jmrplens/gitlab-mcp-server/pull/303
  {name: 'pings-on-a-stream', from: 'jmrplens/gitlab-mcp-server#303', in: ['modern http'], what: 'pings its clients on the stream of subscriptions/listen, in the revision in which servers ask nothing',
   rules: ['jsonrpc.server-sends-no-requests', 'mrtr.input-via-input-required-result'], says: /ping|request/,
   change: {said({method}, call) { if (method === 'subscriptions/listen') setTimeout(() => call.tell({jsonrpc: '2.0', id: 'ping-1', method: 'ping'}), 50); return undefined; }}},
  // the same: "SelectOneInt emitted an integer-enum requestedSchema"
  {name: 'integers-to-choose-from', from: 'jmrplens/gitlab-mcp-server#303', in: ['legacy stdio', 'modern http'], what: 'asks by a form for one of a few integers, by an enum of integers',
   rules: ['elicitation.form-schema-flat-primitive', 'schema.messages-validate', 'mrtr.input-request-types'], says: /enum|integer/,
   change: tool('ask_pages', 'Asks how many pages', {async run(_, call) {
     const answer = await call.ask('pages', 'How many pages?', object({pages: {type: 'integer', enum: [10, 20]}}, {required: ['pages']}));
     return answer && (answer.action === 'accept' && ![10, 20].includes(answer.content?.pages) ? say('10 or 20', {isError: true}) : say('Good'));
   }})},
  // ids that are counted for each stream: https://github.com/modelcontextprotocol/servers/pull/4099, Tr3kkR/Yuzu#2785
  {name: 'ids-of-each-stream', from: 'modelcontextprotocol/servers#4099', in: ['legacy http'], what: 'counts the ids of events anew for each stream of a session',
   rules: ['http.event-id-unique'], says: /\bid\b|ids/,
   change: numbered(response => response.counted = (response.counted ?? 0) + 1), right: numbered((() => { let at = 0; return () => ++at; })())},
  // https://github.com/ag2ai/ag2/issues/3249, atomicstrata/llm-wiki-compiler#230
  {name: 'percent-signs-kept', from: 'ag2ai/ag2#3249', in: ['legacy stdio', 'modern stdio'], what: 'does not decode the values of templates, and finds nothing whose name has a blank or é',
   rules: ['resources.template-readable'], says: /template|Zo/, change: encoded(text => text), right: encoded(decoded)},
  // https://github.com/github/github-mcp-server/issues/1952
  {name: 'wrong-arguments-as-success', from: 'github/github-mcp-server#1952', in: ['legacy stdio', 'modern http'], what: 'tells what is wrong with arguments in a result without isError',
   rules: ['tools.input-validation-in-result', 'tools.inputs-validated', 'tools.execution-error-in-result'], says: /isError|argument|without the required/,
   change: {answer(made, {message}) { if (message?.method === 'tools/call' && made.result?.isError) delete made.result.isError; return made; }}},
  // https://github.com/cloudflare/mcp-server-cloudflare/issues/12
  {name: 'result-in-toolresult', from: 'cloudflare/mcp-server-cloudflare#12', in: ['legacy http'], what: 'answers calls with {toolResult: {content}}',
   rules: ['tools.result-content-required', 'schema.messages-validate'], says: /content/,
   change: {answer(made, {message}) { return message?.method === 'tools/call' && made.result ? {...made, result: {toolResult: made.result}} : made; }}},
  // https://github.com/Azure/azure-mcp/pull/644
  {name: 'json-that-is-no-message', from: 'Azure/azure-mcp#644', in: ['legacy stdio', 'modern stdio'], what: 'writes the outcome of its start to stdout, as JSON',
   rules: ['stdio.stdout-only-mcp', 'jsonrpc.conforms-to-2-0', 'jsonrpc.version-is-2.0'], says: /status|jsonrpc|message/,
   change: {begin() { process.stdout.write('{"status":200,"message":"Success","results":[]}\n'); }}},
  // https://github.com/PrefectHQ/fastmcp/pull/3041
  {name: 'missing-is-32001', from: 'PrefectHQ/fastmcp#3041', in: ['legacy stdio'], what: 'says -32001 of a resource that is not there',
   rules: ['resources.not-found-32002'], says: /-32001/, change: {answer: made => made.error?.code === -32002 ? {...made, error: {...made.error, code: -32001}} : made}},
  // https://github.com/aipotheosis-labs/gate22/pull/137
  {name: 'ends-what-is-not-there', from: 'aipotheosis-labs/gate22#137', in: ['legacy http'], what: 'answers 204 to DELETE whatever session it names',
   rules: ['http.session-ended-404', 'http.session-delete-accepted-or-405', 'http.session-id-missing-400'], says: /DELETE/,
   change: {http(request, response, body, {server}) { if (request.method !== 'DELETE' || server.sessions.has(request.headers['mcp-session-id'])) return false; response.writeHead(204); response.end(); return true; }}},
  // https://github.com/PrefectHQ/fastmcp/issues/2127
  {name: 'unknown-prompt-internal', from: 'PrefectHQ/fastmcp#2127', in: ['legacy stdio', 'modern http'], what: 'says -32603 of a prompt that it does not have',
   rules: ['prompts.unknown-prompt-error'], says: /-32603/,
   change: {said({id, method, params}, {server}) { return method === 'prompts/get' && !server.prompts.some(({name}) => name === params?.name) ? failed(id, -32603, 'Internal error: Unknown prompt') : undefined; }}},
];
