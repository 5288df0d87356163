#include "core/agents/supervisor/workflow/workflow_graph.h"

#include <utility>
#include <vector>

#include "core/agents/supervisor/workflow/workflow_nodes.h"
#include "core/base/check.h"
#include "core/graph/builder.h"

namespace plumbline::agents::supervisor {

namespace {

using graph::Send;

bool has_failed(const SupervisorState& state) { return state.answer.status == Progressing::kError; }

std::vector<Send> after_initialize(const SupervisorState& state) {
  if (has_failed(state) || state.workflow.phase == Phase::kDone) return {Send(graph::kEnd)};
  if (state.workflow.phase == Phase::kReturn) return {Send(kGenerateActions)};
  if (tool_of(state).input != ToolInput::kVoices) return {Send(kExecuteStep)};
  std::vector<Send> out;
  for (const Json& voice : state.asked.request_data["models"])
    out.emplace_back(kConsultModel, voice);
  return out;
}

std::string_view after_step(const SupervisorState& state) {
  return has_failed(state) ? graph::kEnd : std::string_view(kValidateFindings);
}

std::string_view after_confidence(const SupervisorState& state) {
  return state.workflow.phase == Phase::kDone ? graph::kEnd : std::string_view(kGenerateActions);
}

}  // namespace

SupervisorGraph workflow_graph() {
  graph::GraphBuilder<SupervisorState, SupervisorServices> builder;
  builder.add_node(kInitializeWorkflow, initialize_workflow_node);
  builder.add_node(kExecuteStep, execute_step_node);
  builder.add_node(kValidateFindings, validate_findings_node);
  builder.add_node(kUpdateConfidence, update_confidence_node);
  builder.add_node(kGenerateActions, generate_actions_node);
  builder.add_node(kConsultModel, consult_model_node);
  builder.add_node(kJoinOpinions, join_opinions_node);
  builder.add_edge(graph::kStart, kInitializeWorkflow);
  builder.add_conditional_edges(kInitializeWorkflow, after_initialize,
                                {{"step", kExecuteStep},
                                 {"return", kGenerateActions},
                                 {"consensus", kConsultModel},
                                 {"done", graph::kEnd}});
  builder.add_conditional_edges(kExecuteStep, after_step,
                                {{"done", kValidateFindings}, {"failed", graph::kEnd}});
  builder.add_edge(kValidateFindings, kUpdateConfidence);
  builder.add_conditional_edges(kUpdateConfidence, after_confidence,
                                {{"continue", kGenerateActions}, {"finalize", graph::kEnd}});
  builder.add_edge(kGenerateActions, graph::kEnd);
  builder.add_edge(kConsultModel, kJoinOpinions);
  builder.add_edge(kJoinOpinions, graph::kEnd);
  Result<SupervisorGraph> built = builder.build();
  check(built.ok(), "the workflow of the supervisor is a valid graph");
  return std::move(built).value();
}

}  // namespace plumbline::agents::supervisor
