#include "scenarios/fleet/fleet_run.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "core/base/task_group.h"
#include "core/base/wait.h"
#include "fakes/world/trace_recorder.h"
#include "scenarios/fleet/fleet_judge.h"
#include "scenarios/fleet/fleet_world.h"
#include "scenarios/world/world.h"

namespace plumbline::scenarios {

namespace {

constexpr std::int64_t kFleetTurnsMax = 200'000'000;
constexpr Duration kFleetCloseTimeMax = std::chrono::minutes(2);
constexpr Duration kBreath = std::chrono::milliseconds(100);

std::string ms(Duration span) { return std::to_string(milliseconds_of(span)) + " ms"; }

class FleetRun {
 public:
  FleetRun(const Scenario& scenario, const RunOptions& options)
      : fleet_(*scenario.fleet),
        options_(options),
        own_weather_(options.weather == nullptr ? weather_of(scenario) : Weather{}),
        weather_(options.weather == nullptr ? own_weather_ : *options.weather),
        rng_(options.seed),
        schedule_(weather_.world.schedule),
        loop_(loop_of(weather_.world, rng_, schedule_, options.chooser)),
        judge_(loop_, fleet_) {
    const Want& want = options.want;
    if (want.schedule) loop_.write_schedule(result_.schedule);
    if (want.trace || want.trace_hash) {
      recorder_.emplace(want.trace ? fakes::Keep::kText : fakes::Keep::kHashOnly);
    }
    result_.seed = options.seed;
    world_.emplace(loop_, fleet_, judge_, rng_, recorder_ ? &*recorder_ : nullptr);
    for (std::size_t i = 0; i < fleet_.agents; ++i) others_.push_back(world_->agent(i).name());
  }

  RunResult run() {
    for (std::size_t i = 0; i < fleet_.callers.size(); ++i) begin(i);
    pass(Instant(fleet_.heals));
    healed_ = loop_.now();
    opened_before_ = judge_.opened();
    world_->heal();
    pass(Instant(fleet_.lasts));
    going_on_ = false;
    pass(after(loop_.now(), fleet_.call_time_max + std::chrono::minutes(1)));
    connected_at_end_ = judge_.open();
    if (calls_.running() > 0) fail("liveness.request-ends", "calls are still under way");
    close();
    judge();
    finish();
    return std::move(result_);
  }

 private:
  // --- Who calls.

  void begin(std::size_t caller) {
    const FleetCaller& its = fleet_.callers[caller];
    const Rng rng = rng_.fork("caller " + its.name);
    for (std::int64_t i = 0; i < its.workers; ++i) {
      calls_.spawn(work(*this, caller, rng.fork(std::to_string(i))));
    }
    if (its.workers == 0) calls_.spawn(call_in_time(*this, caller, rng));
  }

  // A worker whose call failed takes a breath: some fail at once.
  static Task<void> work(FleetRun& run, std::size_t caller, Rng rng) {
    while (run.going_on_) {
      const std::int64_t answered = run.judge_.answered();
      const std::size_t agent = rng.below(run.fleet_.agents);
      co_await call_once(run, caller, agent);
      if (run.judge_.answered() == answered)
        co_await Sleep(run.loop_, after(run.loop_.now(), kBreath));
    }
  }

  static Task<void> call_in_time(FleetRun& run, std::size_t caller, Rng rng) {
    const double per_second = run.fleet_.callers[caller].calls_per_second;
    const auto between_ns = static_cast<std::int64_t>(1e9 / per_second);
    while (run.going_on_) {
      const Instant next = after(run.loop_.now(), Duration(rng.between(0, 2 * between_ns)));
      co_await Sleep(run.loop_, next);
      const std::size_t agent = rng.below(run.fleet_.agents);
      if (run.going_on_) run.calls_.spawn(call_once(run, caller, agent));
    }
  }

