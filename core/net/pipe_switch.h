// PipeSwitch is a Pipe whose reader can be changed once its first protocol is over: an HTTP
// connection that is upgraded goes on as something else.

#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

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

  // implements Pipe ---
  void start(PipeReader& reader) override;
  void write(std::string bytes) override { pipe_->write(std::move(bytes)); }
  void close_write() override { pipe_->close_write(); }
  void close() override;
  std::string peer_address() const override { return pipe_->peer_address(); }

 private:
  void on_bytes(std::string_view bytes) override;
  void on_end(const Error* error) override;
  void fire() override;

  Loop& loop_;
  std::unique_ptr<Pipe> pipe_;
  PipeReader* reader_ = nullptr;
  std::string unread_;  // Only between two readers, and until the turn that delivers it.
  bool started_ = false;
  bool ended_ = false;  // And nobody was told.
  std::optional<Error> broken_by_;
};

}  // namespace plumbline::net
