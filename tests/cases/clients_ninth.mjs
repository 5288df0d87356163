// More of clients.mjs: what they read of a stream, in which era they speak, and what they mirror into headers.

const S = '2025-11-25';
const M = '2026-07-28';
const lf = text => text.replaceAll('\r\n', '\n').replace(/\r(?!$)/g, '\n');
// below says whether a property of a property is to be mirrored into a header.
const below = (schema, depth = 0) => Object.values(schema?.properties ?? {}).some(one => depth > 0 && one['x-mcp-header'] !== undefined || below(one, depth + 1));

export const cases = [
  // https://github.com/vercel/ai/issues/16002
  {name: 'events-need-a-name', from: 'vercel/ai#16002', in: [`${S} http`, `${M} http`], what: 'drops events of a stream that have no line with event:',
   rules: ['http.sse-format', 'http.answer-forms-read', 'http.client-supports-both-response-types'], says: /event|name|stream/,
   change: {lines(text) {
     const blocks = lf(text).split('\n\n');
     const rest = blocks.pop();
     return [...blocks.map(block => /^event:/m.test(block) ? block : block.replace(/^data/gm, ':data')), rest].join('\n\n');
   }}},
  // https://github.com/modelcontextprotocol/java-sdk/issues/1136
  {name: 'lines-end-in-the-middle', from: 'modelcontextprotocol/java-sdk#1136', in: [`${S} http`, `${M} http`],
   what: 'takes U+2028, U+2029 and U+0085 within a text for the end of the line of an event, and drops the rest of it',
   rules: ['http.answer-forms-read', 'http.sse-format'], says: /2028|2029|0085|separator|line/i,
   change: {lines: text => lf(text).replace(/[\u0085\u2028\u2029][^\n]*(?=\n)/g, '')},
   right: {lines: text => lf(text).replace(/[\u2028\u2029]/g, letter => `\\u${letter.charCodeAt(0).toString(16)}`)}},
  // https://github.com/anthropics/claude-code/issues/93290
  {name: 'header-of-the-era-before', from: 'anthropics/claude-code#93290', in: [`${M} http`],
   what: 'says 2025-11-25 in MCP-Protocol-Version once the server is discovered, and 2026-07-28 in the body',
   rules: ['http.protocol-version-header-matches-body'], says: /2025-11-25|MCP-Protocol-Version/i,
   change: {headers(all, message, client) { if (client.modern && message?.method !== 'server/discover') all['mcp-protocol-version'] = S; return all; }}},
  // https://github.com/github/copilot-cli/issues/4525, anthropics/claude-code#96183
  {name: 'initializes-what-it-has-discovered', from: 'github/copilot-cli#4525', in: [`${M} stdio`, `${M} http`],
   what: 'sends initialize, of the era before, though server/discover was answered with the revision of now and no other',
   rules: ['versioning.modern-error-no-fallback', 'versioning.era-cached', 'lifecycle.meta-protocol-version-on-requests'], says: /initialize|discover/,
   change: {taken(result, method) { if (method === 'server/discover') throw Object.assign(new Error('the handshake comes next'), {silent: true}); }}},
  // https://github.com/GopherSecurity/gopher-mcp/issues/183
  {name: 'name-and-version-side-by-side', from: 'GopherSecurity/gopher-mcp#183', in: [`${S} http`, `${S} stdio`],
   what: 'names itself by clientName and clientVersion in initialize, without clientInfo and capabilities',
   rules: ['lifecycle.client-sends-initialize', 'lifecycle.implementation-name-and-version', 'schema.messages-validate'], says: /clientInfo|capabilities/,
   change: {out(message) {
     if (message.method !== 'initialize') return message;
     const {protocolVersion, clientInfo} = message.params;
     return {...message, params: {protocolVersion, clientName: clientInfo.name, clientVersion: clientInfo.version}};
   }}},
  // https://github.com/zonlabs/mcp-ts/pull/184
  {name: 'nothing-mirrored', from: 'zonlabs/mcp-ts#184', in: [`${M} http`], what: 'sends no Mcp-Param headers, whatever the schema wants in them',
   rules: ['http.param-header-support', 'http.param-header-included-when-value'], says: /Mcp-Param/i,
   change: {headers: all => Object.fromEntries(Object.entries(all).filter(([name]) => !name.startsWith('mcp-param-')))}},
  // https://github.com/modelcontextprotocol/rust-sdk/pull/1111
  {name: 'mirrors-below-refused', from: 'modelcontextprotocol/rust-sdk#1111', in: [`${M} http`],
   what: 'leaves tools off that want a property of a property in a header',
   rules: ['http.param-header-exact-path', 'http.param-header-support', 'tools.definition-forms-taken', 'http.x-mcp-header-invalid-tool-excluded'], says: /tool|Mcp-Param|x-mcp-header/i,
   change: {lost: new Set,
            listed(tools) { for (const {name, inputSchema} of tools) if (below(inputSchema)) this.lost.add(name); return tools.filter(({name}) => !this.lost.has(name)); },
            out(message) { if (message.method === 'tools/call' && this.lost.has(message.params.name)) throw new Error('no such tool'); return message; }}},
];
