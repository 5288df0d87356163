// More of resources.mjs, taken as they came by somebody who has not seen the judge. With a small guard, as in resources_eighteenth.mjs.

import {quiet} from './peers/authority.mjs';
import {say} from './peers/server.mjs';

const parse = text => { try { return JSON.parse(text); } catch { return undefined; } };
const path = '/.well-known/oauth-protected-resource';
const shared = {'access-control-allow-origin': '*', 'access-control-expose-headers': 'Mcp-Session-Id, WWW-Authenticate'};

// authority: what its authorization server has of its own; challenge(all, origin): its parameters, as written; metadata(all,
// origin): what is published, to change; open(tools): whether who has no good token is let in; refuse(tools): another answer to
// such a one; checked(tools): what else is asked of who has a good one: true when it has answered; other(tools): what else there
// is; pages: lets pages of other origins in, and reads its refusals to them unless 'unread'; more: tools.
const guard = ({authority: own = {}, challenge, metadata, open, refuse, checked, other, pages, more} = {}) => ({
  begin(server) { server.authority = quiet(own); },
  ...more && {tools: more},
  ...pages && {head(headers) { Object.assign(headers, shared); }},
  async http(request, response, body, {server}) {
    const origin = `http://${request.headers.host}`;
    const {pathname} = new URL(request.url, origin);
    const send = (status, value, headers = {}) => {
      const cross = pages && !(pages === 'unread' && status === 401) ? shared : {};
      response.writeHead(status, {...value === undefined ? {} : {'content-type': 'application/json'}, ...cross, ...headers});
      response.end(value === undefined ? undefined : JSON.stringify(value));
      return true;
    };
    if (request.method === 'OPTIONS' && pages) {
      return send(204, undefined, {'access-control-allow-methods': 'GET, POST, DELETE, OPTIONS', 'access-control-allow-headers':
        'content-type, accept, authorization, mcp-protocol-version, mcp-session-id, last-event-id, mcp-method, mcp-name'});
    }
    const challenged = (status, error, all) => send(status, {error}, {'www-authenticate': `Bearer ${all.map(([name, value]) => `${name}=${value}`).join(', ')}`});
    const place = `"${origin}${path}/mcp"`;
    const given = request.headers.authorization;
    const all = [['resource_metadata', place], ['scope', '"notes"'], ...given === undefined ? [] : [['error', '"invalid_token"']]];
    const refused = () => challenged(401, 'unauthorized', challenge?.(all, origin) ?? all);
    const published = async () => {
      const made = {resource: `${origin}/mcp`, authorization_servers: [await server.authority], scopes_supported: ['notes'], bearer_methods_supported: ['header']};
      return metadata?.(made, origin) ?? made;
    };
    if (await other?.({send, refused, published, request, pathname, origin})) return true;
    if (request.method === 'GET' && pathname === `${path}/mcp`) return send(200, await published());
    if (pathname !== '/mcp') return send(404, {error: 'not_found'});
    const token = /^Bearer +([\x21-\x7e]+)$/i.exec(given ?? '')?.[1];
    const tools = {send, challenged, given, token, place, request, server, message: parse(body)};
    if (token === 'good-token') return Boolean(checked?.(tools));
    if (refuse?.(tools)) return true;
    if (open?.(tools)) return false;
    return refused();
  }});

const drafts = {name: 'read_drafts', description: 'Reads the drafts, for which a token needs the scope drafts', annotations: {readOnlyHint: true},
  inputSchema: {type: 'object', properties: {}, additionalProperties: false}, run: () => say('There are no drafts')};
// The good token is of the scope notes alone.
const scoped = lacking => guard({more: [drafts], authority: {metadata: all => ({...all, scopes_supported: [...all.scopes_supported, 'drafts']})},
  metadata: all => ({...all, scopes_supported: ['notes', 'drafts']}),
  checked: tools => tools.message?.method === 'tools/call' && tools.message.params?.name === drafts.name && lacking(tools)});

