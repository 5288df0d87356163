// More of servers.mjs: what is told too early, bad JSON, ids and params that are not there, line ends, capabilities, pings, lists of versions.

import {failed, isObject, say} from './peers/server.mjs';

const closed = {type: 'object', properties: {}, additionalProperties: false};
const readOnly = {readOnlyHint: true};
const pause = ms => new Promise(resolve => setTimeout(resolve, ms));
const parsed = body => { try { return JSON.parse(body); } catch { return undefined; } };
// lines lets a change see each line of standard input before the server does, as it came.
const lines = look => ({begin() {
  if (process.argv[3] === 'http') return;
  let rest = '';
  process.stdin.on('data', chunk => {
    const all = (rest + chunk).split('\n');
    rest = all.pop();
    for (const line of all) look(line);
  });
}});
const told = {jsonrpc: '2.0', method: 'notifications/resources/list_changed'};
const listChanged = {capabilities: all => ({...all, resources: {...all.resources, listChanged: true}})};

export const cases = [
  // https://github.com/tim-smart/effect-mcp/issues/18
  {name: 'told-before-the-handshake', from: 'tim-smart/effect-mcp#18', in: ['legacy stdio'],
   what: 'tells that its resources have changed before it answers initialize, over which clients take that for the answer',
   rules: ['lifecycle.server-waits-for-initialized'], says: /initiali[sz]e|before|list_changed/i,
   change: {...listChanged, said(message, call) { if (message?.method === 'initialize') call.tell(told); }},
   right: listChanged},
  // https://github.com/huaweicloud/huaweicloud-devkit/issues/637
  {name: 'dies-of-bad-json', from: 'huaweicloud/huaweicloud-devkit#637', in: ['legacy stdio', 'modern stdio'],
   what: 'ends over a line that is no JSON, without a word',
   rules: ['jsonrpc.parse-error-code'], says: /JSON|parse|end|no longer answers/i,
   change: lines(line => { if (line.trim() && parsed(line) === undefined) process.exit(1); })},
  // https://github.com/LIghtJUNction/OniMods/pull/133
  {name: 'parse-error-at-200', from: 'LIghtJUNction/OniMods#133', in: ['modern http'],
   what: 'answers a body that is no JSON with -32700 and the status 200',
   rules: ['jsonrpc.parse-error-code'], says: /200|400|status/,
   change: {head: (headers, status, message) => message?.error?.code === -32700 ? 200 : undefined}},
  // https://github.com/Tr3kkR/Yuzu/issues/3377
  {name: 'odd-params-are-500', from: 'Tr3kkR/Yuzu#3377', in: ['legacy http', 'modern http'],
   what: 'answers requests whose params are a text, a number or an array with 500 and no body',
   rules: ['jsonrpc.invalid-params-code', 'http.response-content-type', 'jsonrpc.request-answered'], says: /500|params|body/,
   change: {http(request, response, body) {
     const said = request.method === 'POST' ? parsed(body) : undefined;
     if (!isObject(said) || said.id === undefined || said.params === undefined || isObject(said.params)) return false;
     response.writeHead(500);
     response.end();
     return true;
   }}},
  // https://github.com/ortus-boxlang/bx-ai/pull/118
  {name: 'prompts-have-args', from: 'ortus-boxlang/bx-ai#118', in: ['legacy http', 'modern http'],
   what: 'lists what its prompts take as "args", not as "arguments", and wants it',
   rules: ['schema.member-names-exact', 'schema.members-in-place', 'prompts.list-responds', 'prompts.optional-arguments-optional'], says: /arg/,
   change: {answer: (made, {message}) => message?.method === 'prompts/list' && Array.isArray(made.result?.prompts)
     ? {...made, result: {...made.result, prompts: made.result.prompts.map(({arguments: args, ...rest}) => args ? {...rest, args} : rest)}} : made}},
  // https://github.com/glslang/windbg-mcp/pull/147
  {name: 'progress-stands-still', from: 'glslang/windbg-mcp#147', in: ['legacy stdio', 'modern http'],
   what: 'tells the same progress twice, since its clock has not gone on in between',
   rules: ['progress.increases'], says: /increas|progress/,
   change: {tools: [{name: 'read_slowly', description: 'Reads, and tells how far it is', annotations: readOnly, inputSchema: closed,
                     async run(_, call) { for (const at of [0.1, 0.2, 0.2, 0.3]) { await pause(60); if (!call.cancelled) call.progress(at); } return say('read'); }}]}},
  // https://github.com/theoriclabs/LeanDB/issues/64
  {name: 'calls-without-an-id-answered', from: 'theoriclabs/LeanDB#64', in: ['legacy stdio', 'legacy http'],
   what: 'answers ping, lists and calls that have no id, with the id null',
   rules: ['jsonrpc.notification-no-response', 'http.notification-202'], says: /notification|without an? id|no id/i,
   change: {async said(message, call) {
     if (!isObject(message) || 'id' in message || !['ping', 'tools/list', 'tools/call'].includes(message.method)) return undefined;
     const made = await call.session.serve({...message, id: 'none'}, call);
     return made && {...made, id: null};
   }}},
  // https://github.com/zoedsoupe/anubis-mcp/issues/219
  {name: 'all-is-a-parse-error', from: 'zoedsoupe/anubis-mcp#219', in: ['legacy http'],
   what: 'answers unknown methods, and requests without a method, with -32700, Invalid JSON',
   rules: ['jsonrpc.method-not-found-code', 'jsonrpc.invalid-request-code'], says: /-32601|-32700/,
   change: {answer: made => made.error && [-32601, -32600].includes(made.error.code) ? {...made, id: null, error: {code: -32700, message: 'Invalid JSON'}} : made}},
  // https://github.com/opensearch-project/opensearch-mcp-server-py/issues/271
  {name: 'endpoint-with-a-slash', from: 'opensearch-project/opensearch-mcp-server-py#271', in: ['legacy http', 'modern http'],
   what: 'answers at /mcp with 307 to /mcp/, and serves there',
   rules: ['http.single-endpoint-post', 'http.single-endpoint-post-get'], says: /redirect|307/i,
   change: {http(request, response) {
     if (request.url === '/mcp/') { request.url = '/mcp'; return false; }
     response.writeHead(307, {location: `http://${request.headers.host}/mcp/`});
     response.end();
     return true;
   }}},
  // https://github.com/Higangssh/homebutler/issues/133
  {name: 'refused-yet-on-the-list', from: 'Higangssh/homebutler#133', in: ['modern stdio', 'modern http'],
   what: 'says -32022 of 2025-11-25 and older in _meta, and lists them as supported in the same error',
   rules: ['discover.supported-versions-truthful', 'versioning.unsupported-version-error'], says: /support|list/,
   change: {answer: made => made.error?.code === -32022 && made.error.data
     ? {...made, error: {...made.error, data: {...made.error.data, supported: ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26']}}} : made}},
  // https://github.com/DeusData/codebase-memory-mcp/issues/1185
  {name: 'plain-clients-get-nothing', from: 'DeusData/codebase-memory-mcp#1185', in: ['legacy stdio', 'legacy http'],
   what: 'declares no capabilities to clients that declare none, though it serves tools',
   rules: ['lifecycle.server-answers-initialize', 'tools.capability-declared', 'resources.capability-declared', 'prompts.capability-declared'], says: /capabilit|declare/,
   change: {answer: (made, {message}) => message?.method === 'initialize' && made.result && isObject(message.params?.capabilities) && Object.keys(message.params.capabilities).length === 0
     ? {...made, result: {...made.result, capabilities: {}}} : made}},
  // https://github.com/ggg123124/vrchat-assistant/issues/37
  {name: 'ping-gets-an-empty-stream', from: 'ggg123124/vrchat-assistant#37', in: ['legacy http'],
   what: 'answers ping with an event stream that ends without an event',
   rules: ['ping.empty-result', 'jsonrpc.request-answered', 'http.sse-response-delivered', 'lifecycle.ping-during-init-answered'], says: /ping|answer/,
   change: {http(request, response, body) {
     if (request.method !== 'POST' || parsed(body)?.method !== 'ping') return false;
     response.writeHead(200, {'content-type': 'text/event-stream', 'cache-control': 'no-cache'});
     response.end();
     return true;
   }}},
  // https://github.com/stackql/stackql/issues/668
  {name: 'dies-of-carriage-returns', from: 'stackql/stackql#668', in: ['legacy stdio', 'modern stdio'],
   what: 'ends over a line that ends in CR LF, as those of clients on Windows do',
   rules: ['stdio.crlf-lines-taken'], says: /CR|\\r|carriage/i,
   change: lines(line => { if (line.endsWith('\r')) process.exit(0); })},
  // https://github.com/Microck/kagi-cli/pull/101
  {name: 'failed-calls-end-it', from: 'Microck/kagi-cli#101', in: ['legacy stdio', 'modern stdio'],
   what: 'ends when a call fails, as one with wrong arguments does, and not by an answer',
   rules: ['jsonrpc.request-answered', 'tools.inputs-validated', 'tools.execution-error-in-result'], says: /end|answer|exit|argument/i,
   change: {answer(made) { if (made.result?.isError === true) process.exit(1); return made; }}},
  // https://github.com/platformatic/mcp/pull/130
  {name: 'templates-among-resources', from: 'platformatic/mcp#130', in: ['legacy stdio', 'modern http'],
   what: 'lists a template among its resources, with {name} in its uri, which cannot be read',
   rules: ['resources.uri-rfc3986', 'base.listed-is-served', 'schema.messages-validate'], says: /\{|template|uri/i,
   change: {answer: (made, {message}) => message?.method === 'resources/list' && Array.isArray(made.result?.resources) && made.result.nextCursor === undefined
     ? {...made, result: {...made.result, resources: [...made.result.resources, {uri: 'notes://of/{name}', name: 'notes', mimeType: 'text/plain'}]}} : made}},
  // https://github.com/Graylog2/graylog2-server/issues/25956
  {name: 'unknown-capabilities-refused', from: 'Graylog2/graylog2-server#25956', in: ['legacy stdio', 'legacy http'],
   what: 'fails with -32603 at initialize when a client declares a capability that it does not know',
   rules: ['lifecycle.unknown-capabilities-tolerated'], says: /capabilit|initialize|unknown|extra/,
   change: {said({id, method, params} = {}) {
     if (method !== 'initialize' || !isObject(params?.capabilities)) return undefined;
     const odd = Object.keys(params.capabilities).find(name => !['roots', 'sampling', 'elicitation', 'experimental'].includes(name));
     return odd && failed(id, -32603, `Unrecognized field "${odd}" (class ClientCapabilities), not marked as ignorable`);
   }}},
  // https://github.com/IBM/WxMCPServer/issues/3
  {name: 'version-not-filled-in', from: 'IBM/WxMCPServer#3', in: ['legacy http'],
   what: 'answers initialize without protocolVersion by the protocolVersion "%params/protocolVersion%"',
   rules: ['jsonrpc.invalid-params-code', 'versioning.server-counter-offers', 'lifecycle.server-answers-initialize'], says: /protocolVersion/,
   change: {said({id, method, params} = {}, {server}) {
     return method === 'initialize' && params?.protocolVersion === undefined
       ? server.result(id, {protocolVersion: '%params/protocolVersion%', capabilities: server.declared(), serverInfo: {name: 'notes', version: '1.0.0'}}) : undefined;
   }}},
];
