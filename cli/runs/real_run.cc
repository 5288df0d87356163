#include "cli/runs/real_run.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "cli/options/version.h"
#include "cli/publish.h"
#include "cli/runs/effect_line.h"
#include "cli/runs/watched_spawner.h"
#include "core/agents/graph_tracer.h"
#include "core/base/wait.h"
#include "core/connector/mcp_hub.h"
#include "core/events/redacting_sink.h"
#include "core/mcp/transport/stdio_connector.h"
#include "core/os/child/environment.h"
#include "core/os/interrupt.h"
#include "core/os/wall_clock.h"
#include "fakes/world/effect_ledger.h"
#include "fakes/world/trace_recorder.h"
#include "scenarios/world/expectations.h"
#include "scenarios/world/outcome.h"
#include "scenarios/world/person.h"
#include "scenarios/world/runner.h"

namespace plumbline::cli {

namespace {

using scenarios::RunFailure;
using scenarios::Scenario;
using scenarios::ServerSpec;

// Longer waits are left to the simulation.
constexpr Duration kWaitMax = std::chrono::seconds(10);
// When a run that is on its way counts as hanging.
constexpr Duration kRunTimeMax = std::chrono::seconds(60);

bool counts_over_restarts(const ServerSpec& server) {
  return std::ranges::any_of(server.script.rules,
                             [](const fakes::Rule& rule) { return rule.nth.has_value(); });
}

// reason_to_skip returns why a process cannot show what `scenario` is about, empty when it can.
std::string reason_to_skip(const Scenario& scenario) {
  if (!scenario.faults.empty()) return "its faults are those of a simulated link";
  const scenarios::Transport transport = scenario.world.transport;
  if (transport != scenarios::Transport::kAny && transport != scenarios::Transport::kBytes) {
    return "its world asks for another transport than the pipes of a process";
  }
  const Duration takes = scenarios::run_scenario(scenario, {}).answered_after;
  if (takes <= kWaitMax) return "";
  return "it takes " + std::to_string(milliseconds_of(takes) / 1000) + " s, more than " +
         std::to_string(milliseconds_of(kWaitMax) / 1000) + " s are left to the simulation";
}

std::map<std::string, net::Command> commands_of(const Scenario& scenario) {
  std::map<std::string, net::Command> commands;
  for (const ServerSpec& server : scenario.servers) {
    std::vector<std::string> argv = {os::program_path(), "serve",    scenario.file,
                                     "--stdio",          "--server", server.name};
    if (server.unavailable) argv = {"plumbline-server-that-is-not-there"};
    commands.emplace(server.name, net::Command(std::move(argv)));
  }
  return commands;
}

connector::HubOptions hub_options_of(const Scenario& scenario) {
  connector::HubOptions options;
  for (const ServerSpec& server : scenario.servers) options.servers.push_back(server.name);
  options.connect_timeout = scenario.world.connect_timeout;
  options.request_timeout = scenario.world.request_timeout;
  return options;
}

// RealRun is one scenario from the beginning to the end.
class RealRun {
 public:
  RealRun(const Scenario& scenario, RealWorld& world)
      : scenario_(scenario),
        loop_(world.loop()),
        redactor_(scenarios::redactor_of(scenario)),
        invariants_(scenarios::rules_of(scenario, redactor_)),
        listeners_({&invariants_, &tally_}),
        events_(redactor_, listeners_),
        ledger_(loop_, events_),
        person_(scenario.approve, loop_, events_),
        watched_(world.spawner(), [this](const std::string& text) { take_effects(text); }),
        connector_(loop_, watched_, commands_of(scenario), limits::kStopGrace) {
    hub_.emplace(loop_, connector_, hub_options_of(scenario), redactor_, &events_);
  }

  // run returns nothing when the user interrupted it.
  std::optional<CheckResult> run() {
    const os::Interrupt interrupt(loop_, [this](int) { interrupted_ = true; });
    agents::GraphTracer tracer(loop_, events_);
    const std::unique_ptr<agents::Session> agent =
        scenario_.agent->open({loop_, *hub_, scenario_.policy, &tracer});
    Task<void> work = work_all(*agent);
    work.start();
    bool late = false;
    Alarm alarm([&late] { late = true; });
    loop_.arm(alarm, loop_.now() + kRunTimeMax);
    loop_.run_until([&] { return work.done() || late || interrupted_; });
    if (interrupted_) return std::nullopt;
    const bool done = work.done();
    work.drop();
    hub_.reset();  // The servers end, and their effects are known.
    return judge(done);
  }

