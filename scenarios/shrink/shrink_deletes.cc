#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "scenarios/shrink/shrink_search.h"

namespace plumbline::scenarios {

namespace {

constexpr std::size_t kBiggestSpans = 16;
constexpr std::size_t kBlockMax = 4;
constexpr std::size_t kCountersMax = 4;

Values first_of(const Values& values, std::size_t count) {
  return Values(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(count));
}

bool delete_biggest(ShrinkSearch& search) {
  bool smaller = false;
  for (bool again = true; again;) {
    again = false;
    std::vector<Span> spans = search.spans();
    std::ranges::sort(spans, [](const Span& a, const Span& b) {
      return std::tuple(b.last - b.first, a.first) < std::tuple(a.last - a.first, b.first);
    });
    if (spans.size() > kBiggestSpans) spans.resize(kBiggestSpans);
    for (const Span& span : spans) {
      if (span.first == span.last) break;
      if (!search.attempt(without(search.values(), span.first, span.last))) continue;
      again = smaller = true;
      break;
    }
  }
  return smaller;
}

// delete_run tries the spans [at, end) of a group, and what stands between them and the next one.
bool delete_run(ShrinkSearch& search, const std::vector<Span>& group, std::size_t at,
                std::size_t end) {
  const std::size_t first = group[at].first;
  const std::size_t last = group[end - 1].last;
  if (search.attempt(without(search.values(), first, last))) return true;
  if (end == group.size() || group[end].first == last) return false;
  return search.attempt(without(search.values(), first, group[end].first));
}

// hollow_run tries one 0 in place of each of the spans [at, end) of a group.
bool hollow_run(ShrinkSearch& search, const std::vector<Span>& group, std::size_t at,
                std::size_t end) {
  const Values& before = search.values();
  Values values = first_of(before, group[at].first);
  for (std::size_t i = at; i < end; ++i) {
    values.push_back(0);
    const std::size_t next = i + 1 < end ? group[i + 1].first : before.size();
    values.insert(values.end(), before.begin() + static_cast<std::ptrdiff_t>(group[i].last),
                  before.begin() + static_cast<std::ptrdiff_t>(next));
  }
  return search.attempt(std::move(values));
}

// for_runs tries `edit` on the runs of `length` neighbours in every group.
template <typename Edit>
bool for_runs(ShrinkSearch& search, std::size_t length, Edit edit) {
  bool smaller = false;
  std::vector<std::vector<Span>> groups = search.siblings();
  for (std::size_t which = 0; which < groups.size(); ++which) {
    // From the end: what stands there is seldom needed by what comes before it.
    std::size_t left = groups[which].size();
    while (left > 0) {
      const std::size_t at = left > length ? left - length : 0;
      if (edit(search, groups[which], at, left)) {
        smaller = true;
        groups = search.siblings();
        if (which >= groups.size()) return true;
        left = std::min(at, groups[which].size());
        continue;
      }
      left = at;
    }
  }
  return smaller;
}

// counters returns the places behind `from` that may tell where something stands among what is to
// be deleted: the numbers of at least `by`, highest first, one list for each kind of number.
std::vector<std::vector<std::size_t>> counters(const ShrinkSearch& search, std::size_t from,
                                               std::uint64_t by) {
  std::map<std::uint64_t, std::vector<std::size_t>> kinds;
  for (std::size_t i = from; i < search.size(); ++i) {
    if (search.values()[i] >= by) kinds[offset_in_span(search, i)].push_back(i);
  }
  std::vector<std::vector<std::size_t>> out;
  for (auto& [kind, places] : kinds) {
    if (places.size() > kCountersMax) continue;
    std::ranges::sort(places, [&search](std::size_t a, std::size_t b) {
      return std::tuple(search.values()[b], a) < std::tuple(search.values()[a], b);
    });
    out.push_back(std::move(places));
  }
  return out;
}

// delete_and_lower_by deletes `run`, of `count` spans, and lowers the one, two ... highest of the
// later numbers of a kind by `count`.
bool delete_and_lower_by(ShrinkSearch& search, const Span& run, std::size_t count) {
  for (const std::vector<std::size_t>& places : counters(search, run.last, count)) {
    Values values = search.values();
    for (const std::size_t place : places) {
      values[place] -= count;
      if (search.attempt(without(values, run.first, run.last))) return true;
    }
  }
  return false;
}

std::size_t longest_group(const ShrinkSearch& search) {
  std::size_t longest = 0;
  for (const std::vector<Span>& group : search.siblings()) {
    longest = std::max(longest, group.size());
  }
  return longest;
}

}  // namespace

bool cut_tail(ShrinkSearch& search) {
  if (search.attempt({})) return true;
  std::size_t too_short = 0;
  std::size_t enough = search.size();
  bool smaller = false;
  while (too_short + 1 < enough && !search.over()) {
    const std::size_t middle = too_short + (enough - too_short) / 2;
    if (search.attempt(first_of(search.values(), middle))) {
      smaller = true;
      enough = std::min(middle, search.size());
    } else {
      too_short = middle;
    }
  }
  return smaller;
}

bool delete_spans(ShrinkSearch& search) {
  bool smaller = delete_biggest(search);
  for (std::size_t length = longest_group(search); length > 0; length /= 2) {
    smaller = for_runs(search, length, delete_run) || smaller;
  }
  return smaller;
}

bool hollow_spans(ShrinkSearch& search) {
  bool smaller = false;
  for (std::size_t length = longest_group(search); length > 0; length /= 2) {
    smaller = for_runs(search, length, hollow_run) || smaller;
  }
  return smaller;
}

bool delete_choices(ShrinkSearch& search) {
  bool smaller = false;
  for (std::size_t block = kBlockMax; block > 0; --block) {
    for (std::size_t end = search.size(); end >= block;) {
      if (search.attempt(without(search.values(), end - block, end))) {
        smaller = true;
        end = std::min(end, search.size());
      } else {
        --end;
      }
    }
  }
  return smaller;
}

bool delete_and_lower(ShrinkSearch& search) {
  bool smaller = false;
  for (std::size_t length = longest_group(search); length > 0; length /= 2) {
    std::vector<std::vector<Span>> groups = search.siblings();
    for (std::size_t which = 0; which < groups.size(); ++which) {
      for (std::size_t left = groups[which].size(); left >= length;) {
        const Span run{groups[which][left - length].first, groups[which][left - 1].last};
        if (!delete_and_lower_by(search, run, length)) {
          left = left > length && left < 2 * length ? length : left - length;
          continue;
        }
        smaller = true;
        groups = search.siblings();
        if (which >= groups.size()) return true;
        left = std::min(left - length, groups[which].size());
      }
    }
  }
  return smaller;
}

bool lower_counts(ShrinkSearch& search) {
  bool smaller = false;
  for (std::size_t i = 0; i < search.size(); ++i) {
    if (search.values()[i] == 0) continue;
    Values lowered = search.values();
    --lowered[i];
    if (search.attempt(lowered)) {
      smaller = true;
      continue;
    }
    // Fewer choices were made: perhaps it says how many of something follow.
    const std::size_t made = search.attempted_size();
    if (made == 0 || made >= search.size()) continue;
    const std::size_t missing = search.size() - made;
    const std::vector<Span> spans = search.spans();
    for (const Span& span : spans) {
      if (span.first <= i || span.last - span.first != missing) continue;
      if (!search.attempt(without(lowered, span.first, span.last))) continue;
      smaller = true;
      --i;  // The same one again; it is at least 1 too far when it was the first.
      break;
    }
  }
  return smaller;
}

}  // namespace plumbline::scenarios
