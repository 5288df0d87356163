// More of gateways.mjs, thought of beside those of gateways_sixteenth.mjs: the same kinds in other forms.

import {end, isRequest, isStream, json} from './peers/answering.mjs';
import {own} from './peers/gateway.mjs';

const modern = call => call.headers['mcp-protocol-version'] === '2026-07-28';
const cached = call => modern(call) ? {resultType: 'complete', ttlMs: 0, cacheScope: 'private'} : {};
const members = {'tools/list': 'tools', 'prompts/list': 'prompts', 'resources/list': 'resources', 'resources/templates/list': 'resourceTemplates'};

// refused answers requests that the server refuses with 401; made(call) is what comes instead, undefined for the 401.
const refused = made => ({back(answer, call) {
  if (answer.statusCode !== 401 || !isRequest(call.message)) return false;
  const instead = made(call);
  if (!instead) return false;
  answer.resume();
  return instead(call);
}});
const result = value => call => end(call, 200, {jsonrpc: '2.0', id: call.message.id, result: {...cached(call), ...value}});
const signIn = '2025-11-25, basic/authorization, Protected Resource Metadata Discovery Requirements: 401 with WWW-Authenticate is how clients learn where to sign in';
const streams = '2025-11-25, basic/transports, Listening for Messages from the Server, and Session Management';

// named rewrites the lines of streams.
const named = (line, whose = () => true) => ({back(answer, call) {
  if (!isStream(answer) || !whose(call)) return false;
  call.response.writeHead(answer.statusCode, own(answer.headers));
  call.response.flushHeaders();
  let rest = '';
  answer.setEncoding('utf8').on('data', text => {
    const lines = (rest + text).split('\n');
    rest = lines.pop();
    for (const one of lines.flatMap(line)) call.response.write(`${one}\n`);
  });
  answer.on('end', () => call.response.end(rest));
  answer.on('error', () => call.cut());
  return true;
}});
const nameOf = 'WHATWG HTML, 9.2.6; breaks @ai-sdk/mcp, which takes events named message alone';

export const cases = [
  {name: 'beside-no-resources-for-401', from: 'BerriAI/litellm#27847', eras: ['legacy', 'modern'], what: 'answers resources/list with 200 and nothing when the server answers with 401',
   clause: signIn, rules: ['gateway.passes-challenges'], says: /401/, change: refused(call => call.message.method === 'resources/list' && result({resources: []}))},
  {name: 'beside-opens-by-itself', from: 'BerriAI/litellm#27847', eras: ['legacy'], what: 'answers initialize itself when the server answers with 401',
   clause: signIn, rules: ['gateway.passes-challenges'], says: /401/, change: refused(call => call.message.method === 'initialize' &&
     result({protocolVersion: call.message.params.protocolVersion, capabilities: {tools: {}}, serverInfo: {name: 'gateway', version: '1'}}))},
  {name: 'beside-lists-are-missing', from: 'BerriAI/litellm#27847', eras: ['legacy'], what: 'answers lists with 200 and {} when the server answers with 401',
   clause: signIn, rules: ['gateway.passes-challenges'], says: /401/, change: refused(call => members[call.message.method] && result({}))},
  {name: 'beside-lists-with-an-error', from: 'BerriAI/litellm#27847', eras: ['legacy', 'modern'], what: 'answers lists with 200 and error -32603 when the server answers with 401',
   clause: signIn, rules: ['gateway.passes-challenges'], says: /401/, change: refused(call => members[call.message.method] &&
     (one => end(one, 200, {jsonrpc: '2.0', id: one.message.id, error: {code: -32603, message: 'Internal error'}})))},
  {name: 'beside-nobody-is-there', from: 'BerriAI/litellm#27847', eras: ['legacy'], what: 'answers tools/list with 404 when the server answers with 401',
   clause: signIn, rules: ['gateway.passes-challenges'], says: /401/, change: refused(call => call.message.method === 'tools/list' && (one => end(one, 404)))},

  {name: 'beside-no-get', from: 'speakeasy-api/gram#4955', eras: ['legacy'], what: 'refuses GET with 404, and hands DELETE on', clause: streams,
   rules: ['gateway.tells-one-client-alone'], says: /GET|stream|told|change|notif/, change: {request: call => call.method === 'GET' && end(call, 404)}},
  {name: 'beside-get-is-json', from: 'speakeasy-api/gram#4955', eras: ['legacy'], what: 'answers GET with 200 and {} as JSON', clause: streams,
   rules: ['gateway.tells-one-client-alone'], says: /GET|stream|told|change|notif/, change: {request: call => call.method === 'GET' && end(call, 200, {})}},
  {name: 'beside-streams-end-at-once', from: 'speakeasy-api/gram#4955', eras: ['legacy'], what: 'answers GET with a stream that ends at once', clause: streams,
   rules: ['gateway.tells-one-client-alone'], says: /GET|stream|told|change|notif/, change: {request: call => call.method === 'GET' && (call.response.writeHead(200, {'content-type': 'text/event-stream'}), call.response.end(), true)}},
  {name: 'beside-delete-fails', from: 'speakeasy-api/gram#4955', eras: ['legacy'], what: 'answers DELETE with 500', clause: streams,
   rules: ['gateway.ends-sessions'], says: /DELETE/, change: {request: call => call.method === 'DELETE' && end(call, 500)}},
  {name: 'beside-delete-is-a-bad-request', from: 'speakeasy-api/gram#4955', eras: ['legacy'], what: 'answers DELETE with 400', clause: streams,
   rules: ['gateway.ends-sessions'], says: /DELETE/, change: {request: call => call.method === 'DELETE' && end(call, 400)}},

  {name: 'beside-names-of-calls-alone', from: 'stacklok/toolhive#5655', eras: ['legacy'], what: 'drops event: of the streams of calls', clause: nameOf,
   rules: ['gateway.keeps-event-names'], says: /name/, change: named(line => line.startsWith('event:') ? [] : [line], call => call.message?.method === 'tools/call')},
  {name: 'beside-another-name', from: 'stacklok/toolhive#5655', eras: ['legacy', 'modern'], what: 'names each event mcp', clause: nameOf,
   rules: ['gateway.reads-every-form', 'gateway.reads-streams', 'gateway.keeps-event-names'], says: /name|event|form|stream/, change: named(line => line.startsWith('event:') ? ['event: mcp'] : [line])},
  {name: 'beside-an-empty-name', from: 'stacklok/toolhive#5655', eras: ['legacy', 'modern'], what: 'writes event: with nothing behind it', clause: nameOf,
   rules: ['gateway.keeps-event-names'], says: /name/, change: named(line => line.startsWith('event:') ? ['event:'] : [line])},
  {name: 'beside-the-name-is-a-comment', from: 'stacklok/toolhive#5655', eras: ['modern'], what: 'makes a comment of each event:', clause: nameOf,
   rules: ['gateway.keeps-event-names'], says: /name/, change: named(line => line.startsWith('event:') ? [`: ${line}`] : [line])},
  {name: 'beside-the-name-in-capitals', from: 'stacklok/toolhive#5655', eras: ['legacy'], what: 'writes Event: for event:, which is a field of another name', clause: nameOf,
   rules: ['gateway.keeps-event-names'], says: /name/, change: named(line => [line.replace(/^event:/, 'Event:')])},
];
