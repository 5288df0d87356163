// WordTable is a constant table of words, found by their first letter and then one by one: no
// hashing, no allocation, and few comparisons, because the words of a letter differ in length.

#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace plumbline::agents {

// `Row` has a member `word`: lower-case letters only.
template <typename Row, std::size_t N>
class WordTable {
 public:
  // `rows` must be sorted by word; anything else does not compile in a constant expression.
  consteval explicit WordTable(const Row (&rows)[N]) : rows_(std::to_array(rows)) {
    if (!std::ranges::is_sorted(rows_, {}, &Row::word)) throw "a WordTable must be sorted";
    std::size_t row = 0;
    for (std::size_t letter = 0; letter < kLetters; ++letter) {
      begin_[letter] = static_cast<std::uint16_t>(row);
      while (row < N && slot(rows_[row].word) == letter) ++row;
    }
    if (row != N) throw "a WordTable holds words of lower-case letters";
    begin_[kLetters] = static_cast<std::uint16_t>(N);
  }

  // find returns the row of `word`, nullptr when there is none.
  constexpr const Row* find(std::string_view word) const {
    const std::size_t letter = slot(word);
    if (letter >= kLetters) return nullptr;
    for (std::size_t row = begin_[letter]; row < begin_[letter + 1]; ++row) {
      if (rows_[row].word == word) return &rows_[row];
    }
    return nullptr;
  }

  constexpr bool contains(std::string_view word) const { return find(word) != nullptr; }

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

}  // namespace plumbline::agents
