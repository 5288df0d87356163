// Scenario is one scenario file, read and checked: a request, the servers it meets, what goes wrong
// and what is to come of it. It is parsed once and shared const by every world that runs it.
// docs/scenario-format.md describes the file.

#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/agents/policy.h"
#include "core/base/limits.h"
#include "core/base/time.h"
#include "core/json/json.h"
#include "fakes/http_rules.h"
#include "fakes/server_script.h"
#include "fakes/sim_loop.h"
#include "fakes/sim_pipe.h"
#include "scenarios/properties.h"
#include "scenarios/situations.h"

namespace plumbline::scenarios {

// Transport says what carries the messages of a world.
enum class Transport {
  kAny,     // The scenario does not mind; the runner chooses.
  kBytes,   // Lines over simulated pipes of simulated child processes: all of the real path.
  kValues,  // Json values as they are: the fast way.
  kHttp,    // Streamable HTTP over a simulated network.
  kSse,     // HTTP+SSE, as before 2025-03-26.
  kWebSocket,
};

struct ServerSpec {
  std::string name;
  fakes::ServerScript script;
  bool unavailable = false;              // Its command cannot be started.
  std::optional<fakes::HttpFront> http;  // What stands before it, over a network.
};

struct WorldSpec {
  Transport transport = Transport::kAny;
  Duration latency_min{};
  Duration latency_max{};
  fakes::Fragments fragments = fakes::Fragments::kWhole;
  fakes::Order order = fakes::Order::kFifo;
  Duration connect_timeout = limits::kConnectTimeout;
  Duration request_timeout = limits::kRequestTimeout;
};

// Fault breaks every stream that is open to a server.
struct Fault {
  enum class Verb {
    kStall,  // We hear nothing from it for a while; nothing is lost.
    kReset,  // It breaks in both directions.
  };
  std::string server;
  Verb verb = Verb::kReset;
  Duration at{};                           // Of the world's time.
  Duration lasts{};                        // Of kStall.
  std::optional<std::size_t> after_bytes;  // Instead of `at`: once we have read that many.
};

// Approve is what the person says when asked.
struct Approve {
  bool all = false;
  std::vector<std::string> names;  // "tool" or "server/tool"; each approves one call.
};

// Expect is what a run must come to. What is absent is not judged.
struct Expect {
  std::optional<std::string> status;
  std::optional<std::vector<std::string>> route;
  std::vector<std::string> route_contains;  // In this order; others may stand between.
  std::optional<std::string> selected;      // "server/name"; empty: nothing was selected.
  std::optional<std::int64_t> effects;
  std::map<std::string, std::int64_t> effects_of;  // By "server/tool".
  std::optional<std::string> intent;
  std::optional<std::int64_t> errors;  // How many.
  std::vector<std::string> errors_contain;
  std::optional<std::string> fallback_contains;
  std::vector<std::string> response_contains;
  std::vector<std::string> response_lacks;
  std::optional<std::string> context;  // The kind of the context_update; empty: there is none.
  std::optional<Json> arguments;       // Of the last tools/call or prompts/get, exactly.
  std::optional<std::int64_t> item_count;
  std::optional<std::int64_t> approvals_asked;
  std::map<std::string, std::int64_t> requests;   // Sent, by method.
  std::map<std::string, std::int64_t> starts;     // Connections opened, by server.
  std::map<std::string, std::int64_t> exchanges;  // Of HTTP, by "server METHOD".
  std::optional<Duration> virtual_max;
  std::optional<Duration> virtual_min;
};

struct Scenario {
  std::string id;
  std::string title;
  std::vector<std::string> tags;
  std::vector<std::string> sources;  // Where the failure that it plays was told.
  std::string file;                  // As it was named to the loader.
  std::string folder;                // The name of the folder it stands in: "basics".

  std::string input;
  std::vector<std::string> server_preferences;
  std::int64_t times = 1;  // How often the request is made, one after the other, in one world.
  Duration pause{};        // Before each time but the first.

  Approve approve;
  agents::Policy policy;
  Json policy_file;  // The same as it was written, for judges that read it themselves.
  std::vector<std::string> secrets;
  std::vector<ServerSpec> servers;
  WorldSpec world;
  std::vector<Fault> faults;
  std::vector<Property> properties;  // The file's "invariants".
  SituationSet sometimes;            // What a sweep has to meet.
  Expect expect;
};

}  // namespace plumbline::scenarios
