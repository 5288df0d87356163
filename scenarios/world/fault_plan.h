// FaultPlan lets things go wrong between us and the servers when the weather says so. A fault meets
// every stream to its server: the one of a child process, or all that HTTP has.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/loop.h"
#include "core/events/trace_event.h"
#include "core/net/spawner.h"
#include "fakes/faults/breakable.h"
#include "fakes/world/sim_spawner.h"
#include "scenarios/format/scenario.h"

namespace plumbline::scenarios {

// Link is one stream to a server, or its child process. Its functions call nothing back.
class Link {
 public:
  // end returns our end of it.
  virtual fakes::Breakable& end() = 0;

  // kill ends the process at the other end, where the stream has one of its own. Returns whether
  // it was there to be ended.
  virtual bool kill() { return false; }

 protected:
  ~Link() = default;
};

class FaultPlan {
 public:
  // All references must outlive the plan, and the plan the streams. Faults with a time are armed at
  // once.
  FaultPlan(Loop& loop, EventSink& events, const std::vector<Fault>& faults);
  FaultPlan(const FaultPlan&) = delete;
  FaultPlan& operator=(const FaultPlan&) = delete;

  // abort_at_reset is a planted defect: the program ends when a stream breaks.
  void abort_at_reset() { aborts_at_reset_ = true; }

  // opened and closed tell which streams there are.
  void opened(const std::string& server, Link& link);
  void closed(const std::string& server, const Link& link);

  // on_kill names what ends `server` where its streams have no process of their own.
  void on_kill(const std::string& server, std::function<void()> kill);

  // reset breaks every stream to `server`, as when its process ends.
  void reset(const std::string& server);

  // refuses returns whether `server` cannot be started or dialled now, and counts it as met.
  bool refuses(const std::string& server);

  // cut_off_until returns until when a dial to `server` hangs, if it does, and counts it as met.
  std::optional<Instant> cut_off_until(const std::string& server);

  // healed_at returns when the last fault is over. One that waits for a byte or a write counts once
  // it has struck. kNever: one strikes every new stream.
  Instant healed_at() const;

  // stop lets nothing strike any more, and tells of nothing: the run is over.
  void stop() {
    stopped_ = true;
    alarms_.clear();
  }

  // Tally is how many faults of a verb have struck, their time or byte or write having come, and
  // how many of those met something: they changed a byte, a time or an order.
  struct Tally {
    std::int64_t struck = 0;
    std::int64_t met = 0;
  };

  // tally returns it by Fault::Verb.
  const std::array<Tally, kVerbCount>& tally() const { return tally_; }

 private:
  // Seen is what has become of a fault.
  struct Seen {
    bool struck = false;
    bool met = false;
  };

  struct Server {
    std::vector<Link*> links;  // Oldest first.
    std::int64_t opened = 0;
    std::array<std::int64_t, 2> writes{};  // By Fault::Way.
    std::function<void()> kill;
  };

  bool lasts_now(const Fault& fault) const;
  void strike(const Fault& fault);
  void apply(const Fault& fault, fakes::Breakable& end);
  void prepare(const Fault& fault, const Server& server, fakes::Breakable& end);
  void kill(const Fault& fault, Server& server);
  fakes::Extra delay_of(const std::string& name, Fault::Way way);
  void count(const Fault& fault);
  void met(const Fault& fault);

  Loop& loop_;
  EventSink& events_;
  const std::vector<Fault>& faults_;
  bool stopped_ = false;
  bool aborts_at_reset_ = false;
  std::vector<Seen> seen_;  // By the index of the fault.
  std::array<Tally, kVerbCount> tally_{};
  Instant last_struck_end_{};  // Of the faults without a time.
  std::map<std::string, Server> servers_;
  std::vector<std::unique_ptr<Alarm>> alarms_;
};

// FaultySpawner is a SimSpawner whose children a plan can break.
class FaultySpawner final : public net::Spawner {
 public:
  // Both must outlive the spawner and every child. Takes the on_link of `spawner`.
  FaultySpawner(fakes::SimSpawner& spawner, FaultPlan& plan);

  // implements transport::Spawner --- kLimitReached: a fault refuses it.
  Result<std::unique_ptr<net::Child>> spawn(const net::Command& command) override;

 private:
  fakes::SimSpawner& spawner_;
  FaultPlan& plan_;
  fakes::SimPipe* newest_ = nullptr;
};

}  // namespace plumbline::scenarios
