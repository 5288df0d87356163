// Patterns of a table of which few match any text. Which can is told by the words that they need;
// one is compiled when it is first tried. Only one thread may use a set at a time.

#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <re2/re2.h>

#include "conformance/quality/safety/word_index.h"

namespace plumbline::conformance {

class PatternSet {
 public:
  // The patterns are numbered as they stand, and must outlive this.
  explicit PatternSet(const std::vector<std::string_view>& patterns);

  class Search;

  bool matches(std::string_view text, int number) const;

  // excerpt returns the first part of `text` that the pattern matches; empty: none.
  std::string excerpt(std::string_view text, int number) const;

  std::size_t size() const { return patterns_.size(); }

  // compiled counts the patterns that were ever tried.
  std::size_t compiled() const;

 private:
  struct Pattern {
    std::string_view text;
    std::uint32_t needs = 0;                          // Lists of words.
    mutable std::unique_ptr<const RE2> re = nullptr;  // Null until it is first tried.
  };

  const RE2& compile(int number) const;

  std::deque<Pattern> patterns_;
  std::vector<int> every_;
  std::vector<int> always_;                             // Patterns that need nothing.
  std::vector<std::uint32_t> pattern_of_list_;          // A list: it needs one of its words.
  std::vector<std::vector<std::uint32_t>> lists_with_;  // By words: the lists that have them.
  std::optional<WordIndex> index_;
};

// Search finds the patterns that can match; one is of use for many texts.
class PatternSet::Search {
 public:
  // `all` must outlive the search.
  explicit Search(const PatternSet& all);

  // possible_in returns the patterns that `text` has the words for, in order.
  std::vector<int> possible_in(std::string_view text);

 private:
  struct Count {
    std::uint32_t text = 0;
    std::uint32_t lists = 0;  // That have a word in this text.
  };

  const PatternSet& all_;
  std::uint32_t text_ = 0;                // The number of the one that is looked at.
  std::vector<std::uint32_t> word_seen_;  // In which text.
  std::vector<std::uint32_t> list_seen_;
  std::vector<Count> counts_;  // By patterns.
};

}  // namespace plumbline::conformance
