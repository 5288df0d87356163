// What of the catalogue a judge is to judge.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "conformance/catalogue/requirement.h"

namespace plumbline::conformance {

// Eras are those in which a check or a scenario makes sense.
enum class Eras { kStateful, kStateless, kBoth };

// has returns whether `revision` is of one of them.
bool has(Eras eras, std::string_view revision);

enum class Levels { kMust, kShould, kAll };

struct Selection {
  Levels levels = Levels::kAll;
  std::vector<std::string> only;  // Ids, whatever their level; empty: all.
  std::vector<std::string> skip;  // Ids.

  bool skips(std::string_view id) const;

  // wants returns whether `rule` is to be judged.
  bool wants(const Requirement& rule) const;
};

}  // namespace plumbline::conformance
