// StopFlag turns SIGINT and SIGTERM into a flag, for work that polls instead of running a loop.

#pragma once

#include <atomic>
#include <optional>

#include "core/os/overdue.h"

namespace plumbline::os {

class StopFlag {
 public:
  // From now on the two signals set the flag, and the process ends where the StopFlag is still
  // there a second later: see Overdue. At most one StopFlag, and no Interrupt beside it, exists in
  // a process.
  StopFlag();
  StopFlag(const StopFlag&) = delete;
  StopFlag& operator=(const StopFlag&) = delete;
  ~StopFlag();

  // flag lives as long as the process.
  const std::atomic<bool>& flag() const;

 private:
  std::optional<Overdue> overdue_;
};

}  // namespace plumbline::os
