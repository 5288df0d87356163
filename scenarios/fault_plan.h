// FaultPlan breaks connections when the scenario says so. A fault meets every stream that is open
// to its server: the one of a child process, or all that HTTP has.

#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/loop.h"
#include "core/events/trace_event.h"
#include "core/transport/spawner.h"
#include "fakes/sim_spawner.h"
#include "scenarios/scenario.h"

namespace plumbline::scenarios {

// Breakable is our end of one stream. Its functions call nothing back.
class Breakable {
 public:
  virtual void stall_until(Instant when) = 0;
  virtual void reset() = 0;
  virtual void reset_after(std::size_t bytes) = 0;

 protected:
  ~Breakable() = default;
};

class FaultPlan {
 public:
  // All references must outlive the plan. Faults with a time are armed at once.
  FaultPlan(Loop& loop, EventSink& events, const std::vector<Fault>& faults);
  FaultPlan(const FaultPlan&) = delete;
  FaultPlan& operator=(const FaultPlan&) = delete;

  // opened and closed tell which streams there are.
  void opened(const std::string& server, Breakable& link);
  void closed(const std::string& server, const Breakable& link);

  // reset breaks every stream to `server`, as when its process ends.
  void reset(const std::string& server);

 private:
  void strike(const Fault& fault);
  void note(const Fault& fault, std::string_view name);

  Loop& loop_;
  EventSink& events_;
  const std::vector<Fault>& faults_;
  std::map<std::string, std::vector<Breakable*>> links_;  // Oldest first.
  std::vector<std::unique_ptr<Alarm>> alarms_;
};

// FaultySpawner is a SimSpawner whose children a plan can break.
class FaultySpawner final : public transport::Spawner {
 public:
  // Both must outlive the spawner and every child. Takes the on_link of `spawner`.
  FaultySpawner(fakes::SimSpawner& spawner, FaultPlan& plan);

  // implements transport::Spawner ---
  Result<std::unique_ptr<transport::Child>> spawn(const transport::Command& command) override;

 private:
  fakes::SimSpawner& spawner_;
  FaultPlan& plan_;
  fakes::SimPipe* newest_ = nullptr;
};

}  // namespace plumbline::scenarios
