#include "core/os/child/stdio_relay.h"

#include <cstdio>
#include <utility>

#include "core/os/node/child/host_child.h"
#include "core/os/standard_streams.h"

namespace plumbline::os {

namespace {

// Way carries what one of the two says to the other.
class Way final : public net::PipeReader {
 public:
  Way(StdioStream stream, net::Pipe& from, net::Pipe& to, StdioListener& listener)
      : stream_(stream), from_(from), to_(to), listener_(listener) {}

  void on_bytes(std::string_view bytes) override {
    if (listener_.on_bytes(stream_, bytes)) return to_.write(std::string(bytes));
    to_.close_write();
    from_.close();
    listener_.on_end(stream_);
  }
  void on_end(const Error* /*error*/) override {
    to_.close_write();
    listener_.on_end(stream_);
  }

 private:
  StdioStream stream_;
  net::Pipe& from_;
  net::Pipe& to_;
  StdioListener& listener_;
};

class HostRelay final : public StdioRelay {
 public:
  HostRelay(RealLoop& loop, std::unique_ptr<HostChild> child, StdioListener& listener)
      : child_(std::move(child)),
        ours_(standard_streams(loop)),
        in_(StdioStream::kIn, *ours_, child_->stdio(), listener),
        out_(StdioStream::kOut, child_->stdio(), *ours_, listener) {
    child_->on_errors([&listener, passes = true](std::string_view bytes) mutable {
      passes = passes && listener.on_bytes(StdioStream::kErr, bytes);
      if (passes) std::fwrite(bytes.data(), 1, bytes.size(), stderr);
    });
    child_->on_exit([&listener] { listener.on_end(StdioStream::kErr); });
    ours_->start(in_);
    child_->stdio().start(out_);
  }

  void signal(int number) override { child_->send_signal(number); }

  std::optional<net::ExitStatus> exit_status() const override {
    if (ours_->queued_bytes() > 0) return std::nullopt;
    return child_->exit_status();
  }

 private:
  std::unique_ptr<HostChild> child_;
  std::unique_ptr<net::Pipe> ours_;
  Way in_;
  Way out_;
};

}  // namespace

Result<std::unique_ptr<StdioRelay>> StdioRelay::start(RealLoop& loop, const net::Command& command,
                                                      StdioListener& listener) {
  Result<std::unique_ptr<HostChild>> child = start_host_child(loop, command);
  if (!child.ok()) return std::move(child).error();
  return std::unique_ptr<StdioRelay>(
      std::make_unique<HostRelay>(loop, std::move(child).value(), listener));
}

}  // namespace plumbline::os
