// FileLocks are locks of one file, which stays: a name is a byte of it, and whoever holds it is
// known to the system. So there is no lock of a process that has died, nor one that two hold.

#pragma once

#include <string>
#include <utility>

#include "core/base/doors/locks.h"
#include "core/os/fd.h"

namespace plumbline::os {

class FileLocks final : public Locks {
 public:
  // The file at `path` is made by the first lock, with the folders above it, for its owner alone.
  explicit FileLocks(std::string path) : path_(std::move(path)) {}

  // implements Locks ---
  Result<bool> take(const std::string& name) override;
  void give_back(const std::string& name) override;

 private:
  bool set(const std::string& name, int type);

  std::string path_;
  Fd fd_;  // Opened by the first take().
};

}  // namespace plumbline::os
