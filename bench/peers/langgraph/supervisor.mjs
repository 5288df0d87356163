// The request of bench/supervisor_bench.cc in LangGraph.js: the same nodes and edges, the workflow as
// a subgraph, a model and a command that answer at once. Prints one line of JSON; time as in bench.mjs.
//
//   node supervisor.mjs [seconds]

import {createRequire} from 'node:module';
import {Annotation, END, START, StateGraph} from '@langchain/langgraph';

const seconds = Number(process.argv[2] ?? 5);
const last = (initial) => Annotation({reducer: (_, right) => right, default: () => initial});
const State = Annotation.Root({
  conversation: last({turns: []}),
  asked: last({}),
  sources: last({files: [], cache: {}}),
  model: last({}),
  workflow: last({step: 0, next_required: true, findings: [], steps: [], phase: 'step'}),
  commands: last({commands: [], results: [], past: []}),
  routing: last({next_agent: null, should_continue: false, needs_expert: false, visits: 0}),
  tokens: last({budget: 100000, used: 0}),
  answer: last({content: '', status: 'pending'}),
});

const files = {'/srv/project/foo.py': 'def foo(): return 2'};
const script = [
  ['Make step 1 of this', '{"step": "the test fails", "next_step_required": true, "commands": ["pytest tests/test_foo.py -v"]}'],
  ['Make step 2 of this', '{"step": "foo is wrong", "next_step_required": true, "files": ["/srv/project/foo.py"], "findings": [{"text": "foo returns 2", "file": "foo.py", "line": 1}]}'],
  ['Make step 3 of this', '{"step": "read foo", "confidence": "high", "next_step_required": false}'],
  ['Judge what was found', 'foo must return 1.'],
];
const model = async (messages) => script.find(([when]) => messages.at(-1).content.includes(when))[1];
const command = async (line) => ({command: line, status: 'error', stdout: '1 failed: test_foo\n', stderr: '', return_code: 1});

function evidence(state) {
  let out = '';
  for (const file of state.sources.files) out += `\n\n# File: ${file}\n${state.sources.cache[file] ?? ''}`;
  for (const result of state.commands.past) out += `\n\n# Output of: ${result.command} (${result.status})\n${result.stdout}`;
  return out;
}
const prompt = (state, question) => [
  {role: 'system', content: 'You look for the root cause of a fault.'},
  ...state.conversation.turns,
  {role: 'user', content: question + evidence(state)},
];

const workflow = new StateGraph(State)
  .addNode('initialize_workflow', async (state) => {
    const {commands, workflow, routing} = state;
    const update = {routing: {...routing, should_continue: false}, workflow};
    if (workflow.phase !== 'commands') return update;
    update.commands = {commands: [], results: [], past: [...commands.past, ...commands.results]};
    update.workflow = {...workflow, phase: 'return'};
    return update;
  })
  .addNode('execute_step', async (state) => {
    const number = state.workflow.step + 1;
    const step = JSON.parse(await model(prompt(state, `${state.asked.prompt}\n\nMake step ${number} of this.`)));
    return {
      commands: {...state.commands, commands: step.commands ?? [], results: []},
      sources: {...state.sources, files: [...(step.files ?? []), ...state.sources.files]},
      workflow: {...state.workflow, step: number, next_required: step.next_step_required, found: step.findings ?? [],
        steps: [...state.workflow.steps, {number, text: step.step, confidence: step.confidence ?? 'exploring'}]},
    };
  })
  .addNode('validate_findings', async (state) => ({
    workflow: {...state.workflow, findings: [...state.workflow.findings, ...state.workflow.found], found: []},
  }))
  .addNode('update_confidence', async (state) => {
    const {workflow, commands, routing} = state;
    const next = {...workflow, confidence: workflow.steps.at(-1).confidence};
    if (commands.commands.length > 0) return {workflow: {...next, phase: 'commands'}};
    if (workflow.next_required) return {workflow: {...next, phase: 'return'}};
    const needs_expert = next.confidence !== 'certain' && next.findings.length > 0;
    return {workflow: {...next, phase: 'done'}, routing: {...routing, needs_expert, should_continue: false}};
  })
  .addNode('generate_actions', async (state) => {
    const cli = state.workflow.phase === 'commands';
    return {
      workflow: cli ? state.workflow : {...state.workflow, phase: 'step'},
      routing: {...state.routing, next_agent: cli ? 'cli_agent' : 'workflow_agent', should_continue: true},
    };
  })
  .addEdge(START, 'initialize_workflow')
  .addConditionalEdges('initialize_workflow', (state) => (state.workflow.phase === 'return' ? 'generate_actions' : 'execute_step'),
    ['generate_actions', 'execute_step'])
  .addEdge('execute_step', 'validate_findings')
  .addEdge('validate_findings', 'update_confidence')
  .addConditionalEdges('update_confidence', (state) => (state.workflow.phase === 'done' ? END : 'generate_actions'), ['generate_actions', END])
  .addEdge('generate_actions', END)
  .compile();

