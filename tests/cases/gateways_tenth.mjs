// More of gateways.mjs: hosts, hints that are false, names, defaults nobody asked for, streams that outlive their client.

import {textOf} from './peers/gateway.mjs';

const answered = (response, status, message) => { response.writeHead(status, {'content-type': 'application/json'}); response.end(textOf(message)); return true; };
const rewritten = call => { call.body = Buffer.from(textOf(call.message)); };
const streams = answer => /event-stream/.test(answer.headers['content-type'] ?? '');
const isAnswer = message => message && !message.method && 'id' in message;
const tools = change => said => Array.isArray(said.result?.tools) ? {...said, result: {...said.result, tools: said.result.tools.map(change)}} : said;
const dataOf = block => block.split('\n').filter(line => line.startsWith('data:')).map(line => line.slice(5).replace(/^ /, ''));
const parse = text => { try { return JSON.parse(text); } catch { return undefined; } };

// calledTools changes the name in tools/call, and its mirror.
function calledTools(call, change) {
  const {message, headers} = call;
  if (message?.method !== 'tools/call' || typeof message.params?.name !== 'string') return false;
  const name = change(message.params.name);
  if (name === message.params.name) return false;
  message.params.name = name;
  if (headers['mcp-name'] !== undefined) headers['mcp-name'] = name;
  rewritten(call);
  return false;
}
// prefixed lists each tool behind the id of its server, and calls it without.
const prefixed = separator => ({
  request: call => calledTools(call, name => name.startsWith(`1a2b3c4d${separator}`) ? name.slice(9) : name),
  message: tools(tool => ({...tool, name: `1a2b3c4d${separator}${tool.name}`}))});

// renaming names resources after their server, in the meta of tools for MCP Apps as well, or not.
function renaming(apps) {
  const named = uri => `one+${uri}`;
  const plain = uri => String(uri).replace(/^one\+/, '');
  const point = one => one?.type === 'resource_link' ? {...one, uri: named(one.uri)} : one?.type === 'resource' ? {...one, resource: {...one.resource, uri: named(one.resource.uri)}} : one;
  const shown = one => apps && one._meta?.ui?.resourceUri ? {...one, _meta: {...one._meta, ui: {...one._meta.ui, resourceUri: named(one._meta.ui.resourceUri)}}} : one;
  return {
    request(call) {
      const given = call.message?.params;
      const watched = given?.notifications?.resourceSubscriptions;
      if (watched) { given.notifications.resourceSubscriptions = watched.map(plain); rewritten(call); return false; }
      const uri = given?.uri ?? given?.ref?.uri;
      if (typeof uri !== 'string') return false;
      if (uri === plain(uri)) {
        const modern = given._meta?.['io.modelcontextprotocol/protocolVersion'];
        return answered(call.response, 200, {jsonrpc: '2.0', id: call.message.id, error: {code: modern ? -32602 : -32002, message: `invalid resource URI: ${uri}`, data: {uri}}});
      }
      if (given.uri) given.uri = plain(uri); else given.ref.uri = plain(uri);
      if (call.headers['mcp-name'] === uri) call.headers['mcp-name'] = plain(uri);
      rewritten(call);
      return false;
    },
    message(said) {
      const {result, params} = said;
      if (said.method === 'notifications/resources/updated') return {...said, params: {...params, uri: named(params.uri)}};
      if (!result) return said;
      const other = {...result};
      if (Array.isArray(result.tools)) other.tools = result.tools.map(shown);
      if (result.resources) other.resources = result.resources.map(one => ({...one, uri: named(one.uri)}));
      if (result.resourceTemplates) other.resourceTemplates = result.resourceTemplates.map(one => ({...one, uriTemplate: named(one.uriTemplate)}));
      if (result.contents) other.contents = result.contents.map(one => ({...one, uri: named(one.uri)}));
      if (result.content) other.content = result.content.map(point);
      if (result.messages) other.messages = result.messages.map(one => ({...one, content: point(one.content)}));
      return {...said, result: other};
    }};
}

