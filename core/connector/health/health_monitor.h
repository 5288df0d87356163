// HealthMonitor knows how each agent does: from the requests that went to it, from checks that are
// asked for, and from those that it makes by itself while it monitors one.

#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "core/base/loop.h"
#include "core/base/task_group.h"
#include "core/connector/health/circuit_breaker.h"
#include "core/connector/health/health_window.h"

namespace plumbline::connector {

// HealthStatus is what the document asks for. `last_check` is when a request or a probe ended last.
struct HealthStatus {
  Health status = Health::kHealthy;
  Duration response_time{};
  std::optional<Instant> last_check;
  int error_percent = 0;
};

// Prober asks an agent whether it is there. An agent that answers with a refusal, also of who we
// are, is there.
class Prober {
 public:
  // probe ends in bounded time, no sooner than a call would be given up: one that is only slow is
  // not ill.
  virtual Task<bool> probe(std::string agent) = 0;

 protected:
  ~Prober() = default;
};

class HealthMonitor {
 public:
  using OnChange = std::function<void(const std::string& agent, const HealthStatus& status)>;

  // `loop` and `prober` must outlive it.
  HealthMonitor(Loop& loop, Prober& prober, HealthOptions health = HealthOptions(),
                BreakerOptions breaker = BreakerOptions());
  HealthMonitor(const HealthMonitor&) = delete;
  HealthMonitor& operator=(const HealthMonitor&) = delete;
  ~HealthMonitor();

  // on_health_change sets who hears when an agent becomes healthy, degraded or unhealthy.
  void on_health_change(OnChange on_change) { on_change_ = std::move(on_change); }

  // note counts a request to `agent` that took so long, or failed.
  void note(const std::string& agent, Duration took, bool failed);

  // check_connection probes the agent now, whatever is known of it, unless it is being probed, and
  // returns what is then known.
  Task<HealthStatus> check_connection(std::string agent);

  // may_send returns whether traffic may go to `agent`. An unhealthy one gets probes alone: when
  // its time has come this sends one, and waits for it.
  Task<bool> may_send(std::string agent);

  // allows returns the same without sending anything.
  bool allows(const std::string& agent) const;

  // start_monitoring probes the agent each `interval`, an unhealthy one when its time has come;
  // stop_monitoring ends it. Both may be called at any time, for any agent.
  void start_monitoring(const std::string& agent, Duration interval);
  void stop_monitoring(const std::string& agent);

  // forget forgets an agent that is gone.
  void forget(const std::string& agent);

  HealthStatus status(const std::string& agent) const;

  // next_probe returns when an unhealthy agent is probed next.
  Instant next_probe(const std::string& agent) const;

 private:
  struct Agent;

  class Probing;

  Agent& at(const std::string& agent);
  const Agent* find(const std::string& agent) const;
  Task<void> probe(std::string agent);
  Task<void> probe_while_due(std::string agent);
  Task<void> monitored_check(std::string agent);
  void rearm(const std::string& name, Agent& agent);
  void judge(const std::string& name, Agent& agent);

  Loop& loop_;
  Prober& prober_;
  HealthOptions health_;
  BreakerOptions breaker_;
  OnChange on_change_;
  std::map<std::string, std::unique_ptr<Agent>> agents_;
  TaskGroup checks_;  // Last: dropped first.
};

}  // namespace plumbline::connector
