#include "core/os/child/stdio_relay.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <utility>

#include "core/base/check.h"
#include "core/os/posix/child/byte_copy.h"
#include "core/os/posix/child/child_process.h"
#include "core/os/posix/child/start_process.h"

namespace plumbline::os {

namespace {

constexpr Duration kLookEvery = std::chrono::milliseconds(20);

Fd our_stderr() {
  Fd fd(fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
  check(fd.open(), "no descriptor is left for a standard stream");
  return fd;
}

class RealRelay final : public StdioRelay {
 public:
  RealRelay(RealLoop& loop, StartedProcess started, StdioListener& listener);

  // implements StdioRelay ---
  void signal(int number) override { process_.signal(number); }
  std::optional<net::ExitStatus> exit_status() const override {
    return told_ ? status_ : std::nullopt;
  }

 private:
  ByteCopy& copy(StdioStream stream) { return *copies_[static_cast<std::size_t>(stream)]; }
  void look();

  RealLoop& loop_;
  StdioListener& listener_;
  std::array<std::unique_ptr<ByteCopy>, 3> copies_;
  std::optional<net::ExitStatus> status_;
  bool told_ = false;
  Alarm look_again_;
  ChildProcess process_;  // Last: it is ended before its streams are.
};

RealRelay::RealRelay(RealLoop& loop, StartedProcess started, StdioListener& listener)
    : loop_(loop),
      listener_(listener),
      look_again_([this] { look(); }),
      process_(loop, started.pid, ExitWatching::kDescriptor, [this](net::ExitStatus status) {
        status_ = status;
        look();
      }) {
  using Sharing = ByteCopy::Sharing;
  StandardStreams ours = take_standard_streams();
  const auto add = [&](StdioStream stream, ByteCopy::End from, ByteCopy::End to) {
    copies_[static_cast<std::size_t>(stream)] = std::make_unique<ByteCopy>(
        loop, std::move(from), std::move(to),
        [this, stream](std::string_view bytes) { return listener_.on_bytes(stream, bytes); },
        [this, stream] {
          listener_.on_end(stream);
          if (status_) look();
        });
  };
  add(StdioStream::kIn, {std::move(ours.in), Sharing::kShared}, {std::move(started.in)});
  add(StdioStream::kOut, {std::move(started.out)}, {std::move(ours.out), Sharing::kShared});
  add(StdioStream::kErr, {std::move(started.err)}, {our_stderr(), Sharing::kShared});
}

// look tells the end of the child when nothing more comes of it.
void RealRelay::look() {
  for (const StdioStream stream : {StdioStream::kOut, StdioStream::kErr}) {
    ByteCopy& said = copy(stream);
    if (said.ended()) continue;
    if (!said.idle()) return loop_.arm(look_again_, loop_.now() + kLookEvery);
  }
  told_ = true;
}

}  // namespace

Result<std::unique_ptr<StdioRelay>> StdioRelay::start(RealLoop& loop, const net::Command& command,
                                                      StdioListener& listener) {
  Brood::adopt_orphans();
  const Brood starting;
  Result<StartedProcess> started = start_process(command);
  if (!started.ok()) return started.error();
  return std::unique_ptr<StdioRelay>(
      std::make_unique<RealRelay>(loop, std::move(started).value(), listener));
}

}  // namespace plumbline::os
