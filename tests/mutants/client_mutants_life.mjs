// Clients that get a session wrong: its opening, what was agreed on, cancellation, progress, pages.

import {S1, H1, S2, H2, SM, HM, RS, RH, calls, inClass, is, isRequest, isResponse, notice, request} from './client_mutant_kit.mjs';

// opened returns the result of initialize that a client makes up for itself.
const opened = {result: {protocolVersion: '2025-11-25', capabilities: {tools: {}}, serverInfo: {name: 'made up', version: '1'}}};

const idle = inClass('does too little', [
  {name: 'exits', id: 'base.core-and-lifecycle-supported', on: [S1, H1], what: 'exits at once', start: () => process.exit(0)},
  {name: 'exits-modern', id: 'base.support-core-components', on: [SM, HM], what: 'exits at once', start: () => process.exit(0)},
  {name: 'waits', id: 'base.core-and-lifecycle-supported', on: [S1, H1], what: 'never connects', start: () => setInterval(() => {}, 1000)},
  {name: 'waits-modern', id: 'base.support-core-components', on: [SM, HM], what: 'never connects', start: () => setInterval(() => {}, 1000)},
  {name: 'mute', id: 'lifecycle.client-sends-initialize', on: [S1, H2], what: 'connects and says nothing', say: () => undefined},
  {name: 'mute-modern', id: 'base.support-core-components', on: [SM, HM], what: 'connects and says nothing', say: () => undefined},
  {name: 'leaves-after-answer', id: 'base.core-and-lifecycle-supported', on: [S2, H1], what: 'leaves when initialize is answered',
   hear: (m, talk) => { talk.leave(); return m; }},
]);

const openings = inClass('opening', [
  {name: 'no-initialize', id: 'lifecycle.client-sends-initialize', on: [S1, H1, S2, H2], what: 'never initializes and lists tools at once',
   say: m => is(m, 'initialize') ? {answer: opened} : is(m, 'notifications/initialized') ? undefined : m},
  {name: 'initialized-without-initialize', id: 'lifecycle.initialize-first', on: [H1], what: 'says that it is initialized and never initializes',
   say: m => is(m, 'initialize') ? {answer: opened} : m},
  {name: 'lists-first', id: 'lifecycle.initialize-first', on: [S2, H1], what: 'lists tools before initialize',
   say: m => is(m, 'initialize') ? {several: [request('early', 'tools/list'), m]} : m},
  {name: 'notifies-first', id: 'lifecycle.initialize-first', on: [S1], what: 'notifies before initialize',
   say: m => is(m, 'initialize') ? {several: [notice('notifications/roots/list_changed'), m]} : m},
  {name: 'initialize-bare', id: 'lifecycle.client-sends-initialize', on: [S1, H2], what: 'opens without params',
   say: m => { if (is(m, 'initialize')) delete m.params; return m; }},
  ...['protocolVersion', 'capabilities', 'clientInfo'].map((member, place) => (
    {name: `initialize-without-${member}`, id: 'lifecycle.client-sends-initialize', on: [[S1, H1, S2][place]], what: `opens without ${member}`,
     say: m => { if (is(m, 'initialize')) delete m.params[member]; return m; }})),
  {name: 'initialize-version-number', id: 'lifecycle.client-sends-initialize', on: [H2], what: 'offers the version 2025',
   say: m => { if (is(m, 'initialize')) m.params.protocolVersion = 2025; return m; }},
  {name: 'nameless', id: 'lifecycle.implementation-name-and-version', on: [S2, H1], what: 'has no name',
   say: m => { if (is(m, 'initialize')) delete m.params.clientInfo.name; return m; }},
  {name: 'version-of-client-number', id: 'lifecycle.implementation-name-and-version', on: [S1], what: 'has a number for its version',
   say: m => { if (is(m, 'initialize')) m.params.clientInfo.version = 3; return m; }},
  ...['1999-01-01', '1.0', 'latest', '2025-13-45', '', '2025-11-26'].map((version, place) => (
    {name: `offers-${version || 'nothing'}`, id: 'versioning.client-offers-supported', on: [[S1, H2, S2, H1, S2, H1][place]], what: `offers the version "${version}"`,
     say: m => { if (is(m, 'initialize')) m.params.protocolVersion = version; return m; }})),
  {name: 'never-ready', id: 'lifecycle.initialized-notification', on: [S1, H2], what: 'never says that it is initialized',
   say: m => is(m, 'notifications/initialized') ? undefined : m},
  {name: 'ready-too-late', id: 'lifecycle.initialized-notification', on: [S2], what: 'says that it is initialized after its first request',
   say: (m, talk) => {
     if (is(m, 'notifications/initialized')) { talk.state.ready = m; return undefined; }
     if (!isRequest(m) || !talk.state.ready) return m;
     const ready = talk.state.ready;
     talk.state.ready = undefined;
     return {several: [m, ready]};
   }},
  {name: 'ready-misspelt', id: 'lifecycle.initialized-notification', on: [H1], what: 'says "initialized"',
   say: m => is(m, 'notifications/initialized') ? {...m, method: 'initialized'} : m},
]);

