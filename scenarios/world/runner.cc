#include "scenarios/world/runner.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "core/agents/graph_tracer.h"
#include "core/base/rare.h"
#include "core/base/rng.h"
#include "core/events/redacting_sink.h"
#include "fakes/world/trace_recorder.h"
#include "scenarios/judge/conversations.h"
#include "scenarios/judge/step_watch.h"
#include "scenarios/judge/truth.h"
#include "scenarios/world/crash_plan.h"
#include "scenarios/world/expectations.h"
#include "scenarios/world/outcome.h"
#include "scenarios/world/person.h"
#include "scenarios/world/planted_client.h"
#include "scenarios/world/waits.h"
#include "scenarios/world/world.h"

namespace plumbline::scenarios {

namespace {

// How long the assistant may take for a request, and a closed world to fall idle, in virtual time.
constexpr Duration kAnswerTimeMax = std::chrono::minutes(15);
constexpr Duration kCloseTimeMax = std::chrono::minutes(1);

// In a sweep one seed in so many is held to the catalogue: it takes time.
constexpr std::uint64_t kHeardEvery = 64;

std::vector<std::string> patterns_of(const Json& policy, std::string_view key) {
  std::vector<std::string> out;
  const Json* const list = find(policy, key);
  if (list == nullptr || !list->is_array()) return out;
  for (const Json& item : *list) {
    if (const auto* const text = item.get_ptr<const std::string*>()) out.push_back(*text);
  }
  return out;
}

// Run is one run from the beginning to the end.
class Run {
 public:
  Run(const Scenario& scenario, const RunOptions& options)
      : scenario_(scenario),
        options_(options),
        own_weather_(options.weather == nullptr ? weather_of(scenario) : Weather{}),
        weather_(options.weather == nullptr ? own_weather_ : *options.weather),
        redactor_(redactor_of(scenario)),
        invariants_(rules_of(scenario, redactor_)),
        properties_(scenario.properties, keeps_outcome(scenario, weather_)),
        rare_(weather_.inner.rare, Rng(options.seed).fork("rare")),
        in_rare_(weather_.inner.rare.empty() ? nullptr : &rare_),
        events_(entry()),
        world_(scenario, weather_, options.seed, options.transport, redactor_, events_,
               options.chooser),
        person_(scenario.approve, world_.loop(), events_),
        crashes_(world_.loop(), events_, weather_.inner.crashes),
        saver_(crashes_, world_.operations()),
        tracer_(world_.loop(), events_),
        quick_(invariants_) {
    result_.seed = options.seed;
    if (options.want.schedule) world_.loop().write_schedule(result_.schedule);
    if (!weather_.inner.crashes.empty()) listeners_.add(crashes_);
    start_orchestrator();
  }

  RunResult run() {
    bool going = true;
    for (std::int64_t time = 0; going && time < scenario_.times; ++time) {
      if (time > 0) pause();
      going = ask();
    }
    if (going) going = close();
    judge(going);
    return std::move(result_);
  }

 private:
  // entry chains what listens: secrets are taken out before anybody hears an event.
  EventSink& entry() {
    const Want& want = options_.want;
    if (want.trace || want.trace_hash) {
      recorder_.emplace(want.trace ? fakes::Keep::kText : fakes::Keep::kHashOnly);
      listeners_.add(*recorder_);
    }
    listeners_.add(invariants_);
    listeners_.add(tally_);
    listeners_.add(truth_);
    listeners_.add(situations_);
    if (want.outcome || options_.seed % kHeardEvery == 0) {
      listeners_.add(conversations_.emplace(redactor_));
    }
    if (!scenario_.properties.empty()) listeners_.add(properties_);
    if (options_.waits != nullptr) listeners_.add(*options_.waits);
    if (!recorder_ && scenario_.secrets.empty()) return listeners_;
    return redacting_.emplace(redactor_, listeners_);
  }

  // start_orchestrator gives the assistant what it works with, as a new process has it.
  void start_orchestrator() {
    connector::McpClient* client = &world_.hub();
    if (std::ranges::count(weather_.inner.rare, kRetryUnknown) > 0) {
      client = &planted_.emplace(*client);
    }
    if (!weather_.inner.crashes.empty()) client = &mortal_.emplace(*client, crashes_);
    agent_ = scenario_.agent->open({world_.loop(), *client, scenario_.policy, &watch()});
  }

