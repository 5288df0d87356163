// Clients whose Streamable HTTP is wrong, and one of HTTP+SSE.

import {H1, H2, HM, RH, calls, inClass, is, request} from './client_mutant_kit.mjs';

const posts = (r, method) => r.method === 'POST' && (method === undefined || is(r.message, method));
const header = (name, value, when = () => true) => r => { if (when(r)) r.headers[name] = value; };
const isGet = r => r.method === 'GET';
const isPost = r => r.method === 'POST';

const accept = inClass('Accept', [
  {name: 'accepts-json', id: 'http.accept-header-both-types', on: [H1, HM], what: 'accepts JSON alone', request: header('accept', 'application/json', isPost)},
  {name: 'accepts-events', id: 'http.accept-header-both-types', on: [H2], what: 'accepts streams alone', request: header('accept', 'text/event-stream', isPost)},
  {name: 'accepts-anything', id: 'http.accept-header-both-types', on: [H1, HM], what: 'accepts */*', request: header('accept', '*/*', isPost)},
  {name: 'accepts-nothing', id: 'http.accept-header-both-types', on: [H2], what: 'has no Accept', request: header('accept', undefined, isPost)},
  {name: 'accepts-json-in-notices', id: 'http.accept-header-both-types', on: [H1], what: 'accepts JSON alone for notifications',
   request: header('accept', 'application/json', r => isPost(r) && r.message?.id === undefined)},
  {name: 'get-accepts-json', id: 'http.get-accept-event-stream', on: [H1], what: 'gets JSON', request: header('accept', 'application/json', isGet)},
  {name: 'get-accepts-nothing', id: 'http.get-accept-event-stream', on: [H2], what: 'gets without Accept', request: header('accept', undefined, isGet)},
  {name: 'get-accepts-anything', id: 'http.get-accept-event-stream', on: [H2], what: 'gets */*', request: header('accept', '*/*', isGet)},
]);

const bodies = inClass('bodies', [
  {name: 'body-form', id: 'http.body-is-json', on: [H1], what: 'posts a form', request: r => {
     if (!calls(r.message)) return;
     r.headers['content-type'] = 'application/x-www-form-urlencoded';
     r.body = Buffer.from(`message=${encodeURIComponent(r.body)}`);
   }},
  {name: 'body-empty', id: 'http.post-per-message', on: [H2], what: 'puts the message into the query', request: r => {
     if (!calls(r.message)) return;
     r.path += `?message=${encodeURIComponent(r.body)}`;
     r.body = Buffer.alloc(0);
   }},
  {name: 'put', id: 'http.post-per-message', on: [H1, HM], what: 'sends calls by PUT', request: r => { if (calls(r.message)) r.method = 'PUT'; }},
  {name: 'get-with-body', id: 'http.post-per-message', on: [H2], what: 'sends notifications by GET', request: r => { if (isPost(r) && r.message?.id === undefined) r.method = 'GET'; }},
  {name: 'two-in-a-body', id: 'http.single-message-body', on: [H2, HM], what: 'posts two messages, one behind the other',
   request: r => { if (calls(r.message)) r.body = Buffer.concat([r.body, Buffer.from('\n'), r.body]); }},
  {name: 'other-path', id: 'http.post-per-message', on: [H1], what: 'posts calls to /mcp/call', request: r => { if (calls(r.message)) r.path += '/call'; }},
]);

const session = 'mcp-session-id';
const sessions = inClass('sessions', [
  {name: 'session-forgotten', id: 'http.session-id-echoed', on: [H1, H2], what: 'forgets its session', request: header(session, undefined)},
  {name: 'session-not-in-notices', id: 'http.session-id-echoed', on: [H1], what: 'has no session id in notifications', request: header(session, undefined, r => isPost(r) && r.message?.id === undefined)},
  {name: 'session-not-in-get', id: 'http.session-id-echoed', on: [H2], what: 'has no session id in GET', request: header(session, undefined, isGet)},
  {name: 'session-invented', id: 'http.session-id-echoed', on: [H1], what: 'invents a session id', request: header(session, 'judge-session-of-mine', r => !posts(r, 'initialize'))},
  {name: 'session-lower-case', id: 'http.session-id-echoed', on: [H2], what: 'changes the case of its session id',
   request: r => { if (r.headers[session]) r.headers[session] = r.headers[session].toUpperCase(); }},
  {name: 'session-cut', id: 'http.session-id-echoed', on: [H1], what: 'cuts its session id', request: r => { if (r.headers[session]) r.headers[session] = r.headers[session].slice(0, 20); }},
  {name: 'session-fresh-each-time', id: 'http.session-id-echoed', on: [H2], what: 'has another session id in each request',
   request: (r, talk) => { if (r.headers[session]) r.headers[session] += String(talk.state.n = (talk.state.n ?? 0) + 1); }},
  {name: 'session-case-sensitive', id: 'http.header-names-case-insensitive', on: [H1], what: 'knows Mcp-Session-Id in one spelling alone',
   response: answer => { if (!answer.raw.includes('Mcp-Session-Id')) delete answer.headers[session]; }},
  {name: 'session-expired-unseen', id: 'http.session-404-reinitialize', on: [H1, H2], what: 'goes on with a session that has ended',
   response: (answer, talk) => { if (answer.status === 404) talk.send(request('on', 'tools/list')); }},
  {name: 'session-expired-carried', id: 'http.session-404-reinitialize', on: [H2], what: 'opens a new session with the id of the old one',
   response: (answer, talk) => {
     if (answer.status !== 404) return;
     talk.send(request('anew', 'initialize', {protocolVersion: '2025-11-25', capabilities: {}, clientInfo: {name: 'a', version: '1'}}));
   }},
]);

