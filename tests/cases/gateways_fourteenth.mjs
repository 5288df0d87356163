// More of gateways.mjs, taken as they came by somebody who has not seen the judge: what is lost on the way, in both directions.

import {end, isRequest} from './peers/answering.mjs';
import {textOf} from './peers/gateway.mjs';

const isNotice = message => Boolean(message && message.method && !('id' in message));
const isAnswer = message => Boolean(message && ('result' in message || 'error' in message));
const uses = (call, ...methods) => methods.includes(call.message?.method);

// rewritten makes the body of what is sent anew, after its message was changed.
function rewritten(call) {
  call.body = Buffer.from(textOf(call.message));
  return false;
}

export const cases = [
  // https://github.com/stacklok/toolhive/issues/2640
  {name: 'results-without-their-metadata', from: 'stacklok/toolhive#2640', eras: ['legacy', 'modern'],
   what: 'hands on what tools, resources and prompts give without the _meta of the result',
   clause: '2025-11-25 and 2026-07-28, basic, General fields, _meta: reserved for clients and servers to attach additional metadata to their interactions; schema, Result: _meta is a member of each result',
   rules: ['gateway.keeps-unknown-members', 'gateway.keeps-result-meta', 'gateway.keeps-failures', 'gateway.keeps-prompt-messages', 'gateway.keeps-contents-meta'], says: /_meta|metadata/i,
   change: {message(said, call) {
     if (!uses(call, 'tools/call', 'resources/read', 'prompts/get') || said.result?._meta === undefined) return said;
     const {_meta, ...result} = said.result;
     return {...said, result};
   }}},
  // https://github.com/mcp-hangar/mcp-hangar/issues/1211
  {name: 'an-era-without-its-headers', from: 'mcp-hangar/mcp-hangar#1211', eras: ['modern'],
   what: 'says the revision in the _meta of what it sends to its server, and sends neither MCP-Protocol-Version nor Mcp-Method, so that each request is refused with -32020',
   clause: '2026-07-28, basic/transports/streamable-http, Protocol Version Header and Standard Request Headers: MCP-Protocol-Version and Mcp-Method are required on all requests',
   rules: ['gateway.passes-headers'], says: /MCP-Protocol-Version|Mcp-Method|header|-32020/i,
   change: {request(call) {
     delete call.headers['mcp-protocol-version'];
     delete call.headers['mcp-method'];
     return false;
   }}},
  // https://github.com/formancehq/fctl/pull/160
  {name: 'cancellations-kept', from: 'formancehq/fctl#160', eras: ['legacy'],
   what: 'writes notifications/cancelled into its log and does not send it on, so that the server works on at what nobody waits for',
   clause: '2025-11-25, basic/utilities/cancellation, Behavior Requirements: receivers of cancellation notifications SHOULD stop processing the cancelled request',
   rules: ['gateway.passes-cancellation'], says: /cancel/i,
   change: {request: call => uses(call, 'notifications/cancelled') && end(call, 202)}},
  // https://github.com/sympozium-ai/sympozium/pull/197
  {name: 'notifications-made-requests', from: 'sympozium-ai/sympozium#197', eras: ['legacy'],
   what: 'gives each notification an id before it sends it on, so that the server gets a request of that name',
   clause: '2025-11-25, basic, Notifications: notifications MUST NOT include an ID',
   rules: ['gateway.passes-notifications'], says: /notification|\bid\b|initialized/i,
   change: (() => { let ids = 0; return {
     request(call) {
       if (!isNotice(call.message)) return false;
       call.notice = true;
       call.message = {...call.message, id: `bridge-${++ids}`};
       return rewritten(call);
     },
     back(answer, call) {
       if (!call.notice) return false;
       answer.resume();
       return end(call, 202);
     }}; })()},
  // https://github.com/mcp-use/mcp-use/pull/2562
  {name: 'tools-without-their-metadata', from: 'mcp-use/mcp-use#2562', eras: ['legacy', 'modern'],
   what: 'lists tools with all that they have but _meta',
   clause: '2025-11-25 and 2026-07-28 schema, Tool: _meta; basic, General fields: reserved for servers to attach additional metadata (as _meta.ui of MCP Apps)',
   rules: ['gateway.keeps-tool-meta'], says: /_meta|metadata/i,
   change: {message: (said, call) => uses(call, 'tools/list') && Array.isArray(said.result?.tools)
     ? {...said, result: {...said.result, tools: said.result.tools.map(({_meta, ...tool}) => tool)}} : said}},
  // https://github.com/abir-taheer/mcp-runner/pull/4
  {name: 'answers-to-whoever-asked-last', from: 'abir-taheer/mcp-runner#4', eras: ['legacy', 'modern'],
   what: 'keeps what is under way by the id of the request alone, so that of two clients that use the same id at the same time the later gets the answer to the earlier, who gets none',
   clause: '2025-11-25 and 2026-07-28, basic, Requests: an id is of one requestor (and session); Responses: each is to the request that it corresponds to',
   rules: ['gateway.keeps-clients-apart', 'gateway.ends-cut-streams'], says: /\bids?\b|another|other|mixed|cross|wrong|concurren|answer/i,
   change: (() => { const pending = new Map; return {
     request(call) {
       if (isRequest(call.message)) pending.set(call.message.id, call);
       return false;
     },
     message(said, call) {
       if (!isAnswer(said) || !isRequest(call.message) || said.id !== call.message.id) return said;
       const last = pending.get(said.id);
       if (last === call) pending.delete(said.id);
       if (!last || last === call || last.response.headersSent) return said;
       pending.delete(said.id);
       last.upstream?.destroy();
       end(last, 200, said);
       return new Promise(() => {});
     },
     broken: call => call.response.headersSent,
     left(call) { if (pending.get(call.message?.id) === call) pending.delete(call.message.id); }}; })()},
  // https://github.com/punkpeye/mcp-proxy/issues/44
  {name: 'challenges-cut-short', from: 'punkpeye/mcp-proxy#44', eras: ['legacy', 'modern'],
   what: 'hands a challenge on with resource_metadata alone, without the scope and error that the server has put there',
   clause: '2025-11-25, basic/authorization, Scope Challenge Handling: error, scope and resource_metadata in WWW-Authenticate; Scope Selection Strategy: clients use scope of the challenge (RFC 6750, 3)',
   rules: ['gateway.passes-challenges'], says: /WWW-Authenticate|challenge|scope|error=/i,
   change: {head(status, headers) {
     const where = /resource_metadata="[^"]*"/.exec(headers['www-authenticate'] ?? '')?.[0];
     if ([401, 403].includes(status) && where) headers['www-authenticate'] = `Bearer ${where}`;
     return undefined;
   }}},
  // https://github.com/IBM/mcp-context-forge/pull/3602
  {name: 'prompts-without-arguments', from: 'IBM/mcp-context-forge#3602', eras: ['legacy', 'modern'],
   what: 'lists each prompt with arguments: [], whatever arguments the server says that it has',
   clause: '2025-11-25 and 2026-07-28, server/prompts, Data Types, Prompt: arguments is the list of arguments for customization; a required one has to be given',
   rules: ['gateway.keeps-prompt-arguments'], says: /argument|prompt/i,
   change: {message: (said, call) => uses(call, 'prompts/list') && Array.isArray(said.result?.prompts)
     ? {...said, result: {...said.result, prompts: said.result.prompts.map(prompt => ({...prompt, arguments: []}))}} : said}},
  // https://github.com/punkpeye/mcp-proxy/issues/3
  {name: 'no-subscriptions-no-templates', from: 'punkpeye/mcp-proxy#3', eras: ['legacy'],
   what: 'declares resources and subscribe as its server does, and answers resources/subscribe, resources/unsubscribe and resources/templates/list with -32601',
   clause: '2025-11-25, server/resources, Capabilities: subscribe: whether the client can subscribe to be notified of changes to individual resources; Resource Templates are asked for by resources/templates/list',
   rules: ['gateway.lists-all-templates', 'gateway.passes-subscriptions'], says: /subscri|template|-32601/i,
   change: {request: call => isRequest(call.message) && uses(call, 'resources/subscribe', 'resources/unsubscribe', 'resources/templates/list') &&
     end(call, 200, {jsonrpc: '2.0', id: call.message.id, error: {code: -32601, message: 'Method not found'}})}},
  // https://github.com/modelcontextprotocol/rust-sdk/pull/1021
  {name: 'numbers-come-back-as-texts', from: 'modelcontextprotocol/rust-sdk#1021', eras: ['legacy', 'modern'],
   what: 'writes the id of an answer as a text when it is a number',
   clause: '2025-11-25 and 2026-07-28, basic, Responses: result responses MUST include the same ID as the request they correspond to; breaks clients on the Rust SDK',
   rules: ['gateway.keeps-ids'], says: /\bids?\b/i,
   change: {message: said => isAnswer(said) && typeof said.id === 'number' ? {...said, id: String(said.id)} : said}},
];
