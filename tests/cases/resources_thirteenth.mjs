// More of resources.mjs, taken as they came by somebody who has not seen the judge. With a small guard, as in resources_twelfth.mjs.

import {quiet} from './peers/authority.mjs';

const parse = text => { try { return JSON.parse(text); } catch { return undefined; } };
const path = '/.well-known/oauth-protected-resource';

// challenge(all, given): the parameters of a challenge, as written, to change; metadata(all); found(tools): another answer
// to what is asked beside the endpoint; refuse(tools): another answer to who has no good token; limited: what
// notes://terms wants another scope for, answered with its challenge or, `bare`, without.
const guard = ({challenge, metadata, found, refuse, pass, limited} = {}) => ({begin(server) { server.authority = quiet({}); }, async http(request, response, body, {server}) {
  const origin = `http://${request.headers.host}`;
  const {pathname} = new URL(request.url, origin);
  const send = (status, value, headers = {}) => {
    response.writeHead(status, {'content-type': 'application/json', ...headers});
    response.end(JSON.stringify(value));
    return true;
  };
  const scheme = (parameters, given) => `Bearer ${(challenge?.(parameters, given) ?? parameters).map(([name, value]) => `${name}=${value}`).join(', ')}`;
  const where = ['resource_metadata', `"${origin}${path}/mcp"`];
  if (pathname !== '/mcp' && found?.({send, pathname, response})) return true;
  if (request.method === 'GET' && pathname === `${path}/mcp`) {
    const all = {resource: `${origin}/mcp`, authorization_servers: [await server.authority], scopes_supported: ['notes', 'terms'], bearer_methods_supported: ['header']};
    return send(200, metadata?.(all, origin) ?? all);
  }
  if (pathname !== '/mcp') return send(404, {error: 'not_found'});
  const given = request.headers.authorization;
  const token = /^Bearer +([\x21-\x7e]+)$/i.exec(given ?? '')?.[1];
  const message = parse(body);
  if (token === 'good-token' && limited && message?.method === 'resources/read' && message.params?.uri === 'notes://terms') {
    return send(403, {error: 'insufficient_scope'}, limited === 'bare' ? {} : {'www-authenticate': scheme([['error', '"insufficient_scope"'], ['scope', '"notes terms"'], where])});
  }
  if (token === 'good-token') return false;
  if (token && pass?.(message, send)) return response.headersSent;
  if (refuse?.({send, given, body})) return true;
  const error = given === undefined ? [] : [['error', '"invalid_token"']];
  return send(401, {error: 'unauthorized'}, {'www-authenticate': scheme([where, ['scope', '"notes"'], ...error], given)});
}});

