#include "cli/options/nearest_ids.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <utility>

#include "core/base/text.h"
#include "core/base/words/nearest_word.h"

namespace plumbline::cli {

namespace {

constexpr std::size_t kShown = 3;
constexpr std::size_t kIdBytesMax = 512;  // What is longer is spelt like none.
constexpr std::size_t kBeginningLeast = 3;

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
