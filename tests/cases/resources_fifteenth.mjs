// More of resources.mjs, taken as they came by somebody who has not seen the judge. With a small guard, as in resources_thirteenth.mjs.

import {quiet} from './peers/authority.mjs';

const parse = text => { try { return JSON.parse(text); } catch { return undefined; } };
const path = '/.well-known/oauth-protected-resource';

// header(text, given): the challenge, to change, undefined for none; challenge(all, given): its parameters, as written;
// metadata(all); found(tools): another answer to what is asked beside the endpoint; refuse(tools): another answer to
// whom it likes; open(tools): whether one is let in without a token; scheme: how a token is looked for; first(tools): another answer to what has come in with a good token.
const guard = ({header, challenge, metadata, found, refuse, open, scheme = /^Bearer +([\x21-\x7e]+)$/i, first} = {}) => ({begin(server) { server.authority = quiet({}); }, async http(request, response, body, {server}) {
  const origin = `http://${request.headers.host}`;
  const url = new URL(request.url, origin);
  const {pathname} = url;
  const send = (status, value, headers = {}) => {
    response.writeHead(status, {'content-type': 'application/json', ...headers});
    response.end(JSON.stringify(value));
    return true;
  };
  if (pathname !== '/mcp' && found?.({send, pathname, response})) return true;
  if (request.method === 'GET' && pathname === `${path}/mcp`) {
    const all = {resource: `${origin}/mcp`, authorization_servers: [await server.authority], scopes_supported: ['notes'], bearer_methods_supported: ['header']};
    return send(200, metadata?.(all, origin) ?? all);
  }
  if (pathname !== '/mcp') return send(404, {error: 'not_found'});
  const given = request.headers.authorization;
  const token = scheme.exec(given ?? '')?.[1];
  const tools = {send, given, body, request, server, url, message: parse(body)};
  if (refuse?.(tools)) return true;
  if (token === 'good-token') return first?.(tools) ?? false;
  if (open?.(tools)) return false;
  const error = given === undefined ? [] : [['error', '"invalid_token"']];
  const all = [['resource_metadata', `"${origin}${path}/mcp"`], ['scope', '"notes"'], ...error];
  const plain = `Bearer ${(challenge?.(all, given) ?? all).map(([name, value]) => `${name}=${value}`).join(', ')}`;
  const text = header ? header(plain, given) : plain;
  return send(401, {error: 'unauthorized'}, text === undefined ? {} : {'www-authenticate': text});
}});

