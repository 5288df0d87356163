// WriteQueue holds what was written to a descriptor and not yet taken by the system, in order.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace plumbline::os {

class WriteQueue {
 public:
  bool empty() const { return bytes_.empty(); }

  // waiting returns what is still to be sent. Lives until the next call that is not const.
  std::string_view waiting() const { return std::string_view(bytes_).substr(sent_); }

  // add puts `bytes` at the end. kLimitReached, and nothing is added, when more than
  // limits::kWriteQueueBytesMax would wait.
  Status add(std::string bytes);

  // sent drops the first `count` bytes of waiting(). Their memory is given back when none waits any
  // more: what is left of a large block, copied to one of its size, would take the place of the
  // next large one, and the allocator would hold them all.
  void sent(std::size_t count);

  // held_bytes returns how much memory what waits has; 0 when nothing does.
  std::size_t held_bytes() const { return empty() ? 0 : bytes_.capacity(); }

  // clear drops everything, and gives the memory back.
  void clear();

 private:
  std::string bytes_;  // Empty once all is sent.
  std::size_t sent_ = 0;
};

}  // namespace plumbline::os
