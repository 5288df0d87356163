// Clients that get 2026-07-28 wrong: metadata of each request, headers that mirror the body, results
// that ask for input, tasks of the extension.

import {SM, HM, RS, RH, calls, inClass, is, isRequest, notice, request} from './client_mutant_kit.mjs';

const prefix = 'io.modelcontextprotocol/';
const metaOf = m => m.params?._meta;
const changesMeta = (name, change, when = isRequest) => ({say: m => {
  if (!when(m)) return m;
  m.params ??= {};
  m.params._meta ??= {};
  const value = change(m.params._meta[prefix + name]);
  if (value === undefined) delete m.params._meta[prefix + name]; else m.params._meta[prefix + name] = value;
  return m;
}});
const lists = m => is(m, 'tools/list');

const metadata = inClass('stateless metadata', [
  {name: 'no-version', id: 'lifecycle.meta-protocol-version-on-requests', on: [SM, HM], what: 'calls without its revision', ...changesMeta('protocolVersion', () => undefined, calls)},
  {name: 'version-as-number', id: 'lifecycle.meta-protocol-version-on-requests', on: [SM], what: 'has a number for its revision', ...changesMeta('protocolVersion', () => 20260728, lists)},
  {name: 'version-only-once', id: 'lifecycle.meta-protocol-version-on-requests', on: [HM], what: 'says its revision in the first request alone',
   say: (m, talk) => { if (isRequest(m) && talk.state.seen && metaOf(m)) delete m.params._meta[`${prefix}protocolVersion`]; talk.state.seen = true; return m; }},
  {name: 'no-capabilities', id: 'lifecycle.meta-client-capabilities-on-requests', on: [SM, HM], what: 'calls without its capabilities', ...changesMeta('clientCapabilities', () => undefined, calls)},
  {name: 'capabilities-list', id: 'lifecycle.meta-client-capabilities-on-requests', on: [SM], what: 'has an array of capabilities', ...changesMeta('clientCapabilities', () => ['sampling'], calls)},
  {name: 'no-meta-at-all', id: 'lifecycle.meta-protocol-version-on-requests', on: [SM, HM], what: 'has no _meta', say: m => { if (m.params) delete m.params._meta; return m; }},
  {name: 'meta-version-in-plain', id: 'lifecycle.meta-protocol-version-on-requests', on: [SM], what: 'says protocolVersion without the prefix',
   say: m => { const meta = metaOf(m); if (meta) { meta.protocolVersion = meta[`${prefix}protocolVersion`]; delete meta[`${prefix}protocolVersion`]; } return m; }},
  {name: 'no-client-info', id: 'lifecycle.client-info-on-requests', on: [SM], should: true, what: 'does not say who it is', ...changesMeta('clientInfo', () => undefined)},
  {name: 'extension-without-prefix', id: 'versioning.extension-id-naming', on: [SM, HM], what: 'declares the extension "mine"', ...changesMeta('clientCapabilities', all => ({...all, extensions: {mine: {}}}))},
  {name: 'extension-two-slashes', id: 'versioning.extension-id-naming', on: [SM], what: 'declares the extension "com.a/b/c"', ...changesMeta('clientCapabilities', all => ({...all, extensions: {'com.a/b/c': {}}}))},
  {name: 'task-without-extension', id: 'versioning.extension-fallback', on: [SM, HM], what: 'asks for tasks of a server that has none',
   say: (m, talk) => {
     if (isRequest(m)) m.params = {...m.params, _meta: {...metaOf(m), [`${prefix}clientCapabilities`]: {...metaOf(m)?.[`${prefix}clientCapabilities`], extensions: {[`${prefix}tasks`]: {}}}}};
     return calls(m) ? {several: [{...m, id: `get-${m.id}`, method: 'tasks/get', params: {taskId: 'a', _meta: metaOf(m)}}, m]} : m;
   }},
  {name: 'traceparent-words', id: 'base.trace-context-format', on: [SM, HM], what: 'has "none" for a traceparent', say: m => { if (calls(m)) m.params._meta.traceparent = 'none'; return m; }},
  {name: 'traceparent-zero', id: 'base.trace-context-format', on: [HM], what: 'has a traceparent of zeros',
   say: m => { if (calls(m)) m.params._meta.traceparent = `00-${'0'.repeat(32)}-${'0'.repeat(16)}-01`; return m; }},
  {name: 'traceparent-capital', id: 'base.trace-context-format', on: [SM], what: 'has a traceparent in capitals',
   say: m => { if (calls(m)) m.params._meta.traceparent = `00-${'AB'.repeat(16)}-${'CD'.repeat(8)}-01`; return m; }},
]);

