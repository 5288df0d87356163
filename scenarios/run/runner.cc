#include "scenarios/world/runner.h"

#include <algorithm>
#include <deque>
#include <optional>
#include <utility>

#include "core/base/rare.h"
#include "core/base/rng.h"
#include "fakes/world/trace_recorder.h"
#include "scenarios/clients/client_run.h"
#include "scenarios/fleet/fleet_run.h"
#include "scenarios/judge/credentials.h"
#include "scenarios/judge/waits.h"
#include "scenarios/world/agent_run.h"
#include "scenarios/world/desks.h"
#include "scenarios/world/expectations.h"
#include "scenarios/world/run_watch.h"
#include "scenarios/world/user_runs.h"
#include "scenarios/world/world.h"

namespace plumbline::scenarios {

namespace {

// How long the assistant may take for a request, and a closed world to fall idle, in virtual time.
constexpr Duration kAnswerTimeMax = std::chrono::minutes(15);
constexpr Duration kCloseTimeMax = std::chrono::minutes(1);
constexpr Duration kRecoveryTimeMax = std::chrono::hours(2);

// In a sweep one seed in so many is held to the catalogue: it takes time.
constexpr std::uint64_t kHeardEvery = 64;

// Run is one run from the beginning to the end.
class Run final : private DeskWork {
 public:
  Run(const Scenario& scenario, const RunOptions& options)
      : scenario_(scenario),
        options_(options),
        own_weather_(options.weather == nullptr ? weather_of(scenario) : Weather{}),
        weather_(options.weather == nullptr ? own_weather_ : *options.weather),
        redactor_(redactor_of(scenario)),
        properties_(scenario.properties, keeps_outcome(scenario, weather_)),
        rare_(weather_.inner.rare, Rng(options.seed).fork("rare")),
        in_rare_(weather_.inner.rare.empty() ? nullptr : &rare_),
        watch_(scenario, redactor_, watched(), watching()),
        world_(scenario, weather_, options.seed, options.transport, redactor_, credentials_,
               watch_.world(), watch_.agents(), options.chooser),
        users_({.scenario = scenario,
                .loop = world_.loop(),
                .watch = watch_,
                .properties = properties_,
                .tally = tally_,
                .world = world_,
                .redactor = redactor_,
                .redacts = has_secrets(),
                .virtual_time = true}) {
    result_.seed = options.seed;
    if (options.want.schedule) world_.loop().write_schedule(result_.schedule);
    const bool traced = recorder_ || !scenario.properties.empty() || options.waits != nullptr;
    for (std::size_t i = 0; i < scenario.agents.size(); ++i) {
      agents_.emplace_back(scenario, i, weather_, world_, watch_, traced);
    }
  }

  RunResult run() {
    bool going = scenario_.users.size() > 1 ? ask_at_once() : ask_in_turn(users_.all().front());
    if (going) going = close();
    judge(going);
    return std::move(result_);
  }

 private:
  // watching returns who hears everything, beside the judges.
  std::vector<EventSink*> watching() {
    const Want& want = options_.want;
    std::vector<EventSink*> sinks = {&tally_};
    if (want.trace || want.trace_hash) {
      sinks.push_back(&recorder_.emplace(want.trace ? fakes::Keep::kText : fakes::Keep::kHashOnly));
    }
    if (!scenario_.properties.empty()) sinks.push_back(&properties_);
    if (options_.waits != nullptr) sinks.push_back(options_.waits);
    if (scenario_.has_authorization()) sinks.push_back(&credentials_);
    return sinks;
  }

  RunWatch::Options watched() const {
    const Want& want = options_.want;
    return {.conversations = want.outcome || options_.seed % kHeardEvery == 0,
            .redacts = want.trace || want.trace_hash || has_secrets()};
  }

  bool has_secrets() const { return !scenario_.secrets.empty() || scenario_.has_authorization(); }

  // implements DeskWork ---
  Task<agents::Outcome> begin(UserRun& user, bool again) override {
    if (!again) users_.begins(user);
    AgentRun& agent = agent_of(user);
    const auto answer = [&user, &agent](const Json& review) {
      Json reply = user.person.answer(review);
      agent.reviewed(review, reply);
      return reply;
    };
    return agent.ask(user.request(), answer, user.thread);
  }

