// FleetSpec is a fleet of agents behind one connector, as a scenario file says it under "fleet":
// how many there are, who asks how much of them, what goes wrong, and what is to come of it.

#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/time.h"
#include "core/connector/agent_connector.h"

namespace plumbline::scenarios {

// FleetTrouble is one thing that goes wrong with some of the agents, or with their registry.
struct FleetTrouble {
  enum class What {
    kDown,
    kHangs,
    kHalf,
    kSlow,
    kThrottled,
    kCertificate,
    kRestarts,      // At once: with new tools.
    kChangesTools,  // At once: it goes on, and tells.
    kIsRemoved,     // Out of the configuration, and back in when it is over.
    kRegistryHangs,
    kRegistryLies,
    kRegistryShrinks,
  };

  What what = What::kDown;
  std::size_t first = 0;  // Of the agents, and the last.
  std::size_t last = 0;
  Duration at{};
  Duration lasts{};
  Duration every{};   // Zero: once.
  Duration spread{};  // Each agent begins later than `at` by what is drawn of this.
  Duration by{};      // Of kSlow.
};

inline constexpr std::array<std::string_view, 12> kFleetTroubles = {
    "down",       "hangs",          "half",          "slow",
    "throttled",  "certificate",    "restarts",      "changes_tools",
    "is_removed", "registry_hangs", "registry_lies", "registry_shrinks"};

// FleetCaller asks on behalf of one principal: so many calls a second, or with so many workers,
// each of which calls again as soon as it has an answer.
struct FleetCaller {
  std::string name;
  double calls_per_second = 0;
  std::int64_t workers = 0;
  bool changes_things = false;  // Its calls may not be repeated.
};

struct FleetExpect {
  std::optional<std::int64_t> answered_percent_min;
  std::optional<Duration> recovers_max;              // All agents, after everything is healed.
  std::optional<std::int64_t> recovery_percent_max;  // From the trouble on, of how long it lasted.
  std::optional<std::int64_t> connections_percent_max;  // Opened after it, of those needed.
  std::optional<std::int64_t> unfair_percent_max;       // Of what callers with workers got.
};

struct FleetSpec {
  std::size_t agents = 0;
  Duration lasts{};
  Duration heals{};  // When all troubles end.
  Duration latency = std::chrono::milliseconds(5);
  Duration call_time_max = std::chrono::seconds(20);
  std::vector<FleetCaller> callers;
  std::vector<FleetTrouble> troubles;
  std::optional<Duration> registry_every;  // How often a registry is asked which agents there are.
  connector::ConnectorOptions connector;
  FleetExpect expect;
};

}  // namespace plumbline::scenarios
