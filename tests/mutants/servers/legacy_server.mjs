// An ordinary server of the official SDK's first generation, for 2024-11-05 to 2025-11-25: notes,
// a counter, a clock that changes, and questions to the user and the model. It keeps sessions, can
// replay what was missed, and refuses pages of other hosts.
//
//   node legacy_server.mjs stdio|http        http says "listening on PORT" in its first line

import {randomUUID} from 'node:crypto';
import {createServer} from 'node:http';

import {McpServer, ResourceTemplate} from '@modelcontextprotocol/sdk/server/mcp.js';
import {completable} from '@modelcontextprotocol/sdk/server/completable.js';
import {StdioServerTransport} from '@modelcontextprotocol/sdk/server/stdio.js';
import {StreamableHTTPServerTransport} from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import {SubscribeRequestSchema, UnsubscribeRequestSchema} from '@modelcontextprotocol/sdk/types.js';
import {z} from 'zod';

import {readBody, refusesOrigin} from './origin.mjs';

const readOnly = {readOnlyHint: true, openWorldHint: false};
const say = text => ({content: [{type: 'text', text}]});
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

function addTools(server) {
  server.registerTool('repeat', {description: 'Says it again', inputSchema: {text: z.string()}, annotations: readOnly},
                      async ({text}) => say(text));
  server.registerTool('add', {
    description: 'The sum of two numbers', annotations: readOnly,
    inputSchema: {a: z.number(), b: z.number()},
    outputSchema: {sum: z.number(), terms: z.array(z.number())},
  }, async ({a, b}) => {
    const structuredContent = {sum: a + b, terms: [a, b]};
    return {...say(JSON.stringify(structuredContent)), structuredContent};
  });
  server.registerTool('count', {
    description: 'Counts slowly', annotations: readOnly, inputSchema: {to: z.number().int().min(1).max(5).default(3)},
  }, async ({to}, extra) => {
    for (let i = 1; i <= to; ++i) {
      await new Promise(resolve => setTimeout(resolve, 60));
      if (extra.signal.aborted) return say('stopped');
      const progressToken = extra._meta?.progressToken;
      if (progressToken !== undefined) {
        await extra.sendNotification({method: 'notifications/progress', params: {progressToken, progress: i, total: to, message: `at ${i}`}});
      }
      await server.sendLoggingMessage({level: i % 2 ? 'info' : 'warning', logger: 'counter', data: `at ${i}`}, extra.sessionId);
    }
    return say(`counted to ${to}`);
  });
  server.registerTool('show_picture', {description: 'A picture and a link', annotations: readOnly}, async () => ({
    content: [{type: 'image', data: png, mimeType: 'image/png'},
              {type: 'resource', resource: {uri: 'notes://shopping', mimeType: 'text/plain', text: 'bread'}}],
  }));
  server.registerTool('ask_name', {description: 'Asks for your name', annotations: readOnly}, async extra => {
    const answer = await server.server.elicitInput({
      mode: 'form', message: 'Who are you?',
      requestedSchema: {type: 'object', properties: {name: {type: 'string'}}, required: ['name']},
    }, {relatedRequestId: extra.requestId});
    return say(answer.action === 'accept' ? `hello ${answer.content.name}` : 'hello stranger');
  });
  server.registerTool('summarize', {description: 'Lets your model summarize', annotations: readOnly}, async extra => {
    if (!server.server.getClientCapabilities()?.sampling) return say('there is no model');
    const answer = await server.server.createMessage({
      messages: [{role: 'user', content: {type: 'text', text: 'Summarize: bread, milk'}}], maxTokens: 50,
    }, {relatedRequestId: extra.requestId});
    return say(JSON.stringify(answer.content));
  });
  server.registerTool('fail', {description: 'Cannot be done', annotations: readOnly}, async () => {
    throw new Error('it cannot be done');
  });
}

