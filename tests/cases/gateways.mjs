// Faults of gateways that public reports tell of, each rebuilt small as one change to a right proxy.
//
//   node gateways.mjs NAME PORT URL [--right]

import {fileURLToPath} from 'node:url';
import {gzipSync} from 'node:zlib';

import {cases as field} from './gateways_field.mjs';
import {cases as forms} from './gateways_forms.mjs';
import {cases as reports} from './gateways_reports.mjs';
import {cases as sixth} from './gateways_sixth.mjs';
import {cases as seventh} from './gateways_seventh.mjs';
import {cases as ninth} from './gateways_ninth.mjs';
import {cases as tenth} from './gateways_tenth.mjs';
import {cases as eleventh} from './gateways_eleventh.mjs';
import {cases as twelfth} from './gateways_twelfth.mjs';
import {cases as thirteenth} from './gateways_thirteenth.mjs';
import {cases as fifteenth} from './gateways_fifteenth.mjs';
import {cases as sixteenth} from './gateways_sixteenth.mjs';
import {cases as eighteenth} from './gateways_eighteenth.mjs';
import {cases as nineteenth} from './gateways_nineteenth.mjs';
import {cases as seventeenth} from './gateways_seventeenth.mjs';
import {cases as beside} from './gateways_beside.mjs';
import {cases as fourteenth} from './gateways_fourteenth.mjs';
import {cases as more} from './gateways_more.mjs';
import {relay, textOf} from './peers/gateway.mjs';

const isAnswer = message => message && !message.method && 'id' in message;

