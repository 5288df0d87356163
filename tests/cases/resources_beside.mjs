// More of resources.mjs, thought of beside those of resources_sixteenth.mjs: the same kinds in other forms.

import {quiet} from './peers/authority.mjs';

const parse = text => { try { return JSON.parse(text); } catch { return undefined; } };
const path = '/.well-known/oauth-protected-resource';

const guard = ({challenge, metadata, refuse, own, place = `${path}/mcp`} = {}) => ({begin(server) { server.authority = quiet({}); }, async http(request, response, body, {server}) {
  const origin = `http://${request.headers.host}`;
  const {pathname} = new URL(request.url, origin);
  const send = (status, value, headers = {}) => {
    response.writeHead(status, {'content-type': 'application/json', ...headers});
    response.end(JSON.stringify(value));
    return true;
  };
  const mine = own?.[pathname]?.(origin);
  if (mine) return send(200, mine);
  if (request.method === 'GET' && pathname === place) {
    const all = {resource: `${origin}/mcp`, authorization_servers: [await server.authority], scopes_supported: ['notes'], bearer_methods_supported: ['header']};
    return send(200, metadata?.(all, origin) ?? all);
  }
  if (pathname !== '/mcp') return send(404, {error: 'not_found'});
  const given = request.headers.authorization;
  const token = /^Bearer +([\x21-\x7e]+)$/i.exec(given ?? '')?.[1];
  if (token === 'good-token') return false;
  if (refuse?.({send, given, request, message: parse(body)})) return true;
  const error = given === undefined ? '' : ', error="invalid_token"';
  return send(401, {error: 'unauthorized'}, {'www-authenticate': `Bearer resource_metadata="${challenge?.(origin) ?? origin}${place}", scope="notes"${error}`});
}});
const outside = answer => guard({refuse: all => all.request.headers['mcp-session-id'] === undefined && all.message?.method !== 'initialize' && answer(all)});
const issuer = (named, documents) => guard({metadata: (all, origin) => ({...all, authorization_servers: [named(origin)]}), own: documents});
const as = it => ({issuer: it, authorization_endpoint: `${it}/authorize`, token_endpoint: `${it}/token`, response_types_supported: ['code'], code_challenge_methods_supported: ['S256']});
const oauth = '/.well-known/oauth-authorization-server';
const openid = '/.well-known/openid-configuration';
const same = '2025-11-25 basic/authorization, Error Handling: 401 when authorization is required';
const inner = 'RFC 9728, 5.1 and 3.3: the resource MUST be identical to the URL that the client used';
const issuers = 'RFC 8414, 3.3: the issuer in the metadata MUST be identical to the issuer identifier that its address was made of';
const known = {rules: ['auth.prm-implemented', 'auth.challenge-reachable'], says: /resource/, clause: inner, from: 'vercel/mcp-handler#110', in: ['legacy http', 'modern http'], right: guard()};
const slash = {rules: ['auth.prm-lists-authorization-servers'], says: /issuer/, clause: issuers, from: 'SparkDevNetwork/Rock#6974', in: ['legacy http', 'modern http'],
  right: issuer(origin => origin, {[oauth]: as})};
const first = {rules: ['auth.missing-token-401'], says: /401/, clause: same, from: 'punkpeye/fastmcp#180', in: ['legacy http'], right: guard()};

export const cases = [
  {name: 'beside-session-not-found', ...first, what: 'answers who has neither token nor session with 404',
   change: outside(({send, given, request}) => given === undefined && request.method === 'POST' && send(404, {error: 'Session not found'}))},
  {name: 'beside-get-wants-a-session', ...first, what: 'answers GET without token and session with 400',
   change: outside(({send, given, request}) => given === undefined && request.method === 'GET' && send(400, {error: 'Mcp-Session-Id is missing'}))},
  {name: 'beside-strangers-want-a-session', ...first, rules: ['auth.missing-token-401', 'auth.invalid-token-401'], what: 'answers who has a wrong token and no session with 400',
   change: outside(({send, given}) => given !== undefined && send(400, {error: 'No session'}))},
  {name: 'beside-fails-without-a-session', ...first, what: 'answers who has neither token nor session with 500',
   change: outside(({send, given, request}) => given === undefined && request.method === 'POST' && send(500, {error: 'undefined has no session'}))},
  {name: 'beside-not-acceptable', ...first, what: 'answers who has neither token nor session with 422',
   change: outside(({send, given, request}) => given === undefined && request.method === 'POST' && send(422, {error: 'session'}))},

  {name: 'beside-backend', ...known, what: 'names itself by the name of a container', change: guard({challenge: () => 'http://backend:3000', metadata: all => ({...all, resource: 'http://backend:3000/mcp'})})},
  {name: 'beside-secure-outside', ...known, what: 'names itself by https and its own port', change: guard({challenge: origin => origin.replace('http:', 'https:'), metadata: all => ({...all, resource: all.resource.replace('http:', 'https:')})})},
  {name: 'beside-public-at-the-root', ...known, what: 'names itself by another host, with metadata at the root alone', change: guard({place: path, challenge: () => 'https://mcp.example', metadata: all => ({...all, resource: 'https://mcp.example/mcp'})})},
  {name: 'beside-leads-inside-alone', ...known, what: 'leads to a private address, and its metadata are right', change: guard({challenge: () => 'http://10.0.0.7:8080'})},
  {name: 'beside-named-inside-alone', ...known, what: 'names its resource by a private address, and leads to itself', change: guard({metadata: all => ({...all, resource: 'http://10.0.0.7:8080/mcp'})})},

  {name: 'beside-own-issuer-with-a-slash', ...slash, what: 'is its own issuer, with a slash more in the list', change: issuer(origin => `${origin}/`, {[oauth]: as})},
  {name: 'beside-own-issuer-without-its-slash', ...slash, what: 'is its own issuer, with a slash more in the metadata', change: issuer(origin => origin, {[oauth]: origin => as(`${origin}/`)})},
  {name: 'beside-own-issuer-by-openid', ...slash, what: 'is its own issuer by OpenID Connect, with a slash more', change: issuer(origin => `${origin}/`, {[openid]: as})},
  {name: 'beside-own-issuer-with-a-path', ...slash, what: 'is its own issuer with a path, which the metadata lack', change: issuer(origin => `${origin}/oauth`, {[`${oauth}/oauth`]: as})},
  {name: 'beside-own-issuer-over-tls', ...slash, what: 'is its own issuer, by https in the metadata', change: issuer(origin => origin, {[oauth]: origin => as(origin.replace('http:', 'https:'))})},
];
