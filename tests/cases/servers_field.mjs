// More faults of servers that public reports tell of: ids and ends, streams that stand, pages, completions, forms of results.
// servers.mjs serves these as well, and says what a case has.

import {failed, say} from './peers/server.mjs';

const readOnly = {readOnlyHint: true};
const closed = {type: 'object', properties: {}, additionalProperties: false};

// Completions of one argument: there are more than may be said at once.
const guests = Array.from({length: 120}, (_, i) => `guest-${i}`);
const completes = many => ({said({id, method, params}, {server}) {
  if (method !== 'completion/complete' || params?.ref?.type !== 'ref/prompt' || params.ref.name !== 'greet' || typeof params.argument?.value !== 'string') return undefined;
  const found = guests.filter(name => name.startsWith(params.argument.value));
  return found.length > 100 ? many(id, found, server) : server.result(id, {completion: {values: found, hasMore: false}});
}});

// Lets pages of other origins in, by the methods that it names to their browsers.
const pages = methods => ({
  head(headers) { headers['Access-Control-Allow-Origin'] = '*'; headers['Access-Control-Expose-Headers'] = 'Mcp-Session-Id, WWW-Authenticate'; },
  http(request, response) {
    if (request.method !== 'OPTIONS') return false;
    response.writeHead(204, {'access-control-allow-origin': '*', 'access-control-allow-methods': methods,
                             'access-control-allow-headers': 'content-type, accept, authorization, mcp-protocol-version, mcp-session-id, last-event-id, mcp-method, mcp-name'});
    response.end();
    return true;
  }});

// Keeps what it has said on each stream, and says it again to who comes back with Last-Event-ID; `whose` says what.
const keeps = whose => {
  const store = [];
  const followers = new Map;
  const ended = new Set;
  let [events, streams] = [0, 0];
  return {http(request, response) {
    const session = request.headers['mcp-session-id'];
    const last = Number(request.headers['last-event-id'] ?? NaN);
    const of = store.find(({id}) => id === last)?.stream;
    if (request.method === 'GET' && of !== undefined) {
      response.writeHead(200, {'content-type': 'text/event-stream', 'cache-control': 'no-cache'});
      response.flushHeaders();
      for (const one of store) if (one.id > last && one.session === session && whose(one, of)) response.write(one.text);
      if (ended.has(of)) response.end();
      else followers.set(of, response);
      return true;
    }
    const stream = ++streams;
    const [write, end] = [response.write.bind(response), response.end.bind(response)];
    response.write = text => {
      if (typeof text !== 'string' || !text.startsWith('event: message\n')) return write(text);
      const one = {id: ++events, stream, session, text: `id: ${events}\n${text}`};
      store.push(one);
      followers.get(stream)?.write(one.text);
      return write(one.text);
    };
    response.end = (...all) => { ended.add(stream); followers.get(stream)?.end(); return end(...all); };
    return false;
  }};
};

