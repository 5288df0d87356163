// More of clients.mjs, taken as they came by somebody who has not seen the judge. `clause`: what the specification says.

const S = '2025-11-25';
const M = '2026-07-28';
const bare = ({resource, ...rest}) => rest;
const decoded = value => /^=\?base64\?(.*)\?=$/.exec(value)?.[1];

export const cases = [
  // https://github.com/modelcontextprotocol/python-sdk/issues/2715
  {name: 'no-method-in-headers', from: 'modelcontextprotocol/python-sdk#2715', in: [`${M} http`],
   what: 'sends neither Mcp-Method nor Mcp-Name',
   rules: ['http.mcp-method-header', 'http.mcp-name-header', 'http.mcp-name-base64'], clause: '2026-07-28 basic/transports/streamable-http, Standard Request Headers: Mcp-Method is required on all requests, Mcp-Name on tools/call, resources/read and prompts/get',
   says: /Mcp-Method|Mcp-Name|header/i,
   change: {headers(all) { const {'mcp-method': method, 'mcp-name': name, ...rest} = all; return rest; }}},
  // https://github.com/anthropics/claude-code/issues/90497
  {name: 'no-resource-at-all', from: 'anthropics/claude-code#90497', in: [`${S} http`, `${M} http`],
   what: 'names no resource, neither when it asks for authorization nor when it asks for a token',
   rules: ['auth.resource-in-authorization-and-token', 'auth.resource-always-sent'], clause: '2025-11-25 basic/authorization, Resource Parameter Implementation: the resource parameter MUST be included in both authorization requests and token requests',
   says: /resource/i,
   change: {authorize: bare, token: bare, refresh: bare}},
  // https://github.com/modelcontextprotocol/inspector/pull/357
  {name: 'null-for-what-is-not-given', from: 'modelcontextprotocol/inspector#357', in: [`${S} stdio`, `${M} http`],
   what: 'sends null for each argument that a tool has and that was not given, which its schema does not allow',
   rules: ['tools.call-arguments-exact'], clause: '2025-11-25 and 2026-07-28 server/tools, Data Types: inputSchema is the JSON Schema of the parameters that are expected; what is not required may be left out',
   says: /argument|null|schema|call/i,
   change: (() => { const schemas = new Map; return {
     listed(tools) { for (const {name, inputSchema} of tools) schemas.set(name, inputSchema); return tools; },
     out(message) {
       if (message.method !== 'tools/call') return message;
       const empty = Object.fromEntries(Object.keys(schemas.get(message.params.name)?.properties ?? {}).map(name => [name, null]));
       return {...message, params: {...message.params, arguments: {...empty, ...message.params.arguments}}};
     }}; })()},
  // https://github.com/assistant-ui/assistant-ui/pull/5342
  {name: 'forms-as-they-were-typed', from: 'assistant-ui/assistant-ui#5342', in: [`${S} stdio`, `${S} http`],
   what: 'hands in a form as it stands, without a look at its schema: fields left empty are not there, required or not, and numbers and check marks are texts',
   rules: ['elicitation.client-validates-response'], clause: '2025-11-25 client/elicitation: validate user input before sending; Security Considerations, Form Mode: clients SHOULD validate all responses against the provided schema',
   says: /schema|required|content|elicit/i,
   change: {question(message, client) {
     if (message.method !== 'elicitation/create') return undefined;
     const made = client.reply(message);
     if (!made.result?.content) return made;
     const fields = message.params.requestedSchema.properties ?? {};
     const typed = Object.entries(made.result.content).filter(([name]) => fields[name]?.default !== undefined || !['string', undefined].includes(fields[name]?.type));
     return {result: {...made.result, content: Object.fromEntries(typed.map(([name, value]) => [name, String(value)]))}};
   }}},
  // https://github.com/QwenLM/qwen-code/pull/7022
  {name: 'asks-by-head-whether-to-sign-in', from: 'QwenLM/qwen-code#7022', in: [`${S} http`],
   what: 'learns by a HEAD of its own whether it has to sign in, and when that is answered with anything but 401, it gives up at the 401 of initialize and its challenge',
   rules: ['auth.client-parses-www-authenticate'], clause: '2025-11-25 basic/authorization, Protected Resource Metadata Discovery Requirements: MCP clients MUST be able to parse WWW-Authenticate headers and respond appropriately to 401 responses from the MCP server',
   says: /401|sign|authoriz|WWW-Authenticate|metadata|HEAD/i,
   change: {async fetch(url, init) {
     const answer = await fetch(url, init);
     if (answer.status !== 401) return answer;
     const probe = await fetch(url, {method: 'HEAD', redirect: 'manual'});
     if (probe.status === 401) return answer;
     await answer.arrayBuffer();
     return new Response(JSON.stringify({error: 'Unauthorized'}), {status: 502, headers: {'content-type': 'application/json'}});
   }}},
  // https://github.com/affaan-m/ECC/issues/1155
  {name: 'gets-without-accept', from: 'affaan-m/ECC#1155', in: [`${S} http`],
   what: 'asks for the standing stream by a GET whose Accept does not have text/event-stream',
   rules: ['http.get-accept-event-stream'], clause: '2025-11-25 basic/transports, Listening for Messages from the Server: the client MUST include an Accept header, listing text/event-stream as a supported content type',
   says: /Accept|event-stream/i,
   change: {headers: (all, {method}) => method === 'GET' ? {...all, accept: '*/*'} : all}},
  // https://github.com/langchain4j/langchain4j/pull/6175
  {name: 'cancels-calls-alone', from: 'langchain4j/langchain4j#6175', in: [`${S} stdio`, `${S} http`],
   what: 'tells the server of a call that it no longer waits for, but nothing of resources/read and prompts/get',
   rules: ['cancellation.cancel-on-timeout'], clause: '2025-11-25 basic/lifecycle, Timeouts: when there is no response in time, the sender SHOULD issue a cancellation notification for that request',
   says: /cancel/i,
   change: {cancels: ({method}) => !['initialize', 'resources/read', 'prompts/get'].includes(method)}},
  // https://github.com/simonx1/ruby-mcp-client/pull/178
  {name: 'sends-it-again', from: 'simonx1/ruby-mcp-client#178', in: [`${S} http`],
   what: 'sends a call that is not answered in time once more with another id, and does not cancel the first, which may still be at work',
   rules: ['cancellation.cancel-on-timeout', 'http.cancel-is-explicit'], clause: '2025-11-25 basic/lifecycle, Timeouts: when there is no response in time, the sender SHOULD issue a cancellation notification for that request and stop waiting',
   says: /cancel|again|twice|repeat|re-?sen[dt]|retr/i,
   change: (() => { let self; let again = false; return {
     headers(all, message, client) { self = client ?? self; return all; },
     cancels({method, params}) {
       if (method !== 'tools/call') return method !== 'initialize';
       if (again) return false;
       again = true;
       self.request(method, params).catch(() => {}).finally(() => again = false);
       return false;
     }}; })()},
  // https://github.com/leehack/mcp_dart/pull/195
  {name: 'takes-the-sentinel-as-it-is', from: 'leehack/mcp_dart#195', in: [`${M} http`],
   what: 'sends a value that looks as if it were encoded already, =?base64?...?=, as it is, so that the server decodes what was never encoded',
   rules: ['http.base64-sentinel-lookalike-encoded'], clause: '2026-07-28 basic/transports/streamable-http, Value Encoding: clients MUST also Base64-encode any plain-ASCII value that matches the sentinel pattern',
   says: /base64|encod|sentinel|Mcp-Param|header/i,
   change: {headers: all => Object.fromEntries(Object.entries(all).map(([name, value]) => {
     const text = /^mcp-(param-|name$)/.test(name) && decoded(value);
     const plain = text && Buffer.from(text, 'base64').toString('utf8');
     return [name, plain && decoded(plain) !== undefined ? plain : value];
   }))}},
  // https://github.com/microsoft/vscode/issues/250920
  {name: 'roots-of-another-scheme', from: 'microsoft/vscode#250920', in: [`${S} stdio`, `${S} http`],
   what: 'declares roots, and names one by vscode-remote:// when the folder is on another machine',
   rules: ['roots.uri-file-scheme'], clause: '2025-11-25 client/roots, Data Types, Root: uri MUST be a file:// URI in the current specification',
   says: /root|file:|uri/i,
   change: {
     out: message => message.method === 'initialize' ? {...message, params: {...message.params, capabilities: {...message.params.capabilities, roots: {listChanged: false}}}} : message,
     question: ({method}) => method === 'roots/list' ? {result: {roots: [{uri: 'vscode-remote://wsl%2Bubuntu/home/me/project', name: 'project'}]}} : undefined}},
];
