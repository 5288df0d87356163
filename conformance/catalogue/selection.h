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

// is_asked returns whether `asked` has `revision` in it: "all" and "auto" have every one,
// "2025-06-18.." those from there on, "2025-03-26..2025-11-25" and "..2025-06-18" as they say, and
// the name of a revision that one.
bool is_asked(std::string_view asked, std::string_view revision);

// is_one returns whether `asked` names a single revision.
bool is_one(std::string_view asked);

// is_revision_text returns whether is_asked() can read `asked`.
bool is_revision_text(std::string_view asked);

enum class Levels { kMust, kShould, kAll };

struct Selection {
  Levels levels = Levels::kAll;
  std::vector<std::string> only;  // Ids, whatever their level; empty: all.
  std::vector<std::string> skip;  // Ids.

  bool skips(std::string_view id) const;

  // wants_id returns whether what has this id and no level is to be judged.
  bool wants_id(std::string_view id) const;

  // wants returns whether `rule` is to be judged.
  bool wants(const Requirement& rule) const;
};

}  // namespace plumbline::conformance
