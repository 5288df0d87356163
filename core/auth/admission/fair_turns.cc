#include "core/auth/admission/fair_turns.h"

#include <algorithm>

namespace plumbline::auth {

// Place is where somebody waits. It goes with him, also when he is dropped.
class FairTurns::Place {
 public:
  Place(FairTurns& turns, Lane& lane, Waiter& waiter) : turns_(turns), lane_(lane) {
    lane_.waiting.push_back(&waiter);
    ++turns_.waiting_;
    at_ = &waiter;
  }
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;
  ~Place() {
    const auto found = std::ranges::find(lane_.waiting, at_);
    if (found == lane_.waiting.end()) return;
    lane_.waiting.erase(found);
    --turns_.waiting_;
  }

 private:
  FairTurns& turns_;
  Lane& lane_;
  Waiter* at_;
};

FairTurns::FairTurns(Loop& loop, FairTurnsOptions options)
    : loop_(loop), options_(options), hands_out_([this] { hand_out(); }) {}

bool FairTurns::has_room(const Lane& lane) const {
  return running_ < options_.at_once && lane.running < options_.at_once_of_one;
}

Task<std::optional<FairTurns::Turn>> FairTurns::take(std::string whose) {
  Lane& lane = lanes_[whose];
  if (lane.waiting.empty() && has_room(lane)) {
    ++lane.running;
    ++running_;
    co_return std::optional<Turn>(std::in_place, *this, whose);
  }
  if (lane.waiting.size() >= options_.waiting_of_one) co_return std::nullopt;
  Waiter waiter;
  {
    const Place place(*this, lane, waiter);
    if (waiting_ > options_.waiting) drop_longest();
    const Instant until = after(loop_.now(), options_.wait_max);
    co_await waiter.event.wait(loop_, until);
  }
  if (waiter.has_turn) co_return std::optional<Turn>(std::in_place, *this, whose);
  forget_if_idle(whose);
  co_return std::nullopt;
}

void FairTurns::drop_longest() {
  const auto longest = std::ranges::max_element(
      lanes_, {}, [](const auto& lane) { return lane.second.waiting.size(); });
  Waiter* const last = longest->second.waiting.back();
  longest->second.waiting.pop_back();
  --waiting_;
  last->event.set();
}

void FairTurns::end(const std::string& whose) {
  --lanes_.at(whose).running;
  --running_;
  forget_if_idle(whose);
  if (waiting_ > 0) loop_.arm(hands_out_, loop_.now());
}

void FairTurns::forget_if_idle(const std::string& whose) {
  const auto found = lanes_.find(whose);
  const bool idle =
      found != lanes_.end() && found->second.running == 0 && found->second.waiting.empty();
  if (idle) lanes_.erase(found);
}

void FairTurns::hand_out() {
  const auto can_go = [this](const auto& lane) {
    return !lane.second.waiting.empty() && has_room(lane.second);
  };
  while (true) {
    auto next = std::find_if(lanes_.upper_bound(last_), lanes_.end(), can_go);
    if (next == lanes_.end()) next = std::find_if(lanes_.begin(), lanes_.end(), can_go);
    if (next == lanes_.end()) return;
    last_ = next->first;
    Lane& lane = next->second;
    Waiter* const first = lane.waiting.front();
    lane.waiting.pop_front();
    --waiting_;
    ++lane.running;
    ++running_;
    first->has_turn = true;
    first->event.set();
  }
}

}  // namespace plumbline::auth
