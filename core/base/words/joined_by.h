// What stands in a list, as one text.

#pragma once

#include <string>
#include <string_view>

namespace plumbline {

// joined_by returns `items`, which are texts, with `between` between them; empty: there are none.
template <class Items>
std::string joined_by(std::string_view between, const Items& items) {
  std::string out;
  bool first = true;
  for (const auto& item : items) {
    if (!first) out += between;
    out += item;
    first = false;
  }
  return out;
}

}  // namespace plumbline
