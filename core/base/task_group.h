// TaskGroup owns Tasks that run beside their owner. Make it the last member of its class: it is
// then destroyed first, and dropping a member's Task may still touch the other members.

#pragma once

#include <cstddef>
#include <utility>
#include <vector>

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
    sweep();
    tasks_.push_back(std::move(task));
    // Through a handle of its own: the vector may grow while the task spawns others.
    tasks_.back().start();
  }

  // running returns how many are not done.
  std::size_t running() {
    sweep();
    return tasks_.size();
  }

  // cancel drops every task, last spawned first. Must not be called from one of them.
  void cancel() {
    while (!tasks_.empty()) {
      Task<void> last = std::move(tasks_.back());
      tasks_.pop_back();
    }
  }

 private:
  void sweep() {
    std::erase_if(tasks_, [](const Task<void>& task) { return task.done(); });
  }

  std::vector<Task<void>> tasks_;
};

}  // namespace plumbline
