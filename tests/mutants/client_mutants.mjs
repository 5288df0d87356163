// What clients get wrong, written from the specification: each mutant is a client that is right but
// for one thing, and names the rule that it breaks. mutate_client.mjs plays them, run_clients.mjs
// has them judged.
//
//   on        set-ups: client (1, 2, 2-modern: the official SDK; reference), transport, revision
//   say       (message, talk) => what goes to the server instead: a message, {raw, end},
//             {several: [...]}, {answer} to answer the client oneself, or nothing
//   hear      the same with what comes to the client
//   request   (request, talk): changes the client's HTTP request; false swallows it
//   response  (answer, talk): changes status and headers of the server's HTTP response
//   event     (text, talk) => what the client reads instead of one event of a stream

import {httpMutants} from './client_mutants_http.mjs';
import {lifeMutants} from './client_mutants_life.mjs';
import {modernMutants} from './client_mutants_modern.mjs';
import {questionMutants} from './client_mutants_questions.mjs';
import {S1, H1, S2, H2, SM, HM, RS, RH, calls, inClass, is, isRequest, isResponse, notice} from './client_mutant_kit.mjs';


const answers = change => message => isResponse(message) ? change(message) : message;

const ids = inClass('ids', [
  {name: 'id-null', id: 'jsonrpc.request-id-not-null', on: [S2, H1, SM], what: 'calls with the id null',
   say: (m, talk) => calls(m) ? talk.rename(m, null) : m},
  {name: 'id-fraction', id: 'jsonrpc.request-id-string-or-integer', on: [S1, HM], what: 'calls with the id 7.5',
   say: (m, talk) => calls(m) ? talk.rename(m, 7.5) : m},
  {name: 'id-bool', id: 'jsonrpc.request-id-string-or-integer', on: [S2], what: 'calls with the id true',
   say: (m, talk) => calls(m) ? talk.rename(m, true) : m},
  {name: 'id-object', id: 'jsonrpc.request-id-string-or-integer', on: [H2], what: 'lists with an object for its id',
   say: (m, talk) => is(m, 'tools/list') ? talk.rename(m, {n: m.id}) : m},
  {name: 'id-of-initialize-again', id: 'jsonrpc.request-id-unique-in-session', on: [S1, H2], what: 'calls with the id of initialize',
   say: (m, talk) => {
     if (is(m, 'initialize')) talk.state.id = m.id;
     return calls(m) ? talk.rename(m, talk.state.id) : m;
   }},
  {name: 'ids-all-alike', id: 'jsonrpc.request-id-unique-in-session', on: [S2, H1], what: 'gives every request the id "a"',
   say: (m, talk) => isRequest(m) ? talk.rename(m, 'a') : m},
  {name: 'id-twice-in-flight', id: 'jsonrpc.request-id-unique-in-flight', on: [SM, HM], what: 'says each call twice',
   say: m => calls(m) ? {several: [m, m]} : m},
  {name: 'answer-id-as-text', id: 'jsonrpc.response-id-matches', on: [S1, H2], what: 'answers 4711 as "4711"',
   say: answers(m => typeof m.id === 'number' ? {...m, id: String(m.id)} : m)},
  {name: 'answer-id-as-number', id: 'jsonrpc.response-id-matches', on: [S2, H1], what: 'answers "4711" as 4711',
   say: answers(m => /^\d+$/.test(m.id) ? {...m, id: Number(m.id)} : m)},
  {name: 'answer-id-zero-lost', id: 'jsonrpc.response-id-matches', on: [S1], what: 'takes the id 0 for none',
   say: answers(m => m.id === 0 ? {...m, id: null} : m)},
  {name: 'answer-id-counted', id: 'jsonrpc.response-id-matches', on: [H2], what: 'answers with ids of its own',
   say: answers(m => ({...m, id: 100}))},
  {name: 'answer-id-missing', id: 'jsonrpc.response-id-matches', on: [S2], what: 'answers without an id',
   say: answers(({id, ...m}) => m)},
  {name: 'answer-id-plain-letters', id: 'jsonrpc.response-id-matches', on: [S2, H1], what: 'drops accents from ids',
   say: answers(m => typeof m.id === 'string' ? {...m, id: m.id.normalize('NFD').replace(/[^\x20-\x7e]/g, '')} : m)},
  {name: 'answer-twice', id: 'jsonrpc.conforms-to-2-0', on: [S1], what: 'answers every request twice',
   say: answers(m => ({several: [m, m]}))},
]);

