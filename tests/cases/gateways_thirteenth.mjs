// More of gateways.mjs, taken as they came by somebody who has not seen the judge: what goes to the server, what comes back late or not, answers of the gateway's own.

import {end, isRequest, isStream, json} from './peers/answering.mjs';
import {textOf} from './peers/gateway.mjs';

const isNotice = message => Boolean(message && message.method && !('id' in message));
const uses = (call, method) => call.message?.method === method;

// rewritten makes the body of what is sent anew, after its message was changed.
function rewritten(call) {
  call.body = Buffer.from(textOf(call.message));
  return false;
}

// posted sends a message of the gateway's own to the server.
function posted(call, message, names) {
  const headers = {...json, accept: 'application/json, text/event-stream'};
  for (const name of names) if (call.headers[name] !== undefined) headers[name] = call.headers[name];
  return fetch(call.to, {method: 'POST', headers, body: textOf(message)}).then(answer => answer.arrayBuffer()).catch(() => {});
}

// listed keeps what the lists of the server name; `whole` once a list has ended.
function listed(list, key) {
  const known = {names: new Set, whole: false};
  return {known, take(said, call) {
    if (!uses(call, list) || !Array.isArray(said.result?.[key])) return;
    for (const one of said.result[key]) known.names.add(one.uri ?? one.name);
    if (said.result.nextCursor === undefined) known.whole = true;
  }};
}

