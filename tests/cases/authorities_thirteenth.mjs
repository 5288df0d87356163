// More of authorities.mjs, taken as they came by somebody who has not seen the judge.

const isObject = value => value !== null && typeof value === 'object' && !Array.isArray(value);

export const cases = [
  // https://github.com/matrix-org/matrix-authentication-service/issues/2848
  {name: 'registrations-say-the-id-alone', from: 'matrix-org/matrix-authentication-service#2848',
   what: 'answers a registration with client_id and client_id_issued_at, and nothing of what was registered',
   clause: 'RFC 7591, 3.2.1: the server MUST return all registered metadata about this client; breaks the TypeScript SDK, whose client wants redirect_uris there',
   rules: ['auth.as-registration-answer'], says: /redirect_uris|metadata|regist/i,
   change: {registered: () => ({body: ({client_id, client_id_issued_at}) => ({client_id, client_id_issued_at})})}},
  // https://github.com/n8n-io/n8n/pull/28490
  {name: 'clients-that-are-not-kept', from: 'n8n-io/n8n#28490',
   what: 'answers registrations without client_name, grant_types or redirect_uris with 201 and a client_id, and does not know the client afterwards',
   clause: 'RFC 7591, 2: client_name and grant_types are optional, redirect_uris MUST be registered for flows with redirection; 3.2.1: 201 and a client_id mean that the client is registered; 3.2.2: else 400 and invalid_redirect_uri or invalid_client_metadata',
   rules: ['auth.as-registered-is-served', 'auth.as-registration-errors'], says: /redirect_uris|client_name|grant_types|regist|client_id|client/i,
   change: {
     http(request, response, url, body, server) { this.server = server; return false; },
     registered(wish) {
       if (!isObject(wish) || ['client_name', 'grant_types', 'redirect_uris'].every(name => wish[name] !== undefined)) return undefined;
       return {taken: wish.redirect_uris === undefined, body: client => { this.server.clients.delete(client.client_id); return client; }};
     }}},
  // https://github.com/charmbracelet/crush/issues/3854
  {name: 'response-types-must-be-said', from: 'charmbracelet/crush#3854',
   what: 'refuses registrations that leave response_types out',
   clause: 'RFC 7591, 2: response_types is optional; if omitted, the default is that the client will use only "code"; breaks Crush with Neon',
   rules: ['auth.as-registration-optional-members'], says: /response_types|regist/i,
   change: {registered: wish => Array.isArray(wish?.response_types) && wish.response_types.length && wish.response_types.every(one => one === 'code') ? undefined
     : {status: 400, body: {error: 'invalid_request', error_description: 'response_types is required and must only include supported response types'}}}},
  // https://github.com/LibreChat-AI/librechat.ai/issues/420
  {name: 'expires-in-a-text', from: 'LibreChat-AI/librechat.ai#420',
   what: 'says expires_in as a text of digits',
   clause: 'RFC 6749, 5.1 and A.14: expires_in is a number of seconds, and numerical values are included as JSON numbers; breaks LibreChat and the TypeScript SDK of then',
   rules: ['auth.as-token-answer'], says: /expires_in/,
   change: {token: ({body, ...rest}) => ({...rest, body: {...body, expires_in: String(body.expires_in)}})}},
  // https://github.com/modelcontextprotocol/python-sdk/issues/1480
  {name: 'unknown-clients-are-unauthorized', from: 'modelcontextprotocol/python-sdk#1480',
   what: 'answers the token request of a client that it does not know with 401 and unauthorized_client',
   clause: 'RFC 6749, 5.2 (OAuth 2.1, 3.2.4): invalid_client: client authentication failed (unknown client, …); unauthorized_client: the authenticated client may not use this grant',
   rules: ['auth.as-unknown-client'], says: /invalid_client|unauthorized_client/,
   change: {refused: (error, status, headers) => error === 'invalid_client'
     ? [status, {error: 'unauthorized_client', error_description: 'Invalid client_id'}, headers] : [status, {error}, headers]}},
  // https://github.com/Doist/todoist-mcp/issues/400
  {name: 'tokens-without-an-end', from: 'Doist/todoist-mcp#400',
   what: 'gives tokens and does not say how long they are good',
   clause: 'RFC 6749, 5.1: expires_in is RECOMMENDED; if omitted, the server SHOULD provide the expiration time via other means; 2025-11-25 basic/authorization, Token Theft: SHOULD issue short-lived access tokens; breaks Claude Code',
   rules: ['auth.short-lived-tokens'], says: /expires_in|expir|lifetime|short-lived/i,
   change: {token: ({body: {expires_in: left, ...body}, ...rest}) => ({...rest, body})}},
];