const notices = inClass('notifications with an id', [
  {name: 'notice-id-number', id: 'jsonrpc.notification-no-id', on: [S1, H2], what: 'initialized has an id',
   say: m => is(m, 'notifications/initialized') ? {...m, id: 77} : m},
  {name: 'notice-id-null', id: 'jsonrpc.notification-no-id', on: [S2, H1], what: 'initialized has the id null',
   say: m => is(m, 'notifications/initialized') ? {...m, id: null} : m},
  {name: 'cancel-has-id', id: 'jsonrpc.notification-no-id', on: [S1, SM], what: 'notifications/cancelled has an id',
   say: m => is(m, 'notifications/cancelled') ? {...m, id: 'c1'} : m},
]);

const messages = inClass('messages', [
  {name: 'version-1.0', id: 'jsonrpc.version-is-2.0', on: [S2, H1], what: 'speaks JSON-RPC 1.0',
   say: m => calls(m) ? {...m, jsonrpc: '1.0'} : m},
  {name: 'version-missing', id: 'jsonrpc.version-is-2.0', on: [S1, H2], what: 'leaves jsonrpc out of notifications',
   say: m => { if (m.method?.startsWith('notifications/')) delete m.jsonrpc; return m; }},
  {name: 'version-number', id: 'jsonrpc.conforms-to-2-0', on: [SM, HM], what: 'says "jsonrpc": 2.0',
   say: m => calls(m) ? {...m, jsonrpc: 2} : m},
  {name: 'version-missing-in-answers', id: 'jsonrpc.version-is-2.0', on: [S2], what: 'leaves jsonrpc out of answers',
   say: answers(({jsonrpc, ...m}) => m)},
  {name: 'method-number', id: 'jsonrpc.conforms-to-2-0', on: [S1, H2], what: 'has a method that is a number',
   say: (m, talk) => calls(m) ? {several: [{...m, id: 'm1', method: 5}, m]} : m},
  {name: 'request-and-answer', id: 'jsonrpc.conforms-to-2-0', on: [S2], what: 'puts a result beside its method',
   say: m => calls(m) ? {...m, result: {}} : m},
  {name: 'stray-answer', id: 'jsonrpc.conforms-to-2-0', on: [H1, S2], what: 'answers what nobody asked',
   say: m => calls(m) ? {several: [m, {jsonrpc: '2.0', id: 'nobody', result: {}}]} : m},
  {name: 'params-array', id: 'jsonrpc.params-by-name', on: [S1, H2], what: 'calls by position',
   say: m => calls(m) ? {...m, params: [m.params.name, m.params.arguments]} : m},
  {name: 'params-array-in-notice', id: 'jsonrpc.params-by-name', on: [S2], what: 'initialized has params: []',
   say: m => is(m, 'notifications/initialized') ? {...m, params: []} : m},
  {name: 'params-text', id: 'schema.messages-validate', on: [HM], what: 'calls with a text for params',
   say: m => is(m, 'tools/list') ? {...m, params: 'all'} : m},
  {name: 'result-and-error', id: 'jsonrpc.response-result-xor-error', on: [S1, H2], what: 'answers with both',
   say: answers(m => ({...m, result: m.result ?? {}, error: m.error ?? {code: 0, message: 'none'}}))},
  {name: 'neither', id: 'jsonrpc.response-result-xor-error', on: [S2, H1], what: 'answers pings with neither',
   say: (m, talk) => isResponse(m) && m.result ? {jsonrpc: '2.0', id: m.id} : m},
  {name: 'error-null', id: 'jsonrpc.response-result-xor-error', on: [S1], what: 'has "error": null beside its result',
   say: answers(m => m.result ? {...m, error: null} : m)},
  {name: 'result-null', id: 'jsonrpc.result-is-object', on: [S2, H1], what: 'answers ping with null',
   say: answers(m => m.result ? {...m, result: null} : m)},
  {name: 'result-text', id: 'jsonrpc.result-is-object', on: [H2], what: 'answers ping with "pong"',
   say: answers(m => m.result ? {...m, result: 'pong'} : m)},
  {name: 'result-array', id: 'jsonrpc.result-is-object', on: [S1], what: 'answers ping with []',
   say: answers(m => m.result ? {...m, result: []} : m)},
  {name: 'error-without-message', id: 'jsonrpc.error-object-code-message', on: [S1, H2], what: 'has errors without a message',
   say: answers(m => { if (m.error) delete m.error.message; return m; })},
  {name: 'error-without-code', id: 'jsonrpc.error-object-code-message', on: [H1], what: 'has errors without a code',
   say: answers(m => { if (m.error) delete m.error.code; return m; })},
  {name: 'error-text', id: 'jsonrpc.error-object-code-message', on: [S2], what: 'has a text for its error',
   say: answers(m => m.error ? {...m, error: m.error.message} : m)},
  {name: 'error-code-text', id: 'jsonrpc.error-code-integer', on: [S1, H1], what: 'has "-32601" for a code',
   say: answers(m => m.error ? {...m, error: {...m.error, code: String(m.error.code)}} : m)},
  {name: 'error-code-fraction', id: 'jsonrpc.error-code-integer', on: [S2], what: 'has -32601.5 for a code',
   say: answers(m => m.error ? {...m, error: {...m.error, code: m.error.code - 0.5}} : m)},
  {name: 'unknown-method-32603', id: 'jsonrpc.method-not-found-code', on: [S1, H2], what: 'answers unknown methods with -32603',
   say: answers(m => m.error?.code === -32601 ? {...m, error: {code: -32603, message: 'Internal error'}} : m)},
  {name: 'unknown-method-granted', id: 'jsonrpc.method-not-found-code', on: [H1], what: 'answers unknown methods with {}',
   say: answers(m => m.error?.code === -32601 ? {jsonrpc: '2.0', id: m.id, result: {}} : m)},
  {name: 'unknown-method-ignored', id: 'jsonrpc.method-not-found-code', on: [S2], what: 'does not answer unknown methods',
   say: answers(m => m.error?.code === -32601 ? undefined : m)},
  {name: 'notice-answered', id: 'jsonrpc.notification-no-response', on: [S1, H2, SM], what: 'answers notifications, id null',
   hear: (m, talk) => { if (isNotice(m)) talk.send({jsonrpc: '2.0', id: null, result: {}}); return m; }},
  {name: 'notice-error', id: 'jsonrpc.notification-no-response', on: [S2, H1, HM], what: 'answers unknown notifications with an error without id',
   hear: (m, talk) => {
     if (m.method?.includes('plumbline') && m.id === undefined) talk.send({jsonrpc: '2.0', error: {code: -32601, message: 'Method not found'}});
     return m;
   }},
  {name: 'ping-pong', id: 'ping.empty-result', on: [S1, H2], what: 'answers ping with {"pong": true}',
   say: answers(m => m.result && Object.keys(m.result).length === 0 ? {...m, result: {pong: true}} : m)},
  {name: 'ping-error', id: 'ping.empty-result', on: [S2], what: 'has no ping',
   say: answers(m => m.result && Object.keys(m.result).length === 0 ? {jsonrpc: '2.0', id: m.id, error: {code: -32601, message: 'Method not found'}} : m)},
  {name: 'ping-ignored', id: 'ping.empty-result', on: [H1], what: 'does not answer ping',
   hear: m => m.method === 'ping' ? undefined : m},
]);
function isNotice(m) { return m.method !== undefined && m.id === undefined; }

