// A server of tmcp.
//
//   node tmcp.mjs stdio | http|sse PORT

import {ZodJsonSchemaAdapter} from '@tmcp/adapter-zod';
import {HttpTransport} from '@tmcp/transport-http';
import {SseTransport} from '@tmcp/transport-sse';
import {StdioTransport} from '@tmcp/transport-stdio';
import {McpServer} from 'tmcp';
import {z} from 'zod';

import {serve} from './fetch_server.mjs';

const [how, port] = process.argv.slice(2);
const server = new McpServer({name: 'bare', version: '1.0.0'},
                             {adapter: new ZodJsonSchemaAdapter(), capabilities: {tools: {}, resources: {}, prompts: {}}});
server.tool({name: 'echo', description: 'Says it again', schema: z.object({text: z.string()}), annotations: {readOnlyHint: true}},
            ({text}) => ({content: [{type: 'text', text}]}));
server.resource({name: 'note', description: 'A note', uri: 'bare://note'}, uri => ({contents: [{uri, text: 'a note'}]}));
server.prompt({name: 'greet', description: 'Greets', schema: z.object({name: z.string()})},
              ({name}) => ({messages: [{role: 'user', content: {type: 'text', text: `Hello ${name}`}}]}));

if (how === 'stdio') {
  new StdioTransport(server).listen();
} else {
  const transport = how === 'sse' ? new SseTransport(server, {path: '/sse', endpoint: '/message'}) : new HttpTransport(server, {path: '/mcp'});
  serve(async request => await transport.respond(request) ?? new Response(null, {status: 404}), port);
}
