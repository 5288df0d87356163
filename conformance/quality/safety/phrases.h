// The patterns of signs.tsv, concepts.tsv and deeds.tsv: which of them can be in a text is found in
// one pass.

#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/quality/safety/pattern_set.h"

namespace plumbline::conformance {

struct Phrase {
  std::string_view name;  // Of the group or the concept.
  std::string_view language;
  std::string_view pattern;
};

class Phrases {
 public:
  static const Phrases& all();

  // The signs stand first, the concepts from first_concept on, and of these the deeds last.
  const std::vector<Phrase>& list() const { return list_; }
  int first_concept() const { return first_concept_; }
  int first_deed() const { return first_deed_; }

  const PatternSet& patterns() const { return *patterns_; }

 private:
  Phrases();

  std::vector<Phrase> list_;
  int first_concept_ = 0;
  int first_deed_ = 0;
  std::optional<PatternSet> patterns_;
};

}  // namespace plumbline::conformance
