// More of gateways.mjs: faults that show with a value, a name, a status or an upstream of another form than the usual.

import {textOf} from './peers/gateway.mjs';

const isAnswer = message => message && !message.method && 'id' in message;
const sessionOf = call => call.headers['mcp-session-id'];
const rewrite = call => { call.body = Buffer.from(textOf(call.message)); };
const mapped = (value, change) => Array.isArray(value) ? value.map(one => mapped(one, change))
    : value !== null && typeof value === 'object' ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, change(name, mapped(one, change))])) : value;

// Shows tools under other names, and calls them by theirs; of two that come to the same, the first stays.
const renames = shorten => {
  const named = new Map;
  return {
    request(call) {
      const name = call.message?.method === 'tools/call' ? named.get(call.message.params?.name) : undefined;
      if (!name || name === call.message.params.name) return;
      call.message.params.name = name;
      if (call.headers['mcp-name']) call.headers['mcp-name'] = name;
      rewrite(call);
    },
    message(said) {
      if (!Array.isArray(said.result?.tools)) return said;
      const tools = said.result.tools.filter(({name}) => { const short = shorten(name); if (named.has(short) && named.get(short) !== name) return false; named.set(short, name); return true; });
      return {...said, result: {...said.result, tools: tools.map(tool => ({...tool, name: shorten(tool.name)}))}};
    }};
};

// Lists all pages at once; `enough` says when to stop.
const gathers = enough => ({async request(call) {
  const list = call.message?.method?.match(/^(tools|prompts|resources)\/list$/)?.[1];
  if (!list || call.method !== 'POST') return false;
  const {'content-length': length, host, 'accept-encoding': encoding, ...headers} = call.headers;
  const [all, seen] = [[], []];
  for (let cursor, first; ;) {
    const params = {...call.message.params, ...cursor !== undefined && {cursor}};
    const answer = await fetch(call.to, {method: 'POST', headers, body: textOf({...call.message, params: Object.keys(params).length ? params : undefined})});
    const text = await answer.text();
    let said;
    try { said = JSON.parse(answer.headers.get('content-type')?.includes('event-stream') ? text.split('\n').filter(line => line.startsWith('data: {')).at(-1).slice(6) : text); } catch { return false; }
    first ??= said;
    if (!said.result?.[list]) return false;
    all.push(...said.result[list]);
    cursor = said.result.nextCursor;
    if (cursor === undefined || enough(cursor, seen)) {
      const {nextCursor, ...result} = first.result;
      call.response.writeHead(200, {'content-type': 'application/json'});
      call.response.end(textOf({jsonrpc: '2.0', id: call.message.id, result: {...result, [list]: all}}));
      return true;
    }
    seen.push(cursor);
  }
}});

