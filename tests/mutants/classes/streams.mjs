// Streams of events: ids, what goes where, what is replayed; and progress, cancellation, subscriptions.

import {H03, H06, H11, H26, S03, S06, S11, S26, isAnswer, isNote, meta, notes} from './hooks.mjs';

const unique = 'http.event-id-unique';
const noResponses = 'http.get-stream-no-responses';
const broadcast = 'http.no-broadcast';
const own = 'http.replay-own-stream-only';
const format = 'http.sse-format';
const numbered = change => ({event: (event, c) => event.id === undefined ? event : {...event, id: change(event, c)}});
const onGets = (c, message) => c.memory.gets.forEach(stream => stream.event({event: 'message', data: JSON.stringify(message)}));
const broken = change => ({event: event => event.data && event.data.includes('"method"') ? change(event) : event});

export const streamMutants = [
  {name: 'event-ids-equal', id: unique, in: [H03, H06, H11], what: 'has one id for all events', ...numbered(() => '1')},
  {name: 'event-ids-by-stream', id: unique, in: [H06, H11], what: 'counts the events of each stream', ...numbered((event, c) => String(c.count = (c.count ?? 0) + 1))},
  {name: 'event-ids-ring', id: unique, in: [H11], what: 'has five ids for events', ...numbered((event, c) => String(c.memory.count = ((c.memory.count ?? 0) + 1) % 5))},
  {name: 'event-ids-answer', id: unique, in: [H11], what: 'has the id of the event before for answers',
   ...numbered((event, c) => event.data?.includes('"result"') ? c.last ?? event.id : c.last = event.id)},
  {name: 'answers-on-get-too', id: [noResponses, broadcast], in: [H03, H06, H11], what: 'says its answers on the GET stream as well',
   answer: (message, c) => { if (isAnswer(message)) onGets(c, message); return message; }},
  {name: 'answers-on-get', id: noResponses, in: [H11], what: 'says answers of calls on the GET stream where there is one',
   answer: (message, c) => {
     if (c.method(message) !== 'tools/call' || c.memory.gets.size === 0) return message;
     onGets(c, message);
     return undefined;
   }},
  {name: 'progress-on-get-too', id: broadcast, in: [H03, H11], what: 'says its progress on the GET stream as well',
   ...notes('notifications/progress', (message, c) => { onGets(c, message); return message; })},
  {name: 'log-on-every-get', id: broadcast, in: [H06, H11], what: 'says its log on every GET stream',
   ...notes('notifications/message', (message, c) => {
     if (c.request.method !== 'GET') return message;
     onGets(c, message);
     return undefined;
   })},
  {name: 'replays-others', id: own, in: [H06, H11], what: 'replays what other streams said',
   event: (event, c) => { if (c.request.method === 'POST' && event.data) (c.memory.log ??= []).push({...event, stream: c.number ??= c.all.streams = (c.all.streams ?? 0) + 1}); return event; },
   head: (head, request, c) => {
     const last = request.headers['last-event-id'];
     const log = c.memory.log ?? [];
     const stream = log.find(event => event.id === last)?.stream;
     if (request.method === 'GET' && head.status === 200 && last) setTimeout(() => log.filter(event => event.stream !== stream).slice(-5).forEach(event => c.sendEvent(event)), 20);
   }},
  {name: 'replays-answers-of-others', id: own, in: [H11], what: 'replays the answers of other streams',
   event: (event, c) => { if (c.request.method === 'POST' && /"result"/.test(event.data ?? '')) (c.memory.log ??= []).push({...event, of: c.request}); return event; },
   head: (head, request, c) => {
     if (request.method === 'GET' && head.status === 200 && request.headers['last-event-id']) {
       setTimeout(() => (c.memory.log ?? []).slice(0, -1).forEach(event => c.sendEvent(event)), 20);
     }
   }},
  {name: 'replays-to-anyone', id: [own, noResponses], in: [H11], what: 'says everything again on a new GET stream',
   event: (event, c) => { if (c.request.method === 'POST' && event.data) (c.memory.log ??= []).push(event); return event; },
   head: (head, request, c) => {
     if (request.method === 'GET' && head.status === 200 && !request.headers['last-event-id']) setTimeout(() => (c.memory.log ?? []).slice(-5).forEach(event => c.sendEvent(event)), 20);
   }},
  {name: 'half-event', id: format, in: [H06, H11], what: 'cuts its notifications in half', ...broken(event => ({...event, data: event.data.slice(0, event.data.length / 2)}))},
  {name: 'two-in-an-event', id: format, in: [H03, H11], what: 'has two messages in an event', ...broken(event => ({...event, data: `${event.data}\n${event.data}`}))},
  {name: 'lines-without-data', id: format, in: [H11], what: 'writes a message over several lines, and data before the first alone',
   ...broken(event => ({raw: `event: message\ndata: ${JSON.stringify(JSON.parse(event.data), null, 1)}\n\n`}))},
  {name: 'array-event', id: [format, 'jsonrpc.no-batching', 'jsonrpc.conforms-to-2-0'], in: [H06, H26], what: 'has arrays of notifications in events', ...broken(event => ({...event, data: `[${event.data}]`}))},
  {name: 'text-event', id: format, in: [H06, H11], what: 'says a word between its messages', ...broken(event => [event, {event: 'message', data: 'working'}])},
];

