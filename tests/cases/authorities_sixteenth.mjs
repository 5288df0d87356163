// More of authorities.mjs, taken as they came by somebody who has not seen the judge.

export const cases = [
  // https://github.com/spring-attic/spring-authorization-server/pull/1139
  {name: 'refresh-tokens-of-others-are-invalid-clients', from: 'spring-attic/spring-authorization-server#1139',
   what: 'answers a client that sends the refresh token of another with invalid_client, though the client is a right one',
   clause: 'RFC 6749, 5.2: invalid_grant: the refresh token is invalid, or was issued to another client; invalid_client: client authentication failed (2025-11-25 basic/authorization: OAuth 2.1, 3.2.4; clients throw their registration away for it)',
   rules: ['auth.as-refresh-bound-to-client'], says: /invalid_client|invalid_grant|refresh/i,
   change: {http(request, response, url, body, server) {
     if (request.method !== 'POST' || url.pathname !== '/token') return false;
     const form = new URLSearchParams(body);
     const kept = form.get('grant_type') === 'refresh_token' ? server.refreshes.get(form.get('refresh_token')) : undefined;
     if (!kept || !server.clients.has(form.get('client_id')) || kept.client === form.get('client_id')) return false;
     server.json(response, 400, {error: 'invalid_client'});
     return true;
   }}},
  // https://github.com/anthropics/claude-code/issues/17274
  {name: 'no-response-types', from: 'anthropics/claude-code#17274',
   what: 'publishes its metadata without response_types_supported',
   clause: 'RFC 8414, 2: response_types_supported is REQUIRED; breaks Claude Code (expected array, received undefined)',
   rules: ['auth.as-metadata-members'], says: /response_types/i,
   change: {metadata: ({response_types_supported: _, ...all}) => all}},
  // https://github.com/directus/directus/pull/27628
  {name: 'grant-types-must-be-said', from: 'directus/directus#27628',
   what: 'refuses registrations that name no grant_types',
   clause: 'RFC 7591, 2: if grant_types is omitted, the client will use only the authorization_code grant: it is optional',
   rules: ['auth.as-registration-code-alone'], says: /grant_types|regist/i,
   change: {registered: wish => wish?.grant_types === undefined
     ? {status: 400, body: {error: 'invalid_client_metadata', error_description: 'grant_types must be an array'}} : undefined}},
  // https://github.com/modelcontextprotocol/typescript-sdk/issues/715
  {name: 'no-preflight-for-metadata', from: 'modelcontextprotocol/typescript-sdk#715',
   what: 'answers OPTIONS of its metadata with 405, and without CORS headers: browsers that send MCP-Protocol-Version along cannot read it',
   clause: '2025-03-26 basic/authorization, MCP specific headers for discovery: clients SHOULD send MCP-Protocol-Version with metadata discovery, which for a browser has a preflight (Fetch, 4.8); RFC 8414, 3.1: metadata are read by GET; breaks the MCP Inspector and Claude, which send OPTIONS first',
   rules: ['auth.as-cors-throughout'], says: /OPTIONS|CORS|preflight|Access-Control|405/i,
   change: {http(request, response, url) {
     if (request.method !== 'OPTIONS' || !url.pathname.startsWith('/.well-known/')) return false;
     response.writeHead(405, {allow: 'GET', 'content-type': 'application/json'});
     response.end('{"error":"method_not_allowed"}');
     return true;
   }}},
  // https://github.com/open-metadata/OpenMetadata/issues/30673
  {name: 'answers-without-iss', from: 'open-metadata/OpenMetadata#30673',
   what: 'sends no iss in authorization responses, and does not say that it does',
   clause: '2026-07-28 basic/authorization, Authorization Response Validation: MCP authorization servers SHOULD include the iss parameter in authorization responses, including error responses (RFC 9207, 2), and advertise it by authorization_response_iss_parameter_supported',
   rules: ['auth.as-sends-iss'], says: /\biss\b|issuer|authorization_response_iss/i,
   change: {
     metadata: ({authorization_response_iss_parameter_supported: _, ...all}) => all,
     location(url) { url.searchParams.delete('iss'); return url.href; }}},
  // https://github.com/redhat-data-and-ai/template-agent/issues/265
  {name: 'tokens-within-authed-user', from: 'redhat-data-and-ai/template-agent#265',
   what: 'answers with access_token, scope and the rest within authed_user, and {"ok": true} beside it',
   clause: 'RFC 6749, 5.1: the parameters are serialized into a JSON structure by adding each at the highest structure level; access_token and token_type are REQUIRED',
   rules: ['auth.short-lived-tokens', 'auth.as-token-answer', 'auth.as-refresh-tokens-given'], says: /access_token|token_type|token/i,
   change: {token: ({status, headers, body}) => ({status, headers, body: {ok: true, authed_user: body}})}},
  // https://github.com/altendky/onshape-mcp/issues/256
  {name: 'redirects-of-any-scheme', from: 'altendky/onshape-mcp#256',
   what: 'registers each redirect URI that can be parsed: javascript:, data:, file: and http: of any host',
   clause: '2025-03-26 basic/authorization, Security Considerations: redirect URIs MUST be either localhost URLs or HTTPS URLs; 2025-11-25, Communication Security: all redirect URIs MUST be either localhost or use HTTPS',
   rules: ['auth.as-registration-redirects'], says: /redirect|https|scheme|javascript/i,
   change: {registered(wish) {
     const all = wish?.redirect_uris;
     return Array.isArray(all) && all.length > 0 && all.every(one => { try { return Boolean(new URL(one)); } catch { return false; } }) ? {taken: true} : undefined;
   }}},
];
