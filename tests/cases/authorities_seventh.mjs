// More of authorities.mjs: what shows with a second look at the page of consent, and with states and challenges of other letters.

const consent = /consent=([A-Za-z0-9_-]+)/;

export const cases = [
  // https://github.com/open-metadata/OpenMetadata/pull/28952
  {name: 'state-encoded-twice', from: 'open-metadata/OpenMetadata#28952', what: 'encodes the state twice where it sends the user back',
   rules: ['auth.as-state-returned'], says: /state/,
   change: {location(url, asked) { if (asked.get('state') !== null) url.searchParams.set('state', encodeURIComponent(asked.get('state'))); return url.href; }}},
  // https://github.com/PrefectHQ/fastmcp/issues/4814
  {name: 'second-look-spoils-the-page', from: 'PrefectHQ/fastmcp#4814', what: 'refuses the consent of a page once the same page was fetched again',
   rules: ['auth.as-page-fetched-twice'], says: /again|twice|second/,
   change: (() => { const newest = new Map; return {http(request, response, url, body, server) {
     if (url.pathname !== '/authorize') return false;
     if (request.method === 'GET') {
       const key = newest.get(url.search);
       if (key) server.consents.delete(key);
       const head = response.writeHead.bind(response);
       response.writeHead = (status, headers) => { const given = consent.exec(headers?.['set-cookie'] ?? '')?.[1]; if (given) newest.set(url.search, given); return head(status, headers); };
     }
     return false;
   }}; })()},
  // https://github.com/giantswarm/mcp-oauth/issues/303
  {name: 'response-type-unread', from: 'giantswarm/mcp-oauth#303', what: 'takes any response_type, and none',
   rules: ['auth.as-response-type-checked'], says: /response_type/,
   change: {http(request, response, url, body, server) {
     if (url.pathname !== '/authorize' || request.method !== 'GET' || url.searchParams.get('response_type') === 'code') return false;
     url.searchParams.set('response_type', 'code');
     server.authorize(request, response, url.searchParams);
     return true;
   }}},
  // https://github.com/better-auth/better-auth/pull/8966
  {name: 'letters-break-the-redirect', from: 'better-auth/better-auth#8966', what: 'answers 500 where the redirect would have letters beyond ASCII',
   rules: ['auth.as-state-returned', 'auth.as-answers-with-a-code', 'auth.as-no-server-errors'], says: /state|letter|ASCII|500/,
   change: {http(request, response, url, body) {
     const state = (request.method === 'GET' ? url.searchParams : new URLSearchParams(body)).get('state') ?? '';
     if (url.pathname !== '/authorize' || /^[\x20-\x7e]*$/.test(state)) return false;
     response.writeHead(500, {'content-type': 'text/plain'});
     response.end("Header 'location' has invalid value");
     return true;
   }}},
  // https://github.com/better-auth/better-auth/issues/11035
  {name: 'unknown-client-is-a-wrong-grant', from: 'better-auth/better-auth#11035', what: 'answers invalid_grant to a client that it does not know',
   rules: ['auth.as-unknown-client'], says: /invalid_grant/,
   change: {refused: (error, status, headers) => error === 'invalid_client' ? [400, {error: 'invalid_grant', error_description: 'session not found'}, headers] : [status, {error}, headers]}},
  // https://github.com/exceptionless/Exceptionless/pull/2320
  {name: 'short-challenges-taken', from: 'exceptionless/Exceptionless#2320', what: 'takes a code_challenge of a few letters, which no SHA-256 has',
   rules: ['auth.as-pkce-challenge-form', 'auth.as-pkce-required', 'auth.as-pkce-enforced'], says: /code_challenge|letters|short/,
   change: {pkce: asked => asked.get('code_challenge') !== null && asked.get('code_challenge') !== '' && asked.get('code_challenge_method') === 'S256'}},
  // https://github.com/PrefectHQ/fastmcp/issues/3747
  {name: 'cookies-grow', from: 'PrefectHQ/fastmcp#3747', what: 'keeps a cookie for each consent, and refuses browsers whose header has grown too long',
   rules: ['auth.as-cookies-bounded'], says: /cookie/i,
   change: {http(request, response, url) {
     if (url.pathname !== '/authorize') return false;
     if ((request.headers.cookie ?? '').length > 400) { response.writeHead(431, {'content-type': 'text/plain'}); response.end('Request Header Fields Too Large'); return true; }
     const head = response.writeHead.bind(response);
     response.writeHead = (status, headers) => { const key = consent.exec(headers?.['set-cookie'] ?? '')?.[1];
       return head(status, key ? {...headers, 'set-cookie': [headers['set-cookie'], `approved-${key.slice(0, 6)}=${key}; Path=/`]} : headers); };
     return false;
   }}},
];
