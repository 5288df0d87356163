// More of resources.mjs, taken as they came by somebody who has not seen the judge. With a small guard, as in resources_fifteenth.mjs.

import {quiet} from './peers/authority.mjs';

const parse = text => { try { return JSON.parse(text); } catch { return undefined; } };
const path = '/.well-known/oauth-protected-resource';

// challenge(all, given): its parameters, as written; metadata(all, origin): what is published, to change; refuse(tools):
// another answer to who has no good token.
const guard = ({challenge, metadata, refuse} = {}) => ({begin(server) { server.authority = quiet({}); }, async http(request, response, body, {server}) {
  const origin = `http://${request.headers.host}`;
  const {pathname} = new URL(request.url, origin);
  const send = (status, value, headers = {}) => {
    response.writeHead(status, {'content-type': 'application/json', ...headers});
    response.end(JSON.stringify(value));
    return true;
  };
  if (request.method === 'GET' && pathname === `${path}/mcp`) {
    const all = {resource: `${origin}/mcp`, authorization_servers: [await server.authority], scopes_supported: ['notes'], bearer_methods_supported: ['header']};
    return send(200, metadata?.(all, origin) ?? all);
  }
  if (pathname !== '/mcp') return send(404, {error: 'not_found'});
  const given = request.headers.authorization;
  const token = /^Bearer +([\x21-\x7e]+)$/i.exec(given ?? '')?.[1];
  if (token === 'good-token') return false;
  if (refuse?.({send, given, request, message: parse(body)})) return true;
  const error = given === undefined ? [] : [['error', '"invalid_token"']];
  const all = [['resource_metadata', `"${origin}${path}/mcp"`], ['scope', '"notes"'], ...error];
  return send(401, {error: 'unauthorized'}, {'www-authenticate': `Bearer ${(challenge?.(all, given) ?? all).map(([name, value]) => `${name}=${value}`).join(', ')}`});
}});
const other = address => address.replace(/^http(s?):/, (_, s) => s ? 'http:' : 'https:');

export const cases = [
  // https://github.com/mesh/mesh-mcp/issues/20
  {name: 'resources-of-another-scheme', from: 'mesh/mesh-mcp#20', in: ['legacy http', 'modern http'],
   what: 'names its resource and its authorization server, in its metadata, by addresses of the other of http and https',
   clause: 'RFC 9728, 3.3: the resource value returned MUST be identical to the resource identifier into which the well-known path was inserted, else it MUST NOT be used (2025-11-25 basic/authorization: MCP servers MUST implement RFC 9728); breaks mcp-remote: does not match expected',
   rules: ['auth.prm-implemented'], says: /resource|scheme|https?|match|identi/i,
   change: guard({metadata: all => ({...all, resource: other(all.resource), authorization_servers: all.authorization_servers.map(other)})}), right: guard()},
  // https://github.com/SparkDevNetwork/Rock/issues/6974
  {name: 'issuers-with-a-slash', from: 'SparkDevNetwork/Rock#6974', in: ['legacy http', 'modern http'],
   what: 'names its authorization server with a slash at the end, where the issuer has none',
   clause: 'RFC 9728, 2: authorization_servers are issuer identifiers; RFC 8414, 3.3: the issuer in the metadata MUST be identical to the issuer identifier that its address was made of; breaks GitHub Copilot CLI, which refuses to connect',
   rules: ['auth.prm-lists-authorization-servers'], says: /issuer|slash|authorization_servers|authorization server|8414/i,
   change: guard({metadata: all => ({...all, authorization_servers: all.authorization_servers.map(issuer => `${issuer}/`)})}), right: guard()},
  // https://github.com/punkpeye/fastmcp/issues/180
  {name: 'sessions-before-tokens', from: 'punkpeye/fastmcp#180', in: ['legacy http'],
   what: 'answers requests without a token and without a session, other than initialize, with 400, No valid session ID provided, and no challenge',
   clause: '2025-11-25 basic/authorization, Error Handling: servers MUST return 401 Unauthorized when authorization is required or the token is invalid; 400 is for a malformed authorization request',
   rules: ['auth.missing-token-401'], says: /401|400|token|authoriz|challenge/i,
   change: guard({refuse: ({send, given, request, message}) => given === undefined && request.headers['mcp-session-id'] === undefined && message?.method !== 'initialize' &&
     send(400, {jsonrpc: '2.0', error: {code: -32000, message: 'Bad Request: No valid session ID provided'}, id: null})}), right: guard()},
  // https://github.com/vercel/mcp-handler/issues/110
  {name: 'known-by-its-inner-address', from: 'vercel/mcp-handler#110', in: ['legacy http', 'modern http'],
   what: 'names itself by an inner address, at which nobody answers, in resource_metadata of its challenge and in resource of its metadata',
   clause: 'RFC 9728, 5.1 and 3.3: resource_metadata is the URL of the protected resource metadata; the resource in it MUST be identical to the URL that the client used; 2025-11-25 basic/authorization, Protected Resource Metadata Discovery Requirements',
   rules: ['auth.prm-implemented'], says: /resource_metadata|resource|metadata|reach|match|identi/i,
   change: guard({challenge: all => all.map(([name, value]) => [name, name === 'resource_metadata' ? `"http://localhost:1${path}/mcp"` : value]),
     metadata: all => ({...all, resource: 'http://localhost:1/mcp'})}), right: guard()},
  // https://github.com/agentrq/agentrq/pull/336
  {name: 'one-authority-by-its-metadata', from: 'agentrq/agentrq#336', in: ['legacy http', 'modern http'],
   what: 'has authorization_server, the address of its metadata, in place of authorization_servers, a list of issuers',
   clause: '2025-11-25 basic/authorization, Authorization Server Location: the metadata MUST include the authorization_servers field containing at least one authorization server; RFC 9728, 2: a JSON array of issuer identifiers',
   rules: ['auth.prm-lists-authorization-servers'], says: /authorization_servers?|issuer/i,
   change: guard({metadata: ({authorization_servers: [issuer], ...all}) => ({...all, authorization_server: `${issuer}/.well-known/oauth-authorization-server`})}), right: guard()},
  // https://github.com/macro-inc/macro/issues/5519
  {name: 'metadata-of-nothing', from: 'macro-inc/macro#5519', in: ['legacy http', 'modern http'],
   what: 'publishes metadata without resource',
   clause: 'RFC 9728, 2: resource is REQUIRED; 3.3: it MUST be identical to what the client uses; breaks Grok Build and rmcp 2.1.0',
   rules: ['auth.prm-implemented'], says: /resource/i,
   change: guard({metadata: ({resource, ...all}) => ({authorization_server: all.authorization_servers[0], ...all})}), right: guard()},
  // https://github.com/open-metadata/OpenMetadata/issues/30642
  {name: 'null-in-metadata', from: 'open-metadata/OpenMetadata#30642', in: ['legacy http', 'modern http'],
   what: 'has "resource_signing_alg_values_supported": null in its metadata',
   clause: 'RFC 9728, 2: resource_signing_alg_values_supported is a JSON array; 3.2: parameters with zero values MUST be omitted from the response; breaks @modelcontextprotocol/client',
   rules: ['auth.prm-implemented'], says: /null|resource_signing_alg_values_supported|array|omit/i,
   change: guard({metadata: all => ({...all, resource_signing_alg_values_supported: null, resource_documentation: `${new URL(all.resource).origin}/docs`})}), right: guard()},
];
