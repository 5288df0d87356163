// SavedState is the State of any graph for whoever keeps it: as JSON that survives the process. The
// functions here make a Checkpoint of a State one of a SavedState, and back; checkpoint_json.h
// makes text of that.

#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/graph/checkpoint.h"
#include "core/json/json.h"

namespace plumbline::graph {

// StoredState is a State that can be kept beyond the process: it and its Update are written by
// to_json() and read by from_json(), which refuses what it has not written. kVersion is raised
// whenever what was written before can no longer be read.
template <typename State>
concept StoredState = GraphState<State> &&
    requires(const State& state, const typename State::Update& update, const Json& json) {
  { State::kVersion } -> std::convertible_to<std::int64_t>;
  { state.to_json() } -> std::same_as<Json>;
  { State::from_json(json) } -> std::same_as<Result<State>>;
  { update.to_json() } -> std::same_as<Json>;
  { State::Update::from_json(json) } -> std::same_as<Result<typename State::Update>>;
};

// SavedState is written when somebody reads it: most checkpoints are never taken up.
class SavedState {
 public:
  using Write = std::function<Json()>;
  using Update = SavedState;

  explicit SavedState(Write write) : write_(std::move(write)) {}
  explicit SavedState(Json json) : write_([json = std::move(json)] { return json; }) {}

  // json returns {"version", "value"}.
  Json json() const { return write_(); }

  void apply(Update&& update) { *this = std::move(update); }

 private:
  Write write_;
};

namespace internal {

// versioned and unversioned put `value` beside its version, and take it out again. kInvalidInput
// when that is not there or another one than `version`.
Json versioned(std::int64_t version, Json value);
Result<Json> unversioned(std::int64_t version, const Json& saved);

template <StoredState State>
SavedState save_state(State state) {
  return SavedState(SavedState::Write(
      [state = std::move(state)] { return versioned(State::kVersion, state.to_json()); }));
}

template <StoredState State>
SavedState save_update(typename State::Update update) {
  return SavedState(SavedState::Write(
      [update = std::move(update)] { return versioned(State::kVersion, update.to_json()); }));
}

// copy_place copies all but the state, the branches and what depends on them.
template <typename From, typename To>
void move_place(Snapshot<From>& from, Snapshot<To>& to) {
  to.joins = std::move(from.joins);
  to.route = std::move(from.route);
  to.steps = from.steps;
}

template <typename From, typename To>
void move_branch(Branch<From>& from, Branch<To>& to) {
  to.key = std::move(from.key);
  to.node = std::move(from.node);
  to.input = std::move(from.input);
  to.questions = std::move(from.questions);
  to.nested = std::move(from.nested);
  to.steps = from.steps;
  to.notes = std::move(from.notes);
}

template <typename From, typename To>
void move_kept(Checkpoint<From>& from, Checkpoint<To>& to) {
  to.step = from.step;
  to.origin = from.origin;
  to.parent = from.parent;
  to.parent_thread = std::move(from.parent_thread);
  to.version = from.version;
}

}  // namespace internal

// save and load go to JSON and back, as a whole or not at all. kInvalidInput: another version of
// the State, or what its from_json() refuses.
template <StoredState State>
Branch<SavedState> save(Branch<State> branch) {
  Branch<SavedState> out;
  internal::move_branch(branch, out);
  if (branch.update) out.update = internal::save_update<State>(std::move(*branch.update));
  return out;
}

template <StoredState State>
Snapshot<SavedState> save(Snapshot<State> snapshot) {
  Snapshot<SavedState> out{internal::save_state<State>(std::move(snapshot.state))};
  for (Branch<State>& branch : snapshot.branches) out.branches.push_back(save(std::move(branch)));
  internal::move_place(snapshot, out);
  return out;
}

template <StoredState State>
Checkpoint<SavedState> save(Checkpoint<State> kept) {
  Checkpoint<SavedState> out{save(std::move(kept.at))};
  internal::move_kept(kept, out);
  return out;
}

template <StoredState State>
Result<Branch<State>> load(Branch<SavedState> branch) {
  Branch<State> out;
  internal::move_branch(branch, out);
  if (!branch.update) return out;
  Result<Json> json = internal::unversioned(State::kVersion, branch.update->json());
  if (!json.ok()) return json.error();
  Result<typename State::Update> update = State::Update::from_json(json.value());
  if (!update.ok()) return update.error();
  out.update = std::move(update).value();
  return out;
}

template <StoredState State>
Result<Snapshot<State>> load(Snapshot<SavedState> snapshot) {
  Result<Json> json = internal::unversioned(State::kVersion, snapshot.state.json());
  if (!json.ok()) return json.error();
  Result<State> state = State::from_json(json.value());
  if (!state.ok()) return state.error();
  Snapshot<State> out{std::move(state).value()};
  for (Branch<SavedState>& saved : snapshot.branches) {
    Result<Branch<State>> branch = load<State>(std::move(saved));
    if (!branch.ok()) return branch.error();
    out.branches.push_back(std::move(branch).value());
  }
  internal::move_place(snapshot, out);
  return out;
}

template <StoredState State>
Result<Checkpoint<State>> load(Checkpoint<SavedState> kept) {
  Result<Snapshot<State>> at = load<State>(std::move(kept.at));
  if (!at.ok()) return at.error();
  Checkpoint<State> out{std::move(at).value()};
  internal::move_kept(kept, out);
  return out;
}

// SavedCheckpoints keeps the checkpoints of a State where those of all States are.
template <StoredState State>
class SavedCheckpoints final : public Checkpointer<State> {
 public:
  using Kept = Checkpoint<State>;

