// More of gateways.mjs: what they make of redirects, encodings, queries, streams and calls that come at once.

import {randomUUID} from 'node:crypto';
import {createGunzip} from 'node:zlib';

import {own, textOf} from './peers/gateway.mjs';

const rewrite = call => { call.body = Buffer.from(textOf(call.message)); };
const isAnswer = message => message && !message.method && 'id' in message;
// Asks for gzip by itself, unpacks it, and hands the headers on as `kept` leaves them.
const unpacks = kept => ({
  request(call) { call.headers['accept-encoding'] = 'gzip'; },
  back(answer, call) {
    if (answer.headers['content-encoding'] !== 'gzip') return false;
    const headers = kept(own(answer.headers));
    delete headers['content-length'];
    call.response.writeHead(answer.statusCode, headers);
    answer.pipe(createGunzip()).on('error', () => call.response.destroy()).pipe(call.response);
    return true;
  }});
// Follows 307 and 308 with the same body; `away`: what it does with headers where that leads to another origin.
const follows = away => ({back(answer, call) {
  if (![307, 308].includes(answer.statusCode) || !answer.headers.location || (call.hops = (call.hops ?? 0) + 1) > 5) return false;
  const to = new URL(answer.headers.location, call.to);
  if (to.origin !== call.to.origin) away(call.headers);
  call.to = to;
  answer.resume();
  call.send();
  return true;
}});
const withoutToken = headers => { delete headers.authorization; };
// Gives its clients sessions of its own, and those with the same token one session of the server.
function pool() {
  const [owners, pools] = [new Map, new Map];
  const key = headers => headers.authorization ?? '';
  const opens = call => call.message?.method === 'initialize';
  return {
    request(call) {
      const {headers, message, method, response} = call;
      if (opens(call)) {
        const kept = pools.get(key(headers));
        if (!kept?.answer) return false;
        const mine = randomUUID();
        owners.set(mine, kept.session);
        response.writeHead(200, {'content-type': 'application/json', 'mcp-session-id': mine});
        response.end(textOf({...kept.answer, id: message.id}));
        return true;
      }
      const theirs = owners.get(headers['mcp-session-id']);
      if (!theirs) return false;
      if (method === 'DELETE') {
        owners.delete(headers['mcp-session-id']);
        response.writeHead(204);
        response.end();
        return true;
      }
      headers['mcp-session-id'] = theirs;
      return false;
    },
    head(status, headers, call) {
      if (status === 404) pools.delete(key(call.headers));
      const session = headers['mcp-session-id'];
      if (!opens(call) || !session) return;
      pools.set(key(call.headers), {session});
      headers['mcp-session-id'] = randomUUID();
      owners.set(headers['mcp-session-id'], session);
    },
    message(said, call) {
      if (opens(call) && said.result && pools.has(key(call.headers))) pools.get(key(call.headers)).answer = said;
      return said;
    }};
}

