#include "cli/runs/real_run.h"

#include <algorithm>
#include <chrono>
#include <deque>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "cli/options/version.h"
#include "cli/publish.h"
#include "cli/runs/effect_line.h"
#include "cli/runs/real_servers.h"
#include "core/agents/graph_tracer.h"
#include "core/base/task_group.h"
#include "core/base/turns.h"
#include "core/base/wait.h"
#include "core/connector/mcp_hub.h"
#include "core/os/interrupt.h"
#include "core/os/wall_clock.h"
#include "fakes/world/effect_ledger.h"
#include "scenarios/world/expectations.h"
#include "scenarios/world/outcome.h"
#include "scenarios/world/person.h"
#include "scenarios/world/run_watch.h"
#include "scenarios/world/runner.h"
#include "scenarios/world/world.h"

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

std::vector<std::string> names_of(const std::vector<ServerSpec>& servers) {
  std::vector<std::string> names;
  for (const ServerSpec& server : servers) names.push_back(server.name);
  return names;
}

// reason_to_skip returns why processes cannot show what `scenario` is about, empty when they can.
std::string reason_to_skip(const Scenario& scenario, mcp::Transport over) {
  std::string reason = needs_simulation(scenario);
  if (reason.empty()) reason = cannot_carry(scenario, over);
  if (!reason.empty()) return reason;
  const Duration takes = scenarios::run_scenario(scenario, {}).answered_after;
  if (takes <= kWaitMax) return "";
  return "it takes " + std::to_string(milliseconds_of(takes) / 1000) + " s, more than " +
         std::to_string(milliseconds_of(kWaitMax) / 1000) + " s are left to the simulation";
}

// RealAgent is one agent at work, with connections of its own.
struct RealAgent {
  RealAgent(const Scenario& scenario, const scenarios::AgentSpec& spec, RealServers& servers,
            const Redactor& redactor, Loop& loop, EventSink& events)
      : hub(std::in_place, loop, servers.connector(),
            scenarios::hub_options(names_of(scenario.servers), scenario.world), redactor, &events),
        tracer(loop, events),
        turns(loop) {
    if (scenario.model) model.emplace(loop, *scenario.model);
    session = spec.agent->open({loop, *hub, scenario.policy, &tracer, model ? &*model : nullptr});
  }

  std::optional<connector::McpHub> hub;
  agents::GraphTracer tracer;
  std::optional<fakes::ScriptedModel> model;
  std::unique_ptr<agents::Session> session;
  Turns turns;  // Of the requests.
};

// RealUser is one user, and what came of their requests.
struct RealUser {
  RealUser(const scenarios::UserSpec& its_spec, scenarios::Person its_person)
      : spec(its_spec), person(std::move(its_person)) {}

  const scenarios::UserSpec& spec;
  scenarios::Person person;
  Json state;
  std::vector<std::string> route;
  std::vector<RunFailure> of_answers;
};

// RealRun is one scenario from the beginning to the end.
class RealRun {
 public:
  RealRun(const Scenario& scenario, mcp::Transport over, RealWorld& world)
      : scenario_(scenario),
        loop_(world.loop()),
        redactor_(scenarios::redactor_of(scenario)),
        watch_(scenario, redactor_, {.conversations = false, .redacts = true}, {&tally_}),
        ledger_(loop_, watch_.world()),
        over_(over),
        servers_(scenario, over, world, watch_.world(),
                 [this](const std::string& text) { take_effects(text); }) {
    for (std::size_t i = 0; i < scenario.agents.size(); ++i) {
      agents_.emplace_back(scenario, scenario.agents[i], servers_, redactor_, loop_,
                           *watch_.agents()[i]);
      if (!scenario.model) continue;
      agents_.back().model->on_prompt(
          [this, i](const model::Prompt& prompt) { watch_.judges(i).model().on_prompt(prompt); });
    }
    for (const scenarios::UserSpec& user : scenario.users) {
      scenarios::Person person(user.approve, loop_, *watch_.agents()[user.agent],
                               user.name.empty() ? "person" : user.name);
      users_.emplace_back(user, std::move(person));
    }
  }

  // run returns nothing when the user interrupted it.
  std::optional<CheckResult> run() {
    const os::Interrupt interrupt(loop_, [this](int) { interrupted_ = true; });
    Task<void> work = work_all();
    work.start();
    bool late = false;
    Alarm alarm([&late] { late = true; });
    loop_.arm(alarm, loop_.now() + kRunTimeMax);
    loop_.run_until([&] { return work.done() || late || interrupted_; });
    if (interrupted_) return std::nullopt;
    const bool done = work.done();
    work.drop();
    for (RealAgent& agent : agents_) agent.hub.reset();
    servers_.end();  // Now their effects are known.
    return judge(done);
  }

 private:
  Task<void> work_all() {
    {
      TaskGroup everybody;
      for (RealUser& user : users_) everybody.spawn(serve(user));
      co_await everybody.join(loop_);
    }
    for (RealAgent& agent : agents_) co_await agent.hub->close();
    co_await servers_.close();
  }

