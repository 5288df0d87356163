// AgentSettings are what holds for one agent, over what Settings say of all.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/time.h"
#include "core/connector/retry/retry_strategies.h"
#include "core/json/object_reader.h"

namespace plumbline::cli {

// AgentSettings is what a file says of one agent, beside where it is: of that of an agent its
// "connection" and "capabilities", of an entry of mcpServers the same below "plumbline".
struct AgentSettings {
  std::optional<connector::RetryStrategies> retries;  // Nothing: it is tried once.
  std::optional<Duration> timeout;  // Of opening a connection; nothing: as Settings say.
  // The methods it may be asked; an empty list allows none. Nothing: all.
  std::optional<std::vector<std::string>> capabilities;
};

// read_agent_settings reads "connection" and "capabilities" of `fields`.
AgentSettings read_agent_settings(ObjectReader& fields);

// agent_settings_shape is the JSON Schema of an object of these.
Json agent_settings_shape();

}  // namespace plumbline::cli
