#include "scenarios/real/real_run.h"

#include <algorithm>
#include <chrono>
#include <deque>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/agents/graph_tracer.h"
#include "core/base/task_group.h"
#include "core/base/turns.h"
#include "core/base/wait.h"
#include "core/connector/mcp_hub.h"
#include "scenarios/format/warnings.h"
#include "scenarios/judge/outside.h"
#include "scenarios/judge/properties.h"
#include "scenarios/real/real_servers.h"
#include "scenarios/world/expectations.h"
#include "scenarios/world/run_watch.h"
#include "scenarios/world/runner.h"
#include "scenarios/world/user_runs.h"
#include "scenarios/world/world.h"

namespace plumbline::scenarios {

namespace {

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
// `simulated` is what came of it in simulation.
std::string reason_to_skip(const RunResult& simulated) {
  const Duration takes = simulated.answered_after;
  if (takes <= kWaitMax) return "";
  return "it takes " + std::to_string(milliseconds_of(takes) / 1000) + " s, more than " +
         std::to_string(milliseconds_of(kWaitMax) / 1000) + " s are left to the simulation";
}

// add_virtual_time adds what is not as expected of virtual time, which only the simulation knows.
void add_virtual_time(const RunResult& simulated, CheckResult& row) {
  if (row.verdict == Verdict::kSkip) return;
  for (const RunFailure& failure : simulated.failures) {
    if (!failure.check.starts_with("expect.virtual_ms_")) continue;
    row.verdict = Verdict::kFail;
    row.message +=
        (row.message.empty() ? "" : "; ") + failure.check + ": in simulation " + failure.message;
  }
}

// RealAgent is one agent at work, with connections of its own.
struct RealAgent {
  RealAgent(const Scenario& scenario, const AgentSpec& spec, RealServers& servers,
            const Redactor& redactor, Loop& loop, EventSink& events)
      : hub(std::in_place, loop, servers.connector(),
            hub_options(names_of(scenario.servers), scenario.world), redactor, &events),
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

// RealRun is one scenario from the beginning to the end.
class RealRun {
 public:
  RealRun(const Scenario& scenario, mcp::Transport over, const RealDoors& doors)
      : scenario_(scenario),
        doors_(doors),
        loop_(doors.loop),
        redactor_(redactor_of(scenario)),
        properties_(scenario.properties),
        watch_(scenario, redactor_, {.late_effects = true, .redacts = true},
               {&tally_, &properties_}),
        over_(over),
        servers_(scenario, over, doors, watch_.world()),
        users_({.scenario = scenario,
                .loop = loop_,
                .watch = watch_,
                .properties = properties_,
                .tally = tally_,
                .world = servers_,
                .redactor = redactor_,
                .redacts = true}) {
    for (std::size_t i = 0; i < scenario.agents.size(); ++i) {
      agents_.emplace_back(scenario, scenario.agents[i], servers_, redactor_, loop_,
                           *watch_.agents()[i]);
      if (!scenario.model) continue;
      agents_.back().model->on_prompt(
          [this, i](const model::Prompt& prompt) { watch_.judges(i).model().on_prompt(prompt); });
    }
  }

  // run returns nothing when the user interrupted it.
  std::optional<CheckResult> run() {
    Task<void> work = work_all();
    work.start();
    bool late = false;
    Alarm alarm([&late] { late = true; });
    loop_.arm(alarm, loop_.now() + kRunTimeMax);
    if (!doors_.run_until([&] { return work.done() || late; })) return std::nullopt;
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
      for (UserRun& user : users_.all()) everybody.spawn(serve(user));
      co_await everybody.join(loop_);
    }
    for (RealAgent& agent : agents_) co_await agent.hub->close();
    co_await servers_.close();
  }

  Task<void> serve(UserRun& user) {
    RealAgent& agent = agents_[user.spec.agent];
    co_await Sleep(loop_, after(loop_.now(), user.spec.begins));
    for (std::int64_t time = 0; time < user.spec.times; ++time) {
      if (time > 0) co_await Sleep(loop_, after(loop_.now(), user.spec.pause));
      const Turns::Turn turn = co_await agent.turns.take();
      users_.begins(user);
      agents::Request request = user.request();
      agents::Reviewer reviewer = [&user](const Json& review) {
        return user.person.answer(review);
      };
      agents::Outcome outcome =
          co_await agents::ask(*agent.session, std::move(request), std::move(reviewer));
      users_.ended(user, outcome);
    }
  }

