// GraphSpans has a span for a run of an agent's graph, and one for each attempt of its nodes.

#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "core/graph/observer.h"
#include "core/trace/tracer.h"

namespace plumbline::agents {

class GraphSpans final : public graph::GraphObserver {
 public:
  // Both must outlive it, and both may be null. `next` hears everything as well.
  GraphSpans(trace::Tracer* tracer, graph::GraphObserver* next) : tracer_(tracer), next_(next) {}
  ~GraphSpans() = default;

  // begin begins "invoke_agent AGENT" below `parent`, which is a traceparent or empty; end ends it,
  // with what is still open of it. `error` is why it failed; empty: it did not. A run that is
  // dropped ends with the GraphSpans.
  //
  // OpenTelemetry, Semantic conventions for generative AI agent spans, Invoke agent.
  void begin(std::string_view agent, const std::string& conversation, const std::string& parent);
  void end(const std::string& error = {});

  // root is what those are told who work for the run.
  std::string root() const { return run_.traceparent(); }

  // implements GraphObserver ---
  void node_started(std::string_view node, std::int64_t step, int attempt) override;
  void node_ended(std::string_view node, std::int64_t step, graph::StepResult result,
                  const Error* error) override;
  void edge_taken(std::string_view from, std::string_view to) override;
  void interrupted(std::string_view node, const Json& payload) override;
  bool streams(graph::Stream stream) const override;
  void streamed(const graph::StreamPart& part) override;
  std::string traceparent(std::string_view node, std::int64_t step) const override;

 private:
  using Key = std::pair<std::string, std::int64_t>;  // The node, and its step within the run.
  using Nodes = std::map<Key, trace::OpenSpan>;

  std::string parent_of(std::string_view node, std::int64_t step) const;

  // open returns the span of the attempt of `node` that began last, at `step` or before: the steps
  // of a subgraph count between its node's beginning and end. nullptr: there is none.
  const Nodes::value_type* open(std::string_view node, std::int64_t step) const;

  trace::Tracer* tracer_;
  graph::GraphObserver* next_;
  trace::OpenSpan run_;
  Nodes nodes_;  // Destroyed before the run's.
};

}  // namespace plumbline::agents
