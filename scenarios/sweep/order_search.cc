#include "scenarios/sweep/order_search.h"

#include <algorithm>
#include <utility>

#include "core/base/check.h"

namespace plumbline::scenarios {

namespace {

bool holds(const std::vector<fakes::Origin>& origins, const fakes::Origin& origin) {
  return std::ranges::find(origins, origin) != origins.end();
}

// commute returns whether it does not matter which of two goes first.
bool commute(const fakes::Origin& a, const fakes::Origin& b) {
  return a.owner != b.owner && a.owner != 0 && b.owner != 0;
}

}  // namespace

std::size_t OrderSearch::choose(const std::vector<fakes::Origin>& due) {
  if (cut_) return 0;
  if (depth_ == turns_.size()) {
    Turn turn{due, std::move(asleep_), 0};
    cut_ = !choose_next(turn);
    if (cut_) return 0;
    turns_.push_back(std::move(turn));
  }
  const Turn& turn = turns_[depth_++];
  check(turn.due == due, "a world that is run again goes the same way");
  fall_asleep(turn);
  return turn.chosen;
}

bool OrderSearch::next() {
  depth_ = 0;
  cut_ = false;
  asleep_.clear();
  for (; !turns_.empty(); turns_.pop_back()) {
    Turn& last = turns_.back();
    last.asleep.push_back(last.due[last.chosen]);
    if (choose_next(last)) return true;
  }
  return false;
}

bool OrderSearch::choose_next(Turn& turn) const {
  for (turn.chosen = 0; turn.chosen < turn.due.size(); ++turn.chosen) {
    if (!holds(turn.asleep, turn.due[turn.chosen])) return true;
  }
  return false;
}

void OrderSearch::fall_asleep(const Turn& turn) {
  asleep_.clear();
  if (!reduces_) return;
  for (const fakes::Origin& origin : turn.asleep) {
    if (commute(origin, turn.due[turn.chosen])) asleep_.push_back(origin);
  }
}

}  // namespace plumbline::scenarios
