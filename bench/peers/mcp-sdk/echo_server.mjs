// An MCP server of the official SDK with one tool, echo, on its low-level Server: the faster way.
//
//   node echo_server.mjs serve stdio
//   node echo_server.mjs serve http      prints its URL as the first line

import {randomUUID} from 'node:crypto';
import {createServer} from 'node:http';

import {Server} from '@modelcontextprotocol/sdk/server/index.js';
import {StdioServerTransport} from '@modelcontextprotocol/sdk/server/stdio.js';
import {StreamableHTTPServerTransport} from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import {CallToolRequestSchema, ListToolsRequestSchema} from '@modelcontextprotocol/sdk/types.js';

const echo = {name: 'echo', inputSchema: {type: 'object', properties: {text: {type: 'string'}}, required: ['text']}};

export function makeServer() {
  const server = new Server({name: 'echo', version: '1'}, {capabilities: {tools: {}}});
  server.setRequestHandler(ListToolsRequestSchema, () => ({tools: [echo]}));
  server.setRequestHandler(CallToolRequestSchema, ({params}) => ({content: [{type: 'text', text: params.arguments.text}]}));
  return server;
}

async function serveHttp() {
  const sessions = new Map();
  const http = createServer(async (request, response) => {
    let transport = sessions.get(request.headers['mcp-session-id']);
    if (!transport) {
      transport = new StreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID,
        enableJsonResponse: true,
        onsessioninitialized: id => sessions.set(id, transport),
      });
      await makeServer().connect(transport);
    }
    await transport.handleRequest(request, response);
  });
  http.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${http.address().port}/mcp`));
}

const [verb, transport] = process.argv.slice(2);
if (verb === 'serve' && transport === 'stdio') await makeServer().connect(new StdioServerTransport());
if (verb === 'serve' && transport === 'http') await serveHttp();
