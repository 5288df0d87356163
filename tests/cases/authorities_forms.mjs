// More of authorities.mjs: faults that show when a registration, a request or a document has another form than the usual.

import {createHash} from 'node:crypto';

import {matches} from './peers/authority.mjs';

const hash = text => createHash('sha256').update(text).digest('base64url');
const allowed = wish => Array.isArray(wish?.redirect_uris) && wish.redirect_uris.length > 0 &&
    wish.redirect_uris.every(uri => /^(https:\/\/|http:\/\/(127\.0\.0\.1|localhost|\[::1\])[:/])[^#]*$/.test(uri));
const back = (response, asked, parameters) => {
  const url = new URL(asked.get('redirect_uri'));
  for (const [name, value] of Object.entries({...parameters, ...asked.get('state') !== null && {state: asked.get('state')}})) url.searchParams.set(name, value);
  response.writeHead(302, {location: url.href});
  response.end();
  return true;
};
const known = ['response_type', 'client_id', 'redirect_uri', 'scope', 'state', 'code_challenge', 'code_challenge_method', 'resource', 'consent', 'prompt', 'nonce', 'response_mode'];
// fetched makes a client of the document that a client_id points to.
async function fetched(server, id) {
  if (server.clients.has(id) || !/^https?:\/\//.test(id ?? '')) return;
  const document = await fetch(id, {redirect: 'error', signal: AbortSignal.timeout(2000)}).then(answer => answer.ok ? answer.json() : undefined).catch(() => undefined);
  if (document?.client_id === id && typeof document.client_name === 'string' && Array.isArray(document.redirect_uris)) server.clients.set(id, document);
}
const documents = read => ({
  metadata: all => ({...all, client_id_metadata_document_supported: true}),
  async http(request, response, url, body, server) {
    const asked = url.pathname === '/authorize' && request.method === 'GET' ? url.searchParams : url.pathname === '/token' ? new URLSearchParams(body) : undefined;
    if (asked && read) await fetched(server, asked.get('client_id'));
    return false;
  }});

export const cases = [
  // https://github.com/laravel/mcp/issues/173 and others: registrations are created with 201
  {name: 'registered-with-200', from: 'laravel/mcp#173', what: 'answers a registration with 200, not 201', rules: ['auth.as-registration-answer'], says: /20[01]/, change: {registered: () => ({status: 200})}},
  // the same: "instead triggers a 302 redirect, sending HTML"
  {name: 'wrong-registration-redirected', from: 'laravel/mcp#173', what: 'redirects to its front page when a registration is wrong', rules: ['auth.as-registration-errors'], says: /302/,
   change: {http(request, response, url, body) {
     if (request.method !== 'POST' || url.pathname !== '/register') return false;
     let wish;
     try { wish = JSON.parse(body); } catch { wish = undefined; }
     if (allowed(wish)) return false;
     response.writeHead(302, {location: '/', 'content-type': 'text/html'});
     response.end('<a href="/">Home</a>');
     return true;
   }}},
  // https://github.com/akutishevsky/nutrition-mcp/issues/148
  {name: 'one-client-for-all', from: 'akutishevsky/nutrition-mcp#148', what: 'gives each registration the same client_id', rules: ['auth.as-registrations-apart'], says: /client_id|registration/,
   change: (() => { let server; const redirects = []; return {
     http(request, response, url, body, authority) { server = authority; return false; },
     registered: () => ({body(client) {
       redirects.push(...client.redirect_uris);
       server.clients.set('the-client', {...client, client_id: 'the-client', redirect_uris: redirects});
       return {...client, client_id: 'the-client'};
     }})}; })()},
  // https://github.com/modelcontextprotocol/ext-apps/pull/681, authorizerdev/authorizer#603
  {name: 'verifier-left-out', from: 'modelcontextprotocol/ext-apps#681', what: 'gives a token for a code with a challenge when no code_verifier comes at all', rules: ['auth.as-pkce-enforced'], says: /verifier/,
   change: {http(request, response, url, body, server) {
     const form = url.pathname === '/token' ? new URLSearchParams(body) : undefined;
     const code = form && form.get('code_verifier') === null ? server.codes.get(form.get('code')) : undefined;
     if (code) code.challenge = hash('');
     return false;
   }}},
  // https://github.com/DollhouseMCP/mcp-server/issues/2793
  {name: 'scopeless-denied', from: 'DollhouseMCP/mcp-server#2793', what: 'takes consent to a request without scope for consent to nothing, and answers access_denied',
   rules: ['auth.as-scope-optional'], says: /scope|access_denied/,
   change: {http(request, response, url, body, server) {
     const asked = url.pathname === '/authorize' && request.method === 'POST' ? new URLSearchParams(body) : undefined;
     if (!asked || asked.get('scope') || !server.consents.has(asked.get('consent')) || !asked.get('redirect_uri')) return false;
     return back(response, asked, {error: 'access_denied', iss: server.issuer});
   }}},
  // https://github.com/dust-tt/dust/pull/22773
  {name: 'resource-refused-at-refresh', from: 'dust-tt/dust#22773', what: 'refuses a refresh that names the resource, as clients of MCP do', rules: ['auth.as-resource-taken'], says: /resource/,
   change: {http(request, response, url, body, server) {
     const form = url.pathname === '/token' ? new URLSearchParams(body) : undefined;
     if (form?.get('grant_type') !== 'refresh_token' || form.get('resource') === null) return false;
     server.refuse(response, 'invalid_request');
     return true;
   }}},
  // the same: "many auth servers reject unknown parameters"; RFC 6749, 3.1 and 3.2
  {name: 'unknown-parameters-refused', from: 'dust-tt/dust#22773', what: 'refuses a request with a parameter that it does not know', rules: ['auth.as-unknown-parameters'], says: /parameter/,
   change: {http(request, response, url, body, server) {
     if (url.pathname !== '/authorize' || request.method !== 'GET' || [...url.searchParams.keys()].every(name => known.includes(name))) return false;
     server.refuse(response, 'invalid_request');
     return true;
   }}},
  // https://github.com/BerriAI/litellm/pull/37204, atlassian/atlassian-mcp-server#205
  {name: 'two-documents-differ', from: 'BerriAI/litellm#37204', what: 'its openid-configuration names another issuer than its oauth-authorization-server', rules: ['auth.as-metadata-published'], says: /issuer|openid/,
   change: {http(request, response, url, body, server) {
     if (url.pathname !== '/.well-known/openid-configuration') return false;
     server.json(response, 200, {...server.metadata(), issuer: `${server.issuer}/oidc`});
     return true;
   }}},
  // https://github.com/mozilla/fxa-content-server/issues/5827
  {name: 'slash-at-the-end', from: 'mozilla/fxa-content-server#5827', what: 'takes a redirect with a slash more at its end than was registered', rules: ['auth.as-exact-redirect-match'], says: /redirect/,
   change: {matches: (registered, asked) => matches(registered, asked) || registered.some(one => one.replace(/\/$/, '') === asked.replace(/\/$/, ''))}},
  // https://github.com/home-assistant/core/issues/176282
  {name: 'documents-advertised-and-unread', from: 'home-assistant/core#176282', what: 'advertises client_id_metadata_document_supported, and never fetches a document', rules: ['auth.as-cimd-fetches', 'auth.cimd-as-support'], says: /document|client_id/,
   change: documents(false), right: documents(true)},
];
