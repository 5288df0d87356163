#include "core/agents/operations/operations_assistant.h"

#include <algorithm>
#include <utility>

#include "core/agents/operations/operations_nodes.h"
#include "core/base/check.h"
#include "core/graph/builder.h"

namespace plumbline::agents {

namespace {

using graph::kEnd;
using graph::kStart;
using Next = Invocation::Next;

constexpr std::string_view kInvoke = "invoke_mcp_capability";

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

Json answer_of(bool approved) {
  Json answer = Json::object();
  answer["approved"] = approved;
  return answer;
}

// A decision note says what the person has decided on a call.
graph::Note decision_note(const std::string& node, const Json& review, bool approved) {
  graph::Note note;
  note.node = node;
  note.what["decided"] = string_or(review, "approval_id", "");
  note.what["approved"] = approved;
  return note;
}

std::optional<bool> decided(const std::vector<graph::Note>& notes, const Json& review) {
  const std::string id = string_or(review, "approval_id", "");
  for (const graph::Note& note : notes) {
    if (string_or(note.what, "decided", "") == id) return bool_or(note.what, "approved", false);
  }
  return std::nullopt;
}

// Past is what a dead process has left of a request.
struct Past {
  std::vector<graph::Note> notes{};  // Of the node that it goes on with.
  bool unreadable = false;
};

// begin runs a request that is new, or takes up what its thread has kept.
Task<AssistantOutcome> begin(OperationsState initial, graph::RunOptions options,
                             AssistantServices& services, Loop& loop,
                             graph::GraphObserver* observer, AssistantThread* thread, Past& past) {
  using Kept = graph::Checkpoint<OperationsState>;
  const AssistantGraph& graph = operations_assistant();
  AssistantOutcome outcome;
  std::optional<Kept> kept;
  if (thread != nullptr) {
    Result<std::optional<Kept>> latest = co_await thread->latest();
    if (!latest.ok()) {
      outcome.state = std::move(initial);
      outcome.error = latest.error();
      past.unreadable = true;
      co_return outcome;
    }
    kept = std::move(latest).value();
  }
  if (!kept) {
    outcome = co_await graph.run(std::move(initial), options, services, loop, observer, thread);
    co_return outcome;
  }
  past.notes = kept->notes;
  if (!kept->waits) {
    outcome = co_await graph.go_on(std::move(*kept), options, services, loop, observer, thread);
    if (outcome.status == AssistantOutcome::kInterrupted) past.notes.clear();  // Of another node.
  } else {
    outcome.status = AssistantOutcome::kInterrupted;
    outcome.snapshot = std::move(kept->at);
  }
  co_return outcome;
}

// begun returns whether a call that changes something may have been sent, and nothing came of it.
bool begun(const AssistantOutcome& outcome, const Past& past) {
  const OperationsState& state = outcome.state;
  if (!state.capability_validation.assessment.changes_the_world) return false;
  const bool here = !outcome.route.empty() && outcome.route.back() == kInvoke;
  const bool before =
      !state.mcp_result &&
      std::ranges::find(past.notes, kInvoke, &graph::Note::node) != past.notes.end();
  return here || before;
}

// give_up writes the final output of a run that a bound stopped.
void give_up(AssistantOutcome& outcome, const Past& past) {
  OperationsState& state = outcome.state;
  std::string reason = outcome.error.message;
  const bool in_doubt = past.unreadable || begun(outcome, past);
  if (past.unreadable) {
    reason += "; it is not known what was done before";
  } else if (in_doubt) {
    reason += "; it is not known whether " + label(*state.selected()) + " took effect";
  }
  state.needs_human_review = state.needs_human_review || in_doubt;
  state.errors.push_back("the run failed: " + reason);
  state.fallback_reason = reason;
  state.final_output = final_output_of(state);
  state.final_output["status"] = "failed";
  if (in_doubt) state.final_output["outcome"] = "unknown";
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

OperationsState initial_state(std::string input, std::vector<std::string> server_preferences) {
  OperationsState state;
  state.input = std::move(input);
  state.server_preferences = std::move(server_preferences);
  return state;
}

Task<AssistantOutcome> ask(OperationsState initial, graph::RunOptions options,
                           AssistantServices& services, Loop& loop, graph::GraphObserver* observer,
                           Reviewer reviewer, AssistantThread* thread) {
  const AssistantGraph& graph = operations_assistant();
  Past past;
  Task<AssistantOutcome> beginning =
      begin(std::move(initial), options, services, loop, observer, thread, past);
  AssistantOutcome outcome = co_await beginning;
  while (outcome.status == AssistantOutcome::kInterrupted) {
    graph::Checkpoint<OperationsState> waiting{std::move(*outcome.snapshot), true,
                                               std::move(past.notes)};
    past.notes.clear();
    const Json review = waiting.at.payload;
    std::optional<bool> approved = decided(waiting.notes, review);
    if (!approved) {
      approved = reviewer && reviewer(review);
      if (thread != nullptr) {
        graph::Note note = decision_note(waiting.at.node, review, *approved);
        const Status noted = co_await thread->add_note(std::move(note));
        static_cast<void>(noted);  // Without it the person is asked a second time: no harm.
      }
    }
    if (*approved) services.approvals.grant(string_or(review, "approval_id", ""));
    Json answer = answer_of(*approved);
    outcome = co_await graph.resume(std::move(waiting), std::move(answer), options, services, loop,
                                    observer, thread);
  }
  if (outcome.state.final_output.is_null()) give_up(outcome, past);
  co_return outcome;
}

}  // namespace plumbline::agents
