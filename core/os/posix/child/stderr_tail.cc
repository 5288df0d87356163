#include "core/os/posix/child/stderr_tail.h"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <utility>

namespace plumbline::os {

StderrTail::StderrTail(RealLoop& loop, Fd in) {
  set_nonblocking(in);
  in_.emplace(loop, std::move(in), [this] { on_readable(); });
  in_->await_readable();
}

void StderrTail::on_readable() {
  drain();
  if (in_) in_->await_readable();
}

void StderrTail::drain() {
  std::array<char, 16U << 10U> buffer;
  for (std::size_t total = 0; in_ && total < kDrainBytes;) {
    const ssize_t count = read(in_->fd(), buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EAGAIN) return;
    if (count <= 0) return in_.reset();
    tail_.append(std::string_view(buffer.data(), static_cast<std::size_t>(count)));
    total += static_cast<std::size_t>(count);
    bytes_ += static_cast<std::size_t>(count);
  }
}

}  // namespace plumbline::os
