// Right servers that break one MUST each, written from the specification alone.
//
//   node mutants.mjs NAME stdio|http [--right]

import {fileURLToPath} from 'node:url';

import {isObject, meta, say, serve} from './peers/server.mjs';

const result = (method, change) => ({answer(made, {message}) {
  if (made.result && message?.method === method) change(made.result);
  return made;
}});
const errors = (code, change) => ({answer(made) { return made.error?.code === code ? change(made) : made; }});
const [LS, LH, MS, MH] = ['legacy stdio', 'legacy http', 'modern stdio', 'modern http'];
const shape = 'schema.messages-validate';
const closed = {type: 'object', properties: {}};
const lists = {'tools/list': 'tools', 'resources/list': 'resources', 'prompts/list': 'prompts', 'resources/templates/list': 'resourceTemplates'};

export const cases = [
  {name: 'server-without-a-version', in: [LS, LH], rules: ['lifecycle.server-answers-initialize', shape, 'lifecycle.implementation-name-and-version'], change: result('initialize', made => { delete made.serverInfo.version; })},
  {name: 'version-as-number', in: [LS], rules: ['lifecycle.server-answers-initialize', 'versioning.server-echoes-supported', 'versioning.accepted-is-served', shape], change: result('initialize', made => { made.protocolVersion = 20251125; })},
  {name: 'tool-without-a-schema', in: [LS, MH], rules: ['tools.definition-required-fields', 'tools.input-schema-valid', shape], change: result('tools/list', made => { for (const tool of made.tools) if (tool.name === 'today') delete tool.inputSchema; })},
  {name: 'contents-without-a-uri', in: [LS, MS], rules: ['resources.contents-shape', shape], change: result('resources/read', made => { for (const one of made.contents) delete one.uri; })},
  {name: 'role-system', in: [LS, MH], rules: ['prompts.result-shape', shape], change: result('prompts/get', made => { made.messages[0].role = 'system'; })},
  {name: 'image-by-address', in: [LS, MS], rules: ['schema.content-types-by-revision', 'tools.media-encoded', shape, 'tools.result-content-required'],
   change: {tools: [{name: 'show', description: 'Shows a picture', annotations: {readOnlyHint: true}, inputSchema: closed, run: () => ({content: [{type: 'image', url: 'https://pictures.example/one.png', mimeType: 'image/png'}]})}]}},
  {name: 'progress-goes-back', in: [LS, MH], rules: ['progress.increases'],
   change: {tools: [{name: 'read_slowly', description: 'Reads, and tells how far it is', annotations: {readOnlyHint: true}, inputSchema: closed,
                     async run(_, call) { for (const at of [1, 3, 2]) { await new Promise(resolve => setTimeout(resolve, 60)); call.progress(at, 3); } return say('read'); }}]}},
  {name: 'token-as-text', in: [LS, MS], rules: ['progress.only-active-tokens', 'progress.token-type', 'http.sse-notifications-relate'],
   change: {tools: [{name: 'read_slowly', description: 'Reads, and tells how far it is', annotations: {readOnlyHint: true}, inputSchema: closed,
                     async run(_, call) { if (call.token !== undefined) call.token = `${call.token}!`; for (const at of [1, 2]) { await new Promise(resolve => setTimeout(resolve, 60)); call.progress(at, 2); } return say('read'); }}]}},
  {name: 'nothing-for-unknown', in: [MS, MH], rules: ['resources.no-empty-contents-for-missing', 'resources.not-found-error'], change: {said({id, method, params}, {session, server}) { return method === 'resources/read' && typeof params?.uri === 'string' && !session.contents(params.uri) ? server.result(id, {contents: [], ttlMs: 0, cacheScope: 'private'}) : undefined; }}},
  {name: 'error-without-a-message', in: [LS, MH], rules: ['jsonrpc.error-object-code-message', 'jsonrpc.conforms-to-2-0'], change: errors(-32601, made => { delete made.error.message; return made; })},
  {name: 'code-as-text', in: [LS], rules: ['jsonrpc.error-code-integer', 'jsonrpc.method-not-found-code'], change: errors(-32601, made => { made.error.code = '-32601'; return made; })},
  {name: 'pong', in: [LS], rules: ['ping.empty-result'], change: result('ping', made => { made.pong = true; })},
  {name: 'ids-as-texts', in: [LS, MH], rules: ['jsonrpc.response-id-matches', 'jsonrpc.conforms-to-2-0'], change: {answer: made => ({...made, id: made.id === null ? null : String(made.id)})}},
  {name: 'both-outcomes', in: [LS], rules: ['jsonrpc.response-result-xor-error', 'jsonrpc.conforms-to-2-0'], change: {answer: made => made.error ? {...made, result: {}} : made}},
  {name: 'answers-notices', in: [LS, MS], rules: ['jsonrpc.notification-no-response', 'jsonrpc.conforms-to-2-0', 'jsonrpc.response-id-matches'], change: {said: message => isObject(message) && message.method === 'notifications/plumbline' || message?.method === 'notifications/initialized' ? {jsonrpc: '2.0', id: null, result: {}} : undefined}},
  {name: 'notice-200', in: [LH], rules: ['http.notification-202'], change: {head: (headers, status) => status === 202 ? 200 : undefined}},
  {name: 'get-is-json', in: [LH], rules: ['http.get-stream-or-405', 'http.single-endpoint-post-get'], change: {http(request, response) { if (request.method !== 'GET') return false; response.writeHead(200, {'content-type': 'application/json'}); response.end('{}'); return true; }}},
  {name: 'any-origin', in: [LH, MH], rules: ['http.origin-validated', 'http.origin-invalid-403', 'security.rebinding-refused'], change: {http(request) { delete request.headers.origin; }}},
  {name: 'any-version-header', in: [LH], rules: ['http.protocol-version-invalid-400'], change: {http(request) { delete request.headers['mcp-protocol-version']; }}},
  {name: 'session-with-a-blank', in: [LH], rules: ['http.session-id-visible-ascii'], change: {head(headers) { if (headers['Mcp-Session-Id']) headers['Mcp-Session-Id'] = headers['Mcp-Session-Id'].replace('-', ' '); }, http(request) { const id = request.headers['mcp-session-id']; if (id) request.headers['mcp-session-id'] = id.replace(' ', '-'); }}},
  {name: 'session-after-its-end', in: [LH], rules: ['http.session-ended-404'], change: {http(request, response) { if (request.method !== 'DELETE') return false; response.writeHead(204); response.end(); return true; }}},
  {name: 'any-method-header', in: [MH], rules: ['http.header-body-mismatch-rejected', 'http.missing-required-header-rejected', 'http.header-validation-400-32020'], change: {http(request, response, body) { try { request.headers['mcp-method'] = JSON.parse(body).method; } catch {} }}},
  {name: 'any-name-header', in: [MH], rules: ['http.header-body-mismatch-rejected', 'http.missing-required-header-rejected', 'http.header-validation-400-32020'], change: {http(request, response, body) { try { const {params} = JSON.parse(body); const name = params?.name ?? params?.uri; if (name) request.headers['mcp-name'] = `=?base64?${Buffer.from(String(name)).toString('base64')}?=`; } catch {} }}},
  {name: 'no-capabilities-wanted', in: [MS, MH], rules: ['lifecycle.missing-meta-rejected', 'http.missing-meta-400'], change: {said({params}) { if (params?._meta?.[`${meta}protocolVersion`] && !params._meta[`${meta}clientCapabilities`]) params._meta[`${meta}clientCapabilities`] = {}; return undefined; }}},
  {name: 'other-version-32602', in: [MS, MH], rules: ['versioning.unsupported-version-error', 'http.unsupported-version-400'], change: errors(-32022, made => ({...made, error: {code: -32602, message: 'No such revision'}}))},
  {name: 'discovers-no-capabilities', in: [MS, MH], rules: ['discover.result-shape', shape], change: result('server/discover', made => { delete made.capabilities; })},
  {name: 'result-of-no-type', in: [MS, MH], rules: ['base.result-type-required'], change: result('prompts/get', made => { delete made.resultType; })},
  {name: 'list-without-hints', in: [MS, MH], rules: ['caching.hints-required', shape], change: result('prompts/list', made => { delete made.ttlMs; })},
  {name: 'acknowledges-without-id', in: [MS], rules: ['subscriptions.id-in-meta', 'subscriptions.acknowledged-first'], change: {said({method}, call) { if (method === 'subscriptions/listen') { const tell = call.tell; call.tell = message => tell(message.method === 'notifications/subscriptions/acknowledged' ? {...message, params: {notifications: message.params.notifications}} : message); } return undefined; }}},
  {name: 'asks-the-undeclared', in: [MS, MH], rules: ['mrtr.no-undeclared-input-requests', 'lifecycle.missing-client-capability-error', 'lifecycle.no-undeclared-client-capability'], change: {said({method, params}) { if (method === 'tools/call' && params?.name === 'ask_name' && params._meta) params._meta[`${meta}clientCapabilities`] = {elicitation: {}}; return undefined; }}},
  {name: 'state-of-anybody', in: [MS, MH], rules: ['mrtr.request-state-invalid-rejected', 'mrtr.request-state-integrity-protected'], change: {begin(server) { server.unseal = sealed => { try { return JSON.parse(Buffer.from(String(sealed).split('.')[0], 'base64url').toString()); } catch { return undefined; } }; }}},
  {name: 'values-by-the-hundred', in: [LS, MS], rules: ['completion.max-100-values'], change: result('completion/complete', made => { made.completion.values = Array.from({length: 120}, (_, i) => `v${i}`); delete made.completion.hasMore; })},
  {name: 'cursor-null', in: [LS, MS], rules: [shape, 'pagination.missing-cursor-is-end'], change: {answer(made, {message}) { const name = lists[message?.method]; if (made.result && name && made.result.nextCursor === undefined) made.result.nextCursor = null; return made; }}},
  {name: 'structure-of-another-kind', in: [LS, MH], rules: ['tools.output-schema-conform'], change: result('tools/call', made => { if (made.structuredContent) made.structuredContent = {sum: 'three'}; })},
  {name: 'names-twice', in: [LS, MS], rules: ['tools.name-unique'], change: {begin(server) { server.tools.push({...server.tools[2]}); }}},
  {name: 'unknown-method-32600', in: [LH, MS], rules: ['jsonrpc.method-not-found-code', 'lifecycle.unadvertised-method-not-found'], change: errors(-32601, made => ({...made, error: {...made.error, code: -32600}}))},
];

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [name, transport] = process.argv.slice(2);
  const chosen = cases.find(one => one.name === name.split('@')[0]);
  if (!chosen) throw new Error(`no mutant is called ${name}`);
  serve(process.argv.includes('--right') ? {} : chosen.change, name.split('@')[1] ?? chosen.in[0].split(' ')[0], transport);
}
