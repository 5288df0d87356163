// More of authorities.mjs, taken as they came by somebody who has not seen the judge.

import {createHash} from 'node:crypto';

const hash = text => createHash('sha256').update(text).digest('base64url');
const asksToken = (request, url) => request.method === 'POST' && url.pathname === '/token';

export const cases = [
  // https://github.com/higgsfield-ai/cli/issues/75
  {name: 'one-client-id-for-all', from: 'higgsfield-ai/cli#75',
   what: 'answers each registration with the same client_id and the redirect_uris that were sent, and keeps none of them: the authorization endpoint knows another redirect URI of that client alone',
   clause: 'RFC 7591, 3.2.1: client_id: unique client identifier, it MUST NOT be currently valid for any other registered client; the server returns all registered metadata; RFC 6749, 3.1.2.3: redirect URIs are compared with the registered ones; breaks Claude Code',
   rules: ['auth.as-registered-is-served', 'auth.as-registrations-apart', 'auth.as-good-request-taken'], says: /client_id|regist|redirect|invalid_request/i,
   change: {
     http(request, response, url, body, server) {
       server.clients.set('B9S2qOSkhW64P0w2', {client_id: 'B9S2qOSkhW64P0w2', redirect_uris: ['https://bridge.example/oauth/callback'], grant_types: ['authorization_code', 'refresh_token'],
                                               response_types: ['code'], token_endpoint_auth_method: 'none'});
       return false;
     },
     registered: () => ({body: client => ({...client, client_id: 'B9S2qOSkhW64P0w2'})})}},
  // https://github.com/obot-platform/mcp-oauth-proxy/pull/49
  {name: 'verifiers-may-be-left-out', from: 'obot-platform/mcp-oauth-proxy#49',
   what: 'looks at code_verifier only if there is one: a code that was asked for with a code_challenge is exchanged without it',
   clause: 'OAuth 2.1, 4.1.3, and RFC 7636, 4.6: the server verifies code_verifier, and answers invalid_grant if it is not equal; 2025-11-25 basic/authorization and 2026-07-28 basic/authorization/security-considerations, Authorization Code Protection: PKCE requires a verifier-challenge pair, so that only the original requestor can exchange a code',
   rules: ['auth.as-pkce-enforced'], says: /code_verifier|verifier|PKCE/i,
   change: {http(request, response, url, body, server) {
     if (!asksToken(request, url)) return false;
     const form = new URLSearchParams(body);
     const code = form.get('code_verifier') ? undefined : server.codes.get(form.get('code'));
     if (code) code.challenge = hash('');
     return false;
   }}},
  // https://github.com/garrytan/gbrain/issues/4532
  {name: 'unknown-refresh-tokens-500', from: 'garrytan/gbrain#4532',
   what: 'answers a refresh token that it does not know, or that was used, with 500 and server_error',
   clause: 'RFC 6749, 5.2: 400 and invalid_grant: the refresh token is invalid, expired or revoked (2025-11-25 and 2026-07-28 basic/authorization: OAuth 2.1, 3.2.4); clients do not sign in anew for server_error',
   rules: ['auth.refresh-rotation', 'auth.as-unknown-grants', 'auth.as-no-server-errors'], says: /500|server_error|invalid_grant|refresh/i,
   change: {http(request, response, url, body, server) {
     if (!asksToken(request, url)) return false;
     const form = new URLSearchParams(body);
     if (form.get('grant_type') !== 'refresh_token' || !form.get('refresh_token') || !server.clients.has(form.get('client_id')) || server.refreshes.has(form.get('refresh_token'))) return false;
     server.json(response, 500, {error: 'server_error', error_description: 'Internal Server Error'});
     return true;
   }}},
  // https://github.com/elie222/inbox-zero/pull/3784
  {name: 'native-redirects-end-at-home', from: 'elie222/inbox-zero#3784',
   what: 'sends the user agent to its own first page, and not to the redirect URI, after consent, when that is not https: the code never gets to a program with a loopback address or a scheme of its own',
   clause: 'RFC 6749, 4.1.2: the authorization server issues a code and delivers it to the client by adding it to the query of the redirection URI; 2025-11-25 basic/authorization, Communication Security: all redirect URIs MUST be either localhost or use HTTPS; breaks Cursor',
   rules: ['auth.as-answers-with-a-code'], says: /redirect|location|\bcode\b|loopback/i,
   change: {
     http(request, response, url, body, server) { this.server = server; return false; },
     location(url) { return url.protocol === 'https:' || !url.searchParams.has('code') ? url.href : `${this.server.issuer}/`; }}},
  // https://github.com/FlowFuse/flowfuse/issues/8270
  {name: 'refresh-tokens-stay', from: 'FlowFuse/flowfuse#8270',
   what: 'gives a new access token for a refresh token of a public client, and the same refresh token again, which stays good',
   clause: '2025-11-25 basic/authorization, Token Theft, and 2026-07-28 basic/authorization/security-considerations: for public clients, authorization servers MUST rotate refresh tokens as described in OAuth 2.1, 4.3.1',
   rules: ['auth.refresh-rotation'], says: /refresh|rotat/i,
   change: {
     http(request, response, url, body, server) {
       if (!asksToken(request, url)) return false;
       const form = new URLSearchParams(body);
       this.server = server;
       this.old = form.get('grant_type') === 'refresh_token' ? form.get('refresh_token') : undefined;
       return false;
     },
     token(answer) {
       if (!this.old) return answer;
       const made = answer.body.refresh_token;
       this.server.refreshes.set(this.old, this.server.refreshes.get(made));
       this.server.refreshes.delete(made);
       return {...answer, body: {...answer.body, refresh_token: this.old}};
     }}},
  // https://github.com/supermemoryai/supermemory-mcp/pull/21
  {name: 'registrations-are-plain-text', from: 'supermemoryai/supermemory-mcp#21',
   what: 'answers registrations with Content-Type: text/plain, so that clients find a text and no object',
   clause: 'RFC 7591, 3.2.1: the response contains the client information, in the body as a JSON document of Content-Type application/json; breaks ChatGPT',
   rules: ['auth.as-registration-answer'], says: /content-type|json|regist|text\/plain/i,
   change: {http(request, response, url) {
     if (request.method !== 'POST' || url.pathname !== '/register') return false;
     const write = response.writeHead.bind(response);
     response.writeHead = (status, headers) => write(status, {...headers, 'content-type': 'text/plain; charset=utf-8'});
     return false;
   }}},
  // https://github.com/JSONbored/metagraphed/issues/9637
  {name: 'plain-if-nothing-is-said', from: 'JSONbored/metagraphed#9637',
   what: 'supports the code_challenge_method plain, publishes it, and takes it when no method is named',
   clause: 'OAuth 2.1, 4.1.1: plain is not defined any more, S256 is mandatory to implement for servers; 2025-11-25 basic/authorization and 2026-07-28 basic/authorization/security-considerations, Authorization Code Protection: clients MUST use S256 when technically capable',
   rules: ['auth.as-pkce-method-known'], says: /plain|code_challenge_method|S256|PKCE/i,
   change: (() => {
     const plain = new Set;
     return {
       metadata: all => ({...all, code_challenge_methods_supported: ['plain', 'S256']}),
       pkce(asked) {
         const challenge = asked.get('code_challenge');
         if ((asked.get('code_challenge_method') ?? 'plain') !== 'plain' || !/^[A-Za-z0-9._~-]{43,128}$/.test(challenge ?? '')) return false;
         plain.add(challenge);
         return true;
       },
       http(request, response, url, body, server) {
         if (!asksToken(request, url)) return false;
         const form = new URLSearchParams(body);
         const code = server.codes.get(form.get('code'));
         if (code && plain.has(code.challenge) && form.get('code_verifier') === code.challenge) code.challenge = hash(code.challenge);
         return false;
       }};
   })()},
  // https://github.com/PostHog/posthog/pull/49807
  {name: 'posts-are-moved-permanently', from: 'PostHog/posthog#49807',
   what: 'answers POST to its registration and token endpoints with 301 and another address, which takes POST alone: user agents come there by GET and without the form',
   clause: 'RFC 9110, 15.4.2: for historical reasons, a user agent MAY change the request method from POST to GET for a request that follows a 301; RFC 6749, 3.2: the client MUST use POST for access token requests, and 5: they are answered by a token or an error; RFC 7591, 3.2: 201 or 400; breaks Claude Desktop',
   rules: ['auth.as-oauth21', 'auth.as-unknown-client', 'auth.as-registration-errors', 'auth.as-registers-clients'], says: /301|redirect|moved|regist|token/i,
   change: {async http(request, response, url, body, server) {
     if (request.method === 'POST' && ['/token', '/register'].includes(url.pathname)) {
       response.writeHead(301, {location: `${server.issuer}/oauth${url.pathname}`, 'access-control-allow-origin': '*'});
       response.end();
       return true;
     }
     if (!['/oauth/token', '/oauth/register'].includes(url.pathname) || request.method === 'OPTIONS') return false;
     if (request.method !== 'POST') {
       response.writeHead(405, {allow: 'POST', 'content-type': 'application/json'});
       response.end('{"error":"method_not_allowed"}');
       return true;
     }
     if (url.pathname === '/oauth/register') server.register(response, body);
     else if (!/^application\/x-www-form-urlencoded/.test(request.headers['content-type'] ?? '')) server.refuse(response, 'invalid_request');
     else server.token(response, new URLSearchParams(body));
     return true;
   }}},
];
