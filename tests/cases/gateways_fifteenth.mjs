// More of gateways.mjs, taken as they came by somebody who has not seen the judge.

import {end, isStream, json, uses} from './peers/answering.mjs';
import {own, textOf} from './peers/gateway.mjs';

const isResponse = message => Boolean(message && !message.method && 'id' in message);
const answers = (said, call) => said && !said.method && said.id === call.message?.id;

export const cases = [
  // https://github.com/fiberplane/mcp-gateway/pull/29
  {name: 'responses-are-no-requests', from: 'fiberplane/mcp-gateway#29', eras: ['legacy'],
   what: 'takes nothing but requests and notifications: what a client answers to a question of the server is refused with 400, and the server waits for it',
   clause: '2025-11-25, basic/transports, Sending Messages to the Server: the body of the POST is a request, notification or response, and a response that is accepted gets 202; client/elicitation: the client answers elicitation/create',
   rules: ['gateway.asks-by-elicitation', 'gateway.asks-for-roots', 'gateway.passes-refusals', 'gateway.answers-pings'], says: /respon|answer|elicit|ping|roots|sampling|202|400/i,
   change: {request: call => isResponse(call.message) && end(call, 400, {jsonrpc: '2.0', error: {code: -32600, message: 'Invalid JSON-RPC request'}, id: null})}},
  // https://github.com/PrefectHQ/fastmcp/pull/2502
  {name: 'without-icons', from: 'PrefectHQ/fastmcp#2502', eras: ['legacy', 'modern'],
   what: 'lists tools, resources, templates and prompts without their icons',
   clause: '2025-11-25 and 2026-07-28 schema, Icons of Tool, Resource, ResourceTemplate and Prompt: an optional set of sized icons that the client can display',
   rules: ['gateway.keeps-tool-icons', 'gateway.keeps-prompt-definitions', 'gateway.keeps-resource-definitions', 'gateway.keeps-template-definitions'], says: /icon/i,
   change: {message(said, call) {
     if (!uses(call, 'tools/list', 'resources/list', 'resources/templates/list', 'prompts/list') || !answers(said, call) || !said.result) return said;
     const bare = Object.entries(said.result).map(([name, value]) => [name, Array.isArray(value) ? value.map(({icons, ...one}) => one) : value]);
     return {...said, result: Object.fromEntries(bare)};
   }}},
  // https://github.com/IBM/mcp-context-forge/issues/2570
  {name: 'errors-become-nothing', from: 'IBM/mcp-context-forge#2570', eras: ['legacy', 'modern'],
   what: 'answers a call that the server refuses with a JSON-RPC error by a result with an empty content, and no isError',
   clause: '2025-11-25 and 2026-07-28, server/tools, Error Handling: unknown tools and malformed requests are protocol errors, standard JSON-RPC errors; others have isError: true',
   rules: ['gateway.keeps-errors', 'gateway.answers-unknown-names'], says: /error|empty|content/i,
   change: {message(said, call) {
     if (!uses(call, 'tools/call') || !answers(said, call) || !said.error) return said;
     const modern = call.headers['mcp-protocol-version'] === '2026-07-28';
     if (modern && [-32020, -32021, -32022].includes(said.error.code)) return said;
     call.status = 200;
     return {jsonrpc: '2.0', id: said.id, result: {...modern && {resultType: 'complete'}, content: []}};
   }}},
  // https://github.com/IBM/mcp-context-forge/issues/758
  {name: 'methods-to-come', from: 'IBM/mcp-context-forge#758', eras: ['legacy'],
   what: 'answers resources/templates/list and completion/complete itself, with {}',
   clause: '2025-11-25 schema, ListResourceTemplatesResult and CompleteResult: resourceTemplates (an array) and completion are required',
   rules: ['gateway.lists-all-templates', 'gateway.passes-completion'], says: /template|complet/i,
   change: {request: call => uses(call, 'resources/templates/list', 'completion/complete') && end(call, 200, {jsonrpc: '2.0', id: call.message.id, result: {}})}},
  // https://github.com/envoyproxy/ai-gateway/issues/1398
  {name: 'events-end-with-lf-alone', from: 'envoyproxy/ai-gateway#1398', eras: ['legacy', 'modern'],
   what: 'knows the end of an event of the server by LF LF alone, and drops all of a stream whose lines end with CR LF',
   clause: '2025-11-25, basic/transports, and 2026-07-28, basic/transports/streamable-http: text/event-stream (WHATWG HTML, 9.2.5: lines end with CR LF, LF or CR); the stream has the response to the request',
   rules: ['gateway.reads-crlf', 'gateway.reads-every-form'], says: /CR|line|stream|event|SSE|answer/i,
   change: {back(answer, call) {
     if (!isStream(answer)) return false;
     call.response.writeHead(answer.statusCode, own(answer.headers));
     call.response.flushHeaders();
     let rest = '';
     answer.setEncoding('utf8').on('data', text => {
       const blocks = (rest + text).split('\n\n');
       rest = blocks.pop();
       for (const block of blocks) call.response.write(`${block}\n\n`);
     });
     answer.on('end', () => call.response.end());
     answer.on('error', () => call.cut());
     return true;
   }}},
  // https://github.com/anomalyco/opencode/issues/37019
  {name: 'accepts-anything', from: 'anomalyco/opencode#37019', eras: ['legacy', 'modern'],
   what: 'sends all that it hands on with Accept: */*, whatever the client accepts',
   clause: '2025-11-25, basic/transports, Sending Messages to the Server: the client MUST include an Accept header, listing both application/json and text/event-stream; GET: listing text/event-stream (breaks servers on Spring AI)',
   rules: ['gateway.accepts-both-forms'], says: /Accept|event-stream/i,
   change: {request(call) { call.headers.accept = '*/*'; return false; }}},
  // https://github.com/PrefectHQ/fastmcp/issues/2525
  {name: 'results-without-meta', from: 'PrefectHQ/fastmcp#2525', eras: ['legacy'],
   what: 'hands results of tools/call on without their _meta',
   clause: '2025-11-25, basic, _meta, and schema, Result: _meta is for servers to attach additional metadata to their responses',
   rules: ['gateway.keeps-unknown-members', 'gateway.keeps-result-meta', 'gateway.keeps-failures'], says: /_meta|metadata/i,
   change: {message(said, call) {
     if (!uses(call, 'tools/call') || !answers(said, call) || said.result?._meta === undefined) return said;
     const {_meta, ...result} = said.result;
     return {...said, result};
   }}},
  // https://github.com/IBM/mcp-context-forge/issues/2094
  {name: 'requests-without-meta', from: 'IBM/mcp-context-forge#2094', eras: ['legacy'],
   what: 'sends tools/call, resources/read and prompts/get on with what they are about alone, without their _meta',
   clause: '2025-11-25, basic, _meta: clients and servers attach additional metadata to their interactions by it; basic/utilities/progress: the progressToken is in it',
   rules: ['gateway.keeps-unknown-members', 'gateway.keeps-order', 'gateway.streams', 'gateway.keeps-request-meta'], says: /_meta|metadata|progress/i,
   change: {request(call) {
     if (!uses(call, 'tools/call', 'resources/read', 'prompts/get') || call.message.params?._meta === undefined) return false;
     delete call.message.params._meta;
     call.body = Buffer.from(textOf(call.message));
     return false;
   }}},
  // https://github.com/sparfenyuk/mcp-proxy/issues/214
  {name: 'version-of-its-sdk', from: 'sparfenyuk/mcp-proxy#214', eras: ['legacy'],
   what: 'gives serverInfo the name of the server, and for its version that of the SDK of the gateway',
   clause: '2025-11-25, basic/lifecycle, Initialization: the server MUST respond with its own capabilities and information; schema, Implementation: name and version are of one implementation',
   rules: ['gateway.names-one-implementation'], says: /serverInfo|version/i,
   change: {message: (said, call) => uses(call, 'initialize') && said.result?.serverInfo
     ? {...said, result: {...said.result, serverInfo: {name: said.result.serverInfo.name, version: '1.26.0'}}} : said}},
  // https://github.com/envoyproxy/ai-gateway/issues/2542
  {name: 'one-revision-for-its-clients', from: 'envoyproxy/ai-gateway#2542', eras: ['legacy'],
   what: 'answers each initialize with protocolVersion 2025-06-18, whatever was asked for and whatever the server said',
   clause: '2025-11-25, basic/lifecycle, Version Negotiation: if the server supports the requested protocol version, it MUST respond with the same version',
   rules: ['gateway.passes-headers'], says: /version|2025-06-18/i,
   change: {message: (said, call) => uses(call, 'initialize') && said.result?.protocolVersion
     ? {...said, result: {...said.result, protocolVersion: '2025-06-18'}} : said}},
];
