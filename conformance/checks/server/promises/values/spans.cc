// Nights and days, beside the dates between which they lie.

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "conformance/checks/server/promises/instants.h"
#include "conformance/checks/server/promises/values/numbers.h"
#include "conformance/checks/server/shapes.h"
#include "conformance/peer/name_words.h"

namespace plumbline::conformance {

namespace {

constexpr double kDay = 86'400;
constexpr std::size_t kDateBytes = 10;

// How the two ends of a stay are called, by the words of their names.
constexpr std::array<std::pair<std::string_view, std::string_view>, 12> kEnds = {
    {{"from", "to"},
     {"start", "end"},
     {"begin", "end"},
     {"begins", "ends"},
     {"starts", "ends"},
     {"since", "until"},
     {"from", "until"},
     {"arrival", "departure"},
     {"arrive", "depart"},
     {"checkin", "checkout"},
     {"check in", "check out"},
     {"pickup", "return"}}};

constexpr std::array<std::string_view, 7> kOtherDays = {"working", "business", "grace", "due",
                                                        "overdue", "late",     "open"};

// Dates are two whole days, and how they are called.
struct Dates {
  std::string from;
  std::string to;
  double apart = 0;  // Days.
};

std::optional<double> date_in(const Json& value) {
  const auto* const text = value.get_ptr<const std::string*>();
  if (text == nullptr || text->size() != kDateBytes) return std::nullopt;
  return instant_of(*text);
}

// is_end_called returns whether the words of a name are those of an end, with "date" or "day" or
// without.
bool is_end_called(const std::string& name, std::string_view end) {
  const std::string words = spaced_words_of(name);
  const std::string called(end);
  return words == called || words == called + " date" || words == called + " day" ||
         words == called + " on" || words == "date " + called;
}

std::optional<Dates> dates_in(const Json& object) {
  for (const auto& [from, to] : kEnds) {
    for (const auto& [name, value] : object.items()) {
      const std::optional<double> begin = date_in(value);
      if (!begin || !is_end_called(name, from)) continue;
      for (const auto& [other, last] : object.items()) {
        const std::optional<double> end = date_in(last);
        if (!end || !is_end_called(other, to)) continue;
        return Dates{name + "\" " + dump_json(value), other + "\" " + dump_json(last),
                     (*end - *begin) / kDay};
      }
    }
  }
  return std::nullopt;
}

// is_promised returns whether a tool says of what the number is: of nights in any words, of days
// between two dates, as there are days of work, of grace and of a month, too.
bool is_promised(const Look& look, const std::string& member, bool nights) {
  constexpr std::array<std::string_view, 4> kOfSpans = {"between", "from", "until", "through"};
  return std::ranges::any_of(look.said, [&](const Sentence& one) {
    if (nights) return mentions(one.low, "night");
    return names_member(one, member) && says_word(one, kOfSpans) && !says_word(one, kOtherDays);
  });
}

std::string span_problem(const Look& look, const Json& object) {
  for (const auto& [name, value] : object.items()) {
    const std::string words = spaced_words_of(name);
    const bool nights = words == "nights" || words == "number of nights";
    if (!nights && words != "days" && words != "number of days") continue;
    if (!value.is_number_integer() || look.arguments.contains(name)) continue;
    if (!is_promised(look, name, nights)) continue;
    std::optional<Dates> dates = dates_in(object);
    if (!dates) dates = dates_in(look.arguments);
    if (!dates || dates->apart <= 0) continue;
    const double told = value.get<double>();
    // Days may be counted with the last one, or those of work alone.
    if (nights ? told == dates->apart : told <= dates->apart + 1) continue;
    return "\"" + shortened(name) + "\" is " + dump_json(value) + ", and from \"" + dates->from +
           " to \"" + dates->to + " there are " +
           std::to_string(static_cast<std::int64_t>(dates->apart));
  }
  return {};
}

}  // namespace

std::string spans_apart(const Look& look) {
  std::string found;
  each_object(look.answer, [&](const Json& object) {
    if (found.empty()) found = span_problem(look, object);
  });
  return found;
}

}  // namespace plumbline::conformance
