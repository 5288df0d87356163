// Faults of servers that public reports tell of, each rebuilt small as one change to a right server.
//
//   node servers.mjs NAME stdio|http [--right]      http says "listening on PORT"; --right: without the fault
//
// `in`: eras and transports; `writes`: tools that change something may be called; `rules`: which name it, one is
// enough; `says`: what the message has to speak of.

import {fileURLToPath} from 'node:url';

import {cases as more} from './more_servers.mjs';
import {cases as field} from './servers_field.mjs';
import {cases as forms} from './servers_forms.mjs';
import {cases as reports} from './servers_reports.mjs';
import {cases as sixth} from './servers_sixth.mjs';
import {cases as seventh} from './servers_seventh.mjs';
import {cases as eighth} from './servers_eighth.mjs';
import {cases as ninth} from './servers_ninth.mjs';
import {cases as tenth} from './servers_tenth.mjs';
import {cases as eleventh} from './servers_eleventh.mjs';
import {cases as twelfth} from './servers_twelfth.mjs';
import {cases as thirteenth} from './servers_thirteenth.mjs';
import {cases as fifteenth} from './servers_fifteenth.mjs';
import {cases as sixteenth} from './servers_sixteenth.mjs';
import {cases as eighteenth} from './servers_eighteenth.mjs';
import {cases as nineteenth} from './servers_nineteenth.mjs';
import {cases as seventeenth} from './servers_seventeenth.mjs';
import {cases as fourteenth} from './servers_fourteenth.mjs';
import {current, failed, isObject, meta, old, say, serve} from './peers/server.mjs';

const readOnly = {readOnlyHint: true};
const wait = ms => new Promise(resolve => setTimeout(resolve, ms));
const closed = {type: 'object', properties: {}, additionalProperties: false};
const only = method => ({method: asked}) => asked === method;

