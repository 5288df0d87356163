// More of clients.mjs: what they do with types of streams, kinds of content, redirects of metadata and lost connections.

const S = '2025-11-25';
const M = '2026-07-28';
// again sends a call once more when the connection is lost or the server answers 500 or above.
async function again(url, init) {
  const send = () => fetch(url, init);
  if (!/"method":"tools\/call"/.test(init.body ?? '')) return send();
  try {
    const answer = await send();
    if (answer.status < 500) return answer;
    await answer.arrayBuffer();
  } catch (error) {
    if (error.name === 'TimeoutError') throw error;
  }
  return send();
}

export const cases = [
  // https://github.com/mark3labs/mcp-go/pull/925
  {name: 'type-of-the-stream-letter-by-letter', from: 'mark3labs/mcp-go#925', in: [`${S} http`], what: 'takes the answer to GET for a stream when its type is text/event-stream and nothing more',
   rules: ['http.answer-forms-read'], says: /charset/,
   change: {standing(answer) { if (answer.ok && answer.headers.get('content-type') !== 'text/event-stream') throw new Error('unexpected content type'); }}},
  // https://github.com/smithy-lang/smithy-java/issues/1244
  {name: 'types-letter-by-letter', from: 'smithy-lang/smithy-java#1244', in: [`${S} http`, `${M} http`], what: 'takes an answer for a stream when its type is text/event-stream and nothing more',
   rules: ['http.answer-forms-read'], says: /charset/,
   change: {opened(answer) { if (/^text\/event-stream./.test(answer.headers.get('content-type') ?? '')) throw new Error('Unrecognized token'); }}},
  // https://github.com/kirodotdev/Kiro/issues/8960
  {name: 'links-unsupported', from: 'kirodotdev/Kiro#8960', in: [`${S} http`, `${M} stdio`], what: 'fails a call whose result has a resource_link, and gives up',
   rules: ['tools.content-kinds-taken'], says: /resource_link/,
   change: {taken(result) { if (result.content?.some(one => one.type === 'resource_link')) { console.error('Unsupported response item type: resource_link'); process.exit(1); } }}},
  // https://github.com/topcheer/ggcode/issues/38
  {name: 'wedged-by-a-notification', from: 'topcheer/ggcode#38', in: [`${S} http`, `${S} stdio`], what: 'asks nothing more once a notification came while it waited for an answer',
   rules: ['jsonrpc.unknown-notification-ignored', 'jsonrpc.notices-before-answers', 'http.sse-format'], says: /notification/,
   change: {notice(message, client) { client.pending.clear(); client.request = async () => { throw new Error('request timed out'); }; }}},
  // https://github.com/simonx1/ruby-mcp-client/pull/196, zavora-ai/adk-rust#504
  {name: 'calls-again-when-lost', from: 'simonx1/ruby-mcp-client#196', in: [`${S} http`, `${M} http`], what: 'sends a call once more when its connection is lost or the server answers 500 or above',
   rules: ['tools.calls-once'], says: /again/, change: {fetch: again}},
  // https://github.com/github/copilot-cli/issues/4769
  {name: 'redirected-metadata-refused', from: 'github/copilot-cli#4769', in: [`${S} http`], what: 'uses no metadata that a redirect leads to',
   rules: ['auth.client-reads-as-metadata'], says: /redirect/, change: {redirects: 'error'}},
  // https://github.com/openai/codex/issues/38944
  {name: 'endpoints-elsewhere-refused', from: 'openai/codex#38944', in: [`${S} http`], what: 'gives up where an endpoint has another origin than the issuer',
   rules: ['auth.client-reads-as-metadata'], says: /origin|another host/,
   change: {endpoints(authority) {
     const {issuer, authorization_endpoint: one, token_endpoint: two} = authority ?? {};
     if (issuer && [one, two].some(address => new URL(address).origin !== new URL(issuer).origin)) throw new Error('origin mismatch');
     return authority;
   }}},
  // https://github.com/can1357/oh-my-pi/pull/3539
  {name: 'foreign-issuer-taken', from: 'can1357/oh-my-pi#3539', in: [`${S} http`], what: 'uses metadata whose issuer is another than it asked for',
   rules: ['auth.as-metadata-issuer-validated'], says: /issuer/, change: {endpoints: (authority, url, issuer) => authority && {...authority, issuer}}},
  // https://github.com/strands-agents/harness-sdk/pull/3452
  {name: 'addresses-rewritten', from: 'strands-agents/harness-sdk#3452', in: [`${S} http`, `${M} stdio`], what: 'reads resources by an address that it has read into a URL and written out again',
   rules: ['resources.read-uri-as-listed'], says: /uri|address/,
   change: {out(message) { if (message.method === 'resources/read') message.params.uri = new URL(message.params.uri).href; return message; }}},
  // https://github.com/holon-run/uxc/issues/390
  {name: 'never-initialized', from: 'holon-run/uxc#390', in: [`${S} http`, `${S} stdio`], what: 'never sends notifications/initialized',
   rules: ['lifecycle.initialized-notification'], says: /initialized/, change: {tells: method => method !== 'notifications/initialized'}},
  // https://github.com/opensolon/solon-ai/issues/58
  {name: 'additional-properties-as-a-boolean', from: 'opensolon/solon-ai#58', in: [`${S} stdio`, `${M} http`], what: 'lists no tool at all when additionalProperties of one is a schema',
   rules: ['tools.definition-forms-taken'], says: /additionalProperties/,
   change: {listed(tools) {
              if (!tools.some(({inputSchema}) => typeof inputSchema?.additionalProperties === 'object')) return tools;
              this.lost = true;
              throw new Error('Cannot deserialize value of type Boolean');
            },
            out(message) { if (message.method === 'tools/call' && this.lost) throw new Error('no such tool'); return message; }}},
  // https://github.com/danny-avila/LibreChat/issues/9705
  {name: 'refresh-without-a-client', from: 'danny-avila/LibreChat#9705', in: [`${S} http`], what: 'refreshes without client_id in the body, though the server lists no other way',
   rules: ['auth.refresh-names-the-client'], says: /client_id/, change: {refresh: ({client_id: _, ...rest}) => rest}},
  // https://github.com/modelcontextprotocol/python-sdk/issues/3257
  {name: 'stream-again-at-once', from: 'modelcontextprotocol/python-sdk#3257', in: [`${S} http`], what: 'opens its standing stream again at once, and for ever, when the server ends it',
   rules: ['http.sse-retry-respected'], says: /again|pause|at once/, change: {again: true}},
  // https://github.com/vizra-ai/vizra-adk/pull/51
  {name: 'session-forgotten', from: 'vizra-ai/vizra-adk#51', in: [`${S} http`], what: 'names its session in no request',
   rules: ['http.session-id-echoed'], says: /Mcp-Session-Id|session/i,
   change: {headers(all) { delete all['mcp-session-id']; return all; }}},
  // https://github.com/modelcontextprotocol/python-sdk/issues/1144
  {name: 'unreadable-event-ends-all', from: 'modelcontextprotocol/python-sdk#1144', in: [`${S} http`, `${M} http`], what: 'ends when an event of a stream is no JSON',
   rules: ['http.answer-forms-read', 'hostile.garbage'], says: /no JSON/, change: {unreadable() { console.error('Invalid JSON'); process.exit(1); }}},
];
