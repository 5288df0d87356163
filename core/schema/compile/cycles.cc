#include "core/schema/compile/cycles.h"

#include <map>
#include <vector>

namespace plumbline::schema {

namespace {

NodeList next_of(const Node& node) {
  NodeList next;
  if (node.in_place == nullptr) return next;
  const InPlace& rules = *node.in_place;
  for (const NodeList* const list : {&rules.all, &rules.any, &rules.one}) {
    next.insert(next.end(), list->begin(), list->end());
  }
  for (const Node* const one : {rules.reference, rules.negated, rules.condition}) {
    if (one != nullptr) next.push_back(one);
  }
  return next;
}

// Visit is one node on the path of the depth-first search, and what is left to see below it.
struct Visit {
  const Node* node;
  NodeList left;
};

enum class State { kNew, kOnPath, kDone };

}  // namespace

Status find_cycles(const std::deque<Node>& nodes) {
  std::map<const Node*, State> states;  // Looked up, never iterated.
  std::vector<Visit> path;
  const auto enter = [&](const Node& node) {
    states[&node] = State::kOnPath;
    path.push_back({&node, next_of(node)});
  };
  for (const Node& start : nodes) {
    if (start.in_place == nullptr || states[&start] != State::kNew) continue;
    enter(start);
    while (!path.empty()) {
      Visit& visit = path.back();
      if (visit.left.empty()) {
        states[visit.node] = State::kDone;
        path.pop_back();
        continue;
      }
      const Node& next = *visit.left.back();
      visit.left.pop_back();
      if (states[&next] == State::kOnPath) {
        const std::string place = pointer_to(*next.location);
        return Error{ErrorCode::kInvalidInput,
                     (place.empty() ? "/" : place) +
                         ": to judge a value by this schema takes judging it by this schema"};
      }
      if (states[&next] == State::kNew) enter(next);
    }
  }
  return Done{};
}

}  // namespace plumbline::schema