export const cases = [
  // https://github.com/gavdilabs/cap-mcp-plugin/issues/111
  {name: 'refused-without-a-word', from: 'gavdilabs/cap-mcp-plugin#111', in: ['legacy http', 'modern http'],
   what: 'answers 401 without WWW-Authenticate',
   clause: 'RFC 9110, 15.5.2: the server generating a 401 response MUST send a WWW-Authenticate header field with at least one challenge (2025-06-18, basic/authorization, Authorization Server Location: MCP servers MUST use it to indicate the resource metadata URL)',
   rules: ['auth.www-authenticate-on-401', 'auth.validation-failure-response', 'auth.challenge-has-scope'], says: /WWW-Authenticate|challenge/i,
   change: guard({header: () => undefined}), right: guard()},
  // https://github.com/square/square-mcp-server/issues/30
  {name: 'no-challenge-for-bad-tokens', from: 'square/square-mcp-server#30', in: ['legacy http', 'modern http'],
   what: 'challenges who has no token, and answers a token that is no good with 401 and no WWW-Authenticate',
   clause: 'RFC 9110, 15.5.2: a 401 response MUST have WWW-Authenticate; RFC 6750, 3: also when the token does not enable access; 2025-11-25, basic/authorization, Token Handling: invalid or expired tokens MUST receive a HTTP 401 response',
   rules: ['auth.www-authenticate-on-401', 'auth.validation-failure-response'], says: /WWW-Authenticate|challenge|invalid_token/i,
   change: guard({header: (text, given) => given === undefined ? text : undefined}), right: guard()},
  // https://github.com/oomol-lab/open-connector/pull/198
  {name: 'bearer-with-a-capital', from: 'oomol-lab/open-connector#198', in: ['legacy http', 'modern http'],
   what: 'takes a token after "Bearer" alone, and refuses the same after "bearer"',
   clause: 'RFC 9110, 11.1: the authentication scheme is named by a case-insensitive token (OAuth 2.1, 5.1.1: the string "Bearer" is case-insensitive)',
   rules: ['auth.scheme-in-any-case'], says: /bearer|case|scheme/i,
   change: guard({scheme: /^Bearer +([\x21-\x7e]+)$/}), right: guard()},
  // https://github.com/ganhammar/hass-mcp-server/issues/83
  {name: 'scopes-to-be-guessed', from: 'ganhammar/hass-mcp-server#83', in: ['legacy http', 'modern http'],
   what: 'says nowhere what scope it wants: there is no scope in its challenge and no scopes_supported in its metadata',
   clause: '2025-11-25, basic/authorization, Protected Resource Metadata Discovery Requirements: MCP servers SHOULD include a scope parameter in the WWW-Authenticate header; RFC 9728, 2: scopes_supported is RECOMMENDED; breaks Claude Code',
   rules: ['auth.challenge-has-scope'], says: /scope/i,
   change: guard({challenge: all => all.filter(([name]) => name !== 'scope'), metadata: ({scopes_supported: _, ...all}) => all}), right: guard()},
  // https://github.com/cloudflare/workers-oauth-provider/issues/137
  {name: 'metadata-of-the-other-kind-alone', from: 'cloudflare/workers-oauth-provider#137', in: ['legacy http', 'modern http'],
   what: 'has no metadata of the protected resource, neither in its challenge nor at a well-known address; that of an authorization server is at its own',
   clause: '2025-06-18 and 2025-11-25, basic/authorization, Authorization Server Location: MCP servers MUST implement OAuth 2.0 Protected Resource Metadata (RFC 9728), with at least one authorization server in authorization_servers',
   rules: ['auth.www-authenticate-on-401', 'auth.prm-location-mechanism', 'auth.prm-implemented'], says: /metadata|well-known|resource/i,
   change: guard({challenge: all => all.filter(([name]) => name !== 'resource_metadata'),
     found({send, pathname, response}) {
       if (pathname.startsWith(path)) return send(404, {error: 'not_found'});
       if (pathname !== '/.well-known/oauth-authorization-server') return false;
       const issuer = `http://${response.req.headers.host}`;
       return send(200, {issuer, authorization_endpoint: `${issuer}/authorize`, token_endpoint: `${issuer}/token`, response_types_supported: ['code'],
                         grant_types_supported: ['authorization_code'], code_challenge_methods_supported: ['S256'], token_endpoint_auth_methods_supported: ['none']});
     }}), right: guard()},
  // https://github.com/kenlasko/monize/issues/94
  {name: 'posts-alone-are-guarded', from: 'kenlasko/monize#94', in: ['legacy http'],
   what: 'wants a token of POST alone: who knows a session opens its stream by GET, and ends it by DELETE, without one',
   clause: '2025-11-25, basic/authorization, Access Token Usage: authorization MUST be included in every HTTP request from client to server, even if they are part of the same logical session; basic/security_best_practices, Session Hijacking: MCP servers that implement authorization MUST verify all inbound requests',
   rules: ['security.all-inbound-requests-verified', 'security.sessions-not-authentication', 'http.authenticate-connections'], says: /GET|DELETE|session|token|401/i,
   change: guard({open: ({request}) => ['GET', 'DELETE'].includes(request.method)}), right: guard()},
  // https://github.com/ansible/aap-mcp-server/pull/143
  {name: 'sessions-are-tokens', from: 'ansible/aap-mcp-server#143', in: ['legacy http'],
   what: 'looks at the token of initialize alone: after it the Mcp-Session-Id is enough',
   clause: '2025-11-25, basic/authorization, Access Token Usage: authorization MUST be included in every HTTP request; basic/security_best_practices, Session Hijacking: MCP servers MUST NOT use sessions for authentication, and MUST verify all inbound requests',
   rules: ['security.all-inbound-requests-verified', 'security.sessions-not-authentication', 'http.authenticate-connections'], says: /session|token|401/i,
   change: guard({open: ({request, server}) => server.sessions.has(request.headers['mcp-session-id'])}), right: guard()},
  // https://github.com/punkpeye/mcp-proxy/issues/108
  {name: 'gone-sessions-are-bad-tokens', from: 'punkpeye/mcp-proxy#108', in: ['legacy http'],
   what: 'answers a good token with an Mcp-Session-Id that it does not know with 401 and invalid_token',
   clause: '2025-11-25, basic/transports, Session Management: it MUST respond to requests containing that session ID with 404 Not Found, at which the client MUST start a new session; breaks Claude, which asks to sign in again',
   rules: ['http.session-ended-404'], says: /404|session|401/i,
   change: guard({first({send, request, server}) {
     const named = request.headers['mcp-session-id'];
     return named !== undefined && !server.sessions.has(named)
       ? send(401, {jsonrpc: '2.0', error: {code: -32000, message: 'Unauthorized: session not found'}, id: null},
              {'www-authenticate': `Bearer error="invalid_token", resource_metadata="http://${request.headers.host}${path}/mcp", scope="notes"`}) : false;
   }}), right: guard()},
  // https://github.com/kentcdodds/kody/pull/1793
  {name: 'challenges-without-commas', from: 'kentcdodds/kody#1793', in: ['legacy http', 'modern http'],
   what: 'has nothing but a blank between resource_metadata and scope in its challenge',
   clause: 'RFC 9110, 11.3 and 11.6.1: the parameters of a challenge are a list, #auth-param, separated by commas',
   rules: ['auth.challenge-well-formed'], says: /comma|WWW-Authenticate|challenge|scope|resource_metadata/i,
   change: guard({header: text => text.replaceAll('", ', '" ')}), right: guard()},
  // https://github.com/hushh-labs/hushh-research/pull/522
  {name: 'tokens-in-the-address', from: 'hushh-labs/hushh-research#522', in: ['legacy http', 'modern http'],
   what: 'refuses each Authorization: Bearer with 400, and wants the token in the query, ?token=',
   clause: '2025-11-25, basic/authorization, Access Token Usage: the client MUST use the Authorization header, and access tokens MUST NOT be included in the URI query string; invalid or expired tokens MUST receive a HTTP 401 response',
   rules: ['auth.token-from-header'], says: /Authorization|header|query|400|401|token/i,
   change: guard({
     refuse: ({send, given}) => given !== undefined && send(400, {detail: {error_code: 'DEVELOPER_TOKEN_QUERY_REQUIRED', message: 'Use ?token=<developer-token> instead of an Authorization header.'}}),
     open: ({url}) => url.searchParams.get('token') === 'good-token'}), right: guard()},
  // https://github.com/operately/operately/issues/4920
  {name: 'all-refusals-are-alike', from: 'operately/operately#4920', in: ['legacy http', 'modern http'],
   what: 'challenges who has sent a token that is no good as if there had been none: without error="invalid_token"',
   clause: 'RFC 6750, 3 (OAuth 2.1, 5.3): if the request included an access token and failed authentication, the resource server SHOULD include the error attribute; 3.1: invalid_token: expired, revoked, malformed or invalid for other reasons',
   rules: ['auth.validation-failure-response'], says: /invalid_token|error/i,
   change: guard({challenge: all => all.filter(([name]) => name !== 'error')}), right: guard()},
];
