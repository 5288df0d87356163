// More of clients.mjs: challenges, redirects, streams, names, schemas and questions in forms that are allowed and rare.

const S = '2025-11-25';
const M = '2026-07-28';
const composed = ['allOf', 'anyOf', 'oneOf', 'if'];
const dropped = new Set;
const first = text => text.split(/,\s*(?=[A-Za-z][A-Za-z0-9-]*(?:\s+[A-Za-z_]+\s*=|\s*(?:,|$)))/)[0];
// followed goes where a redirect leads, with all headers.
async function followed(url, init) {
  let answer = await fetch(url, {...init, redirect: 'manual'});
  for (let i = 0; i < 5 && [307, 308].includes(answer.status); ++i) {
    await answer.arrayBuffer();
    url = new URL(answer.headers.get('location'), url).href;
    answer = await fetch(url, {...init, redirect: 'manual'});
  }
  return answer;
}
const asked = {};

export const cases = [
  // https://github.com/Cloudgeni-ai/opengeni/pull/2193, btsouth/toolport#598
  {name: 'first-challenge-alone', from: 'Cloudgeni-ai/opengeni#2193', in: [`${S} http`], what: 'reads the first challenge of WWW-Authenticate and no other',
   rules: ['auth.client-parses-www-authenticate', 'auth.client-prm-header-first'], says: /challenge|WWW-Authenticate/,
   change: {challenged(text, name) { return new RegExp(`${name}="([^"]*)"`).exec(first(text))?.[1]; }}},
  // https://github.com/NousResearch/hermes-agent/pull/10031
  {name: 'token-follows-redirects', from: 'NousResearch/hermes-agent#10031', in: [`${S} http`, `${M} http`], what: 'follows redirects of its server to other origins with its token',
   rules: ['auth.token-kept-from-others', 'auth.oauth21-security-practices'], says: /redirect|origin/, change: {fetch: followed}},
  // https://github.com/modelcontextprotocol/java-sdk/pull/1082
  {name: 'dies-of-retry', from: 'modelcontextprotocol/java-sdk#1082', in: [`${S} http`, `${M} http`], what: 'gives a stream up at a line with retry:',
   rules: ['http.sse-format', 'http.sse-retry-respected', 'http.client-supports-both-response-types'], says: /retry/,
   change: {lines(text) { if (/^retry:/m.test(text)) throw new Error('Invalid SSE response: retry'); return text.replaceAll('\r\n', '\n'); }}},
  // https://github.com/DEEIX-AI/DEEIX-Chat/issues/334
  {name: 'lines-of-64-kb', from: 'DEEIX-AI/DEEIX-Chat#334', in: [`${S} http`, `${M} http`], what: 'gives a stream up at a line longer than 64 KiB',
   rules: ['http.sse-format', 'http.client-supports-both-response-types', 'base.long-lines-read'], says: /KiB|long/,
   change: {lines(text) { if (text.split('\n').some(line => line.length > 65536)) throw new Error('token too long'); return text.replaceAll('\r\n', '\n'); }}},
  // https://github.com/Oaklight/ToolRegistry/issues/25, maximhq/bifrost#1302
  {name: 'names-normalized', from: 'Oaklight/ToolRegistry#25', in: [`${S} http`, `${M} stdio`], what: 'calls tools by names in which - and . have become _',
   rules: ['tools.name-case-sensitive', 'tools.call-arguments-exact', 'tools.call-name-exact'], says: /name/,
   change: {out(message) { if (message.method === 'tools/call') message.params.name = message.params.name.replace(/[^a-zA-Z0-9_]/g, '_'); return message; }}},
  // https://github.com/anthropics/claude-ai-mcp/issues/1027
  {name: 'state-alone-is-a-failure', from: 'anthropics/claude-ai-mcp#1027', in: [`${M} http`, `${M} stdio`], what: 'takes a result that has requestState and no inputRequests for a failure',
   rules: ['mrtr.request-state-echo', 'mrtr.client-handles-supported-methods', 'mrtr.multiple-rounds'], says: /requestState|inputRequests/,
   change: {input(result) { if (!result.inputRequests) throw new Error('Error occurred during tool execution'); }}},
  // https://github.com/modelcontextprotocol/rust-sdk/issues/1251
  {name: 'cancelled-question-ends-a-call', from: 'modelcontextprotocol/rust-sdk#1251', in: [`${S} http`, `${S} stdio`], what: 'gives its own request up when the server cancels a question that has the same id',
   rules: ['jsonrpc.request-id-spaces-per-direction', 'cancellation.own-direction'], says: /cancel/,
   change: {out(message) { if (message.method && 'id' in message) asked.id = message.id; return message; },
            notice({method, params}, client) {
              if (method !== 'notifications/cancelled') return;
              if (client.pending.has(params?.requestId)) return client.pending.get(params.requestId)({id: params.requestId, error: {code: -32800, message: 'cancelled'}});
              if (asked.id === params?.requestId) throw new Error('cancelled');
            }}},
  // https://github.com/metadist/synaplan/pull/1266
  {name: 'last-slash-cut', from: 'metadist/synaplan#1266', in: [`${S} http`, `${M} http`], what: 'cuts the / off the end of the address of its server',
   rules: ['http.address-as-given'], says: /slash|address|\//, change: {url: text => text.replace(/\/$/, '')}},
  // https://github.com/modelcontextprotocol/typescript-sdk/issues/998
  {name: 'initialize-cancelled', from: 'modelcontextprotocol/typescript-sdk#998', in: [`${S} http`, `${S} stdio`], what: 'cancels initialize when that is not answered in time',
   rules: ['cancellation.not-initialize'], says: /initialize/, change: {cancels: () => true}},
  // https://github.com/openai/codex/issues/37228
  {name: 'compressed-unread', from: 'openai/codex#37228', in: [`${S} http`, `${M} http`], what: 'says that it accepts gzip, and reads no answer that has it',
   rules: ['http.compressed-answers-read'], says: /gzip|Content-Encoding|compress/i,
   change: {opened(answer) { if (answer.headers.get('content-encoding')) throw new Error('expected value at line 1 column 1'); }}},
  // https://github.com/anthropics/claude-code/issues/95504
  {name: 'composed-schemas-dropped', from: 'anthropics/claude-code#95504', in: [`${M} http`, `${M} stdio`], what: 'leaves tools off whose inputSchema has allOf, anyOf, oneOf or if at its root',
   rules: ['hostile.odd-schema', 'tools.composed-schemas-taken'], says: /allOf|anyOf|oneOf/,
   change: {listed(tools) {
              const left = tools.filter(({inputSchema}) => !composed.some(word => inputSchema && word in inputSchema));
              for (const {name} of tools) if (!left.some(one => one.name === name)) dropped.add(name);
              return left;
            },
            out(message) { if (message.method === 'tools/call' && dropped.has(message.params.name)) throw new Error('no such tool'); return message; }}},
  // https://github.com/modelcontextprotocol/go-sdk/issues/791
  {name: 'multi-select-refused', from: 'modelcontextprotocol/go-sdk#791', in: [`${S} http`, `${S} stdio`], what: 'refuses forms in which several values may be chosen, by -32602',
   rules: ['elicitation.multi-select-taken', 'elicitation.capability-declared', 'elicitation.result-action', 'jsonrpc.client-answers-each'], says: /array|several|multi/,
   change: {question({method, params}) {
     const several = method === 'elicitation/create' && Object.entries(params?.requestedSchema?.properties ?? {}).find(([, one]) => one?.type === 'array');
     return several ? {error: {code: -32602, message: `elicit schema property "${several[0]}" has unsupported type "array"`}} : undefined;
   }}},
  // https://github.com/Significant-Gravitas/AutoGPT/pull/14302
  {name: 'null-annotation-taken', from: 'Significant-Gravitas/AutoGPT#14302', in: [`${M} http`], what: 'takes x-mcp-header: null for none, and calls the tool',
   rules: ['http.x-mcp-header-invalid-tool-excluded'], says: /null|x-mcp-header/,
   change: {listed(tools) {
     for (const {inputSchema} of tools) for (const one of Object.values(inputSchema?.properties ?? {})) if (one?.['x-mcp-header'] === null) delete one['x-mcp-header'];
     return tools;
   }}},
];