export const cases = [
  // https://github.com/neutree-ai/agent-platform/pull/224
  {name: 'encoding-kept-over-plain-text', from: 'neutree-ai/agent-platform#224', eras: ['legacy', 'modern'], what: 'unpacks answers that it has asked for in gzip, and still says Content-Encoding: gzip',
   rules: ['gateway.reads-compressed'], says: /gzip|Content-Encoding|compress/i,
   change: unpacks(headers => headers), right: unpacks(({'content-encoding': _, ...rest}) => rest)},
  // https://github.com/IBM/mcp-context-forge/issues/4438, sympozium-ai/sympozium#197
  {name: 'ids-for-notifications', from: 'IBM/mcp-context-forge#4438', eras: ['legacy'], what: 'gives notifications an id, which makes requests of them',
   rules: ['gateway.passes-notifications', 'gateway.accepts-notifications'], says: /id\b|request|notif/i,
   change: {request(call) { if (!call.message?.method || 'id' in call.message) return; call.message.id = randomUUID(); rewrite(call); }}},
  // https://github.com/aklivity/zilla/issues/2060
  {name: 'answer-lost-after-a-page', from: 'aklivity/zilla#2060', eras: ['legacy'], what: 'loses the answer to a call in which the server has asked by URL',
   rules: ['gateway.asks-by-elicitation'], says: /answer|result|response/,
   change: {message(said, call) {
     if (said.method === 'elicitation/create' && said.params?.mode === 'url') call.asked = true;
     return call.asked && isAnswer(said) ? null : said;
   }}},
  // https://github.com/agentic-community/mcp-gateway-registry/issues/1051
  {name: 'streams-as-raw-json', from: 'agentic-community/mcp-gateway-registry#1051', eras: ['legacy', 'modern'], what: 'makes of each stream that answers a POST one JSON object with its text',
   rules: ['gateway.reads-streams', 'gateway.streams', 'gateway.keeps-order'], says: /stream|raw|JSON/i,
   change: {back(answer, call) {
     if (call.method !== 'POST' || !/event-stream/.test(answer.headers['content-type'] ?? '')) return false;
     let raw = '';
     answer.setEncoding('utf8').on('data', text => raw += text).on('end', () => {
       call.response.writeHead(answer.statusCode, {...own(answer.headers), 'content-type': 'application/json'});
       call.response.end(JSON.stringify({raw}));
     });
     return true;
   }}},
  // https://github.com/stacklok/toolhive/pull/4154
  {name: 'query-of-the-server-dropped', from: 'stacklok/toolhive#4154', eras: ['legacy', 'modern'], what: 'drops the query of the address at which it was told the server is',
   rules: ['gateway.keeps-server-address'], says: /query|\?/, change: {path: ({pathname}) => pathname}},
  // https://github.com/sigbit/mcp-auth-proxy/issues/115
  {name: 'redirects-handed-back', from: 'sigbit/mcp-auth-proxy#115', eras: ['legacy', 'modern'], what: 'hands 307 of the server back to clients, which do not post again elsewhere',
   rules: ['gateway.follows-redirects'], says: /307|redirect/, change: {raw: true}, right: follows(withoutToken)},
  // https://github.com/stacklok/toolhive/pull/4168
  {name: 'token-to-another-host', from: 'stacklok/toolhive#4168', eras: ['legacy', 'modern'], what: 'follows redirects of the server to other hosts, with the token of its client',
   rules: ['gateway.keeps-tokens-from-others', 'gateway.keeps-tokens-back'], says: /redirect|another (host|origin)/, change: follows(() => {}), right: follows(withoutToken)},
  // https://github.com/agent-receipts/obsigna/issues/158
  {name: 'dies-of-the-fifth-call', from: 'agent-receipts/obsigna#158', eras: ['legacy', 'modern'], what: 'answers nothing more once five calls are under way at once',
   rules: ['gateway.serves-calls-at-once', 'gateway.serves-others-meanwhile', 'gateway.serves-many-calls', 'gateway.keeps-clients-apart'], says: /at once|nothing comes back/,
   change: (() => { let [running, dead] = [0, false]; return {
     request({message, response}) {
       if (message?.method !== 'tools/call') return dead;
       if (++running >= 5) dead = true;
       let under = true;
       const done = () => { if (under) --running; under = false; };
       response.on('finish', done).on('close', done);
       return dead;
     }}; })()},
  // https://github.com/mcpjungle/MCPJungle/issues/268
  {name: 'stream-of-a-session-refused', from: 'mcpjungle/MCPJungle#268', eras: ['legacy'], what: 'answers 400 to GET: the session exists already',
   rules: ['gateway.opens-streams-at-once', 'gateway.tells-of-changes', 'gateway.tells-of-resources', 'gateway.tells-one-client-alone', 'gateway.survives-second-stream'], says: /GET|stream|400/,
   change: {request({method, response}) {
     if (method !== 'GET') return false;
     response.writeHead(400, {'content-type': 'text/plain'});
     response.end('Session registration failed: session already exists');
     return true;
   }}},
  // https://github.com/agentgateway/agentgateway/issues/2024
  {name: 'challenge-with-a-broken-address', from: 'agentgateway/agentgateway#2024', eras: ['legacy', 'modern'], what: 'writes the address of the metadata into its challenge anew, without // after the scheme',
   rules: ['gateway.passes-challenges'], says: /resource_metadata|address/,
   change: {head(status, headers) { const all = headers['www-authenticate']; if (all) headers['www-authenticate'] = all.replace(/(resource_metadata="https?:)\/\//, '$1'); }}},
  // https://github.com/IBM/mcp-context-forge/issues/2055
  {name: 'sessions-pooled-by-token', from: 'IBM/mcp-context-forge#2055', eras: ['legacy'], what: 'has one session with the server for all clients that show the same token or none',
   rules: ['gateway.tells-one-client-alone', 'gateway.keeps-clients-apart', 'gateway.declares-its-client', 'gateway.keeps-others-subscriptions', 'gateway.lists-apart'], says: /client|session/, change: pool()},
  // https://github.com/IBM/mcp-context-forge/issues/1937
  {name: 'lists-end-at-50', from: 'IBM/mcp-context-forge#1937', eras: ['legacy', 'modern'], what: 'lists the first 50 tools of a page and no more',
   rules: ['gateway.lists-all-tools', 'gateway.lists-long-pages'], says: /tool/,
   change: {message: said => said.result?.tools?.length > 50 ? {...said, result: {...said.result, tools: said.result.tools.slice(0, 50)}} : said}},
];