const version = 'mcp-protocol-version';
const versions = inClass('MCP-Protocol-Version', [
  {name: 'version-header-missing', id: 'http.protocol-version-header', on: [H1, HM], what: 'has no MCP-Protocol-Version', request: header(version, undefined)},
  {name: 'version-header-not-in-get', id: 'http.protocol-version-header', on: [H2], what: 'has none in GET', request: header(version, undefined, isGet)},
  {name: 'version-header-not-in-delete', id: 'http.protocol-version-header', on: [H1], what: 'has none in DELETE', request: header(version, undefined, r => r.method === 'DELETE')},
  {name: 'version-header-not-in-ready', id: 'http.protocol-version-header', on: [H2], what: 'has none in initialized', request: header(version, undefined, r => posts(r, 'notifications/initialized'))},
  {name: 'version-header-empty', id: 'http.protocol-version-header', on: [H1], what: 'has an empty one', request: header(version, '', r => !posts(r, 'initialize'))},
  {name: 'version-header-misnamed', id: 'http.protocol-version-header', on: [HM], what: 'says Mcp-Version', request: r => {
     r.headers['mcp-version'] = r.headers[version];
     r.headers[version] = undefined;
   }},
  {name: 'version-header-older', id: 'http.protocol-version-is-negotiated', on: [H1], should: true, what: 'says 2025-06-18 where 2025-11-25 was agreed on',
   request: header(version, '2025-06-18', r => !posts(r, 'initialize'))},
  {name: 'version-header-against-body', id: 'http.protocol-version-header-matches-body', on: [HM], what: 'says 2025-11-25 in the header', request: header(version, '2025-11-25')},
  {name: 'version-body-against-header', id: 'http.protocol-version-header-matches-body', on: [HM], what: 'says 2025-11-25 in the body',
   say: m => { if (calls(m)) m.params._meta['io.modelcontextprotocol/protocolVersion'] = '2025-11-25'; return m; }},
]);

const answers = inClass('answers and streams', [
  {name: 'no-event-streams', id: 'http.client-supports-both-response-types', on: [H1, HM], what: 'does not read streams', event: () => undefined},
  {name: 'no-json', id: 'http.client-supports-both-response-types', on: [H2, HM], what: 'does not read JSON', response: answer => {
     if (answer.headers['content-type']?.startsWith('application/json')) answer.headers['content-type'] = 'text/plain';
   }},
  {name: 'one-data-line', id: 'http.sse-format', on: [H1, H2], what: 'reads the first data line of an event',
   event: text => { let seen = 0; return text.split(/(?<=\n)/).filter(line => !line.startsWith('data:') || seen++ === 0).join(''); }},
  {name: 'only-lf', id: 'http.sse-format', on: [H1], what: 'does not read lines that end with CRLF', event: text => text.includes('\r\n') ? undefined : text},
  {name: 'comments-kill', id: 'http.sse-comments-ignored', on: [HM], what: 'takes a comment for an error', event: (text, talk) => { if (text.startsWith(':')) talk.leave(); return text; }},
  {name: 'retry-unread', id: 'http.sse-retry-respected', on: [H1, H2], what: 'comes back at once',
   event: text => text.replace(/retry: ?\d+/, 'retry: 10')},
  {name: 'last-event-id-changed', id: 'http.resume-with-last-event-id', on: [H1], should: true, what: 'comes back with another Last-Event-ID',
   request: r => { if (r.headers['last-event-id']) r.headers['last-event-id'] += '0'; }},
  {name: 'endpoint-ignored', id: 'sse-legacy.client-posts-to-endpoint', on: [RH('2024-11-05')], what: 'posts to /mcp whatever endpoint it was told',
   request: r => { if (isPost(r)) r.path = '/mcp'; }},
  {name: 'endpoint-without-query', id: 'sse-legacy.client-posts-to-endpoint', on: [RH('2024-11-05')], what: 'drops the query of the endpoint',
   request: r => { if (isPost(r)) r.path = r.path.split('?')[0]; }},
]);

export const httpMutants = [...accept, ...bodies, ...sessions, ...versions, ...answers];
