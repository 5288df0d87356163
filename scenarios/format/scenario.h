// Scenario is one scenario file, read and checked: a request, the servers it meets, what goes wrong
// and what is to come of it. It is parsed once and shared const by every world that runs it.
// docs/scenario-format.md describes the file.

#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/agents/all/agents.h"
#include "core/base/limits.h"
#include "core/base/time.h"
#include "core/json/json.h"
#include "core/mcp/protocol/revision.h"
#include "core/mcp/protocol/transports.h"
#include "fakes/model/model_script.h"
#include "fakes/peers/server_script.h"
#include "fakes/proxy/http_rules.h"
#include "fakes/world/sim_loop.h"
#include "fakes/world/sim_pipe.h"
#include "scenarios/format/authorization.h"
#include "scenarios/judge/properties.h"
#include "scenarios/judge/situations.h"
#include "scenarios/spec/client_script.h"
#include "scenarios/spec/fleet_spec.h"
#include "scenarios/spec/inner_faults.h"
#include "scenarios/spec/shell_spec.h"

namespace plumbline::scenarios {

// Transport says what carries the messages of a world.
enum class Transport {
  kAny,     // The scenario does not mind; the runner chooses.
  kBytes,   // Lines over simulated pipes of simulated child processes: all of the real path.
  kValues,  // Json values as they are: the fast way.
  kHttp,    // Streamable HTTP over a simulated network.
  kSse,     // HTTP+SSE, as before 2025-03-26.
  kWebSocket,
  kAuto,  // Over that network, too: the client finds out what each server has.
};

// web_transport returns what a server has over a simulated network that says nothing else, nothing
// where there is no network. Of kAuto it is Streamable HTTP.
std::optional<mcp::Transport> web_transport(Transport transport);

struct ServerSpec {
  std::string name;
  fakes::ServerScript script;
  bool unavailable = false;              // Its command cannot be started.
  std::optional<fakes::HttpFront> http;  // What stands before it, over a network.
  std::optional<mcp::Transport> has;     // Of kAuto: what it serves. Nothing: Streamable HTTP.
  std::optional<AuthorizationSpec> authorization;  // What lets in only who shows a token.
  Duration joins{};                // When it comes into the configuration of every agent,
  std::optional<Duration> leaves;  // and when it goes out of it, of the world's time.
};

// served_over returns what `server` serves in a world of `transport`, which has a network.
mcp::Transport served_over(const ServerSpec& server, Transport transport);

struct WorldSpec {
  Transport transport = Transport::kAny;
  Duration latency_min{};
  Duration latency_max{};
  Duration latency_tail{};  // Of latency_tail_percent of the messages.
  int latency_tail_percent = 0;
  std::int64_t bytes_per_s = 0;  // Of each direction of a stream; 0: any number.
  fakes::Fragments fragments = fakes::Fragments::kWhole;
  fakes::Order order = fakes::Order::kFifo;
  fakes::Schedule schedule;  // Of kChosen.
  Duration connect_timeout = limits::kConnectTimeout;
  Duration request_timeout = limits::kRequestTimeout;
  mcp::Revision revision = mcp::kLatestStateful;          // The one that the client prefers.
  std::size_t line_bytes_max = limits::kMessageBytesMax;  // That the client reads of a child.
  friend bool operator==(const WorldSpec&, const WorldSpec&) = default;
};

// Fault is one thing that goes wrong between us and a server. Which verb takes what is in
// fault_verbs.h; what it does not take stays at its default.
struct Fault {
  enum class Verb {
    kStall,      // Open streams from it are silent for a while; nothing is lost.
    kReset,      // Its streams break in both directions.
    kHalfClose,  // One direction of its open streams ends in order.
    kRefuse,     // It cannot be started or dialled for a while.
    kPartition,  // It is cut off for a while, new streams and dials included; nothing is lost.
    kClog,       // Every stream of it slows to a trickle for a while.
    kHold,       // What it says is kept back for a while and comes together.
    kDelay,      // One write takes longer.
    kThrottle,   // Its streams have little bandwidth for a while.
    kFragment,   // Its streams are cut and joined anywhere for a while.
    kKill,       // It crashes; it can be started again, after `lasts`.
  };
  enum class Way { kFrom, kTo, kBoth };  // As seen from us: from the server, to it.

  std::string server;
  Verb verb = Verb::kReset;
  Duration at{};                           // Of the world's time.
  Duration lasts{};                        // kForever: it never ends.
  std::optional<std::size_t> after_bytes;  // Instead of `at`: once a stream has carried that many.
  std::int64_t nth = 0;                    // Of the writes, or of the streams; 0: every stream.
  std::int64_t bytes_per_s = 0;
  Way way = Way::kFrom;
  friend bool operator==(const Fault&, const Fault&) = default;
};

inline constexpr std::size_t kVerbCount = 11;
inline constexpr Duration kForever = Duration::max();

// Approve is what the person says when asked.
struct Approve {
  bool all = false;
  std::vector<std::string> names;  // "tool" or "server/tool"; each approves one call.
  std::vector<Json> answers;       // Said first, one each time, whatever is asked.
};

// Count is how often something is to happen: so often, or at most so often.
struct Count {
  std::int64_t number = 0;
  bool at_most = false;

