// What results hold: questions and their state, structured content, lists, schemas, hints.

import {H03, H06, H11, H26, S03, S06, S11, S26, isAnswer, isAsk, meta, notes, result} from './hooks.mjs';

const asksInput = change => ({
  answer: (message, c) => message.result?.resultType === 'input_required' ? change(message, c) ?? message : message});
const inputs = change => asksInput(message => { for (const asked of Object.values(message.result.inputRequests ?? {})) change(asked); });
const states = which => ({
  said: (message, c) => {
    const found = message.params?.requestState;
    if (typeof found === 'string' && c.all.state && found !== c.all.state && which(found, c.all.state)) message.params.requestState = c.all.state;
    return message;
  },
  ...asksInput((message, c) => { c.all.state = message.result.requestState ?? c.all.state; })});
const rejected = 'mrtr.request-state-invalid-rejected';
const flat = 'elicitation.form-schema-flat-primitive';
const both = [S26, H26];
const nested = {type: 'object', properties: {who: {type: 'object', properties: {name: {type: 'string'}}}}};
const secret = {type: 'object', properties: {password: {type: 'string', title: 'Password'}}, required: ['password']};
const required = extra => ({resultType: 'input_required', inputRequests: {who: {method: 'elicitation/create', params: {
  mode: 'form', message: 'Who?', requestedSchema: {type: 'object', properties: {}}}}}, ...extra});
const asked = method => ({answer: (message, c) => c.method(message) === method && message.result
    && c.asked(message).params?._meta?.[`${meta}clientCapabilities`]?.elicitation ? {...message, result: required()} : message});

