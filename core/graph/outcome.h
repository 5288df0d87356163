// How a run is bounded, how it ends, and what is kept of one that waits for a person.

#pragma once

#include <any>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/limits.h"
#include "core/base/result.h"
#include "core/base/time.h"
#include "core/graph/node.h"
#include "core/json/json.h"

namespace plumbline::graph {

struct RunOptions {
  std::int64_t steps_max = limits::kGraphStepsMax;  // Nodes visited, those of subgraphs included.
  Instant deadline = kNever;                        // Of the whole run.
};

// Snapshot is a run that waits in `node` for an answer: a plain value that can be copied and
// stored, and resumed by any Graph built the same way. Within a Checkpoint that does not wait,
// `node` is the one to visit next and not yet in `route`.
template <GraphState State>
struct Snapshot {
  State state;
  std::string node{};                // Runs again when resumed.
  std::vector<std::string> route{};  // As in Outcome; `node` is last. Visits are counted from it.
  std::int64_t steps = 0;            // As in Outcome.
  Json payload{};                    // What the node asked.
  std::any nested{};                 // The Snapshot<Inner> of the subgraph that `node` is.
};

// Outcome is how a run ended, or why it waits.
template <GraphState State>
struct Outcome {
  enum Status {
    kFinished,     // An edge to kEnd was taken.
    kInterrupted,  // `snapshot` waits for an answer.
    kFailed,       // `error` says why and names the node.
  };
  Status status = kFailed;
  State state;  // As the last node that succeeded left it.

  // route names the visited nodes of this graph in order; a retry does not repeat a name, a
  // resumed visit neither. Nodes inside a subgraph are seen by the observer only. Borrowed from
  // the Graph.
  std::vector<std::string_view> route;

  std::int64_t steps = 0;                   // Nodes visited, those of subgraphs included.
  Error error;                              // Meaningful only when kFailed.
  std::optional<Snapshot<State>> snapshot;  // Present exactly when kInterrupted.
};

}  // namespace plumbline::graph
