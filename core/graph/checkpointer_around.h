// CheckpointerAround passes everything on to another Checkpointer: derive from it to do something
// before or after, or to fail.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/graph/checkpoint.h"

namespace plumbline::graph {

template <typename State>
class CheckpointerAround : public Checkpointer<State> {
 public:
  using Kept = Checkpoint<State>;

  // `inner` must outlive it.
  explicit CheckpointerAround(Checkpointer<State>& inner) : inner_(inner) {}

  // implements Checkpointer ---
  Task<Status> put(Turn turn, Kept checkpoint) override {
    return inner_.put(std::move(turn), std::move(checkpoint));
  }
  Task<Status> put_branch(Turn turn, Branch<State> branch) override {
    return inner_.put_branch(std::move(turn), std::move(branch));
  }
  Task<Status> add_note(Turn turn, Note note) override {
    return inner_.add_note(std::move(turn), std::move(note));
  }
  Task<Result<std::optional<Kept>>> latest(std::string thread) override {
    return inner_.latest(std::move(thread));
  }
  Task<Result<std::optional<Kept>>> at(std::string thread, std::int64_t step) override {
    return inner_.at(std::move(thread), step);
  }
  Task<Result<std::vector<Kept>>> history(std::string thread, Range range) override {
    return inner_.history(std::move(thread), range);
  }
  Task<Status> erase(std::string thread) override { return inner_.erase(std::move(thread)); }

 protected:
  ~CheckpointerAround() = default;
  Checkpointer<State>& inner() { return inner_; }

 private:
  Checkpointer<State>& inner_;
};

}  // namespace plumbline::graph
