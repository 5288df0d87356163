// More of authorities.mjs: the form of an answer with a token, pages that browsers hold to their word, tokens that are revoked.

// revokes has a revocation endpoint (RFC 7009), which does what it says, or not.
const revokes = works => ({
  metadata: all => ({...all, revocation_endpoint: `${all.issuer}/revoke`, revocation_endpoint_auth_methods_supported: ['none']}),
  http(request, response, url, body, server) {
    if (request.method !== 'POST' || url.pathname !== '/revoke') return false;
    const form = new URLSearchParams(body);
    if (!server.clients.has(form.get('client_id'))) { server.refuse(response, 'invalid_client', 401); return true; }
    if (works && server.refreshes.get(form.get('token'))?.client === form.get('client_id')) server.refreshes.delete(form.get('token'));
    response.writeHead(200, {'cache-control': 'no-store', 'access-control-allow-origin': '*'});
    response.end();
    return true;
  }});

export const cases = [
  // https://github.com/simpleidserver/SimpleIdServer/issues/271
  {name: 'scope-in-an-array', from: 'simpleidserver/SimpleIdServer#271', what: 'gives the scope of a token as an array of texts',
   rules: ['auth.as-token-answer', 'auth.as-oauth21'], says: /scope/,
   change: {token: answer => ({...answer, body: {...answer.body, scope: answer.body.scope.split(' ')}})}},
  // https://github.com/Cloudgeni-ai/opengeni/pull/2547
  {name: 'forms-kept-at-home', from: 'Cloudgeni-ai/opengeni#2547',
   what: "has form-action 'self' in the policy of its page of consent, so that no browser follows the redirect to the client that comes of it",
   rules: ['auth.as-answers-with-a-code', 'auth.as-stays-in-reach', 'auth.as-registered-is-served'], says: /form-action|Content-Security-Policy/i,
   change: {http(request, response, url) {
     if (url.pathname !== '/authorize' || request.method !== 'GET') return false;
     const head = response.writeHead.bind(response);
     response.writeHead = (status, headers) => head(status, headers?.['content-security-policy']
       ? {...headers, 'content-security-policy': `${headers['content-security-policy']}; form-action 'self'`} : headers);
     return false;
   }}},
  // https://github.com/obot-platform/mcp-oauth-proxy/pull/44
  {name: 'refresh-revokes-what-it-gives', from: 'obot-platform/mcp-oauth-proxy#44',
   what: 'revokes the tokens that a refresh has just given, in place of those that it was made with',
   rules: ['auth.refresh-rotation', 'auth.as-refresh-used-once', 'auth.as-grants-as-listed'], says: /refresh token/,
   change: {http(request, response, url, body, server) {
     const form = new URLSearchParams(body);
     if (request.method !== 'POST' || url.pathname !== '/token' || form.get('grant_type') !== 'refresh_token' || !server.clients.has(form.get('client_id'))) return false;
     const kept = server.refreshes.get(form.get('refresh_token'));
     if (kept?.client !== form.get('client_id')) return false;
     const before = new Set(server.refreshes.keys());
     server.give(response, kept);
     for (const given of server.refreshes.keys()) if (!before.has(given)) server.refreshes.delete(given);
     return true;
   }}},
  // https://github.com/jasonraimondi/ts-oauth2-server/pull/237
  {name: 'revoked-lives-on', from: 'jasonraimondi/ts-oauth2-server#237', what: 'answers 200 to the revocation of a refresh token, and takes it afterwards',
   rules: ['auth.as-revoked-is-refused'], says: /revoke/,
   change: revokes(false), right: revokes(true)},
];
