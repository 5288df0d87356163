// Comparison is what became of each result from one report of a subject to a later one. A result
// is known by its id, server, revision and transport; of several that are known by the same, the
// first stands for all.

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/events/report.h"

namespace plumbline::reports {

// Of fail, inconclusive, warn and anything else each is worse than the next. What a baseline or an
// SDK excuses fails all the same: to excuse it makes nothing better.
enum class Change {
  kWorse,
  kBetter,
  kOther,  // Another verdict that is no worse and no better, such as skip after pass.
  kNew,
  kGone,
  kSame,
};

// name_of returns "worse", "better", "other", "new", "gone" or "same".
std::string_view name_of(Change change);

// Difference is one result in both reports; null in the one where it is not.
struct Difference {
  Change change = Change::kSame;
  const CheckResult* before = nullptr;
  const CheckResult* after = nullptr;
};

class Comparison {
 public:
  // Both must outlive it.
  Comparison(const Report& before, const Report& after);

  // of_after returns one for each result of `after`, in that order.
  std::span<const Difference> of_after() const { return of_after_; }

  // gone returns one for each result of `before` that `after` does not have.
  std::span<const Difference> gone() const { return gone_; }

  std::int64_t count(Change change) const;

  // fails_anew returns whether something fails that did not fail before, or was not there.
  bool fails_anew() const;

 private:
  std::vector<Difference> of_after_;
  std::vector<Difference> gone_;
};

// comparable returns whether two reports tell of the same command; else, kInvalidInput, of which
// each tells.
Status comparable(const Report& before, const Report& after);

// write_comparison returns what a person reads: a line for each difference, the worst first, with
// what was seen where it fails now, and a line that counts them.
std::string write_comparison(const Report& before, const Report& after);

}  // namespace plumbline::reports
