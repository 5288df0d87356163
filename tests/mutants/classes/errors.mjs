// Codes, statuses and data of the errors that are required, and answers that are none.

import {H03, H06, H11, H26, S03, S06, S11, S26, code, errors, heals, isError, meta, metaOf, notes, parsed, reply, result,
        serves, status} from './hooks.mjs';

const methodNotFound = 'jsonrpc.method-not-found-code';
const parseError = 'jsonrpc.parse-error-code';
const missing = 'lifecycle.missing-meta-rejected';
const capability = 'lifecycle.missing-client-capability-error';
const notFound = 'resources.not-found-error';
const unadvertised = ['lifecycle.unadvertised-method-not-found', 'completion.capability-declared'];
const is = expected => found => found === expected;
const unparsed = made => ({request: request => request.method === 'POST' && parsed(request) === undefined ? made : undefined});
const error = (id, number) => ({jsonrpc: '2.0', id, error: {code: number, message: 'It is wrong'}});
const lacks = (message, key) => message.params?._meta?.[`${meta}${key}`] === undefined;
const about = (key, number) => errors(is(-32602), (message, c) =>
  lacks(c.asked(message) ?? {}, key) ? {...message, error: {...message.error, code: number}} : message);
const fills = (key, value) => heals(message => { if (lacks(message, key)) metaOf(message)[`${meta}${key}`] = value; });
const breaks = change => ({answer: message => isError(message) ? change(message) : message});
const data = change => errors(is(-32021), message => { change(message.error); return message; });
const ofMethod = (method, number) => errors((found, asked) => asked?.method === method, message => ({...message, error: {...message.error, code: number}}));

export const errorCodeMutants = [
  {name: 'unknown-method-32600', id: methodNotFound, in: [S11, H11, S26], what: 'calls unknown methods invalid requests', ...code(is(-32601), -32600)},
  {name: 'unknown-method-32603', id: methodNotFound, in: [S03, H11, H26], what: 'fails inside at unknown methods', ...code(is(-32601), -32603)},
  {name: 'unknown-method-32602', id: methodNotFound, in: [S11, H06, H26], what: 'calls unknown methods invalid params', ...code(is(-32601), -32602)},
  {name: 'unknown-method-32000', id: methodNotFound, in: [S06, H03], what: 'has a code of its own for unknown methods', ...code(is(-32601), -32000)},
  {name: 'unknown-method-result', id: methodNotFound, in: [S11, H11], what: 'answers unknown methods with a result',
   ...errors(is(-32601), message => ({jsonrpc: '2.0', id: message.id, result: {}}))},
  {name: 'unknown-method-silence', id: methodNotFound, in: [S06, S26], what: 'does not answer unknown methods', ...errors(is(-32601), () => undefined)},
  {name: 'invalid-params-32603', id: 'jsonrpc.invalid-params-code', in: [S11, H06], what: 'fails inside at invalid params', ...code(is(-32602), -32603)},
  {name: 'invalid-params-32600', id: 'jsonrpc.invalid-params-code', in: [S06, H11], what: 'calls invalid params invalid requests', ...code(is(-32602), -32600)},
  {name: 'parse-200-32603', id: parseError, in: [H11, H26], what: 'fails inside at what is no JSON', ...unparsed(reply(200, error(null, -32603)))},
  {name: 'parse-32600', id: parseError, in: [H26], what: 'calls what is no JSON an invalid request', ...unparsed(reply(400, error(null, -32600)))},
  {name: 'parse-202', id: parseError, in: [H11, H26], what: 'accepts what is no JSON', ...unparsed(reply(202))},
  {name: 'parse-result', id: parseError, in: [H06, H26], what: 'answers what is no JSON with a result', ...unparsed(reply(200, {jsonrpc: '2.0', id: null, result: {}}))},
  {name: 'parse-dies', id: parseError, in: [S03, S11], what: 'dies of a line that is no JSON',
   unparsed: (line, c) => c.end()},
  {name: 'parse-deaf', id: parseError, in: [S06], what: 'hears nothing after a line that is no JSON',
   unparsed: (line, c) => { c.memory.deaf = true; }, said: (message, c) => c.memory.deaf ? undefined : message},
  {name: 'invalid-request-32603', id: 'jsonrpc.invalid-request-code', in: [H26], what: 'fails inside at what is no request', ...code(is(-32600), -32603)},
];

