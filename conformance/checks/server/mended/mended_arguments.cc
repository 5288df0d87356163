#include "conformance/checks/server/mended/mended_arguments.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <utility>

#include "conformance/catalogue/mentions.h"
#include "core/base/text.h"
#include "core/schema/schema.h"

namespace plumbline::conformance {

namespace {

constexpr std::size_t kOtherDaysMax = 5;
constexpr std::size_t kOtherNumbersMax = 3;
constexpr std::size_t kReadMax = 2'000;  // Letters of a refusal.
constexpr std::size_t kDayLength = 10;   // Letters of 2027-06-16.
// Three days of the middle of a week each, in different weeks.
constexpr std::array<std::string_view, 3> kDaysOfYear = {"-06-16", "-06-17", "-09-22"};
constexpr std::array<std::string_view, 2> kToCome = {"2029-06-20", "2099-06-17"};
constexpr std::array<std::string_view, 14> kOfDates = {
    "date",   "day",   "past",  "future", "year",  "calendar", "earlier",
    "before", "later", "month", "season", "today", "open",     "week"};

bool is_one_digit(char c) { return c >= '0' && c <= '9'; }

bool is_plain_day(std::string_view text) {
  if (text.size() != kDayLength) return false;
  for (std::size_t i = 0; i < kDayLength; ++i) {
    if (i == 4 || i == 7 ? text[i] != '-' : !is_one_digit(text[i])) return false;
  }
  return true;
}

bool fits_property(const Json& property, const Json& value) {
  const auto schema = schema::Schema::compile(property, {.assert_format = true});
  return schema.ok() && !schema.value().validate(value);
}

// NamedInRefusal is what a text names.
struct NamedInRefusal {
  std::vector<std::string> days;
  std::vector<std::string> years;
  std::vector<double> numbers;
};

void add_once(std::vector<std::string>& all, std::string_view one) {
  if (std::ranges::find(all, one) == all.end()) all.emplace_back(one);
}

// named_in_refusal returns the days, years and numbers that a text names, in its order.
NamedInRefusal named_in_refusal(std::string_view text) {
  NamedInRefusal named;
  text = text.substr(0, kReadMax);
  for (std::size_t at = 0; at < text.size();) {
    const bool begins = is_one_digit(text[at]) &&
                        (at == 0 || std::isalnum(static_cast<unsigned char>(text[at - 1])) == 0);
    if (!begins) {
      ++at;
      continue;
    }
    if (is_plain_day(text.substr(at, kDayLength))) {
      add_once(named.days, text.substr(at, kDayLength));
      at += kDayLength;
      continue;
    }
    std::size_t end = at;
    while (end < text.size() &&
           (is_one_digit(text[end]) ||
            (text[end] == '.' && end + 1 < text.size() && is_one_digit(text[end + 1])))) {
      ++end;
    }
    const std::string number(text.substr(at, end - at));
    if (number.size() == 4 && number.starts_with("20")) add_once(named.years, number);
    named.numbers.push_back(std::strtod(number.c_str(), nullptr));
    at = end;
  }
  return named;
}

// days_for returns the days to be tried in place of `now`, the likeliest first.
std::vector<std::string> days_for(const Json& tool, std::string_view said, const std::string& now) {
  std::vector<std::string> days;
  const std::string described = dump_json(tool);
  for (const std::string_view text : {said, std::string_view(described)}) {
    const NamedInRefusal named = named_in_refusal(text);
    for (const std::string& day : named.days) add_once(days, day);
    for (const std::string& year : named.years) {
      for (const std::string_view day : kDaysOfYear) add_once(days, year + std::string(day));
    }
  }
  for (const std::string_view day : kToCome) add_once(days, day);
  std::erase(days, now);
  days.resize(std::min(days.size(), kOtherDaysMax));
  return days;
}

// dated returns the parameters whose values are days, or begin with one.
std::vector<std::string> dated(const Json& arguments) {
  std::vector<std::string> found;
  for (const auto& [name, value] : arguments.items()) {
    const auto* const text = value.get_ptr<const std::string*>();
    if (text != nullptr && is_plain_day(std::string_view(*text).substr(0, kDayLength)))
      found.push_back(name);
  }
  return found;
}

// speaks_of_days returns whether a refusal is about a date: one that was given, or any.
bool speaks_of_days(std::string_view low, const std::string& given) {
  return mentions(low, given) || mentions_any(low, kOfDates);
}

void mend_days(const Json& tool, const Json& properties, const Json& arguments,
               std::string_view said, std::vector<Json>& found) {
  const std::vector<std::string> names = dated(arguments);
  if (names.empty()) return;
  const std::string now = arguments[names.front()].get<std::string>().substr(0, kDayLength);
  if (!speaks_of_days(lower_case(said), now)) return;
  for (const std::string& day : days_for(tool, said, now)) {
    Json other = arguments;
    for (const std::string& name : names) {
      const std::string rest = arguments[name].get<std::string>().substr(kDayLength);
      const Json* const property = find(properties, name);
      if (property != nullptr && fits_property(*property, day + rest)) other[name] = day + rest;
    }
    if (other != arguments) found.push_back(std::move(other));
  }
}

// mend_numbers gives all numbers that are like the one that is refused the same other value: where
// one of four is too low, so are the others.
void mend_numbers(const Json& properties, const Json& arguments, std::string_view said,
                  std::vector<Json>& found) {
  const std::vector<double> named = named_in_refusal(said).numbers;
  const std::string low = lower_case(said);
  for (const auto& [name, value] : arguments.items()) {
    if (!value.is_number() || !mentions(low, lower_case(name))) continue;
    const std::size_t before = found.size();
    for (const double number : named) {
      if (number == value.get<double>() || found.size() - before == kOtherNumbersMax) continue;
      Json other = arguments;
      for (const auto& [alike, same] : arguments.items()) {
        const Json* const property = find(properties, alike);
        const bool whole = same.is_number_integer() &&
                           number == static_cast<double>(static_cast<std::int64_t>(number));
        const Json mended = whole ? Json(static_cast<std::int64_t>(number)) : Json(number);
        if (same == value && property != nullptr && fits_property(*property, mended)) {
          other[alike] = mended;
        }
      }
      if (other != arguments) found.push_back(std::move(other));
    }
    return;
  }
}

}  // namespace

std::vector<Json> mended_arguments(const Json& tool, const Json& arguments, std::string_view said) {
  std::vector<Json> found;
  const Json* const properties = at_pointer(tool, "/inputSchema/properties");
  if (properties == nullptr || !arguments.is_object() || said.empty()) return found;
  mend_numbers(*properties, arguments, said, found);
  if (found.empty()) mend_days(tool, *properties, arguments, said, found);
  return found;
}

}  // namespace plumbline::conformance
