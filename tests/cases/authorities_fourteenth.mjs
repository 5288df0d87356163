// More of authorities.mjs, taken as they came by somebody who has not seen the judge.

const other = issuer => issuer.replace('//127.0.0.1:', '//localhost:');

export const cases = [
  // https://github.com/mnfst/llm-gateway/issues/2927
  {name: 'registrations-refused-in-prose', from: 'mnfst/llm-gateway#2927',
   what: 'publishes a registration_endpoint, and answers who registers there without a token with 401, a body without error, and no WWW-Authenticate',
   clause: 'RFC 7591, 3.2.2: an OAuth error condition (as an initial access token that is not good) gets the error response of its token type (RFC 6750, 3: WWW-Authenticate), other errors 400 and a JSON object with error; RFC 9110, 15.5.2: 401 MUST send WWW-Authenticate; breaks OpenCode',
   rules: ['auth.as-registration-errors'], says: /regist|WWW-Authenticate|401|error/i,
   change: {registered: () => ({status: 401, body: {message: 'Unauthorized', statusCode: 401}})}},
  // https://github.com/atlassian/atlassian-mcp-server/issues/205
  {name: 'issuer-of-another-name', from: 'atlassian/atlassian-mcp-server#205',
   what: 'names as its issuer, in its metadata and in its answers, another host than the one that the metadata were asked of',
   clause: 'RFC 8414, 3.3: issuer MUST be identical to the identifier that the well-known address was made of; else the metadata MUST NOT be used; breaks OpenCode and the TypeScript SDK',
   rules: ['auth.as-metadata-published'], says: /issuer/i,
   change: {
     metadata: all => ({...all, issuer: other(all.issuer)}),
     location(url) { url.searchParams.set('iss', other(url.searchParams.get('iss'))); return url.href; }}},
  // https://github.com/1mcp-app/agent/issues/404
  {name: 'refreshes-that-are-not-there', from: '1mcp-app/agent#404',
   what: 'publishes the grant refresh_token and registers clients for it, gives no refresh token, and answers whoever refreshes with 500',
   clause: 'RFC 8414, 2: grant_types_supported lists the grant types that the server supports; RFC 6749, 5.2: a refresh token that is not good gets 400 and invalid_grant',
   rules: ['auth.as-unknown-documents', 'auth.as-unknown-grants', 'auth.as-unknown-client', 'auth.as-refresh-tokens-given', 'auth.as-no-server-errors'], says: /refresh|500|invalid_grant|grant/i,
   change: {
     http(request, response, url, body, server) {
       if (request.method !== 'POST' || url.pathname !== '/token' || new URLSearchParams(body).get('grant_type') !== 'refresh_token') return false;
       server.json(response, 500, {error: 'server_error', error_description: 'Internal Server Error'});
       return true;
     },
     token: ({body: {refresh_token: refresh, ...body}, ...rest}) => ({...rest, body})}},
  // https://github.com/garrytan/gbrain/issues/5222
  {name: 'any-resource-will-do', from: 'garrytan/gbrain#5222',
   what: 'takes any resource that is asked for, and gives tokens for it that no server takes',
   clause: 'RFC 8707, 2: when the value cannot be parsed, or the resource is not acceptable (unknown), the server should reject the request with invalid_target; the value MUST be an absolute URI without a fragment; breaks ChatGPT',
   rules: ['auth.as-unknown-resource'], says: /resource|invalid_target/i,
   change: {resource: () => true}},
  // https://github.com/modelcontextprotocol/typescript-sdk/issues/2773
  {name: 'errors-without-state', from: 'modelcontextprotocol/typescript-sdk#2773',
   what: 'sends errors back to the client without the state of the request',
   clause: 'RFC 6749, 4.1.2.1 (OAuth 2.1, 4.1.2.1): state is REQUIRED in an error response if it was present in the authorization request: the exact value received',
   rules: ['auth.as-state-returned'], says: /state/i,
   change: {location(url) { if (url.searchParams.has('error')) url.searchParams.delete('state'); return url.href; }}},
];