const beside = (id, method, params) => m => calls(m) ? {several: [request(`beside-${id}-${m.id}`, method, params), m]} : m;
const agreed = inClass('what was not negotiated', [
  {name: 'prompts-undeclared', id: 'lifecycle.only-negotiated-capabilities', on: [S1, H2], what: 'lists prompts that nobody declared', say: beside(1, 'prompts/list')},
  {name: 'resources-undeclared', id: 'lifecycle.only-negotiated-capabilities', on: [S2], what: 'reads resources that nobody declared', say: beside(2, 'resources/read', {uri: 'test://a'})},
  {name: 'templates-undeclared', id: 'lifecycle.only-negotiated-capabilities', on: [H1], what: 'lists templates that nobody declared', say: beside(3, 'resources/templates/list')},
  {name: 'logging-undeclared', id: 'lifecycle.only-negotiated-capabilities', on: [S1], what: 'sets a log level that nobody declared', say: beside(4, 'logging/setLevel', {level: 'info'})},
  {name: 'completion-undeclared', id: 'lifecycle.only-negotiated-capabilities', on: [H1], what: 'completes, and nobody declared it',
   say: beside(5, 'completion/complete', {ref: {type: 'ref/prompt', name: 'a'}, argument: {name: 'b', value: 'c'}})},
  {name: 'subscribes-undeclared', id: 'lifecycle.only-negotiated-capabilities', on: [S2], what: 'subscribes to a resource that nobody declared', say: beside(6, 'resources/subscribe', {uri: 'test://a'})},
  {name: 'tasks-undeclared', id: 'lifecycle.only-negotiated-capabilities', on: [H2], what: 'lists tasks that nobody declared', say: beside(7, 'tasks/list')},
  {name: 'roots-changed-undeclared', id: 'lifecycle.only-negotiated-capabilities', on: [S1, H1], what: 'tells that its roots change, and did not declare listChanged',
   say: m => calls(m) ? {several: [notice('notifications/roots/list_changed'), m]} : m},
  {name: 'listens-too-early', id: 'lifecycle.respect-negotiated-version', on: [S1, H2], what: 'calls subscriptions/listen of a later revision', say: beside(8, 'subscriptions/listen', {notifications: {}})},
  {name: 'task-too-early', id: 'lifecycle.respect-negotiated-version', on: [RS('2025-06-18'), RH('2025-06-18')], what: 'calls as a task in 2025-06-18',
   say: m => calls(m) ? {...m, params: {...m.params, task: {ttl: 1000}}} : m},
  {name: 'elicitation-answer-too-early', id: 'lifecycle.respect-negotiated-version', on: [RS('2025-06-18')], what: 'gets a task in 2025-06-18', say: beside(9, 'tasks/get', {taskId: 'a'})},
  {name: 'initialize-again', id: 'versioning.single-version-per-session', on: [S2], what: 'initializes again in another revision',
   say: m => calls(m) ? {several: [request(`again-${m.id}`, 'initialize', {protocolVersion: '2025-03-26', capabilities: {}, clientInfo: {name: 'a', version: '1'}}), m]} : m},
  {name: 'goes-modern', id: 'versioning.single-version-per-session', on: [S1], what: 'says in _meta that it now speaks 2026-07-28',
   say: m => calls(m) ? {...m, params: {...m.params, _meta: {'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {}}}} : m},
  {name: 'task-undeclared', id: 'tasks.no-tool-tasks-without-capability', on: [S2, H2], what: 'calls as a task where there are none',
   say: m => calls(m) ? {...m, params: {...m.params, task: {ttl: 1000}}} : m},
  {name: 'task-forbidden', id: 'tasks.tool-forbidden-not-augmented', on: [S1, H1], what: 'makes a task of everything',
   say: m => calls(m) ? {...m, params: {...m.params, task: {ttl: 1000}}} : m},
  {name: 'task-plain', id: 'tasks.tool-required-augmented', on: [S1, H1], what: 'calls a task-only tool plainly',
   say: m => { if (calls(m)) delete m.params.task; return m; }},
  {name: 'task-never-fetched', id: 'tasks.no-reliance-on-notifications', on: [S1], what: 'waits for notifications about its task',
   say: m => m.method?.startsWith('tasks/') ? undefined : m},
  {name: 'task-cancelled-as-request', id: 'cancellation.tasks-use-own-method', on: [S1, H1], what: 'cancels a task by notifications/cancelled',
   hear: (m, talk) => {
     if (m.result?.task) talk.later(700, () => talk.send(notice("notifications/cancelled", {requestId: m.id})));
     return m;
   }},
  {name: 'prompt-number', id: 'prompts.argument-values-strings', on: [S1, H2], what: 'gives a prompt a number',
   say: m => is(m, 'prompts/get') ? {...m, params: {...m.params, arguments: {n: 7}}} : m},
  {name: 'prompt-null', id: 'prompts.argument-values-strings', on: [H1], what: 'gives a prompt null',
   say: m => is(m, 'prompts/get') ? {...m, params: {...m.params, arguments: {n: null}}} : m},
  {name: 'prompt-array', id: 'prompts.argument-values-strings', on: [S2], what: 'gives a prompt an array of arguments',
   say: m => is(m, 'prompts/get') ? {...m, params: {...m.params, arguments: {n: ['a']}}} : m},
]);

const cancel = (talk, id, more = {}) => talk.send(notice('notifications/cancelled', {requestId: id, ...more}));
const cancels = inClass('cancellation', [
  {name: 'cancels-nobody', id: 'cancellation.references-own-in-flight', on: [S1, H2, SM], what: 'cancels what it never asked',
   say: m => calls(m) ? {several: [notice('notifications/cancelled', {requestId: 'nobody'}), m]} : m},
  {name: 'cancels-as-text', id: 'cancellation.references-own-in-flight', on: [S2], what: 'cancels its request 3 as "3"',
   say: m => is(m, 'notifications/cancelled') ? {...m, params: {...m.params, requestId: String(m.params.requestId)}} : m},
  {name: 'cancels-late', id: 'cancellation.references-own-in-flight', on: [S1, SM], what: 'cancels a list that was answered long before',
   say: (m, talk) => {
     if (is(m, 'tools/list')) talk.state.id = m.id;
     if (calls(m)) talk.later(1500, () => cancel(talk, talk.state.id));
     return m;
   }},
  {name: 'cancels-what-it-used', id: 'cancellation.references-own-in-flight', on: [S2, H1], what: 'cancels a list when it has called a tool of it',
   say: (m, talk) => {
     if (is(m, 'tools/list')) talk.state.id = m.id;
     return calls(m) ? {several: [m, notice('notifications/cancelled', {requestId: talk.state.id})]} : m;
   }},
  {name: 'cancels-the-servers', id: 'cancellation.references-own-in-flight', on: [S2], what: "cancels the server's request",
   hear: (m, talk) => { if (isRequest(m)) cancel(talk, m.id); return m; }},
  {name: 'cancels-initialize', id: 'cancellation.not-initialize', on: [S1, H2], what: 'cancels initialize at once',
   say: (m, talk) => {
     if (is(m, 'initialize')) talk.state.id = m.id;
     return is(m, 'initialize') ? {several: [m, notice('notifications/cancelled', {requestId: m.id})]} : m;
   }},
  {name: 'cancels-without-id', id: 'cancellation.request-id-present', on: [S1, H1], what: 'cancels without requestId',
   say: m => { if (is(m, 'notifications/cancelled')) delete m.params.requestId; return m; }},
  {name: 'cancels-null', id: 'cancellation.request-id-present', on: [S2], what: 'cancels null',
   say: m => { if (is(m, 'notifications/cancelled')) m.params.requestId = null; return m; }},
  {name: 'cancels-by-another-name', id: 'cancellation.stdio-cancelled-notification', on: [SM], what: 'cancels by another name',
   say: m => is(m, 'notifications/cancelled') ? {...m, method: 'notifications/aborted'} : m},
  {name: 'dies-of-late-answers', id: 'cancellation.race-handled', on: [S1, SM], what: 'dies of the answer to what it cancelled',
   say: (m, talk) => { if (is(m, 'notifications/cancelled')) talk.state.id = m.params.requestId; return m; },
   hear: (m, talk) => { if (m.id !== undefined && m.id === talk.state.id) talk.leave(); return m; }},
]);

const token = value => m => calls(m) ? {...m, params: {...m.params, _meta: {...m.params._meta, progressToken: value}}} : m;
const report = (m, progress) => notice('notifications/progress', {progressToken: m.params._meta.progressToken, progress});
const reports = list => (m, talk) => {
  if (isRequest(m) && m.params?._meta?.progressToken !== undefined) for (const progress of list) talk.send(report(m, progress));
  return m;
};
const progress = inClass('progress', [
  {name: 'token-fraction', id: 'progress.token-type', on: [S1, HM], what: 'has the token 1.5', say: token(1.5)},
  {name: 'token-null', id: 'progress.token-type', on: [H2, SM], what: 'has the token null', say: token(null)},
  {name: 'token-object', id: 'progress.token-type', on: [S2], what: 'has an object for its token', say: token({of: 'me'})},
  {name: 'token-shared', id: 'progress.token-unique', on: [S2, H1, SM, HM], what: 'calls twice at once with one token',
   say: m => calls(m) ? {several: [token('t')(m), {...token('t')(m), id: `second-${m.id}`}]} : m},
  {name: 'progress-of-nobody', id: 'progress.only-active-tokens', on: [S1, H2], what: 'reports progress that nobody wants',
   say: m => isResponse(m) ? {several: [notice('notifications/progress', {progressToken: 'nobody', progress: 1}), m]} : m},
  {name: 'progress-back', id: 'progress.increases', on: [S2, H1], what: 'reports 2, then 1', hear: reports([2, 1])},
  {name: 'progress-repeats', id: 'progress.increases', on: [S1], what: 'reports 1 twice', hear: reports([1, 1])},
  {name: 'progress-after-answer', id: 'progress.stops-after-completion', on: [S2, H2], what: 'reports progress after its answer',
   hear: (m, talk) => {
     if (isRequest(m) && m.params?._meta?.progressToken !== undefined) talk.state.ask = m;
     return m;
   },
   say: (m, talk) => {
     const ask = talk.state.ask;
     return isResponse(m) && ask && ask.id === m.id ? {several: [m, report(ask, 9)]} : m;
   }},
]);

const cursor = change => m => {
  if (m.method?.endsWith('/list') && m.params?.cursor !== undefined) m.params.cursor = change(m.params.cursor);
  return m;
};
const pages = inClass('cursors', [
  {name: 'cursor-trimmed', id: 'pagination.cursor-opaque', on: [S1, H2, SM], what: 'trims cursors', say: cursor(text => text.trim())},
  {name: 'cursor-number', id: 'pagination.cursor-opaque', on: [H1, S2], what: 'makes numbers of cursors', say: cursor(text => /^\d+$/.test(text) ? Number(text) : text)},
  {name: 'cursor-json', id: 'pagination.cursor-opaque', on: [S1], what: 'writes cursors again as JSON', say: cursor(text => { try { return JSON.stringify(JSON.parse(text)); } catch { return text; } })},
  {name: 'cursor-decoded', id: 'pagination.cursor-opaque', on: [HM], what: 'decodes cursors as of URLs', say: cursor(text => decodeURIComponent(text))},
  {name: 'cursor-ascii', id: 'pagination.cursor-opaque', on: [H2], what: 'drops what is not ASCII from cursors', say: cursor(text => text.replace(/[^\x20-\x7e]/g, ''))},
  {name: 'cursor-counted', id: 'pagination.cursor-opaque', on: [S2], what: 'counts pages by itself', say: (m, talk) => cursor(() => String(talk.state.page = (talk.state.page ?? 0) + 1))(m)},
  {name: 'stops-at-empty-page', id: 'pagination.no-fixed-page-size', on: [S1, H2, SM], what: 'stops at a page without tools',
   hear: m => { if (m.result?.tools?.length === 0) delete m.result.nextCursor; return m; }},
  {name: 'stops-at-short-page', id: 'pagination.no-fixed-page-size', on: [S2, HM], what: 'stops at a page that is shorter than the first',
   hear: (m, talk) => {
     if (!m.result?.tools) return m;
     talk.state.size ??= m.result.tools.length;
     if (m.result.tools.length < talk.state.size) delete m.result.nextCursor;
     return m;
   }},
  {name: 'stops-at-empty-cursor', id: 'pagination.empty-cursor-not-end', on: [SM, HM], what: 'takes the cursor "" for the end',
   hear: m => { if (m.result?.nextCursor === '') delete m.result.nextCursor; return m; }},
]);

export const lifeMutants = [...idle, ...openings, ...agreed, ...cancels, ...progress, ...pages];