  void end(UserRun& user, agents::Outcome& outcome) override {
    users_.ended(user, outcome);
    agent_of(user).ended(user.state);
    if (scenario_.has_authorization()) credentials_.check_text("the state", dump_json(user.state));
  }

  AgentRun& agent_of(const UserRun& user) { return agents_[user.spec.agent]; }

  void ran(std::int64_t turns) override { turns_ += turns; }

  bool ask_at_once() {
    Desks desks(world_.loop(), *this, kAnswerTimeMax);
    for (UserRun& user : users_.all()) desks.add(user.spec, agent_of(user), user);
    const Status ended = desks.run();
    if (!ended.ok()) fail_liveness("liveness.request-ends", ended.error());
    return ended.ok();
  }

  bool ask_in_turn(UserRun& user) {
    for (std::int64_t time = 0; time < user.spec.times; ++time) {
      if (time > 0 || user.spec.begins > Duration{}) {
        pause(time > 0 ? user.spec.pause : user.spec.begins);
      }
      if (!ask(user)) return false;
    }
    return true;
  }

  // revive goes on after a crash: with what was kept, and nothing else.
  void revive(AgentRun& agent) {
    const Duration down = agent.bury();
    Alarm back([] {});  // Time passes also where nothing else happens.
    world_.loop().arm(back, after(world_.loop().now(), down));
    idle_for(down);
    agent.revive();
  }

  // ask makes the request once. Returns whether it ended in time.
  bool ask(UserRun& user) {
    Task<agents::Outcome> asking;
    for (bool again = false;; again = true) {
      asking = begin(user, again);
      if (!finish(asking, kAnswerTimeMax, "liveness.request-ends")) return false;
      if (asking.done()) break;
      asking.drop();
      revive(agent_of(user));
    }
    end(user, asking.result());
    return true;
  }

  // close ends every connection, and then nothing may be left to do.
  bool close() {
    for (std::size_t i = 0; i < agents_.size(); ++i) {
      agents_[i].stop_crashing();
      Task<void> closing = world_.hub(i).close();
      if (!finish(closing, kCloseTimeMax, "liveness.closes")) return false;
    }
    const Instant ended = world_.loop().now();
    if (scenario_.has_authorization() && !recover()) return false;
    const Duration recovery = world_.loop().now() - ended;
    world_.switch_off();
    const Instant off = world_.loop().now();
    const Instant healed = world_.faults().healed_at();  // What a fault holds back comes then.
    idle_for(kCloseTimeMax + (healed == kNever || healed < off ? Duration{} : healed - off));
    const Instant idle = std::min(world_.loop().now(), off + kCloseTimeMax);
    watch_.finish(idle - recovery, world_.loop().timers());
    properties_.finish();
    return true;
  }

  // recover heals the world, and then every server that takes tokens has to let the agents in.
  bool recover() {
    world_.heal();
    for (std::size_t i = 0; i < agents_.size(); ++i) {
      Task<Status> getting_in = world_.gets_in(i);
      if (!finish(getting_in, kRecoveryTimeMax, kGetsInAgain)) return false;
      if (getting_in.result().ok()) continue;
      result_.failures.push_back({std::string(kGetsInAgain), getting_in.result().error().message});
    }
    return true;
  }

  // pause lets time pass, also when nothing is left to happen.
  void pause(Duration span) {
    Alarm over([] {});
    world_.loop().arm(over, after(world_.loop().now(), span));
    idle_for(span);
  }

  // idle_for lets the world go on by itself for `span`, or until nothing is left to happen.
  void idle_for(Duration span) {
    const Instant until = after(world_.loop().now(), span);
    const Result<std::int64_t> turns = world_.loop().run_until_idle(limits::kTurnsMax, until);
    if (turns.ok()) turns_ += turns.value();
  }

  // finish runs the world until `task` is done or an agent has died.
  template <typename T>
  bool finish(Task<T>& task, Duration time_max, std::string_view id) {
    const Instant until = after(world_.loop().now(), time_max);
    task.start();
    const Result<std::int64_t> turns = world_.loop().run_until(
        [&] { return task.done() || agents_.front().dead(); }, limits::kTurnsMax, until);
    if (turns.ok()) {
      turns_ += turns.value();
      return true;
    }
    fail_liveness(id, turns.error());
    task.drop();
    return false;
  }