export const cases = [
  // https://github.com/agentgateway/agentgateway/issues/1851
  {name: 'host-handed-on', from: 'agentgateway/agentgateway#1851', eras: ['legacy', 'modern'],
   what: 'asks the server with the Host that its client has named, which is the gateway: servers that guard against rebinding answer 421',
   rules: ['gateway.keeps-server-address', 'gateway.keeps-hop-headers-back', 'gateway.passes-headers'], says: /Host/,
   change: {request(call) {
     const {hostname, port, pathname, search, origin} = call.to;
     call.to = {hostname, port, pathname, search, origin, href: call.to.href, host: call.request.headers.host};
   }}},
  // https://github.com/envoyproxy/ai-gateway/issues/2521
  {name: 'hints-of-false-lost', from: 'envoyproxy/ai-gateway#2521', eras: ['legacy', 'modern'],
   what: 'lists tools without readOnlyHint and idempotentHint where they are false',
   rules: ['gateway.keeps-tool-annotations'], says: /Hint|annotation/i,
   change: {message: tools(tool => {
     if (!tool.annotations) return tool;
     const annotations = Object.fromEntries(Object.entries(tool.annotations).filter(([name, value]) => value !== false || !['readOnlyHint', 'idempotentHint'].includes(name)));
     return {...tool, annotations};
   })}},
  // https://github.com/metatool-ai/metamcp/issues/365
  {name: 'defaults-filled-in', from: 'metatool-ai/metamcp#365', eras: ['legacy', 'modern'],
   what: 'fills arguments that a call leaves out: "" for texts and 0 for numbers of the properties of the schema',
   rules: ['gateway.keeps-values', 'gateway.keeps-empty-arguments', 'gateway.passes-calls-without-arguments'], says: /argument/i,
   change: (() => { const known = new Map; return {
     request(call) {
       const {message} = call;
       const properties = message?.method === 'tools/call' ? known.get(message.params?.name) : undefined;
       if (!properties) return false;
       const empty = {string: '', number: 0, integer: 0};
       const given = message.params.arguments ?? {};
       const missing = Object.entries(properties).filter(([name, schema]) => !(name in given) && schema?.type in empty);
       if (!missing.length) return false;
       message.params.arguments = {...given, ...Object.fromEntries(missing.map(([name, schema]) => [name, empty[schema.type]]))};
       rewritten(call);
       return false;
     },
     message(said) { for (const tool of said.result?.tools ?? []) known.set(tool.name, tool.inputSchema?.properties ?? {}); return said; }}; })()},
  // https://github.com/PrefectHQ/fastmcp/issues/3395
  {name: 'images-of-prompts-as-text', from: 'PrefectHQ/fastmcp#3395', eras: ['legacy', 'modern'],
   what: 'makes a text, which is their JSON, of images and sounds in the messages of a prompt',
   rules: ['gateway.keeps-prompt-messages'], says: /image|audio|prompt|content/i,
   change: {message: said => Array.isArray(said.result?.messages) ? {...said, result: {...said.result, messages: said.result.messages.map(one =>
     ['image', 'audio'].includes(one.content?.type) ? {...one, content: {type: 'text', text: textOf(one.content)}} : one)}} : said}},
  // https://github.com/higress-group/higress/issues/3226
  {name: 'newest-revision-refused', from: 'higress-group/higress#3226', eras: ['legacy'],
   what: 'answers initialize with 2025-11-25 by an error -32602 in place of another revision',
   rules: ['gateway.offers-a-revision'], says: /revision|version|initialize/i,
   change: {request({message, response}) {
     if (message?.method !== 'initialize' || !(message.params?.protocolVersion > '2025-06-18')) return false;
     return answered(response, 200, {jsonrpc: '2.0', id: message.id, error: {code: -32602, message: `unsupported protocol version: ${message.params.protocolVersion}`}});
   }}},
  // https://github.com/MikkoParkkola/mcp-gateway/issues/540
  {name: 'any-version-served', from: 'MikkoParkkola/mcp-gateway#540', eras: ['legacy'],
   what: 'serves requests whose MCP-Protocol-Version is no revision at all, by the one that it has agreed on itself',
   rules: ['gateway.refuses-unknown-versions'], says: /version/i,
   change: {request({headers}) { const version = headers['mcp-protocol-version']; if (version !== undefined && !/^20(24-11-05|25-03-26|25-06-18|25-11-25|26-07-28)$/.test(version)) headers['mcp-protocol-version'] = '2025-11-25'; }}},
  // https://github.com/MikkoParkkola/mcp-gateway/issues/563
  {name: 'empty-first-event-fatal', from: 'MikkoParkkola/mcp-gateway#563', eras: ['legacy'],
   what: 'reads the first data line of a stream that answers a POST as JSON, and fails where it is empty',
   rules: ['gateway.reads-streams', 'gateway.reads-streamed-opening', 'gateway.reads-every-form'], says: /event|stream|empty|prim/i,
   change: {back(answer, call) {
     if (call.method !== 'POST' || !streams(answer)) return false;
     const head = Object.fromEntries(Object.entries(answer.headers).filter(([name]) => !['connection', 'keep-alive', 'transfer-encoding'].includes(name)));
     let [text, decided] = ['', false];
     answer.on('error', () => call.response.destroy());
     answer.on('data', chunk => {
       if (decided) return call.response.write(chunk);
       text += chunk.toString('latin1');
       const line = /^data:(.*)\r?$/m.exec(text.slice(0, text.lastIndexOf('\n') + 1))?.[1];
       if (line === undefined) return undefined;
       decided = true;
       if (!line.trim()) {
         answer.removeAllListeners('data').removeAllListeners('end').destroy();
         return answered(call.response, 200, {jsonrpc: '2.0', id: call.message?.id ?? null, error: {code: -32603, message: 'Transport error: Failed to parse SSE data: EOF while parsing a value at line 1 column 0'}});
       }
       call.response.writeHead(answer.statusCode, head);
       return call.response.write(Buffer.from(text, 'latin1'));
     });
     answer.on('end', () => { if (!decided) call.response.writeHead(answer.statusCode, head); call.response.end(decided ? undefined : Buffer.from(text, 'latin1')); });
     return true;
   }}},
  // https://github.com/wso2/carbon-apimgt/pull/13901
  {name: 'schemas-of-three-words', from: 'wso2/carbon-apimgt#13901', eras: ['legacy', 'modern'],
   what: 'reads schemas of arguments into a class that has type, properties and required, and loses $defs, additionalProperties, anyOf and the rest',
   rules: ['gateway.keeps-input-schemas'], says: /inputSchema|schema/i,
   change: {message: tools(tool => { const {type, properties, required} = tool.inputSchema ?? {}; return {...tool, inputSchema: {type, ...(properties ? {properties} : {}), ...(required ? {required} : {})}}; })}},
  // https://github.com/mcowger/plexus/pull/856
  {name: 'ttl-of-zero-stripped', from: 'mcowger/plexus#856', eras: ['modern'],
   what: 'strips ttlMs from tools/list where it is not above 0',
   rules: ['gateway.keeps-cache-hints'], says: /ttlMs/,
   change: {message(said) { if (!Array.isArray(said.result?.tools) || !(said.result.ttlMs <= 0)) return said; const {ttlMs, ...result} = said.result; return {...said, result}; }}},
  // https://github.com/BerriAI/litellm/issues/16908
  {name: 'hyphens-end-the-server', from: 'BerriAI/litellm#16908', eras: ['legacy', 'modern'],
   what: 'takes what stands before the first hyphen of the name of a tool for a server, and calls the rest',
   rules: ['gateway.calls-by-name'], says: /rows-set/,
   change: {request: call => calledTools(call, name => name.includes('-') ? name.slice(name.indexOf('-') + 1) : name)}},
  // https://github.com/dcc-mcp/dcc-mcp-core/issues/261
  {name: 'slash-in-names', from: 'dcc-mcp/dcc-mcp-core#261', eras: ['legacy', 'modern'],
   what: 'lists tools as SERVER/TOOL, and / is no letter of the name of a tool',
   rules: ['gateway.names-tools-rightly'], says: /name|\//,
   change: prefixed('/'), right: prefixed('.')},
  // https://github.com/stacklok/toolhive/issues/6058
  {name: 'nothing-but-the-answer', from: 'stacklok/toolhive#6058', eras: ['modern'],
   what: 'answers each request by one JSON object, and drops the progress and log messages that came before it on the stream',
   rules: ['gateway.keeps-progress', 'gateway.keeps-log-messages', 'gateway.keeps-order', 'gateway.streams'], says: /progress|log|notification/i,
   change: {back(answer, call) {
     if (call.method !== 'POST' || !streams(answer) || !('id' in (call.message ?? {})) || call.message.method === 'subscriptions/listen') return false;
     let text = '';
     answer.setEncoding('utf8').on('data', some => text += some);
     answer.on('error', () => call.response.destroy());
     answer.on('end', () => {
       const said = text.replaceAll('\r\n', '\n').split('\n\n').map(block => parse(dataOf(block).join('\n'))).find(isAnswer);
       if (said) answered(call.response, 200, said); else call.response.destroy();
     });
     return true;
   }}},
  // https://github.com/stacklok/toolhive/issues/379
  {name: 'answers-to-everybody', from: 'stacklok/toolhive#379', eras: ['legacy'],
   what: 'sends each answer to the standing streams of all other clients too',
   rules: ['gateway.tells-one-client-alone', 'gateway.answers-once', 'gateway.makes-nothing-up', 'gateway.keeps-clients-apart'], says: /stream|client|twice|answer/i,
   change: (() => { const open = new Map; return {
     request({method, headers, response}) {
       const session = headers['mcp-session-id'];
       if (method !== 'GET' || session === undefined) return;
       open.set(session, response);
       response.on('close', () => open.delete(session));
     },
     message(said, call) {
       if (call.method === 'POST' && isAnswer(said)) for (const [session, stream] of open) if (session !== call.headers['mcp-session-id'] && stream.headersSent && !stream.writableEnded) stream.write(`data: ${textOf(said)}\n\n`);
       return said;
     }}; })()},
  // https://github.com/stacklok/toolhive/issues/3783
  {name: 'initializes-in-an-open-session', from: 'stacklok/toolhive#3783', eras: ['legacy'],
   what: 'hands the initialize of a second client on within the session of the first',
   rules: ['gateway.serves-several-clients', 'gateway.keeps-clients-apart', 'gateway.keeps-the-session', 'gateway.passes-headers', 'gateway.outlives-servers-session'], says: /session|initialize/i,
   change: (() => { let first; return {
     request(call) { if (call.message?.method === 'initialize' && first) call.headers['mcp-session-id'] = first; },
     head(status, headers, {message}) { if (message?.method === 'initialize' && status === 200) first ??= headers['mcp-session-id']; }}; })()},
  // https://github.com/envoyproxy/ai-gateway/issues/2228
  {name: 'pages-of-apps-not-renamed', from: 'envoyproxy/ai-gateway#2228', eras: ['legacy', 'modern'],
   what: 'renames resources, but not where _meta.ui.resourceUri of a tool points to them',
   rules: ['gateway.renames-throughout'], says: /uri/i,
   change: renaming(false), right: renaming(true)},
  // https://github.com/gravitee-io/issues/issues/7093
  {name: 'streams-outlive-their-client', from: 'gravitee-io/issues#7093', eras: ['legacy', 'modern'],
   what: 'keeps its connection to the server open when the client has closed its own',
   rules: ['gateway.passes-cancellation', 'gateway.lets-streams-go'], says: /clos|cancel|disconnect|stream|gone/i,
   change: {request(call) { Object.defineProperty(call, 'upstream', {get: () => undefined, set() {}}); }}},
];
