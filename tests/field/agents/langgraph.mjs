// A graph of LangGraph.js with the tools of @langchain/mcp-adapters: one node asks for the call, the tool node makes it.

import {AIMessage, HumanMessage} from '@langchain/core/messages';
import {MessagesAnnotation, StateGraph} from '@langchain/langgraph';
import {ToolNode} from '@langchain/langgraph/prebuilt';
import {MultiServerMCPClient} from '@langchain/mcp-adapters';

import {drive, patienceMs, servers} from './drive.mjs';

const entryOf = ({command, args, env, url, type, headers}) => ({
  ...(command ? {transport: 'stdio', command, args, env: {...process.env, ...env}, stderr: 'pipe'} : {transport: type, url, headers}),
  defaultToolTimeout: patienceMs,
});

await drive(async () => {
  const failed = {};
  const client = new MultiServerMCPClient({
    mcpServers: Object.fromEntries(Object.entries(servers).map(([name, entry]) => [name, entryOf(entry)])),
    prefixToolNameWithServerName: true,
    additionalToolNamePrefix: '',
    throwOnLoadError: false,
    onConnectionError: ({serverName, error}) => { failed[serverName] = error; },
  });
  const tools = await client.getTools();
  const graph = new StateGraph(MessagesAnnotation)
      .addNode('agent', ({messages}) => ({messages: [new AIMessage({content: '', tool_calls: [JSON.parse(messages.at(-1).content)]})]}))
      .addNode('tools', new ToolNode(tools, {handleToolErrors: false}))
      .addEdge('__start__', 'agent')
      .addEdge('agent', 'tools')
      .addEdge('tools', '__end__')
      .compile();
  return {
    failed,
    call: async (server, name, args) => {
      const asked = {name: `${server}__${name}`, args, id: 'call-1', type: 'tool_call'};
      const {messages} = await graph.invoke({messages: [new HumanMessage(JSON.stringify(asked))]});
      return messages.at(-1).content;
    },
    read: (server, uri) => client.readResource(server, uri),
    get: () => { throw new Error('the adapters have no prompts'); },
    close: () => client.close(),
  };
});
