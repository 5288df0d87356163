// More of authorities.mjs: challenges, tokens of others, scopes, and addresses of this machine.

const formOf = (request, url, body) => url.pathname === '/token' && request.method === 'POST' ? new URLSearchParams(body) : undefined;
// Gives a token for a code that was asked for without what PKCE needs.
const unverified = missing => ({
  pkce: missing,
  http(request, response, url, body, server) {
    if (url.pathname === '/authorize' && request.method === 'POST') server.loose = missing(new URLSearchParams(body));
    const form = formOf(request, url, body);
    const code = form?.get('grant_type') === 'authorization_code' ? server.codes.get(form.get('code')) : undefined;
    if (!code?.open || code.client !== form.get('client_id')) return false;
    server.codes.delete(form.get('code'));
    server.give(response, code);
    return true;
  }});
const noted = change => ({...change, http(request, response, url, body, server) {
  if (!server.codes.noting) {
    const set = server.codes.set.bind(server.codes);
    server.codes.noting = true;
    server.codes.set = (key, code) => set(key, {...code, open: server.loose});
  }
  return change.http(request, response, url, body, server);
}});
const local = text => { try { return new URL(text).hostname; } catch { return ''; } };

export const cases = [
  // https://github.com/better-auth/better-auth/issues/3411
  {name: 'offline-wants-a-prompt', from: 'better-auth/better-auth#3411', what: 'lists offline_access, and refuses it with invalid_scope unless prompt=consent comes along',
   rules: ['auth.as-listed-scopes-granted'], says: /scope|offline_access/,
   change: {http(request, response, url, body, server) {
     const asked = url.searchParams;
     const client = server.clients.get(asked.get('client_id'));
     if (url.pathname !== '/authorize' || request.method !== 'GET' || !client || !asked.get('redirect_uri') || !asked.get('scope')?.split(' ').includes('offline_access') || asked.get('prompt') === 'consent') return false;
     const back = new URL(asked.get('redirect_uri'));
     for (const [name, value] of Object.entries({error: 'invalid_scope', state: asked.get('state') ?? '', iss: server.issuer})) back.searchParams.set(name, value);
     response.writeHead(302, {location: back.href});
     response.end();
     return true;
   }}},
  // https://github.com/altendky/onshape-mcp/issues/251
  {name: 'challenge-optional', from: 'altendky/onshape-mcp#251', what: 'takes requests without code_challenge, and gives tokens for their codes',
   rules: ['auth.as-pkce-required', 'auth.as-pkce-enforced'], says: /code_challenge|PKCE/, change: noted(unverified(asked => asked.get('code_challenge') === null))},
  // https://github.com/IBM/chuk-mcp-server/pull/60
  {name: 'method-left-out-unverified', from: 'IBM/chuk-mcp-server#60', what: 'takes a code_challenge without a method, and then never looks at the code_verifier',
   rules: ['auth.as-pkce-enforced', 'auth.as-pkce-method-known', 'auth.as-pkce-required'], says: /method|verifier|plain/,
   change: noted(unverified(asked => asked.get('code_challenge') !== null && asked.get('code_challenge_method') === null))},
  // the same: "a leaked refresh token was redeemable by anyone"
  {name: 'refresh-token-of-another', from: 'IBM/chuk-mcp-server#60', what: 'gives a token for the refresh token of another client',
   rules: ['auth.as-refresh-bound-to-client'], says: /client|refresh/,
   change: {http(request, response, url, body, server) {
     const form = formOf(request, url, body);
     const kept = form?.get('grant_type') === 'refresh_token' && server.clients.has(form.get('client_id')) ? server.refreshes.get(form.get('refresh_token')) : undefined;
     if (kept) kept.client = form.get('client_id');
     return false;
   }}},
  // https://github.com/BuilderIO/agent-native/pull/766
  {name: 'foreign-refresh-eats-the-token', from: 'BuilderIO/agent-native#766', what: 'refuses the refresh token of another client, and takes it from the one whose it is',
   rules: ['auth.as-refresh-bound-to-client', 'auth.as-unknown-grants'], says: /refresh/,
   change: {http(request, response, url, body, server) {
     const form = formOf(request, url, body);
     if (form?.get('grant_type') !== 'refresh_token') return false;
     const kept = server.refreshes.get(form.get('refresh_token'));
     if (kept && kept.client !== form.get('client_id')) server.refreshes.delete(form.get('refresh_token'));
     return false;
   }}},
  // https://github.com/giantswarm/mcp-oauth/issues/66
  {name: 'registration-unadvertised', from: 'giantswarm/mcp-oauth#66', what: 'registers clients at /register, and does not name that place in its metadata',
   rules: ['auth.as-registration-advertised'], says: /registration_endpoint/, change: {metadata: ({registration_endpoint, ...rest}) => rest}},
  // https://github.com/better-auth/better-auth/issues/11278
  {name: 'loopback-rewritten', from: 'better-auth/better-auth#11278', what: 'sends a client that registered localhost and 127.0.0.1 to localhost, though it asked for 127.0.0.1',
   rules: ['auth.as-exact-redirect-match', 'auth.as-loopback-ports', 'auth.as-registered-is-served'], says: /localhost|127\.0\.0\.1|redirect/,
   change: {http(request, response, url, body, server) {
     const asked = url.searchParams.get('redirect_uri');
     const all = server.clients.get(url.searchParams.get('client_id'))?.redirect_uris.map(local) ?? [];
     if (url.pathname === '/authorize' && request.method === 'GET' && local(asked) === '127.0.0.1' && all.includes('localhost') && all.includes('127.0.0.1')) {
       url.searchParams.set('redirect_uri', asked.replace('//127.0.0.1', '//localhost'));
     }
     return false;
   }}},
  // https://github.com/mistralai/mistral-vibe/issues/953
  {name: 'no-authorization-endpoint', from: 'mistralai/mistral-vibe#953', what: 'leaves authorization_endpoint out of its metadata',
   rules: ['auth.as-metadata-members'], says: /authorization_endpoint/, change: {metadata: ({authorization_endpoint, ...rest}) => rest}},
];
