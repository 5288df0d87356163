// AssistantServices is what the nodes of the operations assistant work with, and what bounds them.

#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string>

#include "core/agents/policy/policy.h"
#include "core/base/limits.h"
#include "core/base/time.h"
#include "core/connector/mcp_client.h"

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
  connector::McpClient& mcp;
  const Policy& policy;
  AssistantLimits limits;
  Approvals approvals;
  // notify, when set, is told of each approval taken: the id. For traces.
  std::function<void(const std::string& id)> on_approved;

  AssistantServices(connector::McpClient& client, const Policy& rules)
      : mcp(client), policy(rules) {}
};

}  // namespace plumbline::agents
