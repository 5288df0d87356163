#include "scenarios/fleet/fleet_judge.h"

#include <algorithm>

namespace plumbline::scenarios {

namespace {

// What a call may take beyond its deadline: no time passes while it is told.
constexpr Duration kToldWithin = Duration();

}  // namespace

void FleetJudge::broken(std::string_view rule, std::string what) {
  Broken& one = broken_[std::string(rule)];
  if (one.times++ > 0) return;
  one.first = "at " + std::to_string(milliseconds_of(loop_.now().time_since_epoch())) +
              " ms: " + std::move(what);
}

std::vector<RunFailure> FleetJudge::failures() const {
  std::vector<RunFailure> out;
  for (const auto& [rule, one] : broken_) {
    const std::string more =
        one.times > 1 ? " (and " + std::to_string(one.times - 1) + " times more)" : "";
    out.push_back({rule, one.first + more});
  }
  return out;
}

void FleetJudge::call_ended(const FleetCaller& caller, Duration took, bool answered) {
  ++calls_;
  if (answered) {
    ++answered_;
    ++answered_of_[caller.name];
  }
  if (took <= fleet_.call_time_max + kToldWithin) return;
  broken("invariant.fleet-no-starvation",
         "a call of " + caller.name + " ended after " + std::to_string(milliseconds_of(took)) +
             " ms, expected it served or told within " +
             std::to_string(milliseconds_of(fleet_.call_time_max)) + " ms");
}

void FleetJudge::on_opened(const fakes::SimAgent& agent, const std::string& /*principal*/) {
  ++opened_;
  open_most_ = std::max(open_most_, ++open_);
  const std::size_t most = fleet_.connector.pool.connections_max;
  if (open_ <= most) return;
  broken("invariant.fleet-bounded-connections",
         agent.name() + " is connection " + std::to_string(open_) +
             " that is open, expected at most " + std::to_string(most));
}

void FleetJudge::on_closed(const fakes::SimAgent& /*agent*/, const std::string& /*principal*/) {
  --open_;
}

void FleetJudge::on_sent(const fakes::SimAgent& agent, const std::string& principal,
                         const Json& message) {
  const std::string method = string_or(message, "method", "");
  if (method.empty() || find(message, "id") == nullptr) return;
  check_limit(agent.name());
  if (method == "ping") ++probes_;
  const Json* const params = find(message, "params");
  if (method == "tools/call" && params != nullptr) check_call(agent.name(), principal, *params);
}

// check_limit holds what an agent is sent to a limit of its own: at most one more than allowed.
void FleetJudge::check_limit(const std::string& agent) {
  const connector::RateLimitConfig& limit = fleet_.connector.rate;
  if (!limit.enabled) return;
  const auto [found, added] = buckets_.try_emplace(agent);
  Bucket& bucket = found->second;
  if (added) bucket = {static_cast<double>(limit.burst_capacity), loop_.now()};
  const double passed = std::chrono::duration<double>(loop_.now() - bucket.filled).count();
  bucket.filled = loop_.now();
  bucket.tokens = std::min(bucket.tokens + passed * limit.requests_per_second,
                           static_cast<double>(limit.burst_capacity)) -
                  1;
  if (bucket.tokens >= -1) return;
  broken("invariant.fleet-limit-holds",
         agent + " is sent " + std::to_string(-bucket.tokens) +
             " requests more than its limit allows, expected at most one");
}

void FleetJudge::check_call(const std::string& agent, const std::string& principal,
                            const Json& params) {
  if (!connector_->has(agent)) {
    broken("invariant.fleet-removed-is-left-alone",
           agent + " is not in the configuration and is sent a call, expected none");
  } else if (!connector_->health().allows(agent)) {
    broken("invariant.fleet-unhealthy-gets-probes-alone",
           agent + " is unhealthy and is sent a call, expected probes alone");
  }
  const Json* const arguments = find(params, "arguments");
  if (arguments == nullptr) return;
  const std::string whose = string_or(*arguments, "principal", "");
  if (whose != principal) {
    broken("invariant.fleet-no-shared-session", "a call of " + whose + " goes to " + agent +
                                                    " over a connection of " + principal +
                                                    ", expected one of its own");
  }
}

void FleetJudge::on_executed(const fakes::SimAgent& agent, const Json& call) {
  const Json* const arguments = find(call, "arguments");
  const std::string key = arguments != nullptr ? string_or(*arguments, "key", "") : "";
  if (key.empty() || ++executed_[key] == 1) return;
  broken("invariant.fleet-no-change-twice", "call " + key +
                                                ", which changes something, runs again at " +
                                                agent.name() + ", expected it once");
}

void FleetJudge::finish() {
  std::int64_t retries = 0;
  for (const std::string& agent : connector_->agents()) {
    retries += connector_->status(agent)->stats.retries;
  }
  const std::int64_t most =
      calls_ * connector::RetryBudget::kPercent / 100 + connector::RetryBudget::kReserve;
  if (retries > most) {
    broken("invariant.fleet-bounded-retries",
           std::to_string(retries) + " of " + std::to_string(calls_) +
               " calls were tried again, expected at most " + std::to_string(most));
  }
}

}  // namespace plumbline::scenarios
