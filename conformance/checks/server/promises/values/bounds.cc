// The least and the most, and what lies between.

#include <cctype>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/checks/server/promises/values/numbers.h"
#include "conformance/checks/server/shapes.h"
#include "conformance/peer/name_words.h"

namespace plumbline::conformance {

namespace {

constexpr int kNestedMax = 12;
constexpr double kPercentileMin = 10;  // Below, "p1" and "p2" are names of other things.

// Bound is a number whose name says where it stands among others of the same base.
struct Bound {
  std::string base;
  double rank;  // Of what is called least 0, of what is called most 100; a mean has none: -1.
  std::string name;
  double value;
};

constexpr double kMean = -1;
constexpr double kMiddle = 50;

// percentile_of returns which one a word like "p95" names.
std::optional<double> percentile_of(std::string_view name) {
  if (name.size() < 2 || name.size() > 4 || (name[0] != 'p' && name[0] != 'P')) return std::nullopt;
  double rank = 0;
  for (const char digit : name.substr(1)) {
    if (std::isdigit(static_cast<unsigned char>(digit)) == 0) return std::nullopt;
    rank = rank * 10 + (digit - '0');
  }
  if (rank < kPercentileMin) return std::nullopt;
  return rank > 100 ? rank / 10 : rank;
}

std::optional<double> rank_of_word(std::string_view word) {
  if (word == "min" || word == "minimum" || word == "lowest") return 0;
  if (word == "max" || word == "maximum" || word == "highest") return 100;
  if (word == "mean" || word == "avg" || word == "average") return kMean;
  if (word == "median") return kMiddle;
  return std::nullopt;
}

// bound_of returns what a member is among others; nothing: its name says nothing of that.
std::optional<Bound> bound_of(const std::string& name, const Json& value) {
  if (!value.is_number()) return std::nullopt;
  if (const std::optional<double> rank = percentile_of(name)) {
    return Bound{"", *rank, name, value.get<double>()};
  }
  std::optional<double> rank;
  std::string base;
  for (const std::string& word : words_of(name)) {
    const std::optional<double> its = rank_of_word(word);
    if (its && rank) return std::nullopt;
    if (its) rank = its;
    if (!its) base += (base.empty() ? "" : " ") + word;
  }
  if (!rank) return std::nullopt;
  return Bound{std::move(base), *rank, name, value.get<double>()};
}

// disagree returns whether two numbers cannot both be true.
bool disagree(const Bound& low, const Bound& high) {
  if (low.base != high.base) return false;
  if (high.value <= 0 && low.value > 0) return false;  // 0 and -1 stand for no bound as well.
  if (low.rank == kMean) return high.rank == 100 && low.value > high.value;
  if (high.rank == kMean) return low.rank == 0 && low.value > high.value;
  return low.rank < high.rank && low.value > high.value;
}

// contradiction_in says which two numbers of one object contradict each other; empty: none do.
std::string contradiction_in(const Json& value, int depth_max = kNestedMax) {
  if (depth_max == 0 || !value.is_structured()) return {};
  std::vector<Bound> bounds;
  if (value.is_object()) {
    for (const auto& [name, member] : value.items()) {
      if (auto bound = bound_of(name, member)) bounds.push_back(*std::move(bound));
    }
  }
  for (const Bound& low : bounds) {
    for (const Bound& high : bounds) {
      if (!disagree(low, high)) continue;
      return "\"" + shortened(low.name) + "\" is " + dump_json(value[low.name]) + " and \"" +
             shortened(high.name) + "\" is " + dump_json(value[high.name]);
    }
  }
  for (const Json& inside : value) {
    if (std::string found = contradiction_in(inside, depth_max - 1); !found.empty()) return found;
  }
  return {};
}

}  // namespace

std::string bounds_apart(const Look& look) {
  std::string found = contradiction_in(look.answer);
  // What the judge gave itself is not the tool's.
  if (found.empty() || !contradiction_in(look.arguments).empty()) return {};
  return found + ": numbers that are sorted as texts come out in such an order";
}

}  // namespace plumbline::conformance
