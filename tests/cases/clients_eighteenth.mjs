// More of clients.mjs, taken as they came by somebody who has not seen the judge. `clause`: what the specification says.

const S = '2025-11-25';
const M = '2026-07-28';
const calls = (message, change) => message.method !== 'tools/call' ? message :
    {...message, params: {...message.params, arguments: change(message.params.arguments ?? {}, message.params.name)}};

export const cases = [
  // https://github.com/NousResearch/hermes-agent/issues/114350
  {name: 'header-of-the-newest-revision', from: 'NousResearch/hermes-agent#114350', in: [`${S} http`],
   what: 'sends MCP-Protocol-Version with the newest revision that it knows, 2026-07-28, in each request, also after another one was negotiated',
   rules: [], clause: '2025-11-25 basic/transports, Protocol Version Header: the client MUST include the MCP-Protocol-Version header on all subsequent requests; the protocol version sent by the client SHOULD be the one negotiated during initialization; a server answers an unsupported one with 400',
   says: /MCP-Protocol-Version|protocol.version|revision|negotiat|version header/i,
   change: {headers: all => ({...all, 'mcp-protocol-version': M})}},
  // https://github.com/vercel/ai/issues/6282
  {name: 'pings-are-never-answered', from: 'vercel/ai#6282', in: [`${S} stdio`, `${S} http`],
   what: 'declares no capabilities, and answers no request of the server, ping neither',
   rules: [], clause: '2025-11-25 basic/utilities/ping, Behavior Requirements: the receiver MUST respond promptly with an empty response',
   says: /ping|answer|respon/i,
   change: {
     question: () => 'nothing',
     out: message => message.method === 'initialize' ? {...message, params: {...message.params, capabilities: {}}} : message}},
  // https://github.com/stacklok/toolhive/issues/3078
  {name: 'registers-for-codes-alone', from: 'stacklok/toolhive#3078', in: [`${S} http`, `${M} http`],
   what: 'registers with grant_types of authorization_code alone, and uses refresh tokens all the same',
   rules: ['auth.refresh-grant-metadata'], clause: '2026-07-28 basic/authorization, Refresh Tokens: MCP clients that desire refresh tokens SHOULD include refresh_token in their grant_types client metadata; 2025-11-25 basic/authorization: RFC 7591, 2: grant_types: those that the client can use at the token endpoint; breaks Glean (not allowed to use authorization grant refresh_token)',
   says: /grant_types?|refresh/i,
   change: {registration: all => ({...all, grant_types: ['authorization_code']})}},
  // https://github.com/can1357/oh-my-pi/pull/1061
  {name: 'refreshes-as-nobody', from: 'can1357/oh-my-pi#1061', in: [`${S} http`, `${M} http`],
   what: 'sends no client_id, and no other authentication, when it refreshes, though it is a public client',
   rules: [], clause: 'OAuth 2.1, 3.2.2, and RFC 6749, 3.2.1 and 6: a public client names itself by client_id in requests to the token endpoint; the refresh token is bound to the client it was issued to (2025-11-25 and 2026-07-28 basic/authorization: OAuth 2.1); breaks Linear (401 invalid_client)',
   says: /client_id|client id|refresh|invalid_client/i,
   change: {refresh({client_id: _, ...rest}) { return rest; }}},
  // https://github.com/MCPJam/inspector/pull/232
  {name: 'rejects-in-a-word-of-its-own', from: 'MCPJam/inspector#232', in: [`${S} stdio`, `${S} http`, `${M} http`],
   what: 'answers elicitation with action "reject" when the user declines',
   rules: [], clause: '2025-11-25 and 2026-07-28 client/elicitation, Response Actions, and schema, ElicitResult: action is accept, decline or cancel',
   says: /action|reject|declin/i,
   change: {out(message) {
     const rejected = result => result?.action === 'decline' ? {...result, action: 'reject'} : result;
     if (message.result?.action) return {...message, result: rejected(message.result)};
     const given = message.params?.inputResponses;
     if (!given) return message;
     return {...message, params: {...message.params, inputResponses: Object.fromEntries(Object.entries(given).map(([key, one]) => [key, rejected(one)]))}};
   }}},
  // https://github.com/openclaw/openclaw/pull/96718
  {name: 'null-for-what-was-not-given', from: 'openclaw/openclaw#96718', in: [`${S} stdio`, `${S} http`, `${M} http`],
   what: 'sends null for each optional argument that was not given, whatever its schema says',
   rules: [], clause: '2025-11-25 and 2026-07-28 server/tools, Tool: inputSchema: JSON Schema defining expected parameters; JSON Schema 2020-12, Validation, 6.1.1: null is of type null, and of no other; breaks servers that tell null from absent',
   says: /null|argument|schema|optional/i,
   change: (() => {
     const schemas = new Map;
     return {
       listed(all) { for (const {name, inputSchema} of all) schemas.set(name, inputSchema); return all; },
       out: message => calls(message, (given, name) => {
         const absent = Object.keys(schemas.get(name)?.properties ?? {}).filter(key => !(key in given));
         return {...given, ...Object.fromEntries(absent.map(key => [key, null]))};
       })};
   })()},
  // https://github.com/can1357/oh-my-pi/pull/6242
  {name: 'an-argument-of-its-own', from: 'can1357/oh-my-pi#6242', in: [`${S} stdio`, `${S} http`, `${M} http`],
   what: 'sends an argument of its own, i, with each call, which no schema has, also where additionalProperties is false',
   rules: [], clause: '2025-11-25 and 2026-07-28 server/tools, Tool: inputSchema: JSON Schema defining expected parameters; {"type": "object", "additionalProperties": false} accepts only empty objects; breaks strict servers (unrecognized_keys)',
   says: /argument|schema|additional|unknown|unexpected|\bi\b/i,
   change: {out: message => calls(message, given => ({...given, i: 'js prelude'}))}},
  // https://github.com/epam/ai-dial-core/issues/1685
  {name: 'no-openid-below-the-path', from: 'epam/ai-dial-core#1685', in: [`${S} http`, `${M} http`],
   what: 'inserts both well-known names before the path of an issuer, and does not look for path/.well-known/openid-configuration, the third place',
   rules: [], clause: '2025-11-25 basic/authorization and 2026-07-28 basic/authorization/authorization-server-discovery, Authorization Server Metadata Discovery: for issuer URLs with path components clients MUST try: OAuth metadata with path insertion, OpenID Connect Discovery with path insertion, OpenID Connect Discovery with path appending; breaks Keycloak',
   says: /openid|well-known|discover|metadata/i,
   change: {wellKnown(url, name) {
     if (name !== 'oauth-authorization-server') return undefined;
     const {origin, pathname} = new URL(url);
     const path = pathname === '/' ? '' : pathname;
     return ['openid-configuration', 'oauth-authorization-server'].map(one => `${origin}/.well-known/${one}${path}`);
   }}},
  // https://github.com/openclaw/mcporter/issues/196
  {name: 'one-scope-of-its-own', from: 'openclaw/mcporter#196', in: [`${S} http`, `${M} http`],
   what: 'registers with and asks for the scope mcp:tools, whatever the challenge and the metadata of the resource say',
   rules: [], clause: '2025-11-25 basic/authorization, Scope Selection Strategy, and 2026-07-28 basic/authorization: use the scope parameter from the initial WWW-Authenticate header, if provided; else all scopes of scopes_supported of the Protected Resource Metadata; clients MUST treat the scopes provided in the challenge as authoritative',
   says: /scope/i,
   change: {
     registration: all => ({...all, scope: 'mcp:tools'}),
     authorize: asked => ({...asked, scope: 'mcp:tools'})}},
  // https://github.com/modelcontextprotocol/go-sdk/issues/1243
  {name: 'names-as-they-are', from: 'modelcontextprotocol/go-sdk#1243', in: [`${M} http`],
   what: 'writes names and URIs into Mcp-Name as they are, in UTF-8, also those that are no plain ASCII',
   rules: [], clause: '2026-07-28 basic/transports/streamable-http, Standard Request Headers: if the Mcp-Name source value cannot be safely represented as a plain ASCII header value, clients MUST encode it using the Base64 sentinel format',
   says: /Mcp-Name|base64|encod|ASCII|header/i,
   change: {headers(all, {method, params}) {
     const name = {'tools/call': params?.name, 'prompts/get': params?.name, 'resources/read': params?.uri}[method];
     if (typeof name !== 'string') return all;
     return {...all, 'mcp-name': Buffer.from(name.replace(/[\r\n\0]/g, ' '), 'utf8').toString('latin1')};
   }}},
  // https://github.com/anthropics/claude-code/issues/86430
  {name: 'no-token-without-a-refresh-token', from: 'anthropics/claude-code#86430', in: [`${S} http`, `${M} http`],
   what: 'gives a valid access token up when no refresh token came with it',
   rules: ['auth.refresh-not-assumed', 'auth.token-answer-bare'], clause: 'RFC 6749, 5.1: refresh_token: OPTIONAL (2025-11-25 basic/authorization: OAuth 2.1, 3.2.3); 2026-07-28 basic/authorization, Refresh Tokens: clients MUST NOT assume refresh tokens will be issued; the AS retains discretion',
   says: /refresh|token/i,
   change: (() => {
     let had = false;
     return {granted(given) {
       if (!given.refresh_token && !had) throw new Error('OAuth session expired and could not be refreshed');
       had = true;
     }};
   })()},
  // https://github.com/anthropics/claude-code/issues/67258
  {name: 'registers-though-it-is-known', from: 'anthropics/claude-code#67258', in: [`${S} http`, `${M} http`],
   what: 'registers dynamically though it was given a client_id, and gives up when there is no registration_endpoint',
   rules: [], clause: '2025-11-25 basic/authorization, Client Registration Approaches, and 2026-07-28 basic/authorization/client-registration: clients SHOULD use, in this order: pre-registered client information for the server if the client has it available, Client ID Metadata Documents, Dynamic Client Registration',
   says: /regist|client_id|client id/i,
   change: (() => {
     let mine;
     let done = false;
     return {endpoints(published) {
       if (!JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}').client_id || !published) return published;
       if (!published.registration_endpoint) throw new Error('Incompatible auth server: does not support dynamic client registration');
       if (done) return published;
       done = true;
       const before = globalThis.fetch;
       globalThis.fetch = async (url, init) => {
         const text = String(url?.href ?? url);
         if (text.startsWith(`${published.authorization_endpoint}?`)) {
           const there = new URL(text);
           const wish = {client_name: 'case', redirect_uris: [there.searchParams.get('redirect_uri')], grant_types: ['authorization_code', 'refresh_token'],
                         response_types: ['code'], token_endpoint_auth_method: 'none', application_type: 'native'};
           mine ??= await (await before(published.registration_endpoint, {method: 'POST', headers: {'content-type': 'application/json'}, body: JSON.stringify(wish)})).json();
           there.searchParams.set('client_id', mine.client_id);
           return before(there, init);
         }
         if (text !== published.token_endpoint || !mine || !(init?.body instanceof URLSearchParams)) return before(url, init);
         const form = new URLSearchParams(init.body);
         form.set('client_id', mine.client_id);
         form.delete('client_secret');
         if (mine.client_secret) form.set('client_secret', mine.client_secret);
         return before(url, {...init, body: form});
       };
       return published;
     }};
   })()},
  // https://github.com/patvice/ruby_llm-mcp/pull/137
  {name: 'secrets-left-behind', from: 'patvice/ruby_llm-mcp#137', in: [`${S} http`, `${M} http`],
   what: 'does not authenticate at the token endpoint with the client_secret that it was given',
   rules: ['auth.given-secret-shown'], clause: 'RFC 6749, 3.2.1: confidential clients or other clients issued client credentials MUST authenticate with the authorization server when making requests to the token endpoint (2025-11-25 and 2026-07-28 basic/authorization: OAuth 2.1, 2.4); RFC 7591, 2: token_endpoint_auth_method is client_secret_basic if omitted; breaks Canny',
   says: /client_secret|secret|authenticat|auth_method|invalid_client/i,
   change: {
     token({client_secret: _, ...rest}) { return rest; },
     refresh({client_secret: _, ...rest}) { return rest; }}},
];