  // watch is who hears the steps of the agent: the events themselves are for those who want them.
  graph::GraphObserver& watch() {
    const bool heard = recorder_ || !scenario_.properties.empty() || options_.waits != nullptr;
    return heard ? static_cast<graph::GraphObserver&>(tracer_) : quick_;
  }

  // restart_orchestrator goes on after a crash: with what was kept, and nothing else.
  void restart_orchestrator(std::string thread) {
    agent_.reset();
    world_.restart();
    const Duration down = crashes_.bury();
    Alarm back([] {});  // Time passes also where nothing else happens.
    world_.loop().arm(back, after(world_.loop().now(), down));
    idle_for(down);
    Task<Result<std::optional<MortalSaver::Kept>>> reading = saver_.latest(std::move(thread));
    reading.start();
    const std::optional<MortalSaver::Kept>& kept = reading.result().value();
    invariants_.restarted(kept ? place_of(*kept) : std::string_view());
    if (conversations_) conversations_->restarted();
    start_orchestrator();
  }

  // place_of names the node that a checkpoint stands before.
  static std::string_view place_of(const MortalSaver::Kept& kept) {
    return kept.ended() ? graph::kEnd : std::string_view(kept.at.branches.front().node);
  }

  // ask makes the request once. Returns whether it ended in time.
  bool ask() {
    const std::string thread = "request " + std::to_string(++requests_);
    const bool keeps = !weather_.inner.crashes.empty() || world_.operations().on();
    invariants_.request_begins();
    truth_.request_begins();
    situations_.request_begins();
    Task<agents::Outcome> asking;
    for (bool again = true; again;) {
      std::optional<agents::Place> place;
      if (keeps) place.emplace(agents::Place{saver_, thread});
      asking = agents::ask(
          *agent_, {redactor_.redact(scenario_.input), scenario_.server_preferences},
          [this](const Json& review) { return person_.decide(review); }, std::move(place));
      if (!finish(asking, kAnswerTimeMax, "liveness.request-ends")) return false;
      again = !asking.done();
      if (again) asking.drop();
      if (again) restart_orchestrator(thread);
    }
    agents::Outcome& outcome = asking.result();
    state_ = std::move(outcome.state);
    result_.route = std::move(outcome.route);
    result_.answered_after = world_.loop().now().time_since_epoch();
    invariants_.check_state(state_);
    const Json& output = state_["final_output"];
    truth_.request_ends(output);
    situations_.request_ends(output);
    properties_.check_output(output);
    const auto request = static_cast<std::size_t>(requests_ - 1);
    for (RunFailure& failure : check_answer(scenario_.expect, request, observed())) {
      of_answers_.push_back(std::move(failure));
    }
    return true;
  }

  // close ends every connection, and then nothing may be left to do.
  bool close() {
    crashes_.stop_watching();
    Task<void> closing = world_.hub().close();
    if (!finish(closing, kCloseTimeMax, "liveness.closes")) return false;
    world_.switch_off();
    idle_for(kCloseTimeMax);
    invariants_.finish(world_.loop().now(), world_.loop().timers());
    properties_.finish();
    return true;
  }

  // pause lets time pass between two requests, also when nothing is left to happen.
  void pause() {
    Alarm over([] {});
    world_.loop().arm(over, after(world_.loop().now(), scenario_.pause));
    idle_for(scenario_.pause);
  }

  // idle_for lets the world go on by itself for `span`, or until nothing is left to happen.
  void idle_for(Duration span) {
    const Instant until = after(world_.loop().now(), span);
    const Result<std::int64_t> turns = world_.loop().run_until_idle(limits::kTurnsMax, until);
    if (turns.ok()) turns_ += turns.value();
  }

  // finish runs the world until `task` is done or the orchestrator has died.
  template <typename T>
  bool finish(Task<T>& task, Duration time_max, const std::string& id) {
    const Instant until = after(world_.loop().now(), time_max);
    task.start();
    const Result<std::int64_t> turns = world_.loop().run_until(
        [&] { return task.done() || crashes_.dead(); }, limits::kTurnsMax, until);
    if (turns.ok()) {
      turns_ += turns.value();
      return true;
    }
    const bool moving = turns.error().code == ErrorCode::kLimitReached;
    result_.failures.push_back(RunFailure{id, std::string(world_.loop().idle() ? "deadlock"
                                                          : moving             ? "livelock"
                                                                               : "late") +
                                                  ": " + turns.error().message});
    task.drop();
    return false;
  }

