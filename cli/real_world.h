// RealWorld is every real door of the process. main() makes the only one, and hands it down in the
// Host.

#pragma once

#include <cstdint>
#include <optional>

#include "cli/charged_spawner.h"
#include "core/base/budget/budget.h"
#include "core/os/child/real_spawner.h"
#include "core/os/net/real_network.h"
#include "core/os/real_file_store.h"
#include "core/os/real_loop.h"

namespace plumbline::cli {

class RealWorld {
 public:
  RealWorld() = default;
  RealWorld(const RealWorld&) = delete;
  RealWorld& operator=(const RealWorld&) = delete;

  os::RealFileStore& files() { return files_; }

  // The others are made when they are first asked for: a loop makes the process ignore SIGPIPE, and
  // a spawner takes in the orphans below it, which a command that only prints must not.
  os::RealLoop& loop() { return loop_ ? *loop_ : loop_.emplace(); }
  net::Spawner& spawner() {
    if (!children_) spawner_.emplace(loop());
    return children_ ? *children_ : children_.emplace(*spawner_, processes_);
  }
  os::RealNetwork& network() { return network_ ? *network_ : network_.emplace(loop()); }

 private:
  // Of all that is started at one time, on behalf of whomever.
  static constexpr std::uint64_t kProcessesMax = 256;

  os::RealFileStore files_;
  Budget processes_{Amounts().set(Resource::kProcesses, kProcessesMax)};
  std::optional<os::RealLoop> loop_;
  std::optional<os::RealSpawner> spawner_;
  std::optional<ChargedSpawner> children_;
  std::optional<os::RealNetwork> network_;
};

}  // namespace plumbline::cli