 private:
  Task<void> work_all(agents::Session& agent) {
    for (std::int64_t time = 0; time < scenario_.times; ++time) {
      if (time > 0) co_await Sleep(loop_, after(loop_.now(), scenario_.pause));
      agents::Request request{redactor_.redact(scenario_.input), scenario_.server_preferences};
      agents::Reviewer reviewer = [this](const Json& review) { return person_.decide(review); };
      agents::Outcome outcome =
          co_await agents::ask(agent, std::move(request), std::move(reviewer));
      state_ = std::move(outcome.state);
      route_ = std::move(outcome.route);
      invariants_.check_state(state_);
      const auto number = static_cast<std::size_t>(time);
      for (RunFailure& failure : scenarios::check_answer(scenario_.expect, number, observed())) {
        of_answers_.push_back(std::move(failure));
      }
    }
    co_await hub_->close();
  }

  void take_effects(std::string_view text) {
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      if (std::optional<EffectLine> effect = read_effect_line(text.substr(0, end))) {
        ledger_.commit(std::move(effect->server), std::move(effect->tool), std::move(effect->key),
                       effect->idempotent);
      }
      text.remove_prefix(std::min(end + 1, text.size()));
    }
  }

  CheckResult judge(bool done) {
    CheckResult row;
    for (const ServerSpec& server : scenario_.servers) {
      if (watched_.started(server.name) < 2 || !counts_over_restarts(server)) continue;
      row.verdict = Verdict::kSkip;
      row.message = "server " + server.name + " counts over restarts, and a process forgets";
      return row;
    }
    if (done) invariants_.finish(loop_.now(), 0);
    std::vector<RunFailure> failures = invariants_.failures();
    std::ranges::move(of_answers_, std::back_inserter(failures));
    if (!done) failures.push_back({"invariant.falls-idle", "the request never ended"});
    if (done) {
      for (RunFailure& failure : check()) failures.push_back(std::move(failure));
    }
    row.outcome = scenarios::outcome_of(observed(), redactor_);
    for (const RunFailure& failure : failures) {
      row.verdict = Verdict::kFail;
      row.message += (row.message.empty() ? "" : "; ") + failure.check + ": " +
                     redactor_.redact(failure.message);
    }
    return row;
  }

  scenarios::Observed observed() const { return {state_, route_, ledger_, tally_, {}, {}}; }

  std::vector<RunFailure> check() {
    scenarios::Expect expect = scenario_.expect;
    expect.virtual_max.reset();
    expect.virtual_min.reset();
    scenarios::Observed observed = this->observed();
    for (const auto& [server, count] : expect.starts) {
      observed.starts.emplace(server, watched_.started(server));
    }
    return scenarios::check_expectations(expect, observed);
  }

  const Scenario& scenario_;
  os::RealLoop& loop_;
  Redactor redactor_;
  scenarios::Invariants invariants_;
  scenarios::Tally tally_;
  fakes::EventFanout listeners_;
  RedactingSink events_;
  fakes::EffectLedger ledger_;
  scenarios::Person person_;
  WatchedSpawner watched_;
  transport::StdioConnector connector_;
  std::optional<connector::McpHub> hub_;
  Json state_;
  std::vector<std::string> route_;
  std::vector<RunFailure> of_answers_;
  bool interrupted_ = false;
};

// judge_one returns the row of `scenario`, nothing when the user interrupted it.
std::optional<CheckResult> judge_one(const Scenario& scenario, RealWorld& world) {
  const Loop& clock = world.loop();
  const Instant start = clock.now();
  CheckResult skipped;
  skipped.verdict = Verdict::kSkip;
  skipped.message = reason_to_skip(scenario);
  std::optional<CheckResult> row = std::move(skipped);
  if (row->message.empty()) row = RealRun(scenario, world).run();
  if (!row) return row;
  row->id = scenario.id;
  row->area = scenario.folder;
  row->title = scenario.title;
  row->transport = "stdio";
  row->duration_ms = static_cast<double>((clock.now() - start).count() / 1'000) / 1'000.0;
  if (row->verdict == Verdict::kFail) row->reproduce = "plumbline run " + scenario.file + " --real";
  return row;
}

}  // namespace

int run_for_real(const std::vector<Scenario>& scenarios, const Common& common, Host& host) {
  const Loop& clock = host.world().loop();
  const Instant start = clock.now();
  host.hide_environment();
  Report report;
  report.version = kVersion;
  report.command = "run";
  report.target = Json{{"scenarios", scenarios.size()}, {"real", true}};
  report.started = os::wall_clock_rfc3339();
  for (const Scenario& scenario : scenarios) {
    std::optional<CheckResult> row = judge_one(scenario, host.world());
    if (!row) {
      publish(host, common, report);
      return kExitInterrupted;
    }
    if (common.verbose) host.tell_line(scenario.id + ": " + std::string(name_of(row->verdict)));
    report.results.push_back(std::move(*row));
  }
  report.duration_ms = static_cast<double>((clock.now() - start).count() / 1'000) / 1'000.0;
  return publish(host, common, report);
}

}  // namespace plumbline::cli
