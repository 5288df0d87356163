// Answers questions about orders: LangGraph's agent with the tools of @langchain/mcp-adapters. It
// may read, whatever the model wants.
//
//   node agent.mjs CONFIG MODEL_URL REQUEST

import {readFileSync} from 'node:fs';

import {createReactAgent} from '@langchain/langgraph/prebuilt';
import {MultiServerMCPClient} from '@langchain/mcp-adapters';
import {ChatOpenAI} from '@langchain/openai';

const [config, baseURL, request] = process.argv.slice(2);
const {mcpServers} = JSON.parse(readFileSync(config, 'utf8'));
const readers = ['find_order'];

const client = new MultiServerMCPClient({mcpServers});
const tools = (await client.getTools()).filter(tool => readers.includes(tool.name));
const agent = createReactAgent({
  llm: new ChatOpenAI({model: 'gpt-any', apiKey: 'any', configuration: {baseURL}}),
  tools,
  prompt: 'You answer questions about orders.',
});
try {
  const {messages} = await agent.invoke({messages: [{role: 'user', content: request}]});
  console.log(messages.at(-1).content);
} finally {
  await client.close();
}
