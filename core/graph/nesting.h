// How the Snapshot of a subgraph becomes a part of the one around it, and whether a Snapshot is one
// of a graph at all.

#pragma once

#include <algorithm>
#include <any>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/graph/checkpoint_json.h"
#include "core/graph/parts.h"

namespace plumbline::graph::internal {

// nest makes a Nested of a Snapshot; unnest takes it out again.
template <GraphState Inner>
Nested nest(Snapshot<Inner> snapshot) {
  return Nested(std::any(std::move(snapshot)), [](const std::any& inside) -> Result<Json> {
    if constexpr (StoredState<Inner>) {
      return to_json(*std::any_cast<Snapshot<Inner>>(&inside));
    } else {
      return Error{ErrorCode::kUnsupported, "the state of a subgraph cannot be written as JSON"};
    }
  });
}

template <GraphState Inner>
Result<Snapshot<Inner>> unnest(const Nested& nested) {
  if (const auto* const snapshot = nested.as<Snapshot<Inner>>()) return *snapshot;
  if constexpr (StoredState<Inner>) {
    if (const auto* const json = nested.as<Json>()) return snapshot_from<Inner>(*json);
  }
  return Error{ErrorCode::kInvalidInput, "has the inside of another subgraph"};
}

// keyed returns `answers` by the keys of the questions of `snapshot` that are open.
template <GraphState State>
Result<AnswerMap> keyed(const Snapshot<State>& snapshot, const Answers& answers) {
  const std::vector<Question> open = snapshot.open();
  if (answers.only()) {
    if (open.size() == 1) return AnswerMap{{open.front().key, *answers.only()}};
    return Error{ErrorCode::kInvalidInput, std::to_string(open.size()) +
                                               " questions are open: an answer to one of several " +
                                               "must name its key"};
  }
  AnswerMap out;
  for (const auto& [key, answer] : answers.keyed()) {
    if (std::ranges::find(open, key, &Question::key) == open.end()) {
      return Error{ErrorCode::kInvalidInput, about("no question", key, "is open")};
    }
    out.emplace(key, answer);
  }
  return out;
}

// refused is an Error about what was to be taken up.
inline Error refused(std::string message) {
  return {ErrorCode::kInvalidInput, "snapshot " + std::move(message)};
}

template <GraphState State, typename Services>
Status branch_fits(const Parts<State, Services>& parts, const Branch<State>& branch) {
  const std::optional<std::size_t> node = parts.wiring.index_of(branch.node);
  if (!node) {
    return refused(about("stands at", branch.node, "which is no node of this graph"));
  }
  if (branch.key != branch.node && !branch.key.starts_with(branch.node + ':')) {
    return refused(about("visits", branch.node, "under the key " + in_quotes(branch.key)));
  }
  if (branch.done() && branch.waits()) {
    return refused(about("waits in", branch.key, "which is done"));
  }
  for (const Question& question : branch.questions) {
    const bool inner = !inner_key(question.key, branch.key).empty();
    if (!inner && question.key != branch.key) {
      return refused(about("asks", question.key, "in another branch"));
    }
    if (inner && !branch.nested.has_value()) {
      return refused(about("waits inside of", branch.key, "and lacks its inside"));
    }
  }
  const Status inside = parts.nodes[*node].body->fits(branch.nested);
  if (inside.ok()) return Done{};
  return refused(about("stands inside of", branch.key, "where it cannot: ") +
                 inside.error().message);
}

// fits returns why `snapshot` is none of the graph of `parts`, if it is none.
template <GraphState State, typename Services>
Status fits(const Parts<State, Services>& parts, const Snapshot<State>& snapshot) {
  for (const std::string& visited : snapshot.route) {
    if (parts.wiring.index_of(visited)) continue;
    return refused(about("visited", visited, "which is no node of this graph"));
  }
  if (snapshot.steps < static_cast<std::int64_t>(snapshot.route.size())) {
    return refused("has a route longer than its steps");
  }
  std::set<std::string> keys;
  for (const Branch<State>& branch : snapshot.branches) {
    Status fitting = branch_fits(parts, branch);
    if (!fitting.ok()) return fitting;
    if (!keys.insert(branch.key).second) {
      return refused(about("has two branches", branch.key, "in one step"));
    }
  }
  for (const Join& join : snapshot.joins) {
    const std::optional<std::size_t> index = parts.wiring.join_of(join.node);
    if (!index) return refused(about("waits to join at", join.node, "where this graph does not"));
    for (const std::string& node : join.arrived) {
      const std::vector<std::size_t>& from = parts.wiring.joins[*index].from;
      const std::optional<std::size_t> came = parts.wiring.index_of(node);
      if (came && std::ranges::find(from, *came) != from.end()) continue;
      return refused(about("has", node, "at a join that does not wait for it"));
    }
  }
  return Done{};
}

}  // namespace plumbline::graph::internal
