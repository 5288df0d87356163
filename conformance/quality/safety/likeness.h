// How much a text reads like those of poisoned tools. A scorer learnt from examples
// (tests/quality/train.mjs) what words, pairs of words, pieces of words, and the concepts of a
// sentence weigh (likeness.tsv). A score is made of whole numbers, and the same everywhere.

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

  // most_like_poison returns what of `texts`, those of one tool, reads most like poison. An answer
  // must do so more clearly: it's a text of anybody.
  Likeness most_like_poison(std::span<const SaidText> texts);

  // may_be_poison returns whether any passage of `texts`, in which something was seen, reads a
  // little like poison; almost everything does that sets a model against its user.
  enum class Seen : std::uint8_t { kSigns, kConcepts };
  bool may_be_poison(std::span<const SaidText> texts, Seen seen);

  // clearly_reads_like_poison returns whether `text` has a passage that does, whoever wrote it.
  bool clearly_reads_like_poison(const SaidText& text);

  // score returns that of `text` as one passage of a description.
  std::int64_t score(std::string_view text);

 private:
  // Best is the passage with the largest score.
  struct Best {
    std::string_view passage;
    std::int64_t score = std::numeric_limits<std::int64_t>::min();
  };

  // best_of looks at `said`, what a text of the kind `kind` says, for words and for the concepts of
  // `phrases`, or at `said` of `text`.
  Best best_of(std::string_view said, std::string_view kind, const std::vector<int>& phrases);
  Best best_of(const SaidText& text, std::string_view said);

  // weigh returns the score of a passage that has the features of both; each counts once.
  std::int64_t weigh(std::string_view kind, std::span<const std::uint32_t> first,
                     std::span<const std::uint32_t> second);

  std::vector<std::uint32_t> seen_in_;  // By features: the last passage that had it.
  std::uint32_t passage_ = 0;
};

}  // namespace plumbline::conformance
