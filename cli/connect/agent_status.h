// AgentStatus is how the connection to one agent is, seen by opening one.

#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/base/loop.h"
#include "core/base/task.h"
#include "core/connector/retry/retry_strategies.h"
#include "core/connector/states/connection_state.h"
#include "core/connector/trial/agent_door.h"
#include "core/connector/trial/connection_tests.h"
#include "core/json/json.h"

namespace plumbline::cli {

struct AgentStatus {
  std::string agent;
  connector::ConnectionState state = connector::ConnectionState::kDisconnected;
  Duration since{};  // The beginning of the look, in that state.
  std::string last_error;
  std::string health =
      "unknown";             // Or healthy, degraded (slow, or a list is not whole), unhealthy.
  Duration response_time{};  // Of a request on the open connection.
  std::string revision;
  std::string name;     // As it calls itself.
  std::string version;  // Likewise.
  std::size_t tools = 0;
  std::size_t resources = 0;
  std::size_t prompts = 0;
  std::int64_t looks = 0;     // How often it was looked at,
  std::int64_t failures = 0;  // and how often it did not become ready.
  std::string last_check;     // When it was looked at last, as RFC 3339 writes it; empty: never.

  // error_rate returns how many of the looks failed, in percent.
  double error_rate() const {
    constexpr double kPercent = 100;
    return looks == 0 ? 0 : kPercent * static_cast<double>(failures) / static_cast<double>(looks);
  }
};

// look_at opens a connection to the agent, asks it what it can do, and closes it again; what could
// not be opened is tried again as `retries` say. `status` is changed on the way, and `on_change`
// told of each new state. All references must outlive it.
Task<void> look_at(Loop& loop, connector::AgentDoor& door, connector::TrialOptions options,
                   std::optional<connector::RetryStrategies> retries, AgentStatus& status,
                   std::function<void()> on_change);

Json to_json(const AgentStatus& status);

// status_table returns a line of headings, and one for each agent, none longer than `columns`.
std::string status_table(const std::vector<AgentStatus>& agents, std::size_t columns);

}  // namespace plumbline::cli
