#include "conformance/checks/server/promises/values/forms.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <optional>
#include <string_view>
#include <vector>

#include "conformance/checks/server/callable_tools.h"
#include "conformance/checks/server/promises/instants.h"
#include "conformance/checks/server/shapes.h"
#include "conformance/peer/name_words.h"

namespace plumbline::conformance {

namespace {

constexpr double kSecondsOfDay = 86'400;
constexpr std::array<std::string_view, 6> kClocks = {"hh:mm:ss", "h:mm:ss", "hh:mm",
                                                     "h:mm",     "mm:ss",   "m:ss"};
constexpr std::array<std::string_view, 12> kOfTimes = {"time",   "duration", "length",  "start",
                                                       "starts", "end",      "ends",    "opens",
                                                       "closes", "at",       "elapsed", "runtime"};
constexpr std::array<std::string_view, 7> kNumbers = {"no",   "one",  "two", "three",
                                                      "four", "five", "six"};
// A sentence in which a form is one of several, or not always kept.
constexpr std::array<std::string_view, 9> kMaybe = {"or",  "may",    "can",     "if",   "unless",
                                                    "not", "either", "usually", "input"};

constexpr std::array<std::string_view, 1> kZone = {"utc"};
constexpr std::array<std::string_view, 4> kOfDays = {"day of", "date of", "day on which",
                                                     "date on which"};

bool is_clock_digit(char c) { return c >= '0' && c <= '9'; }

// is_given returns whether a value is one that the call itself had.
bool is_given(const Look& look, const Json& value) {
  return std::ranges::any_of(look.arguments, [&](const Json& one) { return one == value; });
}

// clock_parts returns the digits between the colons of "1:05:09"; none: a text is no such.
std::vector<std::string_view> clock_parts(std::string_view text) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t end = std::min(text.find(':'), text.size());
    const std::string_view part = text.substr(0, end);
    if (part.empty() || part.size() > 3 || !std::ranges::all_of(part, is_clock_digit)) return {};
    parts.push_back(part);
    if (end == text.size()) return parts;
    text.remove_prefix(end + 1);
  }
}

// clock_said returns the form of clock that a tool speaks of; empty: none, or several.
std::string_view clock_said(const Look& look) {
  std::string_view found;
  for (const Sentence& one : look.said) {
    const auto said = std::ranges::find_if(
        kClocks, [&](std::string_view clock) { return mentions(one.low, clock); });
    if (said == kClocks.end()) continue;
    if (says_word(one, kMaybe) || (!found.empty() && found != *said)) return {};
    found = *said;
  }
  return found;
}

// may_be_clock returns whether a member is a time or a length of time by its name, or is named
// where the form is: "16:9" may be the shape of a picture.
bool may_be_clock(const Look& look, const std::string& name) {
  const bool named = std::ranges::any_of(look.said, [&](const Sentence& one) {
    return names_member(one, name) && mentions_any(one.low, kClocks);
  });
  return named || has_word(words_of(name), kOfTimes);
}

std::string clock_problem(const Look& look, const Json& object) {
  const std::string_view clock = clock_said(look);
  if (clock.empty()) return {};
  for (const auto& [name, value] : object.items()) {
    const auto* const text = value.get_ptr<const std::string*>();
    if (text == nullptr || is_given(look, value) || !may_be_clock(look, name)) continue;
    const std::vector<std::string_view> parts = clock_parts(*text);
    const auto wanted = static_cast<std::size_t>(std::ranges::count(clock, ':')) + 1;
    if (parts.size() != wanted) continue;
    const bool padded = std::all_of(parts.begin() + 1, parts.end(),
                                    [](std::string_view part) { return part.size() == 2; });
    if (padded) continue;
    return "\"" + shortened(name) + "\" is " + dump_json(value) + ", where it speaks of " +
           std::string(clock);
  }
  return {};
}

// is_parameter returns whether a tool takes something of this name: what is said may be of that.
bool is_parameter(const Look& look, const std::string& name) {
  const Json* const properties = properties_of(*look.tool);
  return properties != nullptr && properties->contains(name);
}

// decimals_said returns how many decimals a sentence speaks of, to which something is rounded.
std::optional<int> decimals_said(const Sentence& one) {
  if (!mentions(one.low, "rounded to ") || says_word(one, kMaybe)) return std::nullopt;
  for (std::size_t i = 1; i < kNumbers.size(); ++i) {
    for (const std::string& count : {std::string(kNumbers.at(i)), std::to_string(i)}) {
      if (mentions(one.low, "rounded to " + count + " decimal")) return static_cast<int>(i);
    }
  }
  return std::nullopt;
}

