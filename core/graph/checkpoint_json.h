// Checkpoints and their parts as JSON and back: what a store writes. What is read is checked as a
// whole: kInvalidInput names the first field that is missing, of another type or of another
// version.

#pragma once

#include "core/base/result.h"
#include "core/graph/checkpoint.h"
#include "core/graph/saved_state.h"
#include "core/json/json.h"

namespace plumbline::graph {

// to_json's only Error is that of a subgraph whose State cannot be written.
Result<Json> to_json(const Checkpoint<SavedState>& kept);
Result<Json> to_json(const Snapshot<SavedState>& snapshot);
Result<Json> to_json(const Branch<SavedState>& branch);
Json to_json(const Note& note);

Result<Checkpoint<SavedState>> checkpoint_from(const Json& json);
Result<Snapshot<SavedState>> snapshot_from(const Json& json);
Result<Branch<SavedState>> branch_from(const Json& json);
Result<Note> note_from(const Json& json);

template <StoredState State>
Result<Json> to_json(const Checkpoint<State>& kept) {
  return to_json(save(kept));
}

template <StoredState State>
Result<Json> to_json(const Snapshot<State>& snapshot) {
  return to_json(save(snapshot));
}

template <StoredState State>
Result<Checkpoint<State>> checkpoint_from(const Json& json) {
  Result<Checkpoint<SavedState>> saved = checkpoint_from(json);
  if (!saved.ok()) return saved.error();
  return load<State>(std::move(saved).value());
}

template <StoredState State>
Result<Snapshot<State>> snapshot_from(const Json& json) {
  Result<Snapshot<SavedState>> saved = snapshot_from(json);
  if (!saved.ok()) return saved.error();
  return load<State>(std::move(saved).value());
}

}  // namespace plumbline::graph
