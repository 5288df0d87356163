#include "conformance/checks/gateway/differences.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "conformance/checks/server/shapes.h"

namespace plumbline::conformance {

namespace {

// step takes the first step off a pointer, "/a/b" to "a".
std::string_view step(std::string_view& pointer) {
  pointer.remove_prefix(1);
  const std::size_t end = std::min(pointer.find('/'), pointer.size());
  const std::string_view first = pointer.substr(0, end);
  pointer.remove_prefix(end);
  return first;
}

bool is_within_one(std::string_view pointer, std::string_view pattern) {
  while (!pattern.empty()) {
    if (pointer.empty()) return false;
    const std::string_view wanted = step(pattern);
    const std::string_view got = step(pointer);
    if (wanted != "*" && wanted != got) return false;
  }
  return true;
}

// exact_of returns a number as it is: a long double holds each whole number of 64 bits.
long double exact_of(const Json& number) {
  if (number.is_number_unsigned()) return number.get<std::uint64_t>();
  if (number.is_number_integer()) return number.get<std::int64_t>();
  return number.get<double>();
}

// is_same compares numbers by value: 1 and 1.0 are the same, 2^64 and 2^64-1 are not.
bool is_same(const Json& before, const Json& after) {
  if (before.is_number() && after.is_number()) return exact_of(before) == exact_of(after);
  return before == after;
}

void compare(const Json& before, const Json& after, const std::string& pointer,
             std::vector<Difference>& found) {
  if (before.is_object() && after.is_object()) {
    for (const auto& [key, value] : before.items()) {
      const std::string at = pointer + "/" + pointer_token(key);
      const Json* const other = find(after, key);
      if (other == nullptr) {
        found.push_back({at, value, std::nullopt});
      } else {
        compare(value, *other, at, found);
      }
    }
    for (const auto& [key, value] : after.items()) {
      if (find(before, key) == nullptr) {
        found.push_back({pointer + "/" + pointer_token(key), std::nullopt, value});
      }
    }
    return;
  }
  if (before.is_array() && after.is_array()) {
    for (std::size_t i = 0; i < std::max(before.size(), after.size()); ++i) {
      const std::string at = pointer + "/" + std::to_string(i);
      if (i >= after.size()) {
        found.push_back({at, before[i], std::nullopt});
      } else if (i >= before.size()) {
        found.push_back({at, std::nullopt, after[i]});
      } else {
        compare(before[i], after[i], at, found);
      }
    }
    return;
  }
  if (!is_same(before, after)) found.push_back({pointer, before, after});
}

std::string shown(const std::optional<Json>& value) {
  return value ? shortened(dump_json(*value)) : "nothing";
}

}  // namespace

std::vector<Difference> differences(const Json& before, const Json& after) {
  std::vector<Difference> found;
  compare(before, after, "", found);
  return found;
}

bool is_within(std::string_view pointer, std::string_view patterns) {
  while (!patterns.empty()) {
    const std::size_t end = std::min(patterns.find(' '), patterns.size());
    if (is_within_one(pointer, patterns.substr(0, end))) return true;
    patterns.remove_prefix(std::min(end + 1, patterns.size()));
  }
  return false;
}

std::string said_of(const Difference& difference, std::string_view sender,
                    std::string_view receiver) {
  const std::string where = difference.pointer.empty() ? "the whole" : difference.pointer;
  return where + ": " + std::string(sender) + " sent " + shown(difference.before) + ", " +
         std::string(receiver) + " got " + shown(difference.after);
}

}  // namespace plumbline::conformance
