#include "cli/options/nearest_ids.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <set>
#include <utility>

#include "core/base/text.h"

namespace plumbline::cli {

namespace {

constexpr std::size_t kShown = 3;
constexpr std::size_t kIdBytesMax = 512;  // What is longer is spelt like none.
constexpr std::size_t kBeginningLeast = 3;

// letters_apart counts the letters to add, drop, change or swap with their neighbour: the distance
// of Damerau and Levenshtein (optimal string alignment).
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

std::set<std::string> words_in(std::string_view id) {
  std::set<std::string> words;
  while (!id.empty()) {
    const std::size_t end = std::min(id.find_first_of(".-_ /"), id.size());
    if (end > 0) words.emplace(id.substr(0, end));
    id.remove_prefix(std::min(end + 1, id.size()));
  }
  return words;
}

using Ranked = std::set<std::pair<std::size_t, std::string>>;

// ranked returns those of `known` that are like `id`, by how far they are from it.
Ranked ranked(std::string_view id, const std::vector<std::string>& known) {
  const std::string wanted = lower_case(id);
  const std::set<std::string> meant = words_in(wanted);
  Ranked out;
  for (const std::string& each : known) {
    const std::string one = lower_case(each);
    const std::size_t apart = id.size() > kIdBytesMax ? id.size() : letters_apart(wanted, one);
    const std::set<std::string> words = words_in(one);
    const auto shared = static_cast<std::size_t>(std::ranges::count_if(
        meant, [&](const std::string& word) { return words.contains(word); }));
    const bool begins = wanted.size() >= kBeginningLeast && one.starts_with(wanted);
    const bool spelt_alike =
        apart < std::max(wanted.size(), one.size()) && apart <= 2 + wanted.size() / 6;
    if (!spelt_alike && shared < 2 && !begins) continue;
    // Most of the words count more than most of the letters.
    const std::size_t missing = meant.size() + words.size() - 2 * shared;
    out.emplace(std::min({apart, 3 * missing, begins ? std::size_t{2} : apart}), each);
  }
  return out;
}

}  // namespace

std::vector<std::string> nearest_ids(std::string_view id, const std::vector<std::string>& known) {
  std::vector<std::string> nearest;
  for (const auto& [distance, one] : ranked(id, known)) {
    if (nearest.size() == kShown) break;
    nearest.push_back(one);
  }
  return nearest;
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& known) {
  const Ranked all = ranked(word, known);
  std::string text;
  std::size_t shown = 0;
  for (const auto& [distance, one] : all) {
    if (distance > all.begin()->first || shown == kShown) break;
    text += (text.empty() ? "; did you mean " : " or ") + one;
    ++shown;
  }
  return text.empty() ? text : text + "?";
}

}  // namespace plumbline::cli
