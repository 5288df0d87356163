// The operations assistant: discover what MCP servers offer, choose, validate, call, and put the
// result before the user; stop and ask a person for anything that could change the world.

#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/agents/agent.h"
#include "core/agents/operations/operations_graph.h"
#include "core/graph/thread_run.h"

namespace plumbline::agents {

using AssistantOutcome = graph::Outcome<OperationsState>;
using AssistantThread = graph::Thread<OperationsState>;

// initial_state returns what a run starts from.
OperationsState initial_state(std::string input, std::vector<std::string> server_preferences);

// Conversation is one request and the person who is asked about it.
//
// With a `thread` a request that died with its process goes on where its last checkpoint stands,
// and the initial state is only for one that is new. What a person has approved is not asked again.
// A call that would change something, and that may have been sent, is not sent again: it ends as
// needs_review, its outcome unknown.
class Conversation {
 public:
  // All must outlive it; `observer` and `thread` may be null.
  Conversation(graph::RunOptions options, AssistantServices& services, Loop& loop,
               graph::GraphObserver* observer, AssistantThread* thread);

  // start goes on until the request ends or waits for a person. resume goes on with the answer,
  // {"approve", "reason"?}.
  Task<void> start(OperationsState initial);
  Task<void> resume(Json answer);

  // review is what the person is asked, {"approval_id", "server", "type", "name", "arguments",
  // "risks", "reason"}; nullptr when the request has ended.
  const Json* review() const { return run_.asked() != nullptr ? &run_.asked()->what : nullptr; }

  // outcome is how the request ended. final_output is always set, also when the graph fails: then
  // its status is "failed".
  AssistantOutcome& outcome() { return run_.outcome(); }

 private:
  bool begun();
  void settle();

  graph::ThreadRun<OperationsState, AssistantServices> run_;
};

// Approves decides on a review, whether the call may run.
using Approves = std::function<bool(const Json& review)>;

// ask is a whole Conversation. Without `approves` nothing is approved.
Task<AssistantOutcome> ask(OperationsState initial, graph::RunOptions options,
                           AssistantServices& services, Loop& loop, graph::GraphObserver* observer,
                           Approves approves, AssistantThread* thread = nullptr);

}  // namespace plumbline::agents
