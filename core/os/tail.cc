#include "core/os/tail.h"

#include <algorithm>

#include "core/base/words/text_end.h"

namespace plumbline::os {

void Tail::append(std::string_view bytes) {
  kept_.append(bytes.substr(bytes.size() - std::min(bytes.size(), bytes_max_ + 1)));
  // One byte more than is given: that is how end_of knows that it is not all.
  if (kept_.size() > 2 * bytes_max_) kept_.erase(0, kept_.size() - bytes_max_ - 1);
}

std::string_view Tail::text() const { return end_of(kept_, bytes_max_); }

}  // namespace plumbline::os