function addResources(server) {
  const subscribed = new Set();
  const clock = setInterval(() => {
    if (subscribed.has('notes://clock')) server.server.sendResourceUpdated({uri: 'notes://clock'}).catch(() => {});
  }, 150);
  clock.unref();
  server.server.onclose = () => clearInterval(clock);
  server.server.setRequestHandler(SubscribeRequestSchema, async ({params}) => (subscribed.add(params.uri), {}));
  server.server.setRequestHandler(UnsubscribeRequestSchema, async ({params}) => (subscribed.delete(params.uri), {}));
  const text = (name, say) => server.registerResource(
    name, `notes://${name}`, {mimeType: 'text/plain', annotations: {audience: ['user'], priority: 0.5}},
    async uri => ({contents: [{uri: uri.href, mimeType: 'text/plain', text: say()}]}));
  text('shopping', () => 'bread');
  text('clock', () => new Date().toISOString());
  server.registerResource('picture', 'notes://picture', {mimeType: 'image/png'},
                          async uri => ({contents: [{uri: uri.href, mimeType: 'image/png', blob: png}]}));
  const letters = ['alpha', 'beta', 'gamma'];
  const template = new ResourceTemplate('notes://letters/{letter}', {
    list: undefined, complete: {letter: value => letters.filter(letter => letter.startsWith(value))}});
  server.registerResource('letters', template, {mimeType: 'text/plain'},
                          async (uri, {letter}) => ({contents: [{uri: uri.href, text: `the letter ${letter}`}]}));
}

function addPrompts(server) {
  server.registerPrompt('greet', {description: 'Greets'},
                        async () => ({messages: [{role: 'user', content: {type: 'text', text: 'hello'}}]}));
  server.registerPrompt('review', {
    description: 'Reviews', argsSchema: {language: completable(z.string(), value => ['c', 'cobol', 'java'].filter(name => name.startsWith(value)))},
  }, async ({language}) => ({messages: [
    {role: 'user', content: {type: 'text', text: `review ${language}`}},
    {role: 'user', content: {type: 'image', data: png, mimeType: 'image/png'}},
    {role: 'user', content: {type: 'resource', resource: {uri: 'notes://shopping', mimeType: 'text/plain', text: 'bread'}}},
  ]}));
}

function makeServer() {
  const server = new McpServer({name: 'notes', version: '1.0.0'},
                               {capabilities: {logging: {}, resources: {subscribe: true, listChanged: true}}});
  addTools(server);
  addResources(server);
  addPrompts(server);
  return server;
}

// Kept makes a stream's events available again, each under an id of its own.
class Kept {
  events = [];
  async storeEvent(streamId, message) {
    this.events.push({streamId, message, id: `${streamId}/${this.events.length}`});
    return this.events.at(-1).id;
  }
  async getStreamIdForEventId(id) { return this.events.find(event => event.id === id)?.streamId; }
  async replayEventsAfter(id, {send}) {
    const last = this.events.findIndex(event => event.id === id);
    const streamId = this.events[last]?.streamId;
    for (const event of this.events.slice(last + 1)) {
      if (event.streamId === streamId) await send(event.id, event.message);
    }
    return streamId;
  }
}

const sessions = new Map();

async function handle(request, response) {
  if (refusesOrigin(request, response)) return;
  const body = await readBody(request);
  const id = request.headers['mcp-session-id'];
  let transport = sessions.get(id);
  if (id !== undefined && !transport) return response.writeHead(404).end();
  if (!transport) {
    transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID, eventStore: new Kept,
      onsessioninitialized: made => sessions.set(made, transport), onsessionclosed: made => sessions.delete(made)});
    await makeServer().connect(transport);
  }
  let message;
  try { message = body.length ? JSON.parse(body) : undefined; } catch { message = undefined; }
  if (message === undefined && request.method === 'POST') {
    const error = {jsonrpc: '2.0', id: null, error: {code: -32700, message: 'Parse error'}};
    return response.writeHead(400, {'Content-Type': 'application/json'}).end(JSON.stringify(error));
  }
  await transport.handleRequest(request, response, message);
}

if (process.argv[2] === 'stdio') {
  await makeServer().connect(new StdioServerTransport);
} else {
  const http = createServer((request, response) => handle(request, response).catch(() => response.destroy()));
  http.listen(0, '127.0.0.1', () => process.stdout.write(`listening on ${http.address().port}\n`));
}
