// More of resources.mjs: what the challenge of a protected server leaves out. In the form of resources.mjs; its guard is not exported,
// so that there is a small one here.

import {quiet} from './peers/authority.mjs';

const guard = (challenge = {}) => ({begin(server) { server.authority = quiet({}); }, async http(request, response, body, {server}) {
  const origin = `http://${request.headers.host}`;
  const {pathname} = new URL(request.url, origin);
  const place = `${origin}/.well-known/oauth-protected-resource/mcp`;
  const send = (status, value, headers = {}) => { response.writeHead(status, {'content-type': 'application/json', ...headers}); response.end(JSON.stringify(value)); return true; };
  if (request.method === 'GET' && pathname.startsWith('/.well-known/oauth-protected-resource')) {
    return send(200, {resource: `${origin}/mcp`, authorization_servers: [await server.authority], scopes_supported: ['notes'], bearer_methods_supported: ['header']});
  }
  if (pathname !== '/mcp') return send(404, {error: 'not_found'});
  const given = request.headers.authorization;
  if (/^Bearer +([\x21-\x7e]+)$/i.exec(given ?? '')?.[1] === 'good-token') return false;
  const all = {resource_metadata: place, scope: 'notes', ...given === undefined ? {} : {error: 'invalid_token'}, ...challenge};
  const said = Object.entries(all).filter(([, value]) => value !== undefined).map(([name, value]) => `${name}="${value}"`).join(', ');
  return send(401, {error: 'unauthorized'}, {'www-authenticate': `Bearer ${said}`});
}});

export const cases = [
  // https://github.com/thunder-id/thunderid/issues/4509
  {name: 'rejected-without-a-reason', from: 'thunder-id/thunderid#4509', in: ['legacy http', 'modern http'],
   what: 'has no error="invalid_token" in the challenge to a token that it rejects',
   rules: ['auth.validation-failure-response', 'auth.invalid-token-401'], says: /invalid_token|error/, change: guard({error: undefined}), right: guard()},
  // https://github.com/PrefectHQ/fastmcp/issues/4513
  {name: 'scope-left-out-of-the-challenge', from: 'PrefectHQ/fastmcp#4513', in: ['legacy http', 'modern http'],
   what: 'does not say which scope it wants in the challenge of 401',
   rules: ['auth.challenge-has-scope'], says: /scope/, change: guard({scope: undefined}), right: guard()},
];
