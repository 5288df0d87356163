#include "core/base/timer_queue.h"

#include <algorithm>

#include "core/base/check.h"

namespace plumbline {

void Timer::disarm() {
  if (queue_ != nullptr) queue_->disarm(*this);
}

TimerQueue::~TimerQueue() {
  for (Timer* timer : heap_) timer->queue_ = nullptr;
}

void TimerQueue::arm(Timer& timer, Instant due, std::uint64_t tie) {
  if (timer.queue_ != nullptr) {
    check(timer.queue_ == this, "a timer is armed in another loop");
    disarm(timer);
  }
  timer.queue_ = this;
  timer.due_ = due;
  timer.tie_ = tie;
  timer.sequence_ = next_sequence_++;
  heap_.push_back(&timer);
  timer.slot_ = heap_.size() - 1;
  sift_up(timer.slot_);
}

void TimerQueue::disarm(Timer& timer) {
  check(timer.queue_ == this, "disarming a timer of another loop");
  const std::size_t slot = timer.slot_;
  Timer* const last = heap_.back();
  heap_.pop_back();
  timer.queue_ = nullptr;
  if (last == &timer) return;
  place(last, slot);
  sift_up(slot);
  sift_down(last->slot_);
}

void TimerQueue::fire_next() {
  check(!heap_.empty(), "fire_next of an empty queue");
  Timer* const first = heap_.front();
  disarm(*first);
  first->fire();
}

const Timer& TimerQueue::first() const {
  check(!heap_.empty(), "first of an empty queue");
  return *heap_.front();
}

void TimerQueue::collect_due(std::vector<Timer*>& due) const {
  due.clear();
  std::vector<std::size_t> slots;
  if (!heap_.empty()) slots.push_back(0);
  while (!slots.empty()) {
    const std::size_t slot = slots.back();
    slots.pop_back();
    if (slot >= heap_.size() || heap_[slot]->due_ != next_due()) continue;
    due.push_back(heap_[slot]);
    slots.push_back(2 * slot + 1);
    slots.push_back(2 * slot + 2);
  }
  std::ranges::sort(due, {}, [](const Timer* timer) { return timer->sequence_; });
}

void TimerQueue::fire(Timer& timer) {
  disarm(timer);
  timer.fire();
}

bool TimerQueue::before(const Timer& a, const Timer& b) {
  if (a.due_ != b.due_) return a.due_ < b.due_;
  if (a.tie_ != b.tie_) return a.tie_ < b.tie_;
  return a.sequence_ < b.sequence_;
}

void TimerQueue::place(Timer* timer, std::size_t slot) {
  heap_[slot] = timer;
  timer->slot_ = slot;
}

void TimerQueue::sift_up(std::size_t slot) {
  Timer* const moving = heap_[slot];
  while (slot > 0) {
    const std::size_t parent = (slot - 1) / 2;
    if (!before(*moving, *heap_[parent])) break;
    place(heap_[parent], slot);
    slot = parent;
  }
  place(moving, slot);
}

void TimerQueue::sift_down(std::size_t slot) {
  Timer* const moving = heap_[slot];
  for (;;) {
    std::size_t child = 2 * slot + 1;
    if (child >= heap_.size()) break;
    if (child + 1 < heap_.size() && before(*heap_[child + 1], *heap_[child])) ++child;
    if (!before(*heap_[child], *moving)) break;
    place(heap_[child], slot);
    slot = child;
  }
  place(moving, slot);
}

}  // namespace plumbline
