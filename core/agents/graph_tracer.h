// GraphTracer turns what happens in a graph run into TraceEvents.

#pragma once

#include "core/base/loop.h"
#include "core/events/trace_event.h"
#include "core/graph/observer.h"

namespace plumbline::agents {

class GraphTracer final : public graph::GraphObserver {
 public:
  // Both must outlive the tracer.
  GraphTracer(const Loop& loop, EventSink& events) : loop_(loop), events_(events) {}

  // implements GraphObserver -----------------------------------------------------------------
  void node_started(std::string_view node, std::int64_t step, int attempt) override;
  void node_ended(std::string_view node, std::int64_t step, graph::StepResult result,
                  const Error* error) override;
  void edge_taken(std::string_view from, std::string_view to) override;
  void interrupted(std::string_view node, const Json& payload) override;

 private:
  void emit(EventKind kind, std::string_view who, const Json& detail);

  const Loop& loop_;
  EventSink& events_;
};

}  // namespace plumbline::agents