std::string decimals_problem(const Sentence& one, const std::string& name, const Json& value) {
  const std::optional<int> decimals = decimals_said(one);
  if (!decimals || !value.is_number_float()) return {};
  if (step_of(value) > std::pow(10.0, -*decimals) * 0.99) return {};
  return "\"" + shortened(name) + "\" is " + dump_json(value) + ", where it speaks of " +
         std::to_string(*decimals) + " decimals";
}

bool is_day(std::string_view text) { return text.size() == 10 && instant_of(text).has_value(); }

// is_in_case returns whether a sentence says that something is "in upper case": not that the case
// of letters makes no difference.
bool is_in_case(const Sentence& one, const std::string& letters, const std::string& others) {
  constexpr std::array<std::string_view, 7> kOfSearches = {
      "difference", "matter", "matters", "match", "matches", "compared", "insensitive"};
  if (says_word(one, kOfSearches) || mentions(one.low, others)) return false;
  return mentions(one.low, "in " + letters + " case") ||
         mentions(one.low, "in " + letters + "case") || mentions(one.low, "always " + letters);
}

std::string text_problem(const Sentence& one, const std::string& name, const std::string& text) {
  const auto is = [&](int (*kind)(int)) {
    return std::ranges::any_of(text, [kind](char c) {
      const auto byte = static_cast<unsigned char>(c);
      return byte < 128 && kind(byte) != 0;
    });
  };
  std::string_view said;
  if (is_in_case(one, "upper", "lower") && is(std::islower)) said = "upper case";
  if (is_in_case(one, "lower", "upper") && is(std::isupper)) said = "lower case";
  if (mentions(one.low, "yyyy-mm-dd") && !mentions(one.low, "hh") && !is_day(text)) {
    said = "YYYY-MM-DD";
  }
  if (mentions(one.low, "iso 4217") && (text.size() != 3 || is(std::islower))) said = "ISO 4217";
  if (said.empty()) return {};
  return "\"" + shortened(name) + "\" is \"" + shortened(text) + "\", where it speaks of " +
         std::string(said);
}

// named_of returns the one member of a kind that a sentence names; empty: none, or it is not clear
// of which the form is.
template <typename Is>
std::string named_of(const Sentence& one, const Json& object, Is is) {
  std::string found;
  for (const auto& [name, value] : object.items()) {
    if (!is(value) || !names_member(one, name)) continue;
    if (!found.empty()) return {};
    found = name;
  }
  return found;
}

// named_problem judges the members that a sentence names.
std::string named_problem(const Look& look, const Sentence& one, const Json& object) {
  if (says_word(one, kMaybe)) return {};
  const std::string number =
      named_of(one, object, [](const Json& value) { return value.is_number(); });
  const std::string text =
      named_of(one, object, [](const Json& value) { return value.is_string() && value != ""; });
  const auto told = [&](const std::string& name) {
    return !name.empty() && !is_parameter(look, name) && !is_given(look, object[name]);
  };
  std::string found = told(number) ? decimals_problem(one, number, object[number]) : "";
  if (!found.empty() || !told(text)) return found;
  return text_problem(one, text, object[text].get<std::string>());
}

// day_problem: "day" is the calendar day of "startedAt" in UTC.
std::string day_problem(const Sentence& one, const Json& object) {
  const bool speaks = mentions_any(one.low, kOfDays);
  if (!speaks || !says_word(one, kZone) || says_word(one, kMaybe)) return {};
  const std::string day = named_of(one, object, [](const Json& value) {
    return value.is_string() && is_day(value.get_ref<const std::string&>());
  });
  const std::string time = named_of(one, object, [](const Json& value) {
    return value.is_string() && value.get_ref<const std::string&>().size() > 16 &&
           instant_of(value.get_ref<const std::string&>()).has_value();
  });
  if (day.empty() || time.empty()) return {};
  const double instant = *instant_of(object[time].get_ref<const std::string&>());
  const double date = *instant_of(object[day].get_ref<const std::string&>());
  if (std::floor(instant / kSecondsOfDay) * kSecondsOfDay == date) return {};
  return "\"" + shortened(day) + "\" is " + dump_json(object[day]) +
         ", where it is said to be the day of \"" + shortened(time) + "\", " +
         dump_json(object[time]) + ", in UTC";
}

}  // namespace

std::string form_problem(const Look& look) {
  std::string found;
  each_object(look.answer, [&](const Json& object) {
    if (found.empty()) found = clock_problem(look, object);
    for (const Sentence& one : look.said) {
      if (found.empty()) found = named_problem(look, one, object);
      if (found.empty()) found = day_problem(one, object);
    }
  });
  return found;
}

}  // namespace plumbline::conformance
