// More of gateways.mjs, from reports that nobody here has seen: what is left out, what is answered by the gateway itself, streams, ids of two clients.

import {textOf} from './peers/gateway.mjs';

const json = {'content-type': 'application/json'};
const isAnswer = message => message && !message.method && 'id' in message;
const isNotice = message => message && message.method && !('id' in message);
const event = message => `event: message\ndata: ${textOf(message)}\n\n`;
const streams = headers => /event-stream/.test(headers['content-type'] ?? '');
const sessionOf = call => call.headers['mcp-session-id'];
const open = call => call && call.response.headersSent && !call.response.writableEnded;

// standing keeps the stream of GET of each session.
function standing() {
  const streams = new Map;
  return {
    get: call => streams.get(sessionOf(call)),
    request(call) { if (call.method === 'GET') streams.set(sessionOf(call), call); return false; },
    left(call) { if (streams.get(sessionOf(call)) === call) streams.delete(sessionOf(call)); }};
}

export const cases = [
  // https://github.com/IBM/mcp-context-forge/issues/3050
  {name: 'titles-left-out', from: 'IBM/mcp-context-forge#3050', eras: ['legacy', 'modern'],
   what: 'lists tools without their title, which its own model of a tool does not have',
   clause: '2025-11-25 and 2026-07-28, server/tools, Tool: title is the name that is shown to people, and is what the server says of its tool',
   rules: ['gateway.keeps-tool-titles'], says: /title/i,
   change: {message: said => Array.isArray(said.result?.tools) ? {...said, result: {...said.result, tools: said.result.tools.map(({title, ...rest}) => rest)}} : said}},
  // https://github.com/BerriAI/litellm/issues/32330
  {name: 'blobs-as-text', from: 'BerriAI/litellm#32330', eras: ['legacy', 'modern'],
   what: 'hands on a binary resource with its base64 in text, and without blob',
   clause: '2025-11-25 and 2026-07-28, server/resources, Binary Content: binary data is base64 in blob; text is text',
   rules: ['gateway.keeps-resource-blobs'], says: /blob|binary|base64/i,
   change: {message: said => Array.isArray(said.result?.contents)
     ? {...said, result: {...said.result, contents: said.result.contents.map(({blob, ...rest}) => blob === undefined ? rest : {...rest, text: blob})}} : said}},
  // https://github.com/lennix1337/Genexus18MCP/issues/44
  {name: 'progress-of-answered-calls', from: 'lennix1337/Genexus18MCP#44', eras: ['legacy'],
   what: 'goes on to tell of the progress of a call that has been answered, on the standing stream and by its token, which no longer stands for anything',
   clause: '2025-11-25, basic/utilities/progress: notifications MUST only reference tokens of requests that are in progress, and MUST stop after completion',
   rules: ['gateway.ends-progress'], says: /progress/i,
   change: (() => { const stands = standing(); return {
     ...stands,
     message(said, call) {
       if (said.method === 'notifications/progress') call.last = said.params;
       if (isAnswer(said) && call.last && said.id === call.message?.id) {
         const {progressToken, progress} = call.last;
         setTimeout(() => {
           const stream = stands.get(call);
           if (open(stream)) stream.response.write(event({jsonrpc: '2.0', method: 'notifications/progress', params: {progressToken, progress: progress + 1, message: 'Build phase: OpeningKB'}}));
         }, 100);
       }
       return said;
     }}; })()},
  // https://github.com/IBM/mcp-context-forge/issues/5254
  {name: 'completions-of-its-own', from: 'IBM/mcp-context-forge#5254', eras: ['legacy', 'modern'],
   what: 'completes by values of its own, the same for everything, and not by those of the server',
   clause: '2025-11-25 and 2026-07-28, server/utilities/completion: values are suggestions for that argument of that prompt or template, which the server that has it knows',
   rules: ['gateway.keeps-completions'], says: /complet|suggest/i,
   change: {message(said, {message}) {
     if (message?.method !== 'completion/complete' || !said.result?.completion) return said;
     const values = message.params?.ref?.type === 'ref/prompt' ? ['Alice', 'Bob', 'Charlie'] : ['1', '2', '3'];
     return {...said, result: {...said.result, completion: {values, total: 3, hasMore: false}}};
   }}},
  // https://github.com/envoyproxy/ai-gateway/issues/2715
  {name: 'answers-to-pings-refused', from: 'envoyproxy/ai-gateway#2715', eras: ['legacy'],
   what: 'hands a ping of the server on with its number for an id, and refuses the answer with 400, because only ids that it has made texts of have a way back',
   clause: '2025-11-25, basic/utilities/ping: either side may ping, and the receiver MUST answer with the same id; basic/transports, Sending Messages: an answer that is accepted gets 202',
   rules: ['gateway.answers-pings'], says: /ping/i,
   change: (() => { const pings = new Set; return {
     message(said) { if (said.method === 'ping' && typeof said.id === 'number') pings.add(said.id); return said; },
     request({message, response}) {
       if (!isAnswer(message) || !pings.has(message.id)) return false;
       response.writeHead(400, {'content-type': 'text/plain'});
       response.end(`invalid response ID type: ${message.id}`);
       return true;
     }}; })()},
  // https://github.com/PrefectHQ/fastmcp/issues/4124
  {name: 'cancellations-swallowed', from: 'PrefectHQ/fastmcp#4124', eras: ['legacy'],
   what: 'takes notifications/cancelled and tells nobody: the server goes on',
   clause: '2025-11-25, basic/utilities/cancellation: who gets one SHOULD stop what was cancelled and free its resources',
   rules: ['gateway.passes-cancellation'], says: /cancel/i,
   change: {request({message, response}) {
     if (message?.method !== 'notifications/cancelled') return false;
     response.writeHead(202);
     response.end();
     return true;
   }}},
  // https://github.com/agentrust-io/cmcp/pull/513
  {name: 'answers-with-the-newest', from: 'agentrust-io/cmcp#513', eras: ['legacy'],
   what: 'answers each initialize with protocolVersion 2026-07-28, the revision that has no initialize, whatever was asked for',
   clause: '2025-11-25, basic/lifecycle, Version Negotiation: a server that supports the version MUST answer with the same, and otherwise with another that it supports',
   rules: ['gateway.offers-a-revision'], says: /version|2026-07-28/i,
   change: (() => { const agreed = new Map; return {
     request(call) {
       const real = agreed.get(sessionOf(call));
       if (real && call.headers['mcp-protocol-version'] === '2026-07-28') call.headers['mcp-protocol-version'] = real;
       return false;
     },
     head(status, headers, call) { call.opened = headers['mcp-session-id']; },
     message(said, call) {
       if (call.message?.method !== 'initialize' || !said.result?.protocolVersion) return said;
       if (call.opened) agreed.set(call.opened, said.result.protocolVersion);
       return {...said, result: {...said.result, protocolVersion: '2026-07-28'}};
     }}; })()},
  // https://github.com/docker/mcp-gateway/issues/79
  {name: 'roots-asked-in-vain', from: 'docker/mcp-gateway#79', eras: ['legacy'],
   what: 'hands no roots/list of the server on to its client, whose capability it did hand on, and does not answer it either',
   clause: '2025-11-25, client/roots, Listing Roots: servers ask by roots/list, and clients that declare roots answer',
   rules: ['gateway.asks-for-roots'], says: /roots/i,
   change: {message: said => said.method === 'roots/list' && 'id' in said ? null : said}},
  // https://github.com/supercorp-ai/supergateway/pull/214
  {name: 'notices-on-the-other-stream', from: 'supercorp-ai/supergateway#214', eras: ['legacy'],
   what: 'sends what the server tells of a call on the standing stream, not on that of the call, and loses it when there is none',
   clause: '2025-11-25, basic/transports: messages on the stream of GET SHOULD be unrelated to any running request; those on the stream of a POST SHOULD relate to it',
   rules: ['gateway.keeps-progress-on-its-stream'], says: /progress|stream|notif|log/i,
   change: (() => { const stands = standing(); return {
     ...stands,
     message(said, call) {
       if (call.method !== 'POST' || !isNotice(said)) return said;
       const stream = stands.get(call);
       if (open(stream)) stream.response.write(event(said));
       return null;
     }}; })()},
  // https://github.com/docker/desktop-linux/issues/302
  {name: 'lists-outlive-their-change', from: 'docker/desktop-linux#302', eras: ['legacy'],
   what: 'hands on that the list of tools has changed, and answers tools/list with the old one for as long as the session lasts',
   clause: '2025-11-25, server/tools, List Changed Notification: it tells that the list is another, which tools/list then gives',
   rules: ['gateway.lists-again'], says: /chang|stale|old|list/i,
   change: (() => { const kept = new Map; const key = call => `${sessionOf(call)} ${call.message.params?.cursor ?? ''}`; return {
     request(call) {
       const found = call.message?.method === 'tools/list' ? kept.get(key(call)) : undefined;
       if (!found) return false;
       call.response.writeHead(200, json);
       call.response.end(textOf({jsonrpc: '2.0', id: call.message.id, result: found}));
       return true;
     },
     message(said, call) { if (isAnswer(said) && said.result && call.message?.method === 'tools/list') kept.set(key(call), said.result); return said; }}; })()},
  // https://github.com/stacklok/toolhive/pull/4336
  {name: 'annotations-of-content-lost', from: 'stacklok/toolhive#4336', eras: ['legacy', 'modern'],
   what: 'hands on the content of results without its annotations: audience, priority and lastModified',
   clause: '2025-11-25 and 2026-07-28, server/tools, Tool Result: all content may have annotations, which tell for whom it is and how much it matters',
   rules: ['gateway.keeps-content-annotations'], says: /annotation|audience|priority|lastModified/i,
   change: {message: said => Array.isArray(said.result?.content) ? {...said, result: {...said.result, content: said.result.content.map(({annotations, ...rest}) => rest)}} : said}},
  // https://github.com/Stek0v/Levara/pull/97
  {name: 'breaks-told-to-nobody', from: 'Stek0v/Levara#97', eras: ['legacy', 'modern'],
   what: 'answers with an error whose id is null when the server breaks, so that its client cannot know of which call, and waits',
   clause: '2025-11-25 and 2026-07-28, basic, Responses: an error MUST have the id of its request, but where that could not be read',
   rules: ['gateway.answers-by-id'], says: /\bid\b|null|answer|wait/i,
   change: {head(status, headers, call) { call.streams = streams(headers); }, broken({message, response, streams: stream}) {
     if (!message?.method || !('id' in message) || response.writableEnded || response.destroyed || response.headersSent && !stream) return false;
     const error = {jsonrpc: '2.0', id: null, error: {code: -32603, message: 'forward to the backend failed: EOF'}};
     if (!response.headersSent) response.writeHead(200, json);
     response.end(stream ? event(error) : textOf(error));
     return true;
   }}},
  // https://github.com/asheshgoplani/agent-deck/issues/324
  {name: 'ids-of-two-clients-collide', from: 'asheshgoplani/agent-deck#324', eras: ['legacy'],
   what: 'keeps whom an answer is for by the id of the request alone: of two clients with the same id the later one gets the first answer, and the other none',
   clause: '2025-11-25, basic, Requests: ids are of one requestor in one session; basic/transports, Sending Messages: the answer goes to the POST that has asked',
   rules: ['gateway.keeps-clients-apart'], says: /\bids?\b|another client|other client|session|never answered|no answer/i,
   change: (() => { const owners = new Map; return {
     request(call) { if (call.message?.method && 'id' in call.message) owners.set(JSON.stringify(call.message.id), call); return false; },
     back(answer, call) { if (!call.response.writableEnded) return false; answer.resume(); return true; },
     head(status, headers, call) { call.streams = streams(headers); },
     message(said, call) {
       if (!isAnswer(said) || said.id !== call.message?.id) return said;
       const key = JSON.stringify(said.id);
       const owner = owners.get(key);
       owners.delete(key);
       if (owner === call) return said;
       if (owner && !owner.response.writableEnded) {
         if (!owner.response.headersSent) owner.response.writeHead(200, json);
         owner.response.end(owner.streams ? event(said) : textOf(said));
       }
       return new Promise(() => {});
     }}; })()},
  // https://github.com/IBM/mcp-context-forge/issues/6642
  {name: 'capabilities-of-the-gateway', from: 'IBM/mcp-context-forge#6642', eras: ['modern'],
   what: 'declares its own capabilities to the server, not those of its client, who is then asked what it has said that it cannot answer',
   clause: '2026-07-28, basic/patterns/mrtr: servers MUST NOT send inputRequests that the client has not declared support for; basic, per-request fields: clientCapabilities are those of the client for this request',
   rules: ['gateway.declares-its-client'], says: /capabilit|elicitation|inputRequests|declare/i,
   change: {request(call) {
     const said = call.message?.params?._meta;
     if (!said?.['io.modelcontextprotocol/clientCapabilities']) return false;
     said['io.modelcontextprotocol/clientCapabilities'] = {elicitation: {form: {}, url: {}}};
     call.body = Buffer.from(textOf(call.message));
     return false;
   }}},
];