const legacy = inClass('legacy in the stateless era', [
  {name: 'answers-requests', id: 'jsonrpc.client-sends-no-responses', on: [SM, HM], what: 'answers requests of the server',
   hear: (m, talk) => { if (isRequest(m)) talk.send({jsonrpc: '2.0', id: m.id, error: {code: -32601, message: 'Method not found'}}); return m; }},
  {name: 'answers-requests-2', id: 'base.transport-delivers-patterns', on: [SM, HM], what: 'answers pings of the server',
   hear: (m, talk) => { if (is(m, 'ping')) talk.send({jsonrpc: '2.0', id: m.id, result: {}}); return m; }},
  {name: 'falls-back-of-32022', id: 'versioning.modern-error-no-fallback', on: [SM, HM], what: 'initializes when it gets -32022',
   hear: (m, talk) => {
     if (m.error?.code === -32022) talk.send(request('old', 'initialize', {protocolVersion: '2025-11-25', capabilities: {}, clientInfo: {name: 'a', version: '1'}}));
     return m;
   }},
  {name: 'falls-back-of-32004', id: 'jsonrpc.error-code-legacy-range-no-meaning', on: [SM, HM], what: 'initializes when it gets -32004',
   hear: (m, talk) => {
     if (m.error?.code === -32004) talk.send(request('old', 'initialize', {protocolVersion: '2025-11-25', capabilities: {}, clientInfo: {name: 'a', version: '1'}}));
     return m;
   }},
  {name: 'falls-back-of-32601-alone', id: 'stdio.fallback-not-code-specific', on: [RS('2026-07-28')], what: 'initializes after -32601 and no other error',
   say: (m, talk) => is(m, 'initialize') && talk.state.code !== -32601 ? undefined : m,
   hear: (m, talk) => { if (m.error) talk.state.code = m.error.code; return m; }},
  {name: 'unknown-result-used', id: 'base.result-type-unknown-invalid', on: [SM, HM], what: 'takes every type of result for a complete one',
   hear: m => { if (m.result?.resultType === 'x-unknown') m.result.resultType = 'complete'; return m; }},
]);

