// More of authorities.mjs, taken as they came by somebody who has not seen the judge.

const asksToken = (request, url) => request.method === 'POST' && url.pathname === '/token';
const missing = (...loc) => ({detail: [{type: 'missing', loc, msg: 'Field required', input: null}]});

export const cases = [
  // https://github.com/jimprosser/obsidian-web-mcp/issues/4
  {name: 'codes-for-any-client', from: 'jimprosser/obsidian-web-mcp#4',
   what: 'exchanges a code for each client that has its code_verifier, also for another than it was issued to',
   clause: 'RFC 6749, 4.1.3, and OAuth 2.1, 4.1.3: the authorization server MUST ensure that the authorization code was issued to the authenticated confidential client, or if the client is public, ensure that the code was issued to client_id in the request; 5.2: invalid_grant (2025-11-25 and 2026-07-28 basic/authorization: OAuth 2.1)',
   rules: [], says: /client|code|invalid_grant|bound|another/i,
   change: {http(request, response, url, body, server) {
     if (!asksToken(request, url)) return false;
     const form = new URLSearchParams(body);
     const code = server.codes.get(form.get('code'));
     if (code && server.clients.has(form.get('client_id'))) code.client = form.get('client_id');
     return false;
   }}},
  // https://github.com/modelcontextprotocol/typescript-sdk/issues/1027
  {name: 'public-clients-unpublished', from: 'modelcontextprotocol/typescript-sdk#1027',
   what: 'publishes client_secret_post as its one authentication method, and registers public clients and serves them by none',
   clause: 'RFC 8414, 2: token_endpoint_auth_methods_supported: list of client authentication methods supported by this token endpoint; RFC 7591, 2: none: the client is a public client; 2025-11-25 and 2026-07-28 basic/authorization: authorization servers MUST implement OAuth 2.1 for both confidential and public clients',
   rules: [], says: /auth_method|\bnone\b|client_secret_post|public|authenticat/i,
   change: {metadata: all => ({...all, token_endpoint_auth_methods_supported: ['client_secret_post']})}},
  // https://github.com/BasedHardware/omi/pull/12122
  {name: 'no-resource-is-422', from: 'BasedHardware/omi#12122',
   what: 'answers requests without resource, at the authorization endpoint and at the token endpoint, with 422 and {"detail": [...]}',
   clause: 'RFC 8707, 2: the resource parameter is one that requests can have, and its error is invalid_target; RFC 6749, 4.1.2.1: errors go to the redirect URI with error and state; 5.2: the token endpoint answers with 400 and error; breaks claude.ai',
   rules: [], says: /resource|422|\berror\b|invalid_(request|target)/i,
   change: {http(request, response, url, body, server) {
     const authorizing = url.pathname === '/authorize' && ['GET', 'POST'].includes(request.method);
     if (!authorizing && !asksToken(request, url)) return false;
     const given = authorizing && request.method === 'GET' ? url.searchParams : new URLSearchParams(body);
     if (given.get('resource')) return false;
     server.json(response, 422, missing(authorizing && request.method === 'GET' ? 'query' : 'body', 'resource'));
     return true;
   }}},
  // https://github.com/empires-security/mcp-oauth2-aws-cognito/issues/9
  {name: 'pkce-unpublished', from: 'empires-security/mcp-oauth2-aws-cognito#9',
   what: 'publishes its metadata without code_challenge_methods_supported, though it wants PKCE by S256',
   clause: '2025-11-25 basic/authorization and 2026-07-28 basic/authorization/security-considerations, Authorization Code Protection: if code_challenge_methods_supported is absent, the authorization server does not support PKCE and MCP clients MUST refuse to proceed; breaks Cursor and MCP Inspector',
   rules: [], says: /code_challenge_methods_supported|PKCE|S256|code_challenge/i,
   change: {metadata({code_challenge_methods_supported: _, ...rest}) { return rest; }}},
  // https://github.com/coder/coder/pull/28097
  {name: 'registered-by-a-method-not-asked-for', from: 'coder/coder#28097',
   what: 'answers registrations of public clients with token_endpoint_auth_method client_secret_basic, without a client_secret, and its token endpoint takes none',
   clause: 'RFC 7591, 3.2.1: the server returns all registered metadata about the client, also what it replaced; client_secret is what confidential clients authenticate with; RFC 8414, 2: client_secret_basic is not among token_endpoint_auth_methods_supported',
   rules: [], says: /auth_method|client_secret|\bnone\b|regist|authenticat/i,
   change: {registered: () => ({body: client => ({...client, token_endpoint_auth_method: 'client_secret_basic'})})}},
  // https://github.com/ascending-llc/jarvis-registry/pull/430
  {name: 'refused-registrations-have-no-error', from: 'ascending-llc/jarvis-registry#430',
   what: 'refuses registrations whose redirect_uris it does not take with 400 and {"detail": "..."}, without error',
   clause: 'RFC 7591, 3.2.2: when a registration error condition occurs, the server returns 400 with a JSON object: error: REQUIRED, single ASCII error code string; invalid_redirect_uri; breaks the TypeScript SDK (Invalid OAuth error response)',
   rules: [], says: /\berror\b|invalid_redirect_uri|regist|detail/i,
   change: {refused: (error, status, headers) => error === 'invalid_redirect_uri' ?
       [400, {detail: 'redirect_uri must be an absolute http(s) URL'}, headers] : [status, {error}, headers]}},
  // https://github.com/preset-io/agor/pull/2192
  {name: 'tokens-in-a-form', from: 'preset-io/agor#2192',
   what: 'answers token requests by application/x-www-form-urlencoded, unless the client says Accept: application/json',
   clause: 'RFC 6749, 5.1 (OAuth 2.1, 3.2.3): the parameters are included in the entity-body of the HTTP response using the application/json media type; 5.2: so are errors; breaks agor and the Python SDK (is not valid JSON)',
   rules: [], says: /json|content-type|form|urlencoded|token/i,
   change: {http(request, response, url) {
     if (!asksToken(request, url) || /application\/json/i.test(request.headers.accept ?? '')) return false;
     const [write, end] = [response.writeHead.bind(response), response.end.bind(response)];
     response.writeHead = (status, headers) => write(status, {...headers, 'content-type': 'application/x-www-form-urlencoded; charset=utf-8'});
     response.end = text => end(new URLSearchParams(JSON.parse(text)).toString());
     return false;
   }}},
  // https://github.com/giantswarm/mcp-oauth/pull/95
  {name: 'revocation-in-name-alone', from: 'giantswarm/mcp-oauth#95',
   what: 'publishes a revocation_endpoint and an introspection_endpoint, and answers both with 404',
   clause: 'RFC 8414, 2: revocation_endpoint: URL of the authorization server\'s OAuth 2.0 revocation endpoint; RFC 7009, 2.2: it responds with 200 if the token has been revoked or the client submitted an invalid token (2025-11-25 and 2026-07-28 basic/authorization: OAuth 2.0 Authorization Server Metadata)',
   rules: [], says: /revo|introspect|404/i,
   change: {metadata: all => ({...all, revocation_endpoint: `${all.issuer}/revoke`, introspection_endpoint: `${all.issuer}/introspect`,
                               revocation_endpoint_auth_methods_supported: ['none']})}},
];
