// PipeSwitch is a Pipe whose reader can be changed once its first protocol is over: an HTTP
// connection that is upgraded goes on as something else.

#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/budget/guests.h"
#include "core/base/loop.h"
#include "core/net/pipe.h"

namespace plumbline::net {

class PipeSwitch final : public Pipe, private PipeReader, private Timer {
 public:
  // Takes over `pipe`, which nobody has started. `loop` must outlive the switch.
  PipeSwitch(Loop& loop, std::unique_ptr<Pipe> pipe) : loop_(loop), pipe_(std::move(pipe)) {}
  ~PipeSwitch() override = default;

  // hand_over takes the stream from its reader. The next to start() is given `unread` first, and
  // what arrives until then.
  void hand_over(std::string unread);

  // hold keeps what the connection was charged with, for as long as it is there.
  void hold(Held charge) { charge_ = std::move(charge); }

  // implements Pipe ---
  void start(PipeReader& reader) override;
  void write(std::string bytes) override { pipe_->write(std::move(bytes)); }
  void close_write() override { pipe_->close_write(); }
  void close() override;
  std::size_t queued_bytes() const override { return pipe_->queued_bytes(); }
  std::size_t held_bytes() const override { return pipe_->held_bytes(); }
  void await_drained() override { pipe_->await_drained(); }
  std::string peer_address() const override { return pipe_->peer_address(); }

 private:
  void on_bytes(std::string_view bytes) override;
  void on_end(const Error* error) override;
  void on_drained() override {
    if (reader_ != nullptr) reader_->on_drained();
  }
  void fire() override;

  Loop& loop_;
  Held charge_;
  std::unique_ptr<Pipe> pipe_;
  PipeReader* reader_ = nullptr;
  std::string unread_;  // Only between two readers, and until the turn that delivers it.
  bool started_ = false;
  bool ended_ = false;  // And nobody was told.
  std::optional<Error> broken_by_;
};

}  // namespace plumbline::net
