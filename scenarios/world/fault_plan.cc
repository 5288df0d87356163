#include "scenarios/world/fault_plan.h"

#include <algorithm>
#include <utility>

#include "core/base/check.h"
#include "core/net/forwarding_child.h"
#include "scenarios/format/fault_verbs.h"

namespace plumbline::scenarios {

namespace {

// WatchedChild is a child whose stream a plan knows as long as it lives.
class WatchedChild final : public net::ForwardingChild, private Link {
 public:
  WatchedChild(std::unique_ptr<net::Child> child, std::string server, fakes::SimPipe& pipe,
               FaultPlan& plan)
      : ForwardingChild(std::move(child)), server_(std::move(server)), pipe_(pipe), plan_(plan) {
    plan_.opened(server_, *this);
  }
  ~WatchedChild() override { plan_.closed(server_, *this); }

 private:
  // implements Link ---
  fakes::Breakable& end() override { return pipe_; }
  bool kill() override {
    const bool alive = !exit_status();
    signal(net::Signal::kKill);
    return alive;
  }

  std::string server_;
  fakes::SimPipe& pipe_;
  FaultPlan& plan_;
};

// kTrickle is the bandwidth of a clogged stream: a small message takes some seconds.
constexpr std::int64_t kTrickleBytesPerSecond = 64;

using Verb = Fault::Verb;
using Way = Fault::Way;

bool comes_at_a_time(const Fault& fault) {
  return !fault.after_bytes && info_of(fault.verb).at != Takes::kNo;
}

// meets_new_streams returns whether what opens while the fault goes on has its share of it.
bool meets_new_streams(Verb verb) {
  return verb == Verb::kPartition || verb == Verb::kClog || verb == Verb::kHold ||
         verb == Verb::kThrottle || verb == Verb::kFragment;
}

// ends_of calls `act` with the ends of a stream at which a fault of this way is felt.
template <typename Act>
void ends_of(Way way, fakes::Breakable& ours, Act act) {
  fakes::Breakable* const theirs = ours.other_end();
  if (way != Way::kTo) act(ours);
  if (way != Way::kFrom && theirs != nullptr) act(*theirs);
}

// is_over returns whether both ends of a stream have heard that it has ended.
bool is_over(fakes::Breakable& ours) {
  fakes::Breakable* const theirs = ours.other_end();
  const bool heard_there = theirs == nullptr || theirs->ending() == fakes::Ending::kHeard;
  return ours.ending() == fakes::Ending::kHeard && heard_there;
}

}  // namespace

FaultPlan::FaultPlan(Loop& loop, EventSink& events, const std::vector<Fault>& faults)
    : loop_(loop), events_(events), faults_(faults), seen_(faults.size()) {
  for (const Fault& fault : faults_) {
    if (!comes_at_a_time(fault)) continue;
    alarms_.push_back(std::make_unique<Alarm>([this, &fault] { strike(fault); }));
    loop_.arm(*alarms_.back(), after(Instant{}, fault.at));
  }
}

void FaultPlan::opened(const std::string& server, Link& link) {
  Server& entry = servers_[server];
  entry.links.push_back(&link);
  ++entry.opened;
  for (const Fault& fault : faults_) {
    if (fault.server == server) prepare(fault, entry, link.end());
  }
}

// prepare gives a new stream its share of a fault that goes on, or waits for bytes or writes.
void FaultPlan::prepare(const Fault& fault, const Server& server, fakes::Breakable& end) {
  if (stopped_) return;
  if (fault.after_bytes) {
    if (fault.nth != 0 && fault.nth != server.opened) return;
    ends_of(fault.way, end, [this, &fault](fakes::Breakable& at) {
      at.reset_after(*fault.after_bytes, [this, &fault] { met(fault); });
    });
  } else if (fault.verb == Verb::kDelay) {
    ends_of(fault.way, end, [this, &fault](fakes::Breakable& at) {
      at.delay_writes([this, &fault] { return delay_of(fault.server, fault.way); });
    });
  } else if (meets_new_streams(fault.verb) && lasts_now(fault)) {
    count(fault);
    apply(fault, end);
  }
}

void FaultPlan::closed(const std::string& server, const Link& link) {
  std::erase(servers_[server].links, &link);
}

void FaultPlan::on_kill(const std::string& server, std::function<void()> kill) {
  servers_[server].kill = std::move(kill);
}

void FaultPlan::reset(const std::string& server) {
  for (Link* const link : servers_[server].links) link->end().reset();
}

bool FaultPlan::refuses(const std::string& server) {
  for (const Fault& fault : faults_) {
    const bool shut = fault.verb == Verb::kRefuse || fault.verb == Verb::kKill;
    if (!shut || fault.server != server || !lasts_now(fault)) continue;
    met(fault);
    return true;
  }
  return false;
}

std::optional<Instant> FaultPlan::cut_off_until(const std::string& server) {
  std::optional<Instant> until;
  for (const Fault& fault : faults_) {
    if (fault.verb != Verb::kPartition || fault.server != server || !lasts_now(fault)) continue;
    met(fault);
    const Instant end = after(Instant{}, fault.at + fault.lasts);
    until = until ? std::max(*until, end) : end;
  }
  return until;
}

Instant FaultPlan::healed_at() const {
  Instant last = last_struck_end_;
  for (const Fault& fault : faults_) {
    if (fault.after_bytes && fault.nth == 0) return kNever;
    const bool harmless = fault.lasts == kForever;  // Cuts that never end lose nothing.
    const Instant start = after(Instant{}, fault.at);
    if (comes_at_a_time(fault)) last = std::max(last, harmless ? start : after(start, fault.lasts));
  }
  return last;
}

// lasts_now returns whether a fault that has a time and a length goes on. Once stopped, none does.
bool FaultPlan::lasts_now(const Fault& fault) const {
  if (stopped_) return false;
  const Instant start = after(Instant{}, fault.at);
  return loop_.now() >= start && loop_.now() < after(start, fault.lasts);
}

void FaultPlan::strike(const Fault& fault) {
  Server& server = servers_[fault.server];
  count(fault);
  if (fault.verb == Verb::kKill) return kill(fault, server);
  for (Link* const link : server.links) apply(fault, link->end());
}

// apply does to one stream what a fault does that is there now.
void FaultPlan::apply(const Fault& fault, fakes::Breakable& end) {
  const Instant until = after(after(Instant{}, fault.at), fault.lasts);
  const fakes::Felt felt = [this, &fault] { met(fault); };
  switch (fault.verb) {
    case Verb::kStall:
      return end.stall_until(until, felt);
    case Verb::kReset:
      if (!is_over(end)) met(fault);
      return end.reset();
    case Verb::kHalfClose:
      return ends_of(fault.way, end, [&](fakes::Breakable& at) {
        if (at.ending() == fakes::Ending::kNone) met(fault);
        at.end_input();
      });
    case Verb::kPartition:
      return ends_of(fault.way, end, [&](fakes::Breakable& at) { at.stall_until(until, felt); });
    case Verb::kClog:
      return ends_of(Way::kBoth, end, [&](fakes::Breakable& at) {
        at.throttle_until(until, kTrickleBytesPerSecond, felt);
      });
    case Verb::kHold:
      return end.hold_until(until, felt);
    case Verb::kThrottle:
      return ends_of(Way::kBoth, end, [&](fakes::Breakable& at) {
        at.throttle_until(until, fault.bytes_per_s, felt);
      });
    case Verb::kFragment:
      return ends_of(Way::kBoth, end,
                     [&](fakes::Breakable& at) { at.fragment_until(until, felt); });
    case Verb::kRefuse:
    case Verb::kDelay:
    case Verb::kKill:
      return;
  }
}

void FaultPlan::kill(const Fault& fault, Server& server) {
  bool alive = false;
  for (Link* const link : server.links) {
    alive = server.kill ? alive || !is_over(link->end()) : link->kill() || alive;
  }
  if (alive) met(fault);
  if (server.kill) server.kill();
}

// delay_of counts a write and returns how much longer it takes.
fakes::Extra FaultPlan::delay_of(const std::string& name, Way way) {
  const std::int64_t number = ++servers_[name].writes[static_cast<std::size_t>(way)];
  fakes::Extra extra;
  std::vector<const Fault*> meant;
  for (const Fault& fault : faults_) {
    const bool this_one = fault.verb == Verb::kDelay && fault.server == name && fault.way == way;
    if (!this_one || fault.nth != number) continue;
    count(fault);
    extra.time += fault.lasts;
    meant.push_back(&fault);
  }
  if (meant.empty()) return extra;
  extra.felt = [this, meant] {
    for (const Fault* const fault : meant) met(*fault);
  };
  return extra;
}

// count counts a fault when it strikes.
void FaultPlan::count(const Fault& fault) {
  if (stopped_) return;
  Seen& seen = seen_[static_cast<std::size_t>(&fault - faults_.data())];
  if (std::exchange(seen.struck, true)) return;
  ++tally_[static_cast<std::size_t>(fault.verb)].struck;
  if (!comes_at_a_time(fault)) {
    last_struck_end_ = std::max(last_struck_end_, after(loop_.now(), fault.lasts));
  }
}

// met tells of a fault when it first changes something.
void FaultPlan::met(const Fault& fault) {
  if (stopped_) return;
  count(fault);
  Seen& seen = seen_[static_cast<std::size_t>(&fault - faults_.data())];
  if (std::exchange(seen.met, true)) return;
  ++tally_[static_cast<std::size_t>(fault.verb)].met;
  if (fault.verb == Verb::kReset) check(!aborts_at_reset_, "a planted abort");
  Json detail = Json::object();
  detail["fault"] = info_of(fault.verb).name;
  detail["met_a_connection"] = true;
  events_.on_event(TraceEvent{loop_.now(), EventKind::kFault, fault.server, detail});
}

FaultySpawner::FaultySpawner(fakes::SimSpawner& spawner, FaultPlan& plan)
    : spawner_(spawner), plan_(plan) {
  spawner_.on_link(
      [this](const std::string&, fakes::SimPipe& ours, fakes::SimPipe&) { newest_ = &ours; });
}

Result<std::unique_ptr<net::Child>> FaultySpawner::spawn(const net::Command& command) {
  if (!command.argv.empty() && plan_.refuses(command.argv.front())) {
    return Error{ErrorCode::kLimitReached, "\"" + command.argv.front() +
                                               "\" cannot be started: Resource temporarily "
                                               "unavailable"};
  }
  Result<std::unique_ptr<net::Child>> child = spawner_.spawn(command);
  if (!child.ok()) return child;
  check(newest_ != nullptr, "a spawned child has a link");
  return std::unique_ptr<net::Child>(std::make_unique<WatchedChild>(
      std::move(child).value(), command.argv.front(), *std::exchange(newest_, nullptr), plan_));
}

}  // namespace plumbline::scenarios
