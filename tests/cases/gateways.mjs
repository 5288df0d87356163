// Faults of gateways that public reports tell of, each rebuilt small as one change to a right proxy.
//
//   node gateways.mjs NAME PORT URL [--right]

import {fileURLToPath} from 'node:url';
import {gzipSync} from 'node:zlib';

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
];

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [name, port, url] = process.argv.slice(2);
  const chosen = cases.find(one => one.name === name);
  if (!chosen) throw new Error(`no case is called ${name}`);
  relay(process.argv.includes('--right') ? chosen.right ?? {} : chosen.change, Number(port), url);
}
