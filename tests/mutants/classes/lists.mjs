// What lists and reads show: definitions, schemas, capabilities, encodings, hints, logs.

import {H03, H06, H11, H26, S03, S06, S11, S26, meta, notes, result} from './hooks.mjs';

const schema = 'tools.input-schema-valid';
const tools = change => result('tools/list', message => { if (message.result.tools.length) change(message.result.tools[0], message.result); });
const opening = (change) => ({answer: (message, c) => {
  if (message.result && ['initialize', 'server/discover'].includes(c.method(message))) change(message.result.capabilities);
  return message;
}});
const hides = name => opening(capabilities => { delete capabilities[name]; });
const declared = (name, ...more) => [`${name}.capability-declared`, 'lifecycle.unadvertised-method-not-found', 'lifecycle.only-negotiated-capabilities', ...more];
const reads = change => result('resources/read', message => change(message.result.contents[0], message.result));
const lists = (list, change) => result(list === 'resourceTemplates' ? 'resources/templates/list' : `${list}/list`, message => { if (message.result[list]?.length) change(message.result[list][0], message.result); });
const gets = change => result('prompts/get', message => change(message.result.messages));
const part = (type, change) => gets(messages => { for (const {content} of messages) if (content.type === type) change(content); });
const inResult = change => ({answer: (message, c) => { if (message.result && c.method(message) !== 'initialize') change(message.result, c.method(message)); return message; }});
const annotates = (name, where) => tools(tool => {
  tool.inputSchema = {type: 'object', properties: {a: {type: 'string'}, b: {type: 'string'}}};
  where(tool.inputSchema, name);
});

export const listMutants = [
  {name: 'schema-null', id: schema, in: [S11, H11, S26, H26], what: 'has null for a schema', ...tools(tool => { tool.inputSchema = null; })},
  {name: 'schema-none', id: [schema, 'tools.definition-required-fields'], in: [S03, H26], what: 'has a tool without a schema', ...tools(tool => { delete tool.inputSchema; })},
  {name: 'schema-no-type', id: schema, in: [S11, H26], what: 'has a schema without a type', ...tools(tool => { delete tool.inputSchema.type; })},
  {name: 'schema-array', id: schema, in: [S06, S26], what: 'has a schema of arrays', ...tools(tool => { tool.inputSchema = {type: 'array', items: {}}; })},
  {name: 'schema-invalid', id: [schema, 'schema.schemas-valid'], in: [S11, H26], what: 'has a schema that is none', ...tools(tool => { tool.inputSchema = {type: 'object', properties: {a: {type: 'strin'}}}; })},
  {name: 'schema-required', id: [schema, 'schema.schemas-valid'], in: [H11, S26], what: 'has a text for what is required', ...tools(tool => { tool.inputSchema = {type: 'object', required: 'a'}; })},
  {name: 'output-invalid', id: 'schema.schemas-valid', in: [S11, H26], what: 'has a schema of results that is none', ...tools(tool => { tool.outputSchema = {type: 'object', properties: {a: {minimum: 'one'}}}; })},
  {name: 'tool-no-name', id: ['schema.messages-validate', 'tools.definition-required-fields'], in: [S11, H26], what: 'has a tool without a name', ...tools(tool => { delete tool.name; })},
  {name: 'header-empty', id: 'http.x-mcp-header-not-empty', in: [S26, H26], what: 'has an empty x-mcp-header', ...annotates('', (made, name) => { made.properties.a['x-mcp-header'] = name; })},
  {name: 'header-space', id: 'http.x-mcp-header-token-syntax', in: [S26, H26], what: 'has a space in x-mcp-header', ...annotates('My Region', (made, name) => { made.properties.a['x-mcp-header'] = name; })},
  {name: 'header-twice', id: 'http.x-mcp-header-unique', in: [S26, H26], what: 'has one x-mcp-header twice, in another case', ...annotates('Region', (made, name) => { made.properties.a['x-mcp-header'] = name; made.properties.b['x-mcp-header'] = name.toLowerCase(); })},
  {name: 'header-number', id: 'http.x-mcp-header-primitive-types', in: [S26, H26], what: 'has x-mcp-header on a number', ...annotates('Region', (made, name) => { made.properties.a = {type: 'number', 'x-mcp-header': name}; })},
  {name: 'header-items', id: ['http.x-mcp-header-statically-reachable', 'http.x-mcp-header-no-indirect-path'], in: [S26, H26], what: 'has x-mcp-header in items', ...annotates('Region', (made, name) => { made.properties.a = {type: 'array', items: {type: 'string', 'x-mcp-header': name}}; })},
  {name: 'tools-undeclared', id: declared('tools'), in: [S03, H11, S26, H26], what: 'has tools without saying so', ...hides('tools')},
  {name: 'resources-undeclared', id: declared('resources'), in: [S11, H11, S26, H26], what: 'has resources without saying so', ...hides('resources')},
  {name: 'prompts-undeclared', id: declared('prompts'), in: [S11, H06, S26, H26], what: 'has prompts without saying so', ...hides('prompts')},
  {name: 'completions-undeclared', id: declared('completion'), in: [S11, H11, S26, H26], what: 'completes without saying so', ...hides('completions')},
  {name: 'logging-undeclared', id: declared('logging'), in: [S11, H11, S26, H26], what: 'logs without saying so', ...hides('logging')},
];

