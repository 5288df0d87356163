#include "fakes/world/sim_loop.h"

#include <string>

#include "core/base/check.h"

namespace plumbline::fakes {

namespace {

std::string at_text(Instant now) {
  return " at " + std::to_string(milliseconds_of(now.time_since_epoch())) + " ms of virtual time";
}

}  // namespace

std::size_t ScheduleChooser::choose(const std::vector<Origin>& due) {
  if (due.size() == 1 || next_ == schedule_.size()) return 0;
  return std::min<std::size_t>(schedule_[next_++], due.size() - 1);
}

void SimLoop::track(Timer& timer) {
  const auto* const owned = dynamic_cast<const Owned*>(&timer);
  if (armed_.size() <= actor_) armed_.resize(actor_ + 1);
  origins_[&timer] = Origin{owned != nullptr ? owned->actor() : actor_, actor_, armed_[actor_]++};
}

void SimLoop::turn_of_several() {
  queue_.collect_due(due_);
  std::size_t place = 0;
  if (chooser_ != nullptr) {
    place = choose();
  } else {
    while (due_[place] != &queue_.first()) ++place;
  }
  if (written_ != nullptr && due_.size() > 1) {
    written_->push_back(static_cast<std::uint32_t>(place));
  }
  queue_.fire(*due_[place]);
  actor_ = 0;
}

std::size_t SimLoop::choose() {
  due_origins_.clear();
  for (const Timer* const timer : due_) due_origins_.push_back(origins_[timer]);
  const std::size_t place = chooser_->choose(due_origins_);
  check(place < due_.size(), "a chosen timer is one of those that are due");
  actor_ = due_origins_[place].owner;
  return place;
}

Error SimLoop::too_many(std::int64_t turns_max) const {
  return {ErrorCode::kLimitReached,
          "the world still moves after " + std::to_string(turns_max) + " turns," + at_text(now_)};
}

Error SimLoop::undone() const {
  return {ErrorCode::kDeadlineExceeded, (idle() ? "the world fell idle before it was done,"
                                                : "the time was up before it was done,") +
                                            at_text(now_)};
}

}  // namespace plumbline::fakes
