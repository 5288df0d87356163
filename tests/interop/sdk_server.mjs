// A server of the official SDK's second generation, for both eras.
//
//   node sdk_server.mjs stdio|http|http-modern       http says "listening on PORT" in its first line

import {createServer} from 'node:http';

import {McpServer, createMcpHandler, fromJsonSchema} from '@modelcontextprotocol/server';
import {serveStdio} from '@modelcontextprotocol/server/stdio';

function makeServer() {
  const server = new McpServer({name: 'sdk2', version: '1'}, {capabilities: {tools: {}, resources: {}, prompts: {}}});
  const inputSchema = fromJsonSchema({type: 'object', properties: {text: {type: 'string'}}, required: ['text']});
  server.registerTool('echo', {description: 'Says it again', inputSchema},
                      async ({text}) => ({content: [{type: 'text', text}]}));
  server.registerResource('note', 'test://note', {mimeType: 'text/plain'},
                          async uri => ({contents: [{uri: uri.href, text: 'a note'}]}));
  server.registerPrompt('greet', {description: 'Greets'},
                        async () => ({messages: [{role: 'user', content: {type: 'text', text: 'hello'}}]}));
  return server;
}

function serveHttp(legacy) {
  const handler = createMcpHandler(makeServer, {legacy});
  const http = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = chunks.length ? Buffer.concat(chunks) : undefined;
    const url = `http://${request.headers.host}${request.url}`;
    const answer = await handler.fetch(new Request(url, {method: request.method, headers: request.headers, body}));
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    if (answer.body) for await (const chunk of answer.body) response.write(chunk);
    response.end();
  });
  http.listen(0, '127.0.0.1', () => process.stdout.write(`listening on ${http.address().port}\n`));
}

if (process.argv[2] === 'stdio') serveStdio(makeServer);
if (process.argv[2] === 'http') serveHttp('stateless');
if (process.argv[2] === 'http-modern') serveHttp('reject');