const wellFormed = ['jsonrpc.error-object-code-message', 'jsonrpc.conforms-to-2-0'];
const version = ['jsonrpc.version-is-2.0', 'jsonrpc.conforms-to-2-0'];
const either = ['jsonrpc.response-result-xor-error', 'jsonrpc.conforms-to-2-0', 'jsonrpc.result-field-present'];
export const errorShapeMutants = [
  {name: 'code-text', id: 'jsonrpc.error-code-integer', in: [S11, H11, S26, H26], what: 'has codes as texts', ...breaks(message => ({...message, error: {...message.error, code: String(message.error.code)}}))},
  {name: 'code-fraction', id: 'jsonrpc.error-code-integer', in: [S06, H26], what: 'has codes with a fraction', ...breaks(message => ({...message, error: {...message.error, code: message.error.code - 0.5}}))},
  {name: 'code-none', id: wellFormed, in: [S11, S26, H26], what: 'has errors without a code', ...breaks(message => ({...message, error: {message: message.error.message}}))},
  {name: 'message-none', id: wellFormed, in: [S11, H11, S26, H26], what: 'has errors without a message', ...breaks(message => ({...message, error: {code: message.error.code}}))},
  {name: 'message-number', id: wellFormed, in: [H06, S26], what: 'has numbers for messages', ...breaks(message => ({...message, error: {...message.error, message: 42}}))},
  {name: 'error-text', id: wellFormed, in: [S11, H26], what: 'has texts for errors', ...breaks(message => ({...message, error: message.error.message}))},
  {name: 'error-and-result', id: either, in: [S11, H11, S26, H26], what: 'has a result beside its errors', ...breaks(message => ({...message, result: null}))},
  {name: 'result-and-error', id: either, in: [S06, H26], what: 'has null for an error beside its results', answer: message => message.result ? {...message, error: null} : message},
  {name: 'neither', id: either, in: [S11, H11, S26], what: 'answers prompts/get without a result', ...result('prompts/get', ({result: _, ...message}) => message)},
  {name: 'result-null', id: ['jsonrpc.result-is-object', 'ping.empty-result'], in: [S03, H11], what: 'answers ping with null', ...result('ping', message => ({...message, result: null}))},
  {name: 'result-array', id: ['jsonrpc.result-is-object', 'ping.empty-result'], in: [S11, H06], what: 'answers ping with an array', ...result('ping', message => ({...message, result: []}))},
  {name: 'jsonrpc-1', id: version, in: [S11, H11, S26, H26], what: 'speaks JSON-RPC 1.0', answer: message => ({...message, jsonrpc: '1.0'})},
  {name: 'jsonrpc-number', id: version, in: [S06, H26], what: 'has a number for its version', answer: message => ({...message, jsonrpc: 2.0})},
  {name: 'jsonrpc-none-errors', id: version, in: [S11, H11, S26, H26], what: 'names no version in errors', ...breaks(({jsonrpc, ...message}) => message)},
  {name: 'jsonrpc-none-notes', id: version, in: [S11, H11, S26, H26], what: 'names no version in notifications', ...notes('', ({jsonrpc, ...message}) => message)},
  {name: 'params-array', id: ['jsonrpc.params-by-name', 'jsonrpc.conforms-to-2-0', 'schema.messages-validate'], in: [S11, H11, S26], what: 'has the params of notifications in an array',
   ...notes('', message => message.params ? {...message, params: [message.params]} : message)},
];