const grows = 'progress.increases';
const active = 'progress.only-active-tokens';
const progress = change => notes('notifications/progress', (message, c) => change(message, c) ?? message);
const value = made => progress((message, c) => ({...message, params: {...message.params, progress: made(message.params.progress, c)}}));
const token = made => progress((message, c) => ({...message, params: {...message.params, progressToken: made(message.params.progressToken, c)}}));
const everywhere = [S03, S11, H11, S26, H26];
export const progressMutants = [
  {name: 'progress-repeats', id: grows, in: everywhere, what: 'reports the same progress', ...value(() => 1)},
  {name: 'progress-repeats-last', id: grows, in: [S06, H11, S26, H26], what: 'reports its last progress twice', ...progress(message => [message, message].slice(0, message.params.progress === message.params.total ? 2 : 1))},
  {name: 'progress-back', id: grows, in: everywhere, what: 'counts down', ...value(found => 10 - found)},
  {name: 'progress-back-last', id: grows, in: [S11, H26], what: 'ends with less progress than before', ...progress(message => message.params.progress === message.params.total ? {...message, params: {...message.params, progress: 0.5}} : message)},
  {name: 'token-other', id: active, in: everywhere, what: 'reports to a token that nobody gave', ...token(() => 'other')},
  {name: 'token-as-string', id: active, in: [S11, H11, S26, H26], what: 'reports to numbers as strings', ...token(String)},
  {name: 'token-as-number', id: active, in: [S11, H26], what: 'reports to strings of digits as numbers', ...token(found => /^\d+$/.test(found) ? Number(found) : found)},
  {name: 'token-is-id', id: active, in: [S06, S11, H11, S26, H26], what: 'reports to the id of the request',
   said: (message, c) => {
     const given = message.params?._meta?.progressToken;
     if (given !== undefined) (c.all.tokens ??= new Map).set(JSON.stringify(given), message.id);
     return message;
   },
   ...token((found, c) => c.all.tokens?.get(JSON.stringify(found)) ?? found)},
  {name: 'token-before', id: active, in: [S11, S26, H26], what: 'reports to the token of the call before',
   said: (message, c) => {
     const given = message.params?._meta?.progressToken;
     if (given !== undefined) { c.all.before ??= c.all.now; c.all.before = c.all.now; c.all.now = given; }
     return message;
   },
   ...token((found, c) => c.all.before ?? found)},
  {name: 'progress-after', id: ['progress.stops-after-completion', active], in: [S03, S11, H11, S26, H26], what: 'reports progress after the answer',
   answer: (message, c) => {
     const given = c.asked(message)?.params?._meta?.progressToken;
     if (given !== undefined) c.later(60, {jsonrpc: '2.0', method: 'notifications/progress', params: {progressToken: given, progress: 100}});
     return message;
   }},
  {name: 'progress-unasked', id: active, in: [S06, S11, H11, S26, H26], what: 'reports progress to who did not ask',
   answer: (message, c) => {
     const asked = c.asked(message);
     if (asked?.method !== 'tools/call' || asked.params?._meta?.progressToken !== undefined) return message;
     return [{jsonrpc: '2.0', method: 'notifications/progress', params: {progressToken: asked.id, progress: 1}}, message];
   }},
  {name: 'progress-text', id: 'schema.messages-validate', in: [S11, S26, H26], what: 'reports progress as a text', ...value(String)},
  {name: 'progress-no-token', id: ['schema.messages-validate', active], in: [S06, H26], what: 'reports progress to nobody', ...token(() => undefined)},
];