const annotation = 'resources.annotations-valid';
export const contentMutants = [
  {name: 'uri-space', id: 'resources.uri-rfc3986', in: [S06, H26], what: 'has a space in a URI', ...lists('resources', one => { one.uri = 'notes://my note'; })},
  {name: 'uri-relative', id: 'resources.uri-rfc3986', in: [S11, S26], what: 'has a URI without a scheme', ...lists('resources', one => { one.uri = '/shopping'; })},
  {name: 'priority-two', id: annotation, in: [S03, H11, S26], what: 'has a priority of 2', ...lists('resources', one => { one.annotations = {priority: 2}; })},
  {name: 'audience-bot', id: annotation, in: [S11, H26], what: 'has an audience of bots', ...lists('resources', one => { one.annotations = {audience: ['bot']}; })},
  {name: 'contents-no-uri', id: 'resources.contents-shape', in: [S11, H11, S26, H26], what: 'has contents without a URI', ...reads(one => { delete one.uri; })},
  {name: 'contents-no-text', id: 'resources.contents-shape', in: [S06, H26], what: 'has contents without text or blob', ...reads(one => { delete one.text; delete one.blob; })},
  {name: 'contents-object', id: ['resources.contents-shape', 'schema.messages-validate'], in: [S11, S26], what: 'has an object for contents', ...reads((one, made) => { made.contents = one; })},
  {name: 'blob-plain', id: ['resources.binary-encoded', 'resources.contents-shape'], in: [S11, H26], what: 'has a blob that is no base64', ...reads(one => { delete one.text; one.blob = 'not base64!'; })},
  {name: 'template-open', id: 'resources.template-rfc6570', in: [S11, H11], what: 'has a template that is none', ...lists('resourceTemplates', one => { one.uriTemplate = 'notes://{letter'; })},
  {name: 'role-system', id: 'prompts.result-shape', in: [S11, H11, S26, H26], what: 'has a message of the system in a prompt', ...gets(messages => { messages[0].role = 'system'; })},
  {name: 'prompt-array', id: 'prompts.result-shape', in: [S06, H26], what: 'has an array for the content of a prompt', ...gets(messages => { messages[0].content = [messages[0].content]; })},
  {name: 'prompt-image', id: 'prompts.image-content-encoding', in: [S11, H11], what: 'has an image that is no base64', ...part('image', content => { content.data = '<svg>'; })},
  {name: 'prompt-resource', id: 'prompts.embedded-resource-fields', in: [S11, H06], what: 'has an embedded resource without a URI', ...part('resource', content => { delete content.resource.uri; })},
  {name: 'values-101', id: 'completion.max-100-values', in: [S11, H11, S26, H26], what: 'has 101 values', ...result('completion/complete', message => { message.result.completion.values = Array.from({length: 101}, (_, i) => `v${i}`); })},
  {name: 'pong', id: 'ping.empty-result', in: [S03, S11, H11], what: 'says pong', ...result('ping', message => { message.result.pong = true; })},
  {name: 'ping-error', id: ['ping.empty-result', 'base.core-and-lifecycle-supported'], in: [S06, H11], what: 'does not know ping', ...result('ping', message => ({jsonrpc: '2.0', id: message.id, error: {code: -32601, message: 'Method not found'}}))},
  {name: 'meta-name', id: 'base.meta-name-syntax', in: [S11, H11, S26, H26], what: 'has a space in a key of _meta', ...inResult(made => { (made._meta ??= {})['my key'] = 1; })},
  {name: 'meta-prefix', id: ['base.meta-prefix-syntax', 'base.meta-label-charset'], in: [S11, S26, H26], what: 'has a prefix in _meta that begins with a digit', ...inResult(made => { (made._meta ??= {})['1st.example/key'] = 1; })},
];

