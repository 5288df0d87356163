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
  std::vector<Note> notes{};  // Left since, oldest first.
};

// Checkpointer keeps the latest Checkpoint of each thread. A thread is one run, however many
// processes it takes.
template <GraphState State>
class Checkpointer {
 public:
  // put makes `checkpoint` the latest one, with its notes and no others, as a whole: until then the
  // one before is in force, with all of its notes. On an Error either may be.
  virtual Task<Status> put(std::string thread, Checkpoint<State> checkpoint) = 0;

  // add_note adds one to those of the latest checkpoint. kInvalidInput: there is no checkpoint. On
  // any other Error it may be added or not.
  virtual Task<Status> add_note(std::string thread, Note note) = 0;

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
  Task<Status> add_note(std::string thread, Note note) override {
    const auto found = kept_.find(thread);
    if (found == kept_.end()) {
      co_return Error{ErrorCode::kInvalidInput, "no checkpoint of " + thread + " to note this on"};
    }
    found->second.notes.push_back(std::move(note));
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
//
// A note stands on the checkpoint that its node began from: on an older one it would be lost as
// soon as a newer one is put. So a checkpoint that could not be put is put before the next note,
// and a note that finds no place there is refused. A run may go on without its checkpoints, but it
// does nothing that must be noted first.
template <GraphState State>
class Thread final : public Notebook {
 public:
  Thread(Checkpointer<State>& keeper, std::string id) : keeper_(keeper), id_(std::move(id)) {}

  Task<Status> put(Checkpoint<State> checkpoint) {
    unkept_ = checkpoint;
    Status kept = co_await keeper_.put(id_, std::move(checkpoint));
    if (kept.ok()) unkept_.reset();
    co_return kept;
  }

  // latest returns what is kept, for whoever takes up the run from there: what could not be put
  // before is forgotten.
  Task<Result<std::optional<Checkpoint<State>>>> latest() {
    unkept_.reset();
    return keeper_.latest(id_);
  }

  // implements Notebook ---
  Task<Status> add_note(Note note) override {
    if (unkept_) {
      Checkpoint<State> again = *unkept_;
      Status kept = co_await put(std::move(again));
      if (!kept.ok()) co_return kept;
    }
    Status noted = co_await keeper_.add_note(id_, std::move(note));
    co_return noted;
  }

 private:
  Checkpointer<State>& keeper_;
  std::string id_;
  std::optional<Checkpoint<State>> unkept_;  // The last one, when it may not be in force.
};

}  // namespace plumbline::graph
