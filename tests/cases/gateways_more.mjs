// More of gateways.mjs: faults that most checks meet in one form of a value alone, once, or with one client.

import {textOf} from './peers/gateway.mjs';

const isAnswer = message => message && !message.method && 'id' in message;
const sessionOf = call => call.headers['mcp-session-id'];
const answered = (call, said, status = 200) => { call.response.writeHead(status, {'content-type': 'application/json'}); call.response.end(textOf({jsonrpc: '2.0', ...said})); return true; };
const isModern = call => Boolean(call.message?.params?._meta?.['io.modelcontextprotocol/protocolVersion']);
const complete = (call, result) => ({...isModern(call) && {resultType: 'complete'}, ...result});

export const cases = [
  // https://github.com/supercorp-ai/supergateway/pull/209
  {name: 'notifications-echoed', from: 'supercorp-ai/supergateway#209', eras: ['legacy'],
   what: 'sends notifications of clients on, and back to them on their standing stream', rules: ['gateway.passes-notifications', 'gateway.answers-once'], says: /back|client|stream/,
   change: (() => { const streams = new Map; return {
     request(call) {
       if (call.method === 'GET') streams.set(sessionOf(call), call.response);
       if (!call.message?.method || 'id' in call.message) return;
       const stream = streams.get(sessionOf(call));
       if (stream?.headersSent && !stream.writableEnded) stream.write(`data: ${textOf(call.message)}\n\n`);
     }}; })()},
  // the same: "notifications/initialized ... never reached the server"
  {name: 'initialized-dropped', from: 'supercorp-ai/supergateway#209', eras: ['legacy'],
   what: 'does not tell the server that its client is initialized', rules: ['gateway.passes-notifications'], says: /initialized/,
   change: {request({message, response}) { if (message?.method !== 'notifications/initialized') return false; response.writeHead(202); response.end(); return true; }}},
  // https://github.com/mcp-use/mcp-use/pull/2474
  {name: 'cancels-tools-alone', from: 'mcp-use/mcp-use#2474', eras: ['legacy', 'modern'],
   what: 'hands cancellations on of tools/call alone, not of prompts/get, resources/read and completions', rules: ['gateway.passes-cancellation'], says: /cancel|prompts|resources/,
   change: (() => { const others = new Set; const key = (call, id) => textOf([sessionOf(call), id]); return {
     request(call) {
       const {message} = call;
       if (message?.method === 'notifications/cancelled' && others.has(key(call, message.params?.requestId))) { call.response.writeHead(202); call.response.end(); return true; }
       if (message?.method && 'id' in message && ['prompts/get', 'resources/read', 'completion/complete'].includes(message.method)) {
         others.add(key(call, message.id));
         Object.defineProperty(call, 'upstream', {get: () => undefined, set() {}});
       }
       return false;
     }}; })()},
  // https://github.com/lynnswap/XcodeMCPKit/issues/210
  {name: 'cancellations-queued', from: 'lynnswap/XcodeMCPKit#210', eras: ['legacy'],
   what: 'holds a cancellation back until the running requests of its session are answered', rules: ['gateway.passes-cancellation', 'gateway.cancels-ones-own'], says: /cancel/,
   change: (() => { const running = new Map; const of = session => running.get(session) ?? running.set(session, new Set).get(session); return {
     async request(call) {
       const all = of(sessionOf(call));
       if (call.message?.method === 'notifications/cancelled') { call.response.writeHead(202); call.response.end(); await Promise.all(all); call.send(); call.upstream.removeAllListeners('response'); call.upstream.on('response', answer => answer.resume()); return true; }
       if (call.method === 'POST' && call.message?.method && 'id' in call.message) { const done = new Promise(resolve => call.done = resolve); all.add(done); done.then(() => all.delete(done)); }
       return false;
     },
     left: call => call.done?.()}; })()},
  // https://github.com/IBM/mcp-context-forge/pull/4204
  {name: 'failures-against-the-schema', from: 'IBM/mcp-context-forge#4204', eras: ['legacy', 'modern'],
   what: 'holds failures against outputSchema, and puts an error of its own in place of theirs', rules: ['gateway.keeps-is-error', 'gateway.keeps-failures'], says: /content|isError|failure/,
   change: (() => { const strict = new Set; return {
     message(said, call) {
       for (const tool of said.result?.tools ?? []) if (tool.outputSchema) strict.add(tool.name);
       if (!said.result?.isError || said.result.structuredContent || !strict.has(call.message?.params?.name)) return said;
       return {...said, result: complete(call, {content: [{type: 'text', text: 'Output validation error: outputSchema defined but no structured output returned'}], isError: true})};
     }}; })()},
  // https://github.com/punkpeye/mcp-remote/issues/155
  {name: 'second-ping-lost', from: 'punkpeye/mcp-remote#155', eras: ['legacy'],
   what: 'answers the first ping of a session, and none after it', rules: ['gateway.answers-pings'], says: /ping/,
   change: (() => { const pinged = new Set; return {
     message(said, call) { if (said.method !== 'ping' || !('id' in said)) return said; if (pinged.has(sessionOf(call))) return null; pinged.add(sessionOf(call)); return said; }}; })()},
  // https://github.com/PrefectHQ/fastmcp/pull/4227, metatool-ai/metamcp#329, BerriAI/litellm#29699
  {name: 'failed-lists-empty', from: 'PrefectHQ/fastmcp#4227', eras: ['legacy', 'modern'],
   what: 'makes an empty list of a list that the server refuses', rules: ['gateway.tells-of-refusals'], says: /list/,
   change: (() => {
     const list = call => call.message?.method?.match(/^(tools|prompts|resources)\/list$/)?.[1];
     return {
       back(answer, call) { if (answer.statusCode < 429 || !list(call)) return false; answer.resume(); return answered(call, {id: call.message.id, result: complete(call, {[list(call)]: []})}); },
       message: (said, call) => said.error && list(call) ? {jsonrpc: '2.0', id: said.id, result: complete(call, {[list(call)]: []})} : said};
   })()},
  // https://github.com/agentgateway/agentgateway/issues/3476
  {name: 'next-cursor-lost', from: 'agentgateway/agentgateway#3476', eras: ['legacy', 'modern'],
   what: 'drops nextCursor', rules: ['gateway.lists-all-tools', 'gateway.lists-all-prompts', 'gateway.lists-all-resources'], says: /tool|prompt|resource|list/,
   change: {message(said) { if (said.result?.nextCursor === undefined) return said; const {nextCursor, ...result} = said.result; return {...said, result}; }}},
  // https://github.com/PrefectHQ/fastmcp/issues/4250
  {name: 'templates-with-queries-unread', from: 'PrefectHQ/fastmcp#4250', eras: ['legacy', 'modern'],
   what: 'cannot read a resource of a template with {?...}', rules: ['gateway.reads-templates', 'gateway.passes-resources'], says: /template/,
   change: (() => { const listed = new Set; return {
     request(call) { const uri = call.message?.method === 'resources/read' ? call.message.params?.uri : undefined; return uri?.includes('?') && !listed.has(uri) ? answered(call, {id: call.message.id, error: {code: -32603, message: `Error reading resource '${uri}'`}}) : false; },
     message(said) { for (const one of said.result?.resources ?? []) listed.add(one.uri); return said; }}; })()},
  // https://github.com/PrefectHQ/fastmcp/issues/2521
  {name: 'declares-what-is-not-there', from: 'PrefectHQ/fastmcp#2521', eras: ['legacy', 'modern'],
   what: 'declares tools, prompts and resources with listChanged, whatever the server declares', rules: ['gateway.keeps-capabilities', 'gateway.keeps-change-notices'], says: /declare|capabilit|listChanged/,
   change: {message: said => said.result?.capabilities ? {...said, result: {...said.result, capabilities: {...said.result.capabilities, tools: {listChanged: true}, prompts: {listChanged: true}, resources: {subscribe: true, listChanged: true}}}} : said}},
  // https://github.com/punkpeye/mcp-remote/pull/307
  {name: 'dead-session-never-answered', from: 'punkpeye/mcp-remote#307', eras: ['legacy'],
   what: 'never answers a request that the server refuses for its dead session', rules: ['gateway.outlives-servers-session'], says: /session|answer|404/,
   change: {back(answer, call) { if (answer.statusCode !== 404 || call.method !== 'POST' || !sessionOf(call)) return false; answer.resume(); return true; }}},
  // https://github.com/Kuadrant/mcp-gateway/issues/813
  {name: 'listens-to-a-dead-session', from: 'Kuadrant/mcp-gateway#813', eras: ['legacy'],
   what: 'asks again and again for the stream of a session that the server has ended, and gives its client an empty one', rules: ['gateway.waits-between-streams', 'gateway.outlives-servers-session'], says: /GET|stream|session/,
   change: {back(answer, call) {
     if (answer.statusCode !== 404 || call.method !== 'GET' || !sessionOf(call)) return false;
     answer.resume();
     if (!call.response.headersSent) { call.response.writeHead(200, {'content-type': 'text/event-stream'}); call.response.flushHeaders(); }
     setTimeout(() => { if (!call.response.destroyed) call.send(); }, 100);
     return true;
   }}},
  // https://github.com/stacklok/toolhive/pull/6152
  {name: 'initializes-in-the-dead-session', from: 'stacklok/toolhive#6152', eras: ['legacy'],
   what: 'opens a session anew in place of a dead one by an initialize that names the dead one', rules: ['gateway.outlives-servers-session'], says: /initialize/,
   ...(() => {
     const renewing = named => {
       const opened = new Map; const moved = new Map;
       return {
         request(call) { call.own = sessionOf(call); if (call.method === 'DELETE') opened.delete(call.own); const other = moved.get(call.own); if (other) call.headers['mcp-session-id'] = other; },
         head(status, headers, call) { if (call.message?.method === 'initialize') opened.set(headers['mcp-session-id'], call.body); else if (headers['mcp-session-id'] && call.own) headers['mcp-session-id'] = call.own; },
         back(answer, call) {
           if (answer.statusCode !== 404 || !call.own || call.again || call.method !== 'POST' || !opened.has(call.own)) return false;
           answer.resume();
           call.again = true;
           const headers = {'content-type': 'application/json', accept: 'application/json, text/event-stream'};
           return (async () => {
             const fresh = await fetch(call.to, {method: 'POST', headers: {...headers, ...named && {'mcp-session-id': call.own}}, body: opened.get(call.own)});
             await fresh.arrayBuffer();
             const session = fresh.headers.get('mcp-session-id');
             if (!session) return answered(call, {id: call.message.id, error: {code: -32603, message: 'no session'}});
             await (await fetch(call.to, {method: 'POST', headers: {...headers, 'mcp-session-id': session, 'mcp-protocol-version': '2025-11-25'}, body: textOf({jsonrpc: '2.0', method: 'notifications/initialized'})})).arrayBuffer();
             moved.set(call.own, session);
             call.headers['mcp-session-id'] = session;
             call.send();
             return true;
           })();
         }};
     };
     return {change: renewing(true), right: renewing(false)};
   })()},
  // https://github.com/modelcontextprotocol/python-sdk/issues/3060 (request_id = str(message.root.id))
  {name: 'ids-kept-as-text', from: 'modelcontextprotocol/python-sdk#3060', eras: ['legacy', 'modern'],
   what: 'takes the ids 1 and "1" of two requests under way for the same', rules: ['gateway.keeps-ids'], says: /id/,
   change: (() => { const running = new Map; const key = call => textOf([sessionOf(call), String(call.message.id)]); return {
     request(call) {
       if (!call.message?.method || !('id' in call.message)) return false;
       const other = running.get(key(call));
       if (other && typeof other.message.id !== typeof call.message.id) return answered(call, {id: call.message.id, error: {code: -32600, message: 'Request id is under way'}});
       running.set(key(call), call);
       return false;
     },
     left(call) { if (call.message?.method && 'id' in call.message && running.get(key(call)) === call) running.delete(key(call)); }}; })()},
  // https://github.com/btsouth/toolport/pull/511 ("whichever registration drops first removes the shared key")
  {name: 'token-freed-by-another', from: 'btsouth/toolport#511', eras: ['legacy', 'modern'],
   what: 'forgets a progress token once the first call that named it has ended, whoever made that', rules: ['gateway.keeps-progress-apart', 'gateway.keeps-progress'], says: /progress/,
   change: (() => { const known = new Set; const token = call => call.message?.params?._meta?.progressToken; return {
     request(call) { if (token(call) !== undefined) known.add(token(call)); },
     message(said, call) { if (isAnswer(said) && token(call) !== undefined) known.delete(token(call)); return said.method === 'notifications/progress' && !known.has(said.params?.progressToken) ? null : said; }}; })()},
  // https://github.com/BerriAI/litellm/pull/32402
  {name: 'number-tokens-refused', from: 'BerriAI/litellm#32402', eras: ['legacy', 'modern'],
   what: 'fails calls whose progressToken is a number', rules: ['gateway.keeps-progress', 'gateway.keeps-progress-apart'], says: /progress|token/,
   change: {request: call => call.message?.method === 'tools/call' && typeof call.message.params?._meta?.progressToken === 'number' ? answered(call, {id: call.message.id, error: {code: -32603, message: "'int' object is not subscriptable"}}) : false}},
  // https://github.com/leehack/mcp_dart/issues/107
  {name: 'text-tokens-dropped', from: 'leehack/mcp_dart#107', eras: ['legacy', 'modern'],
   what: 'drops progress whose token is a text', rules: ['gateway.keeps-progress', 'gateway.keeps-order'], says: /progress/,
   change: {message: said => said.method === 'notifications/progress' && typeof said.params?.progressToken === 'string' ? null : said}},
  // https://github.com/defilantech/LLMKube/issues/1330
  {name: 'refusal-as-success', from: 'defilantech/LLMKube#1330', eras: ['legacy', 'modern'],
   what: 'makes a result without isError of a call that the server refuses by 429 or 5xx', rules: ['gateway.tells-of-refusals'], says: /isError|error|success|result/,
   change: {back(answer, call) { if (answer.statusCode < 429 || call.message?.method !== 'tools/call') return false; answer.resume(); return answered(call, {id: call.message.id, result: complete(call, {content: [{type: 'text', text: `upstream answered ${answer.statusCode}`}], isError: false})}); }}},
  // https://github.com/IBM/mcp-context-forge/issues/6641
  {name: 'input-for-tools-alone', from: 'IBM/mcp-context-forge#6641', eras: ['modern'],
   what: 'knows results that ask for input of tools/call alone, not of prompts/get and resources/read', rules: ['gateway.passes-input-requests'], says: /prompts|resources|input/,
   change: {message: (said, call) => said.result?.resultType === 'input_required' && call.message?.method !== 'tools/call' ? {jsonrpc: '2.0', id: said.id, error: {code: -32603, message: 'Unexpected result'}} : said}},
  // https://github.com/Kuadrant/mcp-gateway/issues/407, ihor-sokoliuk/mcp-searxng#205
  {name: 'one-level-for-all', from: 'ihor-sokoliuk/mcp-searxng#205', eras: ['legacy'],
   what: 'drops log messages below the level that whichever client has set last', rules: ['gateway.passes-log-level', 'gateway.keeps-log-messages'], says: /level|log/,
   change: (() => { const levels = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency']; let least = 0; return {
     request({message}) { if (message?.method === 'logging/setLevel') least = levels.indexOf(message.params?.level); },
     message: said => said.method === 'notifications/message' && levels.indexOf(said.params?.level) < least ? null : said}; })()},
  // https://github.com/weaviate/weaviate/issues/12788, modelcontextprotocol/kotlin-sdk#715
  {name: 'stream-never-released', from: 'weaviate/weaviate#12788', eras: ['legacy'],
   what: 'answers 409 to the second GET of a session, though the first stream is closed', rules: ['gateway.survives-second-stream', 'gateway.does-without-stream'], says: /409|GET|stream/,
   change: (() => { const had = new Set; return {request(call) { if (call.method !== 'GET') return false; if (had.has(sessionOf(call))) { call.response.writeHead(409); call.response.end(); return true; } had.add(sessionOf(call)); return false; }}; })()},
  // https://github.com/stacklok/toolhive/pull/1581
  {name: 'long-events-dropped', from: 'stacklok/toolhive#1581', eras: ['legacy', 'modern'],
   what: 'drops events of streams longer than 64 KiB', rules: ['gateway.keeps-large-messages'], says: /KiB|large|event|stream/,
   change: {message: (said, call) => call.response.headersSent && textOf(said).length > 65536 ? null : said}},
  // https://github.com/IBM/mcp-context-forge/issues/952
  {name: 'long-descriptions-left-off', from: 'IBM/mcp-context-forge#952', eras: ['legacy', 'modern'],
   what: 'leaves tools off whose description is longer than 2048 characters', rules: ['gateway.keeps-tool-descriptions', 'gateway.lists-all-tools'], says: /description|tool/,
   change: {message: said => said.result?.tools ? {...said, result: {...said.result, tools: said.result.tools.filter(({description = ''}) => description.length <= 2048)}} : said}},
  // https://github.com/punkpeye/mcp-proxy/issues/49
  {name: 'scope-challenge-lost', from: 'punkpeye/mcp-proxy#49', eras: ['legacy', 'modern'],
   what: 'hands 403 back without its challenge', rules: ['gateway.passes-challenges'], says: /403|scope/,
   change: {head(status, headers) { if (status === 403) delete headers['www-authenticate']; }}},
  // https://github.com/MystenLabs/MemWal/pull/900
  {name: 'retry-after-lost', from: 'MystenLabs/MemWal#900', eras: ['legacy', 'modern'],
   what: 'drops Retry-After', rules: ['gateway.tells-of-refusals'], says: /Retry-After/,
   change: {head(status, headers) { delete headers['retry-after']; }}},
  // https://github.com/IBM/mcp-context-forge/pull/5407, higress-group/higress#3685
  {name: 'url-elicitation-as-form', from: 'IBM/mcp-context-forge#5407', eras: ['legacy'],
   what: 'knows elicitation by form alone, and drops what one by URL says', rules: ['gateway.asks-by-elicitation'], says: /url|mode|elicitation/i,
   change: {message(said) { if (said.method !== 'elicitation/create') return said; const {mode, url, elicitationId, ...params} = said.params; return {...said, params}; }}},
  // https://github.com/aklivity/zilla/pull/1851
  {name: 'elicitation-end-lost', from: 'aklivity/zilla#1851', eras: ['legacy'],
   what: 'drops notifications/elicitation/complete', rules: ['gateway.asks-by-elicitation'], says: /complete/,
   change: {message: said => said.method === 'notifications/elicitation/complete' ? null : said}},
  // https://github.com/modelcontextprotocol/modelcontextprotocol/pull/2781, PrefectHQ/fastmcp#4622
  {name: 'param-headers-lost', from: 'PrefectHQ/fastmcp#4622', eras: ['modern'],
   what: 'drops Mcp-Param-* headers', rules: ['gateway.passes-headers'], says: /Mcp-Param/i,
   change: {request(call) { for (const name of Object.keys(call.headers)) if (name.startsWith('mcp-param-')) delete call.headers[name]; }}},
  // https://github.com/Umbrella-IT-Group/metamcp/pull/19 ("fans out to every subscriber")
  {name: 'changes-told-to-the-first', from: 'Umbrella-IT-Group/metamcp#19', eras: ['legacy'],
   what: 'tells the client that came first of changed lists, and no other', rules: ['gateway.tells-of-changes', 'gateway.tells-one-client-alone'], says: /changed|list/,
   change: (() => { const first = new Map; return {
     message(said, call) {
       if (!/^notifications\/(tools|prompts|resources)\/list_changed$/.test(said.method)) return said;
       if (!first.has(said.method)) first.set(said.method, sessionOf(call));
       return first.get(said.method) === sessionOf(call) ? said : null;
     }}; })()},
  // https://github.com/aws/mcp-proxy-for-aws/issues/349
  {name: 'probes-left-open', from: 'aws/mcp-proxy-for-aws#349', eras: ['legacy'],
   what: 'opens a second session with the server for each client to see whether it is there, and never ends it', rules: ['gateway.ends-sessions'], says: /session/,
   change: {async request(call) {
     if (call.message?.method !== 'initialize') return false;
     await (await fetch(call.to, {method: 'POST', headers: {'content-type': 'application/json', accept: 'application/json, text/event-stream'}, body: call.body})).arrayBuffer();
     return false;
   }}},
  // https://github.com/agentgateway/agentgateway/pull/2417
  {name: 'listens-for-one-kind', from: 'agentgateway/agentgateway#2417', eras: ['modern'],
   what: 'drops the wish for list changes from subscriptions/listen that names resources as well', rules: ['gateway.passes-listening'], says: /list|changed|notifications/i,
   change: {request(call) {
     const wanted = call.message?.method === 'subscriptions/listen' ? call.message.params?.notifications : undefined;
     if (!wanted?.resourceSubscriptions) return;
     call.message.params.notifications = {resourceSubscriptions: wanted.resourceSubscriptions};
     call.body = Buffer.from(textOf(call.message));
   }}},
  // https://github.com/envoyproxy/ai-gateway/issues/2665
  {name: 'cache-scope-empty', from: 'envoyproxy/ai-gateway#2665', eras: ['legacy', 'modern'],
   what: 'puts ttlMs 0 and an empty cacheScope into lists', rules: ['gateway.keeps-cache-hints'], says: /ttlMs|cacheScope/,
   change: {message: (said, call) => said.result && call.message?.method?.endsWith('/list') ? {...said, result: {...said.result, ttlMs: 0, cacheScope: ''}} : said}},
  // https://github.com/Kuadrant/mcp-gateway/issues/257 ("responding to roots/list requests from upstream using those stored roots")
  {name: 'roots-kept', from: 'Kuadrant/mcp-gateway#257', eras: ['legacy'],
   what: 'asks its client once for its roots, and answers from that ever after, whatever has changed', rules: ['gateway.asks-for-roots', 'gateway.passes-notifications'], says: /roots/,
   change: (() => { const asked = new Set; const kept = new Map; const key = (call, id) => textOf([sessionOf(call), id]); return {
     request(call) { if (isAnswer(call.message) && call.message.result && asked.delete(key(call, call.message.id))) kept.set(sessionOf(call), call.message.result); },
     message(said, call) {
       if (said.method !== 'roots/list') return said;
       const result = kept.get(sessionOf(call));
       if (!result) { asked.add(key(call, said.id)); return said; }
       fetch(call.to, {method: 'POST', headers: {'content-type': 'application/json', accept: 'application/json, text/event-stream', 'mcp-session-id': sessionOf(call), 'mcp-protocol-version': '2025-11-25'}, body: textOf({jsonrpc: '2.0', id: said.id, result})}).then(answer => answer.arrayBuffer(), () => undefined);
       return null;
     }}; })()},
];