const after = (state) => {
  if (state.routing.should_continue) return 'supervisor';
  return state.routing.needs_expert ? 'expert_analysis' : END;
};
const graph = new StateGraph(State)
  .addNode('supervisor', async ({routing, answer}) => ({
    routing: {...routing, visits: routing.visits + 1, next_agent: routing.next_agent ?? 'workflow_agent', should_continue: false},
    answer: {...answer, status: 'in_progress'},
  }))
  .addNode('model_selection', async () => ({model: {name: 'm', temperature: 0.2}}))
  .addNode('file_processing', async ({sources, tokens}) => {
    const names = [...new Set(sources.files)];
    const cache = Object.fromEntries(names.map((name) => [name, files[name]]));
    return {sources: {files: names, cache}, tokens: {...tokens, used: Object.values(cache).join('').length / 4}};
  })
  .addNode('simple_tool_agent', async (state) => ({answer: {content: await model(prompt(state, state.asked.prompt)), status: 'completed'}}))
  .addNode('workflow_agent', workflow)
  .addNode('cli_agent', async ({commands, routing}) => {
    const results = [...commands.results, await command(commands.commands[commands.results.length])];
    if (results.length < commands.commands.length) return {commands: {...commands, results}};
    return {commands: {...commands, results}, routing: {...routing, next_agent: 'workflow_agent', should_continue: true}};
  })
  .addNode('remote_cli_agent', async () => ({}))
  .addNode('expert_analysis', async (state) => ({answer: {content: await model(prompt(state, 'Judge what was found')), status: 'completed'}}))
  .addEdge(START, 'supervisor')
  .addEdge('supervisor', 'model_selection')
  .addEdge('model_selection', 'file_processing')
  .addConditionalEdges('file_processing', (state) => state.routing.next_agent,
    ['simple_tool_agent', 'workflow_agent', 'cli_agent', 'remote_cli_agent'])
  .addConditionalEdges('simple_tool_agent', after, ['supervisor', 'expert_analysis', END])
  .addConditionalEdges('workflow_agent', after, ['supervisor', 'expert_analysis', END])
  .addConditionalEdges('cli_agent', (state) => (state.routing.should_continue ? 'supervisor' : 'cli_agent'), ['supervisor', 'cli_agent'])
  .addEdge('remote_cli_agent', END)
  .addEdge('expert_analysis', END)
  .compile();

async function run() {
  const state = await graph.invoke({asked: {tool: 'debug', prompt: 'Debug the failing test and show me the error logs'}}, {recursionLimit: 100});
  if (state.answer.content !== 'foo must return 1.' || state.commands.past.length !== 1) throw new Error('a wrong answer');
}

await run();
const begin = process.hrtime.bigint();
const cpuBegin = process.cpuUsage();
let requests = 0;
let elapsed = 0;
while (elapsed < seconds) {
  await run();
  ++requests;
  elapsed = Number(process.hrtime.bigint() - begin) / 1e9;
}
const cpu = process.cpuUsage(cpuBegin);
const taken = Math.min(elapsed, (cpu.user + cpu.system) / 1e6);
const {version} = createRequire(import.meta.url)('@langchain/langgraph/package.json');
console.log(JSON.stringify({peer: 'langgraph', version, node: process.version, requests_per_second: Math.round(requests / taken)}));
