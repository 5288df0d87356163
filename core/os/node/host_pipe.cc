#include "core/os/node/host_pipe.h"

#include <algorithm>
#include <utility>

#include "core/base/check.h"
#include "core/base/errors/errors.h"
#include "core/base/limits.h"

namespace plumbline::os {

namespace {

// failure_in reads why a dial has failed: the id of the error, and its words.
Error failure_in(std::string_view payload) {
  const std::size_t space = payload.find(' ');
  const KnownError* const known = known_error(payload.substr(0, space));
  check(known != nullptr, "a dial has failed in an unknown way");
  const bool gone = known->id == "server.no-connection" || known->id == "server.tls-ended";
  return Error{gone ? ErrorCode::kDisconnected : ErrorCode::kInvalidInput,
               std::string(payload.substr(space + 1)), known->id};
}

}  // namespace

HostPipe::HostPipe(RealLoop& loop, std::uint32_t number, std::string peer)
    : loop_(loop), number_(number), peer_(std::move(peer)), end_turn_([this] { tell_end(); }) {
  host::listen(number_, this);
}

HostPipe::~HostPipe() { close(); }

Task<Status> HostPipe::opened() {
  co_await connected_.wait(loop_, kNever);
  if (broken_by_) co_return *std::exchange(broken_by_, std::nullopt);
  co_return Done{};
}

// Until here the host keeps what comes, and keeps the peer from sending more.
void HostPipe::start(net::PipeReader& reader) {
  check(reader_ == nullptr, "a pipe is started once");
  reader_ = &reader;
  host::say_about("read", number_);
}

void HostPipe::write(std::string bytes) {
  if (!open_ || !writes_ || bytes.empty()) return;
  if (queued_ + bytes.size() > limits::kWriteQueueBytesMax) {
    broken_by_ =
        Error{ErrorCode::kLimitReached, "more than " + std::to_string(limits::kWriteQueueBytesMax) +
                                            " bytes wait for a peer that does not read"};
    writes_ = false;
    return loop_.arm(end_turn_, loop_.now());
  }
  queued_ += bytes.size();
  host::write(number_, bytes);
}

void HostPipe::close_write() {
  if (open_ && std::exchange(writes_, false)) host::say_about("end", number_);
}

void HostPipe::close() {
  reader_ = nullptr;
  end_turn_.cancel();
  if (!std::exchange(open_, false)) return;
  writes_ = false;
  queued_ = 0;
  host::listen(number_, nullptr);
  host::say_about("close", number_);
}

std::size_t HostPipe::queued_bytes() const {
  if (queued_ > 0) ask_when_taken();
  return queued_;
}

void HostPipe::await_drained() {
  awaits_drained_ = true;
  ask_when_taken();
}

void HostPipe::ask_when_taken() const {
  if (!std::exchange(asked_, true)) host::say_about("drain", number_);
}

void HostPipe::hear(host::Event event, std::string_view payload) {
  switch (event) {
    case host::Event::kOpen:
      peer_ = payload;
      return connected_.set();
    case host::Event::kFailed:
      broken_by_ = failure_in(payload);
      return connected_.set();
    case host::Event::kBytes:
      if (reader_ != nullptr) reader_->on_bytes(payload);
      return;
    case host::Event::kEnd:
      return end(nullptr);
    case host::Event::kBroken:
      broken_by_ = Error{ErrorCode::kDisconnected, std::string(payload)};
      return tell_end();
    case host::Event::kTaken:
      return taken(host::number_at(payload, 0));
    default:
      return;
  }
}

void HostPipe::taken(std::size_t count) {
  queued_ -= std::min(queued_, count);
  // The host has told of all that it knew: of what was written meanwhile it is to be asked again.
  asked_ = false;
  if (queued_ > 0) return awaits_drained_ ? ask_when_taken() : void();
  if (!std::exchange(awaits_drained_, false)) return;
  if (reader_ != nullptr) reader_->on_drained();
}

void HostPipe::tell_end() { end(broken_by_ ? &*broken_by_ : nullptr); }

void HostPipe::end(const Error* error) {
  end_turn_.cancel();
  net::PipeReader* const reader = std::exchange(reader_, nullptr);
  if (reader == nullptr) return;
  if (error == nullptr) return reader->on_end(nullptr);
  const Error told = *error;  // The reader may destroy us.
  reader->on_end(&told);
}

}  // namespace plumbline::os
