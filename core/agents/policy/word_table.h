// WordTable is a constant table of words, found by their first letter and then one by one: no
// hashing, no allocation, and few comparisons, because the words of a letter differ in length.

#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace plumbline::agents {

// Not constexpr and defined nowhere: a table that reaches one of them does not compile.
void a_word_table_must_be_sorted();
void a_word_table_holds_lower_case_words();

// `Row` has a member `word`: lower-case letters only.
template <typename Row, std::size_t N>
class WordTable {
 public:
  // `rows` must be sorted by word; anything else does not compile in a constant expression.
  consteval explicit WordTable(const Row (&rows)[N]) : rows_(std::to_array(rows)) {
    if (!std::ranges::is_sorted(rows_, {}, &Row::word)) a_word_table_must_be_sorted();
    std::size_t row = 0;
    for (std::size_t letter = 0; letter < kLetters; ++letter) {
      begin_[letter] = static_cast<std::uint16_t>(row);
      while (row < N && slot(rows_[row].word) == letter) ++row;
    }
    if (row != N) a_word_table_holds_lower_case_words();
    begin_[kLetters] = static_cast<std::uint16_t>(N);
  }

  // find returns the row of `word`, nullptr when there is none.
  constexpr const Row* find(std::string_view word) const {
    const std::size_t letter = slot(word);
    if (letter >= kLetters) return nullptr;
    for (std::size_t row = begin_[letter]; row < begin_[letter + 1]; ++row) {
      const std::string_view candidate = rows_[row].word;
      if (candidate.size() != word.size() || candidate.back() != word.back()) continue;
      if (candidate == word) return &rows_[row];
    }
    return nullptr;
  }

  constexpr bool contains(std::string_view word) const { return find(word) != nullptr; }

  constexpr const std::array<Row, N>& rows() const { return rows_; }

 private:
  static constexpr std::size_t kLetters = 26;

  static constexpr std::size_t slot(std::string_view word) {
    return word.empty() ? kLetters : static_cast<unsigned char>(word.front() - 'a');
  }

  std::array<Row, N> rows_;
  std::array<std::uint16_t, kLetters + 1> begin_{};
};

// Word is the row of a table that only says what is in it.
struct Word {
  std::string_view word;
};

// has_one_of returns whether one of `words` is in the table.
template <std::size_t N>
bool has_one_of(const std::vector<std::string>& words, const WordTable<Word, N>& table) {
  return std::ranges::any_of(words, [&](const std::string& word) { return table.contains(word); });
}

}  // namespace plumbline::agents
