// More of authorities.mjs, taken as they came by somebody who has not seen the judge.

const asksToken = (request, url) => request.method === 'POST' && url.pathname === '/token';
// named puts another issuer into the answers of the authorization endpoint.
const named = change => url => { url.searchParams.set('iss', change(url.searchParams.get('iss'))); return url.href; };

export const cases = [
  // https://github.com/home-assistant/core/issues/153820
  {name: 'endpoints-without-a-host', from: 'home-assistant/core#153820',
   what: 'publishes metadata without issuer, whose endpoints are paths alone: /authorize, /token, /register',
   clause: 'RFC 8414, 2: issuer: REQUIRED; authorization_endpoint, token_endpoint: URL of the endpoint; 3.3: the issuer value returned MUST be identical to the issuer identifier the well-known URI was made of; 2025-11-25 and 2026-07-28 basic/authorization: OAuth 2.0 Authorization Server Metadata',
   rules: ['auth.as-metadata-published', 'auth.as-metadata-members'], says: /issuer|_endpoint|relative|absolute/i,
   change: {metadata({issuer, ...rest}) {
     return Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, name.endsWith('_endpoint') ? new URL(value).pathname : value]));
   }}},
  // https://github.com/letehaha/budget-tracker/pull/551
  {name: 'answers-of-another-issuer', from: 'letehaha/budget-tracker#551',
   what: 'publishes its bare origin as issuer, and names <origin>/api/v1/auth in the iss of each authorization response',
   clause: 'RFC 9207, 2.4: iss MUST be the issuer identifier of the authorization server, identical to issuer of its metadata; clients reject it otherwise; 2026-07-28 basic/authorization/security-considerations, Mix-Up Attack Protection; breaks Claude Code (Issuer mismatch in authorization response)',
   rules: ['auth.as-sends-iss'], says: /\biss\b|issuer/i,
   change: {location: named(issuer => `${issuer}/api/v1/auth`)}},
  // https://github.com/agencyenterprise/draft-detective/issues/775
  {name: 'issuer-below-a-path', from: 'agencyenterprise/draft-detective#775',
   what: 'publishes <origin>/mcp as its issuer in the metadata of <origin>, and names it so in iss too',
   clause: 'RFC 8414, 3.3: the issuer value returned MUST be identical to the authorization server\'s issuer identifier value into which the well-known URI string was inserted; if not, the data MUST NOT be used; breaks Claude Desktop (Issuer mismatch in authorization server metadata)',
   rules: ['auth.as-metadata-published'], says: /issuer/i,
   change: {metadata: all => ({...all, issuer: `${all.issuer}/mcp`}), location: named(issuer => `${issuer}/mcp`)}},
  // https://github.com/supabase/auth/issues/2703
  {name: 'ports-of-loopback-compared', from: 'supabase/auth#2703',
   what: 'compares redirect_uri as it is with those registered, also the port of loopback addresses',
   clause: 'RFC 8252, 7.3: the authorization server MUST allow any port to be specified at the time of the request for loopback IP redirect URIs; OAuth 2.1, 2.3.1: exact match, with an exception for the port of loopback redirects (2025-11-25 and 2026-07-28 basic/authorization: OAuth 2.1); breaks native clients that bind a free port',
   rules: ['auth.as-loopback-ports'], says: /\bports?\b|loopback|redirect_uri/i,
   change: {matches: (registered, asked) => registered.includes(asked)}},
  // https://github.com/browser-use/browser-use/issues/4098
  {name: 'registration-in-name-alone', from: 'browser-use/browser-use#4098',
   what: 'publishes a registration_endpoint, and answers it with 404',
   clause: 'RFC 8414, 2: registration_endpoint: URL of the authorization server\'s OAuth 2.0 Dynamic Client Registration endpoint; RFC 7591, 3.2.1: upon a successful registration 201, 3.2.2: upon an error 400; 2025-11-25 basic/authorization and 2026-07-28 basic/authorization/client-registration, Dynamic Client Registration; breaks MCP Inspector',
   rules: ['auth.as-endpoints-exist', 'auth.as-registration-errors', 'auth.as-registers-clients'], says: /regist/i,
   change: {http(request, response, url, body, server) {
     if (request.method !== 'POST' || url.pathname !== '/register') return false;
     server.json(response, 404, {detail: 'Not Found'});
     return true;
   }}},
  // https://github.com/vincentmakes/turbo-ea/pull/757
  {name: 'clients-nobody-registered', from: 'vincentmakes/turbo-ea#757',
   what: 'takes any client_id and any redirect_uri for authorization, whether they were registered or not, and sends the code there',
   clause: 'OAuth 2.1, 2.3.1 and 4.1.1 (RFC 6749, 3.1.2.3 and 3.1.2.4): the authorization server MUST compare redirect_uri with those registered, and MUST NOT redirect to one that is not; 2025-11-25 basic/authorization and 2026-07-28 basic/authorization/security-considerations, Open Redirection: authorization servers MUST validate exact redirect URIs against pre-registered values',
   rules: ['auth.as-exact-redirect-match'], says: /client_id|unknown client|unregistered|not registered|redirect/i,
   change: {http(request, response, url, body, server) {
     if (url.pathname !== '/authorize') return false;
     const asked = request.method === 'GET' ? url.searchParams : new URLSearchParams(body);
     const [id, redirect] = [asked.get('client_id'), asked.get('redirect_uri')];
     if (!id || !redirect || !URL.canParse(redirect)) return false;
     const client = server.clients.get(id) ?? {client_id: id, redirect_uris: [], grant_types: ['authorization_code', 'refresh_token']};
     if (!client.redirect_uris.includes(redirect)) server.clients.set(id, {...client, redirect_uris: [...client.redirect_uris, redirect]});
     return false;
   }}},
  // https://github.com/Andriiklymiuk/corgi/pull/78
  {name: 'consent-in-a-frame', from: 'Andriiklymiuk/corgi#78',
   what: 'lets every page frame its page of consent: it has neither X-Frame-Options nor frame-ancestors',
   clause: 'RFC 9700, 4.16: authorization servers MUST prevent clickjacking attacks, by Content Security Policy or X-Frame-Options; OAuth 2.1, 7.10 (RFC 6749, 10.13); 2025-11-25 and 2026-07-28 basic/security_best_practices, Confused Deputy Problem: the consent page MUST prevent iframing via frame-ancestors or X-Frame-Options: DENY',
   rules: ['auth.as-asks-in-no-frame'], says: /\bfram(e|es|ed|ing)\b|frame-ancestors|clickjack|X-Frame-Options/i,
   change: {http(request, response, url) {
     if (url.pathname !== '/authorize') return false;
     const write = response.writeHead.bind(response);
     response.writeHead = (status, {'x-frame-options': _, 'content-security-policy': __, ...rest} = {}) => write(status, rest);
     return false;
   }}},
  // https://github.com/juspay/juspay-mcp/pull/122
  {name: 'openid-metadata-of-oauth-alone', from: 'juspay/juspay-mcp#122',
   what: 'serves its OAuth metadata at openid-configuration too, without jwks_uri, subject_types_supported and id_token_signing_alg_values_supported',
   clause: 'OpenID Connect Discovery 1.0, 3: jwks_uri, subject_types_supported and id_token_signing_alg_values_supported: REQUIRED; 2025-11-25 basic/authorization and 2026-07-28 basic/authorization/authorization-server-discovery: OAuth 2.0 Authorization Server Metadata or OpenID Connect Discovery; breaks clients that validate it (expected array, received undefined)',
   rules: ['auth.as-openid-members'], says: /openid|subject_types_supported|id_token_signing_alg_values_supported|jwks_uri/i,
   change: {http(request, response, url, body, server) {
     if (request.method !== 'GET' || url.pathname !== '/.well-known/openid-configuration') return false;
     server.json(response, 200, server.metadata());
     return true;
   }}},
  // https://github.com/different-ai/openwork/pull/2993
  {name: 'no-refresh-without-a-resource', from: 'different-ai/openwork#2993',
   what: 'refuses a refresh without resource with invalid_target, also of a token that was issued for one resource',
   clause: 'RFC 8707, 2 and 2.2: resource is a parameter that a token request can have; what is granted is then that of the grant; invalid_target is for a resource that is invalid, missing, unknown or malformed; RFC 6749, 6: grant_type and refresh_token are what a refresh requires; breaks MCP clients that name the resource at authorization and code exchange alone',
   rules: ['auth.as-unknown-grants', 'auth.as-unknown-client'], says: /resource|invalid_target/i,
   change: {http(request, response, url, body, server) {
     if (!asksToken(request, url)) return false;
     const form = new URLSearchParams(body);
     if (form.get('grant_type') !== 'refresh_token' || form.get('resource')) return false;
     server.refuse(response, 'invalid_target');
     return true;
   }}},
];
