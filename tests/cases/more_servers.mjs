// More faults of servers that public reports tell of: servers.mjs serves these as well, and says what a case has.

import {failed, say} from './peers/server.mjs';

const readOnly = {readOnlyHint: true};
const wait = ms => new Promise(resolve => setTimeout(resolve, ms));
const closed = {type: 'object', properties: {}, additionalProperties: false};
const slow = run => [{name: 'read_slowly', description: 'Reads for a second, and tells how far it is', annotations: readOnly, inputSchema: closed, run}];
const ticks = async call => { for (let i = 1; i <= 10 && !call.cancelled; ++i) { await wait(100); if (!call.cancelled) call.progress(i, 10); } return say('read'); };
const json = (response, status, body, headers = {}) => { response.writeHead(status, {'content-type': 'application/json', ...headers}); response.end(JSON.stringify(body)); return true; };

// A tool that logs, at info, to the client that asked.
const levels = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];
const logs = (holder, to) => ({
  tools: [{name: 'look_up', description: 'Looks up the weather, and logs it', annotations: readOnly, inputSchema: closed, run(_, call) {
    const level = holder(call).level ?? 'info';
    for (const one of ['debug', 'info', 'error']) {
      if (levels.indexOf(one) >= levels.indexOf(level)) to(call)({jsonrpc: '2.0', method: 'notifications/message', params: {level: one, logger: 'weather', data: `looked up (${one})`}});
    }
    return say('sunny');
  }}],
  said({method, params}, call) { if (method === 'logging/setLevel' && levels.includes(params?.level)) holder(call).level = params.level; return undefined; }});

// Events with ids that are replayed; `own`: to the session alone that they are of.
const replays = own => ({http(request, response, body, {server, exchange}) {
  const named = request.headers['mcp-session-id'];
  server.kept ??= [];
  server.resumed ??= new Map;
  const stream = server.streams = (server.streams ?? 0) + 1;
  const write = (to, {id, message}) => { if (!to.writableEnded && !to.destroyed) to.write(`id: ${id}\nevent: message\ndata: ${JSON.stringify(message)}\n\n`); };
  const final = message => 'id' in message && !message.method;
  exchange.event = message => {
    const one = {id: `${stream}-${server.kept.length}`, session: named, stream, message};
    server.kept.push(one);
    exchange.open();
    write(response, one);
    const other = server.resumed.get(stream);
    if (other) { write(other, one); if (final(message)) other.end(); }
  };
  const last = request.headers['last-event-id'];
  if (request.method !== 'GET' || last === undefined || !server.sessions.has(named)) return false;
  const at = server.kept.findIndex(one => one.id === last && (!own || one.session === named));
  if (at < 0) return false;
  response.writeHead(200, {'content-type': 'text/event-stream', 'cache-control': 'no-cache'});
  response.flushHeaders();
  const missed = server.kept.slice(at + 1).filter(one => one.stream === server.kept[at].stream);
  for (const one of missed) write(response, one);
  if (final(server.kept[at].message) || missed.some(one => final(one.message))) response.end(); else server.resumed.set(server.kept[at].stream, response);
  return true;
}});

const learns = tells => ({
  capabilities: all => ({...all, tools: {listChanged: true}}),
  tools: [{name: 'learn', description: 'Learns to sing, which is a tool then', inputSchema: closed, annotations: {readOnlyHint: false, destructiveHint: false, idempotentHint: true}, run(_, call) {
    const {server} = call;
    if (!server.tools.some(tool => tool.name === 'sing')) {
      server.tools.push({name: 'sing', description: 'Sings a song', inputSchema: closed, annotations: readOnly, run: () => say('la')});
      if (tells) for (const session of server.sessions.values()) session.tell({jsonrpc: '2.0', method: 'notifications/tools/list_changed'});
    }
    return say('learnt');
  }}]});

const number = {type: 'number'};
const adds = wrong => ({tools: [{name: 'add', description: 'Adds two numbers', annotations: readOnly, lax: true, inputSchema: {type: 'object', properties: {a: number, b: number}, required: ['a', 'b']},
  outputSchema: {type: 'object', properties: {sum: number}, required: ['sum']},
  run: ({a, b}) => typeof a === 'number' && typeof b === 'number' ? {...say(JSON.stringify({sum: a + b})), structuredContent: {sum: a + b}} : say('a and b must be numbers', {isError: true, ...wrong})}]});