  CheckResult judge(bool done) {
    CheckResult row;
    for (const ServerSpec& server : scenario_.servers) {
      // Each agent starts a process of its own over pipes.
      const auto usual =
          static_cast<std::int64_t>(over_ == mcp::Transport::kStdio ? scenario_.agents.size() : 1U);
      if (servers_.processes(server.name) <= usual || !counts_over_restarts(server)) continue;
      row.verdict = Verdict::kSkip;
      row.message = "server " + server.name + " counts over restarts, and a process forgets";
      return row;
    }
    if (done) watch_.finish(loop_.now(), 0);
    properties_.finish();
    OutsideFindings found;
    found.broken = watch_.failures();
    if (!done) found.broken.push_back({"invariant.falls-idle", "the request never ended"});
    if (done) {
      std::ranges::move(users_.failures(comparable(found)), std::back_inserter(found.broken));
    }
    add_properties(scenario_.properties, properties_.failures(), why_unseen, found);
    row.outcome = users_.outcome();
    write(found, row);
    return row;
  }

  void write(const OutsideFindings& found, CheckResult& row) const {
    for (const RunFailure& failure : found.broken) {
      row.verdict = Verdict::kFail;
      row.message += (row.message.empty() ? "" : "; ") + failure.check + ": " +
                     redactor_.redact(failure.message);
    }
    if (found.open.empty()) return;
    if (row.verdict == Verdict::kPass) row.verdict = Verdict::kInconclusive;
    row.message += (row.message.empty() ? "" : "; ") + not_judged_text(found.open) +
                   ". To judge it, run the file without --real";
  }

  // comparable returns what is expected and can be held against this world. The simulation counts
  // processes over pipes and sessions over sockets: where the file's own world has pipes, sessions
  // are no measure of it unless they agree.
  Expect comparable(OutsideFindings& found) const {
    Expect expect = scenario_.expect;
    const bool agree = std::ranges::all_of(expect.starts, [&](const auto& one) {
      return one.second.allows(servers_.starts(one.first));
    });
    const bool sockets = over_ != mcp::Transport::kStdio;
    if (agree || !sockets || web_transport(scenario_.world.transport)) return expect;
    expect.starts.clear();
    found.open.push_back({"expect.starts", "it counts processes, and over " +
                                               std::string(mcp::name_of(over_)) +
                                               " a process serves every session"});
    return expect;
  }

  const Scenario& scenario_;
  const RealDoors& doors_;
  Loop& loop_;
  Redactor redactor_;
  Tally tally_;
  PropertyWatch properties_;
  RunWatch watch_;
  mcp::Transport over_;
  RealServers servers_;
  UserRuns users_;
  std::deque<RealAgent> agents_;
};

}  // namespace

std::optional<CheckResult> run_for_real(const Scenario& scenario, mcp::Transport over,
                                        const RealDoors& doors) {
  const Loop& clock = doors.loop;
  const Instant start = clock.now();
  CheckResult skipped;
  skipped.verdict = Verdict::kSkip;
  skipped.message = needs_simulation(scenario);
  if (skipped.message.empty()) skipped.message = cannot_carry(scenario, over);
  RunResult simulated;
  if (skipped.message.empty()) {
    simulated = run_scenario(scenario, {});
    skipped.message = reason_to_skip(simulated);
  }
  std::optional<CheckResult> row = std::move(skipped);
  if (row->message.empty()) row = RealRun(scenario, over, doors).run();
  if (!row) return row;
  add_virtual_time(simulated, *row);
  row->id = scenario.id;
  row->area = scenario.folder;
  row->title = scenario.title;
  row->transport = mcp::name_of(over);
  row->duration_ms = static_cast<double>((clock.now() - start).count() / 1'000) / 1'000.0;
  add_doubts(scenario.warnings, false, *row);
  add_unjudged(scenario, *row);
  if (row->verdict == Verdict::kFail) {
    row->reproduce = "plumbline run " + scenario.file + " --real";
    if (over != mcp::Transport::kStdio) {
      row->reproduce += " --transport " + std::string(mcp::name_of(over));
    }
  }
  return row;
}

}  // namespace plumbline::scenarios
