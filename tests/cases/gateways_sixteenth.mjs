// More of gateways.mjs, taken as they came by somebody who has not seen the judge.

import {answers, end, isRequest, isStream, json, uses} from './peers/answering.mjs';
import {own, textOf} from './peers/gateway.mjs';

const current = '2026-07-28';
const isModern = call => call.headers['mcp-protocol-version'] === current;

// asked sends a request of the gateway's own to the server, in the session of the client; returns its result.
async function asked(call, method, params) {
  const names = ['authorization', 'mcp-protocol-version', 'mcp-session-id'].filter(name => call.headers[name] !== undefined);
  const headers = {...json, accept: 'application/json, text/event-stream', ...Object.fromEntries(names.map(name => [name, call.headers[name]]))};
  if (isModern(call)) headers['mcp-method'] = method;
  const meta = call.message.params?._meta;
  const {progressToken: _, ...rest} = meta ?? {};
  const message = {jsonrpc: '2.0', id: `gateway-${method}-${params.cursor ?? ''}-${call.message.id}`, method, params: {...params, ...meta && {_meta: rest}}};
  try {
    const answer = await fetch(call.to, {method: 'POST', headers, body: textOf(message)});
    const text = await answer.text();
    const all = text.startsWith('{') ? [text] : text.split(/\r?\n/).filter(line => line.startsWith('data:')).map(line => line.slice(5));
    return all.map(one => { try { return JSON.parse(one); } catch { return undefined; } }).find(said => said?.id === message.id)?.result;
  } catch { return undefined; }
}

