// More of resources.mjs: what a protected server says to a token that it does not take, and who may read its metadata. In the form of
// resources.mjs; its guard is not exported, so that there is a small one here.

import {quiet} from './peers/authority.mjs';

const guard = ({refuse, metadataWantsToken} = {}) => ({begin(server) { server.authority = quiet({}); }, async http(request, response, body, {server}) {
  const origin = `http://${request.headers.host}`;
  const {pathname} = new URL(request.url, origin);
  const send = (status, value, headers = {}) => { response.writeHead(status, {'content-type': 'application/json', ...headers}); response.end(JSON.stringify(value)); return true; };
  const given = request.headers.authorization;
  const good = /^Bearer +([\x21-\x7e]+)$/i.exec(given ?? '')?.[1] === 'good-token';
  const all = {resource_metadata: `${origin}/.well-known/oauth-protected-resource/mcp`, scope: 'notes', ...given === undefined ? {} : {error: 'invalid_token'}};
  const challenge = more => `Bearer ${Object.entries({...all, ...more}).map(([name, value]) => `${name}="${value}"`).join(', ')}`;
  if (request.method === 'GET' && pathname.startsWith('/.well-known/oauth-protected-resource') && (good || !metadataWantsToken)) {
    return send(200, {resource: `${origin}/mcp`, authorization_servers: [await server.authority], scopes_supported: ['notes'], bearer_methods_supported: ['header']});
  }
  if (pathname !== '/mcp' && !metadataWantsToken) return send(404, {error: 'not_found'});
  if (good) return pathname === '/mcp' ? false : send(404, {error: 'not_found'});
  if (given !== undefined && refuse) return refuse({send, challenge, origin});
  return send(401, {error: 'unauthorized'}, {'www-authenticate': challenge()});
}});

export const cases = [
  // https://github.com/GitbookIO/gitbook/pull/4280
  {name: 'rejected-by-a-redirect', from: 'GitbookIO/gitbook#4280', in: ['legacy http', 'modern http'],
   what: 'answers a token that has expired with 307 to where people sign in, not with 401',
   rules: ['auth.invalid-token-401', 'auth.validation-failure-response'], says: /307|401|redirect/,
   change: guard({refuse: ({send, origin}) => send(307, {}, {location: `${origin}/sign-in`})}), right: guard()},
  // https://github.com/vercel/mcp-handler/issues/181
  {name: 'expired-is-too-narrow', from: 'vercel/mcp-handler#181', in: ['legacy http', 'modern http'],
   what: 'answers a token that has expired and is of no scope with 403 and insufficient_scope, not with 401 and invalid_token',
   rules: ['auth.invalid-token-401', 'auth.validation-failure-response'], says: /403|401|insufficient_scope/,
   change: guard({refuse: ({send, challenge}) => send(403, {error: 'insufficient_scope'}, {'www-authenticate': challenge({error: 'insufficient_scope'})})}), right: guard()},
  // https://github.com/jimprosser/obsidian-web-mcp/pull/18
  {name: 'metadata-wants-a-token', from: 'jimprosser/obsidian-web-mcp#18', in: ['legacy http', 'modern http'],
   what: 'its guard stands before all that it serves: the metadata that say where tokens are had are answered with 401',
   rules: ['auth.prm-implemented', 'auth.prm-location-mechanism'], says: /401|metadata/,
   change: guard({metadataWantsToken: true}), right: guard()},
];
