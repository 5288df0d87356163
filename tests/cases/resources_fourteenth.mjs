// More of resources.mjs, taken as they came by somebody who has not seen the judge. With a small guard, as in resources_thirteenth.mjs.

import {quiet} from './peers/authority.mjs';

const parse = text => { try { return JSON.parse(text); } catch { return undefined; } };
const path = '/.well-known/oauth-protected-resource';

// metadata(tools): another answer to who asks for the metadata; refuse(tools): another answer to who has no good token,
// of {send, given, message, challenge}; more: headers of what is refused.
const guard = ({metadata, refuse, more = {}} = {}) => ({begin(server) { server.authority = quiet({}); }, async http(request, response, body, {server}) {
  const origin = `http://${request.headers.host}`;
  const {pathname} = new URL(request.url, origin);
  const send = (status, value, headers = {}) => {
    response.writeHead(status, {'content-type': 'application/json', ...headers});
    response.end(JSON.stringify(value));
    return true;
  };
  const challenge = (...parameters) => ({'www-authenticate': `Bearer ${[['resource_metadata', `${origin}${path}/mcp`], ...parameters].map(([name, value]) => `${name}="${value}"`).join(', ')}`, ...more});
  if (request.method === 'GET' && pathname === `${path}/mcp`) {
    if (metadata?.({send, challenge})) return true;
    return send(200, {resource: `${origin}/mcp`, authorization_servers: [await server.authority], scopes_supported: ['notes'], bearer_methods_supported: ['header']},
                more['access-control-allow-origin'] ? {'access-control-allow-origin': '*'} : {});
  }
  if (pathname !== '/mcp') return send(404, {error: 'not_found'});
  const given = request.headers.authorization;
  if (/^Bearer +good-token$/i.test(given ?? '')) return false;
  if (refuse?.({send, given, message: parse(body), challenge})) return true;
  return send(401, {error: 'unauthorized'}, challenge(['scope', 'notes'], ...given === undefined ? [] : [['error', 'invalid_token']]));
}});

export const cases = [
  // https://github.com/datarobot-oss/datarobot-genai/pull/671
  {name: 'tokens-of-others-403', from: 'datarobot-oss/datarobot-genai#671', in: ['legacy http', 'modern http'],
   what: 'answers a token that is not for it with 403 and error="invalid_token"',
   clause: '2025-11-25, basic/authorization, Token Handling: invalid or expired tokens MUST receive a HTTP 401 response (RFC 6750, 3.1: invalid_token: SHOULD respond with 401)',
   rules: ['auth.invalid-token-401', 'auth.malformed-request-400', 'auth.error-status-codes'], says: /401|403|invalid_token/i,
   change: guard({refuse: ({send, given, challenge}) => given !== undefined &&
     send(403, {error: 'invalid_token'}, challenge(['error', 'invalid_token'], ['error_description', 'Token audience does not match']))}), right: guard()},
  // https://github.com/ProfessionalWiki/MediaWiki-MCP-Server/pull/502
  {name: 'refusals-to-nobody', from: 'ProfessionalWiki/MediaWiki-MCP-Server#502', in: ['legacy http', 'modern http'],
   what: 'refuses who has no token by a JSON-RPC error whose id is null, though the request has one',
   clause: '2025-11-25 and 2026-07-28, basic, Error Responses: error responses MUST include the same ID as the request they correspond to, but where it could not be read; 2026-07-28 schema, JSONRPCErrorResponse: id is a string or a number, not null',
   rules: [], says: /\bid\b/i,
   change: guard({refuse: ({send, given, message, challenge}) => message?.method !== undefined &&
     send(401, {jsonrpc: '2.0', error: {code: -32001, message: 'Unauthorized'}, id: null}, challenge(['scope', 'notes'], ...given === undefined ? [] : [['error', 'invalid_token']]))}),
   right: guard({refuse: ({send, given, message, challenge}) => message?.method !== undefined && message.id !== undefined &&
     send(401, {jsonrpc: '2.0', error: {code: -32001, message: 'Unauthorized'}, id: message.id}, challenge(['scope', 'notes'], ...given === undefined ? [] : [['error', 'invalid_token']]))})},
  // https://github.com/markmhendrickson/neotoma/issues/2049
  {name: 'metadata-behind-the-door', from: 'markmhendrickson/neotoma#2049', in: ['legacy http', 'modern http'],
   what: 'answers who asks for its metadata without a token with 401 and a challenge that names that same address',
   clause: '2025-11-25, basic/authorization, Authorization Server Location: MCP servers MUST implement RFC 9728 (3.1, 3.2: the metadata are got by an HTTP GET and answered with 200 and JSON)',
   rules: ['auth.default-endpoints-served', 'auth.prm-location-mechanism', 'auth.prm-implemented'], says: /metadata|401|well-known/i,
   change: guard({metadata: ({send, challenge}) => send(401, {error: 'unauthorized'}, challenge())}), right: guard()},
  // https://github.com/twentyhq/twenty/pull/19836
  {name: 'challenges-no-page-can-read', from: 'twentyhq/twenty#19836', in: ['legacy http', 'modern http'],
   what: 'answers pages of every origin (Access-Control-Allow-Origin: *), and does not expose WWW-Authenticate to them',
   clause: '2025-11-25, basic/authorization, Protected Resource Metadata Discovery Requirements: clients MUST use the resource metadata URL of WWW-Authenticate when present; Fetch, 3.3.2: what is not in Access-Control-Expose-Headers is withheld; breaks the web connector of claude.ai',
   rules: ['auth.challenge-for-pages'], says: /CORS|expose|Access-Control/i,
   change: guard({more: {'access-control-allow-origin': '*'}}),
   right: guard({more: {'access-control-allow-origin': '*', 'access-control-expose-headers': 'WWW-Authenticate, Mcp-Session-Id'}})},
  // https://github.com/czlonkowski/n8n-mcp/issues/604
  {name: 'doors-without-a-sign', from: 'czlonkowski/n8n-mcp#604', in: ['legacy http', 'modern http'],
   what: 'answers 401 without WWW-Authenticate, and has no metadata of itself anywhere',
   clause: '2025-11-25, basic/authorization, Protected Resource Metadata Discovery Requirements: MCP servers MUST name the metadata by WWW-Authenticate or serve them at a well-known address; RFC 9110, 15.5.2: 401 MUST send WWW-Authenticate',
   rules: [], says: /WWW-Authenticate|metadata|well-known/i,
   change: guard({metadata: ({send}) => send(404, {error: 'not_found'}), refuse: ({send}) => send(401, {error: 'unauthorized'})}), right: guard()},
];
