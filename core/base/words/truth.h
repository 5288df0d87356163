// What people write for yes and no in variables of the environment.

#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "core/base/text.h"

namespace plumbline {

// truth_of reads true, 1, yes and on, and false, 0, no and off, in any case. Nothing: the text is
// something else, and must not be taken for either.
inline std::optional<bool> truth_of(std::string_view text) {
  constexpr std::array<std::string_view, 4> kYes = {"true", "1", "yes", "on"};
  constexpr std::array<std::string_view, 4> kNo = {"false", "0", "no", "off"};
  const auto is = [text](std::string_view word) { return equals_ignoring_case(text, word); };
  if (std::ranges::any_of(kYes, is)) return true;
  if (std::ranges::any_of(kNo, is)) return false;
  return std::nullopt;
}

}  // namespace plumbline