export const metaErrorMutants = [
  {name: 'meta-32600', id: missing, in: [S26, H26], what: 'calls requests without metadata invalid requests', ...about('clientCapabilities', -32600)},
  {name: 'meta-32603', id: missing, in: [S26, H26], what: 'fails inside at requests without metadata', ...about('clientCapabilities', -32603)},
  {name: 'meta-no-capabilities', id: missing, in: [S26, H26], what: 'does without clientCapabilities', ...fills('clientCapabilities', {})},
  {name: 'meta-no-version', id: missing, in: [S26, H26], what: 'does without protocolVersion', ...fills('protocolVersion', '2026-07-28')},
  {name: 'meta-lists-only', id: missing, in: [S26, H26], what: 'does without metadata where it lists',
   ...heals(message => {
     if (!message.method.endsWith('/list')) return;
     metaOf(message)[`${meta}clientCapabilities`] ??= {};
     metaOf(message)[`${meta}protocolVersion`] ??= '2026-07-28';
   })},
  {name: 'meta-200', id: 'http.missing-meta-400', in: [H26], what: 'answers what lacks metadata with 200', ...status(-32602, 200)},
  {name: 'meta-422', id: 'http.missing-meta-400', in: [H26], what: 'answers what lacks metadata with 422', ...status(-32602, 422)},
  {name: 'meta-500', id: 'http.missing-meta-400', in: [H26], what: 'answers what lacks metadata with 500', ...status(-32602, 500)},
  {name: 'capability-32602', id: capability, in: [S26, H26], what: 'calls missing capabilities invalid params', ...code(is(-32021), -32602)},
  {name: 'capability-32603', id: capability, in: [S26, H26], what: 'fails inside without a capability', ...code(is(-32021), -32603)},
  {name: 'capability-32003', id: capability, in: [H26], what: 'has a code of its own for missing capabilities', ...code(is(-32021), -32003)},
  {name: 'capability-no-data', id: capability, in: [S26, H26], what: 'does not say which capability is missing', ...data(made => { delete made.data; })},
  {name: 'capability-empty', id: capability, in: [S26, H26], what: 'lists no capability that is missing', ...data(made => { made.data = {requiredCapabilities: {}}; })},
  {name: 'capability-list', id: capability, in: [S26, H26], what: 'has an array of missing capabilities', ...data(made => { made.data = {requiredCapabilities: ['elicitation']}; })},
  {name: 'capability-tool-error', id: capability, in: [S26, H26], what: 'says in a tool error what is missing',
   ...errors(is(-32021), message => ({jsonrpc: '2.0', id: message.id, result: {resultType: 'complete', isError: true, content: [{type: 'text', text: message.error.message}]}}))},
  {name: 'capability-200', id: 'http.missing-client-capability-400', in: [H26], what: 'answers missing capabilities with 200', ...status(-32021, 200)},
  {name: 'capability-403', id: 'http.missing-client-capability-400', in: [H26], what: 'answers missing capabilities with 403', ...status(-32021, 403)},
  {name: 'unadvertised-served', id: unadvertised, base: 'sdk-2', in: [S26, H26], what: 'completes without having said so',
   ...serves(['completion/complete'], {completion: {values: []}})},
  {name: 'unadvertised-32602', id: 'lifecycle.unadvertised-method-not-found', base: 'sdk-2', in: [S26, H26], what: 'calls what it has not advertised invalid params',
   ...ofMethod('completion/complete', -32602)},
];

const empty = message => ({jsonrpc: '2.0', id: message.id, result: {resultType: 'complete', contents: [], ttlMs: 0, cacheScope: 'private'}});
const ofRead = change => errors((found, asked) => asked?.method === 'resources/read', change);
const unknownTool = to => errors((found, asked) => asked?.method === 'tools/call' && found === -32602, message => ({...message, error: {...message.error, code: to}}));
export const otherErrorMutants = [
  {name: 'read-32002', id: [notFound, 'jsonrpc.error-code-retired'], in: [S26, H26], what: 'still says -32002 of what it does not find', ...ofRead(message => ({...message, error: {...message.error, code: -32002}}))},
  {name: 'read-32603', id: notFound, in: [S26, H26], what: 'fails inside at what it does not find', ...ofRead(message => ({...message, error: {...message.error, code: -32603}}))},
  {name: 'read-empty', id: ['resources.no-empty-contents-for-missing', notFound], in: [S26, H26], what: 'has no contents of what it does not find', ...ofRead(empty)},
  {name: 'read-null', id: [notFound, 'resources.uris-validated', 'resources.contents-shape'], in: [S26], what: 'has empty contents of what it does not find',
   ...ofRead((message, c) => ({...empty(message), result: {...empty(message).result, contents: [{uri: c.asked(message).params.uri, text: ''}]}}))},
  {name: 'reserved-code', id: 'jsonrpc.error-code-reserved-range-undefined', in: [S26, H26], what: 'has a code of its own in the reserved range', ...unknownTool(-32050)},
  {name: 'mismatch-code', id: 'jsonrpc.error-code-defined-meaning', in: [S26, H26], what: 'says -32020 of an unknown tool', ...unknownTool(-32020)},
  {name: 'capability-code', id: 'jsonrpc.error-code-defined-meaning', in: [S26, H26], what: 'says -32021 of an unknown resource', ...ofRead(message => ({...message, error: {...message.error, code: -32021}}))},
  {name: 'retired-code', id: 'jsonrpc.error-code-retired', in: [S26, H26], what: 'says -32042 of an unknown prompt', ...ofMethod('prompts/get', -32042)},
  {name: 'method-200', id: 'http.unknown-method-404', in: [H26], what: 'answers unknown methods with 200', ...status(-32601, 200)},
  {name: 'method-400', id: 'http.unknown-method-404', in: [H26], what: 'answers unknown methods with 400', ...status(-32601, 400)},
  {name: 'method-405', id: 'http.unknown-method-404', in: [H26], what: 'answers unknown methods with 405', ...status(-32601, 405)},
  {name: 'method-404-bare', id: ['http.unknown-method-404', methodNotFound], in: [H26], what: 'answers unknown methods with a 404 that is no message',
   ...errors(is(-32601), () => 'Not found')},
];