const mirrors = (name, change, when = () => true) => ({request: (r, talk) => {
  const own = r.headers[name];
  if (own !== undefined && when(r)) r.headers[name] = change(own, r, talk);
}});
const plain = value => !value.startsWith('=?');
const method = 'mcp-method';
const named = 'mcp-name';
const headers = inClass('headers that mirror', [
  {name: 'method-header-missing', id: 'http.mcp-method-header', on: [HM], what: 'has no Mcp-Method', ...mirrors(method, () => undefined)},
  {name: 'method-header-lower-case', id: 'http.mcp-method-header', on: [HM], what: 'changes the case of Mcp-Method', ...mirrors(method, text => text.toUpperCase())},
  {name: 'method-header-of-last', id: 'http.mcp-method-header', on: [HM], what: 'has the method of the request before', ...mirrors(method, (text, r, talk) => {
     const last = talk.state.last ?? text;
     talk.state.last = text;
     return last;
   })},
  {name: 'name-header-missing', id: 'http.mcp-name-header', on: [HM], what: 'has no Mcp-Name', ...mirrors(named, () => undefined, r => plain(r.headers[named]))},
  {name: 'name-header-method', id: 'http.mcp-name-header', on: [HM], what: 'has the method in Mcp-Name', ...mirrors(named, (text, r) => r.message.method, r => plain(r.headers[named]))},
  {name: 'name-header-of-resources', id: 'http.mcp-name-header', on: [HM], what: 'has no Mcp-Name when it reads', ...mirrors(named, () => undefined, r => is(r.message, 'resources/read') && plain(r.headers[named]))},
  {name: 'name-header-of-prompts', id: 'http.mcp-name-header', on: [HM], what: 'has no Mcp-Name when it gets prompts', ...mirrors(named, () => undefined, r => is(r.message, 'prompts/get'))},
  {name: 'name-percent', id: 'http.mcp-name-base64', on: [HM], what: 'percent-encodes names', ...mirrors(named, (text, r) => encodeURIComponent(r.message.params.name ?? r.message.params.uri), r => !plain(r.headers[named]))},
  {name: 'name-bare-base64', id: 'http.mcp-name-base64', on: [HM], what: 'writes names in base64 without the marker', ...mirrors(named, text => text.slice(9, -2), r => !plain(r.headers[named]))},
  {name: 'name-latin', id: 'http.mcp-name-base64', on: [HM], what: 'writes names as Latin-1', ...mirrors(named, (text, r) => r.message.params.name, r => !plain(r.headers[named]) && calls(r.message))},
  {name: 'name-marker-capital', id: 'http.mcp-name-base64', on: [HM], what: 'writes the marker in capitals', ...mirrors(named, text => text.replace('=?base64?', '=?BASE64?'), r => !plain(r.headers[named]))},
  {name: 'param-missing', id: 'http.param-header-support', on: [HM], what: 'mirrors nothing', request: r => { for (const name of Object.keys(r.headers)) if (name.startsWith('mcp-param-')) r.headers[name] = undefined; }},
  {name: 'param-count-float', id: 'http.param-value-type-conversion', on: [HM], what: 'writes -42.0', ...mirrors('mcp-param-count', () => '-42.0')},
  {name: 'param-count-exponent', id: 'http.param-value-type-conversion', on: [HM], what: 'writes -4.2e1', ...mirrors('mcp-param-count', () => '-4.2e1')},
  {name: 'param-bool-capital', id: 'http.param-value-type-conversion', on: [HM], what: 'writes True', ...mirrors('mcp-param-verbose', () => 'True')},
  {name: 'param-bool-number', id: 'http.param-value-type-conversion', on: [HM], what: 'writes 1 for true', ...mirrors('mcp-param-verbose', () => '1')},
  {name: 'param-text-quoted', id: 'http.param-value-type-conversion', on: [HM], what: 'writes texts in quotes', ...mirrors('mcp-param-region', text => `"${text}"`)},
  {name: 'param-false-missing', id: 'http.param-header-included-when-value', on: [HM], what: 'takes false for none', ...mirrors('mcp-param-quiet', () => undefined)},
  {name: 'param-empty-missing', id: 'http.param-header-included-when-value', on: [HM], what: 'takes "" for none', ...mirrors('mcp-param-empty', () => undefined)},
  {name: 'param-foreign-percent', id: 'http.param-value-base64-unsafe', on: [HM], what: 'percent-encodes what is not ASCII', ...mirrors('mcp-param-foreign', () => encodeURIComponent('Hello, \u4e16\u754c'))},
  {name: 'param-foreign-utf-16', id: 'http.param-value-base64-unsafe', on: [HM], what: 'writes base64 of UTF-16', ...mirrors('mcp-param-foreign', () => `=?base64?${Buffer.from('Hello, \u4e16\u754c', 'utf16le').toString('base64')}?=`)},
  {name: 'param-padded-bare', id: 'http.param-value-base64-unsafe', on: [HM], what: 'writes blanks at the ends as they are', ...mirrors('mcp-param-padded', () => 'padded')},
  {name: 'param-broken-stripped', id: 'http.param-value-encoded', on: [HM], what: 'drops line ends', ...mirrors('mcp-param-broken', () => 'oneX-Injected: two')},
  {name: 'marker-capital', id: 'http.base64-sentinel-exact', on: [HM], what: 'writes =?Base64?', ...mirrors('mcp-param-padded', text => text.replace('=?base64?', '=?Base64?'))},
  {name: 'marker-without-end', id: 'http.base64-sentinel-exact', on: [HM], what: 'leaves ?= out', ...mirrors('mcp-param-padded', text => text.slice(0, -2))},
  {name: 'lookalike-bare', id: 'http.base64-sentinel-lookalike-encoded', on: [HM], what: 'leaves lookalikes as they are', ...mirrors('mcp-param-lookalike', () => '=?base64?literal?=')},
  {name: 'param-null-text', id: 'http.param-header-omitted-when-null', on: [HM], what: 'writes null', request: r => { if (r.headers['mcp-param-region']) r.headers['mcp-param-nothing'] = 'null'; }},
  {name: 'param-null-empty', id: 'http.param-header-omitted-when-null', on: [HM], what: 'writes an empty header for null', request: r => { if (r.headers['mcp-param-region']) r.headers['mcp-param-nothing'] = ''; }},
  {name: 'param-absent', id: 'http.param-header-omitted-when-absent', on: [HM], what: 'writes "undefined"', request: r => { if (r.headers['mcp-param-region']) r.headers['mcp-param-absent'] = 'undefined'; }},
  {name: 'param-outer', id: 'http.param-header-exact-path', on: [HM], what: 'takes the outer argument', ...mirrors('mcp-param-inner', () => 'the outer one')},
  {name: 'unsafe-number', id: 'http.x-mcp-header-integer-safe-range', on: [HM], what: 'mirrors numbers that are not safe',
   request: r => { const count = r.message?.params?.arguments?.count; if (Math.abs(count) > 2 ** 53 - 1) r.headers['mcp-param-count'] = String(count); }},
  {name: 'annotation-unread', id: 'http.x-mcp-header-invalid-tool-excluded', on: [HM], what: 'keeps tools whose annotations are wrong',
   hear: m => { for (const tool of m.result?.tools ?? []) if (tool.name.startsWith('invalid')) tool.inputSchema = {type: 'object'}; return m; }},
  {name: 'annotation-array-unread', id: 'http.x-mcp-header-invalid-tool-excluded', on: [HM], what: 'keeps a tool whose array is annotated',
   hear: m => { for (const tool of m.result?.tools ?? []) if (tool.name.startsWith('invalid') && tool.inputSchema.properties.x?.type === 'array') tool.inputSchema = {type: 'object'}; return m; }},
  {name: 'lost-same-id', id: 'http.lost-stream-reissue-new-id', on: [HM], what: 'calls again with the same id',
   say: (m, talk) => {
     if (m.params?.name === 'test_lost_stream') talk.later(300, () => talk.send(m));
     return m;
   }},
]);

