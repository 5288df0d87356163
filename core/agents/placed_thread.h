// What every agent that keeps checkpoints does with its Place.

#pragma once

#include <optional>
#include <utility>

#include "core/agents/agent.h"
#include "core/graph/saved_state.h"
#include "core/graph/thread.h"

namespace plumbline::agents {

// PlacedThread is the thread of one request after the other.
template <graph::StoredState State>
class PlacedThread {
 public:
  // begin makes that of the next request, or none without a place. `loop` must outlive it, and
  // nothing may use the one before any more.
  void begin(std::optional<Place> place, Loop& loop) {
    thread_.reset();
    checkpoints_.reset();
    if (!place) return;
    checkpoints_.emplace(place->checkpoints);
    thread_.emplace(*checkpoints_, std::move(place->thread), loop, place->writer);
  }

  // get returns it; nullptr: the request is not kept.
  graph::Thread<State>* get() { return thread_ ? &*thread_ : nullptr; }

 private:
  std::optional<graph::SavedCheckpoints<State>> checkpoints_;
  std::optional<graph::Thread<State>> thread_;
};

// check_loads returns whether `kept` is a checkpoint of a State: see Agent::check_kept.
template <graph::StoredState State>
Status check_loads(graph::Checkpoint<SavedState> kept) {
  const auto loaded = graph::load<State>(std::move(kept));
  if (!loaded.ok()) return loaded.error();
  return Done{};
}

}  // namespace plumbline::agents