const hints = 'caching.hints-required';
const logs = change => notes('notifications/message', (message, c) => change(message, c) ?? message);
export const hintAndLogMutants = [
  {name: 'hints-none', id: hints, in: [S26, H26], what: 'does not say how long its lists may be kept', ...inResult((made, method) => { if (method?.endsWith('/list')) delete made.ttlMs; })},
  {name: 'hints-none-read', id: hints, in: [S26, H26], what: 'does not say how long what it reads may be kept', ...inResult((made, method) => { if (method === 'resources/read') delete made.cacheScope; })},
  {name: 'hints-none-discover', id: [hints, 'discover.result-shape'], in: [S26, H26], what: 'does not say how long what it discovers may be kept', ...inResult((made, method) => { if (method === 'server/discover') delete made.ttlMs; })},
  {name: 'hints-scope', id: [hints, 'schema.messages-validate'], in: [S26, H26], what: 'has a scope of its own', ...inResult(made => { if (made.cacheScope) made.cacheScope = 'shared'; })},
  {name: 'hints-negative', id: ['caching.ttl-non-negative', 'schema.messages-validate'], in: [S26, H26], what: 'lets its lists be kept for less than nothing', ...inResult(made => { if (made.ttlMs !== undefined) made.ttlMs = -1; })},
  {name: 'log-level-word', id: 'logging.level-values', in: [S03, S11, H11, S26, H26], what: 'has a level of its own', ...logs(message => ({...message, params: {...message.params, level: 'warn'}}))},
  {name: 'log-level-case', id: 'logging.level-values', in: [S11, H26], what: 'has levels in upper case', ...logs(message => ({...message, params: {...message.params, level: message.params.level.toUpperCase()}}))},
  {name: 'log-no-data', id: ['logging.level-values', 'schema.messages-validate'], in: [S11, S26, H26], what: 'logs nothing', ...logs(message => { const {data, ...rest} = message.params; return {...message, params: rest}; })},
  {name: 'log-all', id: 'logging.below-level-suppressed', in: [S26, H26], what: 'logs below the level too',
   said: message => { if (message.params?._meta?.[`${meta}logLevel`]) message.params._meta[`${meta}logLevel`] = 'debug'; return message; }},
  {name: 'log-always', id: 'logging.no-message-without-level', in: [S26, H26], what: 'logs to those who did not ask',
   said: message => { if (message.method === 'tools/call' && message.params?._meta) message.params._meta[`${meta}logLevel`] ??= 'debug'; return message; }},
];
