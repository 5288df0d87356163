// More of gateways.mjs: what they want of a server, and what they make of streams, sessions, refusals and input.

import {randomUUID} from 'node:crypto';

import {own, textOf} from './peers/gateway.mjs';

const refused = (response, status, text) => { response.writeHead(status, {'content-type': 'text/plain'}); response.end(text); return true; };
const streams = answer => /event-stream/.test(answer.headers['content-type'] ?? '');

export const cases = [
  // https://github.com/comma-compliance/arc-relay/issues/29
  {name: 'accept-dropped', from: 'comma-compliance/arc-relay#29', eras: ['legacy', 'modern'], what: 'sends its requests without Accept',
   rules: ['gateway.accepts-both-forms'], says: /Accept/i, change: {request(call) { delete call.headers.accept; }}},
  // https://github.com/envoyproxy/ai-gateway/issues/1924
  {name: 'changes-made-up', from: 'envoyproxy/ai-gateway#1924', eras: ['legacy'], what: 'tells its clients again and again that tools have changed where the server has no stream',
   rules: ['gateway.makes-nothing-up'], says: /changed|list_changed/,
   change: {back(answer, call) {
     if (call.method !== 'GET' || answer.statusCode !== 405) return false;
     answer.resume();
     call.response.writeHead(200, {'content-type': 'text/event-stream'});
     const beat = setInterval(() => call.response.write(`data: ${textOf({jsonrpc: '2.0', method: 'notifications/tools/list_changed'})}\n\n`), 200);
     call.response.on('close', () => clearInterval(beat));
     return true;
   }}},
  // https://github.com/wso2/api-platform/issues/2968
  {name: 'answers-whole', from: 'wso2/api-platform#2968', eras: ['legacy', 'modern'], what: 'hands an answer on when all of it is there, so that no question within one is ever answered',
   rules: ['gateway.streams', 'gateway.asks-the-right-client', 'gateway.asks-by-elicitation'], says: /kept back|reach|stream|at once/,
   change: {back(answer, call) {
     if (call.method !== 'POST') return false;
     const all = [];
     answer.on('data', chunk => all.push(chunk)).on('end', () => { call.response.writeHead(answer.statusCode, own(answer.headers)); call.response.end(Buffer.concat(all)); });
     answer.on('error', () => call.response.destroy());
     return true;
   }}},
  // https://github.com/envoyproxy/envoy/pull/46454
  {name: 'refusals-with-200', from: 'envoyproxy/envoy#46454', eras: ['modern'], what: 'answers 200 where the server refuses a request by 400 or 404',
   rules: ['gateway.keeps-error-status', 'gateway.says-unknown-methods'], says: /status|200|404/,
   change: {head: status => [400, 404].includes(status) ? 200 : status}},
  // https://github.com/supercorp-ai/supergateway/issues/138
  {name: 'one-client-at-a-time', from: 'supercorp-ai/supergateway#138', eras: ['legacy'], what: 'answers 500 to initialize while another client has a session',
   rules: ['gateway.serves-several-clients'], says: /second/,
   change: (() => { const open = new Set; return {
     request({message, method, headers, response}) {
       if (method === 'DELETE') open.delete(headers['mcp-session-id']);
       if (message?.method === 'initialize' && open.size) return refused(response, 500, 'Already connected to a transport');
       return false;
     },
     head(status, headers, {message}) { if (message?.method === 'initialize' && headers['mcp-session-id']) open.add(headers['mcp-session-id']); }}; })()},
  // https://github.com/IBM/mcp-context-forge/issues/5460
  {name: 'session-spoilt-by-a-cut', from: 'IBM/mcp-context-forge#5460', eras: ['legacy'], what: 'answers 500 to each request of a session in which the connection to the server broke once',
   rules: ['gateway.survives-trouble', 'gateway.survives-cuts'], says: /session|500|after/,
   change: (() => { const spoilt = new Set; return {
     request({headers, response}) { return spoilt.has(headers['mcp-session-id']) && refused(response, 500, 'ClosedResourceError'); },
     broken({headers}) { if (headers['mcp-session-id']) spoilt.add(headers['mcp-session-id']); return false; }}; })()},
  // https://github.com/IBM/mcp-context-forge/issues/5484, envoyproxy/ai-gateway#1958
  {name: 'session-wanted', from: 'IBM/mcp-context-forge#5484', eras: ['legacy'], what: 'refuses requests without a session, though the server has given none',
   rules: ['gateway.does-without-sessions'], says: /session/i,
   change: {request({message, method, headers, response}) { return method === 'POST' && message?.method !== 'initialize' && !headers['mcp-session-id'] && refused(response, 400, 'missing session ID'); }}},
  // https://github.com/spiceai/spiceai/pull/14043
  {name: 'input-made-complete', from: 'spiceai/spiceai#14043', eras: ['modern'], what: 'calls a result complete that asks for input',
   rules: ['gateway.passes-input-requests'], says: /input|resultType/,
   change: {message(said) { return said.result?.resultType === 'input_required' ? {...said, result: {content: [], ...said.result, resultType: 'complete'}} : said; }}},
  // https://github.com/api7/aisix/pull/980
  {name: 'asks-again-by-itself', from: 'api7/aisix#980', eras: ['modern'], what: 'sends a request again by itself where its result asks for input',
   rules: ['gateway.asks-once', 'gateway.calls-once'], says: /reached the server/,
   change: {async message(said, call) {
     if (said.result?.resultType !== 'input_required') return said;
     const {host, 'content-length': length, ...headers} = call.headers;
     for (let i = 0; i < 2; ++i) await (await fetch(call.to, {method: 'POST', headers, body: textOf({...call.message, id: randomUUID()})}).catch(() => undefined))?.arrayBuffer();
     return said;
   }}},
  // https://github.com/avelino/mcp/issues/106
  {name: 'tools-listed-again-and-again', from: 'avelino/mcp#106', eras: ['legacy', 'modern'], what: 'lists each tool three times',
   rules: ['gateway.lists-all-tools'], says: /more than once/,
   change: {message: said => Array.isArray(said.result?.tools) ? {...said, result: {...said.result, tools: [...said.result.tools, ...said.result.tools, ...said.result.tools]}} : said}},
  // https://github.com/Vexa-ai/vexa/issues/795
  {name: 'quiet-streams-503', from: 'Vexa-ai/vexa#795', eras: ['legacy'], what: 'answers 503 to GET when nothing has come on the stream for a second',
   rules: ['gateway.opens-streams-at-once'], says: /503|at once|stream/,
   change: {back(answer, call) {
     if (call.method !== 'GET' || !answer.statusCode || answer.statusCode !== 200) return false;
     const timer = setTimeout(() => { answer.destroy(); refused(call.response, 503, 'ReadTimeout'); }, 1000);
     answer.once('data', first => { clearTimeout(timer); call.response.writeHead(200, own(answer.headers)); call.response.write(first); answer.pipe(call.response); });
     answer.on('error', () => {});
     return true;
   }}},
  // https://github.com/stacklok/toolhive/issues/6102
  {name: 'data-line-by-line', from: 'stacklok/toolhive#6102', eras: ['legacy', 'modern'], what: 'reads each data line of an event by itself, and loses events of several',
   rules: ['gateway.reads-streams', 'gateway.reads-every-form'], says: /lines of data/,
   change: {back(answer, call) {
     if (call.method !== 'POST' || !streams(answer)) return false;
     call.response.writeHead(answer.statusCode, own(answer.headers));
     let rest = '';
     answer.setEncoding('utf8').on('data', text => {
       const lines = (rest + text).split(/\r?\n/);
       rest = lines.pop();
       for (const line of lines) if (line.startsWith('data:')) try { JSON.parse(line.slice(5)); call.response.write(`${line}\n\n`); } catch {}
     }).on('end', () => call.response.end()).on('error', () => call.response.destroy());
     return true;
   }}},
  // https://github.com/IBM/mcp-context-forge/issues/5252
  {name: 'templates-of-its-own', from: 'IBM/mcp-context-forge#5252', eras: ['legacy', 'modern'], what: 'lists a template of its own in place of those of the server',
   rules: ['gateway.lists-all-templates'], says: /template/,
   change: {message: said => said.result?.resourceTemplates ? {...said, result: {...said.result, resourceTemplates: [{uriTemplate: 'test://template/{id}/data', name: 'test'}], nextCursor: undefined}} : said}},
];
