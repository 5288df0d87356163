// More of servers.mjs, by a stranger: schemas, standard output, sessions in queries, unknown tools, versions.

import {isObject, say} from './peers/server.mjs';

const listed = change => (made, {message}) => message?.method === 'tools/list' && Array.isArray(made.result?.tools)
  ? {...made, result: {...made.result, tools: made.result.tools.map(change)}} : made;
const parsed = body => { try { return JSON.parse(body); } catch { return undefined; } };
const older = ['2025-06-18', '2025-03-26', '2024-11-05'];
const call = message => message?.method === 'tools/call' && typeof message.params?.name === 'string' ? message.params.name : undefined;

export const cases = [
  // https://github.com/mastra-ai/mastra/issues/23731
  {name: 'required-among-properties', from: 'mastra-ai/mastra#23731', in: ['legacy stdio', 'modern http'],
   what: 'writes required among the properties of an inputSchema, where a schema has to stand and a list stands',
   rules: ['tools.input-schema-valid', 'schema.schemas-valid', 'schema.messages-validate'], says: /required|schema/i,
   change: {answer: listed(tool => {
     const {required, ...rest} = tool.inputSchema;
     return required ? {...tool, inputSchema: {...rest, properties: {...rest.properties, required}}} : tool;
   })}},
  // https://github.com/marianfoo/sap-mcp-servers/issues/55
  {name: 'output-schema-of-draft-07', from: 'marianfoo/sap-mcp-servers#55', in: ['legacy stdio', 'modern http'],
   what: 'declares draft-07 in $schema of its outputSchema, which clients that read 2020-12 alone refuse',
   rules: ['schema.prefer-2020-12', 'schema.hosts-accept'], says: /draft-07|\$schema|dialect/i,
   change: {answer: listed(tool => tool.outputSchema ? {...tool, outputSchema: {$schema: 'http://json-schema.org/draft-07/schema#', ...tool.outputSchema}} : tool)}},
  // https://github.com/DeusData/codebase-memory-mcp/issues/513
  {name: 'nothing-until-the-end-of-input', from: 'DeusData/codebase-memory-mcp#513', in: ['legacy stdio', 'modern stdio'],
   what: 'keeps its answers in a buffer until standard input is closed',
   rules: ['lifecycle.server-answers-initialize', 'jsonrpc.request-answered', 'discover.result-shape', 'stdio.exit-on-stdin-eof'], says: /answer|initialize|discover|time/i,
   change: {begin() {
     const write = process.stdout.write.bind(process.stdout);
     const held = [];
     process.stdout.write = chunk => { held.push(chunk); return true; };
     process.stdin.on('end', () => { process.stdout.write = write; for (const chunk of held) write(chunk); });
   }}},
  // https://github.com/microsoft/azure-devops-mcp/issues/147
  {name: 'version-on-standard-output', from: 'microsoft/azure-devops-mcp#147', in: ['legacy stdio', 'modern stdio'],
   what: 'writes its version to standard output when it starts',
   rules: ['stdio.stdout-only-mcp'], says: /stdout|standard output|message|JSON/i,
   change: {begin() { process.stdout.write('Azure DevOps MCP Server version : 0.1.0\n'); }}},
  // https://github.com/cloudflare/agents/pull/472
  {name: 'get-reads-the-query', from: 'cloudflare/agents#472', in: ['legacy http'],
   what: 'looks for the session of GET in the query, as SSE servers do, and not in Mcp-Session-Id',
   rules: ['http.get-stream-or-405'], says: /GET|stream|405|400/i,
   change: {http(request, response) {
     if (request.method !== 'GET') return false;
     const session = new URL(request.url, 'http://here').searchParams.get('sessionId');
     if (session) { request.headers['mcp-session-id'] = session; return false; }
     response.writeHead(400, {'content-type': 'text/plain'});
     response.end('Missing sessionId. Expected POST to /mcp to initiate new one');
     return true;
   }}},
  // https://github.com/MongLong0214/logic-pro-mcp/issues/216
  {name: 'unknown-tool-is-a-result', from: 'MongLong0214/logic-pro-mcp#216', in: ['legacy stdio', 'modern http'],
   what: 'answers a call of a tool that there is not with a result and isError, not with an error',
   rules: ['tools.unknown-tool-protocol-error'], says: /unknown|tool|error/i,
   change: {said(message, {server}) {
     const name = call(message);
     return name !== undefined && !server.tools.some(one => one.name === name) ? server.result(message.id, say(`Unknown tool: ${name}`, {isError: true})) : undefined;
   }}},
  // https://github.com/accensa/x402-facilitator-stellar/issues/196
  {name: 'unknown-tool-is-no-method', from: 'accensa/x402-facilitator-stellar#196', in: ['legacy stdio', 'modern http'],
   what: 'answers a call of a tool that there is not with -32601, Method not found',
   rules: ['tools.unknown-tool-protocol-error'], says: /-32601|-32602|unknown|tool/i,
   change: {answer: (made, {message, server}) => made.error?.code === -32602 && call(message) !== undefined && !server.tools.some(one => one.name === call(message))
     ? {...made, error: {code: -32601, message: 'Method not found'}} : made}},
  // https://github.com/xpzouying/xiaohongshu-mcp/issues/697
  {name: 'newer-version-is-a-bad-request', from: 'xpzouying/xiaohongshu-mcp#697', in: ['legacy http'],
   what: 'answers initialize with a version it does not know by 400 and a line of text, and offers no other',
   rules: ['versioning.server-counter-offers', 'lifecycle.server-answers-initialize'], says: /version|initialize|revision|2025-11-25/i,
   change: {http(request, response, body) {
     const said = request.method === 'POST' ? parsed(body) : undefined;
     const wanted = isObject(said) && said.method === 'initialize' ? said.params?.protocolVersion : undefined;
     const named = request.headers['mcp-protocol-version'];
     if ((named === undefined || older.includes(named)) && (typeof wanted !== 'string' || older.includes(wanted))) return false;
     response.writeHead(400, {'content-type': 'text/plain; charset=utf-8'});
     response.end(`Bad Request: Unsupported protocol version (supported versions: ${older.join(', ')})\n`);
     return true;
   }}},
];
