// FdWatch owns a descriptor and tells when it can be read or written.

#pragma once

#include <functional>
#include <memory>

#include "core/os/fd.h"
#include "core/os/real_loop.h"

namespace plumbline::os {

class FdWatch {
 public:
  // `on_ready` is called from the loop, once for each await_*(). It may destroy the watch. `fd` is
  // anything that can be opened: what the system cannot wait for (a file on a disk, /dev/null) is
  // always ready.
  FdWatch(RealLoop& loop, Fd fd, std::function<void()> on_ready);
  FdWatch(const FdWatch&) = delete;
  FdWatch& operator=(const FdWatch&) = delete;
  ~FdWatch();

  // await_readable and await_writable ask for one call. No-op while one is to come: a watch waits
  // for one of the two.
  void await_readable();
  void await_writable();

  int fd() const { return fd_.number(); }

  // release gives the descriptor up: nothing is called any more.
  Fd release();

 private:
  struct Impl;

  template <typename Kind>
  void await(Kind kind);

  std::function<void()> on_ready_;
  Fd fd_;                       // Outlives the watch of it.
  std::unique_ptr<Impl> impl_;  // The watch. Null once released.
};

}  // namespace plumbline::os
