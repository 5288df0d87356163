// Answers questions about orders: the AI SDK with the tools of its MCP client.
//
//   node agent.mjs CONFIG MODEL_URL REQUEST

import {readFileSync} from 'node:fs';

import {createMCPClient} from '@ai-sdk/mcp';
import {Experimental_StdioMCPTransport as Stdio} from '@ai-sdk/mcp/mcp-stdio';
import {createOpenAI} from '@ai-sdk/openai';
import {generateText, isStepCount} from 'ai';

const [config, baseURL, request] = process.argv.slice(2);
const {mcpServers} = JSON.parse(readFileSync(config, 'utf8'));

const clients = await Promise.all(Object.values(mcpServers).map(({command, args, env}) =>
  createMCPClient({transport: new Stdio({command, args, env})})));
const tools = Object.assign({}, ...await Promise.all(clients.map(client => client.tools())));
try {
  const {text} = await generateText({
    model: createOpenAI({baseURL, apiKey: 'any'}).chat('gpt-any'),
    instructions: 'You answer questions about orders.',
    prompt: request,
    tools,
    stopWhen: isStepCount(5),
  });
  console.log(text);
} finally {
  for (const client of clients) await client.close();
}
