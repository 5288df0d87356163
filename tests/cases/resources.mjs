// Faults of protected servers and of their resource metadata (RFC 9728), each one change to a right server, which a
// quiet authorization server stands beside.
//
//   node resources.mjs NAME@ERA TRANSPORT [--right]      says "listening on PORT"; the token is good-token

import {fileURLToPath} from 'node:url';

import {quiet} from './peers/authority.mjs';
import {serve} from './peers/server.mjs';

const guard = (what = {}) => ({begin(server) { server.authority = quiet({}); }, async http(request, response, body, {server}) {
  const origin = `http://${request.headers.host}`;
  const {pathname} = new URL(request.url, origin);
  const place = `${origin}/.well-known/oauth-protected-resource/mcp`;
  const send = (status, value, headers = {}) => { response.writeHead(status, {'content-type': 'application/json', ...headers}); response.end(JSON.stringify(value)); return true; };
  if (request.method === 'GET' && pathname === '/.well-known/oauth-protected-resource/mcp') {
    const all = {resource: `${origin}/mcp`, authorization_servers: [await server.authority], scopes_supported: ['notes'], bearer_methods_supported: ['header']};
    return send(200, what.metadata?.(all, origin) ?? all);
  }
  if (pathname !== '/mcp') return send(404, {error: 'not_found'});
  const given = request.headers.authorization;
  const bearer = /^Bearer +([\x21-\x7e]+)$/i.exec(given ?? '')?.[1];
  if (bearer === 'good-token' || what.lets?.(bearer, body)) return false;
  const error = given === undefined ? '' : ', error="invalid_token"';
  return send(401, {error: 'unauthorized'}, what.bare ? {} : {'www-authenticate': `Bearer resource_metadata="${place}", scope="notes"${error}`});
}});

export const cases = [
  {name: 'prm-names-the-origin', from: 'akutishevsky/withings-mcp#20', in: ['legacy http', 'modern http'], what: 'the metadata at .../mcp names the origin as the resource, not .../mcp',
   rules: ['auth.prm-implemented', 'auth.prm-location-mechanism'], says: /resource/, change: guard({metadata: (all, origin) => ({...all, resource: origin})}), right: guard()},
  {name: 'bare-401', from: 'InsForge/insforge-mcp#69', in: ['legacy http', 'modern http'], what: 'refuses with 401 and no WWW-Authenticate',
   rules: ['auth.www-authenticate-on-401', 'auth.validation-failure-response', 'auth.challenge-has-scope', 'auth.prm-location-mechanism'], says: /WWW-Authenticate/i, change: guard({bare: true}), right: guard()},
  {name: 'any-bearer-opens', from: 'Mnexa-AI/e2a#102', in: ['legacy http'], what: 'takes any bearer for initialize and tools/list, and looks at it when a tool is called',
   rules: ['auth.token-validated', 'auth.invalid-token-401', 'auth.validation-failure-response'], says: /token/,
   change: guard({lets: (bearer, body) => bearer !== undefined && !/"method":\s*"tools\/call"/.test(body)}), right: guard()},
];

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [name, transport] = process.argv.slice(2);
  const chosen = cases.find(one => one.name === name.split('@')[0]);
  serve(process.argv.includes('--right') ? chosen.right : chosen.change, name.split('@')[1], transport);
}
