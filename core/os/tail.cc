#include "core/os/tail.h"

#include <algorithm>

namespace plumbline::os {

void Tail::append(std::string_view bytes) {
  kept_.append(bytes.substr(bytes.size() - std::min(bytes.size(), bytes_max_)));
  if (kept_.size() > 2 * bytes_max_) kept_.erase(0, kept_.size() - bytes_max_);
}

std::string_view Tail::text() const {
  const std::string_view kept = kept_;
  return kept.substr(kept.size() - std::min(kept.size(), bytes_max_));
}

}  // namespace plumbline::os
