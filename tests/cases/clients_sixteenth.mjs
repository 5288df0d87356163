// More of clients.mjs, taken as they came by somebody who has not seen the judge. `clause`: what the specification says.

import {Socket} from 'node:net';

const S = '2025-11-25';
const M = '2026-07-28';
const lf = text => text.replaceAll('\r\n', '\n').replace(/\r(?!$)/g, '\n');
const parameter = (challenge, wanted) => {
  for (const [, name, quoted, token] of challenge.matchAll(/([!#$%&'*+.^_`|~0-9A-Za-z-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))/g)) {
    if (name.toLowerCase() === wanted) return token ?? quoted.replace(/\\(.)/g, '$1');
  }
  return undefined;
};

export const cases = [
  // https://github.com/n8n-io/n8n/issues/21791
  {name: 'registers-one-redirect-uses-another', from: 'n8n-io/n8n#21791', in: [`${S} http`, `${M} http`],
   what: 'asks for authorization with another redirect_uri than the one it registered',
   rules: ['auth.redirect-uris-registered'], clause: '2025-11-25 basic/authorization, Open Redirection: MCP clients MUST have redirect URIs registered with the authorization server, which MUST validate exact redirect URIs against pre-registered values',
   says: /redirect/i,
   change: {authorize: asked => ({...asked, redirect_uri: 'https://oauth.n8n.cloud/oauth2/callback'})}},
  // https://github.com/modelcontextprotocol/php-sdk/issues/327
  {name: 'streams-that-end-are-the-end', from: 'modelcontextprotocol/php-sdk#327', in: [`${S} http`],
   what: 'gives a request up when its stream ends without an answer, though its events had ids',
   rules: ['http.sse-client-reconnects'], clause: '2025-11-25 basic/transports, Sending Messages to the Server: the server MAY close the connection after an event with an id; the client SHOULD then poll the stream by attempting to reconnect',
   says: /reconnect|resum|Last-Event-ID|poll|retry|stream/i,
   change: {pause() { throw new Error('the stream has ended'); }}},
  // https://github.com/modelcontextprotocol/java-sdk/issues/1047
  {name: 'retry-is-no-event-stream', from: 'modelcontextprotocol/java-sdk#1047', in: [`${S} http`],
   what: 'takes a line retry: of a stream for an error, and gives the stream up',
   rules: ['http.sse-client-reconnects', 'http.sse-format'], clause: '2025-11-25 basic/transports, Sending Messages to the Server: the server SHOULD send an event with a retry field before it closes the connection; the client MUST respect the retry field, waiting the given number of milliseconds before it reconnects',
   says: /retry|reconnect|resum|stream|Last-Event-ID/i,
   change: {lines(text) {
     const all = lf(text);
     if (/^retry:/m.test(all)) throw new Error('Invalid SSE response');
     return all;
   }}},
  // https://github.com/modelcontextprotocol/csharp-sdk/pull/500
  {name: 'revision-never-named', from: 'modelcontextprotocol/csharp-sdk#500', in: [`${S} http`],
   what: 'sends no MCP-Protocol-Version header after initialize',
   rules: ['http.protocol-version-header'], clause: '2025-11-25 basic/transports, Protocol Version Header: the client MUST include the MCP-Protocol-Version header on all subsequent requests to the MCP server',
   says: /MCP-Protocol-Version|protocol.version/i,
   change: {headers(all) { const {'mcp-protocol-version': _, ...rest} = all; return rest; }}},
  // https://github.com/leehack/mcp_dart/pull/216
  {name: 'content-with-a-refusal', from: 'leehack/mcp_dart#216', in: [`${S} stdio`, `${S} http`, `${M} http`],
   what: 'sends content of the form along when the user declines or cancels it',
   rules: ['elicitation.refused-without-content'], clause: '2025-11-25 and 2026-07-28 schema, ElicitResult: content: the submitted form data, only present when action is accept and mode was form',
   says: /content|declin|cancel|accept/i,
   change: {out(message) {
     const refused = result => ['decline', 'cancel'].includes(result?.action) ? {...result, content: {name: 'x'}} : result;
     if (message.result?.action) return {...message, result: refused(message.result)};
     const given = message.params?.inputResponses;
     if (!given) return message;
     return {...message, params: {...message.params, inputResponses: Object.fromEntries(Object.entries(given).map(([key, one]) => [key, refused(one)]))}};
   }}},
  // https://github.com/simonx1/ruby-mcp-client/pull/179
  {name: 'meta-among-the-arguments', from: 'simonx1/ruby-mcp-client#179', in: [`${S} stdio`, `${S} http`],
   what: 'sends the _meta of a call, with its progressToken, as one of the arguments',
   rules: ['tools.call-arguments-exact'], clause: '2025-11-25 basic/utilities/progress: the progressToken is included in the request metadata, params._meta; schema, CallToolRequestParams: arguments are those of the tool',
   says: /_meta|argument|progressToken/i,
   change: {out(message) {
     if (message.method !== 'tools/call' || !message.params?._meta) return message;
     const {_meta, ...params} = message.params;
     return {...message, params: {...params, arguments: {...params.arguments, _meta}}};
   }}},
  // https://github.com/use-agent-os/agent-os/issues/894
  {name: 'content-length-before-messages', from: 'use-agent-os/agent-os#894', in: [`${S} stdio`],
   what: 'writes a Content-Length header and an empty line before each message, and no end of line after it',
   rules: ['jsonrpc.conforms-to-2-0', 'stdio.no-embedded-newlines', 'stdio.stdin-only-mcp'], clause: '2025-11-25 basic/transports, stdio: messages are delimited by newlines; the client MUST NOT write anything to the stdin of the server that is not a valid MCP message',
   says: /Content-Length|newline|line|stdin|JSON|delimit|messages?/i,
   change: (() => {
     let done = false;
     return {out(message) {
       if (!done) {
         done = true;
         const write = Socket.prototype.write;
         Socket.prototype.write = function(chunk, ...rest) {
           if (typeof chunk !== 'string' || !/^\{.*\}\n$/s.test(chunk)) return write.call(this, chunk, ...rest);
           const text = chunk.slice(0, -1);
           return write.call(this, `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`, ...rest);
         };
       }
       return message;
     }};
   })()},
  // https://github.com/kagent-dev/kagent/pull/1480
  {name: 'line-separators-end-lines', from: 'kagent-dev/kagent#1480', in: [`${S} http`, `${M} http`],
   what: 'takes U+2028 and U+2029 within the data of an event for ends of lines, and loses the answer',
   rules: ['http.answer-forms-read'], clause: '2025-11-25 basic/transports and 2026-07-28 basic/transports/streamable-http: text/event-stream (WHATWG HTML, 9.2.5: lines end with CR LF, LF or CR alone); JSON texts may have U+2028 and U+2029 in strings',
   says: /2028|2029|line|separator|stream|event|data|answer|result/i,
   change: {lines: text => lf(text).replace(/[\u2028\u2029]/g, '\n')}},
  // https://github.com/anthropics/claude-code/issues/44652
  {name: 'no-step-up', from: 'anthropics/claude-code#44652', in: [`${S} http`, `${M} http`],
   what: 'reads the metadata again when it is answered with 403 and insufficient_scope, and asks for no other token',
   rules: ['auth.step-up-attempted'], clause: '2025-11-25 basic/authorization, Step-Up Authorization Flow: clients acting on behalf of a user SHOULD attempt the step-up authorization flow: authorize with the required scopes, and retry the request',
   says: /scope|step.?up|403/i,
   change: (() => {
     let insufficient = false;
     return {
       challenged(text, name) { insufficient = /insufficient_scope/.test(text); return parameter(text, name); },
       endpoints: published => insufficient ? undefined : published};
   })()},
  // https://github.com/openai/codex/issues/8889
  {name: 'never-asks-for-scopes', from: 'openai/codex#8889', in: [`${S} http`, `${M} http`],
   what: 'asks for authorization without scope, though the challenge or the metadata of the resource name scopes',
   rules: ['auth.challenge-scopes-authoritative', 'auth.scope-selection-order', 'auth.step-up-attempted', 'auth.reauth-scope-union'], clause: '2025-11-25 basic/authorization, Scope Selection Strategy: use the scope parameter from the initial WWW-Authenticate header, if provided; else all scopes of scopes_supported of the Protected Resource Metadata',
   says: /scope/i,
   change: {authorize({scope: _, ...rest}) { return rest; }}},
  // https://github.com/lizqwerscott/mcp.el/issues/85
  {name: 'lists-with-params-null', from: 'lizqwerscott/mcp.el#85', in: [`${S} stdio`, `${S} http`],
   what: 'sends tools/list, prompts/list and resources/list with "params": null',
   rules: ['jsonrpc.params-by-name', 'schema.messages-validate'], clause: '2025-11-25 basic, Requests, and schema, PaginatedRequest: params, if there is one, is an object; breaks mcp-remote (expected object, received null)',
   says: /params|null|object/i,
   change: {out: message => /^(tools|prompts|resources)\/list$/.test(message.method ?? '') && message.params === undefined ? {...message, params: null} : message}},
  // https://github.com/microsoft/vscode/pull/256492
  {name: 'no-openid-by-insertion', from: 'microsoft/vscode#256492', in: [`${S} http`, `${M} http`],
   what: 'does not look for /.well-known/openid-configuration/path of an issuer with a path, the second of the three places',
   rules: ['auth.as-metadata-order-with-path'], clause: '2025-11-25 basic/authorization, Authorization Server Metadata Discovery: for issuer URLs with path components clients MUST try: OAuth metadata with path insertion, OpenID Connect Discovery with path insertion, OpenID Connect Discovery with path appending',
   says: /openid|well-known|discover|metadata/i,
   change: {wellKnown(url, name) {
     if (name !== 'oauth-authorization-server') return undefined;
     const {origin, pathname} = new URL(url);
     const path = pathname === '/' ? '' : pathname;
     return [`${origin}/.well-known/oauth-authorization-server${path}`, `${origin}${path}/.well-known/openid-configuration`];
   }}},
  // https://github.com/anthropics/claude-ai-mcp/issues/376
  {name: 'issuer-with-the-path-of-the-resource', from: 'anthropics/claude-ai-mcp#376', in: [`${S} http`, `${M} http`],
   what: 'looks for the metadata of the authorization server at the well-known addresses with the path of the MCP server, not with that of the issuer',
   rules: ['auth.client-reads-as-metadata', 'auth.as-metadata-order-without-path'], clause: '2025-11-25 basic/authorization, Authorization Server Metadata Discovery: the well-known addresses are made of the issuer URL; for one without a path: /.well-known/oauth-authorization-server, then /.well-known/openid-configuration',
   says: /well-known|discover|metadata|issuer/i,
   change: (() => {
     let path = '';
     return {wellKnown(url, name) {
       if (name !== 'oauth-authorization-server') { path = new URL(url).pathname.replace(/\/$/, ''); return undefined; }
       return ['oauth-authorization-server', 'openid-configuration'].map(one => `${new URL(url).origin}/.well-known/${one}${path}`);
     }};
   })()},
];
