// Answers questions about orders: a Mastra agent with the tools of @mastra/mcp. It asks its servers a
// few times at most.
//
//   node agent.mjs CONFIG MODEL_URL REQUEST

import {readFileSync} from 'node:fs';

import {Agent} from '@mastra/core/agent';
import {MCPClient} from '@mastra/mcp';

const [config, url, request] = process.argv.slice(2);
const {mcpServers} = JSON.parse(readFileSync(config, 'utf8'));

const client = new MCPClient({servers: mcpServers});
const agent = new Agent({
  id: 'orders',
  name: 'Orders',
  instructions: 'You answer questions about orders.',
  model: {id: 'custom/gpt-any', url, apiKey: 'any'},
  tools: await client.listTools(),
});
try {
  const {text} = await agent.generate(request, {maxSteps: 4});
  console.log(text || 'I could not find the order.');
} finally {
  await client.disconnect();
}
