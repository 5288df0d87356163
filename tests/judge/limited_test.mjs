// limited_test.mjs PLUMBLINE: a right server that answers some requests with 429 is blamed for
// nothing. With a short Retry-After it is asked again; without one, what it would have answered is
// inconclusive.

import assert from 'node:assert/strict';
import {spawn} from 'node:child_process';
import {createServer} from 'node:http';

const [plumbline] = process.argv.slice(2);
const results = {
  initialize: {protocolVersion: '2025-11-25', capabilities: {tools: {}}, serverInfo: {name: 'limited', version: '1'}},
  ping: {}, 'tools/list': {tools: [{name: 'tell', description: 'Tells the time', inputSchema: {type: 'object'}, annotations: {readOnlyHint: true}}]},
  'tools/call': {content: [{type: 'text', text: 'noon'}]},
};

// serve answers with 429 what `limits(message, count)` says, where count is that of the requests.
function serve(limits, retryAfter) {
  let [count, refused] = [0, 0];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const piece of request) body += piece;
    let message;
    try { message = JSON.parse(body); } catch { message = undefined; }
    if (limits(message, ++count)) {
      ++refused;
      response.writeHead(429, {'content-type': 'application/json', ...(retryAfter && {'retry-after': retryAfter})});
      return response.end(JSON.stringify({jsonrpc: '2.0', id: null, error: {code: -32029, message: 'Too many requests'}}));
    }
    if (request.headers.origin) return response.writeHead(403).end();
    if (request.method !== 'POST') return response.writeHead(405).end();
    if (message === undefined) {
      response.writeHead(400, {'content-type': 'application/json'});
      return response.end(JSON.stringify({jsonrpc: '2.0', error: {code: -32700, message: 'No JSON'}}));
    }
    if (message.id === undefined) return response.writeHead(202).end();
    const result = results[message.method];
    response.writeHead(200, {'content-type': 'application/json'});
    response.end(JSON.stringify({jsonrpc: '2.0', id: message.id, ...(result ? {result} : {error: {code: -32601, message: 'Method not found'}})}));
  });
  return new Promise(resolve => server.listen(0, '127.0.0.1', () => resolve({server, refused: () => refused})));
}

// judged returns the rows about few rules, none of which the server breaks.
async function judged(server) {
  const url = `http://127.0.0.1:${server.address().port}/mcp`;
  const only = 'tools.list-responds,tools.list-stable-under-calls,tools.arguments-optional,ping.empty-result,jsonrpc.method-not-found-code,jsonrpc.response-id-matches,tools.answers-alike';
  const child = spawn(plumbline, ['check', 'server', '--only', only, '--report', 'json=-', '--progress', 'never', '--revision', '2025-11-25', '--url', url],
    {stdio: ['ignore', 'pipe', 'inherit']});
  let said = '';
  for await (const piece of child.stdout) said += piece;
  return JSON.parse(said).results;
}

const everyThirdCall = (message, count) => /^(tools|ping)/.test(message?.method) && count % 3 === 0;
for (const [what, limits, retryAfter] of [['a limit that ends soon', everyThirdCall, '1'], ['one that does not', (_, count) => count > 12, '']]) {
  const {server, refused} = await serve(limits, retryAfter);
  const rows = await judged(server);
  server.close();
  server.closeAllConnections();
  const of = verdict => rows.filter(row => row.verdict === verdict);
  console.log(`${what}: ${refused()} times 429; ${of('pass').length} pass, ${of('fail').length} fail, ${of('inconclusive').length} inconclusive`);
  assert.ok(refused() > 0, 'it was not asked too much');
  assert.deepEqual(of('fail').map(row => `${row.id}: ${row.message}`), []);
  if (retryAfter) assert.ok(of('pass').length > of('inconclusive').length, 'what is asked again is judged');
  else assert.ok(of('inconclusive').length > 0, 'what is not answered is not judged');
}