const cancelled = (id, params = {}) => ({jsonrpc: '2.0', method: 'notifications/cancelled', params: {...id !== undefined && {requestId: id}, ...params}});
const onProgress = change => progress((message, c) => [message, ...change(message, c)].slice(0, message.params.progress === 1 ? 2 : 1));
const race = 'cancellation.race-handled';
const noMore = 'cancellation.no-messages-after-cancel';
export const cancellationMutants = [
  {name: 'cancel-dies', id: race, in: [S03, S11, S26], what: 'dies of a cancellation',
   said: (message, c) => { if (message.method === 'notifications/cancelled') c.end(); return message; }},
  {name: 'cancel-deaf', id: race, in: [S06, S11, S26], what: 'hears nothing after a cancellation',
   said: (message, c) => { c.memory.deaf ||= message.method === 'notifications/cancelled'; return c.memory.deaf ? undefined : message; }},
  {name: 'cancel-500', id: race, in: [H06, H11], what: 'breaks a session by a cancellation',
   request: (request, c) => {
     c.memory.broken ||= /"notifications\/cancelled"/.test(request.body);
     return c.memory.broken ? {status: 500, headers: {}, body: ''} : undefined;
   }},
  {name: 'cancel-ignored', id: noMore, in: [S26], what: 'goes on with what was cancelled', said: message => message.method === 'notifications/cancelled' ? undefined : message},
  {name: 'cancel-answered', id: noMore, in: [S26], what: 'answers what was cancelled with an error',
   said: (message, c) => {
     if (message.method === 'notifications/cancelled') c.later(20, {jsonrpc: '2.0', id: message.params.requestId, error: {code: -32800, message: 'Request cancelled'}});
     return message;
   }},
  {name: 'cancel-of-clients', id: 'cancellation.references-own-in-flight', in: [S03, S11, H11], what: 'cancels requests of the client',
   ...onProgress((message, c) => [cancelled([...c.memory.asked.values()].findLast(asked => asked.method === 'tools/call')?.id)])},
  {name: 'cancel-of-clients', id: 'cancellation.server-cancelled-only-for-listen', in: [S26, H26], what: 'cancels requests of the client',
   ...onProgress((message, c) => [cancelled([...c.memory.asked.values()].findLast(asked => asked.method === 'tools/call')?.id)])},
  {name: 'cancel-of-none', id: ['cancellation.references-own-in-flight'], in: [S06, H11], what: 'cancels what it never asked', ...onProgress(() => [cancelled(4711)])},
  {name: 'cancel-without-id', id: ['cancellation.request-id-present', 'schema.messages-validate'], in: [S11, H11], what: 'cancels without saying what', ...onProgress(() => [cancelled(undefined, {reason: 'late'})])},
];

const isAck = message => message.method === 'notifications/subscriptions/acknowledged';
const changes = change => ({answer: (message, c) => isNote(message) && message.params?._meta?.[`${meta}subscriptionId`] !== undefined ? change(message, c) : message});
const acks = change => ({answer: (message, c) => isAck(message) ? change(message, c) : message});
const tagged = (message, id) => ({...message, params: {...message.params, _meta: {...message.params._meta, [`${meta}subscriptionId`]: id}}});
const idOf = message => message.params._meta[`${meta}subscriptionId`];
const withoutId = message => { const {[`${meta}subscriptionId`]: _, ...rest} = message.params._meta; return {...message, params: {...message.params, _meta: rest}}; };
const inMeta = 'subscriptions.id-in-meta';
const first = 'subscriptions.acknowledged-first';
const honored = 'subscriptions.ack-reflects-honored';
const requested = 'subscriptions.only-requested-types';
const honours = made => acks(message => ({...message, params: {...message.params, notifications: {...message.params.notifications, ...made}}}));
const adds = (method, params = {}) => changes((message, c) => isAck(message)
    ? [message, tagged({jsonrpc: '2.0', method, params}, idOf(message))] : message);
