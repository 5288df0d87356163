// RealDoors is what a run for real may touch of the machine: who runs it hands them in.

#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "core/base/doors/file_store.h"
#include "core/base/doors/wall_clock.h"
#include "core/base/loop.h"
#include "core/base/random_bytes.h"
#include "core/base/result.h"
#include "core/net/network.h"
#include "core/net/spawner.h"

namespace plumbline::scenarios {

// OwnFolder is an empty folder that is gone with it.
class OwnFolder {
 public:
  virtual ~OwnFolder() = default;
  virtual const std::string& path() const = 0;
};

struct RealDoors {
  Loop& loop;
  net::Network& network;
  net::Spawner& spawner;
  FileStore& files;
  const WallClock& clock;

  // The program whose `serve` is a server of a scenario.
  std::string program;

  // run_until lets the loop go on until `done`, which it asks after each callback. Returns false
  // when the user interrupted it.
  std::function<bool(const std::function<bool()>& done)> run_until;

  RandomBytes random_bytes;

  std::function<Result<std::unique_ptr<OwnFolder>>()> make_folder;

  // absolute_path returns `path` as it can be found from any folder.
  std::function<std::string(const std::string& path)> absolute_path;

  // is_running returns whether there is a process of this number.
  std::function<bool(std::int64_t process)> is_running;
};

}  // namespace plumbline::scenarios
