// Faults of authorization servers that public reports tell of, each rebuilt small as one change to a right one.
//
//   node authorities.mjs NAME [--right]      says "listening on PORT"

import {createHash} from 'node:crypto';
import {fileURLToPath} from 'node:url';

import {cases as field} from './authorities_field.mjs';
import {cases as forms} from './authorities_forms.mjs';
import {cases as reports} from './authorities_reports.mjs';
import {cases as sixth} from './authorities_sixth.mjs';
import {cases as seventh} from './authorities_seventh.mjs';
import {cases as ninth} from './authorities_ninth.mjs';
import {cases as tenth} from './authorities_tenth.mjs';
import {cases as eleventh} from './authorities_eleventh.mjs';
import {cases as twelfth} from './authorities_twelfth.mjs';
import {cases as thirteenth} from './authorities_thirteenth.mjs';
import {cases as fifteenth} from './authorities_fifteenth.mjs';
import {cases as sixteenth} from './authorities_sixteenth.mjs';
import {cases as eighteenth} from './authorities_eighteenth.mjs';
import {cases as nineteenth} from './authorities_nineteenth.mjs';
import {cases as seventeenth} from './authorities_seventeenth.mjs';
import {cases as fourteenth} from './authorities_fourteenth.mjs';
import {authorize} from './peers/authority.mjs';

const grants = ['authorization_code', 'refresh_token'];

const bare = wish => wish && typeof wish === 'object';
const refreshes = (url, body) => { const form = new URLSearchParams(body); return url.pathname === '/token' && form.get('grant_type') === 'refresh_token' ? form : undefined; };
// Remembers the refresh tokens that were used, and does `again` when one comes once more.
const remembers = again => ({http(request, response, url, body, server) {
  const form = refreshes(url, body);
  if (!form) return false;
  server.used ??= new Map;
  const token = form.get('refresh_token');
  const kept = server.refreshes.get(token);
  if (server.used.has(token)) return again(server, response, server.used.get(token));
  if (kept && kept.client === form.get('client_id')) server.used.set(token, kept);
  return false;
}});
const revokes = (server, response, family) => {
  for (const [token, kept] of server.refreshes) if (kept === family) server.refreshes.delete(token);
  server.refuse(response, 'invalid_grant');
  return true;
};
const known = text => /^http:\/\/(127\.0\.0\.1|localhost)(:\d+)?\//.test(text);
const aims = eats => ({http(request, response, url, body, server) {
  const form = refreshes(url, body);
  if (!form || form.get('resource') === null || known(form.get('resource')) || !server.clients.has(form.get('client_id'))) return false;
  if (eats) server.refreshes.delete(form.get('refresh_token'));
  server.refuse(response, 'invalid_target');
  return true;
}});
// Clients with secrets, by post and basic.
const methods = ['client_secret_post', 'client_secret_basic'];
const confidential = (listed, expiry) => ({
  metadata: all => ({...all, token_endpoint_auth_methods_supported: listed}),
  registered: wish => methods.includes(wish?.token_endpoint_auth_method) ? {body: client => Object.assign(client, {token_endpoint_auth_method: wish.token_endpoint_auth_method, client_secret: `secret-of-${client.client_id}`, ...expiry})} : undefined,
  http(request, response, url, body, server) {
    if (url.pathname !== '/token' || !/^application\/x-www-form-urlencoded/.test(request.headers['content-type'] ?? '')) return false;
    const form = new URLSearchParams(body);
    const basic = /^Basic (.+)$/.exec(request.headers.authorization ?? '')?.[1];
    const [id, secret] = basic ? Buffer.from(basic, 'base64').toString().split(':').map(decodeURIComponent) : [form.get('client_id'), form.get('client_secret')];
    const client = server.clients.get(id);
    if (!client?.client_secret) return false;
    const method = basic ? 'client_secret_basic' : 'client_secret_post';
    if (secret !== client.client_secret || method !== client.token_endpoint_auth_method) { server.refuse(response, 'invalid_client', 401, basic ? {'www-authenticate': 'Basic realm="notes"'} : {}); return true; }
    form.set('client_id', id);
    server.token(response, form);
    return true;
  }});

