// More of clients.mjs, taken as they came by somebody who has not seen the judge. `clause`: what the specification says.

import {ChildProcess} from 'node:child_process';

const S = '2025-11-25';
const M = '2026-07-28';
const texts = given => Object.fromEntries(Object.entries(given).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]));

export const cases = [
  // https://github.com/laravel/mcp/issues/256
  {name: 'newest-version-in-every-header', from: 'laravel/mcp#256', in: [`${S} http`],
   what: 'says 2025-11-25 in MCP-Protocol-Version, also after an older revision was agreed on',
   rules: ['http.protocol-version-is-negotiated'], clause: '2025-11-25 basic/transports, Protocol Version Header: the version sent by the client SHOULD be the one negotiated during initialization',
   says: /version|negotiat|agreed/i,
   change: {headers: all => all['mcp-protocol-version'] ? {...all, 'mcp-protocol-version': S} : all}},
  // https://github.com/KlaatAI/klaatcode/issues/59
  {name: 'roots-declared-and-dropped', from: 'KlaatAI/klaatcode#59', in: [`${S} stdio`, `${S} http`],
   what: 'declares roots, and takes every request of the server for a response that nobody waits for: there is no answer',
   rules: ['ping.empty-result'], clause: '2025-11-25 client/roots, Listing Roots: clients that declare roots answer roots/list; basic/utilities/ping: the receiver MUST respond promptly; basic: a request gets a response',
   says: /roots|ping|answer|respon/i,
   change: {out: message => message.method === 'initialize' ? {...message, params: {...message.params, capabilities: {tools: {}, roots: {listChanged: false}}}} : message,
            question: () => 'nothing'}},
  // https://github.com/modelcontextprotocol/inspector/issues/723
  {name: 'reconnects-without-the-last-event', from: 'modelcontextprotocol/inspector#723', in: [`${S} http`],
   what: 'takes a stream up again with a GET that has no Last-Event-ID',
   rules: ['http.resume-with-last-event-id'], clause: '2025-11-25 basic/transports, Resumability and Redelivery: to resume, the client SHOULD issue an HTTP GET and include the Last-Event-ID header with the last event ID it received',
   says: /Last-Event-ID|resum/i,
   change: {cursor: () => undefined}},
  // https://github.com/langchain4j/langchain4j/issues/3689
  {name: 'cancels-with-a-text', from: 'langchain4j/langchain4j#3689', in: [`${S} stdio`, `${S} http`],
   what: 'has numbers for ids, and names them as texts in notifications/cancelled',
   rules: ['cancellation.references-own-in-flight'], clause: '2025-11-25 basic/utilities/cancellation, Behavior Requirements: cancellation notifications MUST only reference requests that were previously issued (RequestId is string or number, and "1" is not 1)',
   says: /cancel|requestId/i,
   change: {out: message => message.method === 'notifications/cancelled' ? {...message, params: {...message.params, requestId: String(message.params.requestId)}} : message}},
  // https://github.com/GopherSecurity/gopher-mcp/issues/184
  {name: 'accepts-streams-alone', from: 'GopherSecurity/gopher-mcp#184', in: [`${S} http`],
   what: 'says in Accept of each POST that it reads text/event-stream, and not application/json',
   rules: ['http.accept-header-both-types'], clause: '2025-11-25 basic/transports, Sending Messages: the client MUST include an Accept header, listing both application/json and text/event-stream',
   says: /Accept|application\/json/i,
   change: {headers: (all, message) => message.jsonrpc ? {...all, accept: 'text/event-stream'} : all}},
  // https://github.com/plumce/plumcp/issues/12
  {name: 'event-message-first-or-nothing', from: 'plumce/plumcp#12', in: [`${S} http`, `${M} http`],
   what: 'drops each event whose first line is not "event: message", letter by letter',
   rules: ['http.sse-format', 'http.client-supports-both-response-types'], clause: '2025-11-25 and 2026-07-28 basic transports: streams are SSE of the HTML standard: fields may come in any order, the space after the colon is optional, an event without a name is a message',
   says: /event|stream|SSE|field|space/i,
   change: {lines(text) {
     const all = text.replaceAll('\r\n', '\n').replace(/\r(?!$)/g, '\n');
     const end = all.lastIndexOf('\n\n');
     if (end < 0) return all;
     return all.slice(0, end).split('\n\n').filter(block => block.startsWith('event: message\n')).map(block => `${block}\n\n`).join('') + all.slice(end + 2);
   }}},
  // https://github.com/modelcontextprotocol/rust-sdk/pull/1088
  {name: 'falls-back-at-one-code', from: 'modelcontextprotocol/rust-sdk#1088', in: [`${M} stdio`, `${M} http`],
   what: 'falls back to initialize when server/discover is answered by -32601, and gives up at any other error',
   rules: ['http.fallback-not-answer-specific', 'stdio.fallback-not-code-specific'], clause: '2026-07-28 basic/transports/stdio, Backward Compatibility: the fallback MUST NOT be keyed to one specific error code',
   says: /initialize|fall/i,
   change: {refused: (status, error) => error?.code === -32601 ? 'initialize' : 'give up'}},
  // https://github.com/anthropics/claude-code/issues/60963
  {name: 'arguments-become-texts', from: 'anthropics/claude-code#60963', in: [`${S} stdio`, `${M} http`],
   what: 'sends numbers, booleans, arrays and objects among the arguments of a tool as texts of JSON',
   rules: ['tools.call-arguments-exact'], clause: '2025-11-25 and 2026-07-28 server/tools, Calling Tools, and schema, CallToolRequestParams: arguments is an object of any values; inputSchema is what is expected of them',
   says: /argument|type|string|number|schema|call/i,
   change: {out: message => message.method === 'tools/call' ? {...message, params: {...message.params, arguments: texts(message.params.arguments ?? {})}} : message}},
  // https://github.com/anthropics/claude-code/issues/89858
  {name: 'declines-unasked', from: 'anthropics/claude-code#89858', in: [`${S} stdio`, `${S} http`],
   what: 'declares elicitation and answers each with decline, without having shown the user anything',
   rules: ['elicitation.decline-and-cancel-options'], clause: '2025-11-25 client/elicitation, Response Actions: decline: the user explicitly declined the request; cancel: dismissed without making an explicit choice',
   says: /decline|accept|elicit|user/i,
   change: {question: ({method}) => method === 'elicitation/create' ? {result: {action: 'decline'}} : undefined}},
  // https://github.com/modelcontextprotocol/typescript-sdk/issues/579
  {name: 'sigterm-and-no-end-of-input', from: 'modelcontextprotocol/typescript-sdk#579', in: [`${S} stdio`, `${M} stdio`],
   what: 'ends its server with SIGTERM alone, and never closes its standard input',
   rules: ['stdio.shutdown-client-sequence'], clause: '2025-11-25 basic/lifecycle, Shutdown, stdio: the client SHOULD first close the input stream to the child process, then wait for it to exit, or send SIGTERM if it does not within a reasonable time',
   says: /stdin|standard input|input|SIGTERM|shut|close/i,
   change: {out(message) {
     const child = process._getActiveHandles().find(one => one instanceof ChildProcess);
     if (child && !child.kept) {
       child.kept = true;
       child.stdin.end = () => child.kill('SIGTERM');
     }
     return message;
   }}},
];
