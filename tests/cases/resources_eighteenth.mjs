// More of resources.mjs, taken as they came by somebody who has not seen the judge. With a small guard, as in resources_seventeenth.mjs.

import {quiet} from './peers/authority.mjs';

const parse = text => { try { return JSON.parse(text); } catch { return undefined; } };
const path = '/.well-known/oauth-protected-resource';

// challenge(all, given): its parameters, as written; metadata(all, origin): what is published, to change; refuse(tools): another
// answer to who has no good token; other(tools): what else there is, or what is there in place of it: true when it has answered.
const guard = ({challenge, metadata, refuse, other} = {}) => ({begin(server) { server.authority = quiet({}); }, async http(request, response, body, {server}) {
  const origin = `http://${request.headers.host}`;
  const {pathname} = new URL(request.url, origin);
  const send = (status, value, headers = {}) => {
    response.writeHead(status, {'content-type': 'application/json', ...headers});
    response.end(typeof value === 'string' ? value : JSON.stringify(value));
    return true;
  };
  const authority = await server.authority;
  if (await other?.({send, request, pathname, origin, authority})) return true;
  if (request.method === 'GET' && pathname === `${path}/mcp`) {
    const all = {resource: `${origin}/mcp`, authorization_servers: [authority], scopes_supported: ['notes'], bearer_methods_supported: ['header']};
    return send(200, metadata?.(all, origin) ?? all);
  }
  if (pathname !== '/mcp') return send(404, {error: 'not_found'});
  const given = request.headers.authorization;
  const token = /^Bearer +([\x21-\x7e]+)$/i.exec(given ?? '')?.[1];
  if (token === 'good-token') return false;
  if (refuse?.({send, given, token, origin, request, message: parse(body)})) return true;
  const error = given === undefined ? [] : [['error', '"invalid_token"']];
  const all = [['resource_metadata', `"${origin}${path}/mcp"`], ['scope', '"notes"'], ...error];
  return send(401, {error: 'unauthorized'}, {'www-authenticate': `Bearer ${(challenge?.(all, given) ?? all).map(([name, value]) => `${name}=${value}`).join(', ')}`});
}});

