#include "core/os/child/stdio_relay.h"

#include <array>
#include <utility>

#include "core/os/child/real_spawner.h"
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
  HostRelay(RealLoop& loop, std::unique_ptr<net::Child> child, StdioListener& listener)
      : child_(std::move(child)),
        ours_(standard_streams(loop)),
        in_(StdioStream::kIn, *ours_, child_->stdio(), listener),
        out_(StdioStream::kOut, child_->stdio(), *ours_, listener) {
    ours_->start(in_);
    child_->stdio().start(out_);
  }

  void signal(int number) override {
    child_->signal(number == 9 ? net::Signal::kKill : net::Signal::kTerminate);
  }

  std::optional<net::ExitStatus> exit_status() const override {
    if (ours_->queued_bytes() > 0) return std::nullopt;
    return child_->exit_status();
  }

 private:
  std::unique_ptr<net::Child> child_;
  std::unique_ptr<net::Pipe> ours_;
  Way in_;
  Way out_;
};

}  // namespace

Result<std::unique_ptr<StdioRelay>> StdioRelay::start(RealLoop& loop, const net::Command& command,
                                                      StdioListener& listener) {
  RealSpawner spawner(loop);
  Result<std::unique_ptr<net::Child>> child = spawner.spawn(command);
  if (!child.ok()) return std::move(child).error();
  return std::unique_ptr<StdioRelay>(
      std::make_unique<HostRelay>(loop, std::move(child).value(), listener));
}

}  // namespace plumbline::os
