#include "core/agents/operations/operations_graph.h"

#include <utility>

#include "core/agents/operations/operations_nodes.h"
#include "core/base/check.h"
#include "core/graph/builder.h"

namespace plumbline::agents {

namespace {

using graph::kEnd;
using graph::kStart;
using Next = Invocation::Next;

// The routers: which node follows, from the state alone. A fallback_reason before anything was
// selected means that there is nothing to go on with.

std::string_view after_preprocess(const OperationsState& state) {
  return state.errors.empty() ? "classify_intent" : "generate_final_response";
}

std::string_view after_classify(const OperationsState& state) {
  return state.intent == Intent::kAnswerWithoutMcp ? "answer_without_mcp" : "discover_capabilities";
}

std::string_view after_discover(const OperationsState& state) {
  return state.capability_manifest.capability_count() == 0 ? "answer_without_mcp"
                                                           : "select_capability";
}

std::string_view after_select(const OperationsState& state) {
  return state.selected_capability ? "validate_capability" : "answer_without_mcp";
}

std::string_view after_validate(const OperationsState& state) {
  switch (state.capability_validation.decision) {
    case Validation::Decision::kRun:
      return "build_mcp_request";
    case Validation::Decision::kReview:
      return "mark_needs_review";
    case Validation::Decision::kUnusable:
      return "answer_without_mcp";
  }
  check(false, "unknown Decision");
  return {};
}

std::string_view after_invoke(const OperationsState& state) {
  switch (state.mcp_result->next) {
    case Next::kIntegrate:
      return "integrate_result";
    case Next::kTryAnother:
      return "select_capability";
    case Next::kReview:
      return "mark_needs_review";
  }
  check(false, "unknown Next");
  return {};
}

std::string_view after_integrate(const OperationsState& state) {
  return state.needs_human_review ? "mark_needs_review" : "generate_final_response";
}

std::string_view after_review(const OperationsState& state) {
  return state.needs_human_review ? "generate_final_response" : "build_mcp_request";
}

graph::GraphBuilder<OperationsState, AssistantServices> builder() {
  graph::GraphBuilder<OperationsState, AssistantServices> out;
  out.add_node("preprocess_request", preprocess_request);
  out.add_node("classify_intent", classify_intent_node);
  out.add_node("discover_capabilities", discover_capabilities);
  out.add_node("select_capability", select_capability);
  out.add_node("validate_capability", validate_capability);
  out.add_node("build_mcp_request", build_mcp_request);
  out.add_node("invoke_mcp_capability", invoke_mcp_capability);
  out.add_node("integrate_result", integrate_result);
  out.add_node("generate_final_response", generate_final_response);
  out.add_node("answer_without_mcp", answer_without_mcp);
  out.add_node("mark_needs_review", mark_needs_review);

  out.add_edge(kStart, "preprocess_request");
  out.add_conditional_edges("preprocess_request", after_preprocess,
                            {{"valid", "classify_intent"}, {"blank", "generate_final_response"}});
  out.add_conditional_edges(
      "classify_intent", after_classify,
      {{"needs MCP", "discover_capabilities"}, {"needs none", "answer_without_mcp"}});
  out.add_conditional_edges(
      "discover_capabilities", after_discover,
      {{"something found", "select_capability"}, {"nothing found", "answer_without_mcp"}});
  out.add_conditional_edges(
      "select_capability", after_select,
      {{"selected", "validate_capability"}, {"only weak ones", "answer_without_mcp"}});
  out.add_conditional_edges("validate_capability", after_validate,
                            {{"allowed and complete", "build_mcp_request"},
                             {"high impact or ambiguous", "mark_needs_review"},
                             {"harmless but unusable", "answer_without_mcp"}});
  out.add_edge("build_mcp_request", "invoke_mcp_capability");
  out.add_conditional_edges("invoke_mcp_capability", after_invoke,
                            {{"answered", "integrate_result"},
                             {"recoverable, another candidate", "select_capability"},
                             {"security, transport, in doubt", "mark_needs_review"}});
  out.add_conditional_edges(
      "integrate_result", after_integrate,
      {{"readable", "generate_final_response"}, {"not to be trusted", "mark_needs_review"}});
  out.add_conditional_edges(
      "mark_needs_review", after_review,
      {{"left to a person", "generate_final_response"}, {"approved", "build_mcp_request"}});
  out.add_edge("answer_without_mcp", "generate_final_response");
  out.add_edge("generate_final_response", kEnd);
  return out;
}

}  // namespace

const AssistantGraph& operations_assistant() {
  static const AssistantGraph kGraph = [] {
    Result<AssistantGraph> built = builder().build();
    check(built.ok(), "the operations assistant is a valid graph");
    return std::move(built).value();
  }();
  return kGraph;
}

}  // namespace plumbline::agents
