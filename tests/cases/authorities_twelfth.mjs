// More of authorities.mjs, from reports that nobody here has seen: issuers with a path, iss, error codes, schemes in other letters, pages, codes that come twice, secrets.

import {createHash} from 'node:crypto';

import {matches} from './peers/authority.mjs';

const form = (request, url, body) => request.method === 'POST' && url.pathname === '/token' ? new URLSearchParams(body) : new URLSearchParams();
const isNone = wish => wish && typeof wish === 'object' && wish.token_endpoint_auth_method === 'none';

// Schemes that are refused as they are written here alone.
const schemes = ['javascript:', 'data:', 'vbscript:', 'file:', 'mailto:', 'blob:'];
const odd = text => typeof text === 'string' && !schemes.some(one => text.startsWith(one)) && schemes.some(one => text.trim().toLowerCase().startsWith(one));
const tabbed = text => typeof text === 'string' && /[\t\r\n]/.test(text) && schemes.some(one => text.replace(/[\t\r\n]/g, '').toLowerCase().startsWith(one));
const seemsHere = text => typeof text === 'string' && /^http:\/\/(127\.0\.0\.1|localhost)/.test(text) && !text.includes('#');
const usual = text => typeof text === 'string' && /^https:\/\/[^#]+$|^http:\/\/(127\.0\.0\.1|localhost|\[::1\])([:/?][^#]*)?$/.test(text);

export const cases = [
  // https://github.com/SmartBear/smartbear-mcp/issues/682
  {name: 'issuer-with-a-path', from: 'SmartBear/smartbear-mcp#682',
   what: 'names an issuer with a path more than the address that its metadata are found by',
   clause: 'RFC 8414, 3.3, and 2026-07-28, basic/authorization/authorization-server-discovery: issuer MUST be identical to the identifier that the well-known address was made of',
   rules: ['auth.as-metadata-published'], says: /issuer/i,
   change: {metadata: all => ({...all, issuer: `${all.issuer}/backend/oauthproxy`}),
            location(url) { url.searchParams.set('iss', `${url.searchParams.get('iss')}/backend/oauthproxy`); return url.href; }}},
  // https://github.com/PrefectHQ/fastmcp/issues/4432
  {name: 'iss-never', from: 'PrefectHQ/fastmcp#4432',
   what: 'says nowhere in its answers who it is, and does not promise to',
   clause: '2026-07-28, basic/authorization, Authorization Response Validation: authorization servers SHOULD include iss in authorization responses (RFC 9207, 2)',
   rules: ['auth.as-sends-iss'], says: /\biss\b|authorization_response_iss_parameter_supported|9207/i,
   change: {metadata: ({authorization_response_iss_parameter_supported: promised, ...rest}) => rest,
            location(url) { url.searchParams.delete('iss'); return url.href; }}},
  // https://github.com/PrefectHQ/fastmcp/pull/2800
  {name: 'wrong-grants-401', from: 'PrefectHQ/fastmcp#2800',
   what: 'answers invalid_grant at the token endpoint with 401, which the specification asks for where access tokens are wrong',
   clause: 'RFC 6749, 5.2 (OAuth 2.1, 3.2.4): errors have status 400 unless specified otherwise; 401 is for invalid_client',
   rules: ['auth.as-error-status'], says: /401|400|status/,
   change: {refused: (error, status, headers) => [error === 'invalid_grant' ? 401 : status, {error}, headers]}},
  // https://github.com/cloudflare/workers-oauth-provider/issues/97
  {name: 'schemes-in-other-letters', from: 'cloudflare/workers-oauth-provider#97',
   what: 'refuses redirect URIs that begin with javascript: and the like, letter by letter: JavaScript:, or a blank before it, is registered',
   clause: '2025-11-25, basic/authorization, Communication Security: all redirect URIs MUST be localhost or use HTTPS; RFC 3986, 3.1: schemes are the same in all letters; RFC 7591, 3.2.2: invalid_redirect_uri',
   rules: ['auth.as-registration-redirects'], says: /redirect|scheme|javascript|data:/i,
   change: {registered: wish => Array.isArray(wish?.redirect_uris) && wish.redirect_uris.some(odd) && wish.redirect_uris.every(one => odd(one) || usual(one)) ? {taken: true} : undefined}},
  // https://github.com/getsentry/sentry-mcp/issues/999
  {name: 'token-not-for-pages', from: 'getsentry/sentry-mcp#999',
   what: 'lets pages read its metadata and register, and answers the preflight of the token endpoint, and what is asked there, without Access-Control-Allow-Origin',
   clause: 'none: breaks Cloudflare MCP Server Portal and MCP Inspector (Fetch, 3.2: without the header a page may not read the answer; draft-ietf-oauth-browser-based-apps: the token endpoint MUST support CORS for pages)',
   rules: ['auth.as-cors-throughout'], says: /CORS|Access-Control|preflight|page|browser|origin/i,
   change: {http(request, response, url) {
     if (url.pathname !== '/token') return false;
     if (request.method === 'OPTIONS') { response.writeHead(204); response.end(); return true; }
     const head = response.writeHead.bind(response);
     response.writeHead = (status, {'access-control-allow-origin': left, ...headers} = {}) => head(status, headers);
     return false;
   }}},
  // https://github.com/InsForge/insforge-mcp/issues/102
  {name: 'codes-give-the-same-again', from: 'InsForge/insforge-mcp#102',
   what: 'answers a code that was redeemed once more, with 200 and the very same tokens, as long as the verifier is right',
   clause: 'RFC 6749, 4.1.2, and OAuth 2.1, 4.1.3: a code MUST NOT be used more than once; a second use MUST be denied',
   rules: ['auth.as-oauth21'], says: /code/i,
   change: {http(request, response, url, body, server) {
     const asked = form(request, url, body);
     const code = asked.get('code');
     if (asked.get('grant_type') !== 'authorization_code' || !code) return false;
     server.redeemed ??= new Map;
     const before = server.redeemed.get(code);
     if (before?.text && before.client === asked.get('client_id') && createHash('sha256').update(asked.get('code_verifier') ?? '').digest('base64url') === before.challenge) {
       server.json(response, 200, JSON.parse(before.text));
       return true;
     }
     const kept = server.codes.get(code);
     if (!kept) return false;
     const end = response.end.bind(response);
     response.end = text => { if (response.statusCode === 200) server.redeemed.set(code, {...kept, text}); return end(text); };
     return false;
   }}},
  // https://github.com/cloudflare/mcp/pull/193
  {name: 'bare-authorizations-500', from: 'cloudflare/mcp#193',
   what: 'answers an authorization request without a client_id, or with one that it does not know, with 500',
   clause: 'RFC 6749, 4.1.2.1: of a missing or invalid client identifier the server SHOULD inform the person; RFC 9110, 15.6.1: 500 says that the server itself has failed',
   rules: ['auth.as-tells-the-user'], says: /500|server error|client_id/i,
   change: {http(request, response, url, body, server) {
     if (url.pathname !== '/authorize') return false;
     const asked = request.method === 'POST' ? new URLSearchParams(body) : url.searchParams;
     if (server.clients.has(asked.get('client_id'))) return false;
     response.writeHead(500, {'content-type': 'text/plain', 'cache-control': 'no-store'});
     response.end('Internal Server Error');
     return true;
   }}},
  // https://github.com/garrytan/gbrain/pull/909
  {name: 'public-clients-need-a-secret', from: 'garrytan/gbrain#909',
   what: 'registers clients for none and gives them a secret all the same, without which they get no token',
   clause: 'RFC 7591, 2: none is for a public client, which has no client secret; OAuth 2.1, 2.4: such a client names itself by client_id alone',
   rules: ['auth.as-methods-as-listed'], says: /secret|none|invalid_client/i,
   change: {
     registered: wish => isNone(wish) ? {body: client => Object.assign(client, {client_secret: `gbrain_cs_${client.client_id}`, client_secret_expires_at: 0})} : undefined,
     http(request, response, url, body, server) {
       const asked = form(request, url, body);
       const secret = server.clients.get(asked.get('client_id'))?.client_secret;
       if (!secret || asked.get('client_secret') === secret) return false;
       server.refuse(response, 'invalid_client', 401);
       return true;
     }}},
  {name: 'unknown-grant-types-401', from: 'thought of beside PrefectHQ/fastmcp#2800',
   what: 'answers a grant_type that it does not know with unsupported_grant_type and 401',
   clause: 'RFC 6749, 5.2 (OAuth 2.1, 3.2.4): errors have status 400 unless specified otherwise; 401 is for invalid_client',
   rules: ['auth.as-error-status'], says: /401.*400|400.*401/,
   change: {refused: (error, status, headers) => [error === 'unsupported_grant_type' ? 401 : status, {error}, headers]}},
  {name: 'code-left-out-500', from: 'thought of beside PrefectHQ/fastmcp#2800',
   what: 'answers a request for a token without code, or without refresh_token, with 500',
   clause: 'RFC 6749, 5.2: invalid_request, with status 400, where a required parameter is missing',
   rules: ['auth.as-no-server-errors'], says: /500/,
   change: {http(request, response, url, body, server) {
     const asked = form(request, url, body);
     const wanted = {authorization_code: 'code', refresh_token: 'refresh_token'}[asked.get('grant_type')];
     if (!wanted || asked.get(wanted)) return false;
     response.writeHead(500, {'content-type': 'text/plain'});
     response.end('Internal Server Error');
     return true;
   }}},
  {name: 'wrong-secret-400', from: 'thought of beside PrefectHQ/fastmcp#2800',
   what: 'answers a client that shows a wrong secret in the Authorization header with invalid_client and 400',
   clause: 'RFC 6749, 5.2: to who tried to authenticate by the Authorization header the server MUST answer 401, with WWW-Authenticate for the scheme that was used',
   rules: ['auth.as-wrong-secret-challenged'], says: /401|WWW-Authenticate/,
   change: {
     metadata: all => ({...all, token_endpoint_auth_methods_supported: ['none', 'client_secret_basic']}),
     registered: wish => wish?.token_endpoint_auth_method === 'client_secret_basic' ? {body: client => Object.assign(client, {
       token_endpoint_auth_method: 'client_secret_basic', client_secret: `secret-${client.client_id}`, client_secret_expires_at: 0})} : undefined,
     http(request, response, url, body, server) {
       const asked = form(request, url, body);
       const shown = /^Basic (.+)$/i.exec(request.headers.authorization ?? '')?.[1];
       if (url.pathname !== '/token' || request.method !== 'POST') return false;
       const [id, secret] = shown ? Buffer.from(shown, 'base64').toString().split(':').map(decodeURIComponent) : [asked.get('client_id')];
       const client = server.clients.get(id);
       if (client?.client_secret !== secret) { server.refuse(response, 'invalid_client', shown ? 400 : 401); return true; }
       asked.set('client_id', id);
       if (shown) { server.token(response, asked); return true; }
       return false;
     }}},
  {name: 'registration-not-json-500', from: 'thought of beside PrefectHQ/fastmcp#2800',
   what: 'answers a registration whose redirect_uris are a text with 500',
   clause: 'RFC 7591, 3.2.2: an error in a registration is answered with 400, and invalid_redirect_uri or invalid_client_metadata',
   rules: ['auth.as-no-server-errors'], says: /500/,
   change: {registered: wish => Array.isArray(wish?.redirect_uris) ? undefined : {status: 500, body: {error: 'server_error'}}}},
  {name: 'schemes-with-a-tab', from: 'thought of beside cloudflare/workers-oauth-provider#97',
   what: 'registers a redirect URI with javascript: in which a tab stands, which browsers take out',
   clause: 'as of schemes-in-other-letters; RFC 3986, 2: no such letter is in a URI; WHATWG URL, 4.4: tabs and ends of lines are removed',
   rules: ['auth.as-registration-redirects'], says: /redirect|scheme|javascript/i,
   change: {registered: wish => Array.isArray(wish?.redirect_uris) && wish.redirect_uris.some(tabbed) && wish.redirect_uris.every(one => tabbed(one) || usual(one)) ? {taken: true} : undefined}},
  {name: 'localhost-by-its-beginning', from: 'thought of beside cloudflare/workers-oauth-provider#97',
   what: 'knows redirect URIs of this machine by how they begin: http://localhost.plumbline.example/ and http://localhost@plumbline.example/ are registered',
   clause: '2025-11-25, basic/authorization, Communication Security: all redirect URIs MUST be localhost or use HTTPS',
   rules: ['auth.as-registration-redirects'], says: /redirect URI/,
   change: {registered: wish => Array.isArray(wish?.redirect_uris) && wish.redirect_uris.length && wish.redirect_uris.every(one => seemsHere(one) || usual(one)) ? {taken: true} : undefined}},
  {name: 'redirects-without-their-case', from: 'thought of beside cloudflare/workers-oauth-provider#97',
   what: 'compares redirect URIs without heed of upper and lower case',
   clause: 'OAuth 2.1, 4.1.1 and 7.5.1 (RFC 3986, 6.2.1): redirect URIs are compared letter by letter; 2025-11-25, basic/authorization, Open Redirection: MUST validate exact redirect URIs',
   rules: ['auth.as-exact-redirect-match'], says: /redirect/i,
   change: {matches: (registered, asked) => matches(registered.map(one => one.toLowerCase()), asked.toLowerCase())}},
  {name: 'scopes-in-a-text', from: 'thought of beside github/copilot-cli#4439',
   what: 'lists its scopes in its metadata in one text, with blanks between them',
   clause: 'RFC 8414, 2: scopes_supported is a JSON array of texts',
   rules: ['auth.as-metadata-members'], says: /scopes_supported/,
   change: {metadata: all => ({...all, scopes_supported: all.scopes_supported.join(' ')})}},
  {name: 'methods-in-a-text', from: 'thought of beside github/copilot-cli#4439',
   what: 'lists how challenges are made in its metadata as the text S256',
   clause: 'RFC 8414, 2: code_challenge_methods_supported is a JSON array of texts',
   rules: ['auth.as-metadata-lists-pkce', 'auth.as-oidc-lists-pkce'], says: /code_challenge_methods_supported "S256"/,
   change: {metadata: all => ({...all, code_challenge_methods_supported: 'S256'})}},
  {name: 'errors-in-an-object', from: 'thought of beside github/copilot-cli#4439',
   what: 'answers errors of the token endpoint in an object with a code and a message, as the value of error',
   clause: 'RFC 6749, 5.2: error is REQUIRED, a single code in ASCII letters',
   rules: ['auth.as-oauth21', 'auth.as-unsupported-grant'], says: /error.*\{/,
   change: {refused: (error, status, headers) => [status, {error: {code: error, message: 'It is refused.'}}, headers]}},
];
