// More of servers.mjs: answers that lack what their readers need, and requests whose id, session or type is refused.

import {say} from './peers/server.mjs';

const readOnly = {readOnlyHint: true};
const closed = {type: 'object', properties: {}, additionalProperties: false};
const tool = (name, description, more) => ({tools: [{name, description, annotations: readOnly, inputSchema: closed, run: () => say('done'), ...more}]});
const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const photo = data => tool('photo', 'The photo of today', {run: () => ({content: [{type: 'image', data, mimeType: 'image/png'}]})});
const empty = content => tool('selection', 'The text that is selected, if any', {run: () => ({content: [content]})});
const choice = type => tool('ask_priority', 'Asks how urgent it is', {async run(_, call) {
  const answer = await call.ask('priority', 'How urgent is it?', {type: 'object', required: ['priority'],
    properties: {priority: {...type, oneOf: [{const: 'low', title: 'Not urgent'}, {const: 'high', title: 'Urgent'}]}}});
  return answer && (answer.action === 'accept' && !['low', 'high'].includes(answer.content?.priority) ? say('low or high', {isError: true}) : say('Good'));
}});

export const cases = [
  // https://github.com/nota/gyazo-mcp-server/pull/129
  {name: 'image-as-data-uri', from: 'nota/gyazo-mcp-server#129', in: ['legacy stdio', 'modern http'], what: 'has a data: address for the data of an image, not base64',
   rules: ['tools.media-encoded', 'schema.messages-validate'], says: /base64|data/, change: photo(`data:image/png;base64,${dot}`), right: photo(dot)},
  // https://github.com/modelcontextprotocol/go-sdk/pull/91
  {name: 'empty-text-left-out', from: 'modelcontextprotocol/go-sdk#91', in: ['legacy stdio', 'modern http'], what: 'leaves text out of content where it is empty',
   rules: ['schema.messages-validate', 'schema.content-types-by-revision', 'tools.result-content-required'], says: /text/, change: empty({type: 'text'}), right: empty({type: 'text', text: ''})},
  // https://github.com/helidon-io/helidon-mcp/issues/97
  {name: 'no-content-type', from: 'helidon-io/helidon-mcp#97', in: ['legacy http', 'modern http'], what: 'answers without Content-Type',
   rules: ['http.response-content-type'], says: /Content-Type/i, change: {head(headers, status, message) { if (message) delete headers['Content-Type']; }}},
  // https://github.com/kenforthewin/atomic/issues/193
  {name: 'unknown-session-401', from: 'kenforthewin/atomic#193', in: ['legacy http'], what: 'answers 401 where a session is unknown or missing, upon which clients sign in',
   rules: ['http.session-ended-404', 'http.session-id-missing-400'], says: /401/,
   change: {http(request, response, body, {server}) {
     let message;
     try { message = JSON.parse(body); } catch { /* It has none. */ }
     if (message?.method === 'initialize' || server.sessions.has(request.headers['mcp-session-id']) || request.method === 'POST' && !message) return false;
     response.writeHead(401);
     response.end('Unauthorized: Session not found');
     return true;
   }}},
  // https://github.com/helidon-io/helidon-mcp/issues/175
  {name: 'notifications-200', from: 'helidon-io/helidon-mcp#175', in: ['legacy http'], what: 'answers notifications with 200 and no body',
   rules: ['http.notification-202'], says: /20[02]/, change: {head: (headers, status, message) => status === 202 && message === undefined ? 200 : undefined}},
  // https://github.com/grafana/mcp-grafana/issues/215
  {name: 'charset-refused', from: 'grafana/mcp-grafana#215', in: ['legacy http', 'modern http'], what: 'refuses Content-Type: application/json; charset=utf-8',
   rules: ['http.media-types-parsed'], says: /Content-Type|charset/i,
   change: {http(request, response) {
     const type = request.headers['content-type'];
     if (request.method !== 'POST' || type === undefined || !/^application\/json\s*;/i.test(type)) return false;
     response.writeHead(400, {'content-type': 'text/plain'});
     response.end("Invalid content type: must be 'application/json'");
     return true;
   }}},
  // https://github.com/modelcontextprotocol/python-sdk/issues/1218
  {name: 'nothing-told-for-id-0', from: 'modelcontextprotocol/python-sdk#1218', in: ['legacy http', 'modern http'], what: 'tells nothing while it serves a request with the id 0, which it takes for none',
   rules: ['jsonrpc.request-id-string-or-integer', 'progress.zero-is-a-token', 'jsonrpc.request-answered'], says: /\b0\b/,
   change: {said(message, call) { if (message?.id === 0) call.tell = () => {}; return undefined; }}},
  // https://github.com/PrefectHQ/fastmcp/pull/2773
  {name: 'choice-without-a-type', from: 'PrefectHQ/fastmcp#2773', in: ['legacy stdio', 'modern http'], what: 'asks by a form for one of a few with titles, and leaves out type: string',
   rules: ['elicitation.form-schema-flat-primitive', 'schema.messages-validate', 'mrtr.input-request-types'], says: /type|priority|requestedSchema/,
   change: choice({}), right: choice({type: 'string'})},
];
