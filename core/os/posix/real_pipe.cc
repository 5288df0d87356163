#include "core/os/posix/real_pipe.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <utility>

#include "core/base/check.h"
#include "core/base/errors/errors.h"

namespace plumbline::os {

namespace {

constexpr std::size_t kReadBytes = 64U << 10U;
// What a peer left behind is at most what the system holds for a pipe, which is 1 MiB.
constexpr std::size_t kLeftBehindBytesMax = 1U << 20U;

}  // namespace

RealPipe::RealPipe(RealLoop& loop, Fd in, Fd out, Sharing sharing)
    : loop_(loop),
      sharing_(sharing),
      flush_turn_([this] { flush(); }),
      end_turn_([this] { end(); }) {
  if (sharing == Sharing::kOurs) {
    set_nonblocking(in);
    set_nonblocking(out);
  }
  in_.emplace(loop, std::move(in), [this] { read_some(); });
  out_.emplace(loop, std::move(out), [this] { flush(); });
}

std::unique_ptr<RealPipe> RealPipe::standard_streams(RealLoop& loop) {
  StandardStreams streams = take_standard_streams();
  return std::make_unique<RealPipe>(loop, std::move(streams.in), std::move(streams.out),
                                    Sharing::kShared);
}

RealPipe::~RealPipe() = default;

void RealPipe::start(net::PipeReader& reader) {
  check(reader_ == nullptr, "a pipe is started once");
  reader_ = &reader;
  buffer_ = std::make_unique<char[]>(kReadBytes);
  if (in_) in_->await_readable();
  if (!in_ || broken_by_ || peer_gone_) loop_.arm(end_turn_, loop_.now() + kLinger);
}

void RealPipe::write(std::string bytes) {
  if (!out_ || closing_write_ || bytes.empty()) return;
  const bool was_empty = queue_.empty();
  const Status added = queue_.add(std::move(bytes));
  if (!added.ok()) {
    break_write(added.error());
    return loop_.arm(end_turn_, loop_.now());
  }
  // In the next turn, together with whatever else this one writes.
  if (was_empty) loop_.arm(flush_turn_, loop_.now());
}

void RealPipe::close_write() {
  closing_write_ = true;
  if (queue_.empty()) stop_writing();
}

void RealPipe::close() {
  reader_ = nullptr;
  in_.reset();
  stop_writing();
  end_turn_.cancel();
}

void RealPipe::flush() {
  while (!queue_.empty()) {
    std::size_t size = queued_bytes();
    if (sharing_ == Sharing::kShared) {
      // A blocking descriptor that is ready takes this much without blocking.
      size = std::min<std::size_t>(size, PIPE_BUF);
      if (!ready_for(out_->fd(), POLLOUT)) return out_->await_writable();
    }
    const ssize_t count = ::write(out_->fd(), queue_.waiting().data(), size);
    if (count < 0 && try_again(errno)) return out_->await_writable();
    if (count < 0) {
      const int error = errno;
      break_write(the_error_as(ErrorCode::kDisconnected, "server.reads-no-more", reason_of(error)));
      return loop_.arm(end_turn_, loop_.now() + kLinger);
    }
    queue_.sent(static_cast<std::size_t>(count));
  }
  if (closing_write_) stop_writing();
}

void RealPipe::stop_writing() {
  flush_turn_.cancel();
  out_.reset();
  queue_.clear();
}

void RealPipe::break_write(Error error) {
  stop_writing();
  if (!broken_by_) broken_by_ = std::move(error);
}

void RealPipe::read_some() {
  if (read_available(kReadBytes)) in_->await_readable();
}

bool RealPipe::read_available(std::size_t bytes_max) {
  const Lifeline::Guard guard(lifeline_);
  for (std::size_t total = 0; total < bytes_max;) {
    if (sharing_ == Sharing::kShared && !ready_for(in_->fd(), POLLIN)) return true;
    const ssize_t count = ::read(in_->fd(), buffer_.get(), kReadBytes);
    if (count < 0 && try_again(errno)) return true;
    if (count <= 0) {
      if (count < 0 && errno != EIO) {  // EIO is how a terminal ends.
        broken_by_ = posix_error(ErrorCode::kDisconnected, "the stream broke", errno);
      }
      end();
      return false;
    }
    total += static_cast<std::size_t>(count);
    reader_->on_bytes(std::string_view(buffer_.get(), static_cast<std::size_t>(count)));
    if (!guard.alive() || !in_) return false;
    // A read that fills no buffer has taken all there is, and the watch tells of more: of the last
    // words of a peer that is gone it need not.
    if (!peer_gone_ && static_cast<std::size_t>(count) < kReadBytes) return true;
  }
  return true;
}

void RealPipe::peer_gone() {
  peer_gone_ = true;
  if (reader_ == nullptr || !read_available(kLeftBehindBytesMax)) return;
  if (!end_turn_.armed()) loop_.arm(end_turn_, loop_.now() + kLinger);
}

void RealPipe::end() {
  in_.reset();
  end_turn_.cancel();
  net::PipeReader* const reader = std::exchange(reader_, nullptr);
  if (reader == nullptr) return;
  const std::optional<Error> error = std::move(broken_by_);
  reader->on_end(error ? &*error : nullptr);
}

}  // namespace plumbline::os