  Task<void> serve(RealUser& user) {
    RealAgent& agent = agents_[user.spec.agent];
    co_await Sleep(loop_, after(loop_.now(), user.spec.begins));
    for (std::int64_t time = 0; time < user.spec.times; ++time) {
      if (time > 0) co_await Sleep(loop_, after(loop_.now(), user.spec.pause));
      const Turns::Turn turn = co_await agent.turns.take();
      const std::string input = user.spec.input_of(time + 1);
      watch_.request_begins(user.spec.agent, redactor_.redact(input));
      agents::Request request{input, user.spec.server_preferences, user.spec.name};
      agents::Reviewer reviewer = [&user](const Json& review) {
        return user.person.answer(review);
      };
      agents::Outcome outcome =
          co_await agents::ask(*agent.session, std::move(request), std::move(reviewer));
      user.state = std::move(outcome.state);
      redactor_.contain(user.state);  // As whatever shows it does.
      user.route = std::move(outcome.route);
      watch_.judges(user.spec.agent).invariants().check_state(user.state);
      const auto number = static_cast<std::size_t>(time);
      const scenarios::Expect& expect = scenario_.expect_of(user.spec);
      for (RunFailure& failure : scenarios::check_answer(expect, number, observed(user))) {
        user.of_answers.push_back(std::move(failure));
      }
    }
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
      // Each agent starts a process of its own over pipes.
      const auto usual =
          static_cast<std::int64_t>(over_ == mcp::Transport::kStdio ? scenario_.agents.size() : 1U);
      if (servers_.started(server.name) <= usual || !counts_over_restarts(server)) continue;
      row.verdict = Verdict::kSkip;
      row.message = "server " + server.name + " counts over restarts, and a process forgets";
      return row;
    }
    if (done) watch_.finish(loop_.now(), 0);
    std::vector<RunFailure> failures = watch_.failures();
    if (!done) failures.push_back({"invariant.falls-idle", "the request never ended"});
    if (done) add_expectations(failures);
    row.outcome = outcome();
    for (const RunFailure& failure : failures) {
      row.verdict = Verdict::kFail;
      row.message += (row.message.empty() ? "" : "; ") + failure.check + ": " +
                     redactor_.redact(failure.message);
    }
    return row;
  }

  Json outcome() const {
    if (!scenario_.names_users()) return scenarios::outcome_of(observed(users_[0]), redactor_);
    Json out = scenarios::outcome_of(observed_of_all(), redactor_);
    for (const RealUser& user : users_) {
      scenarios::add_user(out, user.spec.name, observed(user), redactor_);
    }
    return out;
  }

  scenarios::Observed observed(const RealUser& user) const {
    scenarios::Observed seen{user.state, user.route, ledger_, tally_, {}, {}, {}, {}};
    if (scenario_.names_users()) seen.approvals_asked = user.person.asked();
    return seen;
  }
  scenarios::Observed observed_of_all() const {
    static const Json kNone;
    static const std::vector<std::string> kNowhere;
    return {kNone, kNowhere, ledger_, tally_, {}, {}, {}, {}};
  }

  // The two about virtual time are left out, and over sockets "starts", which count sessions there.
  void add_expectations(std::vector<RunFailure>& failures) const {
    for (const RealUser& user : users_) {
      const std::string whose = user.spec.name.empty() ? "" : user.spec.name + ": ";
      std::vector<RunFailure> own = user.of_answers;
      if (scenario_.names_users()) {
        scenarios::Expect expect = user.spec.expect;
        expect.virtual_max.reset();
        expect.virtual_min.reset();
        std::ranges::move(scenarios::check_expectations(expect, observed(user)),
                          std::back_inserter(own));
      }
      for (RunFailure& failure : own) failures.push_back({failure.check, whose + failure.message});
    }
    scenarios::Expect expect = scenario_.expect;
    expect.virtual_max.reset();
    expect.virtual_min.reset();
    if (over_ != mcp::Transport::kStdio) expect.starts.clear();
    scenarios::Observed seen = scenario_.names_users() ? observed_of_all() : observed(users_[0]);
    for (const auto& [server, count] : expect.starts) {
      seen.starts.emplace(server, servers_.started(server));
    }
    for (const auto& [label, count] : expect.exchanges) {
      seen.exchanges.emplace(label, servers_.exchanges(label));
    }
    std::ranges::move(scenarios::check_expectations(expect, seen), std::back_inserter(failures));
  }

  const Scenario& scenario_;
  os::RealLoop& loop_;
  Redactor redactor_;
  scenarios::Tally tally_;
  scenarios::RunWatch watch_;
  fakes::EffectLedger ledger_;
  mcp::Transport over_;
  RealServers servers_;
  std::deque<RealAgent> agents_;
  std::deque<RealUser> users_;
  bool interrupted_ = false;
};

// judge_one returns the row of `scenario`, nothing when the user interrupted it.
std::optional<CheckResult> judge_one(const Scenario& scenario, mcp::Transport over,
                                     RealWorld& world) {
  const Loop& clock = world.loop();
  const Instant start = clock.now();
  CheckResult skipped;
  skipped.verdict = Verdict::kSkip;
  skipped.message = reason_to_skip(scenario, over);
  std::optional<CheckResult> row = std::move(skipped);
  if (row->message.empty()) row = RealRun(scenario, over, world).run();
  if (!row) return row;
  row->id = scenario.id;
  row->area = scenario.folder;
  row->title = scenario.title;
  row->transport = mcp::name_of(over);
  row->duration_ms = static_cast<double>((clock.now() - start).count() / 1'000) / 1'000.0;
  if (row->verdict == Verdict::kFail) {
    row->reproduce = "plumbline run " + scenario.file + " --real";
    if (over != mcp::Transport::kStdio) {
      row->reproduce += " --transport " + std::string(mcp::name_of(over));
    }
  }
  return row;
}

}  // namespace

int run_for_real(const std::vector<Scenario>& scenarios, mcp::Transport over, const Common& common,
                 Host& host) {
  const Loop& clock = host.world().loop();
  const Instant start = clock.now();
  host.hide_environment();
  Report report;
  report.version = kVersion;
  report.command = "run";
  report.target = Json{{"scenarios", scenarios.size()}, {"real", true}};
  report.started = os::wall_clock_rfc3339();
  for (const Scenario& scenario : scenarios) {
    std::optional<CheckResult> row = judge_one(scenario, over, host.world());
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
