#include "conformance/judge/schedule.h"

#include <algorithm>
#include <utility>

namespace plumbline::conformance {

namespace {

constexpr int kAtFirst = 8;
constexpr int kMoreAtOnce = 4;
// How many times longer answers may take than at their quickest, before there are no more at once,
// and before there are fewer.
constexpr double kStrainBorne = 2;
constexpr double kStrainTooMuch = 4;

bool is_put_to_the_test(const std::pair<ServerRound*, std::size_t>& turn) {
  return turn.first->is_asked_of(turn.second);
}

}  // namespace

Schedule::Schedule(Changes& changes, const std::vector<ServerRound*>& rounds, int concurrency,
                   std::function<void(const JudgeProgress&)> progress)
    : changes_(changes),
      rounds_(rounds),
      concurrency_(concurrency),
      at_once_(std::min(concurrency, kAtFirst)),
      progress_(std::move(progress)) {
  std::vector<std::pair<ServerRound*, std::vector<std::size_t>>> orders;
  std::size_t longest = 0;
  for (ServerRound* const round : rounds_) {
    orders.emplace_back(round, round->in_order());
    longest = std::max(longest, orders.back().second.size());
  }
  for (std::size_t turn = 0; turn < longest; ++turn) {
    for (const auto& [round, order] : orders) {
      if (turn < order.size()) queue_.emplace_back(round, order[turn]);
    }
  }
  so_far_.all = static_cast<std::size_t>(std::ranges::count_if(queue_, is_put_to_the_test));
}

int Schedule::idle() const {
  int idle = at_once_;
  for (const ServerRound* const round : rounds_) idle -= round->busy();
  return idle;
}

void Schedule::adapt() {
  double strain = 1;
  for (const ServerRound* const round : rounds_) strain = std::max(strain, round->strain());
  if (settling_ > 0) {
    --settling_;
  } else if (strain > kStrainTooMuch) {
    settling_ = at_once_;
    at_once_ = std::max(1, at_once_ / 2);
  } else if (strain <= kStrainBorne) {
    at_once_ = std::min(concurrency_, at_once_ + kMoreAtOnce);
  }
}

Task<void> Schedule::judge(Turn turn) {
  const bool counts = is_put_to_the_test(turn);
  if (counts) tell(turn.first->id_of(turn.second), 0);
  co_await turn.first->judge_row(turn.second);
  if (counts) tell(so_far_.doing, 1);
  adapt();
  changes_.tell();
}

void Schedule::tell(std::string_view doing, std::size_t more_done) {
  so_far_.doing = doing;
  so_far_.done += more_done;
  if (progress_) progress_(so_far_);
}

Instant Schedule::looks_again() const {
  Instant first = kNever;
  for (const ServerRound* const round : rounds_) first = std::min(first, round->may_lease_at());
  return first;
}

Task<void> Schedule::run() {
  const auto can_begin = [](const Turn& turn) { return turn.first->can_begin(turn.second); };
  TaskGroup checks;
  while (!queue_.empty()) {
    const auto next = idle() > 0 ? std::ranges::find_if(queue_, can_begin) : queue_.end();
    if (next == queue_.end()) {
      co_await changes_.next(looks_again());
      continue;
    }
    const Turn turn = *next;
    queue_.erase(next);
    (turn.first->only_waits(turn.second) ? waiting_ : checks).spawn(judge(turn));
  }
  co_await checks.join(changes_.loop());
}

Task<void> Schedule::wait() { co_await waiting_.join(changes_.loop()); }

}  // namespace plumbline::conformance
