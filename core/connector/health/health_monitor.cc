#include "core/connector/health/health_monitor.h"

#include <algorithm>
#include <utility>

namespace plumbline::connector {

struct HealthMonitor::Agent {
  Agent(const HealthOptions& health, const BreakerOptions& options, std::function<void()> on_due)
      : window(health), breaker(options), due(std::move(on_due)) {}

  HealthStatus status() const {
    return {told, window.response_time(), last_check, window.error_percent()};
  }

  HealthWindow window;
  CircuitBreaker breaker;
  std::optional<Instant> last_check;
  Health told = Health::kHealthy;
  bool probing = false;
  Duration interval{};  // Zero: it is not monitored.
  Alarm due;
};

// Probing is held while an agent is probed, also by a Task that is dropped meanwhile. The agent may
// be forgotten before it ends.
class HealthMonitor::Probing {
 public:
  Probing(HealthMonitor& monitor, std::string agent) : monitor_(monitor), agent_(std::move(agent)) {
    monitor_.at(agent_).probing = true;
  }
  Probing(const Probing&) = delete;
  Probing& operator=(const Probing&) = delete;
  ~Probing() {
    const auto agent = monitor_.agents_.find(agent_);
    if (agent == monitor_.agents_.end()) return;
    agent->second->probing = false;
    agent->second->breaker.probe_given_up();
  }

 private:
  HealthMonitor& monitor_;
  std::string agent_;
};

HealthMonitor::HealthMonitor(Loop& loop, Prober& prober, HealthOptions health,
                             BreakerOptions breaker)
    : loop_(loop), prober_(prober), health_(health), breaker_(breaker) {}

HealthMonitor::~HealthMonitor() = default;

HealthMonitor::Agent& HealthMonitor::at(const std::string& agent) {
  std::unique_ptr<Agent>& found = agents_[agent];
  if (found == nullptr) {
    auto on_due = [this, agent] { checks_.spawn(monitored_check(agent)); };
    found = std::make_unique<Agent>(health_, breaker_, std::move(on_due));
  }
  return *found;
}

const HealthMonitor::Agent* HealthMonitor::find(const std::string& agent) const {
  const auto found = agents_.find(agent);
  return found == agents_.end() ? nullptr : found->second.get();
}

void HealthMonitor::judge(const std::string& name, Agent& agent) {
  const Health health = agent.window.health(loop_.now());
  if (health == Health::kUnhealthy) agent.breaker.trip(loop_.now());
  if (std::exchange(agent.told, health) == health || !on_change_) return;
  const HealthStatus status = agent.status();
  on_change_(name, status);
}

void HealthMonitor::note(const std::string& agent, Duration took, bool failed) {
  Agent& known = at(agent);
  known.window.add(loop_.now(), took, failed);
  known.last_check = loop_.now();
  judge(agent, known);
}

Task<void> HealthMonitor::probe(std::string agent) {
  const Probing probing(*this, agent);
  const Instant began = loop_.now();
  const bool there = co_await prober_.probe(agent);
  const auto found = agents_.find(agent);
  if (found == agents_.end()) co_return;
  Agent& known = *found->second;
  known.window.add(loop_.now(), loop_.now() - began, !there);
  known.last_check = loop_.now();
  if (known.breaker.probe_ended(there, loop_.now())) known.window.recovered();
  judge(agent, known);
}

Task<void> HealthMonitor::probe_while_due(std::string agent) {
  while (at(agent).breaker.begin_probe(loop_.now())) co_await probe(agent);
}

Task<HealthStatus> HealthMonitor::check_connection(std::string agent) {
  if (!at(agent).probing) co_await probe(agent);
  co_return status(agent);
}

Task<bool> HealthMonitor::may_send(std::string agent) {
  if (allows(agent)) co_return true;
  if (!at(agent).probing) co_await probe_while_due(agent);
  co_return allows(agent);
}

bool HealthMonitor::allows(const std::string& agent) const {
  const Agent* const known = find(agent);
  return known == nullptr || known->breaker.allows_traffic();
}

void HealthMonitor::start_monitoring(const std::string& agent, Duration interval) {
  Agent& known = at(agent);
  known.interval = std::max(interval, Duration(1));
  rearm(agent, known);
}

void HealthMonitor::stop_monitoring(const std::string& agent) {
  const auto found = agents_.find(agent);
  if (found == agents_.end()) return;
  found->second->interval = Duration();
  found->second->due.cancel();
}

void HealthMonitor::rearm(const std::string& name, Agent& agent) {
  const Instant next = allows(name) ? after(loop_.now(), agent.interval)
                                    : std::max(loop_.now(), agent.breaker.next_probe());
  loop_.arm(agent.due, next);
}

Task<void> HealthMonitor::monitored_check(std::string agent) {
  if (!at(agent).probing) {
    if (allows(agent)) {
      co_await probe(agent);
    } else {
      co_await probe_while_due(agent);
    }
  }
  const auto found = agents_.find(agent);
  if (found == agents_.end() || found->second->interval == Duration()) co_return;
  Agent& known = *found->second;
  if (known.probing) {  // Somebody else's; what comes of it counts as well.
    loop_.arm(known.due, after(loop_.now(), known.interval));
  } else {
    rearm(agent, known);
  }
}

void HealthMonitor::forget(const std::string& agent) { agents_.erase(agent); }

HealthStatus HealthMonitor::status(const std::string& agent) const {
  const Agent* const known = find(agent);
  return known == nullptr ? HealthStatus() : known->status();
}

Instant HealthMonitor::next_probe(const std::string& agent) const {
  const Agent* const known = find(agent);
  return known == nullptr ? Instant() : known->breaker.next_probe();
}

}  // namespace plumbline::connector
