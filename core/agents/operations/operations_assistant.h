// The operations assistant: discover what MCP servers offer, choose, validate, call, and put the
// result before the user; stop and ask a person for anything that could change the world.
//
//   START -> preprocess_request -> classify_intent -> discover_capabilities -> select_capability
//         -> validate_capability -> build_mcp_request -> invoke_mcp_capability -> integrate_result
//         -> generate_final_response -> END
//
// with answer_without_mcp and mark_needs_review as the ways out. `plumbline graph` draws it.

#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/agents/operations/operations_state.h"
#include "core/agents/operations/policy.h"
#include "core/base/limits.h"
#include "core/connector/mcp_client.h"
#include "core/graph/checkpoint.h"
#include "core/graph/graph.h"

namespace plumbline::agents {

// AssistantLimits bounds what one request may cost.
struct AssistantLimits {
  int candidates_tried_max = 2;  // The first choice and one other.
  int rate_limit_retries_max = 2;
  int transport_retries_max = 1;
  Duration retry_delay = std::chrono::seconds(1);  // Doubled each time; a server may ask for more.
  Duration retry_delay_max = std::chrono::seconds(30);
  std::int64_t context_bytes_max = limits::kContextBytesMax;
  std::int64_t input_bytes_max = 16 << 10;
};

// Approvals are the calls that were approved and have not run. Taking one uses it up: an approval
// that is replayed does nothing.
class Approvals {
 public:
  void grant(std::string id) { granted_.insert(std::move(id)); }

  // take returns whether `id` was granted and not used, and uses it up.
  bool take(const std::string& id) {
    if (granted_.erase(id) == 0) return false;
    used_.insert(id);
    return true;
  }

  bool used(const std::string& id) const { return used_.contains(id); }

 private:
  std::set<std::string> granted_;
  std::set<std::string> used_;
};

// AssistantServices is what the nodes work with. References must outlive the run.
struct AssistantServices {
  McpClient& mcp;
  const Policy& policy;
  AssistantLimits limits;
  Approvals approvals;
  // notify, when set, is told of each approval taken: the id. For traces.
  std::function<void(const std::string& id)> on_approved;

  AssistantServices(McpClient& client, const Policy& rules) : mcp(client), policy(rules) {}
};

using AssistantGraph = graph::Graph<OperationsState, AssistantServices>;
using AssistantOutcome = graph::Outcome<OperationsState>;
using AssistantThread = graph::Thread<OperationsState>;

// operations_assistant returns the graph, built once a process. Safe to share between threads.
const AssistantGraph& operations_assistant();

// initial_state returns what a run starts from.
OperationsState initial_state(std::string input, std::vector<std::string> server_preferences);

// Reviewer decides on one interrupted call. `review` is the interrupt's payload:
//   {"approval_id", "server", "type", "name", "arguments", "risks", "reason"}
// It returns whether the call may run.
using Reviewer = std::function<bool(const Json& review)>;

// ask runs one request to its final output. An interrupt is put before `reviewer`; without one, or
// when it says no, the request ends as needs_review and nothing is sent. final_output is always
// set, also when the graph fails: then its status is "failed".
//
// With a `thread`, which must outlive the Task, a request that died with its process goes on where
// its last checkpoint stands, and `initial` is only for one that is new. What a person has approved
// is not asked again. A call that would change something, and that may have been sent, is not sent
// again: it ends as needs_review, its outcome unknown.
Task<AssistantOutcome> ask(OperationsState initial, graph::RunOptions options,
                           AssistantServices& services, Loop& loop, graph::GraphObserver* observer,
                           Reviewer reviewer, AssistantThread* thread = nullptr);

}  // namespace plumbline::agents
