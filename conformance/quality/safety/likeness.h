// How much a text reads like those of poisoned tools. A scorer learnt from examples
// (tests/quality/train.mjs) what words, pairs of words and pieces of words weigh (likeness.tsv). A
// score is made of whole numbers, and the same everywhere.

#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/quality/safety/said.h"

namespace plumbline::conformance {

struct Likeness {
  const Text* text = nullptr;      // Null: none reads like poison.
  std::string passage;             // Of it: a sentence, or two.
  std::vector<std::string> words;  // That weigh most, as they stand.
};

// LikenessScorer weighs passages; one is of use for many tools.
class LikenessScorer {
 public:
  LikenessScorer();

  // most_like_poison returns what of `texts`, those of one tool, reads most like poison. Answers
  // aren't looked at: they're texts of anybody.
  Likeness most_like_poison(std::span<const SaidText> texts);

  // may_be_poison returns whether any passage of `texts` reads a little like poison; almost
  // everything does that sets a model against its user.
  bool may_be_poison(std::span<const SaidText> texts);

  // reads_like_poison returns whether `text` has a passage that does, whoever wrote it.
  bool reads_like_poison(const SaidText& text);

  // score returns that of `text` as one passage of a description.
  std::int64_t score(std::string_view text);

 private:
  // Best is the passage with the largest score.
  struct Best {
    std::string_view passage;
    std::int64_t score = std::numeric_limits<std::int64_t>::min();
  };

  Best best_of(std::string_view said, std::uint16_t kind);
  Best best_of(const SaidText& text);

  // weigh returns the score of a passage that has the features of both; each counts once.
  std::int64_t weigh(std::uint16_t kind, std::span<const std::uint16_t> first,
                     std::span<const std::uint16_t> second);

  std::vector<std::uint32_t> seen_in_;  // By features: the last passage that had it.
  std::uint32_t passage_ = 0;
};

}  // namespace plumbline::conformance