export const cases = [
  {name: 'answers-refused', from: 'stacklok/toolhive#5009', eras: ['legacy'],
   what: 'answers 400 to answers of clients', rules: ['gateway.asks-by-elicitation', 'gateway.asks-the-right-client', 'gateway.asks-for-roots', 'gateway.passes-refusals'], says: /answer|reach|400/,
   change: {request({message, response}) { if (!isAnswer(message)) return false; response.writeHead(400, {'content-type': 'text/plain'}); response.end('Invalid or malformed MCP request'); return true; }}},
  {name: 'no-updates-on-the-stream', from: 'IBM/mcp-context-forge#4303', eras: ['legacy'],
   what: 'tells nothing of what comes on the standing stream', rules: ['gateway.tells-of-resources', 'gateway.keeps-change-notices'], says: /resource has changed|notification/,
   change: {message: (said, {method}) => method === 'GET' && said.method === 'notifications/resources/updated' ? null : said}},
  {name: 'result-meta-stripped', from: 'agentgateway/agentgateway#445', eras: ['legacy'],
   what: 'strips _meta from results', rules: ['gateway.keeps-result-meta'], says: /_meta/,
   change: {message(said) { if (said.result?._meta) delete said.result._meta; return said.result ? {...said} : said; }}},
  {name: 'stale-length', from: 'wso2/api-platform#2885', eras: ['legacy', 'modern'],
   what: 'changes bodies and leaves Content-Length as it was', rules: ['gateway.keeps-values', 'gateway.reaches-server', 'gateway.keeps-text', 'gateway.keeps-split-text'], says: /arriv|reach|length|cut|answer/,
   change: {async request(call) { if (call.message?.method === 'tools/call' && /[^\x00-\x7f]/.test(call.body.toString('utf8'))) { const text = call.body.toString('utf8'); call.body = call.body.subarray(0, text.length); } }}},
  {name: 'session-header-twice', from: 'bcurts/agentchattr#80', eras: ['legacy'],
   what: 'sends Mcp-Session-Id twice', rules: ['gateway.names-sessions-once'], says: /Mcp-Session-Id|twice/i,
   change: {head(status, headers) { if (headers['mcp-session-id']) headers['mcp-session-id'] = [headers['mcp-session-id'], headers['mcp-session-id']]; }}},
  {name: 'cookies-pass', from: 'agentic-community/mcp-gateway-registry#1126', eras: ['legacy', 'modern'],
   what: 'hands every header of the server on to clients, cookies among them', rules: ['gateway.keeps-cookies-back'], says: /cookie/i,
   change: {}, right: {head(status, headers) { delete headers['set-cookie']; }}},
  {name: 'hop-by-hop', from: 'mcp-use/mcp-use#1138', eras: ['legacy', 'modern'],
   what: 'hands headers of one connection on to the server', rules: ['gateway.keeps-hop-headers-back'], says: /Connection|Keep-Alive|TE|hop/i,
   change: {request(call) { const {connection, te, trailer, 'keep-alive': alive, 'proxy-authorization': proxy, 'x-hop': hop} = call.request.headers; Object.assign(call.headers, Object.fromEntries(Object.entries({te, trailer, 'keep-alive': alive, 'proxy-authorization': proxy, 'x-hop': hop}).filter(([, value]) => value !== undefined))); }}},
  {name: 'compressed-unasked', from: 'proxies that compress', eras: ['legacy', 'modern'],
   what: 'compresses answers for clients that have not said that they can read that', rules: ['gateway.encodes-as-accepted', 'gateway.reaches-server', 'gateway.keeps-values'], says: /encod|compress|gzip|JSON/i,
   change: {async request(call) { call.zip = !/gzip/.test(call.request.headers['accept-encoding'] ?? ''); },
            head(status, headers, call) { if (call.zip && /json/.test(headers['content-type'] ?? '')) { headers['content-encoding'] = 'gzip'; delete headers['content-length']; const end = call.response.end.bind(call.response); call.response.end = chunk => end(gzipSync(chunk ?? '')); } },
            message: said => ({...said})}},
  {name: 'numbers-as-doubles', from: 'proxies that parse and write again', eras: ['legacy', 'modern'],
   what: 'rounds whole numbers beyond 2^53', rules: ['gateway.keeps-big-numbers'], says: /number|9007199254740993|\d{15}/,
   change: {message: said => ({...said}), request(call) { if (call.message) call.body = Buffer.from(textOf(call.message)); }}},
  {name: 'cancels-under-another-id', from: 'proxies with ids of their own', eras: ['legacy'],
   what: 'counts ids anew and hands cancellations on with the ids of its clients', rules: ['gateway.passes-cancellation', 'gateway.cancels-ones-own'], says: /cancel/,
   change: (() => { let next = 1000; return {
     request(call) { if (call.message?.method && 'id' in call.message) { call.mine = call.message.id; call.message = {...call.message, id: ++next}; call.given = next; call.body = Buffer.from(textOf(call.message)); } },
     message: (said, call) => isAnswer(said) && said.id === call.given ? {...said, id: call.mine} : said}; })()},
  {name: 'tasks-dropped', from: 'proxies that know what was there when they were written', eras: ['legacy'],
   what: 'strips the tasks that a server declares and the wish for one', rules: ['gateway.keeps-capabilities', 'gateway.passes-tasks', 'gateway.keeps-tool-execution'], says: /task/,
   change: {message(said) { if (said.result?.capabilities?.tasks) delete said.result.capabilities.tasks; return said.result ? {...said} : said; },
            request(call) { if (call.message?.params?.task) { delete call.message.params.task; call.body = Buffer.from(textOf(call.message)); } }}},
  {name: 'task-methods-refused', from: 'proxies with a list of methods', eras: ['legacy', 'modern'],
   what: 'answers tasks/get and tasks/cancel with -32601', rules: ['gateway.passes-tasks'], says: /task/,
   change: {request({message, response}) { if (!message?.method?.startsWith('tasks/')) return false; response.writeHead(200, {'content-type': 'application/json'}); response.end(textOf({jsonrpc: '2.0', id: message.id, error: {code: -32601, message: 'Method not found'}})); return true; }}},
  {name: 'events-kept-for-the-end', from: 'mastra-ai/mastra#14782', eras: ['legacy', 'modern'],
   what: 'keeps what is said during a call until its end', rules: ['gateway.streams'], says: /kept back/,
   change: {message(said, call) { if (call.method !== 'POST' || !call.message?.method?.startsWith('tools/')) return said; (call.kept ??= []); if (said.method && !('id' in said)) { call.kept.push(said); return null; } for (const one of call.kept) call.response.write(`data: ${textOf(one)}\n\n`); call.kept = []; return said; }}},
  {name: 'delete-forgotten', from: 'proxies that end their own sessions alone', eras: ['legacy'],
   what: 'does not hand DELETE on', rules: ['gateway.ends-sessions'], says: /session|DELETE/,
   change: {request({method, response}) { if (method !== 'DELETE') return false; response.writeHead(200); response.end(); return true; }}},
  {name: 'cursor-dropped', from: 'sparfenyuk/mcp-proxy#233', eras: ['legacy', 'modern'],
   what: 'asks for the first page whatever its client asks for', rules: ['gateway.lists-all-tools', 'gateway.lists-all-resources', 'gateway.lists-all-prompts'], says: /page|cursor|list/,
   change: {request(call) { if (call.message?.params?.cursor === undefined) return false; const {cursor, ...params} = call.message.params; call.message = {...call.message, params}; call.body = Buffer.from(textOf(call.message)); return false; }}},
  {name: 'meta-of-calls-dropped', from: 'sparfenyuk/mcp-proxy#189', eras: ['legacy'],
   what: 'drops the _meta of calls, and the progress with it', rules: ['gateway.keeps-progress', 'gateway.keeps-request-meta'], says: /progress|_meta/,
   change: {request(call) { if (call.message?.method !== 'tools/call' || !call.message.params?._meta) return false; const {_meta, ...params} = call.message.params; call.message = {...call.message, params}; call.body = Buffer.from(textOf(call.message)); return false; }}},
  {name: 'structure-without-content', from: 'IBM/mcp-context-forge#5472', eras: ['legacy', 'modern'],
   what: 'takes a result that has structuredContent and no content for a failure', rules: ['gateway.keeps-structure-alone'], says: /structuredContent/,
   change: {message: said => said.result?.structuredContent && said.result.content?.length === 0 ? {...said, result: {content: [{type: 'text', text: 'Output validation error: no structured output'}], isError: true, ...said.result.resultType && {resultType: said.result.resultType}}} : said}},
  {name: 'version-of-the-client', from: 'agentgateway/agentgateway#2980', eras: ['legacy'],
   what: 'agrees on a revision of its own with its clients, and sends their header to a server that has agreed on another', rules: ['gateway.speaks-with-older-servers', 'gateway.passes-headers'], says: /MCP-Protocol-Version/,
   ...(() => {
     const agreed = new Map;
     const both = {head(status, headers, call) { call.named = headers['mcp-session-id']; },
                   message(said, call) {
                     if (call.message?.method !== 'initialize' || !said.result) return said;
                     agreed.set(call.named, said.result.protocolVersion);
                     return {...said, result: {...said.result, protocolVersion: call.message.params.protocolVersion}};
                   }};
     const named = {request(call) { const other = agreed.get(call.headers['mcp-session-id']); if (other && call.headers['mcp-protocol-version']) call.headers['mcp-protocol-version'] = other; }};
     return {change: both, right: {...both, ...named}};
   })()},
  {name: 'version-header-lost', from: 'modelcontextprotocol/inspector#679', eras: ['legacy', 'modern'],
   what: 'drops MCP-Protocol-Version', rules: ['gateway.passes-headers', 'gateway.speaks-with-older-servers'], says: /MCP-Protocol-Version/,
   change: {request(call) { delete call.headers['mcp-protocol-version']; }}},
  {name: 'session-header-lost', from: 'agentic-community/mcp-gateway-registry#1096', eras: ['legacy'],
   what: 'drops the Mcp-Session-Id that the server gives', rules: ['gateway.hands-sessions-back', 'gateway.reaches-server'], says: /Mcp-Session-Id/i,
   change: {head(status, headers) { delete headers['mcp-session-id']; }}},
  {name: 'errors-as-500', from: 'agentgateway/agentgateway#2082', eras: ['legacy'],
   what: 'answers 500 where the server answered a request with an error', rules: ['gateway.keeps-error-status'], says: /500/,
   change: {message(said, call) { if (said.error) call.status = 500; return said; }}},
  {name: 'objects-as-text', from: 'PrefectHQ/fastmcp#2026', eras: ['legacy', 'modern'],
   what: 'hands objects in arguments on as JSON text', rules: ['gateway.keeps-values'], says: /arguments/,
   change: {request(call) {
     const given = call.message?.method === 'tools/call' ? call.message.params?.arguments : undefined;
     if (!given) return;
     for (const [name, value] of Object.entries(given)) if (value !== null && typeof value === 'object' && !Array.isArray(value)) given[name] = JSON.stringify(value);
     call.body = Buffer.from(textOf(call.message));
   }}},
  {name: 'nobody-told-of-a-break', from: 'supercorp-ai/supergateway#139', eras: ['legacy', 'modern'],
   what: 'leaves a client waiting when the server breaks in the middle of its answer', rules: ['gateway.ends-cut-streams', 'gateway.tells-of-dead-servers'], says: /broke/,
   change: {broken: () => true}},
  {name: 'list-changes-dropped', from: 'PrefectHQ/fastmcp#4161', eras: ['legacy'],
   what: 'declares that lists may change, and does not pass on that they have', rules: ['gateway.tells-one-client-alone', 'gateway.tells-of-changes', 'gateway.lists-again'], says: /list_changed|changed/,
   change: {message: said => /^notifications\/(tools|prompts|resources)\/list_changed$/.test(said.method) ? null : said}},
  {name: 'notifications-refused', from: 'outline/outline#13775', eras: ['legacy'],
   what: 'answers notifications of clients with 400 and nothing', rules: ['gateway.accepts-notifications', 'gateway.passes-notifications'], says: /400/,
   change: {request({message, response}) { if (!message?.method?.startsWith('notifications/')) return false; response.writeHead(400); response.end(); return true; }}},
  {name: 'structure-null', from: 'paperclipai/paperclip#13113', eras: ['legacy', 'modern'],
   what: 'puts structuredContent: null in where there is none', rules: ['gateway.adds-no-members', 'gateway.keeps-structured-content'], says: /structuredContent/,
   change: {message: said => said.result?.content && !('structuredContent' in said.result) ? {...said, result: {...said.result, structuredContent: null}} : said}},
  {name: 'renamed-in-lists-alone', from: 'Kuadrant/mcp-gateway#788', eras: ['legacy', 'modern'],
   what: 'renames resources in lists, and not where results point to them', rules: ['gateway.renames-throughout'], says: /uri/i,
   ...(() => {
     const named = uri => `one+${uri}`;
     const plain = uri => String(uri).replace(/^one\+/, '');
     const point = one => one.type === 'resource_link' ? {...one, uri: named(one.uri)} : one.type === 'resource' ? {...one, resource: {...one.resource, uri: named(one.resource.uri)}} : one;
     const renaming = everywhere => ({
       request(call) {
         const given = call.message?.params;
         const watched = given?.notifications?.resourceSubscriptions;
         if (watched) {
           given.notifications.resourceSubscriptions = watched.map(plain);
           call.body = Buffer.from(textOf(call.message));
           return false;
         }
         const uri = given?.uri ?? given?.ref?.uri;
         if (typeof uri !== 'string') return false;
         if (uri === plain(uri)) {
           call.response.writeHead(200, {'content-type': 'application/json'});
           call.response.end(textOf({jsonrpc: '2.0', id: call.message.id, error: {code: call.message.params._meta?.['io.modelcontextprotocol/protocolVersion'] ? -32602 : -32002, message: 'Resource not found', data: {uri}}}));
           return true;
         }
         if (given.uri) given.uri = plain(uri); else given.ref.uri = plain(uri);
         if (call.headers['mcp-name'] === uri) call.headers['mcp-name'] = plain(uri);
         call.body = Buffer.from(textOf(call.message));
         return false;
       },
       message(said) {
         const {result, params} = said;
         if (said.method === 'notifications/resources/updated') return {...said, params: {...params, uri: named(params.uri)}};
         if (!result) return said;
         const other = {...result};
         if (result.resources) other.resources = result.resources.map(one => ({...one, uri: named(one.uri)}));
         if (result.resourceTemplates) other.resourceTemplates = result.resourceTemplates.map(one => ({...one, uriTemplate: named(one.uriTemplate)}));
         if (result.contents) other.contents = result.contents.map(one => ({...one, uri: named(one.uri)}));
         if (everywhere && result.content) other.content = result.content.map(point);
         if (everywhere && result.messages) other.messages = result.messages.map(one => ({...one, content: point(one.content)}));
         return {...said, result: other};
       }});
     return {change: renaming(false), right: renaming(true)};
   })()},
  {name: 'accepts-json-alone', from: 'punkpeye/mcp-remote#243', eras: ['legacy', 'modern'],
   what: 'tells the server that it accepts JSON alone', rules: ['gateway.accepts-both-forms'], says: /Accept/,
   change: {request(call) { if (call.headers.accept) call.headers.accept = 'application/json'; }}},
  {name: 'stream-opens-late', from: 'modelcontextprotocol/go-sdk#937', eras: ['legacy'],
   what: 'holds the head of the standing stream back until its first event', rules: ['gateway.opens-streams-at-once'], says: /GET/,
   change: {late: ({method}) => method === 'GET'}},
  {name: 'challenge-lost', from: 'agentgateway/agentgateway#1390', eras: ['legacy', 'modern'],
   what: 'hands 401 back without its challenge', rules: ['gateway.passes-challenges'], says: /WWW-Authenticate/,
   change: {head(status, headers) { delete headers['www-authenticate']; }}},
  // What shows with a second client, a second time, a session that ends.
  {name: 'success-of-a-dead-session', from: 'docker/mcp-gateway#505', eras: ['legacy'],
   what: 'makes an empty success of 404 when the server has forgotten the session', rules: ['gateway.outlives-servers-session'], says: /404|session/,
   change: {back(answer, {message, response}) {
     if (answer.statusCode !== 404 || message?.method !== 'tools/call') return false;
     answer.resume();
     response.writeHead(200, {'content-type': 'application/json'});
     response.end(textOf({jsonrpc: '2.0', id: message.id, result: {content: []}}));
     return true;
   }}},
  {name: 'error-and-result', from: 'agentgateway/agentgateway#2421', eras: ['legacy', 'modern'],
   what: 'answers a request twice on its stream, by an error and by the result', rules: ['gateway.answers-once'], says: /twice|two|once|second/,
   change: {message(said, call) { if (call.method === 'POST' && isAnswer(said) && call.response.headersSent) call.response.write(`data: ${textOf({jsonrpc: '2.0', id: said.id, error: {code: -32001, message: 'No result of one of the servers'}})}\n\n`); return said; }}},
  {name: 'answers-on-both-streams', from: 'agentgateway/agentgateway#2373', eras: ['legacy'],
   what: 'sends answers to requests on the standing stream as well', rules: ['gateway.answers-once'], says: /stream|GET|twice/,
   change: (() => { const streams = new Map; return {
     request(call) { if (call.method === 'GET') streams.set(call.headers['mcp-session-id'], call.response); },
     message(said, call) { if (call.method === 'POST' && isAnswer(said)) { const stream = streams.get(call.headers['mcp-session-id']); if (stream?.headersSent && !stream.writableEnded) stream.write(`data: ${textOf(said)}\n\n`); } return said; }}; })()},
  {name: 'asks-the-newest-client', from: 'sandialabs/atlas-ui-3#295', eras: ['legacy'],
   what: 'puts the question of a server to the client whose call came last', rules: ['gateway.asks-the-right-client'], says: /question|client/,
   change: (() => { let newest; return {
     request(call) { if (call.message?.method === 'tools/call') newest = call; },
     message(said, call) {
       if (!said.method || !('id' in said) || newest === call || !newest.response.headersSent || newest.response.writableEnded) return said;
       newest.response.write(`data: ${textOf(said)}\n\n`);
       return null;
     }}; })()},
  {name: 'lists-of-another-user', from: 'redhat-data-and-ai/template-agent#230', eras: ['legacy', 'modern'],
   what: 'keeps lists for two seconds, and hands them to whoever asks', rules: ['gateway.lists-apart', 'gateway.lists-again'], says: /list|user|token/,
   change: (() => { const kept = new Map; const key = ({message}) => `${message.method} ${message.params?.cursor ?? ''}`; return {
     request(call) {
       const {message, response} = call;
       const found = message?.method?.endsWith('/list') && !message.method.startsWith('tasks/') ? kept.get(key(call)) : undefined;
       if (!found || Date.now() - found.at > 2000) return false;
       response.writeHead(200, {'content-type': 'application/json'});
       response.end(textOf({jsonrpc: '2.0', id: message.id, result: found.result}));
       return true;
     },
     message(said, call) { if (isAnswer(said) && said.result && call.message?.method?.endsWith('/list')) kept.set(key(call), {at: Date.now(), result: said.result}); return said; }}; })()},
  {name: 'failures-kept', from: 'juspay/neurolink#1131', eras: ['legacy', 'modern'],
   what: 'keeps results with isError, and answers equal calls with them', rules: ['gateway.calls-each-time'], says: /again|kept|reach|twice|second/,
   change: (() => { const kept = new Map; const key = ({message}) => textOf([message.params?.name, message.params?.arguments]); return {
     request(call) {
       const {message, response} = call;
       const found = message?.method === 'tools/call' ? kept.get(key(call)) : undefined;
       if (!found) return false;
       response.writeHead(200, {'content-type': 'application/json'});
       response.end(textOf({jsonrpc: '2.0', id: message.id, result: found}));
       return true;
     },
     message(said, call) { if (isAnswer(said) && said.result?.isError && call.message?.method === 'tools/call') kept.set(key(call), said.result); return said; }}; })()},
  {name: 'calls-again-after-500', from: 'first-tree-ai/opentag#652', eras: ['legacy', 'modern'],
   what: 'sends a call once more when the server answered 500 or above', rules: ['gateway.calls-once'], says: /once|twice|times|again/,
   change: {back(answer, call) { if (answer.statusCode < 500 || call.again || call.message?.method !== 'tools/call') return false; answer.resume(); call.again = true; call.send(); return true; }}},
  {name: 'templates-unread', from: 'IBM/mcp-context-forge#5883', eras: ['legacy', 'modern'],
   what: 'says of resources that are on no list, and fit a template, that there are none', rules: ['gateway.reads-templates', 'gateway.passes-resources'], says: /template/,
   change: (() => { const listed = new Set; return {
     request({message, response}) {
       const uri = message?.method === 'resources/read' ? message.params?.uri : undefined;
       if (uri === undefined || listed.has(uri)) return false;
       const modern = message.params._meta?.['io.modelcontextprotocol/protocolVersion'];
       response.writeHead(200, {'content-type': 'application/json'});
       response.end(textOf({jsonrpc: '2.0', id: message.id, error: {code: modern ? -32602 : -32002, message: 'Resource not found', data: {uri}}}));
       return true;
     },
     message(said) { for (const one of said.result?.resources ?? []) listed.add(one.uri); return said; }}; })()},
  {name: 'first-clients-initialize', from: 'gateways that keep one handshake', eras: ['legacy'],
   what: 'tells the server of each client what the first one declared', rules: ['gateway.declares-its-client'], says: /capabilit|declare|client/,
   change: (() => { let first; return {
     request(call) { if (call.message?.method !== 'initialize') return false; first ??= call.message.params; call.body = Buffer.from(textOf({...call.message, params: {...first, protocolVersion: call.message.params?.protocolVersion}})); return false; }}; })()},
  {name: 'unsubscribed-for-all', from: 'gateways with one subscription for all clients', eras: ['legacy'],
   what: 'tells nobody of a resource any more once one client has unsubscribed', rules: ['gateway.keeps-others-subscriptions', 'gateway.tells-of-resources'], says: /subscri/,
   change: (() => { const quiet = new Set; return {
     request({message}) { if (message?.method === 'resources/unsubscribe') quiet.add(message.params?.uri); if (message?.method === 'resources/subscribe') quiet.delete(message.params?.uri); },
     message: said => said.method === 'notifications/resources/updated' && quiet.has(said.params?.uri) ? null : said}; })()},
  {name: 'session-of-one-call', from: 'IBM/mcp-context-forge#4205', eras: ['legacy'],
   what: 'opens a session with the server for each call, so that servers which keep a state begin anew', rules: ['gateway.keeps-the-session'], says: /session/,
   change: {async request(call) {
     if (call.message?.method !== 'tools/call' || !call.headers['mcp-session-id']) return false;
     const headers = {'content-type': 'application/json', accept: 'application/json, text/event-stream'};
     const post = (message, more) => fetch(call.to, {method: 'POST', headers: {...headers, ...more}, body: textOf({jsonrpc: '2.0', ...message})});
     const opened = await post({id: 1, method: 'initialize', params: {protocolVersion: '2025-11-25', capabilities: {}, clientInfo: {name: 'gateway', version: '1.0.0'}}});
     await opened.arrayBuffer();
     const session = {'mcp-session-id': opened.headers.get('mcp-session-id'), 'mcp-protocol-version': '2025-11-25'};
     await (await post({method: 'notifications/initialized'}, session)).arrayBuffer();
     Object.assign(call.headers, session);
     return false;
   }}},
  {name: 'state-dropped', from: 'gateways with a list of parameters', eras: ['modern'],
   what: 'drops requestState when a client comes back with its answer', rules: ['gateway.passes-input-requests'], says: /requestState/,
   change: {request(call) { if (call.message?.params?.requestState === undefined) return; delete call.message.params.requestState; call.body = Buffer.from(textOf(call.message)); }}},
  {name: 'subscription-of-another-id', from: 'gateways with ids of their own', eras: ['modern'],
   what: 'counts ids anew, and leaves its own in the subscriptionId of what is told', rules: ['gateway.passes-listening'], says: /subscriptionId/,
   change: (() => { let next = 5000; return {
     request(call) { if (!call.message?.method || !('id' in call.message)) return; call.mine = call.message.id; call.given = ++next; call.body = Buffer.from(textOf({...call.message, id: call.given})); },
     message: (said, call) => isAnswer(said) && said.id === call.given ? {...said, id: call.mine} : said}; })()},
  {name: 'prompts-kept-by-name', from: 'gateways that keep prompts', eras: ['legacy', 'modern'],
   what: 'keeps a prompt by its name, whatever its arguments', rules: ['gateway.keeps-prompt-messages', 'gateway.calls-each-time'], says: /argument|again|second|kept/,
   change: (() => { const kept = new Map; return {
     request({message, response}) {
       const found = message?.method === 'prompts/get' ? kept.get(message.params?.name) : undefined;
       if (!found) return false;
       response.writeHead(200, {'content-type': 'application/json'});
       response.end(textOf({jsonrpc: '2.0', id: message.id, result: found}));
       return true;
     },
     message(said, {message}) { if (isAnswer(said) && said.result && message?.method === 'prompts/get') kept.set(message.params?.name, said.result); return said; }}; })()},
  ...more,
  ...forms,
  ...field,
  ...reports,
  ...sixth, ...seventh, ...ninth, ...tenth, ...eleventh, ...twelfth, ...thirteenth, ...fourteenth, ...fifteenth, ...sixteenth, ...seventeenth, ...eighteenth, ...nineteenth, ...beside,
];

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [name, port, url] = process.argv.slice(2);
  const chosen = cases.find(one => one.name === name);
  if (!chosen) throw new Error(`no case is called ${name}`);
  relay(process.argv.includes('--right') ? chosen.right ?? {} : chosen.change, Number(port), url);
}
