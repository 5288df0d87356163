#include "scenarios/shrink/shrink_choices.h"

#include <array>

namespace plumbline::scenarios {

namespace {

constexpr int kRoundsBetween = 3;  // Of all passes.

}  // namespace

ShrunkChoices shrink_choices(std::vector<std::uint64_t> values, const Fails& fails,
                             const ShrinkLimits& limits) {
  ShrinkSearch search(values, fails, limits);
  constexpr std::array kPasses = {cut_tail,      delete_spans,   hollow_spans,     zero_spans,
                                  lower_each,    delete_choices, delete_and_lower, lower_counts,
                                  rename_values, lower_equal,    sort_spans,       lower_in_step,
                                  redistribute};
  std::array<bool, kPasses.size()> helps;
  helps.fill(true);
  // A pass that did not help the last time waits for a round of all. Such a round comes at the end,
  // and now and then before: two numbers that must keep their distance would otherwise be lowered
  // in turn, a little each time.
  int rounds_until_all = 0;
  for (bool over = false; !over && !search.over();) {
    const bool all = rounds_until_all == 0;
    rounds_until_all = all ? kRoundsBetween : rounds_until_all - 1;
    bool smaller = false;
    for (std::size_t i = 0; i < kPasses.size(); ++i) {
      if (!all && !helps[i]) continue;
      helps[i] = kPasses[i](search);
      smaller = helps[i] || smaller;
    }
    if (!smaller) rounds_until_all = 0;
    over = all && !smaller;
  }
  return ShrunkChoices{search.values(), search.tries(), !search.over()};
}

}  // namespace plumbline::scenarios
