// More of clients.mjs, taken as they came by somebody who has not seen the judge. `clause`: what the specification says.

import {randomBytes} from 'node:crypto';
import {Socket} from 'node:net';

const S = '2025-11-25';
const M = '2026-07-28';
const lf = text => text.replaceAll('\r\n', '\n').replace(/\r(?!$)/g, '\n');

export const cases = [
  // https://github.com/f/mcptools/issues/69
  {name: 'notices-without-accept', from: 'f/mcptools#69', in: [`${S} http`],
   what: 'sends notifications without an Accept that lists application/json and text/event-stream (fetch says */* instead)',
   rules: ['http.accept-header-both-types'], clause: '2025-11-25 basic/transports, Sending Messages to the Server: the client MUST include an Accept header, listing both application/json and text/event-stream; breaks the Python SDK (406)',
   says: /accept/i,
   change: {headers(all, message) {
     if (!message.method?.startsWith('notifications/')) return all;
     const {accept: _, ...rest} = all;
     return rest;
   }}},
  // https://github.com/cloudflare/agents/issues/490
  {name: 'verifier-of-another-page', from: 'cloudflare/agents#490', in: [`${S} http`, `${M} http`],
   what: 'makes a new code_verifier for the token request, which the code_challenge was not made of',
   rules: ['auth.pkce-used'], clause: '2025-11-25 basic/authorization and 2026-07-28 basic/authorization/security-considerations, Authorization Code Protection: MCP clients MUST implement PKCE; RFC 7636, 4.5 and 4.6: code_verifier is that of the code_challenge',
   says: /code_verifier|verifier|PKCE|code_challenge/i,
   change: {token: form => ({...form, code_verifier: randomBytes(32).toString('base64url')})}},
  // https://github.com/topcheer/ggcode/pull/2490
  {name: 'never-cancels', from: 'topcheer/ggcode#2490', in: [`${S} stdio`, `${S} http`, `${M} stdio`],
   what: 'gives up requests that are not answered in time, and tells the server of none',
   rules: ['cancellation.cancel-on-timeout', 'cancellation.client-signals'], clause: '2025-11-25 basic/lifecycle, Timeouts: when there is no response within the timeout period, the sender SHOULD issue a cancellation notification for that request; 2026-07-28 basic/patterns/cancellation: on stdio the client MUST send notifications/cancelled',
   says: /cancel/i,
   change: {cancels: () => false}},
  // https://github.com/modelcontextprotocol/swift-sdk/issues/84
  {name: 'never-says-initialized', from: 'modelcontextprotocol/swift-sdk#84', in: [`${S} stdio`, `${S} http`],
   what: 'sends no notifications/initialized after initialize',
   rules: ['lifecycle.initialized-notification'], clause: '2025-11-25 basic/lifecycle, Initialization: after successful initialization, the client MUST send an initialized notification',
   says: /initialized/i,
   change: {tells: method => method !== 'notifications/initialized'}},
  // https://github.com/metatool-ai/metamcp/issues/299
  {name: 'any-state', from: 'metatool-ai/metamcp#299', in: [`${S} http`, `${M} http`],
   what: 'does not look at the state that comes back: neither whether there is one nor whether it is the one that was sent',
   rules: ['auth.state-verified'], clause: '2025-11-25 basic/authorization, Open Redirection, and 2026-07-28 basic/authorization/security-considerations: MCP clients SHOULD use and verify state parameters in the authorization code flow, and discard any results that do not include or have a mismatch with the original state',
   says: /state/i,
   change: (() => {
     let sent;
     return {authorize(asked) { sent = asked.state; return asked; }, state: () => sent};
   })()},
  // https://github.com/anthropics/claude-ai-mcp/issues/240
  {name: 'tokens-never-sent', from: 'anthropics/claude-ai-mcp#240', in: [`${S} http`, `${M} http`],
   what: 'signs in, gets a token, and sends its requests without an Authorization header all the same',
   rules: ['auth.bearer-header'], clause: '2025-11-25 and 2026-07-28 basic/authorization, Token Requirements: the client MUST use the Authorization request header field; authorization MUST be included in every HTTP request from client to server',
   says: /Authorization|token|Bearer/i,
   change: {headers(all) { const {authorization: _, ...rest} = all; return rest; }}},
  // https://github.com/anthropics/claude-code/issues/66210
  {name: 'keeps-the-first-refresh-token', from: 'anthropics/claude-code#66210', in: [`${S} http`, `${M} http`],
   what: 'does not keep the refresh token that comes with a refreshed token, and sends the first one, which was used, again',
   rules: ['auth.refresh-token-kept', 'auth.oauth21-security-practices'], clause: '2025-11-25 basic/authorization, Token Theft: authorization servers MUST rotate refresh tokens of public clients (OAuth 2.1, 4.3.1); RFC 6749, 6: if a new refresh token is issued, the client MUST discard the old refresh token and replace it with the new',
   says: /refresh/i,
   change: {kept: (given, had) => had ?? given}},
  // https://github.com/f/mcptools/issues/47
  {name: 'initialized-has-an-id', from: 'f/mcptools#47', in: [`${S} http`],
   what: 'sends notifications/initialized with an id, as if it were a request',
   rules: ['jsonrpc.notification-no-id'], clause: '2025-11-25 basic, Notifications: notifications MUST NOT include an ID',
   says: /\bid\b|notif|initialized/i,
   change: {out: message => message.method === 'notifications/initialized' ? {...message, id: 0} : message}},
  // https://github.com/anthropics/claude-code/issues/55970
  {name: 'sessions-that-are-gone', from: 'anthropics/claude-code#55970', in: [`${S} http`],
   what: 'goes on with the id of a session that the server answers with 404, and never begins another',
   rules: ['http.session-404-reinitialize'], clause: '2025-11-25 basic/transports, Session Management: when a client receives HTTP 404 in response to a request containing an MCP-Session-Id, it MUST start a new session by sending a new InitializeRequest without a session ID attached',
   says: /session|404|initialize/i,
   change: {gone: () => 'go on'}},
  // https://github.com/MoonshotAI/kimi-cli/pull/2548
  {name: 'begins-again-before-calls', from: 'MoonshotAI/kimi-cli#2548', in: [`${S} stdio`],
   what: 'sends initialize once more, on the same connection, before its first call',
   rules: ['lifecycle.client-waits-for-init-response'], clause: '2025-11-25 basic/lifecycle, Initialization: the initialization phase MUST be the first interaction between client and server; then comes operation, until shutdown; breaks strict servers (Server is already initialized)',
   says: /initialize|handshake/i,
   change: (() => {
     let begun;
     return {out(message) {
       if (message.method !== 'initialize' || begun) return message;
       begun = message;
       const write = Socket.prototype.write;
       Socket.prototype.write = function(chunk, ...rest) {
         if (typeof chunk !== 'string' || !/^\{.*"method":"tools\/call".*\}\n$/s.test(chunk)) return write.call(this, chunk, ...rest);
         Socket.prototype.write = write;
         const lines = [{...begun, id: 'again'}, {jsonrpc: '2.0', method: 'notifications/initialized'}].map(one => `${JSON.stringify(one)}\n`);
         return write.call(this, lines.join('') + chunk, ...rest);
       };
       return message;
     }};
   })()},
  // https://github.com/modelcontextprotocol/python-sdk/pull/1670
  {name: 'empty-events-are-no-json', from: 'modelcontextprotocol/python-sdk#1670', in: [`${S} http`],
   what: 'parses the data of each event as JSON, and gives the stream up at one whose data is empty, as that which primes it',
   rules: ['http.sse-empty-data-ignored'], clause: '2025-11-25 basic/transports, Sending Messages to the Server: the server SHOULD immediately send an SSE event consisting of an event ID and an empty data field in order to prime the client to reconnect',
   says: /empty|prim(e|ing)|event|stream|reconnect|no answer/i,
   change: {lines(text) {
     const all = lf(text);
     for (const block of all.split('\n\n').slice(0, -1)) {
       const data = block.split('\n').filter(line => /^data(:|$)/.test(line));
       if (data.length && data.every(line => /^data:? ?$/.test(line))) throw new Error('Unexpected end of JSON input');
     }
     return all;
   }}},
  // https://github.com/zhu1090093659/deepseek-pp/pull/471
  {name: 'events-end-with-lf-alone', from: 'zhu1090093659/deepseek-pp#471', in: [`${S} http`, `${M} http`],
   what: 'knows the end of an event by LF LF alone, and finds nothing in streams whose lines end with CR LF',
   rules: ['http.sse-format', 'http.client-supports-both-response-types', 'http.answer-forms-read'], clause: '2025-11-25 basic/transports and 2026-07-28 basic/transports/streamable-http: text/event-stream (WHATWG HTML, 9.2.5: lines end with CR LF, LF or CR alone)',
   says: /\bCR\b|\bLF\b|CRLF|line|event|stream|no answer/i,
   change: {lines: text => text}},
  // https://github.com/anthropics/claude-code/issues/41610
  {name: 'always-wants-to-be-offline', from: 'anthropics/claude-code#41610', in: [`${S} http`, `${M} http`],
   what: 'asks for offline_access too, whether the authorization server has it in scopes_supported or not',
   rules: ['auth.scope-selection-order'], clause: '2026-07-28 basic/authorization, Refresh Tokens: clients MAY add offline_access when the Authorization Server metadata contains it in scopes_supported; 2025-11-25, Scope Selection Strategy: the scope of the challenge, else scopes_supported of the Protected Resource Metadata',
   says: /scope|offline_access/i,
   change: {authorize: asked => ({...asked, scope: [...new Set([...asked.scope?.split(' ') ?? [], 'offline_access'])].join(' ')})}},
  // https://github.com/danny-avila/LibreChat/pull/9717
  {name: 'refreshes-with-basic', from: 'danny-avila/LibreChat#9717', in: [`${S} http`, `${M} http`],
   what: 'authenticates with Basic when it refreshes, and has no client_id in the form, whatever method was registered and the authorization server supports',
   rules: ['auth.dcr-auth-method'], clause: 'RFC 6749, 6 and 3.2.1: who refreshes authenticates as it was registered, and a public client names itself by client_id; RFC 7591, 2: token_endpoint_auth_method none: the client is a public client and has no client secret (2025-11-25 and 2026-07-28 basic/authorization: OAuth 2.1); breaks FastMCP (client_id: Field required)',
   says: /client_id|basic|auth_method|authenticat|refresh|client_secret/i,
   change: (() => {
     let done = false;
     return {authorize(asked) {
       if (!done) {
         done = true;
         const before = globalThis.fetch;
         globalThis.fetch = (url, init) => {
           const {body} = init ?? {};
           if (!(body instanceof URLSearchParams) || body.get('grant_type') !== 'refresh_token') return before(url, init);
           const pair = ['client_id', 'client_secret'].map(name => encodeURIComponent(body.get(name) ?? '')).join(':');
           const form = new URLSearchParams([...body].filter(([name]) => !['client_id', 'client_secret'].includes(name)));
           return before(url, {...init, headers: {...init.headers, authorization: `Basic ${Buffer.from(pair).toString('base64')}`}, body: form});
         };
       }
       return asked;
     }};
   })()},
];
