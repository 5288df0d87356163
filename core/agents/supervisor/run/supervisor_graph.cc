#include "core/agents/supervisor/run/supervisor_graph.h"

#include <utility>

#include "core/base/check.h"
#include "core/graph/builder.h"

namespace plumbline::agents::supervisor {

namespace {

std::string_view after_supervisor(const SupervisorState& state) {
  return state.routing.next_agent ? std::string_view(kModelSelection) : graph::kEnd;
}

std::string_view route_to_agent(const SupervisorState& state) { return *state.routing.next_agent; }

// after_agent goes back to the supervisor, on to the expert, or to the end.
std::string_view after_agent(const SupervisorState& state) {
  if (state.answer.status == Progressing::kError) return graph::kEnd;
  if (state.routing.should_continue) return kSupervisor;
  return state.routing.needs_expert_analysis ? std::string_view(kExpertAnalysis) : graph::kEnd;
}

std::string_view after_command(const SupervisorState& state) {
  if (state.answer.status == Progressing::kError) return graph::kEnd;
  if (state.routing.should_continue) return kSupervisor;
  return state.commands.done() ? graph::kEnd : std::string_view(kCliAgent);
}

std::string_view after_remote(const SupervisorState& state) {
  const bool over = state.answer.status != Progressing::kInProgress;
  return over ? graph::kEnd : std::string_view(kRemoteCliAgent);
}

// The inside hears nothing of the opinions that are there: they would come out of it twice.
SupervisorState enter_workflow(const SupervisorState& state) {
  SupervisorState inner = state;
  inner.opinions.clear();
  return inner;
}

SupervisorState::Update leave_workflow(SupervisorState inner) {
  SupervisorState::Update update;
  update.asked = std::move(inner.asked);
  update.sources = std::move(inner.sources);
  update.workflow = std::move(inner.workflow);
  update.commands = std::move(inner.commands);
  update.routing = std::move(inner.routing);
  update.tokens = std::move(inner.tokens);
  update.answer = std::move(inner.answer);
  update.opinions = std::move(inner.opinions);
  return update;
}

graph::GraphBuilder<SupervisorState, SupervisorServices> supervisor_builder() {
  graph::GraphBuilder<SupervisorState, SupervisorServices> out;
  out.add_node(kSupervisor, supervisor_node);
  out.add_node(kModelSelection, model_selection_node);
  out.add_node(kFileProcessing, file_processing_node);
  out.add_node(kSimpleToolAgent, simple_tool_agent_node);
  out.add_subgraph<SupervisorState>(
      kWorkflowAgent, workflow_graph(),
      std::function<SupervisorState(const SupervisorState&)>(enter_workflow), leave_workflow);
  out.add_node(kCliAgent, cli_agent_node);
  out.add_node(kRemoteCliAgent, remote_cli_agent_node);
  out.add_node(kExpertAnalysis, expert_analysis_node);
  out.add_edge(graph::kStart, kSupervisor);
  out.add_conditional_edges(kSupervisor, after_supervisor,
                            {{kModelSelection, kModelSelection}, {"refused", graph::kEnd}});
  out.add_edge(kModelSelection, kFileProcessing);
  out.add_conditional_edges(kFileProcessing, route_to_agent,
                            {{kSimpleToolAgent}, {kWorkflowAgent}, {kCliAgent}, {kRemoteCliAgent}});
  for (const char* const agent : {kSimpleToolAgent, kWorkflowAgent}) {
    out.add_conditional_edges(
        agent, after_agent,
        {{"continue", kSupervisor}, {"expert_analysis", kExpertAnalysis}, {"end", graph::kEnd}});
  }
  out.add_conditional_edges(
      kCliAgent, after_command,
      {{"next command", kCliAgent}, {"continue", kSupervisor}, {"end", graph::kEnd}});
  out.add_conditional_edges(kRemoteCliAgent, after_remote,
                            {{"next command", kRemoteCliAgent}, {"end", graph::kEnd}});
  out.add_edge(kExpertAnalysis, graph::kEnd);
  return out;
}

}  // namespace

const SupervisorGraph& supervisor_graph() {
  static const SupervisorGraph kGraph = [] {
    Result<SupervisorGraph> built = supervisor_builder().build();
    check(built.ok(), "the supervisor is a valid graph");
    return std::move(built).value();
  }();
  return kGraph;
}

}  // namespace plumbline::agents::supervisor
