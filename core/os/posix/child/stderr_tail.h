// StderrTail reads everything a child writes to stderr and keeps the end of it.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/os/fd.h"
#include "core/os/fd_watch.h"
#include "core/os/real_loop.h"
#include "core/os/tail.h"

namespace plumbline::os {

class StderrTail {
 public:
  // Reads from `in`, which must be ours alone, from the next turn of `loop` on.
  StderrTail(RealLoop& loop, Fd in);

  std::string text() const { return std::string(tail_.text()); }

  // bytes returns how many were read in all.
  std::uint64_t bytes() const { return bytes_; }

  // drain reads what is there now, at most about kDrainBytes: the rest comes in later turns.
  void drain();

 private:
  static constexpr std::size_t kDrainBytes = 1U << 20U;

  void on_readable();

  Tail tail_;
  std::uint64_t bytes_ = 0;
  std::optional<FdWatch> in_;  // Empty at the end of the stream.
};

}  // namespace plumbline::os
