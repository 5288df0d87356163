// What is added up and what is counted, beside the items themselves.

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/checks/server/callable_tools.h"
#include "conformance/checks/server/promises/listed.h"
#include "conformance/checks/server/promises/values/numbers.h"
#include "conformance/checks/server/shapes.h"
#include "conformance/peer/name_words.h"

namespace plumbline::conformance {

namespace {

// What makes a total another number than the sum of what is listed.
constexpr std::array<std::string_view, 25> kAdjusting = {
    "tax",        "vat",         "gst",    "discount", "discounts", "coupon",    "voucher",
    "shipping",   "delivery",    "fee",    "fees",     "tip",       "surcharge", "deposit",
    "refund",     "refunds",     "credit", "credits",  "rounding",  "minus",     "less",
    "adjustment", "adjustments", "net",    "gross"};
// What a sentence says where not all is added up.
constexpr std::array<std::string_view, 10> kNotAll = {
    "except", "without", "only", "excluding", "first", "page", "unless", "not", "but", "plus"};
// A list that is not whole.
constexpr std::array<std::string_view, 12> kOfParts = {"cursor",    "next",    "more",  "page",
                                                       "pages",     "offset",  "limit", "truncated",
                                                       "remaining", "omitted", "shown", "returned"};
// What a description says of a list that has some of all alone.
constexpr std::array<std::string_view, 9> kSomeOfAll = {
    "top", "latest", "recent", "last", "most", "page", "sample", "largest", "newest"};
// What an item says by which it may count otherwise.
constexpr std::array<std::string_view, 9> kOfKinds = {
    "status", "state", "kind", "type", "direction", "sign", "active", "cancelled", "currency"};
constexpr std::array<std::string_view, 9> kOfMany = {
    "quantity", "qty", "count", "units", "times", "copies", "nights", "pieces", "amount"};
constexpr std::array<std::string_view, 8> kOfCounting = {"items", "results", "entries", "records",
                                                         "rows",  "pages",   "count",   "number"};
// Units that are told whole: nothing is rounded.
constexpr std::array<std::string_view, 4> kWhole = {"cents", "pence", "cent", "seconds"};
constexpr std::array<std::string_view, 4> kOfSums = {"sum", "together", "altogether", "sums"};

// is_part returns whether a list may be a part of what there is.
bool is_part(const Look& look, const Json& object) {
  for (const Json* const value : {&object, &look.answer}) {
    if (!value->is_object()) continue;
    for (const auto& [name, member] : value->items()) {
      if (has_word(words_of(name), kOfParts)) return true;
    }
  }
  const auto some = [](const Sentence& one) { return says_word(one, kSomeOfAll); };
  if (std::ranges::any_of(look.said, some)) return true;
  const Json* const properties = properties_of(*look.tool);
  if (properties == nullptr) return false;
  for (const auto& [name, property] : properties->items()) {
    const bool most = std::ranges::find(kHowMany, name) != kHowMany.end();
    if (most || has_word(words_of(name), kOfParts)) return true;
  }
  return false;
}

// unit_of returns what a total is of: "cents" of totalCents; nothing: the name is of no total.
std::optional<std::vector<std::string>> unit_of(const std::string& name) {
  std::vector<std::string> words = words_of(name);
  const auto adds = [](const std::string& word) { return word == "total" || word == "sum"; };
  if (words.empty() || std::ranges::count_if(words, adds) != 1) return std::nullopt;
  if (!adds(words.front()) && !adds(words.back())) return std::nullopt;
  std::erase_if(words, [&](const std::string& word) { return adds(word) || word == "grand"; });
  if (!words.empty() && has_word({words.back()}, kOfCounting)) return std::nullopt;
  return words;
}

bool ends_in(const std::vector<std::string>& words, const std::vector<std::string>& end) {
  return words.size() >= end.size() && std::equal(end.rbegin(), end.rend(), words.rbegin());
}

// added_member returns which member of the items a total adds up; empty: none, or it is not clear.
std::string added_member(const Json& items, const std::vector<std::string>& unit) {
  std::string found;
  for (const auto& [name, value] : items.front().items()) {
    const std::vector<std::string> words = words_of(name);
    if (has_word(words, kAdjusting)) return {};
    const bool numeric = value.is_number() && !words.empty() && words.back() != "id" &&
                         words.back() != "rank" && words.back() != "percent";
    if (!numeric || !ends_in(words, unit)) continue;
    if (!found.empty()) return {};
    found = name;
  }
  return found;
}

// counts_otherwise returns whether items may count otherwise than by their number alone: a switch,
// a kind, or how many there are of each.
bool counts_otherwise(const Json& items, const std::string& added) {
  for (const auto& [name, value] : items.front().items()) {
    if (name == added) continue;
    const std::vector<std::string> words = words_of(name);
    if (value.is_boolean()) return true;
    if (value.is_number() && has_word(words, kOfMany)) return true;
    if (!has_word(words, kOfKinds)) continue;
    const auto same = [&, own = name, first = value](const Json& item) {
      const Json* const its = find(item, own);
      return its != nullptr && *its == first;
    };
    if (!std::ranges::all_of(items, same)) return true;
  }
  return false;
}

// sum_of returns what the members of items are together, and how finely they are told.
std::optional<double> sum_of(const Json& items, const std::string& member, double& step) {
  double sum = 0;
  for (const Json& item : items) {
    const Json* const value = find(item, member);
    if (value == nullptr || !value->is_number()) return std::nullopt;
    sum += value->get<double>();
    step = std::min(step, step_of(*value));
  }
  return sum;
}

// only_list returns the one member of an object that is a list; empty: none, or there are more.
std::string only_list(const Json& object) {
  std::string found;
  for (const auto& [name, value] : object.items()) {
    if (!value.is_array()) continue;
    if (!found.empty()) return {};
    found = name;
  }
  return found;
}

// is_said_to_add returns whether a sentence says that a member is a sum.
bool is_said_to_add(const Look& look, const std::string& member) {
  return std::ranges::any_of(look.said, [&](const Sentence& one) {
    const bool adds = says_word(one, kOfSums) || mentions(one.low, "adds up") ||
                      mentions(one.low, "added up") || mentions(one.low, "total of");
    return adds && names_member(one, member) && !says_word(one, kAdjusting) &&
           !says_word(one, kNotAll);
  });
}

std::string sum_problem(const Look& look, const Json& object) {
  const std::string list = only_list(object);
  if (list.empty() || !is_objects(object[list])) return {};
  const Json& items = object[list];
  for (const auto& [name, value] : object.items()) {
    if (has_word(words_of(name), kAdjusting)) return {};
    const auto unit = unit_of(name);
    if (!unit || !value.is_number() || !is_said_to_add(look, name)) continue;
    const std::string added = added_member(items, *unit);
    if (added.empty() || counts_otherwise(items, added)) continue;
    double step = step_of(value);
    const std::optional<double> sum = sum_of(items, added, step);
    const bool exact = has_word(words_of(added), kWhole);
    const double steps = exact ? 0 : static_cast<double>(items.size() + 1) / 2;
    if (!sum || may_be(*sum, value.get<double>(), step, steps)) continue;
    return "\"" + shortened(name) + "\" is " + dump_json(value) + ", and \"" + shortened(added) +
           "\" in its \"" + shortened(list) + "\" is " + number_text(*sum) + " in all";
  }
  return {};
}

// counting_member returns the member of an object that says how many its list has; empty: there is
// none.
std::string counting_member(const Look& look, const Json& object, const std::string& list) {
  for (const auto& [name, value] : object.items()) {
    const std::string words = spaced_words_of(name);
    const bool counts = words == "count" || words == "total count" ||
                        words == spaced_words_of(singular(list)) + " count" ||
                        words == spaced_words_of(list) + " count";
    if (counts && value.is_number_integer() && !look.arguments.contains(name)) return name;
  }
  return {};
}

// More than it says cannot come of a list that was cut short. Where items have counts of their own,
// it may be the sum of those.
std::string count_problem(const Look& look, const Json& object) {
  const std::string list = only_list(object);
  if (list.empty()) return {};
  const std::string member = counting_member(look, object, list);
  if (member.empty()) return {};
  const auto says_so = [&](const Sentence& one) {
    return names_member(one, member) || mentions(one.low, "how many");
  };
  if (std::ranges::none_of(look.said, says_so)) return {};
  const Json& items = object[list];
  for (const Json& item : items) {
    if (!item.is_object()) continue;
    for (const auto& [name, value] : item.items()) {
      if (has_word(words_of(name), kOfMany)) return {};
    }
  }
  const auto counted = object[member].get<double>();
  if (counted >= static_cast<double>(items.size())) return {};
  return "\"" + shortened(member) + "\" is " + dump_json(object[member]) + ", and \"" +
         shortened(list) + "\" has " + std::to_string(items.size());
}

}  // namespace

std::string sums_apart(const Look& look) {
  std::string found;
  each_object(look.answer, [&](const Json& object) {
    if (!found.empty()) return;
    if (!is_part(look, object)) found = sum_problem(look, object);
    if (found.empty()) found = count_problem(look, object);
  });
  return found;
}

}  // namespace plumbline::conformance
