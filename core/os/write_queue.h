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

  // sent drops the first `count` bytes of waiting(). What a peer leaves to wait takes at most twice
  // the memory that it is long, and 64 KiB.
  void sent(std::size_t count);

  // held_bytes returns how much memory it has.
  std::size_t held_bytes() const { return bytes_.capacity(); }

  // clear drops everything, and gives the memory back.
  void clear();

 private:
  std::string bytes_;  // Empty once all is sent.
  std::size_t sent_ = 0;
};

}  // namespace plumbline::os
