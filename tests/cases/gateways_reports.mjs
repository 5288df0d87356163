// More of gateways.mjs: what they make of media, names, failures, notices and headers of pages.

import {textOf} from './peers/gateway.mjs';

const isAnswer = message => message && !message.method && 'id' in message;
const rewrite = call => { call.body = Buffer.from(textOf(call.message)); };
const bytes = one => one.type === 'image' || one.type === 'audio' ? {...one, data: Buffer.from(one.data ?? '', 'base64').toString('utf8')} : one;
const cut = schema => schema?.properties ? {...schema, properties: Object.fromEntries(Object.entries(schema.properties).map(([name, one]) => [name.slice(name.indexOf('_') + 1), one]))} : schema;
// Lets pages of other origins in.
const pages = value => ({
  head(status, headers) { headers['access-control-allow-origin'] = value; headers['access-control-expose-headers'] = 'Mcp-Session-Id, WWW-Authenticate'; },
  request({method, response}) {
    if (method !== 'OPTIONS') return false;
    response.writeHead(204, {'access-control-allow-origin': value, 'access-control-allow-methods': 'GET, POST, DELETE, OPTIONS',
                             'access-control-allow-headers': 'content-type, accept, authorization, mcp-protocol-version, mcp-session-id, last-event-id, mcp-method, mcp-name'});
    response.end();
    return true;
  }});

export const cases = [
  // https://github.com/Consensys/ask-o11y-plugin/issues/170
  {name: 'images-as-bytes', from: 'Consensys/ask-o11y-plugin#170', eras: ['legacy', 'modern'], what: 'decodes images and sounds, and writes their bytes as text',
   rules: ['gateway.keeps-media'], says: /data|image|audio/,
   change: {message: said => Array.isArray(said.result?.content) ? {...said, result: {...said.result, content: said.result.content.map(bytes)}} : said}},
  // https://github.com/supercorp-ai/supergateway/issues/163
  {name: 'bodies-of-100-kb-refused', from: 'supercorp-ai/supergateway#163', eras: ['legacy', 'modern'], what: 'refuses bodies of requests beyond 100 KiB by 413',
   rules: ['gateway.keeps-large-messages'], says: /413|KiB|large/,
   change: {request({body, response}) { if (body.length <= 102400) return false; response.writeHead(413, {'content-type': 'text/html'}); response.end('PayloadTooLargeError: request entity too large'); return true; }}},
  // https://github.com/aws/mcp-proxy-for-aws/issues/413, PrefectHQ/fastmcp#4511
  {name: 'instructions-of-its-own', from: 'aws/mcp-proxy-for-aws#413', eras: ['legacy', 'modern'], what: 'puts instructions of its own in place of those of the server',
   rules: ['gateway.keeps-instructions'], says: /instructions/,
   change: {message: said => said.result?.capabilities ? {...said, result: {...said.result, instructions: 'This gateway provides access to servers through a single interface.'}} : said}},
  // https://github.com/stacklok/toolhive/pull/1595
  {name: 'first-event-for-the-answer', from: 'stacklok/toolhive#1595', eras: ['legacy', 'modern'], what: 'takes the first message of a stream for the answer, and drops what follows',
   rules: ['gateway.keeps-order', 'gateway.keeps-progress', 'gateway.streams', 'gateway.keeps-log-messages', 'gateway.reads-streams'], says: /answer|notification|progress|response/,
   change: {message(said, call) {
     if (call.method !== 'POST' || !call.response.headersSent || call.message?.method === 'subscriptions/listen') return said;
     if (call.first) return null;
     call.first = true;
     return said;
   }}},
  // https://github.com/wso2/carbon-apimgt/pull/13995
  {name: 'property-names-cut', from: 'wso2/carbon-apimgt#13995', eras: ['legacy', 'modern'], what: 'cuts names of properties in schemas up to their first underscore',
   rules: ['gateway.keeps-input-schemas'], says: /inputSchema|propert/,
   change: {message: said => said.result?.tools ? {...said, result: {...said.result, tools: said.result.tools.map(tool => ({...tool, inputSchema: cut(tool.inputSchema)}))}} : said}},
  // https://github.com/docker/mcp-gateway/pull/107
  {name: 'changes-told-twice', from: 'docker/mcp-gateway#107', eras: ['legacy'], what: 'tells each change of a list twice',
   rules: ['gateway.keeps-change-notices', 'gateway.tells-of-changes', 'gateway.tells-one-client-alone', 'gateway.answers-once'], says: /twice|once|two|again/,
   change: {message(said, call) { if (/list_changed$/.test(said.method ?? '') && call.response.headersSent) call.response.write(`data: ${textOf(said)}\n\n`); return said; }}},
  // https://github.com/maximhq/bifrost/pull/2264
  {name: 'notifications-with-200', from: 'maximhq/bifrost#2264', eras: ['legacy'], what: 'answers notifications of clients with 200, not 202',
   rules: ['gateway.accepts-notifications'], says: /20[02]/, change: {head: status => status === 202 ? 200 : undefined}},
  // https://github.com/luckyPipewrench/pipelock/pull/1030
  {name: 'last-event-id-lost', from: 'luckyPipewrench/pipelock#1030', eras: ['legacy'], what: 'hands GET on without Last-Event-ID',
   rules: ['gateway.resumes-streams', 'gateway.passes-headers'], says: /Last-Event-ID|resum|taken up|stream/i, change: {request(call) { delete call.headers['last-event-id']; }}},
  // https://github.com/github/github-mcp-server/issues/1688
  {name: 'allow-origin-twice', from: 'github/github-mcp-server#1688', eras: ['legacy', 'modern'], what: 'says Access-Control-Allow-Origin twice, upon which browsers let no page in',
   rules: ['gateway.answers-preflights', 'http.preflight-answered'], says: /Access-Control-Allow-Origin|twice/i, change: pages(['*', '*']), right: pages('*')},
  // https://github.com/IBM/mcp-context-forge/issues/6275
  {name: 'failures-as-errors', from: 'IBM/mcp-context-forge#6275', eras: ['legacy', 'modern'], what: 'makes an error -32000 of each result with isError',
   rules: ['gateway.keeps-is-error', 'gateway.keeps-failures'], says: /isError|error|fail/,
   change: {message: said => said.result?.isError ? {jsonrpc: '2.0', id: said.id, error: {code: -32000, message: 'Tool invocation failed'}} : said}},
  // https://github.com/JSONbored/loopover/issues/10036
  {name: 'errors-in-results', from: 'JSONbored/loopover#10036', eras: ['legacy', 'modern'], what: 'answers calls with the whole error of the server as their result',
   rules: ['gateway.keeps-other-errors', 'gateway.keeps-errors', 'gateway.keeps-error-messages'], says: /error/,
   change: {message: (said, call) => isAnswer(said) && said.error && call.message?.method === 'tools/call' ? {jsonrpc: '2.0', id: said.id, result: said} : said}},
  // https://github.com/rossoctl/examples/pull/176
  {name: 'nulls-stripped', from: 'rossoctl/examples#176', eras: ['legacy', 'modern'], what: 'leaves out arguments that are null',
   rules: ['gateway.keeps-empty-arguments', 'gateway.keeps-values'], says: /null|argument/,
   change: {request(call) {
     const given = call.message?.method === 'tools/call' ? call.message.params?.arguments : undefined;
     if (!given || !Object.values(given).includes(null)) return;
     call.message.params.arguments = Object.fromEntries(Object.entries(given).filter(([, one]) => one !== null));
     rewrite(call);
   }}},
];
