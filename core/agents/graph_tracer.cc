#include "core/agents/graph_tracer.h"

namespace plumbline::agents {

void GraphTracer::node_started(std::string_view node, std::int64_t step, int attempt) {
  Json detail = Json::object();
  detail["step"] = step;
  detail["attempt"] = attempt;
  emit(EventKind::kNodeStarted, node, detail);
}

void GraphTracer::node_ended(std::string_view node, std::int64_t step, graph::StepResult result,
                             const Error* error) {
  Json detail = Json::object();
  detail["step"] = step;
  detail["result"] = graph::name_of(result);
  if (error != nullptr) detail["error"] = error->message;
  emit(EventKind::kNodeEnded, node, detail);
}

void GraphTracer::edge_taken(std::string_view from, std::string_view to) {
  Json detail = Json::object();
  detail["to"] = to;
  emit(EventKind::kEdgeTaken, from, detail);
}

void GraphTracer::interrupted(std::string_view node, const Json& payload) {
  Json detail = Json::object();
  detail["review"] = payload;
  emit(EventKind::kNote, node, detail);
}

void GraphTracer::emit(EventKind kind, std::string_view who, const Json& detail) {
  events_.on_event(TraceEvent{loop_.now(), kind, who, detail});
}

}  // namespace plumbline::agents