const retry = m => m.params?.inputResponses !== undefined;
const input = (id, name, on, what, change) => ({id, name, on, what, say: (m, talk) => {
  if (calls(m) && !retry(m)) talk.state[m.params.name] ??= m;
  return calls(m) && retry(m) ? change(m, talk) : m;
}});
const state = change => m => { if (m.params.requestState !== undefined) m.params.requestState = change(m.params.requestState); return m; };
const rounds = inClass('request state and input', [
  input('mrtr.request-state-echo', 'state-dropped', [SM, HM], 'drops the request state', m => { delete m.params.requestState; return m; }),
  input('mrtr.request-state-echo', 'state-trimmed', [SM], 'trims the request state', state(text => text.trim())),
  input('mrtr.request-state-opaque', 'state-decoded', [HM], 'decodes the request state', state(text => decodeURIComponent(text))),
  input('mrtr.request-state-opaque', 'state-normalised', [SM], 'normalises the request state', state(text => text.normalize('NFD'))),
  input('mrtr.request-state-not-invented', 'state-invented', [SM, HM], 'invents a request state', m => { m.params.requestState ??= ''; return m; }),
  input('mrtr.retry-new-id', 'retry-same-id', [SM, HM], 'comes back with the same id', (m, talk) => talk.rename(m, talk.state[m.params.name].id)),
  input('mrtr.inputs-built-before-retry', 'input-empty', [SM], 'comes back without input', m => { m.params.inputResponses = {}; return m; }),
  input('mrtr.inputs-built-before-retry', 'input-other-key', [HM], 'has its input under another key', m => { m.params.inputResponses = {input: Object.values(m.params.inputResponses)[0]}; return m; }),
  input('mrtr.inputs-built-before-retry', 'input-list', [SM], 'has an array of input', m => { m.params.inputResponses = Object.values(m.params.inputResponses); return m; }),
  input('mrtr.retry-repeats-original-params', 'retry-other-arguments', [SM, HM], 'comes back with other arguments', m => { m.params.arguments = {...m.params.arguments, again: true}; return m; }),
  input('mrtr.retry-repeats-original-params', 'retry-without-arguments', [HM], 'comes back without arguments', m => { delete m.params.arguments; return m; }),
  {name: 'input-elsewhere', id: 'mrtr.inputs-scoped-to-retry', on: [SM, HM], what: 'has its input in every request that follows',
   say: (m, talk) => {
     if (!isRequest(m)) return m;
     if (retry(m)) talk.state.given = {inputResponses: m.params.inputResponses, requestState: m.params.requestState};
     return talk.state.given && !retry(m) ? {...m, params: {...m.params, ...talk.state.given}} : m;
   }},
  {name: 'cache-of-everything', id: 'caching.key-includes-params', on: [SM, HM], what: 'keeps one answer for all resources',
   say: (m, talk) => {
     if (!is(m, 'resources/read')) return m;
     if (!talk.state.read) { talk.state.read = true; return m; }
     const answer = {result: {resultType: 'complete', ttlMs: 0, cacheScope: 'private', contents: [{uri: m.params.uri, text: 'kept'}]}};
     return {answer};
   }},
]);