export const cases = [
  // https://github.com/punkpeye/mcp-remote/pull/238 (of servers that sign in by an identity provider of their own)
  {name: 'sent-to-sign-in', from: 'punkpeye/mcp-remote#238', in: ['legacy http', 'modern http'],
   what: 'answers who has no token with 302 to a page to sign in, without a challenge',
   clause: '2025-11-25 basic/authorization, Error Handling: servers MUST return appropriate HTTP status codes for authorization errors: 401 Unauthorized: authorization required or token invalid (breaks mcp-remote: StreamableHTTPError 302)',
   rules: [], says: /401|302|redirect|challenge|WWW-Authenticate|authoriz/i,
   change: guard({refuse: ({send, given, origin}) => given === undefined && send(302, '', {location: `${origin}/auth/sso/login?next=%2Fmcp`, 'content-type': 'text/html'})}), right: guard()},
  // https://github.com/wbopan/things-cloud-mcp/pull/28
  {name: 'bad-tokens-are-results', from: 'wbopan/things-cloud-mcp#28', in: ['legacy http', 'modern http'],
   what: 'answers each request, tools/list too, whose token is no good with 200 and a result, {content: [Bearer auth failed: …], isError: true}',
   clause: '2025-11-25 basic/authorization, Token Handling: invalid or expired tokens MUST receive a HTTP 401 response',
   rules: [], says: /401|200|token|invalid/i,
   change: guard({refuse({send, token, message}) {
     if (token === undefined || typeof message?.method !== 'string' || !('id' in message)) return false;
     const result = {content: [{type: 'text', text: 'Bearer auth failed: invalid token: invalid JWT signature'}], isError: true};
     return send(200, {jsonrpc: '2.0', id: message.id, result});
   }}), right: guard()},
  // https://github.com/lightdash/lightdash/pull/16618
  {name: 'a-page-for-metadata', from: 'lightdash/lightdash#16618', in: ['legacy http', 'modern http'],
   what: 'answers the address of its metadata, which its challenge names, and each other well-known one, with 200 and its home page, in HTML',
   clause: 'RFC 9728, 3.2: a successful response MUST use the 200 OK status code and return a JSON object using the application/json content type; 2025-11-25 basic/authorization, Authorization Server Location: MCP servers MUST implement RFC 9728 (breaks Cursor: Unexpected token \'<\')',
   rules: [], says: /JSON|HTML|metadata|content.type|9728/i,
   change: guard({other: ({send, request, pathname}) => request.method === 'GET' && pathname.startsWith('/.well-known/') &&
     send(200, '<!DOCTYPE html>\n<html lang="en"><head><title>Notes</title></head><body><div id="root"></div></body></html>\n', {'content-type': 'text/html; charset=utf-8'})}), right: guard()},
  // https://github.com/cloudflare/workers-oauth-provider/pull/255
  {name: 'no-authority-in-the-list', from: 'cloudflare/workers-oauth-provider#255', in: ['legacy http', 'modern http'],
   what: 'publishes metadata whose authorization_servers is an empty list',
   clause: '2025-11-25 basic/authorization, Authorization Server Location: the document MUST include the authorization_servers field containing at least one authorization server; RFC 9728, 3.2: parameters with zero values MUST be omitted',
   rules: [], says: /authorization_servers?|authorization server|empty|at least one/i,
   change: guard({metadata: all => ({...all, authorization_servers: []})}), right: guard()},
  // https://github.com/liferay/liferay-portal/pull/7450
  {name: 'no-token-is-a-bad-token', from: 'liferay/liferay-portal#7450', in: ['legacy http', 'modern http'],
   what: 'challenges who has sent no Authorization with error="invalid_token", Missing Authorization header',
   clause: 'RFC 6750, 3.1 (OAuth 2.1, 5.3): if the request lacks any authentication information, the resource server SHOULD NOT include an error code or other error information (2025-11-25 basic/authorization, Token Handling: servers MUST respond according to OAuth 2.1, 5.3)',
   rules: [], says: /error|invalid_token/i,
   change: guard({challenge: (all, given) => given === undefined ? [['error', '"invalid_token"'], ['error_description', '"Missing Authorization header"'], ...all] : all}), right: guard()},
  // https://github.com/PagerDuty/pagerduty-mcp-server/issues/169
  {name: 'itself-for-another-issuer', from: 'PagerDuty/pagerduty-mcp-server#169', in: ['legacy http', 'modern http'],
   what: 'names itself as its authorization server, in its metadata; the metadata of that, at its own well-known address, are of another issuer',
   clause: 'RFC 9728, 2: authorization_servers are issuer identifiers; RFC 8414, 3.3: the issuer in the metadata MUST be identical to the issuer identifier that its address was made of, else they MUST NOT be used (breaks the GitHub Copilot app)',
   rules: [], says: /issuer|authorization_servers|authorization server|8414|match|identi/i,
   change: guard({metadata: (all, origin) => ({...all, authorization_servers: [origin]}), async other({send, request, pathname, authority}) {
     if (request.method !== 'GET' || !['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration'].includes(pathname)) return false;
     return send(200, await (await fetch(`${authority}/.well-known/oauth-authorization-server`)).text());
   }}), right: guard()},
  // https://github.com/nevermined-io/payments/pull/410
  {name: 'authorities-that-are-front-doors', from: 'nevermined-io/payments#410', in: ['legacy http', 'modern http'],
   what: 'names as its authorization server, in its metadata, the address of its web site, which has no metadata of an authorization server (404)',
   clause: 'RFC 9728, 2: authorization_servers are issuer identifiers; 2025-11-25 basic/authorization, Overview: authorization servers MUST provide at least one of OAuth 2.0 Authorization Server Metadata and OpenID Connect Discovery 1.0 (breaks the TypeScript SDK, which fails at discovery)',
   rules: [], says: /authorization_servers?|authorization server|issuer|metadata|404|reach/i,
   change: guard({metadata: (all, origin) => ({...all, authorization_servers: [origin]}), other: ({send, request, pathname}) => request.method === 'GET' && pathname === '/' &&
     send(200, '<!DOCTYPE html>\n<html lang="en"><head><title>Notes</title></head><body><h1>Notes</h1></body></html>\n', {'content-type': 'text/html; charset=utf-8'})}), right: guard()},
];