  void judge(bool ended) {
    add_failures(invariants_.failures());
    add_failures(truth_.failures());
    add_failures(properties_.failures());
    if (conversations_) add_failures(conversations_->failures());
    result_.situations = situations_.met();
    result_.sometimes = properties_.seen();
    result_.faults = world_.faults().tally();
    if (ended && keeps_outcome(scenario_, weather_)) judge_expectations();
    redact_report();
    result_.effects = world_.ledger().total();
    result_.operations = world_.operations().counted();
    for (const RareSite& site : rare_sites()) {
      const std::int64_t times = rare_.fired(site.site);
      if (times > 0) result_.rare.emplace_back(site.name, times);
    }
    result_.status = string_or(state_.is_object() ? state_["final_output"] : state_, "status", "");
    result_.verdict = result_.failures.empty() ? Verdict::kPass : Verdict::kFail;
    const auto now = nanoseconds_of(world_.loop().now());
    const std::string way = std::to_string(turns_) + '@' + std::to_string(now);
    result_.unseed = Rng(options_.seed).fork(way).next();
    if (recorder_) result_.trace_hash = recorder_->finish(result_.unseed);
    if (options_.want.trace) result_.trace = recorder_->text();
    if (options_.want.outcome) {
      result_.outcome = outcome_of(observed(), redactor_);
      result_.rules_used = world_.rules_used();
    }
    if (options_.want.state) result_.state = std::move(state_);
  }

  void add_failures(const std::vector<RunFailure>& failures) {
    result_.failures.insert(result_.failures.end(), failures.begin(), failures.end());
  }

  Observed observed() const {
    return {state_, result_.route, world_.ledger(), tally_, {}, {}, result_.answered_after};
  }

  void judge_expectations() {
    add_failures(of_answers_);
    Observed observed = this->observed();
    for (const auto& [server, count] : scenario_.expect.starts) {
      observed.starts.emplace(server, world_.starts(server));
    }
    for (const auto& [label, count] : scenario_.expect.exchanges) {
      observed.exchanges.emplace(label, world_.exchanges(label));
    }
    for (RunFailure& failure : check_expectations(scenario_.expect, observed)) {
      result_.failures.push_back(std::move(failure));
    }
    const std::vector<bool> used = world_.rules_used();
    for (std::size_t i = 0; i < scenario_.rules.size(); ++i) {
      const RuleSite& rule = scenario_.rules[i];
      if (!rule.never || !used[i]) continue;
      result_.failures.push_back(
          {"expect.never", rule.label + " did something, expected it never"});
    }
  }

  // redact_report sees to it that a failure does not tell what it complains about.
  void redact_report() {
    if (scenario_.secrets.empty()) return;
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
  Invariants invariants_;
  PropertyWatch properties_;
  Truth truth_;
  SituationWatch situations_;
  Tally tally_;
  std::optional<Conversations> conversations_;
  std::optional<fakes::TraceRecorder> recorder_;
  fakes::EventFanout listeners_;
  std::optional<RedactingSink> redacting_;
  RareBranches rare_;
  RareBranches::In in_rare_;
  EventSink& events_;  // Where everything enters.
  World world_;
  Person person_;
  CrashPlan crashes_;
  MortalSaver saver_;
  std::optional<PlantedClient> planted_;
  std::optional<MortalClient> mortal_;
  agents::GraphTracer tracer_;
  StepWatch quick_;
  std::unique_ptr<agents::Session> agent_;
  std::int64_t requests_ = 0;
  std::vector<RunFailure> of_answers_;
  Json state_;
  std::int64_t turns_ = 0;
};

}  // namespace

InvariantRules rules_of(const Scenario& scenario, const Redactor& redactor) {
  InvariantRules rules(*scenario.agent);
  if (!scenario.secrets.empty()) rules.secrets = &redactor;
  rules.allow = patterns_of(scenario.policy_file, "allow");
  rules.not_allowed = patterns_of(scenario.policy_file, "deny");
  for (std::string& pattern : patterns_of(scenario.policy_file, "review")) {
    rules.not_allowed.push_back(std::move(pattern));
  }
  return rules;
}

Redactor redactor_of(const Scenario& scenario) {
  Redactor redactor;
  for (const std::string& secret : scenario.secrets) redactor.add(secret);
  return redactor;
}

RunResult run_scenario(const Scenario& scenario, const RunOptions& options) {
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
