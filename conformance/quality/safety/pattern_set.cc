#include "conformance/quality/safety/pattern_set.h"

#include <algorithm>
#include <map>
#include <utility>

#include "conformance/quality/safety/needed_words.h"
#include "conformance/quality/safety/patterns.h"
#include "conformance/quality/safety/small_letters.h"
#include "core/base/check.h"

namespace plumbline::conformance {

PatternSet::PatternSet(const std::vector<std::string_view>& patterns) {
  std::vector<std::pair<std::string, std::uint32_t>> of_lists;
  for (const std::string_view text : patterns) {
    const auto number = static_cast<std::uint32_t>(patterns_.size());
    Pattern& pattern = patterns_.emplace_back();
    pattern.text = text;
    for (OneOf& words : needed_words(text)) {
      const auto list = static_cast<std::uint32_t>(pattern_of_list_.size());
      for (std::string& word : words) of_lists.emplace_back(std::move(word), list);
      pattern_of_list_.push_back(number);
      ++pattern.needs;
    }
    every_.push_back(static_cast<int>(number));
    if (pattern.needs == 0) always_.push_back(static_cast<int>(number));
  }
  std::ranges::sort(of_lists);
  std::vector<std::string> words;
  for (auto& [word, list] : of_lists) {
    if (words.empty() || words.back() != word) {
      words.push_back(std::move(word));
      lists_with_.emplace_back();
    }
    lists_with_.back().push_back(list);
  }
  index_.emplace(words);
}

const RE2& PatternSet::compile(int number) const {
  const Pattern& pattern = patterns_[static_cast<std::size_t>(number)];
  if (pattern.re == nullptr) {
    pattern.re = std::make_unique<const RE2>(piece(pattern.text), pattern_options());
    check(pattern.re->ok(), "a pattern of a table");
  }
  return *pattern.re;
}

bool PatternSet::matches(std::string_view text, int number) const {
  return RE2::PartialMatch(piece(text), compile(number));
}

std::string PatternSet::excerpt(std::string_view text, int number) const {
  re2::StringPiece part;
  const bool found = compile(number).Match(piece(text), 0, text.size(), RE2::UNANCHORED, &part, 1);
  return found ? std::string(part.data(), part.size()) : std::string();
}

std::size_t PatternSet::compiled() const {
  return static_cast<std::size_t>(std::ranges::count_if(
      patterns_, [](const Pattern& pattern) { return pattern.re != nullptr; }));
}

PatternSet::Search::Search(const PatternSet& all)
    : all_(all),
      word_seen_(all.lists_with_.size()),
      list_seen_(all.pattern_of_list_.size()),
      counts_(all.patterns_.size()) {}

std::vector<int> PatternSet::Search::possible_in(std::string_view text) {
  if (has_odd_ascii(text)) return all_.every_;
  std::vector<int> possible = all_.always_;
  ++text_;
  all_.index_->for_each_in(small_letters(text), [&](std::uint32_t word) {
    if (std::exchange(word_seen_[word], text_) == text_) return;
    for (const std::uint32_t list : all_.lists_with_[word]) {
      if (std::exchange(list_seen_[list], text_) == text_) continue;
      const std::uint32_t number = all_.pattern_of_list_[list];
      Count& count = counts_[number];
      if (std::exchange(count.text, text_) != text_) count.lists = 0;
      if (++count.lists == all_.patterns_[number].needs) {
        possible.push_back(static_cast<int>(number));
      }
    }
  });
  std::ranges::sort(possible);
  return possible;
}

}  // namespace plumbline::conformance
