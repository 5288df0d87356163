// More of authorities.mjs, taken as they came by somebody who has not seen the judge.

import {randomBytes} from 'node:crypto';

export const cases = [
  // https://github.com/different-ai/openwork/issues/3599
  {name: 'registrations-fail-500', from: 'different-ai/openwork#3599',
   what: 'publishes a registration_endpoint, and answers each registration with 500 and an empty body',
   clause: 'RFC 7591, 3.2.1: a registration is answered by 201 with the client information; 3.2.2: or by 400 and an error (2025-11-25 basic/authorization, Dynamic Client Registration; breaks Claude Code)',
   rules: ['auth.as-registration-errors', 'auth.as-no-server-errors', 'auth.as-registers-clients'], says: /regist|500/i,
   change: {registered: () => ({status: 500, body: undefined})}},
  // https://github.com/DevCycleHQ/cli/pull/581
  {name: 'no-way-to-a-client-id', from: 'DevCycleHQ/cli#581',
   what: 'has no registration_endpoint and no client_id_metadata_document_supported: there is no way for a client that it does not know',
   clause: '2025-11-25 basic/authorization, Client Registration Approaches: authorization servers SHOULD support Client ID Metadata Documents, and MAY support Dynamic Client Registration (2025-03-26: SHOULD; breaks the TypeScript SDK: does not support dynamic client registration)',
   rules: ['auth.as-way-to-a-client-id'], says: /regist|client_id|metadata document/i,
   change: {metadata: ({registration_endpoint: _, ...all}) => all,
     http(request, response, url) {
       if (url.pathname !== '/register') return false;
       response.writeHead(404, {'content-type': 'application/json'});
       response.end('{"error":"not_found"}');
       return true;
     }}},
  // https://github.com/BuilderIO/agent-native/issues/2532
  {name: 'loopback-ports-must-be-registered', from: 'BuilderIO/agent-native#2532',
   what: 'refuses a loopback redirect URI whose port is not the registered one',
   clause: 'RFC 8252, 7.3 (OAuth 2.1, 8.4.2): the authorization server MUST allow any port to be specified at the time of the request for loopback IP redirect URIs; breaks Claude Code',
   rules: ['auth.as-loopback-ports'], says: /port|loopback|redirect/i,
   change: {matches: (registered, asked) => registered.includes(asked)}},
  // https://github.com/punkpeye/fastmcp/issues/214
  {name: 'basic-in-name-alone', from: 'punkpeye/fastmcp#214',
   what: 'supports client_secret_basic, by its metadata and its registrations, and looks for client_id in the body alone: who sends an Authorization header is invalid_client',
   clause: 'RFC 6749, 2.3.1: the authorization server MUST support the HTTP Basic authentication scheme for clients that were issued a password; RFC 8414, 2: token_endpoint_auth_methods_supported are supported by this token endpoint; breaks the MCP Inspector',
   rules: ['auth.as-methods-as-listed'], says: /basic|client_secret|token_endpoint_auth|invalid_client/i,
   change: {metadata: all => ({...all, token_endpoint_auth_methods_supported: ['client_secret_basic', 'none']}),
     registered: wish => [undefined, 'client_secret_basic'].includes(wish?.token_endpoint_auth_method)
       ? {body: client => ({...client, token_endpoint_auth_method: 'client_secret_basic', client_secret: randomBytes(24).toString('base64url'), client_secret_expires_at: 0})} : undefined}},
  // https://github.com/modelcontextprotocol/python-sdk/issues/1919
  {name: 'issuer-with-one-slash-more', from: 'modelcontextprotocol/python-sdk#1919',
   what: 'publishes its issuer with a slash at the end, at which its metadata is not looked for',
   clause: 'RFC 8414, 3.3: issuer MUST be identical to the issuer identifier that the well-known address was made of; else the metadata MUST NOT be used (and iss of authorization responses, RFC 9207, 2.4, is another)',
   rules: ['auth.as-metadata-published', 'auth.as-sends-iss'], says: /issuer|\biss\b/i,
   change: {metadata: all => ({...all, issuer: `${all.issuer}/`})}},
  // https://github.com/open-metadata/OpenMetadata/issues/28951
  {name: 'state-encoded-twice', from: 'open-metadata/OpenMetadata#28951',
   what: 'encodes the state in its redirect twice: one with + or = in it comes back as another',
   clause: 'RFC 6749, 4.1.2: state is REQUIRED if it was in the request: the exact value received from the client; breaks VS Code',
   rules: ['auth.as-state-returned'], says: /state/i,
   change: {location(url, asked) {
     const state = asked.get('state');
     const all = new URL(url);
     if (state !== null) all.searchParams.set('state', encodeURIComponent(state));
     return all.href;
   }}},
  // https://github.com/tanviet12/chat-quality-agent/issues/18
  {name: 'state-not-encoded', from: 'tanviet12/chat-quality-agent#18',
   what: 'writes the state into its redirect as it is, so that + comes back as a blank, and & ends it',
   clause: 'RFC 6749, 4.1.2 and appendix B: the parameters are added to the query by application/x-www-form-urlencoded; state is the exact value received from the client',
   rules: ['auth.as-state-returned'], says: /state/i,
   change: {location(url, asked) {
     const state = asked.get('state');
     if (state === null) return url.href;
     const all = new URL(url);
     all.searchParams.delete('state');
     return `${all.href}&state=${state.replace(/[^\x21-\x7e]/g, encodeURIComponent)}`;
   }}},
  // https://github.com/ChronoAIProject/NyxID/issues/1226
  {name: 'refuses-its-own-resource', from: 'ChronoAIProject/NyxID#1226',
   what: 'publishes metadata of the MCP server beside it, /mcp, and refuses to authorize for that resource, with invalid_target',
   clause: '2025-11-25 basic/authorization, Resource Parameter Implementation: clients MUST send resource in authorization and token requests, the canonical URI of the MCP server; RFC 8707, 2: invalid_target is for resources that are invalid, missing, unknown or malformed; breaks Claude Code, Cursor and Codex',
   rules: ['auth.as-good-request-taken'], says: /resource|invalid_target/i,
   change: {
     http(request, response, url, body, server) {
       if (request.method !== 'GET' || !['/.well-known/oauth-protected-resource/mcp', '/.well-known/oauth-protected-resource'].includes(url.pathname)) return false;
       server.json(response, 200, {resource: `${server.issuer}/mcp`, authorization_servers: [server.issuer], bearer_methods_supported: ['header']});
       return true;
     },
     resource: text => /^http:\/\/(127\.0\.0\.1|localhost)(:\d+)?\/proxy\/[a-z0-9-]+$/.test(text)}},
  // https://github.com/andrea-magni/MARS/issues/203
  {name: 'addresses-behind-the-proxy', from: 'andrea-magni/MARS#203',
   what: 'publishes its issuer and its endpoints with the port it has behind its reverse proxy, at which nobody can be reached',
   clause: 'RFC 8414, 3.3: issuer MUST be identical to the issuer identifier that the well-known address was made of; 2: authorization_endpoint, token_endpoint and registration_endpoint are the URLs of the endpoints; breaks claude.ai',
   rules: ['auth.as-metadata-published', 'auth.as-no-server-errors'], says: /issuer|endpoint|reach|connect|regist/i,
   change: {metadata: all => Object.fromEntries(Object.entries(all).map(([name, value]) => [name, typeof value === 'string' && /^http:/.test(value) ? value.replace(/:\d+(?=\/|$)/, ':9') : value]))}},
];
