// More of clients.mjs: what they do with endpoints, secrets and arguments, and which answers they read.

const S = '2025-11-25';
const M = '2026-07-28';
const without = drop => ({out(message) {
  const given = message.method === 'tools/call' ? message.params.arguments : undefined;
  if (given) message.params.arguments = Object.fromEntries(Object.entries(given).filter(([, one]) => one !== drop));
  return message;
}});
const schemas = new Map;

export const cases = [
  // https://github.com/punkpeye/mcp-remote/issues/301
  {name: 'authorizes-at-the-server', from: 'punkpeye/mcp-remote#301', in: [`${S} http`], what: 'asks for authorization at /authorize of the MCP server, whatever the metadata say',
   rules: ['auth.client-reads-as-metadata'], says: /authoriz|metadata/,
   change: {endpoints: (authority, url) => authority && {...authority, authorization_endpoint: `${new URL(url).origin}/authorize`}}},
  // https://github.com/modelcontextprotocol/python-sdk/issues/3505, docker/docker-agent#3229
  {name: 'second-question-mark', from: 'modelcontextprotocol/python-sdk#3505', in: [`${S} http`], what: 'writes ? before its parameters where the authorization endpoint has a query already',
   rules: ['auth.client-reads-as-metadata'], says: /query|\?/, change: {where: (endpoint, asked) => `${endpoint}?${new URLSearchParams(asked)}`}},
  // https://github.com/openai/codex/issues/34467
  {name: 'resource-twice', from: 'openai/codex#34467', in: [`${S} http`], what: 'names the resource twice in its request for authorization',
   rules: ['auth.resource-in-authorization-and-token', 'auth.resource-identifies-server'], says: /twice|resource/,
   change: {where(endpoint, asked) { const all = new URL(endpoint); for (const [name, value] of Object.entries(asked)) all.searchParams.set(name, value); all.searchParams.append('resource', asked.resource); return all.href; }}},
  // https://github.com/modelcontextprotocol/rust-sdk/pull/443
  {name: 'empty-secret-sent', from: 'modelcontextprotocol/rust-sdk#443', in: [`${S} http`], what: 'shows an empty client_secret for a token where it was given none',
   rules: ['auth.dcr-auth-method'], says: /client_secret|secret/, change: {token: form => ({client_secret: '', ...form})}},
  // https://github.com/nearai/ironclaw/pull/795, i-am-bee/beeai-framework#1429
  {name: 'nulls-stripped', from: 'nearai/ironclaw#795', in: [`${S} http`, `${M} stdio`], what: 'leaves out arguments that are null',
   rules: ['tools.call-arguments-exact'], says: /null|argument/, change: without(null)},
  // https://github.com/coder/xum/pull/3893
  {name: 'empty-texts-stripped', from: 'coder/xum#3893', in: [`${S} http`, `${M} stdio`], what: 'leaves out arguments that are empty texts',
   rules: ['tools.call-arguments-exact'], says: /empty|""|argument/, change: without('')},
  // https://github.com/NVIDIA/NeMo-Agent-Toolkit/issues/1269
  {name: 'nulls-for-the-unset', from: 'NVIDIA/NeMo-Agent-Toolkit#1269', in: [`${S} http`, `${M} stdio`], what: 'sends null for each property of the schema that was not given',
   rules: ['tools.call-arguments-exact'], says: /null|argument/,
   change: {listed(tools) { for (const tool of tools) schemas.set(tool.name, tool.inputSchema?.properties ?? {}); return tools; },
            out(message) {
              if (message.method !== 'tools/call') return message;
              const given = message.params.arguments ?? {};
              for (const name of Object.keys(schemas.get(message.params.name) ?? {})) if (!(name in given)) given[name] = null;
              message.params.arguments = given;
              return message;
            }}},
  // https://github.com/modelcontextprotocol/typescript-sdk/pull/2328, python-sdk#2730
  {name: 'names-unencoded', from: 'modelcontextprotocol/typescript-sdk#2328', in: [`${M} http`], what: 'writes names and addresses into Mcp-Name as they are, and cannot send those that no header holds',
   rules: ['http.mcp-name-base64', 'http.mcp-name-header'], says: /Mcp-Name|base64|encod/i,
   change: {headers(all, {params}) { const name = params?.name ?? params?.uri; return all['mcp-name'] && typeof name === 'string' ? {...all, 'mcp-name': name} : all; }}},
  // https://github.com/postmanlabs/postman-app-support/issues/13683
  {name: 'json-unread', from: 'postmanlabs/postman-app-support#13683', in: [`${S} http`, `${M} http`], what: 'reads answers of event streams alone, not of application/json',
   rules: ['http.client-supports-both-response-types'], says: /json/i,
   change: {opened(answer) { if (answer.ok && /json/.test(answer.headers.get('content-type') ?? '')) throw new Error('Unexpected content type: application/json'); }}},
  // https://github.com/stacklok/toolhive/pull/1595
  {name: 'first-event-is-the-answer', from: 'stacklok/toolhive#1595', in: [`${S} http`, `${M} http`], what: 'takes the first message of a stream for the answer, be it a notification',
   rules: ['http.client-supports-both-response-types', 'http.sse-format'], says: /notification|stream|before/,
   change: {first: () => true}},
  // https://github.com/mistralai/mistral-vibe/issues/953
  {name: 'guesses-endpoints', from: 'mistralai/mistral-vibe#953', in: [`${S} http`], what: 'goes on with /authorize, /token and /register of the server where it can use no metadata',
   rules: ['auth.no-metadata-aborts'], says: /metadata|guess|default/,
   change: {endpoints(authority, url, issuer) {
     const {origin} = new URL(url);
     return authority ?? {issuer, authorization_endpoint: `${origin}/authorize`, token_endpoint: `${origin}/token`, registration_endpoint: `${origin}/register`, code_challenge_methods_supported: ['S256']};
   }}},
  // https://github.com/novuhq/novu/pull/11323
  {name: 'registers-for-an-unlisted-method', from: 'novuhq/novu#11323', in: [`${S} http`], what: 'registers for client_secret_post, whatever methods the server lists',
   rules: ['auth.dcr-auth-method'], says: /client_secret_post|token_endpoint_auth_method/,
   change: {registration: wish => ({...wish, token_endpoint_auth_method: 'client_secret_post'})}},
];
