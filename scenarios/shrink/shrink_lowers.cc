#include <algorithm>
#include <map>
#include <span>
#include <utility>

#include "scenarios/shrink/shrink_search.h"

namespace plumbline::scenarios {

namespace {

using Places = std::vector<std::size_t>;

// kTriedInOrder is up to which number every lower one is tried: small ones are often names, of
// which a higher one need not fail where a lower one does.
constexpr std::uint64_t kTriedInOrder = 8;
constexpr std::size_t kStepPartners = 6;  // How many later numbers one is paired with.

// lower sets the numbers at `places`, which are equal, to the lowest number that still fails.
// Returns whether one did.
bool lower(ShrinkSearch& search, const Places& places) {
  const std::uint64_t value = search.values()[places.front()];
  const auto works = [&](std::uint64_t to) {
    if (places.back() >= search.size()) return false;  // An attempt made the list shorter.
    Values values = search.values();
    for (const std::size_t place : places) values[place] = to;
    return search.attempt(std::move(values));
  };
  if (value == 0) return false;
  if (works(0)) return true;
  for (std::uint64_t to = 1; to < std::min(value, kTriedInOrder); ++to) {
    if (works(to)) return true;
  }
  if (value <= kTriedInOrder) return false;
  std::uint64_t fails_at = value;
  std::uint64_t passes_at = kTriedInOrder - 1;
  while (passes_at + 1 < fails_at && !search.over()) {
    const std::uint64_t middle = passes_at + (fails_at - passes_at) / 2;
    (works(middle) ? fails_at : passes_at) = middle;
  }
  return fails_at < value;
}

// lower_classes lowers together what is equal in value and in `class_of(place)`.
template <typename ClassOf>
bool lower_classes(ShrinkSearch& search, ClassOf class_of) {
  bool smaller = false;
  for (bool again = true; again && !search.over();) {
    again = false;
    std::map<std::pair<std::uint64_t, std::uint64_t>, Places> classes;
    for (std::size_t i = 0; i < search.size(); ++i) {
      if (search.values()[i] > 0) classes[{search.values()[i], class_of(i)}].push_back(i);
    }
    for (const auto& [key, places] : classes) {
      if (places.size() < 2 || !lower(search, places)) continue;
      again = smaller = true;
      break;  // The places may mean something else now.
    }
  }
  return smaller;
}

bool lower_pair(ShrinkSearch& search, std::size_t a, std::size_t b) {
  std::uint64_t works = 0;
  std::uint64_t too_much = std::min(search.values()[a], search.values()[b]) + 1;
  const Values before = search.values();
  const auto attempt = [&](std::uint64_t by) {
    Values values = before;
    values[a] -= by;
    values[b] -= by;
    return search.attempt(std::move(values));
  };
  if (attempt(too_much - 1)) return true;
  while (works + 1 < too_much && !search.over()) {
    const std::uint64_t middle = works + (too_much - works) / 2;
    (attempt(middle) ? works : too_much) = middle;
  }
  return works > 0;
}

}  // namespace

bool zero_spans(ShrinkSearch& search) {
  bool smaller = false;
  for (std::size_t i = 0; i < search.spans().size(); ++i) {
    const Span span = search.spans()[i];
    Values values = search.values();
    const auto begin = values.begin();
    std::fill(begin + static_cast<std::ptrdiff_t>(span.first),
              begin + static_cast<std::ptrdiff_t>(span.last), 0);
    if (values != search.values() && search.attempt(std::move(values))) smaller = true;
  }
  return smaller;
}

bool lower_each(ShrinkSearch& search) {
  bool smaller = false;
  for (std::size_t i = 0; i < search.size(); ++i) smaller = lower(search, {i}) || smaller;
  return smaller;
}

bool lower_equal(ShrinkSearch& search) {
  const auto by_bound = [&search](std::size_t place) { return search.bounds()[place]; };
  const auto by_any = [](std::size_t) { return std::uint64_t{0}; };
  const auto by_offset = [&search](std::size_t place) { return offset_in_span(search, place); };
  bool smaller = lower_classes(search, by_any);
  smaller = lower_classes(search, by_bound) || smaller;
  return lower_classes(search, by_offset) || smaller;
}

bool lower_in_step(ShrinkSearch& search) {
  bool smaller = false;
  for (std::size_t a = 0; a < search.size(); ++a) {
    std::size_t paired = 0;
    for (std::size_t b = a + 1; b < search.size() && paired < kStepPartners; ++b) {
      if (search.values()[a] == 0) break;
      if (search.values()[b] == 0) continue;
      ++paired;
      smaller = lower_pair(search, a, b) || smaller;
    }
  }
  return smaller;
}

}  // namespace plumbline::scenarios
