// A server of mcp-framework.
//
//   node mcp_framework.mjs stdio | batch|stream|sse PORT

import {MCPServer, MCPTool} from 'mcp-framework';
import {z} from 'zod';

const [how, port] = process.argv.slice(2);
const address = {port: Number(port), host: '127.0.0.1'};

class Echo extends MCPTool {
  name = 'echo';
  description = 'Says it again';
  annotations = {readOnlyHint: true};
  schema = z.object({text: z.string().describe('What to say')});
  async execute({text}) { return text; }
}

const transport = how === 'stdio' ? {type: 'stdio'} : how === 'sse' ? {type: 'sse', options: address} :
                                    {type: 'http-stream', options: {...address, responseMode: how}};
const server = new MCPServer({name: 'bare', version: '1.0.0', basePath: process.cwd(), transport});
server.addTool(Echo);
await server.start();