export const cases = [
  // https://github.com/apify/apify-mcp-server/issues/1233
  {name: 'list-changed-undeclared', from: 'apify/apify-mcp-server#1233', eras: ['legacy'],
   what: 'hands notifications/tools/list_changed of the server on, and declares tools without listChanged',
   clause: '2025-11-25, server/tools, Capabilities: listChanged indicates whether the server will emit notifications when the list of available tools changes; basic/lifecycle, Operation: both parties MUST only use capabilities that were successfully negotiated',
   rules: ['gateway.keeps-change-notices'], says: /listChanged|list_changed|capabilit/i,
   change: {message(said, call) {
     if (!uses(call, 'initialize') || !answers(said, call) || !said.result?.capabilities?.tools) return said;
     const {listChanged: _, ...tools} = said.result.capabilities.tools;
     return {...said, result: {...said.result, capabilities: {...said.result.capabilities, tools}}};
   }}},
  // https://github.com/kaeawc/auto-mobile/issues/3223
  {name: 'tools-of-the-first-answer', from: 'kaeawc/auto-mobile#3223', eras: ['legacy'],
   what: 'keeps the first answer to tools/list of a session, and answers all others with it, also after notifications/tools/list_changed',
   clause: '2025-11-25, server/tools, List Changed Notification and Message Flow: after the notification the client sends tools/list and gets the updated tools',
   rules: ['gateway.lists-again'], says: /tools|list|stale|cache|old|changed/i,
   change: (() => {
     const kept = new Map;
     const key = call => textOf([call.headers['mcp-session-id'] ?? '', call.message.params?.cursor ?? null]);
     return {
       request(call) {
         const result = uses(call, 'tools/list') ? kept.get(key(call)) : undefined;
         return Boolean(result) && end(call, 200, {jsonrpc: '2.0', id: call.message.id, result});
       },
       message(said, call) {
         if (uses(call, 'tools/list') && answers(said, call) && said.result) kept.set(key(call), said.result);
         return said;
       }};
   })()},
  // https://github.com/BerriAI/litellm/pull/27847
  {name: 'unauthorized-becomes-no-tools', from: 'BerriAI/litellm#27847', eras: ['legacy', 'modern'],
   what: 'shakes hands itself and answers tools/list with 200 and no tools, when the server answers with 401',
   clause: '2025-11-25, basic/authorization, Access Token Usage and Error Handling: authorization required or token invalid: HTTP 401; Protected Resource Metadata Discovery: 401 with WWW-Authenticate is how clients learn where to sign in',
   rules: ['gateway.passes-challenges'], says: /401|authori[sz]|WWW-Authenticate|tools/i,
   change: {back(answer, call) {
     if (answer.statusCode !== 401 || !isRequest(call.message)) {
       if (answer.statusCode !== 401 || call.message?.method !== 'notifications/initialized') return false;
       answer.resume();
       return end(call, 202);
     }
     const serverInfo = {name: 'gateway', version: '1.0.0'};
     const modern = isModern(call);
     const cached = modern ? {resultType: 'complete', ttlMs: 0, cacheScope: 'private'} : {};
     const result = {
       'initialize': {protocolVersion: call.message.params?.protocolVersion, capabilities: {tools: {}}, serverInfo},
       'server/discover': {...cached, supportedVersions: [current], capabilities: {tools: {}}, _meta: {'io.modelcontextprotocol/serverInfo': serverInfo}},
       'tools/list': {...cached, tools: []}}[call.message.method];
     if (!result) return false;
     answer.resume();
     return end(call, 200, {jsonrpc: '2.0', id: call.message.id, result});
   }}},
  // https://github.com/BerriAI/litellm/issues/37080
  {name: 'unauthorized-becomes-500', from: 'BerriAI/litellm#37080', eras: ['legacy', 'modern'],
   what: 'answers requests without a valid token with 500 and {"error": "MCP request failed"} in place of 401',
   clause: '2025-11-25 and 2026-07-28, basic/authorization, Token Handling: invalid or expired tokens MUST receive a HTTP 401 response; Error Handling: authorization required or token invalid: 401',
   rules: ['gateway.passes-challenges'], says: /401|500|authori[sz]|WWW-Authenticate/i,
   change: {back(answer, call) {
     if (answer.statusCode !== 401) return false;
     answer.resume();
     return end(call, 500, {error: 'MCP request failed', details: ''});
   }}},
  // https://github.com/PrefectHQ/fastmcp/issues/3169
  {name: 'elicitation-goes-nowhere', from: 'PrefectHQ/fastmcp#3169', eras: ['legacy'],
   what: 'does not hand elicitation/create of the server on to a client that declared elicitation, so that the tool waits for it',
   clause: '2025-11-25, client/elicitation, Message Flow: the server sends elicitation/create, and the client answers it; basic/transports: the stream of a request has requests of the server before its response',
   rules: ['gateway.asks-by-elicitation'], says: /elicit|question|ask|answer|time|hang/i,
   change: {message: said => said?.method === 'elicitation/create' ? null : said}},
  // https://github.com/speakeasy-api/gram/pull/4955
  {name: 'posts-alone', from: 'speakeasy-api/gram#4955', eras: ['legacy'],
   what: 'hands POST on alone: GET is refused with 405 and DELETE with 404, though the server has a stream and ends sessions',
   clause: '2025-11-25, basic/transports, Listening for Messages from the Server: the client may GET a stream, on which requests and notifications of the server come; Session Management: clients SHOULD send DELETE to end the session',
   rules: ['gateway.ends-sessions'], says: /GET|DELETE|stream|session|405|404|notif/i,
   change: {request(call) {
     if (call.method === 'GET') return end(call, 405, undefined, {allow: 'POST'});
     return call.method === 'DELETE' && end(call, 404);
   }}},
  // https://github.com/sparfenyuk/mcp-proxy/issues/206
  {name: 'without-instructions', from: 'sparfenyuk/mcp-proxy#206', eras: ['legacy'],
   what: 'answers initialize without the instructions of the server',
   clause: '2025-11-25, schema, InitializeResult: instructions: how to use the server and its features, which clients can use to improve the understanding of the model',
   rules: ['gateway.keeps-instructions'], says: /instruction/i,
   change: {message(said, call) {
     if (!uses(call, 'initialize') || !answers(said, call) || said.result?.instructions === undefined) return said;
     const {instructions: _, ...result} = said.result;
     return {...said, result};
   }}},
  // https://github.com/clerk/cli/pull/433
  {name: 'refusals-without-a-reason', from: 'clerk/cli#433', eras: ['modern'],
   what: 'makes each JSON-RPC error that comes with a status of 4xx -32000 and "the server answered" with the status, without its code and data',
   clause: '2026-07-28, basic/versioning: UnsupportedProtocolVersionError is -32022, with data.supported, of which the client chooses another revision; schema, MissingRequiredClientCapabilityError: -32021, with data.requiredCapabilities',
   rules: ['gateway.says-unknown-methods', 'gateway.passes-version-errors'], says: /error|code|data|-320/i,
   change: (() => {
     const statuses = new WeakMap;
     return {
       head(status, headers, call) { statuses.set(call, status); return status; },
       message(said, call) {
         const status = statuses.get(call);
         if (!isRequest(call.message) || !said?.error || !(status >= 400) || status === 401 || status === 403) return said;
         return {jsonrpc: '2.0', id: call.message.id, error: {code: -32000, message: `The server answered ${status}`}};
       },
       // The head of an answer is made before its body, so the status is known when the message comes.
     };
   })()},
  // https://github.com/IBM/mcp-context-forge/issues/6625
  {name: 'templates-among-the-resources', from: 'IBM/mcp-context-forge#6625', eras: ['legacy', 'modern'],
   what: 'lists the templates of the server among its resources too, with the template for their uri, which cannot be read',
   clause: '2025-11-25 and 2026-07-28, server/resources: resources/list has resources, each with a uri (schema: format uri) that resources/read takes; templates are listed by resources/templates/list',
   rules: ['gateway.lists-all-resources'], says: /template|\buri\b|\{name\}|resource/i,
   change: {async message(said, call) {
     if (!uses(call, 'resources/list') || !answers(said, call) || !Array.isArray(said.result?.resources) || said.result.nextCursor !== undefined) return said;
     const more = [];
     for (let cursor, i = 0; i < 10; ++i) {
       const result = await asked(call, 'resources/templates/list', cursor === undefined ? {} : {cursor});
       more.push(...result?.resourceTemplates ?? []);
       cursor = result?.nextCursor;
       if (cursor === undefined) break;
     }
     const fake = more.map(({uriTemplate, ...rest}) => ({uri: uriTemplate, ...rest}));
     return {...said, result: {...said.result, resources: [...said.result.resources, ...fake]}};
   }}},
  // https://github.com/stacklok/toolhive/issues/5655
  {name: 'events-without-a-name', from: 'stacklok/toolhive#5655', eras: ['legacy', 'modern'],
   what: 'writes each event without its event: line (it is a message all the same, by the specification of event streams; the AI SDK drops it, and waits for ever)',
   clause: 'WHATWG HTML, 9.2.6: without a name an event is a message; breaks @ai-sdk/mcp, which takes events named message alone; a proxy that hands the stream of the server on as it came keeps the name',
   rules: ['gateway.keeps-event-names'], says: /event|SSE|stream|name/i,
   change: {back(answer, call) {
     if (!isStream(answer)) return false;
     call.response.writeHead(answer.statusCode, own(answer.headers));
     call.response.flushHeaders();
     let rest = '';
     answer.setEncoding('utf8').on('data', text => {
       const lines = (rest + text).split('\n');
       rest = lines.pop();
       for (const line of lines) if (!line.startsWith('event:')) call.response.write(`${line}\n`);
     });
     answer.on('end', () => call.response.end(rest));
     answer.on('error', () => call.cut());
     return true;
   }}},
  // https://github.com/punkpeye/mcp-remote/issues/293
  {name: 'refusals-never-told', from: 'punkpeye/mcp-remote#293', eras: ['legacy', 'modern'],
   what: 'writes an answer of the server with a status of 4xx or 5xx into its log, and never answers the request of the client',
   clause: '2025-11-25 and 2026-07-28, basic, Responses: responses are sent in reply to requests, as a result or an error; basic/transports: a request gets application/json or text/event-stream, or an HTTP error',
   rules: ['gateway.says-unknown-methods', 'gateway.passes-version-errors', 'gateway.tells-of-refusals', 'gateway.unknown-session-404', 'gateway.ended-session-404', 'gateway.outlives-servers-session'], says: /answer|response|time|hang|error|4\d\d/i,
   change: {back(answer, call) {
     if (answer.statusCode < 400 || answer.statusCode === 401 || answer.statusCode === 403 || !isRequest(call.message)) return false;
     answer.resume();
     return true;
   }}},
  // https://github.com/stacklok/toolhive/pull/4334
  {name: 'prompts-in-one-text', from: 'stacklok/toolhive#4334', eras: ['legacy', 'modern'],
   what: 'makes the messages of a prompt one text of the assistant, of lines "[role] text"',
   clause: '2025-11-25 and 2026-07-28, server/prompts, PromptMessage: messages have a role, user or assistant, and a content: text, image, audio, resource',
   rules: ['gateway.keeps-prompt-messages'], says: /prompt|message|role|assistant/i,
   change: {message(said, call) {
     if (!uses(call, 'prompts/get') || !answers(said, call) || !Array.isArray(said.result?.messages)) return said;
     const text = said.result.messages.map(({role, content}) => `[${role}] ${content?.text ?? ''}\n`).join('');
     return {...said, result: {...said.result, messages: [{role: 'assistant', content: {type: 'text', text}}]}};
   }}},
];