export const cases = [
  // https://github.com/garrytan/gbrain/pull/1410
  {name: 'challenges-that-lead-nowhere', from: 'garrytan/gbrain#1410', in: ['legacy http'],
   what: 'challenges without resource_metadata, though its metadata are published',
   clause: '2025-06-18, basic/authorization, Authorization Server Location: MCP servers MUST use WWW-Authenticate with 401 to indicate the location of the resource server metadata URL (RFC 9728, 5.1); of 2025-11-25 on one of two ways; breaks claude.ai',
   rules: ['auth.www-authenticate-on-401'], says: /resource_metadata|WWW-Authenticate/i,
   change: guard({challenge: all => all.filter(([name]) => name !== 'resource_metadata')}), right: guard()},
  // https://github.com/microsoft/mcp/issues/1214
  {name: 'metadata-by-another-scheme', from: 'microsoft/mcp#1214', in: ['legacy http', 'modern http'],
   what: 'names in resource_metadata an address of the other of http and https, at which nobody answers',
   clause: '2025-11-25, basic/authorization, Protected Resource Metadata Discovery Requirements: clients MUST use the resource metadata URL of WWW-Authenticate when present (RFC 9728, 5.1: it is the URL of the metadata); breaks VS Code',
   rules: ['auth.challenge-reachable'], says: /resource_metadata|metadata|https/i,
   change: guard({challenge: all => all.map(([name, value]) => [name, name === 'resource_metadata' ? value.replace('"http:', '"https:') : value])}), right: guard()},
  // https://github.com/giantswarm/mcp-oauth/issues/76
  {name: 'forbidden-without-a-challenge', from: 'giantswarm/mcp-oauth#76', in: ['legacy http', 'modern http'],
   what: 'answers a token whose scope is too small for what is read with 403 and no WWW-Authenticate',
   clause: '2025-11-25, basic/authorization, Runtime Insufficient Scope Errors: the server SHOULD respond with 403 and WWW-Authenticate with error="insufficient_scope", scope and resource_metadata',
   rules: ['auth.insufficient-scope-challenge'], says: /WWW-Authenticate|insufficient_scope|403|scope/i,
   change: guard({limited: 'bare'}), right: guard({limited: 'challenged'})},
  // https://github.com/exa-labs/exa-mcp-server/pull/387
  {name: 'metadata-of-the-resource-above', from: 'exa-labs/exa-mcp-server#387', in: ['legacy http', 'modern http'],
   what: 'names as its resource, in the metadata of its endpoint, the one address above it that it names everywhere',
   clause: 'RFC 9728, 3.3: resource MUST be identical to the identifier that the well-known address was made of; else the metadata MUST NOT be used; breaks Grok',
   rules: ['auth.prm-implemented'], says: /resource|identical|match/i,
   change: guard({metadata: (all, origin) => ({...all, resource: origin})}), right: guard()},
  // https://github.com/getsentry/sentry-mcp/issues/939
  {name: 'resource-metadata-twice', from: 'getsentry/sentry-mcp#939', in: ['legacy http', 'modern http'],
   what: 'has resource_metadata twice in its challenge, and at the first of the two there is nothing',
   clause: 'RFC 9110, 11.2: each parameter name MUST only occur once per challenge; RFC 9728, 5.1; breaks clients on the Rust SDK, which take the first',
   rules: ['auth.challenge-params-once'], says: /resource_metadata|twice|once|duplicate/i,
   change: guard({challenge: all => [['realm', '"OAuth"'], ...all.filter(([name]) => name === 'resource_metadata').map(([name, value]) => [name, value.replace('/mcp"', '"')]), ...all]}), right: guard()},
  // https://github.com/better-auth/better-auth/pull/4462
  {name: 'challenges-without-quotes', from: 'better-auth/better-auth#4462', in: ['legacy http', 'modern http'],
   what: 'writes the address of resource_metadata without quotes',
   clause: 'RFC 9110, 11.2 and 5.6.2: a parameter is a token or a quoted-string, and : and / are in no token; RFC 9728, 5.1: resource_metadata="…"',
   rules: ['auth.challenge-quoted'], says: /resource_metadata|quot|WWW-Authenticate|token/i,
   change: guard({challenge: all => all.map(([name, value]) => [name, name === 'resource_metadata' ? value.slice(1, -1) : value])}), right: guard()},
  // https://github.com/Softeria/ms-365-mcp-server/pull/406
  {name: 'tokens-unread-at-the-door', from: 'Softeria/ms-365-mcp-server#406', in: ['legacy http', 'modern http'],
   what: 'lets every token in, and says in the results of tools, with 200, that the API behind it answered 401',
   clause: '2025-11-25, basic/authorization, Token Handling: MCP servers MUST validate access tokens; invalid or expired tokens MUST receive a HTTP 401 response',
   rules: ['auth.token-validated'], says: /401|invalid|token/i,
   change: guard({pass(message, send) {
     if (message?.method !== 'tools/call' || !('id' in message)) return true;
     send(200, {jsonrpc: '2.0', id: message.id, result: {content: [{type: 'text', text: 'Microsoft Graph API error: 401 Unauthorized - InvalidAuthenticationToken'}], isError: true, ...message.params?._meta?.['io.modelcontextprotocol/protocolVersion'] ? {resultType: 'complete'} : {}}});
     return true;
   }}), right: guard()},
  // https://github.com/Swiggy/swiggy-mcp-server-manifest/issues/88
  {name: 'challenges-that-lead-to-a-404', from: 'Swiggy/swiggy-mcp-server-manifest#88', in: ['legacy http', 'modern http'],
   what: 'names in its challenge an address at which there is a page that says 404, and asks for a token at the well-known address of its own path',
   clause: '2025-11-25, basic/authorization, Authorization Server Location: MCP servers MUST implement RFC 9728 (3: metadata at the well-known address; 5.1: resource_metadata is the URL of the metadata)',
   rules: ['auth.prm-location-mechanism', 'auth.prm-implemented', 'auth.default-endpoints-served'], says: /metadata|404|well-known/i,
   change: guard({
     challenge: all => all.map(([name, value]) => [name, name === 'resource_metadata' ? value.replace('/mcp"', '"') : value]),
     found({send, pathname, response}) {
       if (pathname === `${path}/mcp`) return send(401, {error: 'unauthorized'});
       response.writeHead(404, {'content-type': 'text/html'});
       response.end('<!DOCTYPE html><title>Error</title><pre>Cannot GET</pre>');
       return true;
     }}), right: guard()},
];
