// A server of fastmcp (TypeScript).
//
//   node fastmcp.mjs stdio | http|stateless PORT       http serves HTTP+SSE at /sse, too

import {FastMCP} from 'fastmcp';
import {z} from 'zod';

const [how, port] = process.argv.slice(2);
const server = new FastMCP({name: 'bare', version: '1.0.0'});
server.addTool({name: 'echo', description: 'Says it again', parameters: z.object({text: z.string()}), annotations: {readOnlyHint: true},
                execute: async ({text}) => text});
server.addResource({uri: 'bare://note', name: 'note', mimeType: 'text/plain', load: async () => ({text: 'a note'})});
server.addPrompt({name: 'greet', arguments: [{name: 'name', required: true}], load: async ({name}) => `Hello ${name}`});
await server.start(how === 'stdio' ? {transportType: 'stdio'} :
    {transportType: 'httpStream', httpStream: {port: Number(port), host: '127.0.0.1', endpoint: '/mcp', stateless: how === 'stateless'}});
