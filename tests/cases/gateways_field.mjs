// More of gateways.mjs: faults that show with what a call is given, a schema that refers to itself, and pages in browsers.

import {textOf} from './peers/gateway.mjs';

const rewrite = call => { call.body = Buffer.from(textOf(call.message)); };
const ofTool = (call, change) => {
  if (call.message?.method !== 'tools/call') return;
  const {params} = call.message;
  const made = change(params.arguments, params.name);
  if (textOf(made ?? null) === textOf(params.arguments ?? null)) return;
  params.arguments = made;
  rewrite(call);
};
const renamed = schema => {
  if (!schema?.definitions) return schema;
  const {definitions, ...rest} = schema;
  return {...rest, $defs: definitions};
};

// Lets pages of other origins in; `asked` answers their browsers.
const pages = asked => ({
  head(status, headers) { headers['access-control-allow-origin'] = '*'; headers['access-control-expose-headers'] = 'Mcp-Session-Id, WWW-Authenticate'; },
  request({method, response}) {
    if (method !== 'OPTIONS') return false;
    asked(response);
    response.end();
    return true;
  }});

export const cases = [
  // https://github.com/sigbit/mcp-auth-proxy/issues/178
  {name: 'definitions-renamed', from: 'sigbit/mcp-auth-proxy#178', eras: ['legacy', 'modern'], what: 'writes $defs for definitions in schemas, and leaves the $ref to them as they were',
   rules: ['gateway.keeps-input-schemas', 'gateway.keeps-output-schemas'], says: /definitions|\$defs|inputSchema/,
   change: {message: said => said.result?.tools ? {...said, result: {...said.result, tools: said.result.tools.map(tool => ({...tool, inputSchema: renamed(tool.inputSchema)}))}} : said}},
  // https://github.com/BerriAI/litellm/issues/14069
  {name: 'version-header-twice', from: 'BerriAI/litellm#14069', eras: ['legacy', 'modern'], what: 'names the revision twice in MCP-Protocol-Version',
   rules: ['gateway.passes-headers'], says: /MCP-Protocol-Version/i,
   change: {request({headers}) { const version = headers['mcp-protocol-version']; if (version) headers['mcp-protocol-version'] = `${version}, ${version}`; }}},
  // https://github.com/agentgateway/agentgateway/issues/3622
  {name: 'dead-session-as-an-error', from: 'agentgateway/agentgateway#3622', eras: ['legacy'], what: 'answers 200 and an error when the server has ended the session, so that no client opens another',
   rules: ['gateway.outlives-servers-session'], says: /404|session/,
   change: {back(answer, call) {
     if (answer.statusCode !== 404 || call.message?.id === undefined || !call.headers['mcp-session-id']) return false;
     answer.resume();
     call.response.writeHead(200, {'content-type': 'application/json'});
     call.response.end(textOf({jsonrpc: '2.0', id: call.message.id, error: {code: -32603, message: 'upstream: session not found'}}));
     return true;
   }}},
  // https://github.com/mastra-ai/mastra/issues/23068
  {name: 'contents-stripped', from: 'mastra-ai/mastra#23068', eras: ['legacy', 'modern'], what: 'makes the contents of resources anew of uri, text and blob, without mimeType and _meta',
   rules: ['gateway.keeps-contents-types', 'gateway.keeps-contents-meta'], says: /mimeType|_meta/,
   change: {message: said => said.result?.contents ? {...said, result: {...said.result, contents: said.result.contents.map(({uri, text, blob}) => ({uri, ...text !== undefined && {text}, ...blob !== undefined && {blob}}))}} : said}},
  // https://github.com/envoyproxy/ai-gateway/pull/2307
  {name: 'preflight-refused', from: 'envoyproxy/ai-gateway#2307', eras: ['legacy', 'modern'], what: 'lets pages in, and wants a token of their browsers, which send none with OPTIONS',
   rules: ['gateway.answers-preflights', 'http.preflight-answered'], says: /OPTIONS|preflight/i,
   change: pages(response => response.writeHead(401, {'www-authenticate': 'Bearer error="invalid_token"', 'access-control-allow-origin': '*', 'access-control-allow-methods': 'GET'})),
   right: pages(response => response.writeHead(204, {'access-control-allow-origin': '*', 'access-control-allow-methods': 'GET, POST, DELETE, OPTIONS',
                                                     'access-control-allow-headers': 'content-type, accept, authorization, mcp-protocol-version, mcp-session-id, last-event-id, mcp-method, mcp-name'}))},
  // https://github.com/cloudflare/agents/issues/2009
  {name: 'long-results-cut', from: 'cloudflare/agents#2009', eras: ['legacy', 'modern'], what: 'cuts text in results after 24,000 characters',
   rules: ['gateway.keeps-large-messages', 'gateway.keeps-text', 'gateway.keeps-content'], says: /cut|text|content|KiB|300/,
   change: {message: said => said.result?.content?.some?.(one => one.text?.length > 24000) ? {...said, result: {...said.result, content: said.result.content.map(one => one.text?.length > 24000 ? {...one, text: `${one.text.slice(0, 24000)}\n--- TRUNCATED ---`} : one)}} : said}},
  // https://github.com/smart-mcp-proxy/mcpproxy-go/issues/322
  {name: 'arguments-of-its-own', from: 'smart-mcp-proxy/mcpproxy-go#322', eras: ['legacy', 'modern'], what: 'puts an argument of its own into each call, which servers refuse that know theirs',
   rules: ['gateway.keeps-values', 'gateway.keeps-empty-arguments'], says: /argument|_auth/,
   change: {request: call => ofTool(call, given => ({...given, _auth_auth_type: 'admin'}))}},
  // https://github.com/netclaw-dev/netclaw/pull/1105
  {name: 'texts-of-digits-as-numbers', from: 'netclaw-dev/netclaw#1105', eras: ['legacy', 'modern'], what: 'makes a number of each argument that is a text of digits: 713 of "00713"',
   rules: ['gateway.keeps-values', 'gateway.keeps-arguments'], says: /argument|digits|number|text/,
   change: {request: call => ofTool(call, given => given && Object.fromEntries(Object.entries(given).map(([name, one]) => [name, typeof one === 'string' && /^\d+$/.test(one) ? Number(one) : one])))}},
  // https://github.com/gethelio/helio/issues/217
  {name: 'mirrored-headers-left-out', from: 'gethelio/helio#217', eras: ['modern'], what: 'sends neither Mcp-Method nor Mcp-Name to the server',
   rules: ['gateway.passes-headers', 'gateway.reaches-server'], says: /Mcp-Method|Mcp-Name/i,
   change: {request({headers}) { delete headers['mcp-method']; delete headers['mcp-name']; }}},
  // https://github.com/samanhappy/mcphub/pull/654
  {name: 'unlisted-arguments-dropped', from: 'samanhappy/mcphub#654', eras: ['legacy', 'modern'], what: 'drops arguments that the properties of the schema do not name, though it lets others be',
   rules: ['gateway.keeps-values', 'gateway.keeps-unknown-members', 'gateway.keeps-empty-arguments'], says: /argument|propert/,
   change: (() => { const schemas = new Map; return {
     message(said) { for (const {name, inputSchema} of said.result?.tools ?? []) schemas.set(name, inputSchema?.properties); return said; },
     request: call => ofTool(call, (given, name) => given && schemas.get(name) ? Object.fromEntries(Object.entries(given).filter(([key]) => key in schemas.get(name))) : given)}; })()},
];
