// The turn of bench/chat_bench.cc in LangGraph.js: four nodes, a model that answers at once, and a
// tool that does. Prints one line of JSON; time as in bench.mjs.
//
//   node chat.mjs [seconds]

import {createRequire} from 'node:module';
import {AIMessage, HumanMessage, SystemMessage, ToolMessage} from '@langchain/core/messages';
import {Annotation, END, MessagesAnnotation, START, StateGraph} from '@langchain/langgraph';

const seconds = Number(process.argv[2] ?? 5);
const ChatState = Annotation.Root({
  ...MessagesAnnotation.spec,
  mcpLinks: Annotation({reducer: (_, right) => right, default: () => []}),
  nextStep: Annotation({reducer: (_, right) => right, default: () => null}),
  error: Annotation({reducer: (_, right) => right, default: () => null}),
});

async function model(messages) {
  const last = messages.at(-1);
  if (last.getType() === 'tool') return new AIMessage(`It says: ${last.content}`);
  return new AIMessage({content: '', tool_calls: [{id: 'c1', name: 'read_file_7', args: {path: 'a.txt'}}]});
}
const graph = new StateGraph(ChatState)
  .addNode('input', async () => ({messages: [new SystemMessage('You are a helpful assistant.')]}))
  .addNode('planning', async (state) => {
    const answer = await model(state.messages);
    return {messages: [answer], nextStep: answer.tool_calls?.length ? 'tool_execution' : 'synthesis'};
  })
  .addNode('tool_execution', async (state) => ({
    messages: state.messages.at(-1).tool_calls.map((call) => new ToolMessage({content: 'The total is 42.', tool_call_id: call.id})),
  }))
  .addNode('synthesis', async () => ({nextStep: null}))
  .addEdge(START, 'input')
  .addEdge('input', 'planning')
  .addConditionalEdges('planning', (state) => state.nextStep, ['tool_execution', 'synthesis'])
  .addEdge('tool_execution', 'planning')
  .addEdge('synthesis', END)
  .compile();

async function run() {
  const state = await graph.invoke({messages: [new HumanMessage('What does a.txt say?')]});
  if (state.messages.at(-1).content !== 'It says: The total is 42.') throw new Error('a wrong answer');
}

await run();
const begin = process.hrtime.bigint();
const cpuBegin = process.cpuUsage();
let turns = 0;
let elapsed = 0;
while (elapsed < seconds) {
  await run();
  ++turns;
  elapsed = Number(process.hrtime.bigint() - begin) / 1e9;
}
const cpu = process.cpuUsage(cpuBegin);
const taken = Math.min(elapsed, (cpu.user + cpu.system) / 1e6);
const {version} = createRequire(import.meta.url)('@langchain/langgraph/package.json');
console.log(JSON.stringify({peer: 'langgraph', version, node: process.version, turns_per_second: Math.round(turns / taken)}));
