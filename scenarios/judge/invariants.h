// Invariants are what must hold in every run, whatever the scenario expects. They watch the events
// of the run and its final state, and share no protocol code with what they judge: what a message
// or a policy means is read here a second time.

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/limits.h"
#include "core/base/time.h"
#include "core/events/trace_event.h"
#include "core/json/json.h"
#include "core/json/redactor.h"
#include "scenarios/judge/route_map.h"

namespace plumbline::scenarios {

// RunFailure is one thing wrong with a run.
struct RunFailure {
  std::string check;    // "invariant.falls-idle", "expect.status".
  std::string message;  // What was seen, what was expected.
  // What it is about, by its name: the user whose expectation it is, the rule of the specification.
  std::string about{};
  friend bool operator==(const RunFailure&, const RunFailure&) = default;
};

// is_liveness returns whether what is wrong is that something never ended.
inline bool is_liveness(const RunFailure& failure) {
  return failure.check.starts_with("liveness.");
}

struct InvariantInfo {
  std::string_view id;
  std::string_view what;  // One sentence.
};

// kNoAbort is the one that no run can judge of itself: who runs it in another process does.
inline constexpr std::string_view kNoAbort = "invariant.no-abort";

// kLetsGo is that of a server of ours, where the scenario has clients.
inline constexpr std::string_view kLetsGo = "invariant.lets-go";

// all_invariants returns every invariant, in the order in which they are reported.
std::span<const InvariantInfo> all_invariants();

// InvariantRules is what a run is held to. References must outlive the Invariants.
struct InvariantRules {
  explicit InvariantRules(const agents::Agent& agent)
      : routes(routes_of(agent)),
        state_fields(agent.state_fields()),
        steps_max(agent.bounds().steps_max),
        calls_max(agent.bounds().calls_max),
        answers_max(agent.bounds().answers_max) {}

  const RouteMap& routes;
  std::span<const std::string_view> state_fields;  // That the final state has.
  const Redactor* secrets = nullptr;               // Null when the scenario declares none.

  // Patterns "server/name" with * of the policy file: what may change the world unasked, and what
  // takes that back.
  std::vector<std::string> allow;
  std::vector<std::string> not_allowed;

  std::int64_t steps_max;             // Nodes visited by one request.
  std::int64_t attempts_max = 8;      // Of one visit.
  std::int64_t calls_max;             // tools/call, resources/read, prompts/get of one request.
  std::int64_t answers_max;           // Of models, in one request.
  std::int64_t requests_max = 2'000;  // Of the run.
  Duration backoff_max = std::chrono::minutes(1);  // Between two calls of one request.
  Duration virtual_max = std::chrono::minutes(15);
  std::int64_t context_bytes_max = limits::kContextBytesMax;
};

class Invariants final : public EventSink {
 public:
  explicit Invariants(InvariantRules rules) : rules_(std::move(rules)) {}

  // implements EventSink ---
  void on_event(const TraceEvent& event) override;

  // node_started and edge_taken are kNodeStarted and kEdgeTaken for a run whose events nobody else
  // wants: the details are not built.
  void node_started(std::string_view node, std::int64_t attempt);
  void edge_taken(std::string_view from, std::string_view to);

  // restarted tells that the orchestrator has died and goes on at `nodes`, none for the start.
  void restarted(std::vector<std::string> nodes) {
    outer_ = Level{std::move(nodes)};
    inner_.clear();
    restarted_ = true;
  }

  // request_begins stands before each request of the user: what was asked for again may happen
  // again.
  void request_begins() { ++asked_; }

  // check_state judges the final state of one request, as agents::Outcome has it.
  void check_state(const Json& state);

  // finish judges what is left when the world was given its time to fall idle: `timers` that are
  // still armed, at `now`.
  void finish(Instant now, std::size_t timers);

  // check_text judges what goes into a report.
  void check_text(std::string_view where, std::string_view text);

  // failures returns the first failure of each invariant.
  const std::vector<RunFailure>& failures() const { return failures_; }

 private:
  // OpenRequest has started and not ended.
  struct OpenRequest {
    std::string who;
    std::int64_t id = 0;
    std::string method;
  };
  // Barred is what an authentication or authorization failure forbids from then on.
  struct Barred {
    std::string who;     // Empty: every server.
    std::string method;  // Empty: every method.
  };
  // Level is the graph, or a subgraph: the nodes of the step that runs, and those that edges have
  // led to since. One that went on in another process may begin anywhere.
  struct Level {
    std::vector<std::string> here{};
    std::vector<std::string> next{};
    bool anywhere = false;
  };
  struct Committed {
    std::string label;  // "server/tool".
    std::string key;
    std::int64_t count = 0;
  };

  Level& level_of(std::string_view node);
  void fail(std::string_view id, std::string message);
  void on_request_started(const TraceEvent& event);
  void on_request_ended(const TraceEvent& event);
  void on_message(const TraceEvent& event);
  void on_approval(const TraceEvent& event);
  void on_effect(const TraceEvent& event);
  void check_readable(std::string_view where, const Json& value);
  void check_shape(const Json& state);
  std::vector<OpenRequest>::iterator find_open(std::string_view who, std::int64_t id);

  InvariantRules rules_;
  Level outer_;
  std::map<std::string, Level, std::less<>> inner_;  // By "outer/".
  bool restarted_ = false;
  std::int64_t steps_ = 0;
  std::int64_t calls_ = 0;
  std::int64_t requests_ = 0;
  std::int64_t asked_ = 0;  // By the user.
  std::optional<Instant> call_ended_;
  std::vector<OpenRequest> open_;
  std::vector<Barred> barred_;
  std::vector<std::string> approved_;  // Labels, once for each approval.
  std::vector<Committed> committed_;
  std::vector<RunFailure> failures_;
};

// speaks_of_auth returns whether a JSON-RPC response says that the client is not known or not
// allowed: by its code, by an HTTP status in its data, by its words, or by those of a result with
// isError.
bool speaks_of_auth(const Json& response);

// request_number returns the number of the request that a message names, 7 or "7"; -1 for none.
std::int64_t request_number(const Json& message);

// unreadable returns why a model cannot read `text`, empty when it can.
std::string unreadable(std::string_view text);

}  // namespace plumbline::scenarios
