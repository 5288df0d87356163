// Members of one object that tell the same in two ways, or bound each other: a time in UTC and the
// same with its offset, milliseconds and seconds, a start and its end, pages and what they hold.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "conformance/checks/server/promises/instants.h"
#include "conformance/checks/server/promises/listed.h"
#include "conformance/checks/server/promises/values/numbers.h"
#include "conformance/checks/server/shapes.h"
#include "conformance/peer/name_words.h"

namespace plumbline::conformance {

namespace {

constexpr double kMinuteSeconds = 60;
constexpr double kFirstMeant = 31'536'000;  // Times of 1970 stand for none.
constexpr std::int64_t kFewMax = 200;       // A server may end after some pages of very many.
constexpr std::size_t kTurnedMin = 2;       // One may be an event that was entered so.

// UnitPair is two names of one quantity, and how many of the small one are one of the large one.
struct UnitPair {
  std::string_view small;
  std::string_view large;
  double factor;
};
constexpr std::array<UnitPair, 9> kUnits = {{{"ms", "seconds", 1000},
                                             {"ms", "sec", 1000},
                                             {"ms", "s", 1000},
                                             {"millis", "seconds", 1000},
                                             {"milliseconds", "seconds", 1000},
                                             {"seconds", "minutes", 60},
                                             {"minutes", "hours", 60},
                                             {"grams", "kg", 1000},
                                             {"meters", "km", 1000}}};
constexpr std::array<std::pair<std::string_view, std::string_view>, 7> kTurnedEnds = {
    {{"start", "end"},
     {"starts", "ends"},
     {"begin", "end"},
     {"begins", "ends"},
     {"opens", "closes"},
     {"started", "ended"},
     {"started", "finished"}}};
constexpr std::array<std::string_view, 3> kPercents = {"percent", "percentage", "pct"};
// Of these there are never more than all.
constexpr std::array<std::string_view, 8> kParts = {
    "done", "complete", "completed", "completion", "progress", "remaining", "free", "humidity"};
constexpr std::array<std::string_view, 4> kPageSizes = {"per_page", "perPage", "page_size",
                                                        "pageSize"};
constexpr std::array<std::string_view, 2> kPagesInAll = {"total_pages", "totalPages"};

bool is_own(const Look& look, const Json& value) {
  return std::ranges::none_of(look.arguments, [&](const Json& one) { return one == value; });
}

std::string said_both(const Json& object, const std::string& one, const std::string& other) {
  return "\"" + shortened(one) + "\" is " + shortened(dump_json(object[one])) + " and \"" +
         shortened(other) + "\" is " + shortened(dump_json(object[other]));
}

// other_called returns the member that is called as `name` is, with `now` in place of the word
// `was`; empty: there is none, or `name` has no such word.
std::string other_called(const Json& object, const std::string& name, std::string_view was,
                         std::string_view now) {
  std::vector<std::string> words = words_of(name);
  const auto at = std::ranges::find(words, was);
  if (at == words.end()) return {};
  *at = now;
  for (const auto& [other, value] : object.items()) {
    if (words_of(other) == words) return other;
  }
  return {};
}

std::optional<double> moment_in(const Json& value) {
  const auto* const text = value.get_ptr<const std::string*>();
  return text == nullptr || text->size() < 16 ? std::nullopt : instant_of(*text);
}

std::string zones_apart(const Look& look, const Json& object) {
  for (const auto& [name, value] : object.items()) {
    const std::string other = other_called(object, name, "utc", "local");
    const std::optional<double> one = moment_in(value);
    const std::optional<double> its = other.empty() ? std::nullopt : moment_in(object[other]);
    if (!one || !its || std::fabs(*one - *its) <= kMinuteSeconds || !is_own(look, value)) continue;
    return said_both(object, name, other) + ": they are not one moment";
  }
  return {};
}

std::string units_apart(const Look& look, const Json& object) {
  for (const UnitPair& units : kUnits) {
    for (const auto& [name, value] : object.items()) {
      const std::string other = other_called(object, name, units.small, units.large);
      if (other.empty() || words_of(name).size() < 2 || !value.is_number()) continue;
      if (!object[other].is_number() || !is_own(look, value) || !is_own(look, object[other]))
        continue;
      const double small = value.get<double>();
      const double large = object[other].get<double>();
      // Less than one of the large unit may be what is left over, as of 1 h 30 min.
      if (small < units.factor || large < 0) continue;
      const double step = std::max(step_of(object[other]), step_of(value) / units.factor);
      if (std::fabs(small / units.factor - large) <= 1.01 * step) continue;
      return said_both(object, name, other) + ": they are not the same in two units";
    }
  }
  return {};
}

std::string place_apart(const Json& object) {
  for (const auto& [lat, lon] : {std::pair{"latitude", "longitude"}, std::pair{"lat", "lon"},
                                 std::pair{"lat", "lng"}, std::pair{"lat", "long"}}) {
    const Json* const north = find(object, lat);
    const Json* const east = find(object, lon);
    if (north == nullptr || east == nullptr || !north->is_number() || !east->is_number()) continue;
    const double degrees = std::fabs(north->get<double>());
    if (degrees <= 90 || degrees > 180 || std::fabs(east->get<double>()) > 90) continue;
    return said_both(object, lat, lon) + ": no place is beyond 90 degrees, they look swapped";
  }
  return {};
}

std::string part_above_all(const Look& look, const Json& object) {
  for (const auto& [name, value] : object.items()) {
    const std::vector<std::string> words = words_of(name);
    if (!has_word(words, kPercents) || !has_word(words, kParts) || !value.is_number()) continue;
    if (value.get<double>() < 101 || !is_own(look, value)) continue;
    return "\"" + shortened(name) + "\" is " + dump_json(value) + ", more than 100 of 100";
  }
  return {};
}

std::string pages_apart(const Json& object) {
  const std::int64_t all = number_of(object, kItemTotals);
  const std::int64_t size = number_of(object, kPageSizes);
  const std::string_view pages = counted_as(object, kPagesInAll);
  if (pages.empty() || all < 1 || all > kFewMax || size < 1) return {};
  const std::int64_t wanted = (all + size - 1) / size;
  if (int_or(object, pages, 0) == wanted) return {};
  return said_both(object, std::string(pages), std::string(counted_as(object, kItemTotals))) +
         ", and with " + std::to_string(size) + " on each there are " + std::to_string(wanted);
}

// Turned counts the starts that lie before their end, and those that lie behind it.
struct Turned {
  std::size_t right = 0;
  std::size_t wrong = 0;
  std::string first;
};

void count_turned(const Look& look, const Json& object, Turned& turned) {
  for (const auto& [start, end] : kTurnedEnds) {
    for (const auto& [name, value] : object.items()) {
      const std::string other = other_called(object, name, start, end);
      if (other.empty() || !object[other].is_string() || !value.is_string()) continue;
      const auto& from = value.get_ref<const std::string&>();
      const auto& to = object[other].get_ref<const std::string&>();
      const std::optional<double> begin = instant_of(from);
      const std::optional<double> last = instant_of(to);
      if (!begin || !last || *last < kFirstMeant || (from.size() == 10) != (to.size() == 10))
        continue;
      if (!is_own(look, value) || !is_own(look, object[other])) continue;
      ++(*begin > *last ? turned.wrong : turned.right);
      if (*begin > *last && turned.first.empty()) {
        turned.first = said_both(object, name, other) + ": it ends before it starts";
      }
    }
  }
}

}  // namespace

std::string pairs_apart(const Look& look) {
  std::string found;
  Turned turned;
  each_object(look.answer, [&](const Json& object) {
    if (found.empty()) found = zones_apart(look, object);
    if (found.empty()) found = units_apart(look, object);
    if (found.empty()) found = place_apart(object);
    if (found.empty()) found = part_above_all(look, object);
    if (found.empty()) found = pages_apart(object);
    count_turned(look, object, turned);
  });
  if (!found.empty()) return found;
  return turned.right == 0 && turned.wrong >= kTurnedMin ? turned.first : std::string();
}

}  // namespace plumbline::conformance