export const cases = [
  {name: 'wants-both-grants', from: 'PrefectHQ/fastmcp#2460', what: 'registers no client that names one grant alone',
   rules: ['auth.as-registration-code-alone', 'auth.as-registration-answer'], says: /grant/,
   change: {registered: wish => grants.every(one => wish?.grant_types?.includes(one)) ? undefined : {status: 400, body: {error: 'invalid_client_metadata', error_description: 'grant_types must be authorization_code and refresh_token'}}}},
  {name: 'takes-plain-pkce', from: 'axiomhq/mcp#71', what: 'takes code_challenge_method=plain, which it does not advertise',
   rules: ['auth.as-pkce-method-known', 'auth.as-pkce-enforced'], says: /plain/, change: {pkce: asked => asked.get('code_challenge_method') === 'plain'}},
  {name: 'registers-javascript', from: 'axiomhq/mcp#71', what: 'registers javascript: as a redirect',
   rules: ['auth.as-registration-redirects'], says: /registers the redirect URI/, change: {registered: () => ({taken: true})}},
  {name: 'refuses-what-it-registered', from: 'tableau/tableau-mcp#866', what: 'refuses to authorize with the https redirect that it has registered',
   rules: ['auth.as-registered-is-served'], says: /redirect/, change: {matches: (all, asked) => all.includes(asked) && !asked.startsWith('https:')}},
  {name: 'any-redirect', from: 'mcp-use/mcp-use#2075', what: 'sends anybody anywhere', rules: ['auth.as-exact-redirect-match'], says: /redirect/, change: {matches: () => true}},
  {name: 'state-decoded', from: 'servers that read the state', what: 'reads + in the state as a blank, and sends it so',
   rules: ['auth.as-state-returned'], says: /state/,
   change: {location(url) { if (url.searchParams.get('state')) url.searchParams.set('state', url.searchParams.get('state').replace(/[^A-Za-z0-9_-]/g, '')); return url.href; }}},
  {name: 'redirect-query-lost', from: 'servers that build redirects anew', what: 'drops the query of the redirect that was registered',
   rules: ['auth.as-redirect-query-kept'], says: /query/,
   change: {location(url, asked, redirect) { for (const name of new URL(redirect).searchParams.keys()) url.searchParams.delete(name); return url.href; }}},
  {name: 'issuer-with-a-slash', from: 'servers with two names', what: 'publishes an issuer with a slash at its end', rules: ['auth.as-metadata-issuer-validated', 'auth.as-metadata-members', 'auth.as-sends-iss'], says: /issuer|iss/,
   change: {metadata: all => ({...all, issuer: `${all.issuer}/`})}},
  {name: 'expires-as-text', from: 'servers with numbers in texts', what: 'says expires_in as a text', rules: ['auth.as-token-answer'], says: /expires_in/,
   change: {token: answer => ({...answer, body: {...answer.body, expires_in: '600'}})}},
  {name: 'errors-with-200', from: 'token endpoints that answer 200', what: 'answers refusals at the token endpoint with 200', rules: ['auth.as-oauth21', 'auth.as-registration-errors'], says: /200/,
   change: {refused: (error, status, headers) => [200, {error}, headers]}},
  {name: 'tokens-kept-in-caches', from: 'token endpoints without Cache-Control', what: 'lets caches keep tokens', rules: ['auth.as-token-no-store'], says: /no-store/,
   change: {token: answer => ({...answer, headers: {'cache-control': 'public, max-age=60'}}), refused: (error, status, headers) => [status, {error}, {...headers, 'cache-control': 'public, max-age=60'}]}},
  {name: 'codes-live-on', from: 'codes that are used twice', what: 'gives a token for a code that was used', rules: ['auth.as-oauth21'], says: /code/,
   change: {http(request, response, url, body, server) { server.codes.delete = () => true; }}},
  {name: 'verifier-unread', from: 'PKCE that is asked for and not checked', what: 'gives a token for any code_verifier', rules: ['auth.as-pkce-enforced'], says: /code_verifier|PKCE/,
   change: {http(request, response, url, body, server) {
     const form = new URLSearchParams(body);
     if (url.pathname !== '/token' || form.get('grant_type') !== 'authorization_code') return false;
     const code = server.codes.get(form.get('code'));
     if (!code) return false;
     server.codes.delete(form.get('code'));
     server.give(response, code);
     return true;
   }}},
  {name: 'refresh-tokens-live-on', from: 'refresh tokens of public clients that do not turn', what: 'takes a refresh token twice', rules: ['auth.refresh-rotation'], says: /refresh/,
   change: {http(request, response, url, body, server) { server.refreshes.delete = () => true; }}},
  {name: 'any-resource', from: 'tokens for anybody', what: 'gives tokens for resources that it does not know', rules: ['auth.as-unknown-resource'], says: /resource/, change: {resource: () => true}},
  {name: 'two-resources-kill', from: 'parameters in arrays', what: 'answers 500 to two resources', rules: ['auth.as-several-resources'], says: /500|resource/,
   change: {http(request, response, url, body) {
     const all = [...url.searchParams.getAll('resource'), ...new URLSearchParams(body).getAll('resource')];
     if (all.length < 2) return false;
     response.writeHead(500, {'content-type': 'text/html'});
     response.end('<h1>Internal Server Error</h1>');
     return true;
   }}},
  {name: 'page-for-metadata', from: 'outline/outline#11572', what: 'serves a page with 200 where it has no metadata', rules: ['auth.as-metadata-no-page'], says: /JSON/,
   change: {http(request, response, url) {
     if (!url.pathname.startsWith('/.well-known/') || url.pathname === '/.well-known/oauth-authorization-server') return false;
     response.writeHead(200, {'content-type': 'text/html'});
     response.end('<!doctype html><title>App</title>');
     return true;
   }}},
  {name: 'redirect-of-an-error', from: 'open redirects', what: 'sends the user to an unregistered redirect with the error', rules: ['auth.as-exact-redirect-match', 'auth.as-untrusted-redirect-guard'], says: /redirect/,
   change: {http(request, response, url, body, server) {
     const [client, redirect] = [server.clients.get(url.searchParams.get('client_id')), url.searchParams.get('redirect_uri')];
     if (url.pathname !== '/authorize' || !client || !redirect || client.redirect_uris.includes(redirect) || !/^https?:/.test(redirect)) return false;
     response.writeHead(302, {location: `${redirect}?error=invalid_request`});
     response.end();
     return true;
   }}},
  {name: 'code-of-another-client', from: 'codes that anybody may use', what: 'gives a token for the code of another client', rules: ['auth.as-code-bound-to-client'], says: /client/,
   change: {http(request, response, url, body, server) {
     const form = new URLSearchParams(body);
     const code = server.codes.get(form.get('code'));
     if (url.pathname === '/token' && code && server.clients.has(form.get('client_id'))) code.client = form.get('client_id');
   }}},
  {name: 'basic-advertised-and-unread', from: 'springfall2008/batpred#4799', what: 'advertises client_secret_basic, registers for it, and reads no Authorization header',
   rules: ['auth.as-oauth21', 'auth.as-metadata-members', 'auth.as-methods-as-listed'], says: /client_secret_basic/,
   change: {metadata: all => ({...all, token_endpoint_auth_methods_supported: ['none', 'client_secret_basic', 'client_secret_post']}),
            registered: wish => wish?.token_endpoint_auth_method === 'client_secret_basic' && Array.isArray(wish.redirect_uris) && wish.redirect_uris.every(uri => /^(https:|http:\/\/(127\.0\.0\.1|localhost|\[::1\]))/.test(uri) && !uri.includes('#'))
                ? {status: 201, body: client => Object.assign(client, {token_endpoint_auth_method: 'client_secret_basic', client_secret: 'a-secret-of-this-client', client_secret_expires_at: 0})} : undefined}},
  {name: 'scope-wanted', from: 'dozigden/boardoil#11', what: 'registers no client that names no scope', rules: ['auth.as-registration-optional-members'], says: /scope/,
   change: {registered: wish => wish?.scope ? undefined : {status: 400, body: {error: 'invalid_client_metadata', error_description: 'Only notes and offline_access are supported'}}}},
  {name: 'name-wanted', from: 'Ngineer101/turbodiff#111', what: 'registers no client that names no client_name', rules: ['auth.as-registration-optional-members'], says: /client_name/,
   change: {registered: wish => wish?.client_name ? undefined : {status: 400, body: {error: 'invalid_client_metadata', error_description: 'client_name is required'}}}},
  {name: 'iss-promised', from: 'cloudflare/mcp-server-cloudflare#449', what: 'advertises iss and sends none', rules: ['auth.as-sends-iss'], says: /iss/,
   change: {location(url) { url.searchParams.delete('iss'); return url.href; }}},
  {name: 'errors-without-state', from: 'medusajs/medusa#15331', what: 'drops the state where it redirects with an error', rules: ['auth.as-state-returned'], says: /state/,
   change: {location(url) { if (url.searchParams.has('error')) url.searchParams.delete('state'); return url.href; }}},
  {name: 'https-alone', from: 'contextstream/mcp-server#57', what: 'registers no redirect at a loopback address', rules: ['auth.as-registration-usual-redirects'], says: /localhost|127\.0\.0\.1|loopback/,
   change: {registered: wish => wish?.redirect_uris?.some(uri => uri.startsWith('http:')) ? {status: 400, body: {error: 'invalid_redirect_uri', error_description: 'Redirect URI must use HTTPS'}} : undefined}},
  {name: 'errors-on-a-page', from: 'ProfessionalWiki/MediaWiki-MCP-Server#508', what: 'shows the user a page where it owes the client an error', rules: ['auth.as-errors-reach-the-client'], says: /redirect|page/,
   change: {page(response, error) { response.writeHead(400, {'content-type': 'text/html'}); response.end(`<h1>${error}</h1>`); return true; }}},
  {name: 'unknown-grants-500', from: 'BerriAI/litellm#29588', what: 'answers 500 to a refresh token that it does not know', rules: ['auth.as-unknown-grants'], says: /500/,
   change: {refused: (error, status, headers) => error === 'invalid_grant' ? [500, {detail: 'Internal Server Error'}, headers] : [status, {error}, headers]}},
  {name: 'redirects-with-nothing', from: 'es617/obsidian-sync-mcp#12', what: 'sends the user back to the client with neither code nor state', rules: ['auth.as-answers-with-a-code'], says: /code/,
   change: {location: (url, asked, redirect) => url.searchParams.has('error') ? url.href : redirect}},
  {name: 'listed-scope-refused', from: 'UsefulSoftwareCo/executor#689', what: 'lists a scope that it refuses to clients who did not register for it', rules: ['auth.as-listed-scopes-granted'], says: /scope/,
   change: {registered: wish => wish?.scope ? {body: client => Object.assign(client, {scope: wish.scope})} : undefined,
            http(request, response, url, body, server) {
              const client = server.clients.get(url.searchParams.get('client_id'));
              if (url.pathname !== '/authorize' || request.method !== 'GET' || !client || client.scope || !url.searchParams.get('scope')?.includes('offline_access')) return false;
              const back = new URL(url.searchParams.get('redirect_uri'));
              for (const [name, value] of Object.entries({error: 'invalid_scope', state: url.searchParams.get('state') ?? '', iss: server.issuer})) back.searchParams.set(name, value);
              response.writeHead(302, {location: back.href});
              response.end();
              return true;
            }}},
  {name: 'metadata-before-flight', from: 'routecraftjs/routecraft#320', what: 'lets pages read its metadata, and answers 404 when their browser asks first', rules: ['auth.as-cors-throughout'], says: /OPTIONS/,
   change: {http(request, response, url) { if (request.method !== 'OPTIONS' || !url.pathname.startsWith('/.well-known/')) return false; response.writeHead(404); response.end(); return true; }}},
  // What shows with two at once, with a second client, a second time.
  {name: 'errors-of-its-own', from: 'supabase/auth#2829', what: 'answers unknown refresh tokens with members of its own instead of error', rules: ['auth.as-unknown-grants', 'auth.as-errors-as-json'], says: /error/,
   change: {refused: (error, status, headers) => error === 'invalid_grant' ? [400, {code: 400, error_code: 'refresh_token_not_found', msg: 'Invalid Refresh Token: Refresh Token Not Found'}, headers] : [status, {error}, headers]}},
  {name: 'refresh-advertised-and-refused', from: 'BerriAI/litellm#23701', what: 'advertises the grant refresh_token, gives such tokens, and takes none', rules: ['auth.as-grants-as-listed', 'auth.as-unknown-grants'], says: /refresh_token/,
   change: {http(request, response, url, body, server) { if (url.pathname !== '/token' || new URLSearchParams(body).get('grant_type') !== 'refresh_token') return false; server.refuse(response, 'unsupported_grant_type'); return true; }}},
  {name: 'other-redirect-at-token', from: 'Cloudgeni-ai/opengeni#2545', what: 'gives a token for a code with another redirect_uri than that of the authorization', rules: ['auth.as-code-bound-to-redirect', 'auth.as-oauth21'], says: /redirect_uri/,
   change: {http(request, response, url, body, server) {
     const form = new URLSearchParams(body);
     const code = url.pathname === '/token' ? server.codes.get(form.get('code')) : undefined;
     if (code && form.get('redirect_uri')) code.redirect = form.get('redirect_uri');
     return false;
   }}},
  {name: 'refreshes-at-once', from: 'synthetic-sciences/openscience#59', what: 'takes one refresh token twice when both requests come at once', rules: ['auth.refresh-rotation', 'auth.as-refresh-used-once'], says: /at once/,
   change: {async http(request, response, url, body, server) {
     const form = new URLSearchParams(body);
     const kept = url.pathname === '/token' && form.get('grant_type') === 'refresh_token' ? server.refreshes.get(form.get('refresh_token')) : undefined;
     if (!kept || kept.client !== form.get('client_id')) return false;
     await new Promise(resolve => setTimeout(resolve, 80));
     server.refreshes.delete(form.get('refresh_token'));
     server.give(response, kept);
     return true;
   }}},
  {name: 'codes-at-once', from: 'keboola/mcp-server#505', what: 'takes one code twice when both requests come at once', rules: ['auth.as-code-used-once', 'auth.as-oauth21'], says: /at once|same time|code/,
   change: {async http(request, response, url, body, server) {
     const form = new URLSearchParams(body);
     const code = url.pathname === '/token' && form.get('grant_type') === 'authorization_code' ? server.codes.get(form.get('code')) : undefined;
     const verified = code && createHash('sha256').update(form.get('code_verifier') ?? '').digest('base64url') === code.challenge;
     if (!verified || code.client !== form.get('client_id') || form.get('redirect_uri') !== null && form.get('redirect_uri') !== code.redirect) return false;
     await new Promise(resolve => setTimeout(resolve, 80));
     server.codes.delete(form.get('code'));
     server.give(response, code);
     return true;
   }}},
  {name: 'refresh-widens-the-scope', from: 'anthropics/claude-code#89862', what: 'gives more scope for a refresh token than it was given with', rules: ['auth.as-refresh-scope', 'auth.as-oauth21'], says: /scope/,
   change: {http(request, response, url, body, server) {
     const form = new URLSearchParams(body);
     const kept = url.pathname === '/token' && form.get('grant_type') === 'refresh_token' ? server.refreshes.get(form.get('refresh_token')) : undefined;
     if (kept && form.get('scope')) kept.scope = form.get('scope');
     return false;
   }}},
  {name: 'clients-by-name', from: 'giantswarm/muster#269', what: 'knows clients by client_name, so that a second registration takes the redirects of the first', rules: ['auth.as-registrations-apart', 'auth.as-registration-answer'], says: /client_id|registration/,
   change: {http(request, response, url, body, server) {
     let wish;
     try { wish = JSON.parse(body); } catch { return false; }
     const known = url.pathname === '/register' && Array.isArray(wish?.redirect_uris) && wish.client_name ? [...server.clients.values()].find(one => one.client_name === wish.client_name) : undefined;
     if (!known || !wish.redirect_uris.every(uri => /^https:|^http:\/\/(127\.0\.0\.1|localhost|\[::1\])/.test(uri) && !uri.includes('#'))) return false;
     known.redirect_uris = wish.redirect_uris;
     server.json(response, 201, known);
     return true;
   }}},
  {name: 'iss-with-codes-alone', from: 'authorization servers that sign successes', what: 'sends iss with a code and not with an error', rules: ['auth.as-sends-iss'], says: /iss/,
   change: {location(url) { if (url.searchParams.has('error')) url.searchParams.delete('iss'); return url.href; }}},
  // What is said of a refusal, of a registration, and after it.
  {name: 'replay-spares-the-family', from: 'maxkuminov/obsidian-mcp#182', what: 'refuses a used refresh token, and lets its successor live',
   rules: ['auth.refresh-rotation', 'auth.as-refresh-used-once', 'auth.as-oauth21'], says: /refresh/, change: {}, right: remembers(revokes)},
  {name: 'failed-refresh-eats-the-token', from: 'LanternOps/breeze#2363', what: 'a refresh that it refuses with invalid_target uses up the refresh token',
   rules: ['auth.as-unknown-resource', 'auth.refresh-rotation', 'auth.as-unknown-grants'], says: /refresh/, change: aims(true), right: aims(false)},
  {name: 'secret-for-none', from: 'open-metadata/OpenMetadata#28552', what: 'gives a secret to clients that register for none, and wants it',
   rules: ['auth.as-registration-answer', 'auth.as-methods-as-listed', 'auth.as-oauth21'], says: /secret|none/,
   change: {registered: wish => bare(wish) ? {body: client => Object.assign(client, {client_secret: `secret-of-${client.client_id}`, client_secret_expires_at: 0})} : undefined,
            http(request, response, url, body, server) {
              const form = new URLSearchParams(body);
              const client = url.pathname === '/token' ? server.clients.get(form.get('client_id')) : undefined;
              if (!client?.client_secret || form.get('client_secret') === client.client_secret) return false;
              server.refuse(response, 'invalid_client', 401);
              return true;
            }}},
  {name: 'secret-without-expiry', from: 'gts360/django-oauth-toolkit-dcr#5', what: 'gives a secret without client_secret_expires_at',
   rules: ['auth.as-registration-answer'], says: /client_secret_expires_at/, change: confidential(['none', ...methods], {}), right: confidential(['none', ...methods], {client_secret_expires_at: 0})},
  {name: 'client-id-alone', from: 'agentgateway/agentgateway#1936', what: 'answers a registration with the client_id and nothing else',
   rules: ['auth.as-registration-answer'], says: /redirect_uris/, change: {registered: wish => bare(wish) ? {body: ({client_id}) => ({client_id})} : undefined}},
  {name: 'nulls-for-the-unset', from: 'ory/hydra#4116', what: 'writes contacts: null and client_uri: "" for what was not registered',
   rules: ['auth.as-registration-answer'], says: /contacts|client_uri|null/, change: {registered: wish => bare(wish) ? {body: client => ({...client, contacts: wish.contacts ?? null, client_uri: wish.client_uri ?? ''})} : undefined}},
  {name: 'null-grants', from: 'sigbit/mcp-auth-proxy#173', what: 'answers grant_types: null where the registration left them out',
   rules: ['auth.as-registration-answer'], says: /grant_types/,
   change: {registered: wish => bare(wish) ? {body: client => ({...client, grant_types: wish.grant_types ?? null, response_types: wish.response_types ?? null, token_endpoint_auth_method: wish.token_endpoint_auth_method ?? ''})} : undefined}},
  {name: 'default-method-refused', from: 'obot-platform/mcp-oauth-proxy#52', what: 'refuses a registration without token_endpoint_auth_method',
   rules: ['auth.as-registration-optional-members'], says: /token_endpoint_auth_method/,
   change: {registered: wish => bare(wish) && wish.token_endpoint_auth_method === undefined ? {status: 400, body: {error: 'invalid_client_metadata', error_description: 'unsupported token_endpoint_auth_method: client_secret_basic'}} : undefined}},
  {name: 'used-is-invalid-request', from: 'obot-platform/obot#7501', what: 'answers invalid_request to a refresh token that was used',
   rules: ['auth.as-unknown-grants', 'auth.refresh-rotation', 'auth.as-refresh-used-once'], says: /invalid_grant|invalid_request/,
   change: remembers((server, response) => { server.refuse(response, 'invalid_request'); return true; })},
  {name: 'none-unlisted', from: 'modelcontextprotocol/python-sdk#2260', what: 'registers clients for none, which its metadata does not list',
   rules: ['auth.as-methods-as-listed', 'auth.as-metadata-members', 'auth.as-registration-answer'], says: /none/,
   change: confidential(methods, {client_secret_expires_at: 0}), right: confidential(['none', ...methods], {client_secret_expires_at: 0})},
  ...forms,
  ...field,
  ...reports,
  ...sixth, ...seventh, ...ninth, ...tenth, ...eleventh, ...twelfth, ...thirteenth, ...fourteenth, ...fifteenth, ...sixteenth, ...seventeenth, ...eighteenth, ...nineteenth,
];

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const chosen = cases.find(one => one.name === process.argv[2]);
  if (!chosen) throw new Error(`no case is called ${process.argv[2]}`);
  authorize(process.argv.includes('--right') ? chosen.right ?? {} : chosen.change);
}
