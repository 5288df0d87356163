// More of authorities.mjs: long states, redirects that keep the method, pages at registration, prompts, consent, letters of codes.

import {randomBytes} from 'node:crypto';

const usual = text => /^https:\/\/[^#]+$|^http:\/\/(127\.0\.0\.1|localhost|\[::1\])([:/?][^#]*)?$/.test(text);
const wraps = (response, change) => { const head = response.writeHead.bind(response); response.writeHead = (status, headers) => head(...change(status, headers ?? {})); };
const same = text => { try { return new URL(text).href; } catch { return text; } };

// bindsResource holds the resource of a refresh to that of the authorization, letter by letter or as addresses.
const bindsResource = compared => ({http(request, response, url, body, server) {
  const form = new URLSearchParams(body);
  if (request.method !== 'POST' || url.pathname !== '/token' || form.get('grant_type') !== 'refresh_token') return false;
  const kept = server.refreshes.get(form.get('refresh_token'));
  if (!kept?.resource || kept.client !== form.get('client_id') || form.get('resource') === null || compared(form.get('resource')) === compared(kept.resource)) return false;
  server.refuse(response, 'invalid_target');
  return true;
}});
// oddCodes has + and / in its codes, and writes them into the redirect as they are, or encoded.
const oddCodes = encoded => { let held; return {
  http(request, response, url, body, server) { held = server; return false; },
  location(url) {
    const code = url.searchParams.get('code');
    if (!code) return url.href;
    const made = `${code.slice(0, 16)}+/${code.slice(16)}==`;
    held.codes.set(made, held.codes.get(code));
    held.codes.delete(code);
    url.searchParams.set('code', made);
    if (encoded) return url.href;
    url.searchParams.delete('code');
    return `${url.href}${url.search ? '&' : '?'}code=${made}`;
  }}; };

const tokenForm = (url, body) => url.pathname === '/token' ? new URLSearchParams(body) : new URLSearchParams();

export const cases = [
  // https://github.com/activepieces/activepieces/pull/15023
  {name: 'long-state-refused', from: 'activepieces/activepieces#15023',
   what: 'refuses a state of more than 512 letters by a 400 of its own; ChatGPT sends 521',
   rules: ['auth.as-state-returned', 'auth.as-no-server-errors', 'auth.as-errors-reach-the-client'], says: /state/,
   change: {http(request, response, url, body, server) {
     const asked = request.method === 'POST' ? new URLSearchParams(body) : url.searchParams;
     if (url.pathname !== '/authorize' || !((asked.get('state') ?? '').length > 512)) return false;
     server.json(response, 400, {statusCode: 400, code: 'FST_ERR_VALIDATION', error: 'Bad Request', message: 'querystring/state Too big: expected string to have <=512 characters'});
     return true;
   }}},
  // https://github.com/anthropics/claude-ai-mcp/issues/250
  {name: 'redirects-with-307', from: 'anthropics/claude-ai-mcp#250',
   what: 'sends the browser back to the client with 307 after the form of consent, so that it posts the form there',
   rules: ['auth.as-form-not-posted-on'], says: /307/,
   change: {http(request, response, url) {
     if (url.pathname === '/authorize' && request.method === 'POST') wraps(response, (status, headers) => [status === 302 ? 307 : status, headers]);
     return false;
   }}},
  // https://github.com/cloudflare/workers-oauth-provider/issues/282
  {name: 'resource-letter-by-letter', from: 'cloudflare/workers-oauth-provider#282',
   what: 'refuses a refresh whose resource is that of the authorization with a slash for its empty path',
   rules: ['auth.as-resource-taken', 'auth.as-grants-as-listed'], says: /resource/,
   change: bindsResource(text => text), right: bindsResource(same)},
  // https://github.com/keycloak/keycloak/issues/39629
  {name: 'no-registration-for-pages', from: 'keycloak/keycloak#39629',
   what: 'lets pages of other origins in at its metadata and token endpoint, and not at its registration: OPTIONS gets 405',
   rules: ['auth.as-cors-throughout'], says: /regist|OPTIONS/i,
   change: {http(request, response, url) {
     if (url.pathname !== '/register') return false;
     if (request.method === 'OPTIONS') { response.writeHead(405, {allow: 'POST'}); response.end(); return true; }
     wraps(response, (status, headers) => { const {'access-control-allow-origin': left, ...others} = headers; return [status, others]; });
     return false;
   }}},
  // https://github.com/soflyy/agent-connector-for-wp/issues/111
  {name: 'registration-refused-in-other-words', from: 'soflyy/agent-connector-for-wp#111',
   what: 'refuses a redirect at registration by code, message and data, without error',
   rules: ['auth.as-registration-errors', 'auth.as-registration-redirects'], says: /error/,
   change: {registered: wish => Array.isArray(wish?.redirect_uris) && wish.redirect_uris.length && wish.redirect_uris.every(usual) ? undefined
     : {status: 400, body: {code: 'invalid_redirect_uri', message: 'Each redirect_uri must be an HTTPS URL or an http:// loopback address (localhost, 127.0.0.1, [::1]).', data: {status: 400}}}}},
  // https://github.com/heroku/heroku-mcp-server/issues/226
  {name: 'prompt-refused', from: 'heroku/heroku-mcp-server#226',
   what: 'refuses prompt=consent, which clients send that want offline_access, by invalid_request',
   rules: ['auth.as-unknown-parameters'], says: /prompt/,
   change: {http(request, response, url, body, server) {
     const prompt = (url.searchParams.get('prompt') ?? '').split(' ');
     const client = server.clients.get(url.searchParams.get('client_id'));
     const redirect = url.searchParams.get('redirect_uri');
     if (url.pathname !== '/authorize' || !prompt.some(one => ['consent', 'select_account'].includes(one)) || !client?.redirect_uris.includes(redirect)) return false;
     const back = new URL(redirect);
     const state = url.searchParams.get('state');
     for (const [name, value] of Object.entries({error: 'invalid_request', error_description: 'unsupported prompt value requested', ...(state === null ? {} : {state}), iss: server.issuer})) back.searchParams.set(name, value);
     response.writeHead(303, {location: back.href, 'cache-control': 'no-store'});
     response.end();
     return true;
   }}},
  // https://github.com/better-auth/better-auth/issues/4736
  {name: 'nobody-asked', from: 'better-auth/better-auth#4736',
   what: 'gives whoever has registered a code at once, and never asks the user',
   rules: ['auth.as-auto-redirect-only-trusted', 'auth.as-untrusted-redirect-guard'], says: /consent|user|ask/i,
   change: {http(request, response, url, body, server) {
     server.ask = (to, client, redirect, asked) => {
       const code = randomBytes(24).toString('base64url');
       server.codes.set(code, {client: client.client_id, redirect, challenge: asked.get('code_challenge'), resource: asked.get('resource'), scope: asked.get('scope') ?? 'notes', at: Date.now()});
       const back = new URL(redirect);
       for (const [name, value] of Object.entries({code, ...(asked.get('state') === null ? {} : {state: asked.get('state')}), iss: server.issuer})) back.searchParams.set(name, value);
       to.writeHead(302, {location: back.href, 'cache-control': 'no-store'});
       to.end();
     };
     return false;
   }}},
  // https://github.com/clouway/oauth2-server/pull/92
  {name: 'codes-not-encoded', from: 'clouway/oauth2-server#92',
   what: 'writes codes with + and / into the redirect as they are, and whoever reads the query gets a blank for +',
   rules: ['auth.as-code-redeemed'], says: /"\+".*not encoded/,
   change: oddCodes(false), right: oddCodes(true)},
  // https://github.com/DuendeArchive/IdentityServer4/issues/4075
  {name: 'other-redirect-is-unauthorized', from: 'DuendeArchive/IdentityServer4#4075',
   what: 'answers unauthorized_client, not invalid_grant, to a code that comes with another redirect_uri',
   rules: ['auth.as-code-bound-to-redirect', 'auth.as-unknown-grants', 'auth.as-oauth21'], says: /invalid_grant|unauthorized_client/,
   change: {http(request, response, url, body, server) {
     const form = new URLSearchParams(body);
     const code = url.pathname === '/token' && form.get('grant_type') === 'authorization_code' ? server.codes.get(form.get('code')) : undefined;
     if (!code || code.client !== form.get('client_id') || form.get('redirect_uri') === null || form.get('redirect_uri') === code.redirect) return false;
     server.codes.delete(form.get('code'));
     server.refuse(response, 'unauthorized_client');
     return true;
   }}},
  // Thought of beside them.
  {name: 'code-in-the-fragment', from: 'servers that mix up response modes', what: 'puts code and state behind # where no response_mode was asked for',
   rules: ['auth.as-answers-with-a-code', 'auth.as-state-returned'], says: /fragment|#/,
   change: {location: url => url.searchParams.has('code') ? url.href.replace('?', '#') : url.href}},
  {name: 'long-verifiers-refused', from: 'columns of 64 letters', what: 'redeems no code whose code_verifier has more than 64 letters',
   rules: ['auth.as-pkce-enforced', 'auth.as-code-redeemed'], says: /verifier/,
   change: {http(request, response, url, body, server) {
     if ((tokenForm(url, body).get('code_verifier') ?? '').length <= 64) return false;
     server.refuse(response, 'invalid_grant');
     return true;
   }}},
  {name: 'second-refresh-refused', from: 'rotations that store the old token', what: 'takes a refresh token, and not the one that it gives for it',
   rules: ['auth.as-refresh-redeemed', 'auth.refresh-rotation'], says: /refresh/,
   change: {http(request, response, url, body, server) {
     const form = tokenForm(url, body);
     const kept = server.refreshes.get(form.get('refresh_token'));
     if (form.get('grant_type') !== 'refresh_token' || !kept || kept.client !== form.get('client_id')) return false;
     server.refreshes.delete(form.get('refresh_token'));
     if (kept.renewed) { server.refuse(response, 'invalid_grant'); return true; }
     server.give(response, {...kept, renewed: true});
     return true;
   }}},
  {name: 'no-state-is-undefined', from: 'servers that write what they have not read', what: 'sends state=undefined where the request has no state',
   rules: ['auth.as-state-returned'], says: /state/,
   change: {location(url, asked) { if (asked.get('state') === null) url.searchParams.set('state', 'undefined'); return url.href; }}},
  {name: 'refresh-with-its-scope-refused', from: 'servers that take a scope at a refresh for more', what: 'refuses a refresh that names the scope that was granted',
   rules: ['auth.as-refresh-scope', 'auth.as-refresh-redeemed'], says: /scope/,
   change: {http(request, response, url, body, server) {
     const form = tokenForm(url, body);
     if (form.get('grant_type') !== 'refresh_token' || form.get('scope') === null) return false;
     server.refuse(response, 'invalid_scope');
     return true;
   }}},
];
