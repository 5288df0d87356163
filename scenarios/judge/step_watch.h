// StepWatch tells the invariants of a graph's steps without building TraceEvents: for runs that
// nobody records.

#pragma once

#include <cstdint>
#include <string_view>

#include "core/graph/observer.h"
#include "scenarios/judge/invariants.h"

namespace plumbline::scenarios {

class StepWatch final : public graph::GraphObserver {
 public:
  // `invariants` must outlive the watch.
  explicit StepWatch(Invariants& invariants) : invariants_(invariants) {}

  // implements graph::GraphObserver ---
  void node_started(std::string_view node, std::int64_t, int attempt) override {
    invariants_.node_started(node, attempt);
  }
  void node_ended(std::string_view, std::int64_t, graph::StepResult, const Error*) override {}
  void edge_taken(std::string_view from, std::string_view to) override {
    invariants_.edge_taken(from, to);
  }
  void interrupted(std::string_view, const Json&) override {}

 private:
  Invariants& invariants_;
};

}  // namespace plumbline::scenarios
