#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "scenarios/shrink/shrink_search.h"

namespace plumbline::scenarios {

namespace {

constexpr std::size_t kReceivers = 3;      // How many later numbers one is given to.
constexpr std::size_t kExchangedMax = 12;  // Different values of which each pair is exchanged.

Values part_of(const Values& values, const Span& span) {
  return Values(values.begin() + static_cast<std::ptrdiff_t>(span.first),
                values.begin() + static_cast<std::ptrdiff_t>(span.last));
}

bool comes_before(const Values& a, const Values& b) {
  return a.size() != b.size() ? a.size() < b.size() : a < b;
}

// joined puts `parts` where the spans of `group` stand in `values`; what is between them stays.
Values joined(const Values& values, const std::vector<Span>& group,
              const std::vector<Values>& parts) {
  Values out(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(group.front().first));
  for (std::size_t i = 0; i < group.size(); ++i) {
    out.insert(out.end(), parts[i].begin(), parts[i].end());
    const std::size_t next = i + 1 < group.size() ? group[i + 1].first : values.size();
    out.insert(out.end(), values.begin() + static_cast<std::ptrdiff_t>(group[i].last),
               values.begin() + static_cast<std::ptrdiff_t>(next));
  }
  return out;
}

// sort_group sorts one group as a whole, and else by exchanging neighbours.
bool sort_group(ShrinkSearch& search, const std::vector<Span>& group) {
  std::vector<Values> parts;
  for (const Span& span : group) parts.push_back(part_of(search.values(), span));
  std::vector<Values> sorted = parts;
  std::ranges::sort(sorted, comes_before);
  if (sorted == parts) return false;
  if (search.attempt(joined(search.values(), group, sorted))) return true;
  const Values before = search.values();
  for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
    for (std::size_t j = i + 1; j < parts.size(); ++j) {
      if (!comes_before(parts[j], parts[i])) continue;
      std::vector<Values> swapped = parts;
      std::swap(swapped[i], swapped[j]);
      if (search.attempt(joined(before, group, swapped))) return true;
    }
  }
  return false;
}

// in_order_of_use gives each place of `places` the rank of its value: the one that is used first
// is 0, the next other one 1.
Values in_order_of_use(const Values& values, const std::vector<std::size_t>& places) {
  std::map<std::uint64_t, std::uint64_t> ranks;
  Values renamed = values;
  for (const std::size_t place : places) {
    renamed[place] = ranks.emplace(values[place], ranks.size()).first->second;
  }
  return renamed;
}

// exchange_values tries two values for each other from one of `places` on, for each such pair.
bool exchange_values(ShrinkSearch& search, const std::vector<std::size_t>& places) {
  const Values before = search.values();
  std::set<std::uint64_t> used;
  for (const std::size_t place : places) used.insert(before[place]);
  if (used.size() > kExchangedMax) return false;
  for (std::size_t from = 0; from < places.size(); ++from) {
    const std::uint64_t high = before[places[from]];
    for (const std::uint64_t low : used) {
      if (low >= high) break;
      Values values = before;
      for (std::size_t i = from; i < places.size(); ++i) {
        if (before[places[i]] == high) values[places[i]] = low;
        if (before[places[i]] == low) values[places[i]] = high;
      }
      if (search.attempt(std::move(values))) return true;
    }
  }
  return false;
}

// classes returns the places by what `class_of` says of them, those of one place left out.
template <typename ClassOf>
std::vector<std::vector<std::size_t>> classes(const ShrinkSearch& search, ClassOf class_of) {
  std::map<std::uint64_t, std::vector<std::size_t>> by_class;
  for (std::size_t i = 0; i < search.size(); ++i) by_class[class_of(i)].push_back(i);
  std::vector<std::vector<std::size_t>> out;
  for (auto& [key, places] : by_class) {
    if (places.size() > 1) out.push_back(std::move(places));
  }
  return out;
}

template <typename ClassOf>
bool rename_classes(ShrinkSearch& search, ClassOf class_of) {
  bool smaller = false;
  for (bool again = true; again && !search.over();) {
    again = false;
    for (const std::vector<std::size_t>& places : classes(search, class_of)) {
      if (!search.attempt(in_order_of_use(search.values(), places)) &&
          !exchange_values(search, places)) {
        continue;
      }
      again = smaller = true;
      break;
    }
  }
  return smaller;
}

// move_between moves as much as it can from the number at `a` to the one at `b`.
bool move_between(ShrinkSearch& search, std::size_t a, std::size_t b) {
  const Values before = search.values();
  const std::uint64_t room = search.bounds()[b] - 1 - before[b];
  const auto attempt = [&](std::uint64_t amount) {
    Values values = before;
    values[a] -= amount;
    values[b] += amount;
    return search.attempt(std::move(values));
  };
  std::uint64_t works = 0;
  std::uint64_t too_much = std::min(before[a], room) + 1;
  if (too_much == 1) return false;
  if (attempt(too_much - 1)) return true;
  while (works + 1 < too_much && !search.over()) {
    const std::uint64_t middle = works + (too_much - works) / 2;
    (attempt(middle) ? works : too_much) = middle;
  }
  return works > 0;
}

}  // namespace

std::uint64_t offset_in_span(const ShrinkSearch& search, std::size_t place) {
  // Spans stand in the order in which they began: the last that holds the place is the innermost.
  std::size_t first = 0;
  for (const Span& span : search.spans()) {
    if (span.first > place) break;
    if (place < span.last) first = span.first;
  }
  return (place - first) * 0x100000001b3U ^ search.bounds()[place];
}

bool rename_values(ShrinkSearch& search) {
  const auto by_bound = [&search](std::size_t place) { return search.bounds()[place]; };
  const auto by_offset = [&search](std::size_t place) { return offset_in_span(search, place); };
  const bool smaller = rename_classes(search, by_bound);
  return rename_classes(search, by_offset) || smaller;
}

bool sort_spans(ShrinkSearch& search) {
  bool smaller = false;
  for (bool again = true; again && !search.over();) {
    again = false;
    for (const std::vector<Span>& group : search.siblings()) {
      if (group.size() < 2 || !sort_group(search, group)) continue;
      again = smaller = true;
      break;
    }
  }
  return smaller;
}

bool redistribute(ShrinkSearch& search) {
  bool smaller = false;
  for (std::size_t a = 0; a < search.size(); ++a) {
    std::size_t paired = 0;
    for (std::size_t b = a + 1; b < search.size() && paired < kReceivers; ++b) {
      if (search.values()[a] == 0) break;
      if (search.values()[b] == 0) continue;
      ++paired;
      smaller = move_between(search, a, b) || smaller;
    }
  }
  return smaller;
}

}  // namespace plumbline::scenarios
