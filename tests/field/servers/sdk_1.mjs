// A server of the TypeScript SDK 1, as its documentation shows it.
//
//   node sdk_1.mjs stdio | stateful|stateless|json|sse PORT

import {randomUUID} from 'node:crypto';

import {createMcpExpressApp} from '@modelcontextprotocol/sdk/server/express.js';
import {McpServer} from '@modelcontextprotocol/sdk/server/mcp.js';
import {SSEServerTransport} from '@modelcontextprotocol/sdk/server/sse.js';
import {StdioServerTransport} from '@modelcontextprotocol/sdk/server/stdio.js';
import {StreamableHTTPServerTransport} from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import {z} from 'zod';

const [how, port] = process.argv.slice(2);
const sessions = new Map();

async function connected(transport) {
  const server = new McpServer({name: 'bare', version: '1.0.0'});
  server.registerTool('echo', {inputSchema: {text: z.string()}, annotations: {readOnlyHint: true}},
                      ({text}) => ({content: [{type: 'text', text}]}));
  server.registerResource('note', 'bare://note', {}, uri => ({contents: [{uri: uri.href, text: 'a note'}]}));
  server.registerPrompt('greet', {argsSchema: {name: z.string()}},
                        ({name}) => ({messages: [{role: 'user', content: {type: 'text', text: `Hello ${name}`}}]}));
  await server.connect(transport);
  return transport;
}

const app = createMcpExpressApp();
app.all('/mcp', async (request, response) => {
  const opens = request.body?.method === 'initialize' || how === 'stateless';
  const transport = sessions.get(request.headers['mcp-session-id']) ?? (opens && await connected(
      new StreamableHTTPServerTransport({sessionIdGenerator: how === 'stateless' ? undefined : randomUUID, enableJsonResponse: how === 'json',
                                         onsessioninitialized: id => sessions.set(id, transport), onsessionclosed: id => sessions.delete(id)})));
  if (!transport) return response.status(request.headers['mcp-session-id'] ? 404 : 400).end();
  await transport.handleRequest(request, response, request.body);
});
app.get('/sse', async (_, response) => (transport => sessions.set(transport.sessionId, transport))(await connected(new SSEServerTransport('/messages', response))));
app.post('/messages', (request, response) => sessions.get(request.query.sessionId)?.handlePostMessage(request, response, request.body) ?? response.status(404).end());
if (how === 'stdio') await connected(new StdioServerTransport()); else app.listen(Number(port), '127.0.0.1');
