// Mismatch is where and how a value differs from what was expected of it.

#pragma once

#include <string>
#include <string_view>

#include "core/json/json.h"

namespace plumbline::match {

struct Mismatch {
  std::string path;        // "result/content/0/text".
  std::string expected;    // In a few words.
  std::string got;         // Likewise; "nothing" where there is none.
  bool undecided = false;  // It cannot be told whether it fits.
};

// shown returns JSON on one line, clipped.
std::string shown(const Json& value);

// Place is where a value stands: as people are told, and as masks name it.
struct Place {
  std::string shown;
  std::string masked;

  Place below(std::string_view step) const;
};

}  // namespace plumbline::match
