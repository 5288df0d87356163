// More of authorities.mjs, by a stranger: registration in plain text, grants that are not listed, one error for all.

const known = ['Claude Code', 'Cursor', 'Visual Studio Code', 'Codex'];
const listed = refuse => ({http(request, response, url, body) {
  if (request.method !== 'POST' || url.pathname !== '/register') return false;
  let wish;
  try { wish = JSON.parse(body); } catch { return false; }
  if (known.includes(wish?.client_name)) return false;
  const [status, type, text] = refuse;
  response.writeHead(status, {'content-type': type, 'cache-control': 'no-store', 'access-control-allow-origin': '*'});
  response.end(text);
  return true;
}});

export const cases = [
  // https://github.com/SkillfulAgents/SuperAgent/pull/502
  {name: 'registration-refused-by-a-word', from: 'SkillfulAgents/SuperAgent#502',
   what: 'registers clients by a list of names, and refuses all others with 403 and the plain text Forbidden',
   rules: ['auth.as-registration-errors'], says: /403|JSON|error|registr/i,
   change: listed([403, 'text/plain', 'Forbidden']),
   right: listed([400, 'application/json', JSON.stringify({error: 'invalid_client_metadata', error_description: 'This client is not on the list'})])},
  // https://github.com/tuannvm/oauth-mcp-proxy/issues/33
  {name: 'refresh-not-listed', from: 'tuannvm/oauth-mcp-proxy#33',
   what: 'registers clients for refresh_token, gives refresh tokens and takes them, and lists authorization_code alone',
   rules: ['auth.as-grants-as-listed', 'auth.as-registration-answer'], says: /refresh_token|grant/i,
   change: {metadata: all => ({...all, grant_types_supported: ['authorization_code']})}},
  // https://github.com/metabase/metabase/issues/80389
  {name: 'one-error-for-all', from: 'metabase/metabase#80389',
   what: 'answers invalid_request to whatever fails at the token endpoint, dead refresh tokens and codes among it',
   rules: ['auth.as-unknown-grants', 'auth.as-refresh-used-once'], says: /invalid_grant|invalid_request|invalid_client|unsupported_grant_type/,
   change: (() => { let atToken = false; return {
     http(request, response, url) { atToken = url.pathname === '/token'; return false; },
     refused: (error, status, headers) => atToken ? [400, {error: 'invalid_request', error_description: 'The token request is invalid.'}, {}] : [status, {error}, headers]}; })()},
];
