#include "core/base/words/nearest_word.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace plumbline {

namespace {

constexpr std::size_t kWordBytesMax = 256;  // What is longer is spelt like none.

}  // namespace

std::size_t letters_apart(std::string_view a, std::string_view b) {
  std::vector<std::size_t> above(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  std::vector<std::size_t> below(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    below[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t changed = row[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      below[j] = std::min({changed, row[j] + 1, below[j - 1] + 1});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) below[j] = std::min(below[j], above[j - 2] + 1);
    }
    std::swap(above, row);
    std::swap(row, below);
  }
  return row[b.size()];
}

std::string nearest_word(std::string_view word, std::span<const std::string> known) {
  std::string nearest;
  if (word.size() > kWordBytesMax) return nearest;
  // Of a word of few letters, a third of them: "other" is not "then".
  std::size_t least = std::min(2 + word.size() / 6, std::max<std::size_t>(1, word.size() / 3));
  for (const std::string& one : known) {
    if (one.size() > kWordBytesMax) continue;
    const bool begins = word.size() > 2 && (one.starts_with(word) || word.starts_with(one));
    const std::size_t apart = begins ? 1 : letters_apart(word, one);
    if (apart >= word.size()) continue;  // No letter of it is there.
    if (apart > least || (apart == least && !nearest.empty())) continue;
    least = apart;
    nearest = one;
  }
  return nearest;
}

std::string meant(std::string_view word, std::span<const std::string> known) {
  const std::string nearest = nearest_word(word, known);
  return nearest.empty() ? "" : ", did you mean \"" + nearest + "\"?";
}

}  // namespace plumbline
