// More of clients.mjs, taken as they came by somebody who has not seen the judge. `clause`: what the specification says.

const S = '2025-11-25';
const M = '2026-07-28';
const json = value => `data:application/json,${encodeURIComponent(JSON.stringify(value))}`;

export const cases = [
  // https://github.com/anthropics/claude-ai-mcp/issues/975
  {name: 'sessions-are-never-named', from: 'anthropics/claude-ai-mcp#975', in: [`${S} http`],
   what: 'never sends the Mcp-Session-Id that the server gave it at initialize',
   rules: ['http.session-id-echoed', 'http.session-delete', 'http.header-names-case-insensitive'], clause: '2025-11-25 basic/transports, Session Management: clients MUST include it in the MCP-Session-Id header on all of their subsequent HTTP requests',
   says: /session/i,
   change: {headers(all) { const {'mcp-session-id': session, ...rest} = all; return rest; }}},
  // https://github.com/tetsuo-ai/agenc-core/issues/2099
  {name: 'first-pages-of-tools-and-prompts', from: 'tetsuo-ai/agenc-core#2099', in: [`${S} stdio`, `${S} http`, `${M} http`],
   what: 'asks for the first page of tools/list and prompts/list alone; of resources/list for all',
   rules: ['pagination.both-flows', 'prompts.client-paginates'], clause: '2025-11-25 and 2026-07-28 server/utilities/pagination, Implementation Guidelines: clients SHOULD treat a missing nextCursor as the end of results, and support both paginated and non-paginated flows',
   says: /page|pagina|cursor/i,
   change: {taken(result, method) { if (['tools/list', 'prompts/list'].includes(method)) delete result.nextCursor; }}},
  // https://github.com/anomalyco/opencode/issues/44790
  {name: 'metadata-of-the-origin-alone', from: 'anomalyco/opencode#44790', in: [`${S} http`, `${M} http`],
   what: 'does not read resource_metadata of a challenge, and looks for metadata at the well-known address of the origin alone',
   rules: ['auth.client-prm-header-first'], clause: '2025-11-25 basic/authorization, Protected Resource Metadata Discovery Requirements: MCP clients MUST support both discovery mechanisms and use the resource metadata URL from the parsed WWW-Authenticate headers when present; else the well-known URIs in the order listed',
   says: /resource_metadata|WWW-Authenticate|metadata|well-known/i,
   change: {wellKnown: (url, name) => name === 'oauth-protected-resource' ? [`${new URL(url).origin}/.well-known/oauth-protected-resource`] : undefined}},
  // https://github.com/google-gemini/gemini-cli/issues/21210
  {name: 'scopes-of-the-authorization-server', from: 'google-gemini/gemini-cli#21210', in: [`${S} http`, `${M} http`],
   what: 'asks for all scopes that the authorization server supports, whatever the challenge and the metadata of the resource say',
   rules: ['auth.scope-selection-order', 'auth.least-privilege-scopes'], clause: '2025-11-25 basic/authorization, Scope Selection Strategy: use the scope parameter from the initial WWW-Authenticate header, if provided; else scopes_supported of the Protected Resource Metadata, or omit scope',
   says: /scope/i,
   change: (() => { let scopes; return {
     endpoints(published) { scopes = published?.scopes_supported; return published; },
     authorize: ({scope, ...rest}) => scopes ? {...rest, scope: scopes.join(' ')} : {...rest, ...scope && {scope}}}; })()},
  // https://github.com/leehack/mcp_dart/issues/171
  {name: 'proceeds-without-a-word-of-pkce', from: 'leehack/mcp_dart#171', in: [`${S} http`, `${M} http`],
   what: 'goes on with authorization servers whose metadata have no code_challenge_methods_supported',
   rules: ['auth.pkce-missing-refused', 'auth.pkce-support-verified'], clause: '2025-11-25 basic/authorization, Authorization Code Protection: if code_challenge_methods_supported is absent, the authorization server does not support PKCE and MCP clients MUST refuse to proceed',
   says: /code_challenge_methods_supported|PKCE|S256/i,
   change: {endpoints: published => published && {code_challenge_methods_supported: ['S256'], ...published}}},
  // https://github.com/google-gemini/gemini-cli/pull/29117
  {name: 'whoever-answered', from: 'google-gemini/gemini-cli#29117', in: [`${M} http`],
   what: 'does not look at iss of an authorization response: neither whether it is there nor whether it is the server that was asked',
   rules: ['auth.iss-mismatch-rejected', 'auth.iss-missing-when-advertised-rejected', 'auth.iss-no-normalization'], clause: '2026-07-28 basic/authorization, Authorization Response Validation (RFC 9207, 2.4): clients compare iss with the recorded issuer, and reject the response when it is another, or is missing though it was advertised',
   says: /\biss\b|issuer/i,
   change: (() => { const get = URLSearchParams.prototype.get; return {
     endpoints(published) {
       URLSearchParams.prototype.get = function(name) { return name === 'iss' ? null : get.call(this, name); };
       const {authorization_response_iss_parameter_supported: _, ...rest} = published ?? {};
       return published && rest;
     }}; })()},
  // https://github.com/mastra-ai/mastra/issues/19189
  {name: 'elicitation-in-name-alone', from: 'mastra-ai/mastra#19189', in: [`${S} stdio`, `${S} http`],
   what: 'declares elicitation, and answers elicitation/create with -32601',
   rules: ['elicitation.multi-select-taken', 'elicitation.capability-declared', 'elicitation.mode-omitted-is-form', 'elicitation.at-least-one-mode', 'elicitation.undeclared-mode-32602'], clause: '2025-11-25 client/elicitation, Capabilities: clients declaring the elicitation capability MUST support at least one mode; basic/lifecycle, Operation: MUST only use capabilities that were successfully negotiated',
   says: /elicit|capabilit|-32601/i,
   change: {question: ({method}) => method === 'elicitation/create' ? {error: {code: -32601, message: 'Method not found'}} : undefined}},
  // https://github.com/can1357/oh-my-pi/issues/10299
  {name: 'resource-of-the-endpoint', from: 'can1357/oh-my-pi#10299', in: [`${S} http`, `${M} http`],
   what: 'takes the resource that stands in the query of authorization_endpoint, if there is one, for the resource it wants a token for, in place of that of the MCP server',
   rules: ['auth.resource-identifies-server'], clause: '2025-11-25 basic/authorization, Resource Parameter Implementation: the resource parameter MUST identify the MCP server that the client intends to use the token with, by its canonical URI',
   says: /resource/i,
   change: (() => {
     let other;
     const with_ = form => other ? {...form, resource: other} : form;
     return {
       endpoints(published) {
         try { other = new URL(published.authorization_endpoint).searchParams.get('resource') ?? undefined; } catch {}
         return published;
       },
       authorize: with_, token: with_, refresh: with_};
   })()},
  // https://github.com/google-gemini/gemini-cli/pull/4981
  {name: 'tokens-for-the-authorization-server', from: 'google-gemini/gemini-cli#4981', in: [`${S} http`, `${M} http`],
   what: 'names the authorization server as the resource when it asks for authorization and for tokens',
   rules: ['auth.resource-identifies-server'], clause: '2025-11-25 basic/authorization, Resource Parameter Implementation: the resource parameter MUST identify the MCP server that the client intends to use the token with',
   says: /resource/i,
   change: (() => {
     let issuer;
     const with_ = form => ({...form, resource: issuer ?? form.resource});
     return {endpoints(published, url, named) { issuer = named; return published; }, authorize: with_, token: with_, refresh: with_};
   })()},
  // https://github.com/anthropics/claude-code/issues/82652
  {name: 'any-type-becomes-text', from: 'anthropics/claude-code#82652', in: [`${S} stdio`, `${S} http`],
   what: 'sends the JSON text of arguments whose schema is {}, where a number or an object was given',
   rules: ['tools.call-arguments-exact'], clause: '2025-11-25 schema, CallToolRequestParams: arguments is an object of values of any type; server/tools, Data Types: inputSchema is the JSON Schema of the parameters: {} allows each type, and the value is the one that was given',
   says: /argument|string|text|type/i,
   change: (() => { const schemas = new Map; return {
     listed(tools) { for (const {name, inputSchema} of tools) schemas.set(name, inputSchema); return tools; },
     out(message) {
       if (message.method !== 'tools/call') return message;
       const of = schemas.get(message.params.name)?.properties ?? {};
       const free = name => of[name] && typeof of[name] === 'object' && !['type', 'anyOf', 'oneOf', 'allOf', '$ref', 'enum', 'const'].some(key => key in of[name]);
       const given = Object.entries(message.params.arguments ?? {}).map(([name, value]) => [name, free(name) && typeof value !== 'string' ? JSON.stringify(value) : value]);
       return {...message, params: {...message.params, arguments: Object.fromEntries(given)}};
     }}; })()},
  // https://github.com/Epistates/turbomcp/issues/25
  {name: 'one-id-for-all', from: 'Epistates/turbomcp#25', in: [`${S} http`],
   what: 'sends each request of a session with the same id',
   rules: ['jsonrpc.request-id-unique-in-session'], clause: '2025-11-25 basic, Requests: the request ID MUST NOT have been previously used by the requestor within the same session',
   says: /\bid\b|unique|twice|again|reuse/i,
   change: {headers(all, message, client) { if (client && message?.id !== undefined && message.method) client.next = message.id; return all; }}},
  // https://github.com/guangxiangdebizi/MySQL_MCP/issues/5
  {name: 'arguments-in-a-text', from: 'guangxiangdebizi/MySQL_MCP#5', in: [`${S} stdio`, `${M} http`],
   what: 'sends the arguments of a call as one JSON text',
   rules: ['schema.messages-validate', 'tools.call-arguments-exact'], clause: '2025-11-25 and 2026-07-28 schema, CallToolRequestParams: arguments is an object',
   says: /argument|object|string/i,
   change: {out: message => message.method === 'tools/call' ? {...message, params: {...message.params, arguments: JSON.stringify(message.params.arguments ?? {})}} : message}},
  // https://github.com/modelcontextprotocol/rust-sdk/issues/1040
  {name: 'falls-back-on-32601-alone', from: 'modelcontextprotocol/rust-sdk#1040', in: [`${M} http`, `${M} stdio`],
   what: 'falls back to initialize when server/discover is refused with -32601, and gives up at each other refusal of servers with sessions, as 400 and -32000',
   rules: ['http.fallback-not-answer-specific', 'stdio.fallback-not-code-specific'], clause: '2026-07-28 basic/versioning and basic/transports/stdio: probe with server/discover and fall back on any error that is not a recognized modern one; the fallback MUST NOT be keyed to one specific error code',
   says: /initialize|fall|legacy|discover|connect/i,
   change: {refused: (status, error) => error?.code === -32601 ? 'initialize' : 'give up'}},
  // https://github.com/punkpeye/mcp-remote/issues/192
  {name: 'the-server-is-its-authorization-server', from: 'punkpeye/mcp-remote#192', in: [`${S} http`, `${M} http`],
   what: 'does not ask for the metadata of the resource, and takes the origin of the MCP server for its authorization server',
   rules: ['auth.client-uses-prm'], clause: '2025-11-25 basic/authorization, Authorization Server Location: MCP clients MUST use OAuth 2.0 Protected Resource Metadata for authorization server discovery',
   says: /metadata|authorization server|authorization_servers|well-known|discover/i,
   change: {wellKnown: (url, name) => name === 'oauth-protected-resource' ? [json({resource: url, authorization_servers: [new URL(url).origin]})] : undefined}},
  // https://github.com/coder/xum/issues/3734
  {name: 'issuers-must-be-the-endpoint', from: 'coder/xum#3734', in: [`${S} http`, `${M} http`],
   what: 'wants the issuer of the authorization server to be the address of the MCP server, and gives up with all others',
   rules: ['auth.as-metadata-issuer-validated'], clause: '2025-11-25 basic/authorization, Authorization Server Metadata Discovery (RFC 8414, 3.3): issuer is compared with the issuer identifier that the metadata was looked for by, the entry of authorization_servers',
   says: /issuer|authoriz|sign|token|401/i,
   change: {endpoints: (published, url) => published?.issuer === url ? published : undefined}},
];
