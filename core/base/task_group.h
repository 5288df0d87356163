// TaskGroup owns Tasks that run beside their owner. Make it the last member of its class, or the
// last local of its coroutine: it is then destroyed first, and dropping a member's Task may still
// touch the others.

#pragma once

#include <coroutine>
#include <cstddef>
#include <utility>
#include <vector>

#include "core/base/check.h"
#include "core/base/loop.h"
#include "core/base/task.h"

namespace plumbline {

class TaskGroup {
 public:
  TaskGroup() = default;
  TaskGroup(const TaskGroup&) = delete;
  TaskGroup& operator=(const TaskGroup&) = delete;
  ~TaskGroup() { cancel(); }

  // spawn starts `task` and keeps it until it is done or the group is cancelled.
  void spawn(Task<void> task) {
    std::erase_if(tasks_, [](const Task<void>& member) { return member.done(); });
    ++running_;
    tasks_.push_back(tracked(*this, std::move(task)));
    tasks_.back().start();
  }

  // running returns how many are not done.
  std::size_t running() const { return running_; }

  // cancel drops every task, last spawned first. Must not be called from one of them.
  void cancel() {
    while (!tasks_.empty()) {
      Task<void> last = std::move(tasks_.back());
      tasks_.pop_back();
    }
    running_ = 0;
  }

  class Joined;

  // join suspends until every task is done. It resumes from the loop, never from inside the last
  // of them, so that the group may be destroyed next. One waiter at a time; no deadline: the tasks
  // have theirs.
  Joined join(Loop& loop);

 private:
  static Task<void> tracked(TaskGroup& group, Task<void> task) {
    co_await task;
    group.one_is_done();
  }

  void one_is_done();

  std::vector<Task<void>> tasks_;
  std::size_t running_ = 0;
  Joined* joiner_ = nullptr;
};

class [[nodiscard]] TaskGroup::Joined final : public Timer {
 public:
  Joined(TaskGroup& group, Loop& loop) : group_(group), loop_(loop) {}
  ~Joined() {
    if (group_.joiner_ == this) group_.joiner_ = nullptr;
  }

  bool await_ready() const noexcept { return group_.running_ == 0; }
  void await_suspend(std::coroutine_handle<> parent) {
    check(group_.joiner_ == nullptr, "two coroutines join one TaskGroup");
    group_.joiner_ = this;
    parent_ = parent;
  }
  void await_resume() const noexcept {}

 private:
  friend class TaskGroup;

  void wake_from_loop() { loop_.arm(*this, loop_.now()); }
  void fire() override { parent_.resume(); }

  TaskGroup& group_;
  Loop& loop_;
  std::coroutine_handle<> parent_;
};

inline TaskGroup::Joined TaskGroup::join(Loop& loop) { return Joined(*this, loop); }

inline void TaskGroup::one_is_done() {
  --running_;
  if (running_ == 0 && joiner_ != nullptr) joiner_->wake_from_loop();
}

}  // namespace plumbline
