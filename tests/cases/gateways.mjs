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
];

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [name, port, url] = process.argv.slice(2);
  const chosen = cases.find(one => one.name === name);
  if (!chosen) throw new Error(`no case is called ${name}`);
  relay(process.argv.includes('--right') ? chosen.right ?? {} : chosen.change, Number(port), url);
}
