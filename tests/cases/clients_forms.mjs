// More of clients.mjs: faults that show when a challenge, a token, a stream or a list has another form than the usual.

const S = '2025-11-25';
const M = '2026-07-28';

// The scope that is asked for where nothing says which.
const own = 'openid email profile';
const dangling = (schema, root = schema) => schema !== null && typeof schema === 'object' && Object.entries(schema).some(([name, one]) =>
  name === '$ref' && typeof one === 'string' ? !one.startsWith('#') || one.slice(2).split('/').filter(Boolean).reduce((at, key) => at?.[key], root) === undefined : dangling(one, root));

export const cases = [
  // https://github.com/QwenLM/qwen-code/issues/5343
  {name: 'blanks-in-a-challenge', from: 'QwenLM/qwen-code#5343', in: [`${S} http`], what: 'finds no resource_metadata where blanks stand around its =',
   rules: ['auth.client-parses-www-authenticate', 'auth.client-prm-header-first'], says: /blank|space|resource_metadata|WWW-Authenticate/i,
   change: {challenged: (challenge, name) => new RegExp(`${name}="([^"]*)"`, 'i').exec(challenge)?.[1]}},
  // https://github.com/DenchHQ/DenchClaw/pull/253, transithq/tropel#525
  {name: 'escapes-in-a-challenge', from: 'DenchHQ/DenchClaw#253', in: [`${S} http`], what: 'splits a challenge at a comma within quotes, once a quote was escaped',
   rules: ['auth.client-parses-www-authenticate', 'auth.client-prm-header-first'], says: /escape|quote|resource_metadata|WWW-Authenticate/i,
   change: {challenged(challenge, name) {
     const parts = challenge.replace(/^Bearer\s+/i, '').match(/(?:"[^"]*"|[^,"])+/g) ?? [];
     const one = parts.map(part => part.trim()).find(part => part.toLowerCase().startsWith(`${name}=`));
     return one?.slice(name.length + 1).replace(/^"|"$/g, '');
   }}},
  // https://github.com/openai/codex/issues/46028
  {name: 'first-refresh-token-for-ever', from: 'openai/codex#46028', in: [`${S} http`], what: 'refreshes with the first refresh token again, though it was given another',
   rules: ['auth.refresh-token-kept'], says: /refresh/, change: {kept: (given, had) => had}},
  // https://github.com/dust-tt/dust/pull/22773: what is not in the answer to a refresh
  {name: 'refresh-token-forgotten', from: 'dust-tt/dust#22773', in: [`${S} http`], what: 'forgets its refresh token when the answer to a refresh has none',
   rules: ['auth.refresh-token-kept'], says: /refresh/, change: {kept: given => given}},
  // the same: "Make expires_in and token_type optional"
  {name: 'wants-expires-in', from: 'dust-tt/dust#22773', in: [`${S} http`], what: 'takes no token without expires_in',
   rules: ['auth.token-answer-bare'], says: /expires_in/, change: {granted(answer) { if (typeof answer.expires_in !== 'number') throw new Error('expires_in is missing'); }}},
  // https://github.com/desplega-ai/agent-swarm/issues/368, Cloudgeni-ai/opengeni#303
  {name: 'scheme-of-the-token-type', from: 'desplega-ai/agent-swarm#368', in: [`${S} http`], what: 'writes token_type before the token, letter by letter: bearer, which servers refuse',
   rules: ['auth.bearer-header'], says: /bearer/i, change: {scheme: answer => answer.token_type}},
  // https://github.com/anthropics/claude-code/issues/95270
  {name: 'well-known-without-the-path', from: 'anthropics/claude-code#95270', in: [`${S} http`], what: 'looks for the metadata of an issuer with a path at the root of its host',
   rules: ['auth.as-metadata-order-with-path'], says: /path|well-known/,
   change: {wellKnown: (url, name, pointed) => pointed ? [pointed] : name === 'oauth-authorization-server' ? [`${new URL(url).origin}/.well-known/${name}`] : undefined}},
  // https://github.com/punkpeye/mcp-remote/pull/240
  {name: 'scopes-of-its-own', from: 'punkpeye/mcp-remote#240', in: [`${S} http`], what: 'asks for "openid email profile" where nothing says which scope',
   rules: ['auth.scope-selection-order', 'auth.least-privilege-scopes'], says: /scope/, change: {scopes: (had, now) => now || had || own}},
  // https://github.com/FellouAI/eko/pull/287
  {name: 'letters-cut-in-two', from: 'FellouAI/eko#287', in: [`${S} http`, `${M} http`], what: 'decodes each piece of a stream alone, so that a letter in two pieces is lost',
   rules: ['http.sse-split-letters'], says: /letter|piece|UTF-8|é/, change: {decoded: chunk => new TextDecoder().decode(chunk)}},
  // https://github.com/Epistates/turbomcp/pull/21
  {name: 'waits-for-the-end', from: 'Epistates/turbomcp#21', in: [`${S} http`, `${M} http`], what: 'takes the answer on a stream once the stream ends',
   rules: ['http.sse-answer-at-once', 'http.client-supports-both-response-types'], says: /end|open|stream/, change: {waits: true}},
  // https://github.com/simonx1/ruby-mcp-client/pull/168
  {name: 'retry-unread', from: 'simonx1/ruby-mcp-client#168', in: [`${S} http`], what: 'takes streams up again at once, whatever retry says',
   rules: ['http.sse-retry-respected'], says: /ms, expected/, change: {pause: () => 10}},
  // the same: "Last-Event-ID was attached to every subsequent JSON-RPC POST and never to GET"
  {name: 'last-event-id-with-posts', from: 'simonx1/ruby-mcp-client#168', in: [`${S} http`], what: 'sends Last-Event-ID with POST, and never with GET',
   rules: ['http.resume-with-last-event-id', 'http.resume-always-by-get'], says: /Last-Event-ID/i,
   change: {headers(all, message) { if (message.method !== 'GET') return this.last ? {...all, 'last-event-id': this.last} : all; this.last = all['last-event-id'] ?? this.last; const {'last-event-id': id, ...rest} = all; return rest; }}},
  // https://github.com/anthropics/claude-code/issues/88049, anomalyco/opencode#26594
  {name: 'one-odd-schema-loses-all', from: 'anomalyco/opencode#26594', in: [`${S} http`, `${M} stdio`], what: 'lists no tool at all when a $ref in the schema of one leads nowhere',
   rules: ['hostile.odd-schema'], says: /schema|tool/,
   change: {listed(tools) { const odd = tools.find(tool => dangling(tool.inputSchema) || dangling(tool.outputSchema)); if (odd) throw new Error(`can't resolve a reference of ${odd.name}`); return tools; }}},
  // https://github.com/open-jarvis/OpenJarvis/issues/752
  {name: 'dies-of-a-banner', from: 'open-jarvis/OpenJarvis#752', in: [`${S} stdio`], what: 'gives its server up over a line that is no JSON',
   rules: ['hostile.garbage'], says: /garbage|JSON|line|goes on|ended/, change: {line(text) { JSON.parse(text); }}},
];
