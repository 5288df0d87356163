// The stateless era: methods of the old one, answers that differ by what the connection did, and state
// remembered across requests.

import {H26, S26, heals, isAsk, meta, metaOf, parsed, reply, result, serves} from './hooks.mjs';

const removed = ['jsonrpc.method-not-found-code', 'http.unknown-method-404', 'lifecycle.unadvertised-method-not-found', 'versioning.dual-era-server-selects-by-opening'];
export const legacyMethodMutants = [
  {name: 'serves-ping', id: removed, in: [S26, H26], what: 'still answers ping', ...serves(['ping'], {})},
  {name: 'serves-set-level', id: removed, in: [S26, H26], what: 'still answers logging/setLevel', ...serves(['logging/setLevel'], {})},
  {name: 'serves-subscribe', id: removed, in: [S26, H26], what: 'still answers resources/subscribe', ...serves(['resources/subscribe', 'resources/unsubscribe'], {})},
  {name: 'serves-tasks', id: ['tasks.legacy-result-method-removed', ...removed], in: [S26, H26], what: 'still answers tasks/list and tasks/result',
   ...serves(['tasks/list', 'tasks/result'], {tasks: []})},
  {name: 'serves-initialize', id: removed, in: [H26], what: 'answers initialize with the metadata of today',
   ...serves(['initialize'], {protocolVersion: '2026-07-28', capabilities: {}, serverInfo: {name: 'notes', version: '1'}})},
  {name: 'serves-anything', id: 'jsonrpc.method-not-found-code', in: [S26, H26], what: 'answers any method',
   request: request => {
     const method = parsed(request)?.method;
     if (method && !/^(server|tools|resources|prompts|completion|subscriptions)\//.test(method)) request.headers['mcp-method'] = 'server/discover';
   },
   said: message => isAsk(message) && !/^(server|tools|resources|prompts|completion|subscriptions)\//.test(message.method)
       ? {...message, method: 'server/discover', params: {_meta: message.params?._meta}} : message},
];

const varies = list => `${list}.list-not-connection-dependent`;
// after loses the last of a list once something was done on the connection, over stdio in the process, or until then. A
// list that changes for everybody at once is allowed.
const after = (method, list, until) => ({
  said: (message, c) => { if (message.method === method) c.connection.done = true; return message; },
  ...result(`${list}/list`, (message, c) => { if (Boolean(c.connection.done) !== until) message.result[list].pop(); })});

export const connectionMutants = [
  {name: 'tools-fewer-after-call', id: varies('tools'), in: [S26, H26], what: 'has fewer tools after a call', ...after('tools/call', 'tools', false)},
  {name: 'tools-more-after-call', id: varies('tools'), in: [S26, H26], what: 'has more tools after a call', ...after('tools/call', 'tools', true)},
  {name: 'tools-after-discover', id: [varies('tools'), 'lifecycle.no-prior-request-context'], in: [S26, H26], what: 'has all its tools after server/discover alone',
   ...after('server/discover', 'tools', true)},
  {name: 'tools-after-read', id: varies('tools'), in: [S26, H26], what: 'has fewer tools after a resource was read', ...after('resources/read', 'tools', false)},
  {name: 'resources-after-read', id: varies('resources'), in: [S26, H26], what: 'has fewer resources after one was read', ...after('resources/read', 'resources', false)},
  {name: 'resources-after-call', id: varies('resources'), in: [S26, H26], what: 'has fewer resources after a call', ...after('tools/call', 'resources', false)},
  {name: 'prompts-after-get', id: varies('prompts'), in: [S26, H26], what: 'has fewer prompts after one was got', ...after('prompts/get', 'prompts', false)},
  {name: 'prompts-after-list', id: varies('prompts'), in: [S26, H26], what: 'lists its prompts in full once a connection alone',
   ...result('prompts/list', (message, c) => { if (c.connection.listed) message.result.prompts.pop(); c.connection.listed = true; })},
  {name: 'tools-warm-up', id: varies('tools'), in: [S26, H26], what: 'has fewer tools the first time that a connection asks',
   ...result('tools/list', (message, c) => { if (!c.connection.listed) message.result.tools.pop(); c.connection.listed = true; })},
  {name: 'tools-by-capability', id: [varies('tools'), 'lifecycle.no-prior-request-context'], in: [S26, H26], what: 'has more tools once a client could be asked',
   said: (message, c) => { if (message.params?._meta?.[`${meta}clientCapabilities`]?.elicitation) c.connection.done = true; return message; },
   ...result('tools/list', (message, c) => { if (!c.connection.done) message.result.tools.pop(); })},
];

// remembers fills in what a request lacks from the one before.
const remembers = (key, where = 'connection') => heals((message, c) => {
  const asked = metaOf(message);
  if (asked[`${meta}${key}`] === undefined && c[where][key] !== undefined) asked[`${meta}${key}`] = c[where][key];
  else if (asked[`${meta}${key}`] !== undefined) c[where][key] = asked[`${meta}${key}`];
});
const context = 'lifecycle.no-prior-request-context';
const missing = 'lifecycle.missing-meta-rejected';
const capabilities = `${meta}clientCapabilities`;
// Heals runs twice over HTTP, for the request and what is said: the second time there is nothing to do.
const adds = where => heals((message, c) => {
  const asked = metaOf(message);
  if (asked[capabilities] === undefined) return;
  c[where].capabilities = {...c[where].capabilities, ...asked[capabilities]};
  asked[capabilities] = c[where].capabilities;
});
const refusal = id => ({jsonrpc: '2.0', id, error: {code: -32600, message: 'Discover first'}});

export const memoryMutants = [
  {name: 'remembers-capabilities', id: [context, 'lifecycle.missing-client-capability-error', 'lifecycle.no-undeclared-client-capability', 'mrtr.no-undeclared-input-requests'],
   in: [S26, H26], what: 'remembers what a client can do', ...adds('all')},
  {name: 'remembers-capabilities-connection', id: [context, 'lifecycle.missing-client-capability-error', 'lifecycle.no-undeclared-client-capability', 'mrtr.no-undeclared-input-requests'],
   in: [S26, H26], what: 'remembers on each connection what a client can do', ...adds('connection')},
  {name: 'remembers-level', id: ['logging.no-message-without-level', context], in: [S26, H26], what: 'remembers the level of its log', ...remembers('logLevel', 'all')},
  {name: 'remembers-level-connection', id: ['logging.no-message-without-level', context], in: [S26, H26], what: 'remembers the level of its log on each connection', ...remembers('logLevel')},
  {name: 'remembers-version', id: [missing, context], in: [S26, H26], what: 'remembers the revision', ...remembers('protocolVersion')},
  {name: 'remembers-missing-capabilities', id: [missing, context], in: [S26, H26], what: 'remembers capabilities for requests without', ...remembers('clientCapabilities')},
  {name: 'remembers-token', id: ['progress.only-active-tokens', 'progress.stops-after-completion'], in: [S26, H26], what: 'remembers where to report progress',
   ...heals((message, c) => {
     if (message.method !== 'tools/call') return;
     const asked = metaOf(message);
     if (asked.progressToken === undefined && c.all.token !== undefined) asked.progressToken = c.all.token;
     else c.all.token = asked.progressToken;
   })},
  {name: 'discover-first', id: context, in: [S26], what: 'serves nobody who has not discovered it',
   said: (message, c) => {
     if (message.method === 'server/discover') c.all.open = true;
     if (c.all.open || !isAsk(message)) return message;
     c.say(refusal(message.id));
     return undefined;
   }},
  {name: 'discover-first', id: context, in: [H26], what: 'serves no connection that has not discovered it',
   request: (request, c) => {
     const message = parsed(request);
     if (message?.method === 'server/discover') c.connection.open = true;
     return c.connection.open || !message?.method || message.id === undefined ? undefined : reply(400, refusal(message.id));
   }},
];