const both = [S26, H26];
export const subscriptionMutants = [
  {name: 'ack-none', id: first, in: both, what: 'does not acknowledge subscriptions', ...acks(() => undefined)},
  {name: 'ack-late', id: [first, 'subscriptions.nothing-before-ack'], in: both, what: 'acknowledges after the first change',
   ...changes((message, c) => {
     c.memory.acks ??= {};
     const id = JSON.stringify(idOf(message));
     if (isAck(message)) { c.memory.acks[id] = message; return undefined; }
     const held = c.memory.acks[id];
     delete c.memory.acks[id];
     return held ? [message, held] : message;
   })},
  {name: 'ack-no-id', id: [first, inMeta], in: both, what: 'acknowledges without the id', ...acks(withoutId)},
  {name: 'ack-other-id', id: [first, inMeta], in: both, what: 'acknowledges another id', ...acks(message => tagged(message, 4711))},
  {name: 'id-as-string', id: inMeta, in: both, what: 'has ids of subscriptions as strings', ...changes(message => tagged(message, String(idOf(message))))},
  {name: 'id-as-number', id: inMeta, in: both, what: 'has ids of digits as numbers', ...changes(message => tagged(message, /^\d+$/.test(idOf(message)) ? Number(idOf(message)) : idOf(message)))},
  {name: 'ack-everything', id: honored, in: both, what: 'claims to honour what was not asked for', ...honours({toolsListChanged: true, resourcesListChanged: true, promptsListChanged: true})},
  {name: 'ack-resources', id: honored, in: both, what: 'claims to honour a resource that was not asked for', ...honours({resourceSubscriptions: ['notes://other']})},
  {name: 'ack-unknown-type', id: [honored, 'schema.messages-validate'], in: both, what: 'claims to honour a type that there is not', ...honours({everythingChanged: true})},
  {name: 'change-no-id', id: inMeta, in: both, what: 'has no id in what it tells', ...changes(message => isAck(message) ? message : withoutId(message))},
  {name: 'change-other-id', id: inMeta, in: both, what: 'has another id in what it tells', ...changes(message => isAck(message) ? message : tagged(message, 4711))},
  {name: 'change-first-id', id: inMeta, in: both, what: 'tells everybody under the id of the first',
   ...changes((message, c) => isAck(message) ? (c.all.first ??= idOf(message), message) : tagged(message, c.all.first))},
  {name: 'change-prompts', id: requested, in: both, what: 'tells of prompts that nobody asked for', ...adds('notifications/prompts/list_changed')},
  {name: 'change-resources', id: requested, in: both, what: 'tells of a resource that nobody asked for', ...adds('notifications/resources/updated', {uri: 'notes://shopping'})},
  {name: 'change-tools', id: requested, in: both, what: 'tells of tools whatever was asked for',
   ...adds('notifications/tools/list_changed')},
  {name: 'listen-log', id: 'logging.only-on-request-stream', in: both, what: 'logs to those who listen', ...adds('notifications/message', {level: 'info', data: 'listening'})},
  {name: 'listen-progress', id: [requested, active], in: both, what: 'reports progress to those who listen', ...adds('notifications/progress', {progressToken: 'x', progress: 1})},
  {name: 'close-no-id', id: 'subscriptions.close-result-subscription-id', in: both, what: 'ends subscriptions without their id',
   ...acks((message, c) => { c.later(40, {jsonrpc: '2.0', id: idOf(message), result: {resultType: 'complete', _meta: {}}}); return message; })},
  {name: 'close-other-id', id: 'subscriptions.close-result-subscription-id', in: both, what: 'ends subscriptions under another id',
   ...acks((message, c) => { c.later(40, {jsonrpc: '2.0', id: idOf(message), result: {resultType: 'complete', _meta: {[`${meta}subscriptionId`]: 4711}}}); return message; })},
  {name: 'close-cancels-other', id: 'cancellation.server-cancelled-only-for-listen', in: [S26], what: 'cancels what it was never asked when it ends a subscription',
   ...acks((message, c) => { c.later(30, cancelled(4711)); return message; })},
];