export const cases = [
  // https://github.com/BerriAI/litellm/issues/34906
  {name: 'resources-of-many-servers', from: 'BerriAI/litellm#34906', eras: ['legacy', 'modern'],
   what: 'lists the resources of its servers, and refuses to read any of them with 400, because it does not look for the server that has it',
   clause: '2025-11-25 and 2026-07-28, server/resources, Reading Resources: a resource that is listed is read by resources/read with its uri',
   rules: ['gateway.passes-resources'], says: /resource/i,
   change: {request: call => uses(call, 'resources/read') && end(call, 400, {detail: 'Multiple MCP servers configured; one of them has to be named to read a resource'})}},
  // https://github.com/stacklok/toolhive/issues/5751
  {name: 'no-such-tool-400', from: 'stacklok/toolhive#5751', eras: ['legacy'],
   what: 'refuses a call of a tool that it does not show with 400 and a text, and no JSON-RPC error',
   clause: '2025-11-25, server/tools, Error Handling: an unknown tool is a protocol error, which is a JSON-RPC error; basic/transports, Sending Messages: a request is answered by JSON or a stream',
   rules: ['gateway.answers-unknown-names'], says: /tool|400/i,
   change: (() => { const {known, take} = listed('tools/list', 'tools'); return {
     request({message, response}) {
       if (message?.method !== 'tools/call' || !known.whole || known.names.has(message.params?.name)) return false;
       response.writeHead(400, {'content-type': 'text/plain; charset=utf-8'});
       response.end('Bad Request: tool is not available\n');
       return true;
     },
     message(said, call) { take(said, call); return said; }}; })()},
  // https://github.com/agentic-community/mcp-gateway-registry/issues/1460
  {name: 'streams-read-to-their-end', from: 'agentic-community/mcp-gateway-registry#1460', eras: ['legacy', 'modern'],
   what: 'reads the stream that answers a POST to its end before it hands any of it on: progress comes when all is over, and a question of the server never comes',
   clause: '2025-11-25, basic/transports, Sending Messages: the server MAY send requests and notifications before the response, and the client answers while the stream is open; basic/utilities/progress: progress is of requests in progress. 2026-07-28, basic/transports/streamable-http, Receiving Messages: the server MAY send notifications before the final response; subscriptions/listen tells of changes as they come',
   rules: ['gateway.streams', 'gateway.passes-listening', 'gateway.asks-by-elicitation'], says: /stream|progress|buffer|late|elicit|listen|acknowledg|notif/i,
   change: {back(answer, call) {
     if (call.method !== 'POST' || !isStream(answer)) return false;
     const chunks = [];
     answer.on('data', chunk => chunks.push(chunk));
     answer.on('error', () => call.cut());
     answer.on('end', () => {
       call.response.writeHead(answer.statusCode, Object.fromEntries(Object.entries(answer.headers).filter(([name]) => !['connection', 'keep-alive', 'transfer-encoding', 'content-length'].includes(name))));
       call.response.end(Buffer.concat(chunks));
     });
     return true;
   }}},
  // https://github.com/mcp-hangar/mcp-hangar/issues/881
  {name: 'never-initialized', from: 'mcp-hangar/mcp-hangar#881', eras: ['legacy'],
   what: 'takes notifications/initialized itself, so that the server never learns that the handshake is over',
   clause: '2025-11-25, basic/lifecycle, Initialization: after successful initialization, the client MUST send an initialized notification',
   rules: ['gateway.passes-notifications'], says: /initialized|handshake/i,
   change: {request: call => uses(call, 'notifications/initialized') && end(call, 202)}},
  // https://github.com/mcp-hangar/mcp-hangar/issues/883
  {name: 'tokens-of-progress-left-out', from: 'mcp-hangar/mcp-hangar#883', eras: ['legacy', 'modern'],
   what: 'sends calls on without the progressToken of their _meta, so that the server has no reason to tell how far it is',
   clause: '2025-11-25, basic/utilities/progress, and 2026-07-28, basic/patterns/progress: who wants progress includes a progressToken in the request metadata; progress is told by that token alone',
   rules: ['gateway.keeps-order', 'gateway.streams'], says: /progress/i,
   change: {request(call) {
     const given = call.message?.params?._meta;
     if (given?.progressToken === undefined) return false;
     delete given.progressToken;
     return rewritten(call);
   }}},
  // https://github.com/Kuadrant/mcp-gateway/issues/1419
  {name: 'pings-without-a-session', from: 'Kuadrant/mcp-gateway#1419', eras: ['legacy'],
   what: 'looks whether its server is there by a ping of its own, with no session, no handshake and no MCP-Protocol-Version',
   clause: '2025-11-25, basic/transports, Session Management: clients MUST include MCP-Session-Id in all of their subsequent requests; Protocol Version Header: the client MUST include MCP-Protocol-Version on all subsequent requests',
   rules: ['gateway.names-its-session'], says: /ping|session|MCP-Protocol-Version|initialize/i,
   change: (() => { let pings = 0; return {request(call) {
     if (!uses(call, 'notifications/initialized')) return false;
     for (const ms of [0, 400, 800]) setTimeout(() => posted(call, {jsonrpc: '2.0', id: `health-${++pings}`, method: 'ping'}, []), ms);
     return false;
   }}; })()},
  // https://github.com/PrefectHQ/fastmcp/issues/3948
  {name: 'capabilities-by-heart', from: 'PrefectHQ/fastmcp#3948', eras: ['legacy'],
   what: 'declares the same capabilities for each server: those it knows, whether the server has them, and none of the others',
   clause: '2025-11-25, basic/lifecycle, Capability Negotiation: capabilities establish which optional features are available in the session: completions, subscribe and listChanged among them',
   rules: ['gateway.keeps-capabilities', 'gateway.keeps-change-notices', 'gateway.keeps-experimental'], says: /capabilit|declare|completions|subscribe|listChanged/i,
   change: {message(said, call) {
     if (!uses(call, 'initialize') || !said.result?.capabilities) return said;
     const capabilities = {experimental: {}, logging: {}, prompts: {listChanged: true}, resources: {subscribe: false, listChanged: true}, tools: {listChanged: true}};
     return {...said, result: {...said.result, capabilities}};
   }}},
  // https://github.com/BerriAI/litellm/issues/34917
  {name: 'peeks-into-letters', from: 'BerriAI/litellm#34917', eras: ['legacy', 'modern'],
   what: 'reads the first 4096 bytes of a body to know where it goes, and answers 500 when they end within a letter of UTF-8',
   clause: '2025-11-25 and 2026-07-28, basic transports: JSON-RPC messages MUST be UTF-8 encoded; a request is answered by its result or a JSON-RPC error',
   rules: ['gateway.keeps-split-text'], says: /UTF-8|letter|character|byte|large|long|big|size|500/i,
   change: {request(call) {
     if (call.body.length <= 4096 || (call.body[4096] & 0xc0) !== 0x80) return false;
     return end(call, 500, {error: 'MCP request failed', details: `'utf-8' codec can't decode byte 0x${call.body[4095].toString(16)} in position 4095: unexpected end of data`});
   }}},
  // https://github.com/supercorp-ai/supergateway/issues/117
  {name: 'agrees-and-refuses', from: 'supercorp-ai/supergateway#117', eras: ['legacy'],
   what: 'hands the revision on that client and server agree on, and then refuses each request that names it with 400, when it is younger than its own SDK',
   clause: '2025-11-25, basic/transports, Protocol Version Header: the client MUST include the version, which SHOULD be the negotiated one; 400 is for versions that are invalid or unsupported',
   rules: ['gateway.reaches-server'], says: /version|2025-11-25|400/i,
   change: {request: call => call.headers['mcp-protocol-version'] === '2025-11-25' &&
     end(call, 400, {jsonrpc: '2.0', error: {code: -32000, message: 'Bad Request: Unsupported protocol version (supported versions: 2025-06-18, 2025-03-26, 2024-11-05, 2024-10-07)'}, id: null})}},
  // https://github.com/apache/rocketmq-dashboard/issues/4638
  {name: 'answers-for-its-client', from: 'apache/rocketmq-dashboard#4638', eras: ['legacy'],
   what: 'answers each request of the server itself with -32601, and its client, who has declared that it can answer, never sees it',
   clause: '2025-11-25, client/elicitation, Capabilities: clients that support elicitation declare it, and servers then ask them; basic/utilities/ping: the receiver MUST respond with an empty result',
   rules: ['gateway.asks-the-right-client', 'gateway.asks-by-elicitation', 'gateway.asks-for-roots', 'gateway.answers-pings'], says: /elicit|ping|roots|sampling|-32601|request of the server|server.{0,20}request|question/i,
   change: {message(said, call) {
     if (!isRequest(said)) return said;
     posted(call, {jsonrpc: '2.0', id: said.id, error: {code: -32601, message: 'method not found'}}, ['mcp-session-id', 'mcp-protocol-version', 'authorization']);
     return null;
   }}},
  // https://github.com/dativo-io/talon/issues/363
  {name: 'notices-answered', from: 'dativo-io/talon#363', eras: ['legacy'],
   what: 'answers each notification with 200 and a JSON-RPC error whose id is null',
   clause: '2025-11-25, basic, Notifications: the receiver MUST NOT send a response; basic/transports, Sending Messages: an accepted notification gets 202 with no body',
   rules: ['gateway.accepts-notifications'], says: /notification|202|notifications\//i,
   change: {back(answer, call) {
     if (!isNotice(call.message)) return false;
     answer.resume();
     return end(call, 200, {jsonrpc: '2.0', id: null, error: {code: -32601, message: `method not supported: ${call.message.method}`}});
   }}},
  // https://github.com/openai/openai-apps-sdk-examples/issues/229
  {name: 'templates-not-known', from: 'openai/openai-apps-sdk-examples#229', eras: ['legacy'],
   what: 'answers resources/templates/list with an empty list, and refuses to read what it has not seen in resources/list with -32002, without asking the server',
   clause: '2025-11-25, server/resources, Resource Templates: servers expose parameterized resources by URI templates, and resources/read reads them',
   rules: ['gateway.lists-all-templates', 'gateway.reads-templates'], says: /template/i,
   change: (() => { const {known, take} = listed('resources/list', 'resources'); return {
     request(call) {
       const {message} = call;
       if (!uses(call, 'resources/read') || !isRequest(message) || !known.whole || known.names.has(message.params?.uri)) return false;
       return end(call, 200, {jsonrpc: '2.0', id: message.id, error: {code: -32002, message: 'Unknown resource', data: {uri: message.params?.uri}}});
     },
     message(said, call) {
       take(said, call);
       if (!uses(call, 'resources/templates/list') || !said.result?.resourceTemplates) return said;
       const {nextCursor, ...rest} = said.result;
       return {...said, result: {...rest, resourceTemplates: []}};
     }}; })()},
  // https://github.com/Automattic/mcp-wordpress-remote/pull/115
  {name: 'one-revision-upstream', from: 'Automattic/mcp-wordpress-remote#115', eras: ['legacy'],
   what: 'says 2025-06-18 in MCP-Protocol-Version to its server, whatever was agreed on',
   clause: '2025-11-25, basic/transports, Protocol Version Header: the version sent SHOULD be the one negotiated during initialization',
   rules: ['gateway.passes-headers', 'gateway.refuses-unknown-versions'], says: /version|2025-06-18/i,
   change: {request(call) { if (call.headers['mcp-protocol-version']) call.headers['mcp-protocol-version'] = '2025-06-18'; return false; }}},
  // https://github.com/apify/apify-mcp-server/issues/728
  {name: 'failures-become-successes', from: 'apify/apify-mcp-server#728', eras: ['legacy', 'modern'],
   what: 'hands the content of a result on without its isError, so that a tool that failed seems to have done its work',
   clause: '2025-11-25 and 2026-07-28, server/tools, Error Handling: errors of a tool are reported in its result with isError: true',
   rules: ['gateway.keeps-is-error'], says: /isError|failed|failure|success/i,
   change: {message(said, call) {
     if (!uses(call, 'tools/call') || said.result?.isError === undefined) return said;
     const {isError, ...result} = said.result;
     return {...said, result};
   }}},
  // https://github.com/supercorp-ai/supergateway/issues/123
  {name: 'gone-sessions-400', from: 'supercorp-ai/supergateway#123', eras: ['legacy'],
   what: 'answers who names a session that is over, or never was, with 400 and not with 404, so that no client knows to begin anew',
   clause: '2025-11-25, basic/transports, Session Management: after a session is terminated, requests with its id MUST be answered with 404 Not Found; at 404 the client MUST start a new session',
   rules: ['gateway.unknown-session-404', 'gateway.ended-session-404', 'gateway.outlives-servers-session'], says: /404|session/i,
   change: {head: (status, headers, call) => status === 404 && call.headers['mcp-session-id'] ? 400 : undefined}},
  // https://github.com/supercorp-ai/supergateway/pull/198
  {name: 'states-of-another-process', from: 'supercorp-ai/supergateway#198', eras: ['modern'],
   what: 'has a process of the server for each request, so that a call that comes back with the state of its first round meets one that does not know its seal, and gets -32602',
   clause: '2026-07-28, basic/patterns/mrtr: the client retries the original request with inputResponses and the exact requestState, and the server goes on with it',
   rules: ['gateway.passes-input-requests'], says: /requestState|state|input|round|retr/i,
   change: {request(call) {
     const {message} = call;
     if (!isRequest(message) || message.params?.requestState === undefined) return false;
     return end(call, 200, {jsonrpc: '2.0', id: message.id, error: {code: -32602, message: 'Invalid requestState', data: {reason: 'invalid_request_state'}}});
   }}},
];
