// AssistantServices is what the nodes of the operations assistant work with, and what bounds them.

#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <utility>

#include "core/agents/policy/policy.h"
#include "core/base/limits.h"
#include "core/base/time.h"
#include "core/connector/mcp_client.h"
#include "core/connector/retry/retry_strategies.h"
#include "core/model/model.h"

namespace plumbline::agents {

// assistant_retries returns when the assistant calls again: twice where a server says "not so
// fast", once where a connection was lost, after 1 s and 2 s, or what the server asks for.
inline connector::RetryStrategies assistant_retries() {
  connector::RetryStrategies out;
  for (connector::ErrorHandlingStrategy& strategy : out.strategies) strategy.retry = false;
  for (const auto& [category, times] : {std::pair(connector::ErrorCategory::kRateLimit, 2),
                                        std::pair(connector::ErrorCategory::kNetwork, 1)}) {
    out.of(category).retry = true;
    out.of(category).retries_max = times;
  }
  return out;
}

// AssistantLimits bounds what one request may cost.
struct AssistantLimits {
  int candidates_tried_max = 2;                              // The first choice and one other.
  connector::RetryStrategies retries = assistant_retries();  // Where a server's file says nothing.
  std::int64_t context_bytes_max = limits::kContextBytesMax;
  std::int64_t input_bytes_max = 16 << 10;
  Duration advice_max = std::chrono::seconds(10);  // What each of the model's may take.
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
  connector::McpClient& mcp;
  const Policy& policy;
  AssistantLimits limits;
  Approvals approvals;
  connector::RetryBudget* budget = nullptr;  // Of all its calls. Null: there is none.
  Rng* jitter = nullptr;                     // Draws the waits between tries. Null: none are drawn.
  model::Model* model = nullptr;  // Advises, where there is one; the words decide otherwise.
  // notify, when set, is told of each approval taken: the id. For traces.
  std::function<void(const std::string& id)> on_approved;

  AssistantServices(connector::McpClient& client, const Policy& rules)
      : mcp(client), policy(rules) {}
};

}  // namespace plumbline::agents
