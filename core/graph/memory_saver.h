// MemorySaver keeps checkpoints as long as it lives.

#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/graph/checkpoint.h"

namespace plumbline::graph {

template <GraphState State>
class MemorySaver final : public Checkpointer<State> {
 public:
  using Kept = Checkpoint<State>;

  // Of each thread the latest `steps_max` steps are kept, at least 1.
  explicit MemorySaver(std::size_t steps_max = std::numeric_limits<std::size_t>::max())
      : steps_max_(std::max<std::size_t>(steps_max, 1)) {}

  // implements Checkpointer ---
  Task<Status> put(Turn turn, Kept checkpoint) override {
    std::vector<Kept>& steps = threads_[turn.thread];
    Status free = free_for(steps, turn);
    if (!free.ok()) co_return free;
    if (!steps.empty() && checkpoint.step <= steps.back().step) {
      co_return Error{ErrorCode::kInvalidInput, "step " + std::to_string(checkpoint.step) +
                                                    " of thread '" + turn.thread +
                                                    "' is not after the latest one"};
    }
    checkpoint.version = {turn.expected + 1, turn.writer};
    if (steps.size() >= steps_max_) steps.erase(steps.begin());
    steps.push_back(std::move(checkpoint));
    co_return Done{};
  }
  Task<Status> put_branch(Turn turn, Branch<State> branch) override {
    Result<Branch<State>*> place = place_of(turn, branch.key);
    if (!place.ok()) co_return place.error();
    *place.value() = std::move(branch);
    co_return Done{};
  }
  Task<Status> add_note(Turn turn, Note note) override {
    Result<Branch<State>*> place = place_of(turn, branch_of(note.node));
    if (!place.ok()) co_return place.error();
    place.value()->notes.push_back(std::move(note));
    co_return Done{};
  }
  Task<Result<std::optional<Kept>>> latest(std::string thread) override {
    const auto found = threads_.find(thread);
    if (found == threads_.end() || found->second.empty()) co_return std::optional<Kept>();
    co_return std::optional<Kept>(found->second.back());
  }
  Task<Result<std::optional<Kept>>> at(std::string thread, std::int64_t step) override {
    const auto found = threads_.find(thread);
    if (found == threads_.end()) co_return std::optional<Kept>();
    const auto place = std::ranges::find(found->second, step, &Kept::step);
    if (place == found->second.end()) co_return std::optional<Kept>();
    co_return std::optional<Kept>(*place);
  }
  Task<Result<std::vector<Kept>>> history(std::string thread, Range range) override {
    std::vector<Kept> out;
    const auto found = threads_.find(thread);
    if (found == threads_.end()) co_return out;
    for (auto kept = found->second.rbegin(); kept != found->second.rend(); ++kept) {
      if (out.size() == range.count) break;
      if (kept->step < range.before) out.push_back(*kept);
    }
    co_return out;
  }
  Task<Status> erase(std::string thread) override {
    threads_.erase(thread);
    co_return Done{};
  }

 private:
  static Status free_for(const std::vector<Kept>& steps, const Turn& turn) {
    const std::int64_t now = steps.empty() ? 0 : steps.back().version.number;
    if (now == turn.expected) return Done{};
    return Error{ErrorCode::kConflict,
                 "thread '" + turn.thread + "' was written by somebody else since"};
  }

  // place_of returns the branch to write to, and counts the write.
  Result<Branch<State>*> place_of(const Turn& turn, std::string_view key) {
    const auto found = threads_.find(turn.thread);
    if (found == threads_.end() || found->second.empty()) {
      return Error{ErrorCode::kInvalidInput, "thread '" + turn.thread + "' has no checkpoint"};
    }
    Status free = free_for(found->second, turn);
    if (!free.ok()) return free.error();
    Kept& latest = found->second.back();
    const auto branch = std::ranges::find(latest.at.branches, key, &Branch<State>::key);
    if (branch == latest.at.branches.end()) {
      return Error{ErrorCode::kInvalidInput,
                   "thread '" + turn.thread + "' has no branch '" + std::string(key) + "'"};
    }
    latest.version = {turn.expected + 1, turn.writer};
    return &*branch;
  }

  std::size_t steps_max_;
  std::map<std::string, std::vector<Kept>> threads_;  // By thread, oldest step first.
};

}  // namespace plumbline::graph
