// An ordinary server of the official SDK's second generation, for 2026-07-28: the same notes,
// counter and questions as legacy_server.mjs, whose questions are answered in a second request.
//
//   node modern_server.mjs stdio|http        http says "listening on PORT" in its first line

import {randomBytes} from 'node:crypto';
import {createServer} from 'node:http';

import {McpServer, acceptedContent, completable, createMcpHandler, createRequestStateCodec, fromJsonSchema,
        inputRequired} from '@modelcontextprotocol/server';
import {serveStdio} from '@modelcontextprotocol/server/stdio';
import {z} from 'zod';

import {readBody, refusesOrigin} from './origin.mjs';

const codec = createRequestStateCodec({key: randomBytes(32), bind: ctx => ctx.mcpReq.method});
const annotations = {readOnlyHint: true, openWorldHint: false};
const say = text => ({content: [{type: 'text', text}]});
const object = (properties, required = Object.keys(properties)) => fromJsonSchema({type: 'object', properties, required});
const nameSchema = {type: 'object', properties: {name: {type: 'string'}}, required: ['name']};

function addTools(server) {
  server.registerTool('repeat', {description: 'Says it again', annotations, inputSchema: object({text: {type: 'string'}})},
                      async ({text}) => say(text));
  server.registerTool('add', {
    description: 'The sum of two numbers', annotations,
    inputSchema: object({a: {type: 'number'}, b: {type: 'number'}}),
    outputSchema: object({sum: {type: 'number'}, terms: {type: 'array', items: {type: 'number'}}}),
  }, async ({a, b}) => {
    const structuredContent = {sum: a + b, terms: [a, b]};
    return {...say(JSON.stringify(structuredContent)), structuredContent};
  });
  server.registerTool('look_up', {
    description: 'Looks up a city of a region', annotations,
    inputSchema: object({region: {type: 'string', 'x-mcp-header': 'Region'}, city: {type: 'string'}}, ['region']),
  }, async ({region, city}) => say(`${city ?? 'nothing'} in ${region}`));
  server.registerTool('count', {
    description: 'Counts slowly', annotations, inputSchema: object({to: {type: 'integer', minimum: 1, maximum: 5, default: 3}}, []),
  }, async ({to = 3}, ctx) => {
    for (let i = 1; i <= to; ++i) {
      await new Promise(resolve => setTimeout(resolve, 60));
      if (ctx.mcpReq.signal.aborted) return say('stopped');
      const progressToken = ctx.mcpReq._meta?.progressToken;
      if (progressToken !== undefined) {
        await ctx.mcpReq.notify({method: 'notifications/progress', params: {progressToken, progress: i, total: to, message: `at ${i}`}});
      }
      await ctx.mcpReq.log(i % 2 ? 'info' : 'warning', `at ${i}`, 'counter');
    }
    return say(`counted to ${to}`);
  });
  server.registerTool('ask_name', {description: 'Asks for your name', annotations}, async ctx => {
    const answer = acceptedContent(ctx.mcpReq.inputResponses, 'who');
    if (answer && ctx.mcpReq.requestState()) return say(`hello ${answer.name}`);
    if (ctx.mcpReq.inputResponses?.who) return say('hello stranger');
    return inputRequired({
      inputRequests: {who: inputRequired.elicit({message: 'Who are you?', requestedSchema: nameSchema})},
      requestState: await codec.mint({asked: 'name'}, ctx)});
  });
  server.registerTool('summarize', {description: 'Lets your model summarize', annotations}, async ctx => {
    const answer = ctx.mcpReq.inputResponses?.summary;
    if (answer) return say(JSON.stringify(answer.content));
    return inputRequired({inputRequests: {summary: inputRequired.createMessage({
      messages: [{role: 'user', content: {type: 'text', text: 'Summarize: bread, milk'}}], maxTokens: 50})}});
  });
}

function addResources(server) {
  for (const [name, text] of [['shopping', () => 'bread'], ['clock', () => new Date().toISOString()]]) {
    server.registerResource(name, `notes://${name}`, {mimeType: 'text/plain', annotations: {audience: ['user'], priority: 0.5}},
                            async uri => ({contents: [{uri: uri.href, mimeType: 'text/plain', text: text()}]}));
  }
}

function addPrompts(server) {
  server.registerPrompt('greet', {description: 'Greets'},
                        async () => ({messages: [{role: 'user', content: {type: 'text', text: 'hello'}}]}));
  server.registerPrompt('review', {
    description: 'Reviews',
    argsSchema: z.object({language: completable(z.string(), value => ['c', 'cobol', 'java'].filter(name => name.startsWith(value)))}),
  }, async ({language}) => ({messages: [{role: 'user', content: {type: 'text', text: `review ${language}`}}]}));
}

function makeServer() {
  const server = new McpServer({name: 'notes', version: '2.0.0'}, {
    capabilities: {logging: {}, resources: {subscribe: true, listChanged: true}, tools: {listChanged: true}},
    requestState: {verify: codec.verify}});
  addTools(server);
  addResources(server);
  addPrompts(server);
  return server;
}

// The clock changes, and so do the lists, for those who listen.
function changes(notify) {
  setInterval(() => {
    notify.resourceUpdated('notes://clock');
    notify.toolsChanged();
  }, 150).unref();
}

async function answer(handler, request, response) {
  if (refusesOrigin(request, response)) return;
  const body = await readBody(request);
  const gone = new AbortController;
  response.on('close', () => gone.abort());
  const url = `http://${request.headers.host}${request.url}`;
  const made = await handler.fetch(new Request(url, {
    method: request.method, headers: request.headers, body: body || undefined, signal: gone.signal}));
  response.writeHead(made.status, Object.fromEntries(made.headers));
  if (made.body) for await (const chunk of made.body) response.write(chunk);
  response.end();
}

if (process.argv[2] === 'stdio') {
  const servers = new Set;
  serveStdio(() => {
    const server = makeServer();
    servers.add(server);
    return server;
  });
  changes({
    resourceUpdated: uri => servers.forEach(server => server.server.sendResourceUpdated({uri}).catch(() => {})),
    toolsChanged: () => servers.forEach(server => server.sendToolListChanged()),
  });
} else {
  const handler = createMcpHandler(makeServer, {legacy: 'reject'});
  changes(handler.notify);
  const http = createServer((request, response) => answer(handler, request, response).catch(() => response.destroy()));
  http.listen(0, '127.0.0.1', () => process.stdout.write(`listening on ${http.address().port}\n`));
}
