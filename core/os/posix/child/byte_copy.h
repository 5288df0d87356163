// ByteCopy passes what comes out of one descriptor on into another, at once and unchanged.
//
// It holds back who writes as long as nobody reads: no more is read than one piece ahead.

#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/lifeline.h"
#include "core/os/fd.h"
#include "core/os/fd_watch.h"
#include "core/os/posix/real_pipe.h"
#include "core/os/real_loop.h"

namespace plumbline::os {

class ByteCopy {
 public:
  using Sharing = RealPipe::Sharing;

  struct End {
    Fd fd;
    Sharing sharing = Sharing::kOurs;
  };

  // `on_bytes` sees each piece before anybody else does, and says whether it may be passed on: if
  // not, this is the end. `on_end` is called once, from the loop, when
  // the source has ended and all of it has been passed on, or when nobody takes any more: then both
  // ends are closed. It may destroy the ByteCopy. Begins in the next turn of the loop.
  ByteCopy(RealLoop& loop, End from, End to, std::function<bool(std::string_view)> on_bytes,
           std::function<void()> on_end);

  bool ended() const { return !from_ && !to_; }

  // idle returns whether nothing is to be read now, nor waits to be written.
  bool idle() const;

  // stop closes both ends without a call of on_end.
  void stop();

 private:
  static constexpr std::size_t kPieceBytes = 64U << 10U;

  void turn();
  bool read_piece();
  bool write_waiting();
  void end();

  Sharing from_sharing_;
  Sharing to_sharing_;
  std::function<bool(std::string_view)> on_bytes_;
  std::function<void()> on_end_;
  std::unique_ptr<char[]> buffer_;
  std::string_view waiting_;     // Of buffer_, not yet written.
  std::optional<FdWatch> from_;  // Empty once nothing more is read.
  std::optional<FdWatch> to_;
};

}  // namespace plumbline::os
