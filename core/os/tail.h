// Tail keeps the last bytes of a stream.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "core/base/limits.h"

namespace plumbline::os {

class Tail {
 public:
  explicit Tail(std::size_t bytes_max = limits::kStderrBytesMax) : bytes_max_(bytes_max) {}

  void append(std::string_view bytes);

  // text returns at most the last `bytes_max`: where more was said, from the beginning of a line,
  // if there is one (end_of).
  std::string_view text() const;

 private:
  std::size_t bytes_max_;
  std::string kept_;  // At most twice the bound, so that moving it is rare.
};

}  // namespace plumbline::os