  bool allows(std::int64_t seen) const { return at_most ? seen <= number : seen == number; }
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
  std::optional<std::int64_t> commands_run;  // Here and on other machines.
  std::optional<std::int64_t> approvals_asked;
  std::map<std::string, Count> requests;   // Sent, by method.
  std::map<std::string, Count> starts;     // Connections opened, by server.
  std::map<std::string, Count> exchanges;  // Of HTTP, by "server METHOD".
  std::optional<Duration> virtual_max;
  std::optional<Duration> virtual_min;
  std::map<std::string, std::int64_t> kept;  // By a server of ours, when its clients are done.
  std::vector<Expect> each;  // Of the first requests of `times`: what their answers come to.
};

// RuleSite is one rule of a server: in "on", or of what stands before it.
struct RuleSite {
  std::string where;  // "file:line:column".
  std::string label;  // "rule 2 of "files" (tools/call)".
  bool never = false;
};

// AgentSpec is one agent of a world, as a process is: it has connections, checkpoints and crashes
// of its own, and answers one request after the other.
struct AgentSpec {
  std::string name;  // Empty where the file names none.
  const agents::Agent* agent = &agents::default_agent();
};

// UserSpec is one who asks.
struct UserSpec {
  std::string name;       // Empty where the file names none.
  std::size_t agent = 0;  // In Scenario::agents: who is asked.
  std::string input;
  std::vector<std::string> then;  // What is asked after that, in the same conversation.
  std::vector<std::string> server_preferences;
  std::int64_t times = 1;  // How often the request is made, one after the other, in one world.
  Duration pause{};        // Before each time but the first.
  Duration begins{};       // Of the world's time.
  Approve approve;
  Expect expect;  // Of these requests, where the file has "users"; else see Scenario::expect.

  // input_of returns what request number `number` asks, from 1.
  const std::string& input_of(std::int64_t number) const {
    return number == 1 || then.empty() ? input : then[static_cast<std::size_t>(number) - 2];
  }
};

struct Scenario {
  std::string id;
  std::string title;
  std::vector<std::string> tags;
  std::vector<std::string> sources;  // Where the failure that it plays was told.
  Json document;                     // The file as it was read.
  std::string file;                  // As it was named to the loader.
  std::string folder;                // The name of the folder it stands in: "basics".

  std::vector<AgentSpec> agents;  // At least one, as of the users.
  std::vector<UserSpec> users;

  std::optional<fakes::ModelScript> model;  // What each agent thinks with,
  std::vector<fakes::ModelScript> models;   // and the others that one may ask, by their names.
  std::optional<ShellSpec> shell;           // What commands run on. Nothing: none do.
  agents::Policy policy;
  Json policy_file;  // The same as it was written, for judges that read it themselves.
  std::vector<std::string> secrets;
  std::vector<ServerSpec> servers;
  SignInSpec sign_in;                 // Where a server has an authorization.
  std::vector<ClientScript> clients;  // Not empty: a server of ours is what is put to the test.
  std::optional<FleetSpec> fleet;     // Set: a connector before so many agents is.
  WorldSpec world;
  std::vector<Fault> faults;
  InnerFaults inner;
  std::vector<Property> properties;   // The file's "invariants".
  SituationSet sometimes;             // What a sweep has to meet.
  Expect expect;                      // Of the run; where one user asks, of the answers, too.
  std::vector<std::string> warnings;  // What it hardly means, "file:line:column: ..." each.
  std::vector<RuleSite> rules;        // Server by server, those of "on" first.

  // has_agent returns whether an agent is put to the test, and not what clients or fleets are.
  bool has_agent() const { return clients.empty() && !fleet; }

  // has_authorization returns whether a server lets in only who shows a token.
  bool has_authorization() const {
    return std::ranges::any_of(
        servers, [](const ServerSpec& server) { return server.authorization.has_value(); });
  }

  // rule_of returns what is known of rule `index` of "on" of `server`, or of what stands before it;
  // nullptr: there is none.
  const RuleSite* rule_of(std::string_view server, std::size_t index, bool of_http) const;

  // names_users returns whether the file has "users", however many.
  bool names_users() const { return !users.front().name.empty(); }
  const Expect& expect_of(const UserSpec& user) const {
    return names_users() ? user.expect : expect;
  }
};

}  // namespace plumbline::scenarios
