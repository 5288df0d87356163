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

namespace internal {

PrefixObserver::PrefixObserver(GraphObserver& outer, std::string_view name)
    : outer_(outer), prefix_(std::string(name) + "/") {}

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

}  // namespace internal
}  // namespace plumbline::graph
