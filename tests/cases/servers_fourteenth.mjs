// More of servers.mjs, taken as they came by somebody who has not seen the judge. `clause`: what the specification says.

import {say} from './peers/server.mjs';

const wait = ms => new Promise(resolve => setTimeout(resolve, ms));
const readOnlyHint = true;

export const cases = [
  // https://github.com/helidon-io/helidon-mcp/issues/65
  {name: 'errors-to-nobody', from: 'helidon-io/helidon-mcp#65', in: ['legacy stdio', 'legacy http'],
   what: 'answers requests that it refuses by errors whose id is null',
   rules: ['jsonrpc.response-id-matches', 'jsonrpc.request-answered', 'jsonrpc.method-not-found-code', 'jsonrpc.invalid-params-code', 'pagination.invalid-cursor-error', 'tools.unknown-tool-protocol-error', 'resources.not-found-32002', 'prompts.unknown-prompt-error', 'prompts.missing-argument-error', 'completion.invalid-ref-error', 'completion.missing-argument-error', 'logging.invalid-level-error'], clause: '2025-11-25 basic, Error Responses: error responses MUST include the same ID as the request they correspond to (except where it could not be read)',
   says: /\bid\b/i,
   change: (() => { const lost = new WeakSet; return {
     answer(made, {message}) {
       if (!made.error || message?.id === undefined || made.id !== message.id) return made;
       const sent = {...made, id: null};
       lost.add(sent);
       return sent;
     },
     head: (headers, status, message) => message && lost.has(message) ? 200 : undefined}; })()},
  // https://github.com/BaseIntelligence/bounty-challenge/issues/51392
  {name: 'unread-lines-are-number-zero', from: 'BaseIntelligence/bounty-challenge#51392', in: ['legacy stdio', 'modern stdio'],
   what: 'answers a line that is no JSON by -32700 to the id 0, which may be the id of a request',
   rules: ['jsonrpc.error-without-id-when-unreadable'], clause: '2025-11-25 and 2026-07-28 basic, Error Responses: the same ID as the request, except where it could not be read; JSON-RPC 2.0, 5: then it MUST be null (schema: it may be left out)',
   says: /\bid\b/i,
   change: {text: (json, message) => message?.error?.code === -32700 && message.id === null ? JSON.stringify({...message, id: 0}) : json}},
  // https://github.com/modelcontextprotocol/kotlin-sdk/issues/581
  {name: 'metadata-of-null', from: 'modelcontextprotocol/kotlin-sdk#581', in: ['legacy stdio', 'legacy http'],
   what: 'writes _meta: null into each result',
   rules: ['schema.messages-validate'], clause: '2025-11-25 schema, Result: _meta is an object and may be left out; breaks Claude Code',
   says: /_meta|null/i,
   change: {answer: made => made.result ? {...made, result: {...made.result, _meta: null}} : made}},
  // https://github.com/openai/codex/pull/791
  {name: 'messages-without-jsonrpc', from: 'openai/codex#791', in: ['legacy stdio', 'modern stdio'],
   what: 'writes its messages without jsonrpc',
   rules: ['jsonrpc.version-is-2.0', 'jsonrpc.conforms-to-2-0'], clause: '2025-11-25 and 2026-07-28 basic, Messages: all messages MUST follow JSON-RPC 2.0; schema: jsonrpc is "2.0" and required',
   says: /jsonrpc|JSON-RPC/i,
   change: {text(json, message) { const {jsonrpc, ...rest} = message; return JSON.stringify(rest); }}},
  // https://github.com/kaeawc/auto-mobile/pull/6205
  {name: 'progress-of-its-own-naming', from: 'kaeawc/auto-mobile#6205', in: ['legacy stdio', 'legacy http', 'modern http'],
   what: 'tells of progress by a token that it has made up itself of the name of the tool and the time',
   rules: ['progress.only-active-tokens', 'http.sse-messages-relate-to-request', 'http.sse-notifications-relate'], clause: '2025-11-25 basic/utilities/progress and 2026-07-28 basic/patterns/progress: progress notifications MUST only reference tokens that were provided in an active request',
   says: /progress/i,
   change: {tools: [{name: 'read_slowly', description: 'Reads for a second, and tells how far it is', inputSchema: {type: 'object', properties: {}, additionalProperties: false}, annotations: {readOnlyHint},
     async run(_, call) {
       const progressToken = `read_slowly-${Date.now()}`;
       for (let i = 1; i <= 10 && !call.cancelled; ++i) {
         await wait(100);
         if (!call.cancelled) call.tell({jsonrpc: '2.0', method: 'notifications/progress', params: {progressToken, progress: i, total: 10}});
       }
       return say('read');
     }}]}},
  // https://github.com/koala73/worldmonitor/issues/3677
  {name: 'tools-without-a-schema', from: 'koala73/worldmonitor#3677', in: ['legacy http', 'modern http'],
   what: 'lists tools without inputSchema',
   rules: ['tools.input-schema-valid', 'schema.messages-validate', 'tools.definition-required-fields'], clause: '2025-11-25 and 2026-07-28 schema, Tool: inputSchema is required; server/tools, Data Types: it MUST be a valid JSON Schema object (not null)',
   says: /inputSchema/i,
   change: {answer: (made, {message}) => message?.method === 'tools/list' && made.result?.tools
     ? {...made, result: {...made.result, tools: made.result.tools.map(({inputSchema, ...tool}) => tool)}} : made}},
  // https://github.com/GopherSecurity/gopher-mcp/issues/206
  {name: 'contents-counted-not-given', from: 'GopherSecurity/gopher-mcp#206', in: ['legacy stdio', 'legacy http'],
   what: 'answers resources/read with the uri and the number of contents, and without contents',
   rules: ['resources.contents-shape', 'schema.messages-validate'], clause: '2025-11-25 schema, ReadResourceResult: contents is required: an array of text or blob contents, each with its uri',
   says: /contents/i,
   change: {answer: (made, {message}) => message?.method === 'resources/read' && made.result?.contents
     ? {...made, result: {contentCount: made.result.contents.length, uri: message.params.uri}} : made}},
  // https://github.com/DeusData/codebase-memory-mcp/issues/98
  {name: 'lines-that-came-together', from: 'DeusData/codebase-memory-mcp#98', in: ['legacy stdio', 'modern stdio'],
   what: 'waits for more to come, or a minute, before it looks at a request that came in one piece with what was before it',
   rules: ['lifecycle.multiplex-contexts', 'jsonrpc.invalid-request-code'], clause: '2025-11-25 basic/transports, stdio, and 2026-07-28 basic/transports/stdio: messages are delimited by newlines; basic, Requests and Responses: a request is answered; breaks Claude Code',
   says: /answer|respon|together|time|hang|wait|pipelin|concurren|at once|buffer|one (write|chunk|piece)/i,
   change: (() => {
     let first = true;
     let waiting = [];
     const release = () => { const all = waiting; waiting = []; all.forEach(go => go()); };
     return {
       begin() { process.stdin.once('end', release); },
       said(message) {
         if (first) {
           first = false;
           setImmediate(() => first = true);
           release();
           return undefined;
         }
         if (message?.id === undefined) return undefined;
         return new Promise(resolve => { setTimeout(resolve, 60_000).unref(); waiting.push(resolve); });
       }};
   })()},
];
