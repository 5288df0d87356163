#include "core/agents/graph_spans.h"

namespace plumbline::agents {

namespace {

// error_type returns the code as a word of "error.type".
std::string error_type(ErrorCode code) {
  switch (code) {
    case ErrorCode::kInvalidInput:
      return "invalid_input";
    case ErrorCode::kDeadlineExceeded:
      return "timeout";
    case ErrorCode::kDisconnected:
      return "disconnected";
    case ErrorCode::kUnsupported:
      return "unsupported";
    case ErrorCode::kLimitReached:
      return "limit_reached";
    case ErrorCode::kConflict:
      return "conflict";
  }
  return "_OTHER";
}

}  // namespace

void GraphSpans::begin(std::string_view agent, const std::string& conversation,
                       const std::string& parent) {
  if (tracer_ == nullptr) return;
  end();
  const std::string name(agent);
  run_ = trace::OpenSpan(tracer_, "invoke_agent " + name, trace::SpanKind::kInternal, parent);
  run_.set("gen_ai.operation.name", std::string("invoke_agent"));
  run_.set("gen_ai.agent.name", name);
  if (!conversation.empty()) run_.set("gen_ai.conversation.id", conversation);
}

void GraphSpans::end(const std::string& error) {
  // Inner ones end before those around them: their names are longer.
  while (!nodes_.empty()) nodes_.erase(std::prev(nodes_.end()));
  if (!error.empty()) run_.fail("_OTHER", error);
  run_.end();
}

const GraphSpans::Nodes::value_type* GraphSpans::open(std::string_view node,
                                                      std::int64_t step) const {
  if (nodes_.empty()) return nullptr;
  auto at = nodes_.upper_bound(Key(std::string(node), step));
  if (at == nodes_.begin()) return nullptr;
  --at;
  return at->first.first == node ? &*at : nullptr;
}

// parent_of returns the traceparent of the subgraph's node around `node`, or that of the run.
std::string GraphSpans::parent_of(std::string_view node, std::int64_t step) const {
  const std::size_t slash = node.rfind('/');
  if (slash == std::string_view::npos) return run_.traceparent();
  return traceparent(node.substr(0, slash), step);
}

void GraphSpans::node_started(std::string_view node, std::int64_t step, int attempt) {
  if (next_ != nullptr) next_->node_started(node, step, attempt);
  if (!run_.told()) return;
  const std::string name(node);
  trace::OpenSpan span(tracer_, "node " + name, trace::SpanKind::kInternal, parent_of(node, step));
  span.set("plumbline.graph.node", name);
  span.set("plumbline.graph.step", step);
  span.set("plumbline.graph.attempt", std::int64_t{attempt});
  nodes_.insert_or_assign(Key(name, step), std::move(span));
}

void GraphSpans::node_ended(std::string_view node, std::int64_t step, graph::StepResult result,
                            const Error* error) {
  if (next_ != nullptr) next_->node_ended(node, step, result, error);
  const Nodes::value_type* const begun = open(node, step);
  if (begun == nullptr) return;
  const auto found = nodes_.find(Key(begun->first));
  found->second.set("plumbline.graph.result", std::string(graph::name_of(result)));
  if (error != nullptr) found->second.fail(error_type(error->code), error->message);
  nodes_.erase(found);
}

void GraphSpans::edge_taken(std::string_view from, std::string_view to) {
  if (next_ != nullptr) next_->edge_taken(from, to);
}

void GraphSpans::interrupted(std::string_view node, const Json& payload) {
  if (next_ != nullptr) next_->interrupted(node, payload);
}

bool GraphSpans::streams(graph::Stream stream) const {
  return next_ != nullptr && next_->streams(stream);
}

void GraphSpans::streamed(const graph::StreamPart& part) {
  if (next_ != nullptr) next_->streamed(part);
}

std::string GraphSpans::traceparent(std::string_view node, std::int64_t step) const {
  const Nodes::value_type* const found = open(node, step);
  return found == nullptr ? run_.traceparent() : found->second.traceparent();
}

}  // namespace plumbline::agents
