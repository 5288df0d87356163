// A server of the TypeScript SDK 2, as its documentation shows it.
//
//   node sdk_2.mjs stdio | stdio-modern | http PORT | http-modern PORT | stateful PORT | checked PORT

import {randomUUID} from 'node:crypto';

import {McpServer, WebStandardStreamableHTTPServerTransport, createMcpHandler, hostHeaderValidationResponse,
        localhostAllowedHostnames, localhostAllowedOrigins, originValidationResponse} from '@modelcontextprotocol/server';
import {serveStdio} from '@modelcontextprotocol/server/stdio';
import {z} from 'zod';

import {serve} from './fetch_server.mjs';

const [how, port] = process.argv.slice(2);
const sessions = new Map();

function makeServer() {
  const server = new McpServer({name: 'bare', version: '1.0.0'});
  server.registerTool('echo', {inputSchema: z.object({text: z.string()}), annotations: {readOnlyHint: true}},
                      ({text}) => ({content: [{type: 'text', text}]}));
  server.registerResource('note', 'bare://note', {}, uri => ({contents: [{uri: uri.href, text: 'a note'}]}));
  server.registerPrompt('greet', {argsSchema: z.object({name: z.string()})},
                        ({name}) => ({messages: [{role: 'user', content: {type: 'text', text: `Hello ${name}`}}]}));
  return server;
}

async function stateful(request) {
  const id = request.headers.get('mcp-session-id');
  if (id) return sessions.get(id)?.handleRequest(request) ?? new Response(null, {status: 404});
  const transport = new WebStandardStreamableHTTPServerTransport({sessionIdGenerator: randomUUID, onsessioninitialized: id => sessions.set(id, transport),
                                                                  onsessionclosed: id => sessions.delete(id)});
  await makeServer().connect(transport);
  return transport.handleRequest(request);
}

const handler = createMcpHandler(makeServer, {legacy: how === 'http-modern' ? 'reject' : 'stateless'});
const checks = [request => hostHeaderValidationResponse(request, localhostAllowedHostnames()), request => originValidationResponse(request, localhostAllowedOrigins())];
const answers = {stateful, checked: request => checks.map(check => check(request)).find(Boolean) ?? handler.fetch(request)};
if (how.startsWith('stdio')) serveStdio(makeServer, {legacy: how === 'stdio-modern' ? 'reject' : 'serve'}); else serve(answers[how] ?? handler.fetch, port);