  connector::AgentConnector::Call call_of(const FleetCaller& caller, std::size_t agent) {
    connector::AgentConnector::Call call;
    call.principal = caller.name;
    call.may_repeat = !caller.changes_things;
    call.time_max = fleet_.call_time_max;
    call.request.server = others_[agent];
    call.request.method = "tools/call";
    call.request.params["name"] = "work";
    call.request.params["arguments"]["principal"] = caller.name;
    if (caller.changes_things) {
      call.request.params["arguments"]["key"] = caller.name + ' ' + std::to_string(++keys_);
    }
    const bool elsewhere =
        fleet_.connector.retries.of(connector::ErrorCategory::kNetwork).fallback ==
        connector::Fallback::kAnotherAgent;
    if (elsewhere) call.others = {others_[(agent + 1) % others_.size()]};
    return call;
  }

  static Task<void> call_once(FleetRun& run, std::size_t caller, std::size_t agent) {
    const Instant began = run.loop_.now();
    connector::AgentConnector::Call call = run.call_of(run.fleet_.callers[caller], agent);
    const mcp::Reply<Json> reply = co_await run.world_->connector().call(std::move(call));
    const Duration took = run.loop_.now() - began;
    run.judge_.call_ended(run.fleet_.callers[caller], took, reply.ok());
    run.note_recovery();
  }

  // --- What time does.

  // note_recovery notes when the last agent became well after everything was healed.
  void note_recovery() {
    if (!healed_ || recovered_) return;
    while (well_ < fleet_.agents && is_well(others_[well_])) ++well_;
    if (well_ == fleet_.agents) recovered_ = loop_.now();
  }

  bool is_well(const std::string& agent) {
    return !world_->connector().has(agent) || world_->connector().health().allows(agent);
  }

  void pass(Instant until) {
    Alarm over([] {});
    loop_.arm(over, until);
    const Result<std::int64_t> turns =
        loop_.run_until([&] { return !over.armed(); }, kFleetTurnsMax, until);
    if (turns.ok()) {
      turns_ += turns.value();
    } else {
      fail("liveness.request-ends", turns.error().message);
    }
  }

  void close() {
    world_->stop();
    Task<void> closing = world_->connector().close();
    closing.start();
    const Result<std::int64_t> turns = loop_.run_until(
        [&] { return closing.done(); }, kFleetTurnsMax, after(loop_.now(), kFleetCloseTimeMax));
    if (!turns.ok()) fail("liveness.closes", turns.error().message);
    if (judge_.open() > 0) {
      fail("liveness.closes", std::to_string(judge_.open()) + " connections are left open");
    }
  }

  // --- What came of it.

  void judge() {
    judge_.finish();
    for (RunFailure& failure : judge_.failures()) result_.failures.push_back(std::move(failure));
    const FleetExpect& expect = fleet_.expect;
    if (!recovered_) {
      fail("liveness.fleet-recovers", others_[std::min(well_, fleet_.agents - 1)] +
                                          " is still not asked " + ms(fleet_.lasts - fleet_.heals) +
                                          " after everything was healed");
    }
    at_least("answered_percent_min", answered_percent(), expect.answered_percent_min, "% of calls");
    if (expect.recovers_max && recovered_ && *recovered_ - *healed_ > *expect.recovers_max) {
      fail("expect.recovers_ms_max", "all agents are asked again after " +
                                         ms(*recovered_ - *healed_) + ", expected " +
                                         ms(*expect.recovers_max));
    }
    at_most("recovery_percent_max", recovery_percent(), expect.recovery_percent_max,
            "% of the outage until all are asked again");
    at_most("connections_percent_max", connections_percent(), expect.connections_percent_max,
            "% of the connections that were needed");
    at_most("unfair_percent_max", unfair_percent(), expect.unfair_percent_max,
            "% more for one caller than for another");
  }

  void at_least(const char* what, std::int64_t seen, std::optional<std::int64_t> least,
                const char* of) {
    if (!least || seen >= *least) return;
    fail("expect." + std::string(what),
         std::to_string(seen) + of + std::string(", expected at least ") + std::to_string(*least));
  }

  void at_most(const char* what, std::int64_t seen, std::optional<std::int64_t> most,
               const char* of) {
    if (!most || seen <= *most) return;
    fail("expect." + std::string(what),
         std::to_string(seen) + of + std::string(", expected at most ") + std::to_string(*most));
  }