const asks = otherwise => ({tools: [{name: 'ask_name', description: 'Asks for your name', annotations: readOnly, inputSchema: closed, async run(_, call) {
  const answer = await call.ask('who', 'Who are you?', {type: 'object', properties: {name: {type: 'string'}}, required: ['name']});
  if (!answer) return undefined;
  if (answer.action !== 'accept') return otherwise(call.message.id);
  return typeof answer.content?.name === 'string' ? say(`Hello ${answer.content.name}`) : say('A name must be a string', {isError: true});
}}]});

export const cases = [
  // https://github.com/twentyhq/twenty/issues/24559
  {name: 'progress-unasked', from: 'twentyhq/twenty#24559', in: ['legacy stdio', 'modern http'], what: 'makes up a progress token where the client gave none',
   rules: ['progress.only-active-tokens'], says: /token/, change: {tools: slow((_, call) => { call.token ??= `tool-call-${call.message.id}`; return ticks(call); })}},
  // https://github.com/GLips/Figma-Context-MCP/pull/366
  {name: 'progress-after-the-answer', from: 'GLips/Figma-Context-MCP#366', in: ['legacy stdio', 'modern stdio'], what: 'a heartbeat writes progress once more after the answer',
   rules: ['progress.stops-after-completion'], says: /after/, change: {tools: slow(async (_, call) => { const made = await ticks(call); setTimeout(() => call.progress(11, 12), 20); return made; })}},
  // https://github.com/mastra-ai/mastra/pull/19193
  {name: 'last-unsubscribe-for-all', from: 'mastra-ai/mastra#19193', writes: true, in: ['legacy http'], what: 'one client that unsubscribes clears the subscription of all',
   rules: ['resources.updated-after-subscribe', 'http.sessions-side-by-side'], says: /subscri|session|client/,
   change: {said({method, params}, {server}) { if (method === 'resources/unsubscribe') for (const session of server.sessions.values()) session.subscribed.delete(params?.uri); return undefined; }}},
  // https://github.com/lennix1337/Genexus18MCP/issues/146
  {name: 'updates-unasked', from: 'lennix1337/Genexus18MCP#146', writes: true, in: ['legacy stdio', 'legacy http'], what: 'tells every client of every update, whether it subscribed or not',
   rules: ['resources.updated-after-subscribe', 'http.sessions-side-by-side', 'resources.subscribe-declared'], says: /subscri|session|client/,
   change: {begin(server) { server.changed = uri => { for (const session of server.sessions.values()) session.tell({jsonrpc: '2.0', method: 'notifications/resources/updated', params: {uri}}); }; }}},
  // https://github.com/ihor-sokoliuk/mcp-searxng/pull/205
  {name: 'level-of-all-sessions', from: 'ihor-sokoliuk/mcp-searxng#205', in: ['legacy http'], what: 'keeps one log level for all sessions',
   rules: ['logging.level-respected', 'logging.below-level-suppressed', 'http.sessions-side-by-side'], says: /level/,
   change: logs(call => call.server, call => call.tell), right: logs(call => call.session, call => call.tell)},
  // https://github.com/PSPDFKit/nutrient-document-engine-mcp-server/pull/5
  {name: 'logs-to-the-newest', from: 'PSPDFKit/nutrient-document-engine-mcp-server#5', in: ['legacy http'], what: 'logs to the session that was opened last, whoever asked',
   rules: ['http.sessions-side-by-side', 'http.no-broadcast', 'http.sse-notifications-relate'], says: /log|message|session|client/,
   change: logs(call => call.session, call => [...call.server.sessions.values()].at(-1).tell), right: logs(call => call.session, call => call.tell)},
  // https://github.com/HarperFast/harper/issues/1611
  {name: 'headerless-refused', from: 'HarperFast/harper#1611', in: ['legacy http'], what: 'refuses requests of an open session without MCP-Protocol-Version',
   rules: ['http.protocol-version-absent-default'], says: /MCP-Protocol-Version/i,
   change: {http(request, response, body, {server}) {
     const session = server.sessions.get(request.headers['mcp-session-id']);
     if (!session || request.headers['mcp-protocol-version'] !== undefined || session.version === '2025-03-26') return false;
     return json(response, 400, failed(null, -32600, 'MCP-Protocol-Version is not that of the session'));
   }}},
  // https://github.com/agentfront/frontmcp/pull/529 (GHSA-84j6-jc92-77jm)
  {name: 'replays-anybodys', from: 'agentfront/frontmcp#529', in: ['legacy http'], what: 'replays the events of another session',
   rules: ['http.replay-own-stream-only', 'http.sessions-side-by-side', 'security.session-bound-to-user'], says: /replay|session|event/i, change: replays(false), right: replays(true)},
  // https://github.com/render-oss/render-mcp-server/issues/26 https://github.com/kaeawc/auto-mobile/issues/1942
  {name: 'stream-held', from: 'render-oss/render-mcp-server#26', in: ['legacy http'], what: 'refuses the stream of a session that had one which is closed',
   rules: ['http.get-stream-or-405', 'http.get-stream-lasts', 'http.multiple-streams-tolerated'], says: /409|GET|stream/,
   change: {http(request, response, body, {server}) {
     if (request.method !== 'GET' || !server.sessions.get(request.headers['mcp-session-id'])?.stream) return false;
     return json(response, 409, failed(null, -32000, 'Conflict: Only one SSE stream is allowed per session'));
   }}},
  // https://github.com/context-hub/generator/issues/303
  {name: 'list-grows-silently', from: 'context-hub/generator#303', writes: true, in: ['legacy stdio', 'legacy http'], what: 'declares tools.listChanged and tells nobody that it has one more',
   rules: ['tools.list-changed-notification'], says: /list_changed/, change: learns(false), right: learns(true)},
  // https://github.com/HexSleeves/tailscale-mcp/pull/101
  {name: 'error-with-another-structure', from: 'HexSleeves/tailscale-mcp#101', in: ['legacy stdio', 'modern http'], what: 'errors carry structuredContent that is not of the outputSchema',
   rules: ['tools.error-structure-fits', 'tools.output-schema-conform'], says: /structuredContent/, change: adds({structuredContent: {error: {code: 'VALIDATION'}}}), right: adds({})},
  // https://github.com/pgEdge/pgedge-postgres-mcp/issues/211
  {name: 'order-of-the-moment', from: 'pgEdge/pgedge-postgres-mcp#211', in: ['modern stdio', 'legacy stdio'], what: 'lists its tools in another order each time',
   rules: ['tools.deterministic-order', 'security.tools-stable', 'tools.list-stable-under-calls', 'pagination.stable-cursors'], says: /order/,
   change: {answer(made, {server}) { if (Array.isArray(made.result?.tools) && (server.turn = !server.turn)) made.result.tools = [...made.result.tools].reverse(); return made; }}},
  // https://github.com/apache/shenyu/issues/7041
  {name: 'calls-at-once-fail', from: 'apache/shenyu#7041', in: ['legacy http', 'legacy stdio'], what: 'fails the call that comes while another call of the session runs',
   rules: ['jsonrpc.answers-meanwhile', 'jsonrpc.responses-any-order', 'http.sessions-side-by-side'], says: /while|at once|beside|meanwhile/,
   change: {said({id, method}, {session}) { return method === 'tools/call' && session.running.size > 0 ? failed(id, -32603, 'Can not find url, please check your configuration!') : undefined; }}},
  // https://github.com/modelcontextprotocol/go-sdk/issues/758
  {name: 'decline-is-an-error', from: 'modelcontextprotocol/go-sdk#758', in: ['legacy stdio', 'modern http'], what: 'validates the content of a declined form, and fails with an internal error',
   rules: ['elicitation.decline-cancel-handled', 'elicitation.server-handles-all-actions'], says: /decline|cancel/,
   change: asks(id => failed(id, -32603, 'elicitation result content does not match requested schema')), right: asks(() => say('Hello'))},
];