const latin1 = m => ({raw: Buffer.from(JSON.stringify(m), 'latin1')});
const withText = m => ({...m, params: {...m.params, _meta: {...m.params._meta, note: 'caf\u00e9'}}});
const encodings = inClass('encodings', [
  {name: 'latin-1', id: 'base.utf8-encoding', on: [S1, H2], what: 'writes Latin-1', say: m => calls(m) ? latin1(withText(m)) : m},
  {name: 'latin-1-modern', id: 'base.utf8-encoding', on: [SM, HM], what: 'writes Latin-1', say: m => calls(m) ? latin1(withText(m)) : m},
  {name: 'utf-16', id: 'base.utf8-encoding', on: [H1], what: 'writes UTF-16',
   say: m => calls(m) ? {raw: Buffer.from(JSON.stringify(m), 'utf16le')} : m},
  {name: 'surrogates', id: 'base.utf8-encoding', on: [S2], what: 'writes a surrogate as three bytes (CESU-8)',
   say: m => calls(m) ? {raw: Buffer.from(JSON.stringify(withText(m)).replace('caf\u00e9', '\u00ed\u00a0\u0080'), 'latin1')} : m},
  {name: 'overlong', id: 'base.utf8-encoding', on: [S1], what: 'writes an overlong character',
   say: m => calls(m) ? {raw: Buffer.from(JSON.stringify(withText(m)).replace('caf\u00e9', '\u00c0\u00af'), 'latin1')} : m},
]);

