#include "core/net/pipe_switch.h"

#include <utility>

#include "core/base/check.h"
#include "core/base/limits.h"

namespace plumbline::net {

void PipeSwitch::hand_over(std::string unread) {
  reader_ = nullptr;
  unread_ = std::move(unread);
}

void PipeSwitch::start(PipeReader& reader) {
  check(reader_ == nullptr, "a pipe is started once by each of its readers");
  reader_ = &reader;
  if (!std::exchange(started_, true)) return pipe_->start(*this);
  if (!unread_.empty() || ended_) loop_.arm(*this, loop_.now());
}

void PipeSwitch::close() {
  reader_ = nullptr;
  unread_.clear();
  disarm();
  pipe_->close();
}

void PipeSwitch::on_bytes(std::string_view bytes) {
  if (reader_ != nullptr && unread_.empty()) return reader_->on_bytes(bytes);
  unread_ += bytes;
  if (unread_.size() <= limits::kWriteQueueBytesMax) return;
  pipe_->close();
  ended_ = true;
  broken_by_ = Error{ErrorCode::kLimitReached, "nobody reads what the peer sends"};
}

void PipeSwitch::on_end(const Error* error) {
  if (reader_ != nullptr && unread_.empty()) return reader_->on_end(error);
  ended_ = true;
  if (error != nullptr) broken_by_ = *error;
}

void PipeSwitch::fire() {
  if (!unread_.empty()) {
    const std::string bytes = std::exchange(unread_, std::string());
    if (ended_) loop_.arm(*this, loop_.now());
    return reader_->on_bytes(bytes);  // May destroy this.
  }
  const std::optional<Error> error = std::move(broken_by_);
  reader_->on_end(error ? &*error : nullptr);  // May destroy this.
}

}  // namespace plumbline::net
