// A peer for tests: copies its own stdin to its own stdout through RealPipe, then ends with 0, or
// with 1 when a stream broke.

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

#include "core/os/posix/real_pipe.h"
#include "core/os/real_loop.h"

namespace {

using plumbline::Error;
using plumbline::os::RealLoop;
using plumbline::os::RealPipe;

class Echo final : public plumbline::net::PipeReader {
 public:
  explicit Echo(RealPipe& pipe) : pipe_(pipe) {}

  void on_bytes(std::string_view bytes) override { pipe_.write(std::string(bytes)); }
  void on_end(const Error* error) override {
    ended = true;
    broken = error != nullptr;
    if (broken) std::fprintf(stderr, "%s\n", error->message.c_str());
    pipe_.close_write();
  }

  bool ended = false;
  bool broken = false;

 private:
  RealPipe& pipe_;
};

}  // namespace

int main() {
  RealLoop loop;
  const std::unique_ptr<RealPipe> pipe = RealPipe::standard_streams(loop);
  std::puts("a stray print must not reach the stream");
  Echo echo(*pipe);
  pipe->start(echo);
  loop.run_until([&] { return echo.ended && pipe->queued_bytes() == 0; });
  return echo.broken ? 1 : 0;
}
