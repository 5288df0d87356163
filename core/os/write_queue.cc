#include "core/os/write_queue.h"

#include <utility>

#include "core/base/check.h"
#include "core/base/limits.h"

namespace plumbline::os {

namespace {

// A queue that has grown larger gives memory back: all when it is empty, and else what more than
// half of it is that was sent.
constexpr std::size_t kBytesKept = 64U << 10U;

}  // namespace

Status WriteQueue::add(std::string bytes) {
  if (waiting().size() + bytes.size() > limits::kWriteQueueBytesMax) {
    return Error{ErrorCode::kLimitReached, "more than " +
                                               std::to_string(limits::kWriteQueueBytesMax) +
                                               " bytes are waiting to be read by the peer"};
  }
  if (empty()) {
    bytes_ = std::move(bytes);
    return Done{};
  }
  if (sent_ > bytes_.size() / 2) {  // A queue that never runs empty must not grow for ever.
    bytes_.erase(0, sent_);
    sent_ = 0;
  }
  bytes_ += bytes;
  return Done{};
}

void WriteQueue::sent(std::size_t count) {
  check(count <= waiting().size(), "more was sent than is waiting");
  sent_ += count;
  if (sent_ < bytes_.size()) return;
  if (bytes_.capacity() > kBytesKept) return clear();
  bytes_.clear();
  sent_ = 0;
}

void WriteQueue::clear() {
  bytes_ = std::string();
  sent_ = 0;
}

}  // namespace plumbline::os
