// Checkpoints are what is kept of a run while it goes on, so that it can go on after its process
// has died: the state and the place after every step, what the branches of a step came to one by
// one, and notes that nodes leave in between.
//
//   MemorySaver<State> saver;
//   Thread<State> thread(saver, "request-7");
//   outcome = co_await graph.run(std::move(state), options, services, loop, observer, &thread);
//   ... the process dies, and another one with the same saver finds ...
//   Result<std::optional<Checkpoint<State>>> kept = co_await thread.latest();
//   outcome = co_await graph.go_on(std::move(**kept), options, ..., &thread);

#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/base/task.h"
#include "core/graph/node.h"
#include "core/graph/snapshot.h"

namespace plumbline::graph {

// Version says which write to a thread was its last. Each write counts one.
struct Version {
  std::int64_t number = 0;  // 0: nothing was written yet.
  std::int64_t writer = 0;  // Who wrote it: each process that writes has a number of its own.

  friend bool operator==(const Version&, const Version&) = default;
};

// Origin is why there is a Checkpoint.
enum class Origin {
  kBeginning,  // A run began here.
  kStep,       // A step ended.
  kUpdate,     // Somebody changed the state by hand.
  kFork,       // Somebody went back to an earlier step.
};

// name_of returns "start", "step", "update" or "fork".
std::string_view name_of(Origin origin);

// Checkpoint is a run between two steps, and what has come of the second one so far.
template <GraphState State>
struct Checkpoint {
  Snapshot<State> at;
  std::int64_t step = 0;  // Its number in the thread, from 0. Each new one has a larger number.
  Origin origin = Origin::kBeginning;
  std::optional<std::int64_t> parent{};  // The step that it goes on from. Nothing: it is the first.
  std::string parent_thread{};           // Where that is, when not in this thread.
  Version version{};  // The thread's, when it was read; for an earlier step: the last write to it.

  bool ended() const { return at.branches.empty(); }
};

// Turn is the wish to write to a thread next.
struct Turn {
  std::string thread;
  std::int64_t expected = 0;  // Version::number that the writer knows. 0: the thread is new.
  std::int64_t writer = 0;
};

// Range is a part of a history: at most `count` steps, all before the step `before`.
struct Range {
  std::size_t count = std::numeric_limits<std::size_t>::max();
  std::int64_t before = std::numeric_limits<std::int64_t>::max();
};

// Checkpointer keeps the steps of threads. A thread is one run, however many processes it takes.
//
// Every write happens as a whole or not at all, and stands once it has returned without an Error.
// kConflict: the thread's version is not the one that the Turn expects, somebody else has written
// since; nothing was done. On any other Error but kInvalidInput it may be done or not: whoever has
// to know reads the version. A write that was done makes the version {expected + 1, writer}.
template <GraphState State>
class Checkpointer {
 public:
  // put adds `checkpoint` as the latest step: until then the one before is in force. Its own
  // version is not looked at. kInvalidInput: its step is not larger than that of the latest one.
  virtual Task<Status> put(Turn turn, Checkpoint<State> checkpoint) = 0;

  // put_branch puts `branch` in the place of the branch of that key in the latest checkpoint, with
  // its notes and no others. kInvalidInput: there is none.
  virtual Task<Status> put_branch(Turn turn, Branch<State> branch) = 0;

  // add_note adds one note to the branch that its node begins with ("a" of "a/b") in the latest
  // checkpoint. kInvalidInput: there is none.
  virtual Task<Status> add_note(Turn turn, Note note) = 0;

  // latest returns the latest step with all that was put and noted on it; nothing for a thread that
  // is new.
  virtual Task<Result<std::optional<Checkpoint<State>>>> latest(std::string thread) = 0;

  // at returns the step `step`, nothing when it is not kept.
  virtual Task<Result<std::optional<Checkpoint<State>>>> at(std::string thread,
                                                            std::int64_t step) = 0;

  // history returns the steps that are kept and within `range`, newest first.
  virtual Task<Result<std::vector<Checkpoint<State>>>> history(std::string thread, Range range) = 0;

  // erase forgets the thread. Afterwards it is new. Done as well when there is none.
  virtual Task<Status> erase(std::string thread) = 0;

 protected:
  ~Checkpointer() = default;
};

// begun_anew returns `kept` without what its branches have come to, asked and noted.
template <GraphState State>
Checkpoint<State> begun_anew(Checkpoint<State> kept) {
  for (Branch<State>& branch : kept.at.branches) {
    branch = {.key = std::move(branch.key),
              .node = std::move(branch.node),
              .input = std::move(branch.input)};
  }
  return kept;
}

// branch_of returns the key of the branch that a note on `node` stands on.
inline std::string_view branch_of(std::string_view node) { return node.substr(0, node.find('/')); }

}  // namespace plumbline::graph