export const cases = [
  // https://github.com/IBM/mcp-context-forge/issues/3051
  {name: 'type-parameters-cut', from: 'IBM/mcp-context-forge#3051', eras: ['legacy', 'modern'], what: 'cuts the parameters off a mimeType: text/html for text/html;profile=mcp-app',
   rules: ['gateway.keeps-resource-types', 'gateway.keeps-contents-types', 'gateway.keeps-template-types'], says: /mimeType/,
   change: {message: said => mapped(said, (name, one) => name === 'mimeType' && typeof one === 'string' ? one.split(';')[0].trim() : one)}},
  // https://github.com/IBM/mcp-context-forge/issues/5697
  {name: 'first-annotations-for-ever', from: 'IBM/mcp-context-forge#5697', eras: ['legacy', 'modern'], what: 'lists anew what has changed, but for the annotations, which stay as they were seen first',
   rules: ['gateway.lists-again', 'gateway.keeps-tool-annotations'], says: /annotations/,
   change: (() => { const first = new Map; return {message(said) {
     if (!Array.isArray(said.result?.tools)) return said;
     return {...said, result: {...said.result, tools: said.result.tools.map(tool => {
       if (!first.has(tool.name)) first.set(tool.name, tool.annotations);
       const {annotations, ...rest} = tool;
       return first.get(tool.name) === undefined ? rest : {...rest, annotations: first.get(tool.name)};
     })}};
   }}; })()},
  // https://github.com/bcurts/agentchattr/pull/79
  {name: 'delete-errors-502', from: 'bcurts/agentchattr#79', eras: ['legacy'], what: 'answers 502 where the server refuses DELETE by 404 or 405',
   rules: ['gateway.ended-session-404', 'gateway.unknown-session-404', 'gateway.ends-sessions'], says: /DELETE|502/,
   change: {back(answer, call) { if (call.method !== 'DELETE' || answer.statusCode < 400) return false; answer.resume(); call.response.writeHead(502); call.response.end('Bad Gateway'); return true; }}},
  // https://github.com/browseros-ai/BrowserOS/pull/1556
  {name: 'refusals-as-503', from: 'browseros-ai/BrowserOS#1556', eras: ['legacy', 'modern'], what: 'answers 503 and nothing where the server answers with any status of 300 or above',
   rules: ['gateway.unknown-session-404', 'gateway.ended-session-404', 'gateway.says-unknown-methods', 'gateway.passes-challenges', 'gateway.passes-version-errors'], says: /503/,
   change: {back(answer, call) { if (answer.statusCode < 300) return false; answer.resume(); call.response.writeHead(503); call.response.end('Service Unavailable'); return true; }}},
  // https://github.com/decocms/studio/pull/5248
  {name: 'follows-cursors-for-ever', from: 'decocms/studio#5248', eras: ['legacy'], what: 'gathers all pages of a list, and follows a cursor that comes again and again for ever',
   rules: ['gateway.bounds-pages'], says: /cursor|page/,
   change: gathers(() => false), right: gathers((cursor, seen) => seen.includes(cursor) || seen.length > 50)},
  // https://github.com/supercorp-ai/supergateway/pull/144
  {name: 'dies-when-a-client-leaves', from: 'supercorp-ai/supergateway#144', eras: ['legacy', 'modern'], what: 'ends when a client has gone away before the answer to its call',
   rules: ['gateway.survives-leaving'], says: /client|call|answer/,
   change: {left(call) { if (call.method === 'POST' && call.message?.method === 'tools/call' && !call.response.writableFinished) process.exit(1); }}},
  // https://github.com/DollhouseMCP/mcp-server/issues/2528
  {name: 'long-names-cut', from: 'DollhouseMCP/mcp-server#2528', eras: ['legacy', 'modern'], what: 'cuts names of tools after 64 characters, and loses a tool whose name begins as another',
   rules: ['gateway.lists-all-tools'], says: /tool|name/, change: renames(name => name.slice(0, 64))},
  // https://github.com/craft-ai-agents/craft-agents-oss/issues/1002
  {name: 'dots-in-names-replaced', from: 'craft-ai-agents/craft-agents-oss#1002', eras: ['legacy', 'modern'], what: 'writes _ for dots in names of tools, and loses one of two that come to the same',
   rules: ['gateway.lists-all-tools'], says: /tool|name/, change: renames(name => name.replace(/[^A-Za-z0-9_-]/g, '_'))},
  // URL classes: https://github.com/PrefectHQ/fastmcp/issues/1431, modelcontextprotocol/typescript-sdk#1991
  {name: 'addresses-rewritten', from: 'PrefectHQ/fastmcp#1431', eras: ['legacy', 'modern'], what: 'reads each uri into a class for URLs and writes it out again: a slash more, a host in lower case',
   rules: ['gateway.lists-all-resources', 'gateway.keeps-resource-links', 'gateway.keeps-resource-definitions', 'gateway.passes-resources'], says: /uri|https?:/i,
   change: {message: said => mapped(said, (name, one) => { if (name !== 'uri' || typeof one !== 'string') return one; try { return new URL(one).href; } catch { return one; } })}},
  // https://github.com/PrefectHQ/fastmcp/issues/2673
  {name: 'prompt-errors-internal', from: 'PrefectHQ/fastmcp#2673', eras: ['legacy', 'modern'], what: 'makes -32603 of each error of prompts/get, and drops its data',
   rules: ['gateway.keeps-other-errors'], says: /-32603|prompt/,
   change: {message: (said, call) => said.error && call.message?.method === 'prompts/get' ? {jsonrpc: '2.0', id: said.id, error: {code: -32603, message: `Internal error: ${said.error.message}`}} : said}},
  // https://github.com/wildfly/wildfly-ai-feature-pack/issues/78, PrefectHQ/fastmcp#1905
  {name: 'completion-context-dropped', from: 'PrefectHQ/fastmcp#1905', eras: ['legacy', 'modern'], what: 'hands completion/complete on without its context',
   rules: ['gateway.keeps-completion-requests'], says: /context/,
   change: {request(call) { if (call.message?.method !== 'completion/complete' || !call.message.params?.context) return; delete call.message.params.context; rewrite(call); }}},
  // https://github.com/can1357/oh-my-pi/pull/10222
  {name: 'empty-while-it-warms-up', from: 'can1357/oh-my-pi#10222', eras: ['legacy', 'modern'], what: 'answers the first lists after its start with no tools',
   rules: ['gateway.lists-all-tools'], says: /tool/,
   change: (() => { let lists = 0; return {message: (said, call) => call.message?.method === 'tools/list' && said.result?.tools && ++lists < 3 ? {...said, result: (({nextCursor, ...rest}) => ({...rest, tools: []}))(said.result)} : said}; })()},
  // https://github.com/btsouth/toolport/issues/167, Kuadrant/mcp-gateway#949, BerriAI/litellm#28121
  {name: 'sampling-refused', from: 'btsouth/toolport#167', eras: ['legacy'], what: 'answers sampling/createMessage with -32601 by itself, whatever its client has declared',
   rules: ['gateway.asks-the-right-client'], says: /sampling/,
   change: {message(said, call) {
     if (said.method !== 'sampling/createMessage' || !('id' in said)) return said;
     fetch(call.to, {method: 'POST', headers: {'content-type': 'application/json', accept: 'application/json, text/event-stream', 'mcp-session-id': sessionOf(call), 'mcp-protocol-version': '2025-11-25'},
                     body: textOf({jsonrpc: '2.0', id: said.id, error: {code: -32601, message: 'Method not found'}})}).then(answer => answer.arrayBuffer(), () => undefined);
     return null;
   }}},
  // https://github.com/keurcien/auxilia/pull/128: a client that declares io.modelcontextprotocol/ui
  {name: 'extensions-of-clients-dropped', from: 'keurcien/auxilia#128', eras: ['legacy', 'modern'], what: 'tells the server of no extension and nothing experimental that its client declares',
   rules: ['gateway.keeps-client-extensions'], says: /extension/,
   change: {request(call) {
     const {params} = call.message ?? {};
     const declared = call.message?.method === 'initialize' ? params?.capabilities : params?._meta?.['io.modelcontextprotocol/clientCapabilities'];
     if (!declared) return;
     delete declared.extensions;
     delete declared.experimental;
     rewrite(call);
   }}},
  // https://github.com/BerriAI/litellm/issues/34743
  {name: 'bearer-in-small-letters', from: 'BerriAI/litellm#34743', eras: ['legacy', 'modern'], what: 'hands the token of its client on as "bearer", which servers refuse that read letter by letter',
   rules: ['gateway.keeps-credentials'], says: /bearer|Authorization/i,
   change: {request(call) { if (call.headers.authorization) call.headers.authorization = call.headers.authorization.replace(/^Bearer /, 'bearer '); }}},
];
