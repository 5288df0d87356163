#include "core/graph/observer.h"

#include "core/base/check.h"

namespace plumbline::graph {

std::string_view name_of(StepResult result) {
  switch (result) {
    case StepResult::kUpdate:
      return "update";
    case StepResult::kInterrupt:
      return "interrupt";
    case StepResult::kError:
      return "error";
  }
  check(false, "a StepResult without a name");
  return {};
}

std::string_view name_of(Stream stream) {
  switch (stream) {
    case Stream::kValues:
      return "values";
    case Stream::kUpdates:
      return "updates";
    case Stream::kMessages:
      return "messages";
    case Stream::kCustom:
      return "custom";
    case Stream::kDebug:
      return "debug";
  }
  check(false, "a Stream without a name");
  return {};
}

namespace internal {

PrefixObserver::PrefixObserver(GraphObserver& outer, std::string_view name, std::string_view key)
    : outer_(outer), prefix_(std::string(name) + "/"), key_(key) {}

std::string PrefixObserver::full(std::string_view node) const {
  return prefix_ + std::string(node);
}

void PrefixObserver::node_started(std::string_view node, std::int64_t step, int attempt) {
  outer_.node_started(full(node), step, attempt);
}

void PrefixObserver::node_ended(std::string_view node, std::int64_t step, StepResult result,
                                const Error* error) {
  outer_.node_ended(full(node), step, result, error);
}

void PrefixObserver::edge_taken(std::string_view from, std::string_view to) {
  outer_.edge_taken(full(from), full(to));
}

void PrefixObserver::interrupted(std::string_view node, const Json& payload) {
  outer_.interrupted(full(node), payload);
}

bool PrefixObserver::streams(Stream stream) const { return outer_.streams(stream); }

std::string PrefixObserver::traceparent(std::string_view node, std::int64_t step) const {
  return outer_.traceparent(full(node), step);
}

void PrefixObserver::streamed(const StreamPart& part) {
  const std::string key = part.key.empty() ? key_ : key_ + '/' + std::string(part.key);
  outer_.streamed({part.stream, key, part.what});
}

}  // namespace internal
}  // namespace plumbline::graph