const newlines = m => ({raw: JSON.stringify(m, null, 2)});
const framing = inClass('framing', [
  {name: 'batch-of-one', id: 'jsonrpc.no-batching', on: [S1, H2], what: 'calls in arrays of one', say: m => calls(m) ? {raw: JSON.stringify([m])} : m},
  {name: 'batch-line', id: 'stdio.single-message-lines', on: [S2], what: 'writes arrays',
   say: m => calls(m) ? {raw: JSON.stringify([m, notice('notifications/roots/list_changed')])} : m},
  {name: 'batch-body', id: 'http.single-message-body', on: [H1, HM], what: 'posts arrays', say: m => calls(m) ? {raw: JSON.stringify([m])} : m},
  {name: 'batch-empty', id: 'jsonrpc.no-batching', on: [S2], what: 'writes an empty array', say: m => calls(m) ? {several: [{raw: '[]'}, m]} : m},
  {name: 'two-on-a-line', id: 'stdio.newline-delimited', on: [S1], what: 'writes two messages on a line',
   say: m => calls(m) ? {raw: JSON.stringify(m) + JSON.stringify(notice('notifications/roots/list_changed'))} : m},
  {name: 'two-on-a-line-apart', id: 'stdio.newline-delimited', on: [S2], what: 'writes two messages with a blank between',
   say: m => calls(m) ? {raw: JSON.stringify(notice('notifications/roots/list_changed')) + ' ' + JSON.stringify(m)} : m},
  {name: 'carriage-return', id: 'stdio.newline-delimited', on: [S2], what: 'ends messages with CR alone',
   say: m => is(m, 'notifications/initialized') ? {raw: JSON.stringify(m), end: '\r'} : m},
  {name: 'no-newline-between', id: 'stdio.newline-delimited', on: [S1], what: 'ends initialized without a newline',
   say: m => is(m, 'notifications/initialized') ? {raw: JSON.stringify(m), end: ''} : m},
  {name: 'two-on-a-line-modern', id: 'stdio.stdin-only-mcp', on: [SM], what: 'writes two messages on a line',
   say: m => calls(m) ? {raw: JSON.stringify(m) + JSON.stringify(m)} : m},
  {name: 'pretty', id: 'stdio.no-embedded-newlines', on: [S1, SM], what: 'writes indented JSON', say: m => calls(m) ? newlines(m) : m},
  {name: 'pretty-always', id: 'stdio.no-embedded-newlines', on: [S2], what: 'writes nothing but indented JSON', say: newlines},
  {name: 'newline-after-brace', id: 'stdio.no-embedded-newlines', on: [S2], what: 'begins each message on the next line',
   say: m => calls(m) ? {raw: JSON.stringify(m).replace('{', '{\n')} : m},
  {name: 'newline-in-text', id: 'stdio.no-embedded-newlines', on: [S1, SM], what: 'writes a raw newline inside a string',
   say: m => calls(m) ? {raw: JSON.stringify(m).replace('"tools/call"', '"tools/call\n"')} : m},
  {name: 'log-on-stdin', id: 'stdio.stdin-only-mcp', on: [S1, SM], what: 'logs to the server', say: m => calls(m) ? {several: [{raw: 'DEBUG calling'}, m]} : m},
  {name: 'content-length', id: 'stdio.stdin-only-mcp', on: [S2], what: 'writes headers as editors do',
   say: m => ({several: [{raw: `Content-Length: ${JSON.stringify(m).length}\r`}, {raw: '\r'}, m]})},
  {name: 'json-log-on-stdin', id: 'stdio.stdin-only-mcp', on: [S2, SM], what: 'writes {"level": "debug"} to the server',
   say: m => calls(m) ? {several: [{level: 'debug', text: 'calling'}, m]} : m},
  {name: 'text-on-stdin', id: 'stdio.stdin-only-mcp', on: [S1], what: 'writes "hello", as JSON', say: m => calls(m) ? {several: [{raw: '"hello"'}, m]} : m},
  {name: 'kills-its-server', id: 'stdio.shutdown-client-sequence', on: [S1, SM], should: true, what: 'kills its server without closing its stdin',
   close: (talk, server) => server.kill('SIGKILL')},
  {name: 'batch-initialize', id: 'lifecycle.initialize-not-in-batch', on: [RS('2025-03-26'), RH('2025-03-26')], what: 'opens with an array',
   say: m => is(m, 'initialize') ? {raw: JSON.stringify([m])} : m},
  {name: 'batch-mixed', id: 'http.body-batch-kinds', on: [RH('2025-03-26')], what: 'posts answers beside requests',
   say: m => calls(m) ? {raw: JSON.stringify([m, {jsonrpc: '2.0', id: 'x', result: {}}])} : m},
  {name: 'batch-unread', id: 'jsonrpc.batch-receive', on: [RS('2025-03-26'), RH('2025-03-26')], what: 'takes no arrays', hear: m => Array.isArray(m) ? undefined : m},
  {name: 'batch-half-read', id: 'jsonrpc.batch-receive', on: [RH('2025-03-26')], what: 'reads the first of an array', hear: m => Array.isArray(m) ? m[0] : m},
  {name: 'batch-lines-unread', id: 'stdio.batch-lines-accepted', on: [RS('2025-03-26')], what: 'takes no arrays', hear: m => Array.isArray(m) ? undefined : m},
  {name: 'batch-notices-answered', id: 'jsonrpc.batch-no-response-for-notifications', on: [RS('2025-03-26'), RH('2025-03-26')], what: 'answers arrays of notifications with []',
   hear: (m, talk) => {
     if (Array.isArray(m) && m.every(one => one.id === undefined)) talk.send({raw: '[]'});
     return m;
   }},
]);

export const mutants = [
  {name: 'none', class: 'none', id: '', on: [], what: 'changes nothing'},
  ...ids, ...notices, ...messages, ...encodings, ...framing,
  ...lifeMutants, ...httpMutants, ...questionMutants, ...modernMutants,
];