  std::int64_t answered_percent() const {
    return judge_.calls() == 0 ? 100 : judge_.answered() * 100 / judge_.calls();
  }

  // recovery_percent is of the time from the beginning of the trouble to its end.
  std::int64_t recovery_percent() const {
    if (!recovered_ || !world_->began()) return 0;
    return (*recovered_ - *world_->began()) * 100 / (*healed_ - *world_->began());
  }

  // connections_percent is of one for each agent and caller that is connected at the end.
  std::int64_t connections_percent() const {
    const auto needed = static_cast<std::int64_t>(connected_at_end_);
    return needed == 0 ? 100 : (judge_.opened() - opened_before_) * 100 / needed;
  }

  std::int64_t unfair_percent() const {
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    std::int64_t most = 0;
    for (const FleetCaller& caller : fleet_.callers) {
      if (caller.workers == 0) continue;
      const auto got = judge_.answered_of().find(caller.name);
      const std::int64_t count = got == judge_.answered_of().end() ? 0 : got->second;
      least = std::min(least, count);
      most = std::max(most, count);
    }
    return most == 0 ? 0 : (most - least) * 100 / most;
  }

  void finish() {
    result_.verdict = result_.failures.empty() ? Verdict::kPass : Verdict::kFail;
    result_.answered_after = loop_.now().time_since_epoch();
    const std::string way =
        std::to_string(turns_) + '@' + std::to_string(nanoseconds_of(loop_.now()));
    result_.unseed = Rng(options_.seed).fork(way).next();
    if (recorder_) result_.trace_hash = recorder_->finish(result_.unseed);
    if (options_.want.trace) result_.trace = recorder_->text();
    if (options_.want.outcome) result_.outcome = outcome();
  }

  Json outcome() const {
    Json out = Json::object();
    out["calls"] = judge_.calls();
    out["answered"] = judge_.answered();
    out["answered_percent"] = answered_percent();
    out["answered_of"] = judge_.answered_of();
    out["connections_opened"] = judge_.opened();
    out["connections_most"] = judge_.open_most();
    out["pings"] = judge_.probes();
    out["virtual_ms"] = milliseconds_of(result_.answered_after);
    if (recovered_) out["recovered_after_ms"] = milliseconds_of(*recovered_ - *healed_);
    if (world_->began()) out["recovery_percent"] = recovery_percent();
    out["connections_percent"] = connections_percent();
    out["unfair_percent"] = unfair_percent();
    std::int64_t retries = 0;
    for (const std::string& name : world_->connector().agents()) {
      retries += world_->connector().status(name)->stats.retries;
    }
    out["retries"] = retries;
    if (const FleetRegistry* const registry = world_->registry()) {
      out["registry"]["looks"] = registry->looks();
      out["registry"]["without_a_list"] = registry->failed();
      out["registry"]["entries_refused"] = registry->refused();
    }
    return out;
  }

  void fail(std::string check, std::string message) {
    result_.failures.push_back({std::move(check), std::move(message)});
  }

  const FleetSpec& fleet_;
  const RunOptions& options_;
  const Weather own_weather_;
  const Weather& weather_;
  RunResult result_;
  std::optional<fakes::TraceRecorder> recorder_;
  Rng rng_;
  fakes::ScheduleChooser schedule_;
  fakes::SimLoop loop_;
  FleetJudge judge_;
  mutable std::optional<FleetWorld> world_;
  std::vector<std::string> others_;  // All agents, by their place.
  bool going_on_ = true;
  std::int64_t keys_ = 0;
  std::int64_t turns_ = 0;
  std::optional<Instant> healed_;
  std::optional<Instant> recovered_;
  std::int64_t opened_before_ = 0;
  std::size_t connected_at_end_ = 0;
  std::size_t well_ = 0;
  TaskGroup calls_;  // Last: dropped first.
};

}  // namespace

RunResult run_fleet(const Scenario& scenario, const RunOptions& options) {
  return FleetRun(scenario, options).run();
}

}  // namespace plumbline::scenarios
