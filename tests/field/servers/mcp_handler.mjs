// A server of mcp-handler, hosted by plain Node as Next.js would host it.
//
//   node mcp_handler.mjs http PORT

import {createMcpHandler} from 'mcp-handler';
import {z} from 'zod';

import {serve} from './fetch_server.mjs';

const port = process.argv[3];
serve(createMcpHandler(server => {
  server.registerTool('echo', {description: 'Says it again', inputSchema: {text: z.string()}, annotations: {readOnlyHint: true}},
                      ({text}) => ({content: [{type: 'text', text}]}));
}, {}, {basePath: '', disableSse: true}), port);
