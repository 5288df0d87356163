// Answers a customer's questions about their orders: the OpenAI Agents SDK. Whose orders are read is
// never left to the model: the agent puts the customer in.
//
//   node agent.mjs CONFIG MODEL_URL REQUEST

import {readFileSync} from 'node:fs';

import {Agent, MCPServerStdio, OpenAIChatCompletionsModel, run, setTracingDisabled} from '@openai/agents';
import OpenAI from 'openai';

const [config, baseURL, request] = process.argv.slice(2);
const {mcpServers} = JSON.parse(readFileSync(config, 'utf8'));
const customer = 'ada';  // Who has signed in.

class CustomerServer extends MCPServerStdio {
  callTool(name, args, ...rest) {
    return super.callTool(name, {...args, customer}, ...rest);
  }
}

setTracingDisabled(true);
const servers = Object.entries(mcpServers).map(([name, {command, args, env}]) =>
  new CustomerServer({name, command, args, env: {...process.env, ...env}}));
for (const server of servers) await server.connect();
const agent = new Agent({
  name: 'Orders',
  instructions: 'You answer questions about orders.',
  model: new OpenAIChatCompletionsModel(new OpenAI({baseURL, apiKey: 'any'}), 'gpt-any'),
  mcpServers: servers,
});
try {
  console.log((await run(agent, request)).finalOutput);
} finally {
  for (const server of servers) await server.close();
}