  // `saved` must outlive it.
  explicit SavedCheckpoints(Checkpointer<SavedState>& saved) : saved_(saved) {}

  // implements Checkpointer ---
  Task<Status> put(Turn turn, Kept checkpoint) override {
    return saved_.put(std::move(turn), save(std::move(checkpoint)));
  }
  Task<Status> put_branch(Turn turn, Branch<State> branch) override {
    return saved_.put_branch(std::move(turn), save(std::move(branch)));
  }
  Task<Status> add_note(Turn turn, Note note) override {
    return saved_.add_note(std::move(turn), std::move(note));
  }
  Task<Result<std::optional<Kept>>> latest(std::string thread) override {
    Result<std::optional<Checkpoint<SavedState>>> kept = co_await saved_.latest(std::move(thread));
    co_return read(std::move(kept));
  }
  Task<Result<std::optional<Kept>>> at(std::string thread, std::int64_t step) override {
    Result<std::optional<Checkpoint<SavedState>>> kept =
        co_await saved_.at(std::move(thread), step);
    co_return read(std::move(kept));
  }
  Task<Result<std::vector<Kept>>> history(std::string thread, Range range) override {
    Result<std::vector<Checkpoint<SavedState>>> saved =
        co_await saved_.history(std::move(thread), range);
    if (!saved.ok()) co_return saved.error();
    std::vector<Kept> out;
    for (Checkpoint<SavedState>& one : saved.value()) {
      Result<Kept> kept = load<State>(std::move(one));
      if (!kept.ok()) co_return kept.error();
      out.push_back(std::move(kept).value());
    }
    co_return out;
  }
  Task<Status> erase(std::string thread) override { return saved_.erase(std::move(thread)); }

 private:
  static Result<std::optional<Kept>> read(Result<std::optional<Checkpoint<SavedState>>> saved) {
    if (!saved.ok()) return saved.error();
    if (!saved.value()) return std::optional<Kept>();
    Result<Kept> kept = load<State>(std::move(*saved.value()));
    if (!kept.ok()) return kept.error();
    return std::optional<Kept>(std::move(kept).value());
  }

  Checkpointer<SavedState>& saved_;
};

}  // namespace plumbline::graph
