// More of gateways.mjs: what they make of media, tokens that are renewed, sessions they do not know, streams and empty bodies.

import {textOf} from './peers/gateway.mjs';

const refused = (response, status, text) => { response.writeHead(status, {'content-type': 'text/plain; charset=utf-8'}); response.end(text); return true; };
const answered = (response, status, message) => { response.writeHead(status, {'content-type': 'application/json'}); response.end(textOf(message)); return true; };
const rewritten = call => { call.body = Buffer.from(textOf(call.message)); };
const streams = answer => /event-stream/.test(answer.headers['content-type'] ?? '');

export const cases = [
  // https://github.com/smart-mcp-proxy/mcpproxy-go/issues/368
  {name: 'media-become-text', from: 'smart-mcp-proxy/mcpproxy-go#368', eras: ['legacy', 'modern'],
   what: 'hands a result with an image or a sound on as one text, which is the JSON of that result',
   rules: ['gateway.keeps-media', 'gateway.keeps-content', 'gateway.keeps-embedded-resources', 'gateway.keeps-resource-links'], says: /image|audio|content|resource/,
   change: {message: (said, call) => call.message?.method === 'tools/call' && Array.isArray(said.result?.content) && said.result.content.some(one => one.type !== 'text')
     ? {...said, result: {...said.result, content: [{type: 'text', text: textOf(said.result)}]}} : said}},
  // https://github.com/stacklok/toolhive/issues/5306
  {name: 'sessions-end-with-the-token', from: 'stacklok/toolhive#5306', eras: ['legacy'],
   what: 'answers 401 and ends the session when its client comes with another token than it began with, as clients do that have renewed theirs',
   rules: ['gateway.keeps-credentials', 'gateway.takes-every-form', 'gateway.keeps-the-session'], says: /token|session|401|Authorization/,
   change: (() => { const owners = new Map, ended = new Set; return {
     request({headers, response}) {
       const session = headers['mcp-session-id'];
       if (ended.has(session)) return refused(response, 404, 'session not found');
       if (!owners.has(session) || owners.get(session) === (headers.authorization ?? '')) return false;
       ended.add(session);
       return refused(response, 401, 'Unauthorized: caller identity does not match session owner');
     },
     head(status, headers, {message, headers: asked}) {
       if (message?.method === 'initialize' && headers['mcp-session-id']) owners.set(headers['mcp-session-id'], asked.authorization ?? '');
     }}; })()},
  // https://github.com/agentgateway/agentgateway/issues/1850
  {name: 'prompts-left-out', from: 'agentgateway/agentgateway#1850', eras: ['legacy'],
   what: 'does not declare the prompts of the server, lists none, and answers 500 and -32603 to prompts/get',
   rules: ['gateway.keeps-capabilities', 'gateway.passes-prompts', 'gateway.lists-all-prompts'], says: /prompt/,
   change: {
     request({message, response}) {
       if (message?.method === 'prompts/list') return answered(response, 200, {jsonrpc: '2.0', id: message.id, result: {prompts: []}});
       if (message?.method === 'prompts/get') return answered(response, 500, {jsonrpc: '2.0', id: message.id, error: {code: -32603, message: 'failed to send message: invalid resource name'}});
       return false;
     },
     message(said) {
       if (!said.result?.capabilities?.prompts) return said;
       const {prompts, ...capabilities} = said.result.capabilities;
       return {...said, result: {...said.result, capabilities}};
     }}},
  // https://github.com/IBM/mcp-context-forge/issues/6601
  {name: 'empty-arguments-of-prompts-left-out', from: 'IBM/mcp-context-forge#6601', eras: ['legacy', 'modern'],
   what: 'leaves arguments out of prompts/get where they are {}',
   rules: ['gateway.keeps-prompt-requests', 'gateway.keeps-empty-arguments'], says: /argument/,
   change: {request(call) {
     const given = call.message?.method === 'prompts/get' ? call.message.params?.arguments : undefined;
     if (!given || Object.keys(given).length) return;
     delete call.message.params.arguments;
     rewritten(call);
   }}},
  // https://github.com/stacklok/toolhive/issues/4425
  {name: 'unknown-sessions-in-plain-words', from: 'stacklok/toolhive#4425', eras: ['legacy'],
   what: 'answers 400 and a line of text by itself when it does not know the session of a request',
   rules: ['gateway.unknown-session-404', 'gateway.ended-session-404'], says: /404|400/,
   change: (() => { const known = new Set; return {
     request({message, headers, response}) {
       const session = headers['mcp-session-id'];
       return message?.method !== 'initialize' && session !== undefined && !known.has(session) && refused(response, 400, 'session not found\n');
     },
     head(status, headers, {method, message, headers: asked}) {
       if (message?.method === 'initialize' && headers['mcp-session-id']) known.add(headers['mcp-session-id']);
       if (method === 'DELETE' && status < 300) known.delete(asked['mcp-session-id']);
     }}; })()},
  // https://github.com/IBM/mcp-context-forge/issues/1258
  {name: 'output-schemas-left-out', from: 'IBM/mcp-context-forge#1258', eras: ['legacy', 'modern'],
   what: 'lists tools without their outputSchema',
   rules: ['gateway.keeps-output-schemas'], says: /outputSchema|output schema/i,
   change: {message: said => Array.isArray(said.result?.tools) ? {...said, result: {...said.result, tools: said.result.tools.map(({outputSchema, ...tool}) => tool)}} : said}},
  // https://github.com/higress-group/higress/issues/3376
  {name: 'streams-unread', from: 'higress-group/higress#3376', eras: ['legacy', 'modern'],
   what: 'reads answers in JSON alone, and answers an error where the server answers a POST by an event stream',
   rules: ['gateway.reads-streams', 'gateway.reads-streamed-opening', 'gateway.reads-every-form', 'gateway.streams'], says: /stream|event/,
   change: {back(answer, call) {
     if (call.method !== 'POST' || !streams(answer)) return false;
     answer.on('error', () => {});
     answer.destroy();
     return answered(call.response, 500, {jsonrpc: '2.0', id: call.message?.id ?? null, error: {code: -32603, message: 'failed to parse the response: invalid character \'e\' looking for beginning of value'}});
   }}},
  // https://github.com/wso2/api-manager/issues/5108
  {name: 'nothing-said-nothing-answered', from: 'wso2/api-manager#5108', eras: ['legacy', 'modern'],
   what: 'closes the connection without an answer when a POST has no body',
   rules: ['gateway.tells-of-refusals', 'gateway.survives-trouble', 'gateway.takes-every-form'], says: /body|empty|connection|answer/,
   change: {request({method, body, response}) { if (method !== 'POST' || body.length) return false; response.destroy(); return true; }}},
  // https://github.com/agentgateway/agentgateway/issues/1582
  {name: 'no-stream-is-404', from: 'agentgateway/agentgateway#1582', eras: ['legacy'],
   what: 'answers 404 to every GET of an open session, which says that the session has ended',
   rules: ['gateway.opens-streams-at-once', 'gateway.tells-one-client-alone', 'gateway.tells-of-changes'], says: /404|GET|stream/,
   change: {request({method, response}) { return method === 'GET' && refused(response, 404, ''); }}},
];
