// More of gateways.mjs, taken as they came by somebody who has not seen the judge.

import {answers, end, isRequest, isStream, json, uses} from './peers/answering.mjs';
import {textOf} from './peers/gateway.mjs';

// tools changes each tool that is listed.
const tools = change => ({message(said, call) {
  if (!uses(call, 'tools/list') || !answers(said, call) || !Array.isArray(said.result?.tools)) return said;
  return {...said, result: {...said.result, tools: said.result.tools.map(change)}};
}});

export const cases = [
  // https://github.com/modelcontextprotocol/rust-sdk/issues/1017
  {name: 'ids-become-texts', from: 'modelcontextprotocol/rust-sdk#1017', eras: ['legacy', 'modern'],
   what: 'answers a request whose id is a number with that number as a text: 1 comes back as "1"',
   clause: '2025-11-25 and 2026-07-28, basic, Responses: result and error responses MUST include the same ID as the request they correspond to; breaks the Rust SDK',
   rules: ['gateway.keeps-ids'], says: /\bids?\b|answer|response/i,
   change: {message: (said, call) => answers(said, call) && typeof said.id === 'number' ? {...said, id: String(said.id)} : said}},
  // https://github.com/stacklok/toolhive/issues/5744
  {name: 'notices-of-the-server-dropped', from: 'stacklok/toolhive#5744', eras: ['legacy'],
   what: 'drops each notification of the server, also those on the stream of a request, as progress, and refuses GET with 405',
   clause: '2025-11-25, basic/utilities/progress: who sends a progressToken gets progress notifications; basic/transports, Sending Messages: the stream of a request MAY have requests and notifications before the response, Listening for Messages: others come on the stream of GET',
   rules: ['gateway.keeps-order', 'gateway.streams', 'gateway.asks-by-elicitation'], says: /notif|progress|updated|\bGET\b|stream|405/i,
   change: {
     request: call => call.method === 'GET' && end(call, 405, undefined, {allow: 'POST, DELETE'}),
     message: said => said?.method && !('id' in said) ? null : said}},
  // https://github.com/supercorp-ai/supergateway/issues/18
  {name: 'what-one-hears-all-hear', from: 'supercorp-ai/supergateway#18', eras: ['legacy'],
   what: 'sends all that the server says to one client, answers too, on the open streams of all other clients as well',
   clause: '2025-11-25, basic/transports, Multiple Connections: the server MUST NOT broadcast the same message across multiple streams; Listening for Messages: it MUST NOT send a JSON-RPC response on the stream of GET unless resuming a stream of a previous request',
   rules: ['gateway.tells-one-client-alone', 'gateway.asks-the-right-client', 'gateway.keeps-clients-apart'], says: /stream|broadcast|(other|another|wrong) (client|session)/i,
   change: (() => {
     const open = new Set;
     return {
       head(status, headers, call) {
         if (call.method === 'GET' && status === 200 && (headers['content-type'] ?? '').startsWith('text/event-stream')) open.add(call);
         return status;
       },
       message(said, call) {
         for (const other of open) {
           if (other.headers['mcp-session-id'] !== call.headers['mcp-session-id'] && !other.response.writableEnded) other.response.write(`event: message\ndata: ${textOf(said)}\n\n`);
         }
         return said;
       },
       left(call) { open.delete(call); }};
   })()},
  // https://github.com/supercorp-ai/supergateway/issues/126
  {name: 'a-second-stream-ends-the-session', from: 'supercorp-ai/supergateway#126', eras: ['legacy'],
   what: 'answers a second GET of a session, while the first is open, with 409, and kills the server of that session for it: the first stream ends, and all that follows is 404',
   clause: '2025-11-25, basic/transports, Multiple Connections: the client MAY remain connected to multiple SSE streams simultaneously; Listening for Messages: GET is answered by a stream or 405',
   rules: ['gateway.survives-second-stream'], says: /stream|\bGET\b|409|session|404|concurrent/i,
   change: (() => {
     const open = new Map;
     const named = call => call.headers['mcp-session-id'];
     return {
       async request(call) {
         if (call.method !== 'GET' || !named(call)) return false;
         if (!open.has(named(call))) { open.set(named(call), call); return false; }
         const headers = Object.fromEntries(['authorization', 'mcp-protocol-version', 'mcp-session-id'].filter(name => call.headers[name] !== undefined).map(name => [name, call.headers[name]]));
         await fetch(call.to, {method: 'DELETE', headers}).then(answer => answer.arrayBuffer()).catch(() => {});
         return end(call, 409, {jsonrpc: '2.0', error: {code: -32000, message: 'Conflict: Only one SSE stream is allowed per session'}, id: null});
       },
       left(call) { if (open.get(named(call)) === call) open.delete(named(call)); }};
   })()},
  // https://github.com/supercorp-ai/supergateway/issues/212
  {name: 'dies-with-a-connection', from: 'supercorp-ai/supergateway#212', eras: ['legacy', 'modern'],
   what: 'ends when a connection to its server breaks: each request that follows finds nobody, also when the server is there again',
   clause: '2025-11-25, basic/transports, Sending Messages: disconnection MAY occur at any time (e.g., due to network conditions); Session Management: a session that is gone is 404, and the client begins anew; 2026-07-28: each request stands alone',
   rules: [], says: /connect|restart|recover|reach|gone|no answer|502|broke|outlive/i,
   change: (() => {
     let dead = false;
     const gone = new WeakSet;
     return {
       request({response}) { if (dead) response.destroy(); return dead; },
       left(call) { gone.add(call); },
       broken(call) {
         if (gone.has(call)) return true;
         dead = true;
         call.response.destroy();
         return true;
       }};
   })()},
  // https://github.com/punkpeye/mcp-proxy/issues/39
  {name: 'unauthorized-without-a-challenge', from: 'punkpeye/mcp-proxy#39', eras: ['legacy', 'modern'],
   what: 'hands a 401 on without its WWW-Authenticate',
   clause: 'RFC 9110, 15.5.2: the server generating a 401 response MUST send a WWW-Authenticate header field; 2025-11-25 basic/authorization and 2026-07-28 basic/authorization/authorization-server-discovery, Protected Resource Metadata Discovery: the challenge has resource_metadata, or else the well-known address is asked, and scope',
   rules: ['gateway.passes-challenges'], says: /WWW-Authenticate|challenge|401|resource_metadata/i,
   change: {head(status, headers) {
     if (status === 401) delete headers['www-authenticate'];
     return status;
   }}},
  // https://github.com/IBM/mcp-context-forge/pull/176
  {name: 'tools-without-annotations', from: 'IBM/mcp-context-forge#176', eras: ['legacy', 'modern'],
   what: 'lists tools without their annotations, so that one that only reads seems to be able to destroy',
   clause: '2025-11-25 and 2026-07-28, server/tools, Tool: annotations: optional properties describing tool behavior; schema, ToolAnnotations: readOnlyHint defaults to false, destructiveHint to true',
   rules: ['gateway.keeps-tool-annotations'], says: /annotation|readOnly|hint/i,
   change: tools(({annotations: _, ...tool}) => tool)},
  // https://github.com/mozilla-ai/mcpd/pull/279
  {name: 'schemas-cut-to-three-words', from: 'mozilla-ai/mcpd#279', eras: ['legacy', 'modern'],
   what: 'hands the schemas of tools on with type, properties and required alone: without additionalProperties, and without the $defs that their $refs point to',
   clause: '2025-11-25 and 2026-07-28, server/tools, Tool: inputSchema: JSON Schema defining expected parameters, recommended for tools with none: {"type": "object", "additionalProperties": false}; JSON Schema 2020-12, 8.2.3.1: $ref is resolved',
   rules: ['gateway.keeps-input-schemas'], says: /schema|additionalProperties|\$defs|\$ref/i,
   change: (() => {
     const three = schema => Object.fromEntries(['type', 'properties', 'required'].filter(name => schema[name] !== undefined).map(name => [name, schema[name]]));
     return tools(tool => ({...tool, inputSchema: three(tool.inputSchema), ...tool.outputSchema && {outputSchema: three(tool.outputSchema)}}));
   })()},
  // https://github.com/T4cceptor/centian/issues/64
  {name: 'clients-can-do-nothing', from: 'T4cceptor/centian#64', eras: ['legacy'],
   what: 'begins with its server as a client without capabilities, whatever its own client has declared, so that no question ever comes',
   clause: '2025-11-25, basic/lifecycle, Capability Negotiation: client and server capabilities establish which protocol features will be available during the session; client/elicitation, Capabilities: clients that support elicitation MUST declare it',
   rules: ['gateway.declares-client-features'], says: /capabilit|elicit|sampling|roots|question|ask/i,
   change: {request(call) {
     if (!uses(call, 'initialize') || !call.message.params?.capabilities) return false;
     call.message = {...call.message, params: {...call.message.params, capabilities: {}}};
     call.body = Buffer.from(textOf(call.message));
     return false;
   }}},
  // https://github.com/metorial/metorial-platform/pull/444
  {name: 'notices-are-no-content', from: 'metorial/metorial-platform#444', eras: ['legacy'],
   what: 'answers notifications, and answers to questions of the server, with 204 where the server said 202',
   clause: '2025-11-25, basic/transports, Sending Messages: if the server accepts a response or notification, it MUST return HTTP status code 202 Accepted with no body; breaks Codex',
   rules: ['gateway.accepts-notifications'], says: /202|204|notif/i,
   change: {head: status => status === 202 ? 204 : status}},
  // https://github.com/luckyPipewrench/pipelock/issues/471
  {name: 'streams-are-no-json', from: 'luckyPipewrench/pipelock#471', eras: ['legacy', 'modern'],
   what: 'takes each answer of the server for one JSON text, and refuses those that come as an event stream with a JSON-RPC error',
   clause: '2025-11-25, basic/transports, and 2026-07-28, basic/transports/streamable-http: a request is answered by text/event-stream or application/json, and the client MUST support both these cases',
   rules: ['gateway.reads-streams'], says: /stream|SSE|error|pars|progress|elicit|listen|subscri/i,
   change: {back(answer, call) {
     if (!isStream(answer) || !isRequest(call.message)) return false;
     answer.on('error', () => {});
     call.upstream.destroy();
     return end(call, 200, {jsonrpc: '2.0', id: call.message.id, error: {code: -32603, message: 'upstream response is not parseable JSON-RPC'}});
   }}},
  // https://github.com/IBM/mcp-context-forge/issues/4042
  {name: 'structure-lost-and-missed', from: 'IBM/mcp-context-forge#4042', eras: ['legacy'],
   what: 'makes each result with structuredContent a failure: it loses structuredContent itself, and then says that the outputSchema wants one',
   clause: '2025-11-25, server/tools, Output Schema: with an output schema servers MUST provide structured results that conform to it; Structured Content: it is returned in the structuredContent field of a result',
   rules: ['gateway.keeps-structured-content', 'gateway.keeps-structure-alone'], says: /structured|output ?schema|isError/i,
   change: {message(said, call) {
     if (!uses(call, 'tools/call') || !answers(said, call) || said.result?.structuredContent === undefined) return said;
     return {...said, result: {content: [{type: 'text', text: 'Output validation error: outputSchema defined but no structured output returned'}], isError: true}};
   }}},
];