export const cases = [
  {name: 'session-dies-of-a-lost-answer', from: 'modelcontextprotocol/java-sdk#952', in: ['legacy http'],
   what: 'forgets the session when a client goes away before its answer', rules: ['http.disconnect-is-not-cancel', 'http.session-outlives-a-lost-answer'], says: /session|404/,
   change: {http(request, response, body, {server}) {
     response.on('close', () => { if (!response.writableFinished) server.sessions.delete(request.headers['mcp-session-id']); });
   }}},
  {name: 'session-of-one-call', from: 'OneUptime/oneuptime#2459', in: ['legacy http'],
   what: 'knows a session for its first calls, and answers 404 to those that follow', rules: ['base.core-and-lifecycle-supported', 'http.session-ended-404'], says: /404|session/,
   change: {http(request, response, body, {server}) {
     const session = server.sessions.get(request.headers['mcp-session-id']);
     if (session && (session.served = (session.served ?? 0) + (request.method === 'POST')) > 2) server.sessions.delete(request.headers['mcp-session-id']);
   }}},
  {name: 'unknown-session-as-event', from: 'actionhero/keryx#503', in: ['legacy http'],
   what: 'answers 200 and an event with an error when the session is unknown', rules: ['http.session-ended-404'], says: /404/,
   change: {http(request, response, body, {server}) {
     const named = request.headers['mcp-session-id'];
     if (!named || server.sessions.has(named)) return false;
     response.writeHead(200, {'content-type': 'text/event-stream'});
     response.end('event: message\ndata: {"error":"Session not found"}\n\n');
     return true;
   }}},
  {name: 'session-header-twice', from: 'bcurts/agentchattr#80', in: ['legacy http'],
   what: 'sends Mcp-Session-Id twice', rules: ['http.session-id-once', 'http.session-id-visible-ascii'], says: /twice|2 times|Mcp-Session-Id/i,
   change: {head(headers) { if (headers['Mcp-Session-Id']) headers['Mcp-Session-Id'] = [headers['Mcp-Session-Id'], headers['Mcp-Session-Id']]; }}},
  {name: 'json-called-events', from: 'envoyproxy/ai-gateway#2218', in: ['legacy http', 'modern http'],
   what: 'calls JSON an event stream', rules: ['http.sse-format', 'http.response-content-type', 'http.sse-response-delivered'], says: /event/,
   change: {head(headers, status, message) { if (message?.result?.tools) headers['Content-Type'] = 'text/event-stream'; }}},
  {name: 'session-hidden-from-pages', from: 'ai-ecoverse/slicc#1824', in: ['legacy http'],
   what: 'lets pages of other origins in, and hides Mcp-Session-Id from them', rules: ['http.session-id-exposed'], says: /Expose-Headers/i,
   change: {head(headers) { headers['Access-Control-Allow-Origin'] = '*'; }},
   right: {head(headers) { headers['Access-Control-Allow-Origin'] = '*'; headers['Access-Control-Expose-Headers'] = 'Mcp-Session-Id'; }}},
  {name: 'session-in-a-stateless-answer', from: 'modelcontextprotocol/go-sdk#1028', in: ['modern http'],
   what: 'makes sessions in the revision that has none', rules: ['http.session-id-ignored', 'http.no-session-id'], says: /Mcp-Session-Id/i,
   change: {head(headers) { headers['Mcp-Session-Id'] = '8a392688-8526-4abb-bb21-65b140a9528b'; }}},
  {name: 'completes-by-name-alone', from: 'quarkiverse/quarkus-mcp-server#493', in: ['legacy stdio', 'modern stdio'],
   what: 'completes arguments of templates only when the reference has a name', rules: ['completion.listed-is-served'], says: /completion/,
   change: {said({id, method, params}) {
     if (method === 'completion/complete' && params?.ref?.type === 'ref/resource' && !params.ref.name) return failed(id, -32602, 'Resource template completion does not exist: null');
   }}},
  {name: 'empty-arguments-refused', from: 'use-novamira/novamira#53', in: ['legacy stdio', 'modern http'],
   what: 'refuses {} as arguments of tools without any', rules: ['tools.arguments-optional', 'tools.no-params-schema-closed', 'tools.arguments-as-declared'], says: /arguments|\{\}/,
   change: {said({id, method, params}, {server}) {
     const given = params?.arguments;
     if (method === 'tools/call' && isObject(given) && Object.keys(given).length === 0 && params.name !== 'repeat' && params.name !== 'add') return server.result(id, say('input is not of type object', {isError: true}));
   }}},
  {name: 'properties-as-array', from: 'opgginc/laravel-mcp-server#74', in: ['legacy stdio', 'modern stdio'],
   what: 'has [] for the properties of a tool without any', rules: ['tools.input-schema-valid', 'schema.schemas-valid'], says: /propert/,
   change: {answer(message) {
     for (const tool of message.result?.tools ?? []) if (tool.name === 'today') tool.inputSchema = {type: 'object', properties: []};
     return message;
   }}},
  {name: 'notice-answered-without-id', from: 'pgEdge/pgedge-postgres-mcp#142', in: ['legacy http'],
   what: 'answers notifications with 200 and a result without an id', rules: ['jsonrpc.notification-no-response', 'http.notification-202'], says: /notification/,
   change: {said(message) { return message?.method && !('id' in message) ? {jsonrpc: '2.0', result: {}} : undefined; }}},
  {name: 'declared-not-negotiated', from: 'modelcontextprotocol/go-sdk#1258', in: ['legacy stdio'],
   what: 'agrees on 2025-11-25 with who asks for 2026-07-28, and then answers with results of 2026-07-28', rules: ['lifecycle.respect-negotiated-version', 'versioning.accepted-is-served', 'versioning.agreed-is-spoken'], says: /2026|agreed|resultType/,
   change: {said({id, method, params}, {session, server}) {
     if (method === 'initialize') session.declared = params?.protocolVersion;
     if (session.declared === current && method === 'tools/list') return failed(id, -32602, 'protocolVersion and clientCapabilities are required in _meta');
     if (session.declared === current && method === 'ping') return failed(id, -32601, 'There is no ping');
     return undefined;
   }}},
  {name: 'nobody-without-a-length', from: 'agentclientprotocol: bodies in chunks', in: ['legacy http', 'modern http'],
   what: 'reads no body that comes in chunks', rules: ['http.chunked-bodies-read'], says: /chunk/,
   change: {http(request, response) {
     if (request.method !== 'POST' || request.headers['content-length'] !== undefined) return false;
     response.writeHead(400, {'content-type': 'application/json'});
     response.end(JSON.stringify(failed(null, -32700, 'No JSON')));
     return true;
   }}},
  {name: 'letters-cut-in-two', from: 'modelcontextprotocol/java-sdk#898', in: ['legacy stdio', 'modern stdio'],
   what: 'decodes each piece of its input alone, so that a letter in two pieces is lost', rules: ['base.split-letters-read'], says: /letter|piece|UTF-8|character/i,
   change: {begin() { process.stdin.setEncoding = function() { return this; }; const on = process.stdin.on.bind(process.stdin); process.stdin.on = (name, take) => on(name, name === 'data' ? chunk => take(chunk.toString('utf8')) : take); }}},
  {name: 'token-zero-is-none', from: 'modelcontextprotocol/typescript-sdk: falsy tokens', in: ['legacy stdio', 'modern stdio'],
   what: 'tells no progress where the token is 0', rules: ['progress.token-type', 'progress.zero-is-a-token'], says: /token.*0|0.*token/,
   change: {said(message, call) { if (call.token === 0) call.token = undefined; return undefined; }}},
  {name: 'content-length-framing', from: 'paiml/rust-mcp-sdk#158', in: ['legacy stdio'],
   what: 'frames its messages with Content-Length', rules: ['stdio.newline-delimited', 'stdio.stdout-only-mcp'], says: /Content-Length|no JSON|message/,
   change: {text: json => `Content-Length: ${Buffer.byteLength(json)}\r\n\r\n${json}`}},
  {name: 'discover-error-without-id', from: 'adcontextprotocol/adcp-client#2408', in: ['legacy stdio', 'legacy http'],
   what: 'answers unknown methods with an error whose id is null', rules: ['jsonrpc.error-id-matches', 'jsonrpc.response-id-matches', 'jsonrpc.method-not-found-code', 'jsonrpc.conforms-to-2-0'], says: /id/,
   change: {answer: message => message.error?.code === -32601 ? {...message, id: null} : message}},
  {name: 'cancel-kills', from: 'rust-sdk: unknown cancellation', in: ['legacy stdio', 'modern stdio'],
   what: 'ends when a request is cancelled that it does not know', rules: ['cancellation.invalid-ignored'], says: /cancel/,
   change: {said(message, {session}) { if (message?.method === 'notifications/cancelled' && !session.running.has(message.params?.requestId) && !session.server.listeners.has(JSON.stringify(message.params?.requestId))) process.exit(1); return undefined; }}},
  {name: 'one-thing-at-a-time', from: 'servers that block', in: ['legacy stdio', 'modern stdio'],
   what: 'answers nothing while a tool runs', rules: ['jsonrpc.responses-any-order', 'jsonrpc.answers-meanwhile'], says: /while|meanwhile/,
   change: {async said(message, {session}) {
     if (!message || message.method?.startsWith('notifications/')) return undefined;
     const before = session.queue ?? Promise.resolve();
     let free;
     session.queue = new Promise(resolve => { free = resolve; });
     await before;
     if (message.method === 'tools/call' && message.params?.name === 'read_slowly') setTimeout(free, 1100); else free();
     return undefined;
   }}},
  {name: 'list-that-tells-of-itself', from: 'list_changed loops', in: ['legacy stdio'],
   what: 'says that its tools have changed whenever they are listed', rules: ['tools.list-changed-only-then'], says: /list_changed|changed/,
   change: {capabilities: all => ({...all, tools: {listChanged: true}}),
            said({method}, call) { if (method === 'tools/list') setTimeout(() => call.session.tell({jsonrpc: '2.0', method: 'notifications/tools/list_changed'}), 20); return undefined; }},
   right: {capabilities: all => ({...all, tools: {listChanged: true}})}},
  {name: 'listens-to-nothing', from: 'github/github-mcp-server#3073', writes: true, in: ['modern stdio', 'modern http'],
   what: 'takes subscriptions that it never tells of anything', rules: ['subscriptions.resource-updated-delivered', 'subscriptions.interleaving-on-stdio'], says: /update|change/,
   change: {begin(server) { server.changed = () => {}; }}},
  {name: 'updates-never-come', from: 'IBM/mcp-context-forge#4303', writes: true, in: ['legacy stdio', 'legacy http'],
   what: 'takes subscriptions of the old era and never tells of an update', rules: ['resources.updated-after-subscribe'], says: /update/,
   change: {begin(server) { server.changed = () => {}; }}},
  {name: 'second-listen-ends-the-first', from: 'subscriptions kept in one place', writes: true, in: ['modern stdio'],
   what: 'forgets the first subscription when a second is made', rules: ['subscriptions.multiple-concurrent'], says: /subscription/,
   change: {said({method}, {server}) { if (method === 'subscriptions/listen') server.listeners.clear(); return undefined; }}},
  {name: 'state-for-other-arguments', from: 'SEP-2322: state that is not bound', in: ['modern stdio', 'modern http'],
   what: 'takes the state of a call for the same call with other arguments', rules: ['mrtr.request-state-bound-to-request'], says: /argument/,
   change: {tools: [{name: 'book', description: 'Books a table; asks for whom', annotations: readOnly, inputSchema: {type: 'object', properties: {seats: {type: 'integer'}}, required: ['seats']},
                     async run({seats}, call) {
                       const {params} = call.message;
                       if (params.requestState !== undefined) call.message = {...call.message, params: {...params, arguments: JSON.parse(call.server.unseal(params.requestState) ?? '[0,{}]')[1]}};
                       const answer = await call.ask('who', 'For whom?', {type: 'object', properties: {name: {type: 'string'}}, required: ['name']});
                       if (!answer) return undefined;
                       return answer.action === 'accept' && typeof answer.content?.name !== 'string' ? say('A name must be a string', {isError: true}) : say(`${seats} seats`);
                     }}]},
   right: {tools: [{name: 'book', description: 'Books a table; asks for whom', annotations: readOnly, inputSchema: {type: 'object', properties: {seats: {type: 'integer'}}, required: ['seats']},
                    async run({seats}, call) {
                      const answer = await call.ask('who', 'For whom?', {type: 'object', properties: {name: {type: 'string'}}, required: ['name']});
                      if (!answer) return undefined;
                      return answer.action === 'accept' && typeof answer.content?.name !== 'string' ? say('A name must be a string', {isError: true}) : say(`${seats} seats`);
                    }}]}},
  {name: 'error-after-cancel', from: 'requests that were cancelled and answered', in: ['legacy stdio'],
   what: 'answers a cancelled call with a result that has isError', rules: ['cancellation.no-response-after'], says: /cancel/,
   change: {tools: [{name: 'read_slowly', description: 'Reads for a second, and tells how far it is', annotations: readOnly, inputSchema: closed,
                     async run(_, call) {
                       for (let i = 1; i <= 10 && !call.cancelled; ++i) { await wait(100); if (!call.cancelled) call.progress(i, 10); }
                       if (call.cancelled) call.tell(call.server.result(call.message.id, say('Request cancelled', {isError: true})));
                       return say('read');
                     }}]}},
  {name: 'level-without-logging', from: 'servers that log without saying so', in: ['legacy stdio'],
   what: 'serves logging/setLevel and logs without having declared logging', rules: ['logging.capability-declared', 'logging.level-declared'], says: /logging/,
   change: {capabilities: ({logging, ...rest}) => rest},
   right: {capabilities: ({logging, ...rest}) => rest, said: ({id, method}) => method === 'logging/setLevel' ? failed(id, -32601, 'There is no logging/setLevel') : undefined}},
  {name: 'null-id-served', from: 'ramimbo/mergework#656', in: ['legacy stdio', 'modern http'],
   what: 'serves requests whose id is null', rules: ['jsonrpc.bad-id-not-served'], says: /null/,
   change: {said(message, call) { return message && 'id' in message && message.id === null && message.method === 'tools/list' ? {...call.session.serve({...message, id: 1}, call), id: null} : undefined; }}},
  {name: 'calls-before-initialized', from: 'servers without a gate', in: ['legacy stdio'],
   what: 'serves lists and calls before initialize', rules: ['lifecycle.initialize-first'], says: /initialize/,
   change: {said({method}, {session}) { if (method !== 'initialize') session.version ??= old[0]; return undefined; }}},
  {name: 'old-cursor-from-the-top', from: 'servers that take any cursor', in: ['legacy stdio', 'modern stdio'],
   what: 'begins again at the first page for a cursor that it does not know', rules: ['pagination.invalid-cursor-error'], says: /cursor/,
   change: {said({params}) { if (params?.cursor !== undefined && !/^after-[0-9]+$/.test(params.cursor)) delete params.cursor; return undefined; }}},
  {name: 'wrong-number-for-params', from: 'servers with one code for everything', in: ['legacy stdio'],
   what: 'answers -32600 where params are an array', rules: ['jsonrpc.invalid-params-code'], says: /-32602/,
   change: {said(message) { return message && 'id' in message && Array.isArray(message.params) ? failed(message.id, -32600, 'Invalid Request') : undefined; }}},
  {name: 'batch-served', from: 'servers of the first revisions', in: ['legacy http'],
   what: 'answers arrays of requests in revisions without batches', rules: ['jsonrpc.batch-not-served'], says: /batch|array/,
   change: {async said(message, call) {
     if (!Array.isArray(message) || message.length === 0) return undefined;
     const made = [];
     for (const one of message) made.push(await call.session.serve(one, call));
     return made.filter(one => one !== null);
   }}},
  {name: 'raw-newlines', from: 'spring-attic/spring-ai-mcp#21', in: ['legacy stdio'],
   what: 'writes texts with their line ends as they are', rules: ['stdio.no-embedded-newlines', 'stdio.newline-delimited', 'stdio.stdout-only-mcp'], says: /line|newline/,
   change: {tools: [{name: 'repeat', description: 'Says it again', annotations: readOnly, inputSchema: {type: 'object', properties: {text: {type: 'string'}}, required: ['text']}, run: ({text}) => say(`You said:\n${text}`)}],
            text: json => json.replaceAll('\\n', '\n')}},
  {name: 'latin-1', from: 'Taxuspt/garmin_mcp#162', in: ['legacy stdio'],
   what: 'writes in the code page of its machine', rules: ['base.utf8-encoding'], says: /UTF-8/,
   change: {tools: [{name: 'today', description: 'Le jour: été', annotations: readOnly, inputSchema: closed, run: () => say('vendredi, l’été')}],
            text: json => Buffer.from(json, 'latin1')},
   right: {tools: [{name: 'today', description: 'Le jour: été', annotations: readOnly, inputSchema: closed, run: () => say('vendredi, l’été')}]}},
  {name: 'no-unknown-meta', from: 'servers that are strict about params', in: ['legacy stdio'],
   what: 'refuses params with members that it does not know', rules: ['schema.extra-fields-tolerated', 'base.meta-unknown-keys-tolerated'], says: /member|field|unknown/,
   change: {said({id, method, params}) {
     const known = {'tools/list': ['cursor', '_meta'], 'tools/call': ['name', 'arguments', '_meta']}[method];
     return known && isObject(params) && Object.keys(params).some(name => !known.includes(name)) ? failed(id, -32602, 'Extra inputs are not permitted') : undefined;
   }}},
  {name: 'template-of-nothing', from: 'servers with templates that cannot be read', in: ['legacy stdio', 'modern stdio'],
   what: 'lists a template and reads nothing that is made from it', rules: ['resources.template-readable', 'base.listed-is-served'], says: /template/,
   change: {said({id, method, params}, {server}) { return method === 'resources/read' && /^notes:\/\/of\//.test(params?.uri) ? failed(id, server.modern ? -32602 : -32002, 'No such resource', {uri: params.uri}) : undefined; }}},
  {name: 'cursor-that-is-empty', from: 'servers that have "" for the end', in: ['legacy http'],
   what: 'has "" as the cursor of its last page, which begins anew', rules: ['pagination.stable-cursors', 'pagination.missing-cursor-is-end', 'pagination.end-is-told'], says: /cursor|page|no end/i,
   change: {answer: message => message.result?.tools && !message.result.nextCursor ? {...message, result: {...message.result, nextCursor: ''}} : message,
            said({params}) { if (params?.cursor === '') delete params.cursor; return undefined; }}},
  {name: 'cursor-null', from: 'gensecaihq/Wazuh-MCP-Server#75', in: ['legacy stdio', 'modern stdio'],
   what: 'writes null for the cursor of a page that is the last', rules: ['schema.messages-validate', 'pagination.missing-cursor-is-end', 'tools.list-responds'], says: /nextCursor/,
   change: {answer: message => Array.isArray(message.result?.tools) && !message.result.nextCursor ? {...message, result: {...message.result, nextCursor: null}} : message}},
  {name: 'cursor-stands-still', from: 'DeusData/codebase-memory-mcp#1247', in: ['legacy stdio', 'modern http'],
   what: 'names a cursor behind its last page, which brings that page again', rules: ['pagination.stable-cursors', 'pagination.missing-cursor-is-end'], says: /cursor|page|end/i,
   change: {answer: (message, call) => Array.isArray(message.result?.tools) && !message.result.nextCursor ? {...message, result: {...message.result, nextCursor: 'after-1'}} : message}},
  {name: 'preflight-without-the-version', from: 'cameronrye/openzim-mcp#93', in: ['legacy http'],
   what: 'lets pages in and refuses their header MCP-Protocol-Version', rules: ['http.preflight-answered'], says: /MCP-Protocol-Version|preflight|Allow-Headers/i,
   change: {head(headers) { headers['Access-Control-Allow-Origin'] = '*'; headers['Access-Control-Expose-Headers'] = 'Mcp-Session-Id'; },
            http(request, response) {
              if (request.method !== 'OPTIONS') return false;
              const refused = /mcp-protocol-version/i.test(request.headers['access-control-request-headers'] ?? '');
              response.writeHead(refused ? 400 : 204, {'access-control-allow-origin': '*', 'access-control-allow-methods': 'GET, POST, DELETE', 'access-control-allow-headers': 'content-type, authorization, mcp-session-id'});
              response.end(refused ? 'Disallowed CORS headers' : undefined);
              return true;
            }},
   right: {head(headers) { headers['Access-Control-Allow-Origin'] = '*'; headers['Access-Control-Expose-Headers'] = 'Mcp-Session-Id'; },
           http(request, response) {
             if (request.method !== 'OPTIONS') return false;
             response.writeHead(204, {'access-control-allow-origin': '*', 'access-control-allow-methods': 'GET, POST, DELETE', 'access-control-allow-headers': 'content-type, authorization, mcp-session-id, mcp-protocol-version, last-event-id'});
             response.end();
             return true;
           }}},
  {name: 'delete-wants-a-body', from: 'higress-group/wasm-go#46', in: ['legacy http'],
   what: 'answers 400 to DELETE, which has no body', rules: ['http.session-delete-accepted-or-405'], says: /DELETE/,
   change: {http(request, response) { if (request.method !== 'DELETE') return false; response.writeHead(400, {'content-type': 'text/plain'}); response.end('Bad Request'); return true; }}},
  {name: 'get-is-400', from: 'hyperdxio/hyperdx#2691', in: ['legacy http', 'modern http'],
   what: 'answers 400 to GET where it has no stream', rules: ['http.get-stream-or-405', 'http.get-delete-405'], says: /GET/,
   change: {http(request, response) { if (request.method !== 'GET') return false; response.writeHead(400, {'content-type': 'text/plain'}); response.end('Bad Request'); return true; }}},
  {name: 'no-progress-without-a-total', from: 'infobip/infobip-openapi-mcp#41', in: ['legacy stdio', 'modern stdio'],
   what: 'says total: null where it does not know it', rules: ['schema.messages-validate'], says: /total/,
   change: {tools: [{name: 'read_slowly', description: 'Reads for a second, and tells how far it is', annotations: readOnly, inputSchema: closed,
                     async run(_, call) { for (let i = 1; i <= 10 && !call.cancelled; ++i) { await wait(100); if (!call.cancelled) call.progress(i, null); } return say('read'); }}]}},
  {name: 'level-unhandled', from: 'IBM/ibmi-mcp-server#15', in: ['legacy stdio', 'legacy http'],
   what: 'declares logging and has no logging/setLevel', rules: ['logging.set-level-served', 'base.listed-is-served', 'lifecycle.declared-is-served', 'logging.capability-declared', 'logging.level-values'], says: /setLevel/,
   change: {said: ({id, method}) => method === 'logging/setLevel' ? failed(id, -32601, 'There is no logging/setLevel') : undefined}},
  {name: 'read-as-another-type', from: 'modelcontextprotocol/servers#4262', in: ['legacy stdio', 'modern http'],
   what: 'reads resources of one mimeType as another', rules: ['resources.type-as-listed'], says: /mimeType/,
   change: {answer(message) { for (const one of message.result?.contents ?? []) one.mimeType = 'application/octet-stream'; return message; }}},
  {name: 'blob-for-urls', from: 'modelcontextprotocol/python-sdk#342', in: ['legacy stdio', 'modern http'],
   what: 'encodes blobs with the alphabet of URLs', rules: ['resources.contents-shape', 'schema.messages-validate', 'tools.media-encoded', 'resources.binary-encoded'], says: /base64/,
   ...(() => {
     const logo = alphabet => ({resources: [{uri: 'notes://logo', name: 'logo', mimeType: 'image/png'}],
       said: ({id, method, params}, {server}) => method === 'resources/read' && params?.uri === 'notes://logo'
           ? server.result(id, server.cached({contents: [{uri: 'notes://logo', mimeType: 'image/png', blob: Buffer.from('fbfffe3e3f', 'hex').toString(alphabet)}]})) : undefined});
     return {change: logo('base64url'), right: logo('base64')};
   })()},
  {name: 'uri-without-a-scheme', from: 'microsoft/azure-devops-mcp#1540', in: ['legacy stdio', 'modern http'],
   what: 'embeds a resource whose uri is a path', rules: ['resources.uri-rfc3986', 'schema.messages-validate'], says: /uri/i,
   ...(() => {
     const file = uri => ({tools: [{name: 'open_file', description: 'Opens the file', annotations: readOnly, inputSchema: closed, run: () => ({content: [{type: 'resource', resource: {uri, mimeType: 'application/json', text: '{}'}}]})}]});
     return {change: file('/package.json'), right: file('file:///package.json')};
   })()},
  {name: 'missing-is-500', from: 'cboxdk/statamic-mcp#55', in: ['legacy http'],
   what: 'answers 500 and -32603 where a resource is not there', rules: ['resources.not-found-32002', 'resources.not-found-error', 'http.response-content-type'], says: /500|-32603/,
   change: {answer: message => message.error?.code === -32002 ? {...message, error: {...message.error, code: -32603}} : message,
            head: (headers, status, message) => message?.error?.code === -32603 ? 500 : undefined}},
  {name: 'templates-refused', from: 'Pouzor/homelable#387', in: ['legacy stdio', 'modern http'],
   what: 'declares resources and has no resources/templates/list', rules: ['resources.templates-listed', 'lifecycle.declared-is-served', 'resources.capability-served'], says: /templates/,
   change: {said: ({id, method}) => method === 'resources/templates/list' ? failed(id, -32601, 'There is no resources/templates/list') : undefined}},
  {name: 'unknown-tool-as-success', from: 'Jason-Vaughan/Medusa#26', in: ['legacy stdio', 'modern http'],
   what: 'answers calls of tools that it does not have with a good result', rules: ['tools.unknown-tool-protocol-error', 'tools.unknown-tool-error'], says: /tool|error/,
   change: {said: ({id, method, params}, {server}) => method === 'tools/call' && typeof params?.name === 'string' && !server.tools.some(tool => tool.name === params.name) ? server.result(id, say(`Node error: Unknown tool: ${params.name}`)) : undefined}},
  {name: 'agrees-on-what-it-has-not', from: 'zcaceres/fetch-mcp#50', in: ['legacy stdio', 'legacy http'],
   what: 'agrees by initialize on 2026-07-28, and has no server/discover', rules: ['versioning.accepted-is-served', 'versioning.server-echoes-supported'], says: /2026-07-28/,
   change: {answer(message, call) { if (call.message?.method === 'initialize' && message.result && call.message.params?.protocolVersion === current) message.result.protocolVersion = current; return message; }}},
  // What shows with the second session, the second time, the second stream.
  {name: 'second-session-refused', from: 'logseq/logseq#13085', in: ['legacy http'],
   what: 'has one server for all, and refuses to open a second session beside the first', rules: ['http.sessions-side-by-side', 'base.core-and-lifecycle-supported'], says: /session|client/,
   change: {http(request, response, body, {server}) {
     if (request.method !== 'POST' || !/"method":\s*"initialize"/.test(body) || server.sessions.size === 0) return false;
     response.writeHead(400, {'content-type': 'application/json'});
     response.end(JSON.stringify(failed(null, -32600, 'Invalid Request: Server already initialized')));
     return true;
   }}},
  {name: 'newest-session-alone', from: 'coddingtonbear/obsidian-local-rest-api#267', in: ['legacy http'],
   what: 'answers calls of the newest session alone, and lets those of older ones hang', rules: ['http.sessions-side-by-side', 'jsonrpc.request-answered'], says: /session|client/,
   change: {http(request, response, body, {server}) {
     if (request.method !== 'POST' || !/"method":\s*"tools\/call"/.test(body)) return false;
     const named = request.headers['mcp-session-id'];
     if (!server.sessions.has(named) || [...server.sessions.keys()].at(-1) === named) return false;
     response.writeHead(200, {'content-type': 'text/event-stream', 'cache-control': 'no-cache'});
     response.flushHeaders();
     return true;
   }}},
  {name: 'ids-shared-by-sessions', from: 'modelcontextprotocol/typescript-sdk#742', in: ['legacy http'],
   what: 'finds the stream of an answer by the id of its request, whatever the session', rules: ['http.sessions-side-by-side', 'jsonrpc.request-answered'], says: /session|client/,
   change: {http(request, response, body, {server, exchange}) {
     let said;
     try { said = JSON.parse(body); } catch { return false; }
     if (request.method !== 'POST' || said?.method !== 'tools/call') return false;
     server.routes ??= new Map;
     server.routes.set(JSON.stringify(said.id), exchange);
     const {end, event} = Object.getPrototypeOf(exchange);
     const to = message => message && !message.method && server.routes.get(JSON.stringify(message.id)) || exchange;
     exchange.end = (status, message, headers) => end.call(to(message), status, message, headers);
     exchange.event = message => event.call(to(message), message);
     return false;
   }}},
  {name: 'answers-on-both-streams', from: 'agentgateway/agentgateway#2373', in: ['legacy http'],
   what: 'sends each answer on the standing stream as well', rules: ['http.get-stream-no-responses', 'http.no-broadcast'], says: /stream|response/,
   change: {answer(made, {session}) { if ('id' in made && !made.method) session.stream?.event(made); return made; }}},
  {name: 'listen-answered-at-once', from: 'modelcontextprotocol/inspector#2097', in: ['modern stdio', 'modern http'],
   what: 'answers subscriptions/listen with a result, and acknowledges nothing', rules: ['subscriptions.acknowledged-first'], says: /acknowledged/,
   change: {said({id, method}, {server}) { return method === 'subscriptions/listen' ? server.result(id, {_meta: {[`${meta}subscriptionId`]: id}}) : undefined; }}},
  {name: 'delete-ends-all', from: 'nevermined-io/payments#424', in: ['legacy http'],
   what: 'closes the one server behind all sessions when one of them is ended', rules: ['http.sessions-side-by-side', 'http.session-delete'], says: /session|client/,
   change: {http(request, response, body, {server}) { if (request.method === 'DELETE' && server.sessions.has(request.headers['mcp-session-id'])) for (const name of [...server.sessions.keys()]) if (name !== request.headers['mcp-session-id']) server.sessions.delete(name); return false; }}},
  {name: 'cancelled-ids-stay-dead', from: 'servers that remember what was cancelled', in: ['legacy stdio', 'modern stdio'],
   what: 'keeps the id of a cancellation that came to nothing, and leaves a later request with it unanswered', rules: ['cancellation.invalid-ignored'], says: /cancel/,
   change: {said(message, {session, server}) {
     server.dead ??= new Set;
     if (message?.method === 'notifications/cancelled' && !session.running.has(message.params?.requestId) && !server.listeners.has(JSON.stringify(message.params?.requestId))) server.dead.add(JSON.stringify(message.params?.requestId));
     return message?.method && 'id' in message && server.dead.delete(JSON.stringify(message.id)) ? null : undefined;
   }}},
  {name: 'first-clients-capabilities', from: 'beep-effect/beep-effect#1169', in: ['modern stdio', 'modern http'],
   what: 'takes what the first request declared for what every client can do', rules: ['lifecycle.no-prior-request-context', 'lifecycle.missing-client-capability-error', 'lifecycle.no-undeclared-client-capability', 'mrtr.no-undeclared-input-requests'], says: /capabilit|declare|elicitation/,
   change: {said({params}, {server}) { const said = params?._meta?.[`${meta}clientCapabilities`]; if (isObject(said)) params._meta[`${meta}clientCapabilities`] = server.firstSaid ??= said; return undefined; }}},
  {name: 'unsubscribe-forgotten', from: 'servers that answer resources/unsubscribe and do nothing', writes: true, in: ['legacy stdio', 'legacy http'],
   what: 'goes on to tell of a resource from which the client has unsubscribed', rules: ['resources.updated-after-subscribe'], says: /unsubscribe/,
   change: {said({id, method}, {server}) { return method === 'resources/unsubscribe' ? server.result(id, {}) : undefined; }}},
  {name: 'read-once', from: 'servers that hand out a stream that is read up', in: ['legacy stdio', 'modern http'],
   what: 'has no contents for a resource that was read before', rules: ['base.served-again'], says: /again|second|empty/,
   change: {answer(made, {message, server}) {
     if (message?.method !== 'resources/read' || !made.result) return made;
     server.read ??= new Set;
     if (server.read.has(message.params.uri)) made.result.contents = [];
     server.read.add(message.params.uri);
     return made;
   }}},
  ...more,
  ...forms,
  ...field,
  ...reports,
  ...sixth, ...seventh, ...eighth, ...ninth, ...tenth, ...eleventh, ...twelfth, ...thirteenth, ...fourteenth, ...fifteenth, ...sixteenth, ...seventeenth, ...eighteenth, ...nineteenth,
];

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [name, transport] = process.argv.slice(2);
  const right = process.argv.includes('--right');
  const chosen = cases.find(one => one.name === name.split('@')[0]);
  if (!chosen) throw new Error(`no case is called ${name}`);
  const era = name.split('@')[1] ?? chosen.in[0].split(' ')[0];
  serve(right ? chosen.right ?? {} : chosen.change, era, transport);
}
