// Ranks beside the points that they are given for.

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "conformance/checks/server/promises/values/numbers.h"
#include "conformance/checks/server/shapes.h"

namespace plumbline::conformance {

namespace {

constexpr std::array<std::string_view, 4> kRanks = {"rank", "position", "place", "standing"};
constexpr std::array<std::string_view, 5> kEqual = {"equal", "same", "tie", "ties", "tied"};
constexpr std::array<std::string_view, 7> kOtherwise = {"broken",    "break", "breaks", "never",
                                                        "different", "no",    "unless"};

// shares returns whether a sentence says that equals share a rank.
bool shares(const Sentence& said, const std::string& rank) {
  if (!says_word(said, kEqual) || says_word(said, kOtherwise) || !names_member(said, rank)) {
    return false;
  }
  return mentions(said.low, "share") || mentions(said.low, "same " + rank) ||
         mentions(said.low, "equal " + rank) || mentions(said.low, "one " + rank);
}

// rank_problem looks at a list whose items have `rank`, for the points that a sentence names.
std::string rank_problem(const Sentence& said, const Json& items, const std::string& rank) {
  for (const auto& [points, value] : items.front().items()) {
    if (points == rank || !value.is_number() || !names_member(said, points)) continue;
    for (std::size_t i = 1; i < items.size(); ++i) {
      const Json* const one = find(items[i - 1], points);
      const Json* const other = find(items[i], points);
      const Json* const first = find(items[i - 1], rank);
      const Json* const second = find(items[i], rank);
      const bool whole =
          one != nullptr && other != nullptr && first != nullptr && second != nullptr;
      if (!whole || *one != *other || *first == *second) continue;
      return "\"" + shortened(points) + "\" is " + dump_json(*one) + " in two, and their \"" +
             rank + "\" " + dump_json(*first) + " and " + dump_json(*second) +
             ", where it says that equals share one";
    }
  }
  return {};
}

void rank_problems(const Look& look, const Json& value, std::string& found, int depth_max = 8) {
  if (!found.empty() || !value.is_structured() || depth_max == 0) return;
  if (is_objects(value)) {
    for (const Sentence& said : look.said) {
      for (const std::string_view rank : kRanks) {
        const Json* const first = find(value.front(), rank);
        const bool ranked = first != nullptr && first->is_number_integer();
        if (!ranked || !found.empty() || !shares(said, std::string(rank))) continue;
        found = rank_problem(said, value, std::string(rank));
      }
    }
  }
  for (const Json& inside : value) rank_problems(look, inside, found, depth_max - 1);
}

}  // namespace

std::string ranks_apart(const Look& look) {
  std::string found;
  rank_problems(look, look.answer, found);
  return found;
}

}  // namespace plumbline::conformance
