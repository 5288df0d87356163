// RealPipe is a Pipe over two descriptors: the ends of a child's stdin and stdout, or our own.
//
// Writes of one turn leave in one system call. A peer that no longer reads is found out by the
// write; what it has still said is delivered before on_end tells.

#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/lifeline.h"
#include "core/base/limits.h"
#include "core/net/pipe.h"
#include "core/os/fd.h"
#include "core/os/fd_watch.h"
#include "core/os/real_loop.h"
#include "core/os/write_queue.h"

namespace plumbline::os {

class RealPipe final : public net::Pipe {
 public:
  // kLinger is how long a pipe is still read once its peer is known to be gone. A grandchild that
  // inherited the other end could hold it open for ever.
  static constexpr Duration kLinger = std::chrono::milliseconds(200);

  // Sharing says whether other processes use the same open files. Ours are made non-blocking; a
  // shared one must stay as it is, so it is used only when it is ready, in small pieces.
  enum class Sharing { kOurs, kShared };

  // Reads from `in` and writes to `out`. `loop` must outlive the pipe.
  RealPipe(RealLoop& loop, Fd in, Fd out, Sharing sharing);

  // standard_streams takes over our own stdin and stdout (take_standard_streams).
  static std::unique_ptr<RealPipe> standard_streams(RealLoop& loop);

  ~RealPipe() override;

  // implements Pipe ---
  void start(net::PipeReader& reader) override;
  void write(std::string bytes) override;
  void close_write() override;
  void close() override;

  // queued_bytes returns how much was written and not yet taken by the system.
  std::size_t queued_bytes() const override { return queue_.waiting().size(); }
  std::size_t held_bytes() const override { return queue_.held_bytes(); }

  // peer_gone tells that the process at the other end has ended: what it left behind is delivered
  // now, and the stream ends at once, or after kLinger when somebody else holds it open.
  void peer_gone();

 private:
  void read_some();
  // read_available reads what is there, about `bytes_max` at most. Returns whether there can be
  // more: false at the end, and when the reader has closed or destroyed the pipe.
  bool read_available(std::size_t bytes_max);
  void flush();
  void stop_writing();
  void break_write(Error error);
  void end();

  RealLoop& loop_;
  Sharing sharing_;
  net::PipeReader* reader_ = nullptr;  // Null before start() and once nothing may be called.
  std::optional<FdWatch> in_;          // Empty once nothing more is read.
  std::optional<FdWatch> out_;         // Empty once nothing more is written.
  std::unique_ptr<char[]> buffer_;     // Of reads.
  WriteQueue queue_;
  bool closing_write_ = false;  // After what is queued.
  bool peer_gone_ = false;
  std::optional<Error> broken_by_;  // What on_end will tell.
  Alarm flush_turn_;
  Alarm end_turn_;
  Lifeline lifeline_;
};

}  // namespace plumbline::os
