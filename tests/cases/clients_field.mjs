// More of clients.mjs: faults that show with a server that asks, tells, keeps silent or answers otherwise than most.

const S = '2025-11-25';
const M = '2026-07-28';
const nulls = given => Object.fromEntries(Object.entries(given ?? {}).map(([name, one]) => [name, one === null ? 'null' : one]));

export const cases = [
  // https://github.com/anthropics/claude-code/issues/77314, 0xPlaygrounds/rig#1521
  {name: 'changes-unheard', from: 'anthropics/claude-code#77314', in: [`${S} http`, `${S} stdio`], what: 'does not list its tools again when it is told that they have changed',
   rules: ['tools.list-changed-heard', 'tools.list-changed-notification'], says: /list/,
   change: {}, right: {notice(message, client) { if (message.method === 'notifications/tools/list_changed') return client.try('tools/list', () => client.pages('tools/list', 'tools')); return undefined; }}},
  // https://github.com/simonx1/ruby-mcp-client/pull/159
  {name: 'answers-by-notification', from: 'simonx1/ruby-mcp-client#159', in: [`${S} http`], what: 'answers a form by a notification elicitation/response of its own making',
   rules: ['jsonrpc.client-answers-each', 'elicitation.result-action', 'jsonrpc.request-answered', 'elicitation.capability-declared'], says: /answer|elicitation/,
   change: {question({id, method, params}, client) {
     if (method !== 'elicitation/create') return undefined;
     client.notify('elicitation/response', {elicitationId: id, ...client.fill(params)});
     return 'nothing';
   }}},
  // https://github.com/modelcontextprotocol/typescript-sdk/issues/966
  {name: 'content-null', from: 'modelcontextprotocol/typescript-sdk#966', in: [`${S} http`], what: 'writes content: null where a form was declined',
   rules: ['schema.messages-validate', 'elicitation.result-action', 'elicitation.content-omitted'], says: /content/,
   change: {question({method, params}, client) {
     if (method !== 'elicitation/create' || typeof params?.message !== 'string' || (params.mode ?? 'form') !== 'form' || !params.requestedSchema) return undefined;
     const made = client.fill(params);
     return {result: made.action === 'accept' ? made : {action: made.action, content: null}};
   }}},
  // https://github.com/Gitlawb/zero/pull/942
  {name: 'questions-taken-for-answers', from: 'Gitlawb/zero#942', in: [`${S} http`, `${S} stdio`], what: 'takes a request of its server for the answer when the two have the same id',
   rules: ['jsonrpc.client-answers-each', 'hostile.wrong-answers'], says: /\bid\b/, change: {own: () => true}},
  // https://github.com/kirodotdev/Kiro/issues/9553
  {name: 'gives-up-at-405', from: 'kirodotdev/Kiro#9553', in: [`${S} http`], what: 'gives up when GET is answered with 405, as servers without a stream do',
   rules: ['http.get-405-tolerated', 'base.core-and-lifecycle-supported'], says: /405/,
   change: {standing(answer) { if (!answer.ok) { console.error(`SSE error: status ${answer.status}`); process.exit(1); } }}},
  // https://github.com/anthropics/claude-code/issues/95239
  {name: 'null-as-text', from: 'anthropics/claude-code#95239', in: [`${S} http`, `${M} stdio`], what: 'sends the text "null" for an argument that is null',
   rules: ['tools.call-arguments-exact'], says: /null|argument/,
   change: {out(message) { if (message.method === 'tools/call') message.params.arguments = nulls(message.params.arguments); return message; }}},
  // https://github.com/microsoft/agent-framework/pull/6399
  {name: 'arguments-of-the-framework', from: 'microsoft/agent-framework#6399', in: [`${S} http`, `${M} stdio`], what: 'adds what its framework hands around to the arguments of calls',
   rules: ['tools.call-arguments-exact'], says: /conversation_id|argument/,
   change: {out(message) { if (message.method === 'tools/call') message.params.arguments = {...message.params.arguments, conversation_id: 'c-1'}; return message; }}},
  // https://github.com/anthropics/claude-ai-mcp/issues/430
  {name: 'first-token-for-ever', from: 'anthropics/claude-ai-mcp#430', in: [`${S} http`], what: 'goes on with its first token though it has got another',
   rules: ['auth.refresh-token-kept', 'auth.bearer-header', 'auth.new-token-used'], says: /token/,
   change: {headers(all, message, client) { client.first ??= client.token; return client.first ? {...all, authorization: `Bearer ${client.first}`} : all; }}},
  // https://github.com/modelcontextprotocol/rust-sdk/pull/1149, google-antigravity/antigravity-cli#701
  {name: 'silence-ends-it', from: 'modelcontextprotocol/rust-sdk#1149', in: [`${M} stdio`], what: 'does not fall back to initialize when server/discover is not answered at all',
   rules: ['stdio.fallback-not-code-specific'], says: /initialize|silen|answer/, change: {silence: () => 'give up'}},
  // https://github.com/modelcontextprotocol/typescript-sdk/issues/2783
  {name: 'no-metadata-but-404', from: 'modelcontextprotocol/typescript-sdk#2783', in: [`${S} http`], what: 'gives up when a well-known place answers 401 or 403, and does not try the next',
   rules: ['auth.client-prm-well-known-fallback', 'auth.well-known-past-refusals'], says: /40[13]/,
   change: {missing(answer) { if (answer.status !== 404) throw new Error(`HTTP ${answer.status} trying to load well-known OAuth metadata`); }}},
];
