// Checkpoints are what is kept of a run while it goes on, so that it can go on after its process
// has died: the state and the place after every step, and notes that nodes leave in between.
//
//   MemorySaver<State> saver;
//   Thread<State> thread(saver, "request-7");
//   outcome = co_await graph.run(std::move(state), options, services, loop, observer, &thread);
//   ... the process dies, and another one with the same saver finds ...
//   Result<std::optional<Checkpoint<State>>> kept = co_await thread.latest();
//   outcome = co_await graph.go_on(std::move(**kept), options, ..., &thread);

#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/base/task.h"
#include "core/graph/node.h"
#include "core/graph/outcome.h"

namespace plumbline::graph {

// Checkpoint is a run between two steps. A node that began after it is visited again.
template <GraphState State>
struct Checkpoint {
  Snapshot<State> at;         // Its node is the one to visit next, or kEnd; or the one that asked.
  bool waits = false;         // at.node has asked: resume(at, answer). Otherwise go_on().
  std::vector<Json> notes{};  // Left since, oldest first.
};

// Checkpointer keeps the latest Checkpoint of each thread. A thread is one run, however many
// processes it takes.
template <GraphState State>
class Checkpointer {
 public:
  // put makes `checkpoint` the latest one, with its notes and no others.
  virtual Task<Status> put(std::string thread, Checkpoint<State> checkpoint) = 0;

  // add_note adds one to those of the latest checkpoint.
  virtual Task<Status> add_note(std::string thread, Json note) = 0;

  // latest returns what was put and noted, nothing for a thread that is new.
  virtual Task<Result<std::optional<Checkpoint<State>>>> latest(std::string thread) = 0;

 protected:
  ~Checkpointer() = default;
};

// MemorySaver keeps checkpoints as long as it lives.
template <GraphState State>
class MemorySaver final : public Checkpointer<State> {
 public:
  // implements Checkpointer ---
  Task<Status> put(std::string thread, Checkpoint<State> checkpoint) override {
    kept_.insert_or_assign(std::move(thread), std::move(checkpoint));
    co_return Done{};
  }
  Task<Status> add_note(std::string thread, Json note) override {
    kept_[thread].notes.push_back(std::move(note));
    co_return Done{};
  }
  Task<Result<std::optional<Checkpoint<State>>>> latest(std::string thread) override {
    const auto found = kept_.find(thread);
    if (found == kept_.end()) co_return std::optional<Checkpoint<State>>();
    co_return std::optional<Checkpoint<State>>(found->second);
  }

 private:
  std::map<std::string, Checkpoint<State>> kept_;
};

// Thread is the place of one run in a Checkpointer, which must outlive it.
template <GraphState State>
class Thread final : public Notebook {
 public:
  Thread(Checkpointer<State>& keeper, std::string id) : keeper_(keeper), id_(std::move(id)) {}

  Task<Status> put(Checkpoint<State> checkpoint) { return keeper_.put(id_, std::move(checkpoint)); }
  Task<Result<std::optional<Checkpoint<State>>>> latest() { return keeper_.latest(id_); }

  // implements Notebook ---
  Task<Status> add_note(Json note) override { return keeper_.add_note(id_, std::move(note)); }

 private:
  Checkpointer<State>& keeper_;
  std::string id_;
};

namespace internal {

// Record is where a run is kept, if anywhere, and what was noted before it.
template <GraphState State>
struct Record {
  explicit Record(Thread<State>* where, std::vector<Json> noted = {})
      : thread(where), notes(std::move(noted)) {}

  Thread<State>* thread;
  std::vector<Json> notes;
};

}  // namespace internal
}  // namespace plumbline::graph
