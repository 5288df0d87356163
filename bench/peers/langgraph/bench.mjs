// The graph of bench/graph_bench.cc in LangGraph.js: eleven nodes, each of which adds one to a
// counter, and one conditional edge that goes round or ends. Prints one line of JSON.
//
// Google Benchmark divides by CPU time, so a busy machine does not count against it. Here the
// shorter of wall and CPU time is taken, which favours this side: CPU time includes the collector's
// and the compiler's threads, wall time includes waiting for a core.
//
//   node bench.mjs [rounds] [seconds]

import {createRequire} from 'node:module';
import {Annotation, END, START, StateGraph} from '@langchain/langgraph';

const kNodes = 11;
const rounds = Number(process.argv[2] ?? 164);
const seconds = Number(process.argv[3] ?? 5);
const steps = rounds * kNodes;

const Counter = Annotation.Root({
  count: Annotation({reducer: (left, right) => left + right, default: () => 0}),
});

const builder = new StateGraph(Counter);
for (let node = 0; node < kNodes; ++node) builder.addNode(`n${node}`, async () => ({count: 1}));
for (let node = 1; node < kNodes; ++node) builder.addEdge(`n${node - 1}`, `n${node}`);
builder.addEdge(START, 'n0');
builder.addConditionalEdges('n10', (state) => (state.count < steps ? 'n0' : END), ['n0', END]);
const graph = builder.compile();

async function run() {
  const state = await graph.invoke({}, {recursionLimit: steps + 1});
  if (state.count !== steps) throw new Error(`counted ${state.count}, expected ${steps}`);
}

await run();  // Compiles what the engine compiles late.
const begin = process.hrtime.bigint();
const cpuBegin = process.cpuUsage();
let runs = 0;
let elapsed = 0;
while (elapsed < seconds) {
  await run();
  ++runs;
  elapsed = Number(process.hrtime.bigint() - begin) / 1e9;
}
const cpu = process.cpuUsage(cpuBegin);
const taken = Math.min(elapsed, (cpu.user + cpu.system) / 1e6);

const {version} = createRequire(import.meta.url)('@langchain/langgraph/package.json');
console.log(JSON.stringify(
    {peer: 'langgraph', version, node: process.version, rounds, runs,
     steps_per_second: Math.round((runs * steps) / taken)}));
