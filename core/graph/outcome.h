// How a run is bounded, and how it ends.

#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/base/limits.h"
#include "core/base/result.h"
#include "core/base/time.h"
#include "core/graph/node.h"
#include "core/graph/snapshot.h"

namespace plumbline::graph {

struct RunOptions {
  // Sisters says what becomes of the other branches of a step when one has failed for good.
  enum class Sisters {
    kCancel,  // Those under way are dropped.
    kFinish,  // They finish. The run fails all the same, and does them no more when it is taken up.
  };

  std::int64_t steps_max = limits::kGraphStepsMax;  // Nodes visited, those of subgraphs included.
  Instant deadline = kNever;                        // Of the whole run.
  Sisters sisters = Sisters::kCancel;
};

// Outcome is how a run ended, or why it waits.
template <GraphState State>
struct Outcome {
  enum Status {
    kFinished,     // No branch goes on.
    kInterrupted,  // `snapshot` waits for answers.
    kFailed,       // `error` says why and names the node.
  };
  Status status = kFailed;
  State state;  // As the last step that was done has left it.

  // route names the visited nodes of this graph in order, those of one step in the order of its
  // branches; a retry does not repeat a name, a resumed visit neither. Nodes inside a subgraph are
  // seen by the observer only. Borrowed from the Graph.
  std::vector<std::string_view> route;

  std::int64_t steps = 0;                   // Nodes visited, those of subgraphs included.
  Error error;                              // Meaningful only when kFailed.
  std::optional<Snapshot<State>> snapshot;  // Present exactly when kInterrupted.
};

}  // namespace plumbline::graph
