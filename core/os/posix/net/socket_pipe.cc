#include "core/os/posix/net/socket_pipe.h"

#include <netdb.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <string_view>
#include <utility>

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/basic_stream_descriptor.hpp>

#include "core/base/check.h"
#include "core/base/errors/errors.h"
#include "core/os/posix/tether.h"

namespace plumbline::os {

namespace {

constexpr std::size_t kSocketReadBytes = 64U << 10U;
// How much is read before others have their turn.
constexpr std::size_t kTurnBytesMax = 4 * kSocketReadBytes;
// How long a stream that can no longer be written is read for what its peer still said.
constexpr Duration kLinger = std::chrono::milliseconds(200);

bool would_block(int error) { return error == EAGAIN || error == EWOULDBLOCK; }

}  // namespace

struct SocketPipe::Watch {
  using Descriptor =
      boost::asio::posix::basic_stream_descriptor<boost::asio::io_context::executor_type>;

  Watch(RealLoop& loop, int socket) : descriptor(loop.context()) {
    boost::system::error_code error;
    descriptor.assign(socket, error);
    check(!error, "a socket cannot be watched");
  }
  ~Watch() { descriptor.release(); }

  // await calls `ready` once, unless it is already to be called. An error means that the socket is
  // broken: reading or writing tells how.
  template <typename Ready>
  void await(boost::asio::posix::descriptor_base::wait_type kind, Tether& tether, Ready ready) {
    if (tether.tied()) return;
    descriptor.async_wait(kind,
                          [ready, end = Tether::End(tether)](boost::system::error_code) mutable {
                            if (end.cut()) ready();
                          });
  }

  Descriptor descriptor;
  Tether reading;
  Tether writing;
};

SocketPipe::SocketPipe(RealLoop& loop, Fd socket)
    : loop_(loop),
      socket_(std::move(socket)),
      watch_(std::make_unique<Watch>(loop, socket_.number())),
      flush_turn_([this] { flush(); }),
      end_turn_([this] { end(); }) {}

SocketPipe::~SocketPipe() { close(); }

void SocketPipe::start(net::PipeReader& reader) {
  check(reader_ == nullptr, "a pipe is started once");
  if (!socket_.open()) return;
  reader_ = &reader;
  await_readable();
  if (broken_by_ && !end_turn_.armed()) loop_.arm(end_turn_, loop_.now() + kLinger);
}

void SocketPipe::write(std::string bytes) {
  if (write_closed_ || write_ended_ || bytes.empty()) return;
  const bool was_empty = queue_.empty();
  const Status added = queue_.add(std::move(bytes));
  if (!added.ok()) return break_write(added.error(), Duration::zero());
  // In the next turn, together with whatever else this one writes.
  if (was_empty) loop_.arm(flush_turn_, loop_.now());
}

void SocketPipe::close_write() {
  if (std::exchange(write_closed_, true) || write_ended_) return;
  if (queue_.empty()) loop_.arm(flush_turn_, loop_.now());
}

std::string SocketPipe::peer_address() const {
  sockaddr_storage address{};
  socklen_t bytes = sizeof address;
  auto* const at = reinterpret_cast<sockaddr*>(&address);
  if (!socket_.open() || ::getpeername(socket_.number(), at, &bytes) != 0) return {};
  std::array<char, NI_MAXHOST> text{};
  if (::getnameinfo(at, bytes, text.data(), text.size(), nullptr, 0, NI_NUMERICHOST) != 0) {
    return {};
  }
  return text.data();
}

void SocketPipe::close() {
  reader_ = nullptr;
  end_turn_.cancel();
  if (!socket_.open()) return;
  const bool all_sent = write_ended_ || send_queued() == 0;
  drop_socket(all_sent);
}

// drop_socket closes the socket: a peer that does not get everything must see a reset, or it would
// take what it has for all there is.
void SocketPipe::drop_socket(bool in_order) {
  forget_queued();
  watch_.reset();
  if (!in_order) {
    const linger reset{1, 0};
    ::setsockopt(socket_.number(), SOL_SOCKET, SO_LINGER, &reset, sizeof reset);
  }
  socket_.close();
}

void SocketPipe::await_readable() {
  watch_->await(boost::asio::posix::descriptor_base::wait_read, watch_->reading,
                [this] { read_some(); });
}

void SocketPipe::await_writable() {
  watch_->await(boost::asio::posix::descriptor_base::wait_write, watch_->writing,
                [this] { flush(); });
}

void SocketPipe::flush() {
  if (write_ended_) return;
  const int error = send_queued();
  if (would_block(error)) return await_writable();
  if (error != 0) {
    return break_write(
        the_error_as(ErrorCode::kDisconnected, "server.reads-no-more", reason_of(error)), kLinger);
  }
  if (write_closed_) {
    write_ended_ = true;
    ::shutdown(socket_.number(), SHUT_WR);  // A stream that is broken already tells by reading.
  }
  if (reader_ != nullptr && std::exchange(drain_awaited_, false)) reader_->on_drained();
}

// send_queued sends what the system takes, and returns 0 when that was all, else the errno.
int SocketPipe::send_queued() {
  while (!queue_.empty()) {
    const std::string_view waiting = queue_.waiting();
    const ssize_t count = ::send(socket_.number(), waiting.data(), waiting.size(), MSG_NOSIGNAL);
    if (count >= 0) {
      queue_.sent(static_cast<std::size_t>(count));
    } else if (errno != EINTR) {
      return errno;
    }
  }
  return 0;
}

void SocketPipe::forget_queued() {
  write_ended_ = true;
  flush_turn_.cancel();
  queue_.clear();
}

void SocketPipe::break_write(Error error, Duration linger) {
  forget_queued();
  if (!broken_by_) broken_by_ = std::move(error);
  loop_.arm(end_turn_, loop_.now() + linger);
}

void SocketPipe::read_some() {
  const Lifeline::Guard guard(lifeline_);
  // Of this turn: thousands of peers that have said something hold nothing.
  const auto buffer = std::make_unique_for_overwrite<char[]>(kSocketReadBytes);
  for (std::size_t total = 0; total < kTurnBytesMax;) {
    const ssize_t count = ::recv(socket_.number(), buffer.get(), kSocketReadBytes, 0);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && would_block(errno)) break;
    if (count <= 0) {
      if (count < 0 && !broken_by_) {
        broken_by_ =
            the_error_as(ErrorCode::kDisconnected, "server.connection-broke", reason_of(errno));
      }
      return end();
    }
    const auto size = static_cast<std::size_t>(count);
    total += size;
    reader_->on_bytes(std::string_view(buffer.get(), size));
    if (!guard.alive() || reader_ == nullptr) return;
    if (size < kSocketReadBytes) break;  // That was all for now.
  }
  await_readable();
}

// end tells the reader, once. The stream can still be written after an orderly end.
void SocketPipe::end() {
  end_turn_.cancel();
  if (reader_ == nullptr) return;  // Told by start().
  const std::optional<Error> error = broken_by_;
  if (error) drop_socket(false);
  std::exchange(reader_, nullptr)->on_end(error ? &*error : nullptr);
}

}  // namespace plumbline::os
