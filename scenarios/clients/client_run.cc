#include "scenarios/clients/client_run.h"

#include <algorithm>
#include <deque>
#include <optional>
#include <string>
#include <utility>

#include "core/base/rng.h"
#include "fakes/world/choices.h"
#include "fakes/world/trace_recorder.h"
#include "scenarios/clients/scripted_client.h"
#include "scenarios/clients/served_world.h"
#include "scenarios/judge/invariants.h"
#include "scenarios/judge/properties.h"
#include "scenarios/judge/waits.h"
#include "scenarios/world/weather.h"
#include "scenarios/world/world.h"

namespace plumbline::scenarios {

namespace {

constexpr Duration kScriptTimeMax = std::chrono::hours(2);
// What a server keeps for clients that may come back, it keeps for less.
constexpr Duration kForgottenAfter = std::chrono::hours(1);

class ClientRun final {
 public:
  ClientRun(const Scenario& scenario, const RunOptions& options)
      : scenario_(scenario),
        options_(options),
        own_weather_(options.weather == nullptr ? weather_of(scenario) : Weather{}),
        weather_(options.weather == nullptr ? own_weather_ : *options.weather),
        calm_(keeps_outcome(scenario, weather_)),
        properties_(scenario.properties, calm_),
        rng_(options.seed),
        schedule_(weather_.world.schedule),
        loop_(loop_of(weather_.world, rng_, schedule_, options.chooser)) {
    const Want& want = options.want;
    if (want.trace || want.trace_hash) {
      events_.add(recorder_.emplace(want.trace ? fakes::Keep::kText : fakes::Keep::kHashOnly));
    }
    if (!scenario.properties.empty()) events_.add(properties_);
    if (options.waits != nullptr) events_.add(*options.waits);
    if (want.schedule) loop_.write_schedule(result_.schedule);
    result_.seed = options.seed;
    world_.emplace(loop_, weather_.world, weather_.world.transport, rng_, events_);
    for (const ClientScript& script : scenario.clients) {
      clients_.emplace_back(script, loop_, *world_, board_, events_);
    }
  }

  RunResult run() {
    for (ScriptedClient& client : clients_) running_.push_back(client.run());
    for (Task<void>& task : running_) task.start();
    const bool ended = go_on();
    const Json kept = world_->kept();
    result_.answered_after = loop_.now().time_since_epoch();
    leave();
    if (ended) judge_scripts(kept);
    judge_rest();
    finish(kept);
    return std::move(result_);
  }

 private:
  bool go_on() {
    const auto all_done = [this] { return std::ranges::all_of(running_, &Task<void>::done); };
    const Result<std::int64_t> turns =
        loop_.run_until(all_done, limits::kTurnsMax, after(loop_.now(), kScriptTimeMax));
    if (turns.ok()) turns_ += turns.value();
    if (!turns.ok()) fail("liveness.request-ends", turns.error().message);
    return turns.ok();
  }

  // leave lets all clients hang up, and the server as much time as it may take to forget them.
  void leave() {
    running_.clear();
    for (ScriptedClient& client : clients_) client.hang_up();
    world_->close();
    const Result<std::int64_t> turns =
        loop_.run_until_idle(limits::kTurnsMax, after(loop_.now(), kForgottenAfter));
    if (turns.ok()) turns_ += turns.value();
    if (!turns.ok()) fail("liveness.closes", turns.error().message);
  }

  void judge_scripts(const Json& kept) {
    if (!calm_) return;
    for (const ScriptedClient& client : clients_) {
      if (client.failure()) fail("expect.clients", *client.failure());
    }
    const Duration took = result_.answered_after;
    const auto ms = [](Duration span) { return std::to_string(milliseconds_of(span)) + " ms"; };
    if (const auto most = scenario_.expect.virtual_max; most && took > *most) {
      fail("expect.virtual_ms_max", "done after " + ms(took) + ", expected at most " + ms(*most));
    }
    if (const auto least = scenario_.expect.virtual_min; least && took < *least) {
      fail("expect.virtual_ms_min", "done after " + ms(took) + ", expected at least " + ms(*least));
    }
    for (const auto& [what, count] : scenario_.expect.kept) {
      const std::int64_t seen = int_or(kept, what, 0);
      if (seen == count) continue;
      fail("expect.kept",
           what + ' ' + std::to_string(seen) + ", expected " + std::to_string(count));
    }
  }

  void judge_rest() {
    const Json left = world_->kept();
    for (const auto& [what, count] : left.items()) {
      if (count == 0) continue;
      fail(std::string(kLetsGo), "an hour after its clients have gone the server keeps " + what +
                                     ": " + dump_json(count) + ", expected none");
    }
    if (loop_.timers() > 0) {
      fail("invariant.falls-idle",
           std::to_string(loop_.timers()) + " timers are still armed, expected none");
    }
    properties_.finish();
    for (const RunFailure& failure : properties_.failures()) result_.failures.push_back(failure);
    result_.sometimes = properties_.seen();
  }

  void finish(const Json& kept) {
    result_.verdict = result_.failures.empty() ? Verdict::kPass : Verdict::kFail;
    const std::string way =
        std::to_string(turns_) + '@' + std::to_string(nanoseconds_of(loop_.now()));
    result_.unseed = Rng(options_.seed).fork(way).next();
    if (recorder_) result_.trace_hash = recorder_->finish(result_.unseed);
    if (options_.want.trace) result_.trace = recorder_->text();
    if (!options_.want.outcome) return;
    result_.outcome = Json::object();
    result_.outcome["kept"] = kept;
    result_.outcome["clients"] = board_.all();
    result_.outcome["virtual_ms"] = milliseconds_of(result_.answered_after);
  }

  void fail(std::string check, std::string message) {
    result_.failures.push_back({std::move(check), std::move(message)});
  }

  const Scenario& scenario_;
  const RunOptions& options_;
  const Weather own_weather_;
  const Weather& weather_;
  const bool calm_;
  RunResult result_;
  PropertyWatch properties_;
  std::optional<fakes::TraceRecorder> recorder_;
  fakes::EventFanout events_;
  Rng rng_;
  fakes::ScheduleChooser schedule_;
  fakes::SimLoop loop_;
  ClientBoard board_;
  std::optional<ServedWorld> world_;
  std::deque<ScriptedClient> clients_;
  std::deque<Task<void>> running_;
  std::int64_t turns_ = 0;
};

}  // namespace

RunResult run_clients(const Scenario& scenario, const RunOptions& options) {
  return ClientRun(scenario, options).run();
}

}  // namespace plumbline::scenarios
