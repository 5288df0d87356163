#include "core/agents/chat/chat_graph.h"

#include <utility>
#include <vector>

#include "core/agents/chat/chat_nodes.h"
#include "core/base/check.h"
#include "core/graph/builder.h"

namespace plumbline::agents::chat {

namespace {

using graph::Send;

// runs_beside_others returns whether a call only reads, so that its place among such does not
// matter. What cannot be called does nothing.
bool runs_beside_others(const ChatState& state, const model::ToolCall& call) {
  const Offer* const offer = state.offer(call.name);
  if (offer == nullptr) return true;
  return offer->assessment.allowed() && !offer->assessment.changes_the_world &&
         !asks_for_secrets(state, call) && state.samplings_of(call.id).empty();
}

// after_planning sends the next calls on their way.
std::vector<Send> after_planning(const ChatState& state) {
  if (state.next_step != kToolExecution) return {Send(kSynthesis)};
  std::vector<Send> calls;
  for (const model::ToolCall* const call : state.open_calls()) {
    const bool beside = runs_beside_others(state, *call);
    if (!beside && !calls.empty()) break;
    calls.emplace_back(kToolExecution, Json{{"call", call->id}});
    if (!beside || calls.size() == kCallsParallelMax) break;
  }
  if (calls.empty()) calls.emplace_back(kSynthesis);
  return calls;
}

graph::GraphBuilder<ChatState, ChatServices> chat_builder() {
  graph::GraphBuilder<ChatState, ChatServices> out;
  out.add_node(kInput, input_node);
  out.add_node(kPlanning, planning_node);
  out.add_node(kToolExecution, tool_execution_node);
  out.add_node(kSynthesis, synthesis_node);
  out.add_edge(graph::kStart, kInput);
  out.add_edge(kInput, kPlanning);
  out.add_conditional_edges(kPlanning, after_planning,
                            {{"calls wanted", kToolExecution}, {"none", kSynthesis}});
  out.add_edge(kToolExecution, kPlanning);
  out.add_edge(kSynthesis, graph::kEnd);
  return out;
}

}  // namespace

const ChatGraph& chat_graph() {
  static const ChatGraph kGraph = [] {
    Result<ChatGraph> built = chat_builder().build();
    check(built.ok(), "the chat agent is a valid graph");
    return std::move(built).value();
  }();
  return kGraph;
}

}  // namespace plumbline::agents::chat
