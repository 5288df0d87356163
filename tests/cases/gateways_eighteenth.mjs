// More of gateways.mjs, taken as they came by somebody who has not seen the judge.

import {answers, end, isRequest, isStream, json, uses} from './peers/answering.mjs';
import {own} from './peers/gateway.mjs';

// tools changes each tool that is listed.
const tools = change => ({message(said, call) {
  if (!uses(call, 'tools/list') || !answers(said, call) || !Array.isArray(said.result?.tools)) return said;
  return {...said, result: {...said.result, tools: said.result.tools.map(change)}};
}});

export const cases = [
  // https://github.com/envoyproxy/ai-gateway/issues/1530
  {name: 'resources-cannot-be-read', from: 'envoyproxy/ai-gateway#1530', eras: ['legacy', 'modern'],
   what: 'lists the resources of the server with their URIs as they are, and refuses resources/read of each of them with 400 and "invalid resource name"',
   clause: '2025-11-25 and 2026-07-28, server/resources, Reading Resources: to retrieve resource contents, clients send a resources/read request, with the uri that resources/list gave',
   rules: [], says: /resources?\b|\buri\b|read|400/i,
   change: {request(call) {
     if (!uses(call, 'resources/read')) return false;
     call.response.writeHead(400, {'content-type': 'text/plain; charset=utf-8'});
     call.response.end(`invalid resource name ${call.message.params?.uri}: invalid resource name: ${call.message.params?.uri}\n`);
     return true;
   }}},
  // https://github.com/BerriAI/litellm/issues/22073
  {name: 'streams-at-their-end', from: 'BerriAI/litellm#22073', eras: ['legacy', 'modern'],
   what: 'keeps each event stream of the server back until it ends, and hands it on in one piece, with Content-Length',
   clause: '2025-11-25, basic/transports, Sending Messages: the server initiates an SSE stream and MAY send requests and notifications before the response; 2026-07-28, basic/transports/streamable-http: X-Accel-Buffering: no keeps proxies from buffering events; basic/utilities/progress: progress notifications come while the request is processed',
   rules: [], says: /stream|buffer|progress|late|held|wait|delay|elicit|listen|subscri|notif/i,
   change: {back(answer, call) {
     if (!isStream(answer)) return false;
     const chunks = [];
     answer.on('data', chunk => chunks.push(chunk));
     answer.on('end', () => {
       const body = Buffer.concat(chunks);
       call.response.writeHead(answer.statusCode, {...own(answer.headers), 'content-length': String(body.length)});
       call.response.end(body);
     });
     answer.on('error', () => call.lost());
     return true;
   }}},
  // https://github.com/wso2/api-manager/issues/5120
  {name: 'tools-of-three-fields', from: 'wso2/api-manager#5120', eras: ['legacy', 'modern'],
   what: 'lists tools with name, description and inputSchema alone: without title, outputSchema, annotations and _meta',
   clause: '2025-11-25 and 2026-07-28, server/tools, Tool, and schema, Tool: outputSchema: JSON Schema defining expected output structure; clients SHOULD validate structured results against it; annotations: readOnlyHint defaults to false, destructiveHint to true',
   rules: [], says: /output ?schema|annotation|title|_meta|readOnly|metadata/i,
   change: tools(({name, description, inputSchema}) => ({name, ...description !== undefined && {description}, inputSchema}))},
  // https://github.com/stacklok/toolhive/issues/1535
  {name: 'long-lines-are-cut', from: 'stacklok/toolhive#1535', eras: ['legacy', 'modern'],
   what: 'cuts the lines of event streams after 64 KiB, so that the JSON of a long result never ends',
   clause: '2025-11-25, basic/transports, and 2026-07-28, basic/transports/streamable-http: the stream has JSON-RPC messages; WHATWG HTML, 9.2.6: the data of an event is all of its data lines, of any length',
   rules: [], says: /cut|trunc|long|large|big|size|JSON|64|answer|response|result/i,
   change: {back(answer, call) {
     if (!isStream(answer)) return false;
     call.response.writeHead(answer.statusCode, own(answer.headers));
     call.response.flushHeaders();
     let rest = '';
     answer.setEncoding('utf8').on('data', text => {
       const lines = (rest + text).split('\n');
       rest = lines.pop();
       for (const line of lines) call.response.write(`${line.slice(0, 65536)}\n`);
     });
     answer.on('end', () => call.response.end(rest));
     answer.on('error', () => call.cut());
     return true;
   }}},
  // https://github.com/stacklok/toolhive/issues/1568
  {name: 'the-first-message-is-the-answer', from: 'stacklok/toolhive#1568', eras: ['legacy'],
   what: 'answers a request with the first message that the server says, as JSON, whatever it is: a notification of progress, or a question; the answer itself never comes',
   clause: '2025-11-25, basic/transports, Sending Messages: application/json is one JSON object, the response; SSE: the stream SHOULD eventually include a response; basic, Responses: they MUST include the same ID as the request they correspond to',
   rules: [], says: /\bids?\b|answer|response|progress|notif|elicit|question|stream/i,
   change: {back(answer, call) {
     if (!isStream(answer) || !isRequest(call.message)) return false;
     let text = '';
     let done = false;
     answer.setEncoding('utf8').on('data', piece => {
       text += piece;
       for (const block of text.replaceAll('\r\n', '\n').split('\n\n').slice(0, -1)) {
         const data = block.split('\n').filter(line => line.startsWith('data:')).map(line => line.slice(5)).join('\n');
         if (done || !data.trim()) continue;
         done = true;
         const session = answer.headers['mcp-session-id'];
         call.response.writeHead(200, {...json, ...session && {'mcp-session-id': session}});
         call.response.end(data.trim());
         call.upstream.destroy();
       }
     });
     answer.on('end', () => { if (!done) call.lost(); });
     answer.on('error', () => { if (!done) call.lost(); });
     return true;
   }}},
  // https://github.com/BerriAI/litellm/issues/32226
  {name: 'bodies-of-4096-bytes', from: 'BerriAI/litellm#32226', eras: ['legacy', 'modern'],
   what: 'reads the first 4096 bytes of a request alone, and answers each that is longer with 500',
   clause: '2025-11-25, basic/transports, and 2026-07-28, basic/transports/streamable-http, Sending Messages: the body of the POST is a JSON-RPC request, which is answered by application/json or text/event-stream; RFC 9112, 6: Content-Length says where a body ends',
   rules: [], says: /500|long|large|big|size|bytes|body|argument|4096|cut|trunc/i,
   change: {request: call => call.method === 'POST' && call.body.length > 4096 && end(call, 500, {error: 'Internal Server Error'})}},
  // https://github.com/wso2/api-platform/issues/2534
  {name: 'mcp-after-each-address', from: 'wso2/api-platform#2534', eras: ['legacy', 'modern'],
   what: 'appends /mcp to the address of its server, whatever it is, so that it asks for /mcp/mcp and hands 404 on',
   clause: '2025-11-25, basic/transports, Streamable HTTP, and 2026-07-28, basic/transports/streamable-http: the server MUST provide a single HTTP endpoint path (the MCP endpoint), to which each message goes',
   rules: [], says: /404|path|endpoint|address|initialize|discover|reach|answer/i,
   change: {path: to => `${to.pathname.replace(/\/$/, '')}/mcp`}},
  // https://github.com/docker/mcp-gateway/pull/278
  {name: 'prefixed-names-sent-on', from: 'docker/mcp-gateway#278', eras: ['legacy', 'modern'],
   what: 'lists the tools of its server with a prefix, and hands calls on with the prefix, so that the server knows none of them',
   clause: '2025-11-25 and 2026-07-28, server/tools, Calling Tools: to invoke a tool, clients send tools/call with its name, that of tools/list; Tool: name: unique identifier for the tool',
   rules: [], says: /tools?\b|name|prefix|unknown|call/i,
   change: (() => {
     const prefix = 'notes__';
     return {
       ...tools(tool => ({...tool, name: `${prefix}${tool.name}`})),
       request: call => uses(call, 'tools/call') && !String(call.message.params?.name).startsWith(prefix) &&
           end(call, 200, {jsonrpc: '2.0', id: call.message.id, error: {code: -32602, message: `unknown tool "${call.message.params?.name}"`}})};
   })()},
  // https://github.com/stacklok/toolhive/issues/5859
  {name: 'embedded-resources-lost', from: 'stacklok/toolhive#5859', eras: ['legacy', 'modern'],
   what: 'hands results of tools/call on without the embedded resources in their content',
   clause: '2025-11-25 and 2026-07-28, server/tools, Tool Result: unstructured content is returned in the content field, and can contain multiple content items of different types; Embedded Resources: resources MAY be embedded',
   rules: [], says: /resource|content|embed/i,
   change: {message(said, call) {
     if (!uses(call, 'tools/call') || !answers(said, call) || !Array.isArray(said.result?.content)) return said;
     return {...said, result: {...said.result, content: said.result.content.filter(({type}) => type !== 'resource')}};
   }}},
  // https://github.com/envoyproxy/ai-gateway/issues/1938
  {name: 'asks-for-codings-it-cannot-read', from: 'envoyproxy/ai-gateway#1938', eras: ['legacy'],
   what: 'asks its server for gzip, br, zstd and deflate, whatever the client accepts, and can read none of them: a compressed tools/list has no tools, and each other compressed answer becomes -32603',
   clause: 'RFC 9110, 12.5.3: Accept-Encoding indicates preferences regarding the use of content codings; an origin server may use any that is acceptable; 2025-11-25, server/tools, Listing Tools: tools/list has the tools of the server',
   rules: [], says: /encoding|compress|gzip|\bbr\b|brotli|tools|32603|pars/i,
   change: {
     request(call) { call.headers['accept-encoding'] = 'gzip, br, zstd, deflate'; return false; },
     back(answer, call) {
       if (!/gzip|br|zstd|deflate/.test(answer.headers['content-encoding'] ?? '') || !isRequest(call.message)) return false;
       answer.on('error', () => {});
       answer.resume();
       const {id} = call.message;
       if (uses(call, 'tools/list')) return end(call, 200, {jsonrpc: '2.0', id, result: {tools: []}});
       return end(call, 200, {jsonrpc: '2.0', id, error: {code: -32603, message: 'invalid character looking for beginning of value'}});
     }}},
  // https://github.com/wso2/api-platform/issues/2751
  {name: 'insufficient-scopes-are-invalid-tokens', from: 'wso2/api-platform#2751', eras: ['legacy', 'modern'],
   what: 'hands 403 on with error="invalid_token" in its challenge, where the server said error="insufficient_scope"',
   clause: '2025-11-25 and 2026-07-28, basic/authorization, Runtime Insufficient Scope Errors: 403 Forbidden with WWW-Authenticate: error="insufficient_scope", scope and resource_metadata; RFC 6750, 3.1: invalid_token is 401',
   rules: [], says: /insufficient|scope|invalid_token|WWW-Authenticate|challenge|403/i,
   change: {head(status, headers) {
     if (status === 403 && headers['www-authenticate']) headers['www-authenticate'] = headers['www-authenticate'].replace(/error="?insufficient_scope"?/, 'error="invalid_token"');
     return status;
   }}},
  // https://github.com/mcp-hangar/mcp-hangar/issues/879
  {name: 'no-prompts-and-no-resources', from: 'mcp-hangar/mcp-hangar#879', eras: ['legacy'],
   what: 'declares prompts and resources as the server does, and answers prompts/list, resources/list and resources/templates/list itself, with nothing in them',
   clause: '2025-11-25, server/prompts, Listing Prompts, and server/resources, Listing Resources: to retrieve available prompts and resources, clients send prompts/list and resources/list; basic/lifecycle, Capability Negotiation: prompts: offers prompt templates; resources: provides readable resources',
   rules: [], says: /prompt|resource|empty|list/i,
   change: {request(call) {
     const name = {'prompts/list': 'prompts', 'resources/list': 'resources', 'resources/templates/list': 'resourceTemplates'}[isRequest(call.message) ? call.message.method : ''];
     return Boolean(name) && end(call, 200, {jsonrpc: '2.0', id: call.message.id, result: {[name]: []}});
   }}},
];
