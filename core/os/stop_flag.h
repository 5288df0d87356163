// StopFlag hears SIGINT and SIGTERM for work that polls instead of running a loop.

#pragma once

#include <optional>

#include "core/os/overdue.h"

namespace plumbline::os {

class StopFlag {
 public:
  // From now on the two signals are noted, and the process ends where the StopFlag is still there
  // a second later: see Overdue. At most one StopFlag, and no Interrupt beside it, exists in
  // a process.
  StopFlag();
  StopFlag(const StopFlag&) = delete;
  StopFlag& operator=(const StopFlag&) = delete;
  ~StopFlag();

  // asked returns whether one has come. Any thread may ask.
  bool asked() const;

 private:
  std::optional<Overdue> overdue_;
};

}  // namespace plumbline::os
