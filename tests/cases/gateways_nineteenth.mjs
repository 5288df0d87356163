// More of gateways.mjs, taken as they came by somebody who has not seen the judge.

import {answers, end, isRequest, isStream, uses} from './peers/answering.mjs';
import {own, textOf} from './peers/gateway.mjs';

const session = call => call.headers['mcp-session-id'];
const plain = text => text.replaceAll('\r\n', '\n').replace(/\r(?!$)/g, '\n');

export const cases = [
  // https://github.com/envoyproxy/ai-gateway/issues/2219
  {name: 'an-empty-first-event-is-500', from: 'envoyproxy/ai-gateway#2219', eras: ['legacy'],
   what: 'takes the first event of the answer to initialize for the answer, and says 500 when it is another: an empty one that primes the stream, a notification',
   clause: '2025-11-25, basic/transports, Sending Messages: the server SHOULD immediately send an SSE event consisting of an event ID and an empty data field in order to prime the client to reconnect; it MAY send JSON-RPC requests and notifications before the response',
   rules: ['gateway.reads-streamed-opening'], says: /empty|\bprim(e|es|ed|ing)\b|first (event|message)|\b500\b|initiali[sz]e/i,
   change: {back(answer, call) {
     if (!isStream(answer) || !uses(call, 'initialize')) return false;
     let text = '';
     const look = piece => {
       text += piece;
       const [block, rest] = plain(text).split('\n\n');
       if (rest === undefined) return;
       answer.off('data', look);
       answer.pause();
       const data = block.split('\n').filter(line => line.startsWith('data:')).map(line => line.slice(5)).join('\n');
       let said;
       try { said = JSON.parse(data); } catch { /* no message */ }
       if (!answers(said, call)) {
         call.upstream.destroy();
         end(call, 500, {error: 'failed to create MCP session to any backend'});
         return;
       }
       call.response.writeHead(answer.statusCode, own(answer.headers));
       call.response.write(text);
       answer.pipe(call.response);
     };
     answer.setEncoding('utf8').on('data', look);
     answer.on('error', () => call.cut());
     answer.on('end', () => { if (!call.response.headersSent) call.lost(); });
     return true;
   }}},
  // https://github.com/higress-group/higress-console/issues/587
  {name: 'split-events-wait-for-the-end', from: 'higress-group/higress-console#587', eras: ['legacy', 'modern'],
   what: 'holds a stream back until its end from the first event on that comes in more than one piece',
   clause: '2025-11-25, basic/transports, and 2026-07-28, basic/transports/streamable-http, Sending Messages: notifications and requests come on the stream before the response; basic/utilities/progress; RFC 9112, 7.1: what pieces a body comes in means nothing',
   rules: ['gateway.streams'], says: /piece|chunk|split|(kept|keeps?|held|holds?) back|buffer|progress|until (its|the) end/i,
   change: {back(answer, call) {
     if (!isStream(answer)) return false;
     call.response.writeHead(answer.statusCode, own(answer.headers));
     call.response.flushHeaders();
     let kept = [];
     answer.on('data', piece => {
       if (kept.length === 0 && /(\n\n|\r\r|\r\n\r\n)$/.test(piece.toString('latin1'))) call.response.write(piece);
       else kept.push(piece);
     });
     answer.on('end', () => { for (const piece of kept) call.response.write(piece); call.response.end(); });
     answer.on('error', () => call.cut());
     return true;
   }}},
  // https://github.com/agentic-community/mcp-gateway-registry/issues/960
  {name: 'sessions-of-one-replica', from: 'agentic-community/mcp-gateway-registry#960', eras: ['legacy'],
   what: 'is two processes that take turns, of which each knows the sessions alone that began with it: the other one says 404, Session not found',
   clause: '2025-11-25, basic/transports, Session Management: a session ID is assigned at initialization, and clients MUST include it in all of their subsequent HTTP requests; 404 is for sessions that the server has terminated',
   rules: ['gateway.reaches-server'], says: /session|\b404\b/i,
   change: (() => {
     let next = 0;
     const begun = new Map;
     return {
       request(call) {
         call.replica = next++ % 2;
         const known = begun.get(session(call));
         if (known === undefined || known === call.replica) return false;
         return end(call, 404, {jsonrpc: '2.0', id: 'server-error', error: {code: -32600, message: 'Session not found'}});
       },
       head(status, headers, call) {
         if (uses(call, 'initialize') && headers['mcp-session-id']) begun.set(headers['mcp-session-id'], call.replica);
         return status;
       }};
   })()},
  // https://github.com/agentgateway/agentgateway/issues/2933
  {name: 'credentials-are-left-out', from: 'agentgateway/agentgateway#2933', eras: ['legacy', 'modern'],
   what: 'is set up to pass the credentials of its clients on, and sends its server no Authorization',
   clause: '2025-11-25 and 2026-07-28, basic/authorization, Token Requirements: authorization MUST be included in every HTTP request from client to server; RFC 9110, 11.6.2: a proxy forwarding a request MUST NOT modify any Authorization header fields in that request',
   rules: [], says: /Authorization|bearer|credential|access token|\b401\b/i,
   change: {request(call) { delete call.headers.authorization; return false; }}},
  // https://github.com/obot-platform/obot/issues/7918
  {name: 'tools-of-the-day-before', from: 'obot-platform/obot#7918', eras: ['legacy', 'modern'],
   what: 'lists for ever the tools that its server had when it was asked first, also when the server has said that they changed',
   clause: '2025-11-25, server/tools, List Changed Notification: when the list of available tools changes, servers that declared listChanged SHOULD send a notification, upon which clients ask again; 2026-07-28, server/utilities/caching: a result is fresh for ttlMs, and no longer; notifications/tools/list_changed invalidates it',
   rules: ['gateway.lists-again'], says: /list_changed|changed|stale|cach|tools\/list|lists? (of )?tools|listed|new tool|lists? again/i,
   change: (() => {
     const kept = new Map;
     const key = ({headers, message}) => JSON.stringify([headers['mcp-session-id'], headers.authorization, message.params?.cursor]);
     return {
       request(call) {
         if (!uses(call, 'tools/list') || !kept.has(key(call))) return false;
         return end(call, 200, {jsonrpc: '2.0', id: call.message.id, result: kept.get(key(call))});
       },
       message(said, call) {
         if (uses(call, 'tools/list') && answers(said, call) && said.result) kept.set(key(call), said.result);
         return said;
       }};
   })()},
  // https://github.com/wso2/agent-manager/pull/1471
  {name: 'mcp-cut-off-the-address', from: 'wso2/agent-manager#1471', eras: ['legacy', 'modern'],
   what: 'cuts /mcp off the address of its server, and asks at its root, where nothing is: it hands 404 on for everything',
   clause: '2025-11-25, basic/transports, Streamable HTTP, and 2026-07-28, basic/transports/streamable-http: the server MUST provide a single HTTP endpoint path (the MCP endpoint), to which each message goes',
   rules: ['gateway.keeps-server-address'], says: /\b404\b|path|endpoint|address|initiali[sz]e|discover|reach/i,
   change: {path: to => to.pathname.replace(/\/mcp$/, '') || '/'}},
  // https://github.com/stacklok/toolhive/issues/5975
  {name: 'questions-go-to-the-standing-stream', from: 'stacklok/toolhive#5975', eras: ['legacy'],
   what: 'moves the questions that its server puts during a call to the stream of GET; a client that has none open is never asked, and waits for its call in vain',
   clause: '2025-11-25, basic/transports, Sending Messages: the server MAY send requests on the stream of a request, which SHOULD relate to it; Listening for Messages: what is on the stream of GET SHOULD be unrelated to any concurrently-running request; the client MAY open one',
   rules: ['gateway.asks-on-its-stream'], says: /elicit|sampling|roots|question|\basks?\b|standing|\bGET\b/i,
   change: (() => {
     const open = new Map;
     return {
       head(status, headers, call) {
         if (call.method === 'GET' && status === 200 && (headers['content-type'] ?? '').startsWith('text/event-stream')) open.set(session(call), call);
         return status;
       },
       message(said, call) {
         if (call.method !== 'POST' || !isRequest(said)) return said;
         open.get(session(call))?.response.write(`event: message\ndata: ${textOf(said)}\n\n`);
         return null;
       },
       left(call) { if (open.get(session(call)) === call) open.delete(session(call)); }};
   })()},
  // https://github.com/IBM/mcp-context-forge/issues/4307
  {name: 'unknown-methods-are-32000', from: 'IBM/mcp-context-forge#4307', eras: ['legacy', 'modern'],
   what: 'says -32000, Invalid method, with data {}, where its server said -32601',
   clause: 'JSON-RPC 2.0, 5.1: -32601: the method does not exist / is not available; -32000 to -32099 are for implementation-defined server errors (2025-11-25 and 2026-07-28, basic: all messages MUST follow JSON-RPC 2.0)',
   rules: ['gateway.says-unknown-methods'], says: /-32601|-32000|unknown method|method not found|no such method|methods? (that|which)/i,
   change: {message: said => said.error?.code === -32601 ? {...said, error: {code: -32000, message: 'Invalid method', data: {}}} : said}},
  // https://github.com/agentgateway/agentgateway/issues/1346
  {name: 'instructions-of-its-own', from: 'agentgateway/agentgateway#1346', eras: ['legacy'],
   what: 'puts a text of its own in the place of the instructions of its server',
   clause: '2025-11-25, basic/lifecycle, Initialization, and schema, InitializeResult: instructions: describe how to use the server and its features, and can be used by clients to improve the LLM\'s understanding of available tools and resources',
   rules: ['gateway.keeps-instructions'], says: /instructions/i,
   change: {message(said, call) {
     if (!uses(call, 'initialize') || !answers(said, call) || !said.result) return said;
     return {...said, result: {...said.result, instructions: 'This server is a gateway to a set of mcp servers. It is responsible for routing requests to the correct server and aggregating the results.'}};
   }}},
  // https://github.com/mcpmux/mcp-mux/pull/206
  {name: 'results-of-two-fields', from: 'mcpmux/mcp-mux#206', eras: ['legacy', 'modern'],
   what: 'makes the result of each call anew of content and isError: structuredContent and _meta are lost, also where the tool has an outputSchema',
   clause: '2025-11-25 and 2026-07-28, server/tools, Output Schema: with an output schema servers MUST provide structured results that conform to it; basic, _meta: reserved for metadata of results; breaks strict clients (Tool has an output schema but did not return structured content)',
   rules: ['gateway.keeps-values', 'gateway.keeps-unknown-members', 'gateway.keeps-structured-content', 'gateway.keeps-result-meta', 'gateway.keeps-failures', 'gateway.keeps-structure-alone'], says: /structured|output ?schema|_meta/i,
   change: {message(said, call) {
     if (!uses(call, 'tools/call') || !answers(said, call) || !Array.isArray(said.result?.content)) return said;
     const {structuredContent: _, _meta: __, ...rest} = said.result;
     return {...said, result: rest};
   }}},
  // https://github.com/lynnswap/XcodeMCPKit/issues/201
  {name: 'one-request-at-a-time', from: 'lynnswap/XcodeMCPKit#201', eras: ['legacy'],
   what: 'hands a request on when the one before it, of the same session, is answered: a slow call holds up all that follows, ping too',
   clause: '2025-11-25, basic/transports, Multiple Connections, and basic, Requests: IDs tell requests apart that are not yet answered; basic/utilities/ping: the receiver MUST respond promptly; basic/utilities/cancellation: requests are cancelled while they are in progress',
   rules: ['gateway.serves-calls-at-once', 'gateway.serves-many-calls'], says: /\bpings?\b|concurren|parallel|slow|block(s|ed)|while (another|one|a)\b|beside|(held|holds?) (up|back)|one (by one|at a time|after)|at (once|the same time)/i,
   change: (() => {
     const last = new Map;
     return {
       async request(call) {
         const key = session(call);
         if (call.method !== 'POST' || !isRequest(call.message) || key === undefined) return false;
         const before = last.get(key);
         last.set(key, new Promise(resolve => call.response.on('close', resolve)));
         await before;
         return false;
       }};
   })()},
  // https://github.com/anthropics/claude-code/issues/59410
  {name: 'lost-sessions-are-invalid-content', from: 'anthropics/claude-code#59410', eras: ['legacy'],
   what: 'answers 200 and -32600, Invalid content from server, where its server said 404 to a session that it does not know',
   clause: '2025-11-25, basic/transports, Session Management: requests containing a session ID that was terminated MUST be answered with 404; when a client receives 404 in response to a request containing an Mcp-Session-Id, it MUST start a new session',
   rules: ['gateway.unknown-session-404', 'gateway.ended-session-404', 'gateway.outlives-servers-session'], says: /\b404\b|session/i,
   change: {back(answer, call) {
     if (answer.statusCode !== 404 || call.method !== 'POST' || session(call) === undefined || !isRequest(call.message)) return false;
     answer.on('error', () => {});
     answer.resume();
     return end(call, 200, {jsonrpc: '2.0', id: call.message.id, error: {code: -32600, message: 'Anthropic Proxy: Invalid content from server', data: null}});
   }}},
];