export const mrtrMutants = [
  {name: 'state-any', id: rejected, in: both, what: 'takes any state for its own', ...states(() => true)},
  {name: 'state-same-length', id: rejected, in: both, what: 'takes changed states of the same length', ...states((found, own) => found.length === own.length)},
  {name: 'state-empty', id: rejected, in: both, what: 'takes the empty state for its own', ...states(found => found === '')},
  {name: 'state-cut', id: rejected, in: both, what: 'looks at the first part of a state alone', ...states((found, own) => found.slice(0, 20) === own.slice(0, 20))},
  {name: 'state-last', id: rejected, in: both, what: 'does not look at the signature of a state', ...states((found, own) => found.slice(0, found.lastIndexOf('.')) === own.slice(0, own.lastIndexOf('.')))},
  {name: 'input-nothing', id: 'mrtr.input-required-has-content', in: both, what: 'needs input and does not say which', ...asksInput(message => { message.result = {resultType: 'input_required'}; })},
  {name: 'input-ping', id: 'mrtr.input-request-types', in: both, what: 'wants a ping as input', ...inputs(made => { made.method = 'ping'; })},
  {name: 'input-list', id: ['mrtr.input-request-types', 'schema.messages-validate'], in: both, what: 'has its questions in an array', ...asksInput(message => { message.result.inputRequests = Object.values(message.result.inputRequests ?? {}); })},
  {name: 'input-undeclared', id: 'mrtr.no-undeclared-input-requests', in: both, what: 'asks for roots whoever cannot',
   ...asksInput((message, c) => {
     const declared = c.asked(message)?.params?._meta?.[`${meta}clientCapabilities`] ?? {};
     if (!declared.roots) (message.result.inputRequests ??= {}).more = {method: 'roots/list'};
   })},
  {name: 'input-tools-list', id: 'mrtr.unsupported-methods', in: both, what: 'needs input to list its tools', ...asked('tools/list')},
  {name: 'input-discover', id: 'mrtr.unsupported-methods', in: both, what: 'needs input to complete', ...asked('completion/complete')},
  {name: 'input-hints', id: 'caching.no-hints-on-input-required', in: both, what: 'lets its questions be kept', ...asksInput(message => { Object.assign(message.result, {ttlMs: 1000, cacheScope: 'private'}); })},
  {name: 'input-same-keys', id: 'mrtr.input-request-keys-unique', in: both, what: 'has one key for two questions',
   ...asksInput(message => JSON.stringify(message).replace(/"inputRequests":\{("[^"]*"):(\{.*?\}\})/, '"inputRequests":{$1:{"method":"roots/list"},$1:$2'))},
  {name: 'input-request', id: ['jsonrpc.server-sends-no-requests', 'mrtr.input-via-input-required-result'], in: both, what: 'asks in a request of its own as well',
   ...asksInput(message => [{jsonrpc: '2.0', id: 1, method: 'elicitation/create', params: required().inputRequests.who.params}, message])},
  {name: 'ping-request', id: 'jsonrpc.server-sends-no-requests', in: both, what: 'pings its client', ...notes('notifications/progress', message => [message, {jsonrpc: '2.0', id: 77, method: 'ping'}])},
  {name: 'form-no-message', id: 'elicitation.request-has-message', in: both, what: 'asks without a word', ...inputs(made => { delete made.params?.message; })},
  {name: 'form-no-schema', id: 'elicitation.form-params', in: both, what: 'has forms without a schema', ...inputs(made => { delete made.params?.requestedSchema; })},
  {name: 'form-nested', id: flat, in: both, what: 'has a form in a form', ...inputs(made => { if (made.params?.requestedSchema) made.params.requestedSchema = nested; })},
  {name: 'form-secret', id: 'elicitation.form-no-sensitive', in: both, what: 'asks for a password by a form', ...inputs(made => { if (made.params?.requestedSchema) made.params.requestedSchema = secret; })},
  {name: 'form-url', id: ['elicitation.no-unsupported-mode', 'elicitation.empty-capability-is-form-only'], in: both, what: 'sends URLs to those who know forms alone',
   ...inputs(made => { if (made.params?.requestedSchema) made.params = {mode: 'url', message: 'Sign in', url: 'https://example.com/in'}; })},
  {name: 'type-none', id: 'base.result-type-required', in: both, what: 'forgets resultType', answer: message => { delete message.result?.resultType; return message; }},
  {name: 'type-none-calls', id: 'base.result-type-required', in: both, what: 'forgets resultType in calls', ...result('tools/call', message => { delete message.result.resultType; })},
  {name: 'type-none-completions', id: 'base.result-type-required', in: both, what: 'forgets resultType in completions', ...result('completion/complete', message => { delete message.result.resultType; })},
  {name: 'type-done', id: 'base.result-type-known-set', in: both, what: 'has a resultType of its own', ...result('tools/call', message => { message.result.resultType = 'done'; })},
  {name: 'type-task', id: ['base.result-type-known-set', 'tasks.create-only-if-declared', 'tasks.result-type-task-only-for-create'], in: both, what: 'says that prompts are tasks',
   ...result('prompts/get', message => { message.result.resultType = 'task'; })},
];

// asks changes what the server asks for in requests of its own; wider lets it think that the client can do everything.
const asks = (method, change) => ({answer: message => { if (isAsk(message) && message.method === method) change(message.params, message); return message; }});
const wider = {said: message => {
  if (message.method === 'initialize') Object.assign(message.params.capabilities, {elicitation: {form: {}}, sampling: {}, roots: {}});
  return message;
}};
export const askingMutants = [
  {name: 'asks-undeclared', id: ['lifecycle.only-negotiated-capabilities', 'elicitation.no-unsupported-mode'], in: [S06, S11, H11], what: 'asks those who cannot be asked', ...wider},
  {name: 'ask-no-message', id: 'elicitation.request-has-message', in: [S06, S11, H11], what: 'asks without a word', ...asks('elicitation/create', params => { delete params.message; })},
  {name: 'ask-no-schema', id: 'elicitation.form-params', in: [S06, S11, H11], what: 'has forms without a schema', ...asks('elicitation/create', params => { delete params.requestedSchema; })},
  {name: 'ask-nested', id: flat, in: [S06, S11], what: 'has a form in a form', ...asks('elicitation/create', params => { params.requestedSchema = nested; })},
  {name: 'ask-secret', id: 'elicitation.form-no-sensitive', in: [S11, H11], what: 'asks for a password by a form', ...asks('elicitation/create', params => { params.requestedSchema = secret; })},
  {name: 'ask-url', id: ['elicitation.no-unsupported-mode', 'elicitation.empty-capability-is-form-only'], in: [S11, H11], what: 'sends URLs to those who know forms alone',
   ...asks('elicitation/create', (params, message) => { message.params = {mode: 'url', message: 'Sign in', url: 'https://example.com/in', elicitationId: 'e1'}; })},
  {name: 'sample-no-limit', id: 'sampling.request-required-fields', in: [S03, S11, H11], what: 'asks a model without maxTokens', ...asks('sampling/createMessage', params => { delete params.maxTokens; })},
  {name: 'sample-no-messages', id: 'sampling.request-required-fields', in: [S06, H11], what: 'asks a model nothing', ...asks('sampling/createMessage', params => { delete params.messages; })},
  {name: 'sample-tools', id: 'sampling.no-tools-without-capability', in: [S11, H11], what: 'gives tools to models that may not have any',
   ...asks('sampling/createMessage', params => { params.tools = [{name: 'find', inputSchema: {type: 'object'}}]; })},
];

const conform = 'tools.output-schema-conform';
const structured = change => result('tools/call', message => { if (message.result.structuredContent) change(message.result); });
const content = 'tools.result-content-required';
const calls = change => result('tools/call', message => { if (message.result.content && !message.result.isError) change(message.result); });
const all = [S06, S11, H11, S26, H26];
export const structuredMutants = [
  {name: 'structured-none', id: conform, in: all, what: 'has no structured content, though it said so', ...structured(made => { delete made.structuredContent; })},
  {name: 'structured-type', id: conform, in: all, what: 'has a sum that is a text', ...structured(made => { made.structuredContent.sum = String(made.structuredContent.sum); })},
  {name: 'structured-missing', id: conform, in: [S06, H11, S26], what: 'forgets a required property', ...structured(made => { delete made.structuredContent.terms; })},
  {name: 'structured-item', id: conform, in: [S11, H26], what: 'has an item of the wrong type', ...structured(made => { made.structuredContent.terms.push('three'); })},
  {name: 'structured-null', id: [conform, 'tools.structured-content-object'], in: [S11, H26], what: 'has null for structured content', ...structured(made => { made.structuredContent = null; })},
  {name: 'structured-array', id: [conform, 'tools.structured-content-object'], in: all, what: 'has an array for structured content', ...structured(made => { made.structuredContent = [made.structuredContent]; })},
  {name: 'structured-text', id: [conform, 'tools.structured-content-object'], in: [S06, S26], what: 'has structured content as a text', ...structured(made => { made.structuredContent = JSON.stringify(made.structuredContent); })},
  {name: 'structured-list', id: [conform, 'tools.structured-content-object', 'schema.messages-validate', 'jsonrpc.conforms-to-2-0'], in: [S11], what: 'has its result beside, not in, the structured content',
   ...structured(made => { made.structuredContent = {result: made.structuredContent}; })},
  {name: 'content-none', id: content, in: all, what: 'answers calls without content', ...calls(made => { delete made.content; })},
  {name: 'content-none-structured', id: content, in: [S11, H26], what: 'has no content beside what is structured', ...structured(made => { delete made.content; })},
  {name: 'content-text', id: content, in: [S03, H11, S26], what: 'has a text for content', ...calls(made => { made.content = 'done'; })},
  {name: 'content-kind', id: ['schema.content-types-by-revision', content, 'schema.messages-validate'], in: [S03, S11, H26], what: 'has content of its own kind', ...calls(made => { made.content = [{type: 'json', json: {}}]; })},
  {name: 'content-no-text', id: ['schema.messages-validate', content], in: [S11, S26, H26], what: 'has text content without a text', ...calls(made => { for (const part of made.content) delete part.text; })},
];
