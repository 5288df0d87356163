#include "conformance/checks/server/promises/lists/sorting.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/checks/server/callable_tools.h"
#include "conformance/checks/server/promises/good_calls.h"
#include "conformance/checks/server/promises/listed.h"
#include "conformance/checks/server/promises/said.h"
#include "conformance/checks/server/shapes.h"
#include "conformance/checks/server/tool_arguments.h"
#include "conformance/peer/name_words.h"

namespace plumbline::conformance {

namespace {

constexpr std::size_t kSortedMin = 3;
constexpr std::array<std::string_view, 10> kSortsBy = {
    "sort",       "sort by", "order by", "sorted by", "sort key",
    "sort field", "sort on", "ordering", "order",     "ordered by"};
constexpr std::array<std::string_view, 5> kDirections = {"asc", "desc", "ascending", "descending",
                                                         "by"};
// What speaks of an order among others, or of parts.
constexpr std::array<std::string_view, 9> kNotAlone = {
    "then", "within", "each", "group", "relevan", "match", "score", "unless", "if "};
// What is measured by which members.
constexpr auto kPrices = std::to_array<std::string_view>({"price", "cost", "fare"});
constexpr auto kMoney =
    std::to_array<std::string_view>({"price", "cost", "fare", "euros", "euro", "eur", "cents",
                                     "dollars", "usd", "pence", "pounds", "gbp", "yen", "francs"});
constexpr auto kSpeeds =
    std::to_array<std::string_view>({"speed", "speeds", "velocity", "kmh", "mph", "knots"});
constexpr auto kWeights =
    std::to_array<std::string_view>({"weight", "mass", "kg", "kilos", "grams", "tonnes", "tons"});
constexpr auto kDistances =
    std::to_array<std::string_view>({"distance", "km", "kilometers", "kilometres", "miles"});
constexpr auto kHeights = std::to_array<std::string_view>({"height", "altitude", "elevation"});

struct Superlative {
  std::string_view word;
  bool up;
  std::span<const std::string_view> of{};  // Empty: of what is named behind it.
};
constexpr auto kSuperlatives = std::to_array<Superlative>({{"cheapest", true, kMoney},
                                                           {"most expensive", false, kMoney},
                                                           {"dearest", false, kMoney},
                                                           {"priciest", false, kMoney},
                                                           {"fastest", false, kSpeeds},
                                                           {"slowest", true, kSpeeds},
                                                           {"heaviest", false, kWeights},
                                                           {"lightest", true, kWeights},
                                                           {"nearest", true, kDistances},
                                                           {"closest", true, kDistances},
                                                           {"farthest", false, kDistances},
                                                           {"tallest", false, kHeights},
                                                           {"lowest", true},
                                                           {"smallest", true},
                                                           {"shortest", true},
                                                           {"fewest", true},
                                                           {"highest", false},
                                                           {"largest", false},
                                                           {"biggest", false},
                                                           {"longest", false}});

// wanted_by returns the words of what a value of a sorting parameter asks for; none: of nothing.
std::vector<std::string> wanted_by(const std::string& value) {
  std::vector<std::string> words = words_of(value);
  std::erase_if(words, [](const std::string& word) { return has_word({word}, kDirections); });
  return words;
}

bool has_all(const std::vector<std::string>& name, const std::vector<std::string>& words) {
  return std::ranges::all_of(
      words, [&](const std::string& word) { return std::ranges::find(name, word) != name.end(); });
}

bool is_numeric(const Json& list, const std::string& member) {
  return std::ranges::all_of(list, [&](const Json& item) {
    const Json* const value = find(item, member);
    return value != nullptr && value->is_number();
  });
}

// only_member returns the one member of numbers whose words `fits`; empty: none, or there are more.
template <typename Fits>
std::string only_member(const Json& list, Fits fits) {
  std::string found;
  for (const auto& [name, value] : list.front().items()) {
    if (!fits(words_of(name)) || !is_numeric(list, name)) continue;
    if (!found.empty()) return {};
    found = name;
  }
  return found;
}

std::string money_member(const Json& list) {
  return only_member(list,
                     [](const std::vector<std::string>& name) { return has_word(name, kMoney); });
}

// member_for returns by which member a list is to be in order; empty: it is not clear, or no
// number.
std::string member_for(const Json& list, const std::vector<std::string>& words) {
  for (const auto& [name, value] : list.front().items()) {
    if (words_of(name) == words) return is_numeric(list, name) ? name : std::string();
  }
  std::string found =
      only_member(list, [&](const std::vector<std::string>& name) { return has_all(name, words); });
  const bool money = found.empty() && words.size() == 1 && has_word(words, kPrices);
  return money ? money_member(list) : found;
}

std::vector<Json> column_of(const Json& list, const std::string& member) {
  std::vector<Json> values;
  for (const Json& item : list) values.push_back(item[member]);
  return values;
}

// First is what a text says to come first.
struct First {
  std::string said;  // "cheapest first", "lowest rating first".
  std::string by;    // "rating"; empty: what `of` has.
  bool up = true;    // The smallest number first.
  std::span<const std::string_view> of{};
};

// first_in returns what a sentence says to come first; nothing: that is none of numbers, or not all
// that is said.
std::optional<First> first_in(const Sentence& sentence) {
  if (mentions_any(sentence.low, kNotAlone)) return std::nullopt;
  std::optional<First> found;
  for (const Superlative& one : kSuperlatives) {
    const std::size_t at = sentence.low.find(one.word);
    if (at == std::string::npos) continue;
    const std::size_t behind = at + one.word.size();
    const std::size_t end = sentence.low.find(" first", behind);
    if (found || end == std::string::npos) return std::nullopt;
    std::string by = sentence.low.substr(behind, end - behind);
    by.erase(0, by.find_first_not_of(' '));
    const bool one_word = by.find(' ') == std::string::npos;
    if (!one.of.empty() && one_word) by.clear();
    if (by.empty() == one.of.empty() || !one_word) return std::nullopt;
    found = First{sentence.low.substr(at, end + 6 - at), std::move(by), one.up, one.of};
  }
  return found;
}

// member_by returns the one member of numbers that is meant; empty: it is not clear.
std::string member_by(const Json& list, const First& first) {
  if (first.by.empty()) {
    return only_member(
        list, [&](const std::vector<std::string>& name) { return has_word(name, first.of); });
  }
  if (has_word({first.by}, kPrices)) return money_member(list);
  return only_member(list, [&](const std::vector<std::string>& name) {
    return has_word(name, std::array<std::string_view, 2>{first.by, first.by + "s"});
  });
}

// goes_one_way returns whether values go up or down all along, compared by `less`.
template <typename Less>
bool goes_one_way(const std::vector<Json>& values, Less less) {
  const auto more = [&](const Json& one, const Json& other) { return less(other, one); };
  return std::ranges::is_sorted(values, less) || std::ranges::is_sorted(values, more);
}

// units_in returns what an item says of the unit of its numbers: {"currency": "EUR", "per": 100}.
Json units_in(const Json& item) {
  constexpr std::array<std::string_view, 4> kOfUnits = {"currency", "unit", "units", "per"};
  Json units = Json::object();
  for (const auto& [name, value] : item.items()) {
    const std::vector<std::string> words = words_of(name);
    // "eur_per_kg" is a price.
    const bool says = value.is_string() || words.size() == 1;
    if (says && has_word(words, kOfUnits)) units[name] = value;
  }
  return units;
}

// is_in_one_unit returns whether no item says that its numbers are in another unit than those of
// the others.
bool is_in_one_unit(const Json& list) {
  const Json units = units_in(list.front());
  return std::ranges::all_of(list, [&](const Json& item) { return units_in(item) == units; });
}

// SortedCall is a call that asks for an order, and what it lists.
struct SortedCall {
  const Call* call;
  std::string value;
  Json list;
};

std::vector<SortedCall> sorted_calls(const Exercise& exercise, const Json& tool,
                                     const std::string& parameter) {
  std::vector<SortedCall> found;
  for (const Call* const call : exercise.completed("tools/call")) {
    const Json* const arguments = find(call->params, "arguments");
    const bool its = string_or(call->params, "name", "") == string_or(tool, "name", "");
    if (!its || arguments == nullptr || !call->first || !has_gone_well(call->reply)) continue;
    const Json list = listed_in(answer_in(call->reply));
    if (list.size() < kSortedMin || !is_objects(list)) continue;
    found.push_back({call, string_or(*arguments, parameter, ""), list});
  }
  return found;
}

// same_things_as returns another call that lists the same in the same order, though it asks for
// another one; nullptr: there is none.
const SortedCall* same_things_as(const SortedCall& one, const std::vector<SortedCall>& all) {
  const auto same = std::ranges::find_if(all, [&](const SortedCall& other) {
    return other.value != one.value && other.list == one.list;
  });
  return same == all.end() ? nullptr : &*same;
}

std::string disorder_of(const SortedCall& one, const std::vector<SortedCall>& all) {
  const std::vector<std::string> words = wanted_by(one.value);
  const std::string member = words.empty() ? "" : member_for(one.list, words);
  if (member.empty() || !is_in_one_unit(one.list)) return {};
  const std::vector<Json> values = column_of(one.list, member);
  const auto as_numbers = [](const Json& a, const Json& b) {
    return a.get<double>() < b.get<double>();
  };
  const auto as_texts = [](const Json& a, const Json& b) { return dump_json(a) < dump_json(b); };
  if (goes_one_way(values, as_numbers)) return {};
  const std::string says = "its \"" + shortened(member) + "\" are " + shortened(dump_json(values));
  if (goes_one_way(values, as_texts)) return says + ": in the order of texts, not of numbers";
  if (same_things_as(one, all) == nullptr) return {};
  return says + ", in the same order as with another value";
}

// may_be_sorted returns whether a tool takes an argument that may ask for another order.
bool may_be_sorted(const Json& tool) {
  constexpr std::array<std::string_view, 7> kOfOrder = {
      "sort", "sorted", "ordering", "direction", "descending", "reverse", "desc"};
  const Json* const properties = properties_of(tool);
  if (properties == nullptr) return false;
  for (const auto& [name, property] : properties->items()) {
    const bool sorts = std::ranges::find(kSortsBy, spaced_words_of(name)) != kSortsBy.end();
    if (sorts || has_word(words_of(name), kOfOrder)) return true;
  }
  return false;
}

// lists_one_thing returns whether an answer has one list alone, which its description is about.
bool lists_one_thing(const Json& answer) {
  const auto is_list = [](const Json& one) { return one.is_structured(); };
  return answer.is_array() || std::ranges::count_if(answer, is_list) == 1;
}

// behind_wrongly says which two numbers stand the wrong way round; empty: none do.
std::string behind_wrongly(const std::vector<Json>& values, bool up) {
  for (std::size_t i = 1; i < values.size(); ++i) {
    const double before = values[i - 1].get<double>();
    const double now = values[i].get<double>();
    if (up ? now >= before : now <= before) continue;
    return dump_json(values[i]) + " behind " + dump_json(values[i - 1]);
  }
  return {};
}

// judge_list_by judges one list in an answer.
void judge_list_by(const First& first, const Call& call, const Json& list, Tally& tally) {
  const std::string member = member_by(list, first);
  if (member.empty() || !is_in_one_unit(list)) return;
  tally.saw();
  const std::vector<Json> values = column_of(list, member);
  const std::string wrong = behind_wrongly(values, first.up);
  if (wrong.empty()) return;
  const auto as_texts = [](const Json& a, const Json& b) { return dump_json(a) < dump_json(b); };
  tally.wrong(tool_in(call.params) + " says \"" + shortened(first.said) +
                  "\", and in its answer \"" + shortened(member) + "\" is " + wrong +
                  (goes_one_way(values, as_texts) ? ": in the order of texts, not of numbers" : ""),
              call.evidence);
}

}  // namespace

void judge_first(const Json& tool, const Exercise& exercise, Tally& tally) {
  if (may_be_sorted(tool)) return;
  std::optional<First> first;
  for (const Sentence& sentence : said_of_answers(tool)) {
    const std::optional<First> here = first_in(sentence);
    const auto as_first = [&] {
      return here->by == first->by && here->up == first->up && here->of.data() == first->of.data();
    };
    if (here && first && !as_first()) return;
    if (here) first = here;
  }
  if (!first) return;
  for (const Call* const call : good_calls(exercise, string_or(tool, "name", ""))) {
    const Json answer = answer_in(call->reply);
    const Json list = listed_in(answer);
    if (list.size() < kSortedMin || !is_objects(list) || !lists_one_thing(answer)) continue;
    judge_list_by(*first, *call, list, tally);
  }
}

void judge_sorting(const Json& tool, const Exercise& exercise, Tally& tally) {
  const Json* const properties = properties_of(tool);
  if (properties == nullptr) return;
  for (const auto& [name, property] : properties->items()) {
    const std::string words = spaced_words_of(name);
    const bool sorts = std::ranges::find(kSortsBy, words) != kSortsBy.end();
    if (!sorts || choices_of(tool, name) == nullptr) continue;
    const std::vector<SortedCall> all = sorted_calls(exercise, tool, name);
    for (const SortedCall& one : all) {
      tally.saw();
      const std::string disorder = disorder_of(one, all);
      if (disorder.empty()) continue;
      tally.wrong(tool_in(one.call->params) + ", called with " + given_in(one.call->params) +
                      ", lists in another order: " + disorder,
                  one.call->evidence);
    }
  }
}

}  // namespace plumbline::conformance