  void fail_liveness(std::string_view id, const Error& error) {
    const bool moving = error.code == ErrorCode::kLimitReached;
    result_.failures.push_back(
        RunFailure{std::string(id), std::string(world_.loop().idle() ? "deadlock"
                                                : moving             ? "livelock"
                                                                     : "late") +
                                        ": " + error.message});
  }

  void judge(bool ended) {
    add_failures(watch_.failures());
    result_.situations = watch_.situations();
    add_failures(properties_.failures());
    result_.sometimes = properties_.seen();
    result_.faults = world_.faults().tally();
    if (ended && keeps_outcome(scenario_, weather_)) {
      add_failures(users_.failures(scenario_.expect));
    }
    redact_report();
    for (const RunFailure& failure : result_.failures) {
      credentials_.check_text("the report", failure.message);
    }
    add_failures(credentials_.failures());
    result_.answered_after = users_.answered_after();
    result_.effects = world_.ledger().total();
    result_.operations = world_.operations().counted();
    for (const RareSite& site : rare_sites()) {
      const std::int64_t times = rare_.fired(site.site);
      if (times > 0) result_.rare.emplace_back(site.name, times);
    }
    for (const UserRun& user : users_.all()) {
      const Json* const output = find(user.state, "final_output");
      if (!result_.status.empty()) result_.status += ", ";
      if (output != nullptr) result_.status += string_or(*output, "status", "");
    }
    result_.verdict = result_.failures.empty() ? Verdict::kPass : Verdict::kFail;
    const auto now = nanoseconds_of(world_.loop().now());
    const std::string way = std::to_string(turns_) + '@' + std::to_string(now);
    result_.unseed = Rng(options_.seed).fork(way).next();
    if (recorder_) result_.trace_hash = recorder_->finish(result_.unseed);
    keep_wanted();
  }

  void keep_wanted() {
    if (options_.want.trace) result_.trace = recorder_->text();
    if (options_.want.outcome) {
      result_.outcome = users_.outcome();
      result_.rules_used = world_.rules_used();
    }
    UserRun& first = users_.all().front();
    result_.route = first.route;
    if (options_.want.state) result_.state = std::move(first.state);
  }

  void add_failures(const std::vector<RunFailure>& failures) {
    result_.failures.insert(result_.failures.end(), failures.begin(), failures.end());
  }

  // redact_report sees to it that a failure does not tell what it complains about.
  void redact_report() {
    if (!has_secrets()) return;
    for (RunFailure& failure : result_.failures) {
      if (redactor_.finds_secret(failure.message)) {
        failure.message = redactor_.redact(std::move(failure.message));
      }
    }
  }

  const Scenario& scenario_;
  const RunOptions& options_;
  const Weather own_weather_;
  const Weather& weather_;
  RunResult result_;
  Redactor redactor_;
  PropertyWatch properties_;
  Tally tally_;
  Credentials credentials_;
  std::optional<fakes::TraceRecorder> recorder_;
  RareBranches rare_;
  RareBranches::In in_rare_;
  RunWatch watch_;
  World world_;
  UserRuns users_;
  std::deque<AgentRun> agents_;
  std::int64_t turns_ = 0;
};

}  // namespace

RunResult run_scenario(const Scenario& scenario, const RunOptions& options) {
  if (!scenario.clients.empty()) return run_clients(scenario, options);
  if (scenario.fleet) return run_fleet(scenario, options);
  RunResult result = Run(scenario, options).run();
  if (options.waits != nullptr || result.failures.empty()) return result;
  RunFailure& first = result.failures.front();
  if (!is_liveness(first)) return result;
  // The same world once more, watched by somebody who costs more.
  Waits waits;
  RunOptions again = options;
  again.want = Want{};
  again.waits = &waits;
  Run(scenario, again).run();
  first.message += "; " + waits.describe() + "; most often: " + waits.busiest();
  return result;
}

std::string reproduction(const Scenario& scenario, std::uint64_t seed) {
  return "plumbline run " + scenario.file + " --seed " + std::to_string(seed) +
         plant_options(scenario.inner);
}

}  // namespace plumbline::scenarios
