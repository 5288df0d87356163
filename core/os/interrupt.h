// Interrupt turns SIGINT and SIGTERM into a callback on the loop. Where the loop does not turn
// within a second the process ends: see Overdue.

#pragma once

#include <functional>
#include <memory>

#include "core/os/real_loop.h"

namespace plumbline::os {

class Interrupt {
 public:
  // `on_signal` is called from the loop for each signal, with its number, until the Interrupt is
  // destroyed; the signals then have their default effect again. At most one Interrupt exists in
  // a process. While it exists the loop always has something left to wait for.
  Interrupt(RealLoop& loop, std::function<void(int signal)> on_signal);
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;
  ~Interrupt();

 private:
  struct Impl;

  std::unique_ptr<Impl> impl_;
};

}  // namespace plumbline::os
