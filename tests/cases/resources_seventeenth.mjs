// More of resources.mjs, taken as they came by somebody who has not seen the judge. With a small guard, as in resources_sixteenth.mjs.

import {quiet} from './peers/authority.mjs';

const parse = text => { try { return JSON.parse(text); } catch { return undefined; } };
const path = '/.well-known/oauth-protected-resource';

// challenge(all, given, origin): its parameters, as written; metadata(all, origin): what is published, to change;
// refuse(tools): another answer to who has no good token; open(tools): whether such a one is let in.
const guard = ({challenge, metadata, refuse, open} = {}) => ({begin(server) { server.authority = quiet({}); }, async http(request, response, body, {server}) {
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
  const tools = {send, token, message: parse(body)};
  if (refuse?.(tools)) return true;
  if (open?.(tools)) return false;
  const error = given === undefined ? [] : [['error', '"invalid_token"']];
  const all = [['resource_metadata', `"${origin}${path}/mcp"`], ['scope', '"notes"'], ...error];
  return send(401, {error: 'unauthorized'}, {'www-authenticate': `Bearer ${(challenge?.(all, given, origin) ?? all).map(([name, value]) => `${name}=${value}`).join(', ')}`});
}});

export const cases = [
  // https://github.com/microsoft/vscode/issues/259251 (there the endpoint has the slash, and the resource has none)
  {name: 'a-slash-between-them', from: 'microsoft/vscode#259251', in: ['legacy http', 'modern http'],
   what: 'names its resource, in its metadata, with a slash at the end, where its endpoint has none',
   clause: 'RFC 9728, 3.3: the resource value returned MUST be identical to the resource identifier into which the well-known path was inserted, else it MUST NOT be used (2025-11-25 basic/authorization: MCP servers MUST implement RFC 9728); breaks VS Code: does not match MCP server resolved resource',
   rules: ['auth.prm-implemented', 'auth.resource-no-trailing-slash'], says: /resource|slash|match|identi/i,
   change: guard({metadata: all => ({...all, resource: `${all.resource}/`})}), right: guard()},
  // https://github.com/garrytan/gbrain/issues/616
  {name: 'bad-tokens-are-server-errors', from: 'garrytan/gbrain#616', in: ['legacy http', 'modern http'],
   what: 'answers a token that is no good with 500 and no challenge',
   clause: '2025-11-25 basic/authorization, Token Handling: invalid or expired tokens MUST receive a HTTP 401 response',
   rules: ['auth.invalid-token-401'], says: /401|500|token|invalid/i,
   change: guard({refuse: ({send, token}) => token !== undefined && send(500, {error: 'server_error', error_description: 'Internal Server Error'})}), right: guard()},
  // https://github.com/markmhendrickson/neotoma/issues/49
  {name: 'any-token-will-do-to-begin', from: 'markmhendrickson/neotoma#49', in: ['legacy http'],
   what: 'answers initialize with 200 when there is any token, good or not, and looks at it for all else',
   clause: '2025-11-25 basic/authorization, Token Handling: MCP servers MUST validate access tokens; invalid or expired tokens MUST receive a HTTP 401 response',
   rules: ['auth.token-validated'], says: /401|token|invalid|initialize|validat/i,
   change: guard({open: ({token, message}) => token !== undefined && message?.method === 'initialize'}), right: guard()},
  // https://github.com/MCPJam/inspector/pull/1844
  {name: 'an-error-of-its-own', from: 'MCPJam/inspector#1844', in: ['legacy http', 'modern http'],
   what: 'challenges with error="unauthorized", both who has no token and whose token is no good',
   clause: 'RFC 6750, 3.1 (OAuth 2.1, 5.3.2): the error codes are invalid_request, invalid_token and insufficient_scope; 3: who sends no authentication information SHOULD NOT get an error code (2025-11-25 basic/authorization, Token Handling: servers MUST respond according to OAuth 2.1, 5.3)',
   rules: ['auth.no-error-without-token', 'auth.validation-failure-response'], says: /error|invalid_token|unauthorized/i,
   change: guard({challenge: all => [['error', '"unauthorized"'], ['error_description', '"Authentication required"'], ...all.filter(([name]) => name !== 'error')]}), right: guard()},
  // https://github.com/PrefectHQ/fastmcp/issues/1685
  {name: 'metadata-below-the-endpoint', from: 'PrefectHQ/fastmcp#1685', in: ['legacy http', 'modern http'],
   what: 'names in resource_metadata its endpoint with /.well-known/oauth-protected-resource after it, where there is nothing (404)',
   clause: 'RFC 9728, 5.1: resource_metadata is the URL of the protected resource metadata; 3: the well-known path is inserted between the host and the path; 2025-11-25 basic/authorization, Protected Resource Metadata Discovery Requirements: clients MUST use the URL of the header when present',
   rules: ['auth.default-endpoints-served', 'auth.prm-location-mechanism', 'auth.prm-implemented'], says: /resource_metadata|metadata|404|well-known/i,
   change: guard({challenge: (all, given, origin) => all.map(([name, value]) => [name, name === 'resource_metadata' ? `"${origin}/mcp${path}"` : value])}), right: guard()},
  // https://github.com/agigante80/actual-mcp-server/issues/286
  {name: 'metadata-in-an-envelope', from: 'agigante80/actual-mcp-server#286', in: ['legacy http', 'modern http'],
   what: 'has an answer of JSON-RPC about itself, {jsonrpc, result: {description, capabilities, …}}, where its metadata should be',
   clause: 'RFC 9728, 3.2: the response is a JSON object of the metadata parameters; 2: resource is REQUIRED; 2025-11-25 basic/authorization, Authorization Server Location: the document MUST include the authorization_servers field',
   rules: ['auth.prm-lists-authorization-servers', 'auth.prm-implemented'], says: /metadata|resource|authorization_servers?|9728/i,
   change: guard({metadata: (all, origin) => ({jsonrpc: '2.0', result: {description: 'Notes', instructions: 'Send a token', capabilities: {tools: {}}, tools: ['repeat', 'add'], advertisedUrl: `${origin}/mcp`}})}), right: guard()},
];
