// SocketPipe is a Pipe over one connected stream socket.
//
// Writes of one turn leave in one system call, at the start of the next. After a reset, what the
// peer had still said is delivered before on_end tells.

#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "core/base/lifeline.h"
#include "core/base/limits.h"
#include "core/net/pipe.h"
#include "core/os/fd.h"
#include "core/os/real_loop.h"
#include "core/os/write_queue.h"

namespace plumbline::os {

class SocketPipe final : public net::Pipe {
 public:
  // `socket` is connected and non-blocking. `loop` must outlive the pipe.
  SocketPipe(RealLoop& loop, Fd socket);

  // As close().
  ~SocketPipe() override;

  // implements Pipe ---
  //
  // close offers what is queued to the system once, without waiting; when something is left over
  // the peer sees a reset.
  void start(net::PipeReader& reader) override;
  void write(std::string bytes) override;
  void close_write() override;
  void close() override;
  std::string peer_address() const override;

  // queued_bytes returns how much was written and not yet taken by the system.
  std::size_t queued_bytes() const override { return queue_.waiting().size(); }
  std::size_t held_bytes() const override { return queue_.held_bytes(); }
  void await_drained() override { drain_awaited_ = true; }

 private:
  struct Watch;

  void await_readable();
  void await_writable();
  void read_some();
  void flush();
  int send_queued();
  void forget_queued();
  void drop_socket(bool in_order);
  void break_write(Error error, Duration linger);
  void end();

  RealLoop& loop_;
  net::PipeReader* reader_ = nullptr;  // Null before start() and once nothing may be called.
  Fd socket_;                          // Outlives the watch of it. Closed by close().
  std::unique_ptr<Watch> watch_;
  WriteQueue queue_;
  bool drain_awaited_ = false;
  bool write_closed_ = false;       // After what is queued.
  bool write_ended_ = false;        // Nothing more can be sent.
  std::optional<Error> broken_by_;  // What on_end will tell.
  Alarm flush_turn_;
  Alarm end_turn_;
  Lifeline lifeline_;
};

}  // namespace plumbline::os