export const cases = [
  // https://github.com/NovasPlace/CSM/pull/28, longbridge/longbridge-mcp#150
  {name: 'structure-is-an-array', from: 'NovasPlace/CSM#28', in: ['legacy stdio', 'legacy http'], what: 'answers with a list for structuredContent',
   rules: ['tools.structured-content-object', 'schema.messages-validate'], says: /structuredContent/,
   change: {tools: [{name: 'list_notes', description: 'Lists the notes of today', annotations: readOnly, inputSchema: closed, run: () => say('[{"id":1}]', {structuredContent: [{id: 1}]})}]}},
  // https://github.com/zoedsoupe/anubis-mcp/issues/230, github/github-mcp-server#887
  {name: 'prompts-of-the-system', from: 'zoedsoupe/anubis-mcp#230', in: ['legacy stdio', 'modern http'], what: 'has messages of the role system in prompts, with a text for content',
   rules: ['prompts.result-shape', 'schema.messages-validate'], says: /role|system|content/,
   change: {answer(made) { for (const message of made.result?.messages ?? []) Object.assign(message, {role: 'system', content: message.content.text}); return made; }}},
  // https://github.com/calebl/ynab-mcp-server/issues/31, QuantGeekDev/mcp-framework#130
  {name: 'failures-of-type-error', from: 'calebl/ynab-mcp-server#31', in: ['legacy stdio', 'modern http'], what: 'tells of a failed call by content of a type "error"',
   rules: ['schema.content-types-by-revision', 'schema.messages-validate', 'tools.result-content-required'], says: /error|type|content/,
   change: {answer(made, {message}) { return message?.method === 'tools/call' && made.result?.isError ? {...made, result: (({isError, ...rest}) => ({...rest, content: rest.content.map(({text}) => ({type: 'error', text}))}))(made.result)} : made; }}},
  // https://github.com/codefuturist/email-mcp/issues/60, modelcontextprotocol/python-sdk#2231
  {name: 'outlives-its-input', from: 'codefuturist/email-mcp#60', in: ['legacy stdio', 'modern stdio'], what: 'goes on for ever when its input has ended',
   rules: ['stdio.exit-on-stdin-eof'], says: /stdin|end/, change: {begin() { setInterval(() => {}, 1000); process.exit = () => {}; }}},
  // https://github.com/irockel/tda/issues/91
  {name: 'dies-of-ids-of-text', from: 'irockel/tda#91', in: ['legacy stdio', 'modern stdio'], what: 'ends over a request whose id is a text that is no number',
   rules: ['jsonrpc.request-answered', 'jsonrpc.response-id-matches', 'jsonrpc.request-id-string-or-integer'], says: /\bids?\b/,
   change: {said({id}) { if (typeof id === 'string' && !/^\d+$/.test(id)) process.exit(1); return undefined; }}},
  // https://github.com/radareorg/radare2-mcp/issues/68, modelcontextprotocol/python-sdk#961
  {name: 'ids-of-text-are-null', from: 'radareorg/radare2-mcp#68', in: ['legacy stdio', 'legacy http', 'modern stdio'], what: 'answers requests whose id is a text with id null',
   rules: ['jsonrpc.response-id-matches'], says: /\bids?\b/, change: {answer: (made, {message}) => typeof message?.id === 'string' ? {...made, id: null} : made}},
  // https://github.com/modelcontextprotocol/go-sdk/issues/1234, LIghtJUNction/OniMods#33
  {name: 'encoded-names-refused', from: 'modelcontextprotocol/go-sdk#1234', in: ['modern http'], what: 'compares Mcp-Name as it came with the name in the body, and refuses what was written in Base64',
   rules: ['http.header-body-mismatch-rejected', 'http.base64-decode-before-compare'], says: /base64|Mcp-Name/i,
   change: {http(request, response, body) {
     if (!/^=\?base64\?.*\?=$/.test(request.headers['mcp-name'] ?? '')) return false;
     let id = null;
     try { id = JSON.parse(body).id ?? null; } catch { /* It has none. */ }
     response.writeHead(400, {'content-type': 'application/json'});
     response.end(JSON.stringify(failed(id, -32020, 'Mcp-Name is not what the body says')));
     return true;
   }}},
  // https://github.com/punkpeye/fastmcp/pull/316
  {name: 'too-many-to-complete', from: 'punkpeye/fastmcp#316', in: ['legacy stdio', 'modern http'], what: 'fails with -32603 where more than 100 values complete an argument',
   rules: ['completion.listed-is-served', 'completion.max-100-values'], says: /complet|-32603/,
   change: completes(id => failed(id, -32603, 'Too big: expected array to have <=100 items')), right: completes((id, found, server) => server.result(id, {completion: {values: found.slice(0, 100), total: found.length, hasMore: true}}))},
  // https://github.com/n8n-io/n8n/pull/34835, modelcontextprotocol/python-sdk#2474
  {name: 'get-hangs', from: 'n8n-io/n8n#34835', in: ['legacy http'], what: 'never answers GET, by a head or otherwise',
   rules: ['http.get-stream-or-405'], says: /GET/, change: {http: request => request.method === 'GET'}},
  // https://github.com/ever-co/ever-gauzy/pull/9088
  {name: 'events-that-are-no-messages', from: 'ever-co/ever-gauzy#9088', in: ['legacy http'], what: 'begins the standing stream with {"type": "connected"}, which is no message',
   rules: ['http.sse-format', 'jsonrpc.conforms-to-2-0', 'jsonrpc.version-is-2.0', 'schema.messages-validate'], says: /connected|message|jsonrpc/,
   change: {http(request, response) {
     const flush = response.flushHeaders.bind(response);
     if (request.method === 'GET') response.flushHeaders = () => { flush(); response.write('data: {"type":"connected","timestamp":"2026-11-01T00:00:00Z"}\n\n'); };
     return false;
   }}},
  // https://github.com/hauptsacheNet/typo3-mcp-server/issues/115
  {name: 'pages-may-not-delete', from: 'hauptsacheNet/typo3-mcp-server#115', in: ['legacy http'], what: 'lets pages in, and not their DELETE, with which they end a session',
   rules: ['http.preflight-answered'], says: /DELETE/, change: pages('GET, POST, OPTIONS'), right: pages('GET, POST, DELETE, OPTIONS')},
  // https://github.com/leehack/mcp_dart/pull/131
  {name: 'replays-all-streams', from: 'leehack/mcp_dart#131', in: ['legacy http'], what: 'says all that came later in the session again, on whatever stream it was said',
   rules: ['http.replay-own-stream-only'], says: /stream/, change: keeps(() => true), right: keeps((one, stream) => one.stream === stream)},
  // https://github.com/gwbtc/urbit-mcp/pull/20
  {name: 'iserror-beside-the-result', from: 'gwbtc/urbit-mcp#20', in: ['legacy stdio', 'modern http'], what: 'writes isError beside the result of a call, not in it, over which strict clients refuse it',
   rules: ['schema.members-in-place', 'schema.messages-validate', 'jsonrpc.conforms-to-2-0'], says: /isError/,
   change: {answer: (made, {message}) => message?.method === 'tools/call' && made.result ? {...made, isError: false} : made}},
  // https://github.com/aplaceforallmystuff/mcp-arr/pull/22
  {name: 'stream-blocks-the-rest', from: 'aplaceforallmystuff/mcp-arr#22', in: ['legacy http'], what: 'serves one request after the other, so that nothing is answered while a stream stands open',
   rules: ['jsonrpc.answers-meanwhile', 'http.multiple-streams-tolerated', 'jsonrpc.request-answered'], says: /GET|stream/,
   change: (() => { let before = Promise.resolve(); return {async http(request, response) {
     if (request.method === 'GET') before = new Promise(resolve => response.on('close', resolve));
     else await before;
     return false;
   }}; })()},
];
