#include "core/os/posix/child/byte_copy.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <utility>

namespace plumbline::os {

ByteCopy::ByteCopy(RealLoop& loop, End from, End to, std::function<bool(std::string_view)> on_bytes,
                   std::function<void()> on_end)
    : from_sharing_(from.sharing),
      to_sharing_(to.sharing),
      on_bytes_(std::move(on_bytes)),
      on_end_(std::move(on_end)),
      buffer_(std::make_unique<char[]>(kPieceBytes)) {
  if (from_sharing_ == Sharing::kOurs) set_nonblocking(from.fd);
  if (to_sharing_ == Sharing::kOurs) set_nonblocking(to.fd);
  from_.emplace(loop, std::move(from.fd), [this] { turn(); });
  to_.emplace(loop, std::move(to.fd), [this] { turn(); });
  from_->await_readable();
}

bool ByteCopy::idle() const {
  return waiting_.empty() && (!from_ || !ready_for(from_->fd(), POLLIN));
}

void ByteCopy::stop() {
  on_end_ = nullptr;
  from_.reset();
  to_.reset();
}

// turn writes what waits, or reads the next piece and writes it, and waits for whichever it was.
void ByteCopy::turn() {
  if (waiting_.empty()) {
    if (!read_piece()) return;
    if (!on_bytes_(waiting_)) return end();
  }
  if (!write_waiting()) return end();
  if (!waiting_.empty()) return to_->await_writable();
  from_->await_readable();
}

// read_piece returns whether there is one.
bool ByteCopy::read_piece() {
  if (from_sharing_ == Sharing::kShared && !ready_for(from_->fd(), POLLIN)) {
    from_->await_readable();
    return false;
  }
  const ssize_t count = ::read(from_->fd(), buffer_.get(), kPieceBytes);
  if (count < 0 && try_again(errno)) {
    from_->await_readable();
    return false;
  }
  if (count <= 0) {
    end();
    return false;
  }
  waiting_ = std::string_view(buffer_.get(), static_cast<std::size_t>(count));
  return true;
}

// write_waiting writes as much as is taken now. Returns false when nobody takes any more.
bool ByteCopy::write_waiting() {
  while (!waiting_.empty()) {
    std::size_t size = waiting_.size();
    if (to_sharing_ == Sharing::kShared) {
      // A blocking descriptor that is ready takes this much without blocking.
      size = std::min<std::size_t>(size, PIPE_BUF);
      if (!ready_for(to_->fd(), POLLOUT)) return true;
    }
    const ssize_t count = ::write(to_->fd(), waiting_.data(), size);
    if (count < 0) return try_again(errno);
    waiting_.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

void ByteCopy::end() {
  const std::function<void()> on_end = std::move(on_end_);
  stop();
  if (on_end) on_end();
}

}  // namespace plumbline::os