const tasks = inClass('tasks of the extension', [
  {name: 'task-unread', id: 'tasks.client-handles-both-results', on: [RS('2026-07-28')], what: 'does not follow its task', say: m => is(m, 'tasks/get') ? undefined : m},
  {name: 'task-other-input', id: 'tasks.update-keys-outstanding', on: [RS('2026-07-28')], what: 'gives input that nobody asked for',
   say: m => { if (is(m, 'tasks/update')) m.params.inputResponses = {...m.params.inputResponses, other: {action: 'cancel'}}; return m; }},
  {name: 'task-name-missing', id: 'tasks.mcp-name-header', on: [RH('2026-07-28')], what: 'has no Mcp-Name for its task', ...mirrors(named, () => undefined, r => r.message.method?.startsWith('tasks/'))},
  {name: 'task-name-bare', id: 'tasks.mcp-name-header', on: [RH('2026-07-28')], what: 'has another task in Mcp-Name', ...mirrors(named, () => 'task', r => r.message.method?.startsWith('tasks/'))},
  {name: 'task-cancelled', id: 'tasks.no-cancelled-notification', on: [RS('2026-07-28')], what: 'cancels a task by notifications/cancelled',
   hear: (m, talk) => { if (m.result?.resultType === 'task') talk.send(notice('notifications/cancelled', {requestId: m.id})); return m; }},
  {name: 'task-of-prompt', id: 'tasks.create-on-unsupported-request-invalid', on: [RS('2026-07-28')], what: 'follows a task that it was given for a prompt',
   hear: (m, talk) => {
     if (m.result?.taskId === 'judge-task-of-a-prompt') talk.send(request('follow', 'tasks/get', {taskId: m.result.taskId, _meta: talk.request(m)?.params?._meta}));
     return m;
   }},
]);

export const modernMutants = [...metadata, ...legacy, ...headers, ...rounds, ...tasks];
