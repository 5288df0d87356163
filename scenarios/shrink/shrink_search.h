// ShrinkSearch holds the smallest failing list so far and tries others against it. The passes below
// it each know one way to make a list smaller; shrink_choices repeats them until none succeeds.

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <vector>

#include "fakes/world/choices.h"

namespace plumbline::scenarios {

// Fails makes its choices, runs what they describe, and returns whether it fails as before. It must
// be a function of the choices alone.
using Fails = std::function<bool(fakes::Choices& choices)>;

struct ShrinkLimits {
  std::int64_t tries_max = 20'000;  // Calls of Fails, the first one included.
  std::function<bool()> stop;       // Asked before each try; true ends the shrinking. May be empty.
};

using Values = std::vector<std::uint64_t>;
using Span = fakes::Choices::Span;

class ShrinkSearch {
 public:
  // Both must outlive the search. `values` must fail.
  ShrinkSearch(const Values& values, const Fails& fails, const ShrinkLimits& limits);

  // attempt runs `values` and keeps what it chose when that fails and is smaller. Returns whether
  // it was. What was tried before is not run again.
  bool attempt(Values values);

  // attempted_size returns how many choices the last attempt made, 0 when it could not be run.
  std::size_t attempted_size() const { return attempted_size_; }

  // The smallest so far. Any successful attempt invalidates what these returned.
  const Values& values() const { return values_; }
  const std::vector<std::uint64_t>& bounds() const { return bounds_; }
  const std::vector<Span>& spans() const { return spans_; }
  std::size_t size() const { return values_.size(); }

  // siblings returns the spans that are not empty, grouped by the span they stand in, outermost
  // first; each group in order.
  std::vector<std::vector<Span>> siblings() const;

  bool over() const { return over_; }
  std::int64_t tries() const { return tries_; }

 private:
  bool is_smaller(const fakes::Choices& choices) const;
  void keep(const fakes::Choices& choices);

  const Fails& fails_;
  const ShrinkLimits& limits_;
  Values values_;
  std::vector<std::uint64_t> bounds_;
  std::vector<Span> spans_;
  std::map<std::uint64_t, std::size_t> tried_;  // How many choices were made, by hash.
  std::size_t attempted_size_ = 0;
  std::int64_t tries_ = 0;
  bool over_ = false;
};

// without returns `values` with [first, last) taken out.
Values without(const Values& values, std::size_t first, std::size_t last);

// offset_in_span returns a number that is equal for choices of equal bound at the same place of
// their innermost spans: the second number of every command, say.
std::uint64_t offset_in_span(const ShrinkSearch& search, std::size_t place);

// The passes return whether they made it smaller. shrink_deletes.cc:
bool cut_tail(ShrinkSearch& search);        // The rest from some choice on becomes the simplest.
bool delete_spans(ShrinkSearch& search);    // Whole spans and runs of them, the biggest first.
bool hollow_spans(ShrinkSearch& search);    // A span becomes one 0: its thing is there, but absent.
bool delete_choices(ShrinkSearch& search);  // A few neighbouring choices.
bool delete_and_lower(ShrinkSearch& search);  // Runs of spans, and later numbers by as many.
bool lower_counts(ShrinkSearch& search);  // A count lowered together with one of what it counts.

// shrink_lowers.cc:
bool zero_spans(ShrinkSearch& search);
bool lower_each(ShrinkSearch& search);
bool lower_equal(ShrinkSearch& search);    // Equal numbers together: they may name one thing.
bool lower_in_step(ShrinkSearch& search);  // Two numbers by the same amount: a distance may matter.

// shrink_moves.cc:
bool rename_values(ShrinkSearch& search);  // 17, 17, 42 to 0, 0, 1; 1, 0 to 0, 1.
bool sort_spans(ShrinkSearch& search);
bool redistribute(ShrinkSearch& search);  // From an earlier number to a later one.

}  // namespace plumbline::scenarios
