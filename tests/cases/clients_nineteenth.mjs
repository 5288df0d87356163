// More of clients.mjs, taken as they came by somebody who has not seen the judge. `clause`: what the specification says.

const S = '2025-11-25';
const M = '2026-07-28';
const retried = ['tools/call', 'prompts/get', 'resources/read'];
const said = init => { try { return JSON.parse(init.body); } catch { return undefined; } };

export const cases = [
  // https://github.com/warpdotdev/warp/issues/9088
  {name: 'redirect-with-a-query-of-its-own', from: 'warpdotdev/warp#9088', in: [`${S} http`, `${M} http`],
   what: 'appends ?server_id=... to its redirect_uri when it asks for authorization and for the token, and has registered it without',
   rules: ['auth.redirect-uris-registered'], clause: 'OAuth 2.1, 2.3.1 and 4.1.1 (RFC 6749, 3.1.2.3): redirect_uri is compared with those registered by simple string comparison, but for the port of loopback addresses; 2025-11-25 basic/authorization and 2026-07-28 basic/authorization/security-considerations, Open Redirection: authorization servers MUST validate exact redirect URIs against pre-registered values',
   says: /redirect/i,
   change: (() => {
     const asked = all => ({...all, redirect_uri: `${all.redirect_uri}?server_id=65aebdca-613a-4b60-97d3-92548673bd03`});
     return {authorize: asked, token: asked};
   })()},
  // https://github.com/maximhq/bifrost/issues/7202
  {name: 'never-initializes', from: 'maximhq/bifrost#7202', in: [`${S} http`],
   what: 'sends no initialize: tools/list is the first that its server hears, without a session',
   rules: ['lifecycle.initialize-first', 'lifecycle.client-sends-initialize', 'base.core-and-lifecycle-supported', 'http.session-404-reinitialize'], clause: '2025-11-25 basic/lifecycle, Initialization: the initialization phase MUST be the first interaction between client and server; the client MUST initiate this phase by sending an initialize request; breaks servers of the Go SDK (method invalid during initialization)',
   says: /initiali[sz]/i,
   change: {async fetch(url, init) {
     const message = said(init);
     if (message?.method === 'notifications/initialized') return new Response(null, {status: 202});
     if (message?.method !== 'initialize') return fetch(url, init);
     const result = {protocolVersion: message.params.protocolVersion, capabilities: {tools: {}}, serverInfo: {name: 'unknown', version: '0'}};
     return new Response(JSON.stringify({jsonrpc: '2.0', id: message.id, result}), {headers: {'content-type': 'application/json'}});
   }}},
  // https://github.com/joshrotenberg/tower-mcp/issues/1174
  {name: 'requests-overtake-initialized', from: 'joshrotenberg/tower-mcp#1174', in: [`${S} http`],
   what: 'does not wait until notifications/initialized is sent: the first request after initialize overtakes it',
   rules: ['lifecycle.initialized-notification'], clause: '2025-11-25 basic/lifecycle, Initialization: after successful initialization, the client MUST send an initialized notification to indicate it is ready to begin normal operations; breaks tower-mcp (-32600, Client must send notifications/initialized before making requests)',
   says: /initiali[sz]ed/i,
   change: (() => {
     let held;
     const release = () => {
       if (!held) return;
       const [url, init] = held;
       held = undefined;
       fetch(url, init).then(answer => answer.arrayBuffer()).catch(() => {});
     };
     return {fetch(url, init) {
       if (said(init)?.method === 'notifications/initialized') {
         held = [url, {...init, signal: undefined}];
         setTimeout(release, 500);  // Also where no request follows.
         return new Response(null, {status: 202});
       }
       if (held) setTimeout(release, 60);
       return fetch(url, init);
     }};
   })()},
  // https://github.com/home-assistant/core/pull/170370
  {name: 'codes-without-a-challenge', from: 'home-assistant/core#170370', in: [`${S} http`, `${M} http`],
   what: 'uses no PKCE: neither code_challenge when it asks for authorization nor code_verifier when it asks for the token',
   rules: ['auth.pkce-used'], clause: '2025-11-25 basic/authorization and 2026-07-28 basic/authorization/security-considerations, Authorization Code Protection: MCP clients MUST implement PKCE according to OAuth 2.1, 7.5.2, and MUST use the S256 code challenge method when technically capable',
   says: /PKCE|code_challenge|code_verifier|S256/i,
   change: {
     authorize({code_challenge: _, code_challenge_method: __, ...rest}) { return rest; },
     token({code_verifier: _, ...rest}) { return rest; }}},
  // https://github.com/punkpeye/mcp-remote/issues/270
  {name: 'codes-sent-to-the-server-itself', from: 'punkpeye/mcp-remote#270', in: [`${S} http`, `${M} http`],
   what: 'posts its code to the address of the MCP server, not to the token_endpoint of the metadata',
   rules: ['auth.client-reads-as-metadata'], clause: 'RFC 8414, 2: token_endpoint: URL of the authorization server\'s token endpoint; RFC 6749, 4.1.3: the client makes a request to the token endpoint; 2025-11-25 basic/authorization and 2026-07-28 basic/authorization/authorization-server-discovery, Authorization Server Metadata Discovery: clients obtain from it what is required to interact with the authorization server',
   says: /token_endpoint|token (endpoint|request)|authorization[_ ]code|grant_type|urlencoded|\btokens?\b/i,
   change: {endpoints: (published, url) => published && {...published, token_endpoint: url}}},
  // https://github.com/modelcontextprotocol/kotlin-sdk/issues/590
  {name: 'reconnects-at-once', from: 'modelcontextprotocol/kotlin-sdk#590', in: [`${S} http`],
   what: 'takes up a stream that ended at once, whatever its retry field said',
   rules: ['http.sse-retry-respected'], clause: '2025-11-25 basic/transports, Sending Messages: if the server does close the connection prior to terminating the SSE stream, it SHOULD send an SSE event with a standard retry field before closing the connection; the client MUST respect the retry field, waiting the given number of milliseconds before attempting to reconnect',
   says: /retry|milliseconds|\bms\b|reconnect/i,
   change: {pause: () => 0}},
  // https://github.com/rust-mcp-stack/rust-mcp-sdk/pull/217
  {name: 'half-lines-are-lost', from: 'rust-mcp-stack/rust-mcp-sdk#217', in: [`${S} http`, `${M} http`],
   what: 'loses what it has of a line when a piece of a stream ends within an event, after its first line and before the end of its next one',
   rules: ['http.sse-split-lines'], clause: 'WHATWG HTML, 9.2.5 and 9.2.6: an event stream is lines, of whatever pieces it arrives; RFC 9112, 7.1: the sizes of chunks mean nothing; 2025-11-25 basic/transports and 2026-07-28 basic/transports/streamable-http, Sending Messages: the client MUST support text/event-stream',
   says: /chunk|piece|split|\bcut\b|stream|\bevents?\b|\blines?\b/i,
   change: {lines(text) {
     const all = text.replaceAll('\r\n', '\n').replace(/\r(?!$)/g, '\n');
     const begun = all.lastIndexOf('\n\n') + 1;
     const end = all.lastIndexOf('\n');
     return end > begun ? all.slice(0, end + 1) : all;
   }}},
  // https://github.com/apify/mcpc/pull/373
  {name: 'forgets-refresh-tokens-that-stay', from: 'apify/mcpc#373', in: [`${S} http`, `${M} http`],
   what: 'forgets its refresh token when the answer to a refresh has none, and needs its user again when that access token is over',
   rules: ['auth.refresh-token-kept'], clause: 'RFC 6749, 6 (OAuth 2.1, 4.3.2): the authorization server MAY issue a new refresh token, in which case the client MUST discard the old refresh token and replace it with the new one: otherwise the old one remains; 2026-07-28 basic/authorization, Refresh Tokens',
   says: /refresh|sign(s|ed)? in again|authoriz(es?|ed|ation) again|user again/i,
   change: {kept: given => given}},
  // https://github.com/Hmbown/Codewhale/issues/5572
  {name: 'expired-is-broken', from: 'Hmbown/Codewhale#5572', in: [`${S} http`, `${M} http`],
   what: 'gives a request up at 401 and 403 once it has a token: it neither refreshes it nor signs in again, and says no more of it',
   rules: ['auth.step-up-attempted'], clause: '2025-11-25 basic/authorization and 2026-07-28 basic/authorization/authorization-server-discovery: MCP clients MUST be able to parse WWW-Authenticate headers and respond appropriately to HTTP 401 Unauthorized responses from the MCP server; Runtime Insufficient Scope Errors, Step-Up Authorization Flow: clients SHOULD attempt step-up authorization',
   says: /\b40[13]\b|expir|refresh|step.?up|insufficient/i,
   change: {headers(all, message, client) { if (client.token) client.signing = true; return all; }}},
  // https://github.com/modelcontextprotocol/typescript-sdk/pull/2313
  {name: 'inputs-of-the-round-before', from: 'modelcontextprotocol/typescript-sdk#2313', in: [`${M} http`, `${M} stdio`],
   what: 'sends the inputResponses and the requestState of the round before once more, where the last result has asked for no input or had no state',
   rules: ['mrtr.request-state-not-invented', 'mrtr.inputs-built-before-retry'], clause: '2026-07-28 basic/patterns/mrtr, Client Requirements: if the InputRequiredResult does not contain requestState, the client MUST NOT include one in the retry; inputResponses are the answers to the inputRequests of that result; they and requestState only affect the processing of the one retry',
   says: /requestState|inputResponses/i,
   change: (() => {
     let before;
     return {out(message) {
       if (!retried.includes(message.method)) return message;
       const {inputResponses, requestState} = message.params;
       if (inputResponses === undefined && requestState === undefined) { before = undefined; return message; }
       before = {...before, ...inputResponses !== undefined && {inputResponses}, ...requestState !== undefined && {requestState}};
       return {...message, params: {...message.params, ...before}};
     }};
   })()},
  // https://github.com/modelcontextprotocol/inspector/issues/627
  {name: 'codes-exchanged-as-nobody', from: 'modelcontextprotocol/inspector#627', in: [`${S} http`, `${M} http`],
   what: 'sends no client_id, and no other authentication, when it exchanges its code, though it is a public client',
   rules: ['auth.code-names-the-client'], clause: 'RFC 6749, 4.1.3: client_id: REQUIRED, if the client is not authenticating with the authorization server (OAuth 2.1, 4.1.3; 2025-11-25 and 2026-07-28 basic/authorization: OAuth 2.1)',
   says: /client_id|client id\b|invalid_client/i,
   change: {token({client_id: id, ...rest}) { return rest.client_secret ? {client_id: id, ...rest} : rest; }}},
  // https://github.com/github/github-mcp-server/issues/2044
  {name: 'numbers-become-texts', from: 'github/github-mcp-server#2044', in: [`${S} stdio`, `${S} http`, `${M} http`],
   what: 'sends the numbers in the arguments of a call as texts: "5812" for 5812, where the schema says number',
   rules: ['tools.call-arguments-exact'], clause: '2025-11-25 and 2026-07-28 server/tools, Tool: inputSchema: JSON Schema defining expected parameters; JSON Schema 2020-12, Validation, 6.1.1: type; breaks the GitHub MCP server (Expected number, received string)',
   says: /number|integer|\bstrings?\b|argument|inputSchema/i,
   change: {out(message) {
     if (message.method !== 'tools/call') return message;
     const given = Object.entries(message.params.arguments ?? {}).map(([name, value]) => [name, typeof value === 'number' ? String(value) : value]);
     return {...message, params: {...message.params, arguments: Object.fromEntries(given)}};
   }}},
  // https://github.com/anthropics/claude-code/issues/37337
  {name: 'asks-for-a-token-after-a-refusal', from: 'anthropics/claude-code#37337', in: [`${S} http`, `${M} http`],
   what: 'pays no heed to an error that comes back from the authorization endpoint, and asks the token endpoint for a token without a code',
   rules: ['auth.refusal-heeded'], clause: 'RFC 6749, 4.1.2.1: error: if the resource owner denies the access request, the authorization server informs the client; 4.1.3: code: REQUIRED, the authorization code received from the authorization server (OAuth 2.1, 4.1.2.1 and 4.1.3; 2025-11-25 and 2026-07-28 basic/authorization: OAuth 2.1)',
   says: /access_denied|denie|refus|authorization (error|response)|error (response|parameter)|without (a |any |the )?code|no code/i,
   change: (() => {
     let done = false;
     return {
       endpoints(published) {
         if (!published || done) return published;
         done = true;
         const before = globalThis.fetch;
         globalThis.fetch = async (url, init) => {
           const answer = await before(url, init);
           const there = answer.headers.get('location');
           if (!String(url?.href ?? url).startsWith(published.authorization_endpoint) || !there) return answer;
           const back = new URL(there);
           if (!back.searchParams.get('error') || back.searchParams.get('code')) return answer;
           back.searchParams.set('code', 'undefined');
           return new Response(null, {status: 302, headers: {location: back.href}});
         };
         return published;
       },
       token({code, ...rest}) { return code === 'undefined' ? rest : {code, ...rest}; }};
   })()},
];
