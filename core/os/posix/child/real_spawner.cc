#include "core/os/child/real_spawner.h"

#include <utility>

#include "core/os/posix/child/brood.h"
#include "core/os/posix/child/real_child.h"
#include "core/os/posix/child/start_process.h"

namespace plumbline::os {

RealSpawner::RealSpawner(RealLoop& loop, ExitWatching watching) : loop_(loop), watching_(watching) {
  Brood::adopt_orphans();
}

Result<std::unique_ptr<net::Child>> RealSpawner::spawn(const net::Command& command) {
  const Brood starting;
  Result<StartedProcess> started = start_process(command);
  if (!started.ok()) return started.error();
  return std::unique_ptr<net::Child>(
      std::make_unique<RealChild>(loop_, std::move(started).value(), watching_));
}

}  // namespace plumbline::os
