// GraphObserver watches a run: what started, how it ended, which way it went.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/json/json.h"

namespace plumbline::graph {

enum class StepResult { kUpdate, kInterrupt, kError };

// name_of returns "update", "interrupt" or "error".
std::string_view name_of(StepResult result);

// Stream is one way to follow what a run brings forth, named as LangGraph names them.
enum class Stream {
  kValues,    // The state: at the beginning, and after each step.
  kUpdates,   // What each branch came to, as soon as it is done.
  kMessages,  // What nodes pass on from a model, piece by piece: Context::message().
  kCustom,    // What nodes have to say: Context::write().
  kDebug,     // Each attempt, its result, and what is next.
};

// name_of returns "values", "updates", "messages", "custom" or "debug".
std::string_view name_of(Stream stream);

// StreamPart is one piece. `key` is that of the branch, "outer/inner" inside a subgraph; for what
// is about a whole graph that of the branch around it, "" outermost. Both live until the call
// returns.
struct StreamPart {
  Stream stream;
  std::string_view key;
  const Json& what;
};

// GraphObserver receives the events of one run, in order, from inside the run: it must not drop
// it. Nodes of a subgraph are named "outer/inner". Views and references live until the call
// returns.
class GraphObserver {
 public:
  // node_started: `step` counts from 1 over the whole run, `attempt` from 1 over the visit.
  virtual void node_started(std::string_view node, std::int64_t step, int attempt) = 0;

  // node_ended follows each node_started, unless the run or the surrounding subgraph was dropped
  // meanwhile. `error` is null unless kError.
  virtual void node_ended(std::string_view node, std::int64_t step, StepResult result,
                          const Error* error) = 0;

  // edge_taken: `from` may be kStart, `to` may be kEnd.
  virtual void edge_taken(std::string_view from, std::string_view to) = 0;

  // interrupted follows the node_ended of a node that asks for a person; with subgraphs, the inner
  // node reports first.
  virtual void interrupted(std::string_view node, const Json& payload) = 0;

  // streams returns whether streamed() wants the parts of `stream`. Others are not even made.
  // Values and updates are streamed of a StoredState only (core/graph/saved_state.h).
  virtual bool streams(Stream /*stream*/) const { return false; }
  virtual void streamed(const StreamPart& /*part*/) {}

  // traceparent returns what those are told who work for the attempt that has just started, as W3C
  // Trace Context writes it; empty: nobody traces it.
  virtual std::string traceparent(std::string_view /*node*/, std::int64_t /*step*/) const {
    return {};
  }

 protected:
  ~GraphObserver() = default;
};

namespace internal {

// PrefixObserver tells `outer` what happens inside the subgraph `name`, in the branch `key`.
class PrefixObserver final : public GraphObserver {
 public:
  PrefixObserver(GraphObserver& outer, std::string_view name, std::string_view key);
  ~PrefixObserver() = default;

  // implements GraphObserver ---
  void node_started(std::string_view node, std::int64_t step, int attempt) override;
  void node_ended(std::string_view node, std::int64_t step, StepResult result,
                  const Error* error) override;
  void edge_taken(std::string_view from, std::string_view to) override;
  void interrupted(std::string_view node, const Json& payload) override;
  bool streams(Stream stream) const override;
  void streamed(const StreamPart& part) override;
  std::string traceparent(std::string_view node, std::int64_t step) const override;

 private:
  std::string full(std::string_view node) const;

  GraphObserver& outer_;
  std::string prefix_;
  std::string key_;
};

}  // namespace internal
}  // namespace plumbline::graph
