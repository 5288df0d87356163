#include "cli/options/nearest_ids.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <set>
#include <utility>

namespace plumbline::cli {

namespace {

constexpr std::size_t kShown = 3;
constexpr std::size_t kIdBytesMax = 512;  // What is longer is spelt like none.

// letters_apart counts the letters to add, to drop or to change: Levenshtein's distance.
std::size_t letters_apart(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t changed = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({changed, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}

std::set<std::string> words_in(std::string_view id) {
  std::set<std::string> words;
  while (!id.empty()) {
    const std::size_t end = std::min(id.find_first_of(".-"), id.size());
    if (end > 0) words.emplace(id.substr(0, end));
    id.remove_prefix(std::min(end + 1, id.size()));
  }
  return words;
}

}  // namespace

std::vector<std::string> nearest_ids(std::string_view id, const std::vector<std::string>& known) {
  const std::set<std::string> meant = words_in(id);
  std::set<std::pair<std::size_t, std::string>> ranked;
  for (const std::string& one : known) {
    const std::size_t apart = id.size() > kIdBytesMax ? id.size() : letters_apart(id, one);
    const std::set<std::string> words = words_in(one);
    const auto shared = static_cast<std::size_t>(std::ranges::count_if(
        meant, [&](const std::string& word) { return words.contains(word); }));
    const bool spelt_alike = apart <= 2 + id.size() / 6;
    if (!spelt_alike && shared < 2) continue;
    // Most of the words count more than most of the letters.
    const std::size_t missing = meant.size() + words.size() - 2 * shared;
    ranked.emplace(std::min(apart, 3 * missing), one);
  }
  std::vector<std::string> nearest;
  for (const auto& [distance, one] : ranked) {
    if (nearest.size() == kShown) break;
    nearest.push_back(one);
  }
  return nearest;
}

}  // namespace plumbline::cli
