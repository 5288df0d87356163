// RealWorld is every real door of the process. main() makes the only one, and hands it down in the
// Host.

#pragma once

#include <optional>

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
  os::RealSpawner& spawner() { return spawner_ ? *spawner_ : spawner_.emplace(loop()); }
  os::RealNetwork& network() { return network_ ? *network_ : network_.emplace(loop()); }

 private:
  os::RealFileStore files_;
  std::optional<os::RealLoop> loop_;
  std::optional<os::RealSpawner> spawner_;
  std::optional<os::RealNetwork> network_;
};

}  // namespace plumbline::cli