export const cases = [
  // https://github.com/adcontextprotocol/adcp/pull/1136
  {name: 'challenges-that-pages-cannot-read', from: 'adcontextprotocol/adcp#1136', in: ['legacy http', 'modern http'],
   what: 'lets pages of other origins in, by its preflight and by all its answers but the 401, which has no Access-Control-Allow-Origin and does not expose WWW-Authenticate',
   clause: 'Fetch, CORS check: a response without Access-Control-Allow-Origin is a network error for the page, so that the challenge of 2025-11-25 basic/authorization, Protected Resource Metadata Discovery Requirements, cannot be read (breaks Claude.ai, and MCP Inspector in direct mode)',
   rules: ['auth.challenge-for-pages'], says: /CORS|Access-Control|Allow-Origin|Expose-Headers|browser|other origins/i, change: guard({pages: 'unread'}), right: guard({pages: 'all'})},
  // https://github.com/doitintl/doit-mcp-server/pull/181
  {name: 'refresh-tokens-among-the-scopes', from: 'doitintl/doit-mcp-server#181', in: ['modern http'],
   what: 'lists offline_access among the scopes_supported of its metadata',
   clause: '2026-07-28 basic/authorization, Refresh Tokens: MCP servers SHOULD NOT include offline_access in WWW-Authenticate scope or in scopes_supported of the Protected Resource Metadata, as refresh tokens are not a resource requirement',
   rules: ['auth.offline-access-not-in-challenge'], says: /offline_access/i, change: guard({metadata: all => ({...all, scopes_supported: ['notes', 'offline_access']})}), right: guard()},
  // https://github.com/exa-labs/exa-mcp-server/pull/336
  {name: 'bad-tokens-are-guests', from: 'exa-labs/exa-mcp-server#336', in: ['legacy http', 'modern http'],
   what: 'serves who shows a JWT that is no good (three parts of base64url, in any signature), as if he were a guest; it refuses who has no token, and other tokens',
   clause: '2025-11-25 and 2026-07-28 basic/authorization, Token Handling: MCP servers MUST validate access tokens; invalid or expired tokens MUST receive a HTTP 401 response',
   rules: ['auth.token-validated'], says: /token|JWT|401|signature|invalid|expired/i,
   change: guard({open: ({token}) => /^eyJ[\w-]*\.[\w-]+\.[\w-]*$/.test(token ?? '')}), right: guard()},
  // https://github.com/GetKlai/klai/issues/1209
  {name: 'tokens-by-their-beginning', from: 'GetKlai/klai#1209', in: ['legacy http', 'modern http'],
   what: 'takes every token that begins like a good one, good-…, for initialize, lists and all else, and looks at the whole of it when a tool is called, which then fails with isError',
   clause: '2025-11-25 and 2026-07-28 basic/authorization, Token Handling: MCP servers MUST validate access tokens; invalid or expired tokens MUST receive a HTTP 401 response',
   rules: ['auth.token-validated'], says: /token|401|invalid|prefix/i,
   change: guard({
     refuse: ({send, server, token, message}) => token?.startsWith('good-') && message?.method === 'tools/call' && 'id' in message &&
       send(200, server.result(message.id, say('Authentication failed: invalid token', {isError: true}))),
     open: ({token}) => token?.startsWith('good-')}), right: guard()},
  // https://github.com/agigante80/actual-mcp-server/issues/447
  {name: 'streams-without-a-token', from: 'agigante80/actual-mcp-server#447', in: ['legacy http'],
   what: 'asks for no token when it is sent GET: it opens the stream of a session to whoever knows its Mcp-Session-Id',
   clause: '2025-11-25 basic/authorization, Access Token Usage: authorization MUST be included in every HTTP request from client to server, even if they are part of the same logical session; basic/security_best_practices, Session Hijacking: MCP servers that implement authorization MUST verify all inbound requests',
   rules: ['security.all-inbound-requests-verified', 'security.sessions-not-authentication', 'http.authenticate-connections', 'auth.missing-token-401'], says: /\bGET\b|stream|every request|without (a |any )?(token|authorization)/i,
   change: guard({open: ({request}) => request.method === 'GET'}), right: guard()},
  // https://github.com/sourcemeta/one/pull/1186
  {name: 'the-path-twice', from: 'sourcemeta/one#1186', in: ['legacy http', 'modern http'],
   what: 'names in resource_metadata an address that has the path of its endpoint twice, and where there is nothing (404)',
   clause: 'RFC 9728, 5.1: resource_metadata: the URL of the protected resource metadata; 2025-11-25 and 2026-07-28 basic/authorization: clients MUST use the resource metadata URL from the WWW-Authenticate header when it is present',
   rules: ['auth.default-endpoints-served', 'auth.prm-location-mechanism', 'auth.prm-implemented'], says: /resource_metadata|metadata|404|9728/i,
   change: guard({challenge: (all, origin) => all.map(([name, value]) => name === 'resource_metadata' ? [name, `"${origin}${path}/mcp/mcp"`] : [name, value])}), right: guard()},
  // https://github.com/spring-ai-community/mcp-security/issues/48
  {name: 'too-little-without-a-word', from: 'spring-ai-community/mcp-security#48', in: ['legacy http', 'modern http'],
   what: 'answers a call for which the scopes of the token are not enough with 403, and no challenge',
   clause: '2025-11-25 and 2026-07-28 basic/authorization, Runtime Insufficient Scope Errors: the server SHOULD respond with 403 Forbidden and a WWW-Authenticate header with error="insufficient_scope", scope and resource_metadata',
   rules: ['auth.insufficient-scope-challenge'], says: /insufficient_scope|WWW-Authenticate|403|challenge|scope/i,
   change: scoped(({send}) => send(403, {error: 'insufficient_scope'})),
   right: scoped(({challenged, place}) => challenged(403, 'insufficient_scope', [['error', '"insufficient_scope"'], ['scope', '"notes drafts"'], ['resource_metadata', place]]))},
  // https://github.com/sigbit/mcp-auth-proxy/issues/177
  {name: 'metadata-of-the-root-alone', from: 'sigbit/mcp-auth-proxy#177', in: ['legacy http', 'modern http'],
   what: 'has its metadata at the root, where they are of the resource …/, and answers their place for its endpoint, …/mcp, with 401; its challenge names the root',
   clause: 'RFC 9728, 3.1: the well-known string is inserted between the host and the path; 3.3: the resource value returned MUST be identical to the protected resource\'s resource identifier, else it MUST NOT be used (2025-11-25 and 2026-07-28 basic/authorization: MCP servers MUST implement RFC 9728; breaks gemini-cli and Antigravity: Protected resource …/ does not match expected …/mcp)',
   rules: ['auth.prm-implemented', 'auth.resource-no-trailing-slash'], says: /resource|match|identi|metadata|9728/i,
   change: guard({
     metadata: (all, origin) => ({...all, resource: `${origin}/`}),
     challenge: (all, origin) => all.map(([name, value]) => name === 'resource_metadata' ? [name, `"${origin}${path}"`] : [name, value]),
     async other({send, refused, published, request, pathname}) {
       if (request.method !== 'GET') return false;
       return pathname === path ? send(200, await published()) : pathname === `${path}/mcp` && refused();
     }}), right: guard()},
];
