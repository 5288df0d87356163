// More of gateways.mjs, by a stranger: heads of streams, calls that list first, errors, sessions, what is left out.

import {textOf} from './peers/gateway.mjs';

const isAnswer = message => message && !message.method && 'id' in message;
const without = (name, said) => {
  if (!isAnswer(said) || said.result?.[name] === undefined) return said;
  const {[name]: left, ...result} = said.result;
  return {...said, result};
};

export const cases = [
  // https://github.com/superfly/flyctl/pull/4395
  {name: 'heads-not-flushed', from: 'superfly/flyctl#4395', eras: ['legacy'],
   what: 'hands on the head of a stream with its first event, so that a client that opens one waits without end',
   rules: ['gateway.opens-streams-at-once', 'gateway.streams'], says: /stream|head|open/i,
   change: {late: () => true}},
  // https://github.com/PrefectHQ/fastmcp/issues/2019
  {name: 'lists-before-each-call', from: 'PrefectHQ/fastmcp#2019', eras: ['legacy'],
   what: 'sends initialize and tools/list again and again to the server before it hands on a call',
   rules: ['gateway.asks-once', 'gateway.keeps-the-session', 'gateway.calls-once'], says: /initialize|tools\/list|session|more/i,
   change: {async request(call) {
     if (call.message?.method !== 'tools/call') return false;
     const base = {'content-type': 'application/json', accept: 'application/json, text/event-stream'};
     const post = async (message, more) => { const answer = await fetch(call.to.href, {method: 'POST', headers: {...base, ...more}, body: textOf({jsonrpc: '2.0', ...message})}); await answer.text(); return answer; };
     for (let i = 0; i < 3; ++i) {
       const opened = await post({id: 0, method: 'initialize', params: {protocolVersion: '2025-11-25', capabilities: {}, clientInfo: {name: 'mcp', version: '0.1.0'}}});
       const session = opened.headers.get('mcp-session-id');
       const more = {'mcp-protocol-version': '2025-11-25', ...session ? {'mcp-session-id': session} : {}};
       await post({method: 'notifications/initialized'}, more);
       await post({id: 1, method: 'tools/list'}, more);
     }
     return false;
   }}},
  // https://github.com/wanaku-ai/wanaku/pull/1800
  {name: 'is-error-left-out', from: 'wanaku-ai/wanaku#1800', eras: ['legacy', 'modern'],
   what: 'hands on the content of a result and leaves isError out, so that a failed call looks like one that went well',
   rules: ['gateway.keeps-is-error', 'gateway.keeps-failures'], says: /isError/,
   change: {message: said => without('isError', said)}},
  // https://github.com/agentgateway/agentgateway/pull/1004
  {name: 'status-and-nothing-more', from: 'agentgateway/agentgateway#1004', eras: ['legacy', 'modern'],
   what: 'hands on the status alone when the server refuses a request, without its headers, WWW-Authenticate among them, and its body',
   rules: ['gateway.passes-challenges', 'gateway.keeps-errors', 'gateway.keeps-resource-errors', 'gateway.tells-of-refusals', 'gateway.says-unknown-methods'], says: /WWW-Authenticate|body|error|challenge/i,
   change: {back(answer, {response}) {
     if (answer.statusCode < 400) return false;
     answer.resume();
     response.writeHead(answer.statusCode, {'content-type': 'text/plain'});
     response.end(`upstream request failed: ${answer.statusCode}`);
     return true;
   }}},
  // https://github.com/supercorp-ai/supergateway/pull/162
  {name: 'gone-session-is-a-bad-request', from: 'supercorp-ai/supergateway#162', eras: ['legacy'],
   what: 'answers 400, as where the header is missing, to a session that is gone or unknown',
   rules: ['gateway.unknown-session-404', 'gateway.ended-session-404', 'gateway.outlives-servers-session'], says: /404|400|session/i,
   change: {back(answer, {headers, response}) {
     if (answer.statusCode !== 404 || headers['mcp-session-id'] === undefined) return false;
     answer.resume();
     response.writeHead(400, {'content-type': 'application/json'});
     response.end(textOf({jsonrpc: '2.0', error: {code: -32000, message: 'Bad Request: No valid session ID provided'}, id: null}));
     return true;
   }}},
  // https://github.com/giantswarm/muster/pull/972
  {name: 'structured-left-out', from: 'giantswarm/muster#972', eras: ['legacy', 'modern'],
   what: 'hands on isError and content of a result and drops structuredContent',
   rules: ['gateway.keeps-structured-content', 'gateway.keeps-structure-alone', 'gateway.keeps-failures'], says: /structuredContent/,
   change: {message: said => without('structuredContent', said)}},
  // https://github.com/punkpeye/mcp-proxy/issues/8
  {name: 'notifications-swallowed', from: 'punkpeye/mcp-proxy#8', eras: ['legacy'],
   what: 'hands on answers and questions of the server, and none of its notifications',
   rules: ['gateway.keeps-progress', 'gateway.keeps-log-messages', 'gateway.tells-of-changes', 'gateway.tells-of-resources'], says: /notif|progress|log|chang|updated/i,
   change: {message: said => said.method && !('id' in said) ? null : said}},
  // https://github.com/BerriAI/litellm/issues/32229
  {name: 'first-page-alone', from: 'BerriAI/litellm#32229', eras: ['legacy', 'modern'],
   what: 'lists the first page of tools that the server gives, without nextCursor, and follows none itself',
   rules: ['gateway.lists-all-tools'], says: /page|tool|nextCursor/i,
   change: {message: said => Array.isArray(said.result?.tools) ? without('nextCursor', said) : said}},
];
