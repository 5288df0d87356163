// More of resources.mjs, from reports that nobody here has seen: refusals that are no 401, and what the metadata name. With a small guard, as in resources_tenth.mjs.

import {quiet} from './peers/authority.mjs';

const parse = text => { try { return JSON.parse(text); } catch { return undefined; } };
const guard = ({refuse, metadata} = {}) => ({begin(server) { server.authority = quiet({}); }, async http(request, response, body, {server}) {
  const origin = `http://${request.headers.host}`;
  const {pathname} = new URL(request.url, origin);
  const send = (status, value, headers = {}) => { response.writeHead(status, {'content-type': 'application/json', ...headers}); response.end(JSON.stringify(value)); return true; };
  if (request.method === 'GET' && pathname === '/.well-known/oauth-protected-resource/mcp') {
    const all = {resource: `${origin}/mcp`, authorization_servers: [await server.authority], scopes_supported: ['notes'], bearer_methods_supported: ['header']};
    return send(200, metadata?.(all) ?? all);
  }
  if (pathname !== '/mcp') return send(404, {error: 'not_found'});
  const given = request.headers.authorization;
  if (/^Bearer +([\x21-\x7e]+)$/i.exec(given ?? '')?.[1] === 'good-token') return false;
  if (refuse?.({send, given, body})) return true;
  const error = given === undefined ? '' : ', error="invalid_token"';
  return send(401, {error: 'unauthorized'}, {'www-authenticate': `Bearer resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp", scope="notes"${error}`});
}});

export const cases = [
  // https://github.com/NateBJones-Projects/OB1/pull/243
  {name: 'refusals-in-json-rpc', from: 'NateBJones-Projects/OB1#243', in: ['legacy http', 'modern http'],
   what: 'answers who has no token, or a wrong one, with 200 and a JSON-RPC error, so that no client learns that it may sign in',
   clause: '2025-11-25, basic/authorization, Token Handling: invalid or expired tokens MUST receive 401; Error Handling: 401 where authorization is required',
   rules: ['security.all-inbound-requests-verified', 'http.authenticate-connections'], says: /401|200|WWW-Authenticate/,
   change: guard({refuse: ({send, body}) => send(200, {jsonrpc: '2.0', error: {code: -32001, message: 'Unauthorized: invalid or missing access key'}, id: parse(body)?.id ?? null})}), right: guard()},
  // https://github.com/byadsco/meta-ads-mcp/pull/61
  {name: 'wrong-tokens-500', from: 'byadsco/meta-ads-mcp#61', in: ['legacy http', 'modern http'],
   what: 'answers a token that it cannot take with 500 and server_error, and without a challenge; who has none gets 401',
   clause: '2025-11-25, basic/authorization, Token Handling: invalid or expired tokens MUST receive a HTTP 401 response',
   rules: ['auth.invalid-token-401'], says: /500|401|WWW-Authenticate/,
   change: guard({refuse: ({send, given}) => given !== undefined && send(500, {error: 'server_error', error_description: 'Internal Server Error'})}), right: guard()},
  // https://github.com/github/copilot-cli/issues/4439
  {name: 'resource-in-an-array', from: 'github/copilot-cli#4439', in: ['legacy http', 'modern http'],
   what: 'names its resource in its metadata as an array with one address',
   clause: 'RFC 9728, 2: resource is REQUIRED, and is the resource identifier: one URL, in a string',
   rules: ['auth.prm-implemented'], says: /resource \[/,
   change: guard({metadata: all => ({...all, resource: [all.resource]})}), right: guard()},
  // https://github.com/airbytehq/PyAirbyte/pull/1088
  {name: 'resource-with-a-slash', from: 'airbytehq/PyAirbyte#1088', in: ['legacy http', 'modern http'],
   what: 'names its resource with a slash at the end, which its address has not',
   clause: 'RFC 9728, 3.3: resource MUST be identical to the identifier that the well-known address was made of, or to the address that was asked; else the metadata MUST NOT be used',
   rules: ['auth.resource-no-trailing-slash', 'auth.prm-implemented'], says: /resource|slash|identical|match/i,
   change: guard({metadata: all => ({...all, resource: `${all.resource}/`})}), right: guard()},
  {name: 'resource-with-a-fragment', from: 'thought of beside airbytehq/PyAirbyte#1088', in: ['legacy http', 'modern http'],
   what: 'names its resource with a fragment',
   clause: 'RFC 9728, 1.2: a resource identifier is an https URL without a fragment; RFC 8707, 2: resource MUST NOT include a fragment',
   rules: ['auth.prm-implemented'], says: /fragment/,
   change: guard({metadata: all => ({...all, resource: `${all.resource}#notes`})}), right: guard()},
  {name: 'scopes-in-a-text', from: 'thought of beside github/copilot-cli#4439', in: ['legacy http', 'modern http'],
   what: 'lists its scopes in its resource metadata in one text',
   clause: 'RFC 9728, 2: scopes_supported is a JSON array of texts',
   rules: ['auth.prm-implemented'], says: /scopes_supported/,
   change: guard({metadata: all => ({...all, scopes_supported: 'notes'})}), right: guard()},
];
