// Where a Run goes: from where it begins or is taken up, along edges, routers and joins, to the
// branches of the next step.

#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/graph/run.h"

namespace plumbline::graph::internal {

template <GraphState State, typename Services>
void Run<State, Services>::begin() {
  stream_values(scope_.observer, state_);
  follow(kStart, parts_.wiring.start, parts_.start_router, parts_.start_fan_out);
  if (!over_) move_on();
}

template <GraphState State, typename Services>
void Run<State, Services>::take_up(Snapshot<State> from, AnswerMap answers) {
  const Status fitting = fits(parts_, from);
  if (!fitting.ok()) return fail(fitting.error());
  for (const std::string& visited : from.route) {
    const std::size_t node = *parts_.wiring.index_of(visited);
    ++visits_[node];
    route_.push_back(name(node));
  }
  route_before_ = route_.size();
  steps_before_ = from.steps;
  if (scope_.around == nullptr) budget_.steps = from.steps;
  for (const Join& join : from.joins) {
    const std::size_t index = *parts_.wiring.join_of(join.node);
    for (const std::string& node : join.arrived) {
      joins_[index].push_back(*parts_.wiring.index_of(node));
    }
  }
  for (Branch<State>& branch : from.branches) {
    const std::size_t node = *parts_.wiring.index_of(branch.node);
    Leg& leg = legs_.emplace_back(node, name(node), context_);
    leg.take_up(std::move(branch));
    if (scope_.around == nullptr) budget_.steps += leg.visit.budget.steps;
  }
  give(answers);
  if (legs_.empty()) over_ = true;
}

template <GraphState State, typename Services>
void Run<State, Services>::go_from(std::string_view node) {
  if (failed()) return;
  legs_.clear();
  over_ = false;
  const std::optional<std::size_t> index = parts_.wiring.index_of(node);
  if (node == kStart) {
    begin();
  } else if (index) {
    const NodeParts<State, Services>& parts = parts_.nodes[*index];
    follow(node, parts_.wiring.exits[*index], parts.router, parts.fan_out);
    if (!over_) move_on();
  } else {
    fail({ErrorCode::kInvalidInput, about("node", node, "is none of this graph")});
  }
}

// give hands `answers` to the branches that asked. One without any goes on waiting.
template <GraphState State, typename Services>
void Run<State, Services>::give(const AnswerMap& answers) {
  for (const auto& [key, answer] : answers) {
    const auto asks = [&key](const Leg& leg) {
      return std::ranges::find(leg.questions, key, &Question::key) != leg.questions.end();
    };
    const auto leg = std::ranges::find_if(legs_, asks);
    if (leg == legs_.end()) {
      return fail({ErrorCode::kInvalidInput, about("nothing waits for an answer to", key, "here")});
    }
    leg->visit.answers.insert_or_assign(key, answer);
  }
  for (Leg& leg : legs_) {
    if (!leg.questions.empty() && leg.visit.answers.empty()) leg.is = Is::kWaits;
  }
}

// follow takes the ways out of `from` that the state asks for.
template <GraphState State, typename Services>
void Run<State, Services>::follow(std::string_view from, const Exits& exits,
                                  const Router<State>& router, const FanOut<State>& fan_out) {
  for (const Exits::Way& way : exits.edges) reach(from, way.to, std::nullopt);
  if (router && !choose(from, exits, router(std::as_const(state_)), std::nullopt)) return;
  if (fan_out) {
    for (Send& send : fan_out(std::as_const(state_))) {
      if (!choose(from, exits, send.node, std::move(send.input))) return;
    }
  }
  for (const std::size_t join : exits.joins) arrive(from, join);
}

template <GraphState State, typename Services>
bool Run<State, Services>::choose(std::string_view from, const Exits& exits, std::string_view to,
                                  std::optional<Json> input) {
  const Exits::Way* const way = parts_.wiring.find(exits, to);
  if (way == nullptr) {
    fail({ErrorCode::kInvalidInput,
          about("router of", from, "returned " + in_quotes(to) + ", not one of its targets")});
    return false;
  }
  reach(from, way->to, std::move(input));
  return true;
}

// reach adds a branch to the next step. Edges to one node are one visit of it, Sends one each.
template <GraphState State, typename Services>
void Run<State, Services>::reach(std::string_view from, std::size_t to, std::optional<Json> input) {
  if (scope_.observer != nullptr) scope_.observer->edge_taken(from, name(to));
  if (to == kEndIndex) return;
  const auto same = [to](const Leg& leg) { return leg.node == to && !leg.input; };
  if (!input && std::ranges::any_of(next_, same)) return;
  next_.emplace_back(to, name(to), context_).input = std::move(input);
}

// arrive notes at a join that the node `from` was done, and goes on when all have come.
template <GraphState State, typename Services>
void Run<State, Services>::arrive(std::string_view from, std::size_t join) {
  const Wiring::Join& wired = parts_.wiring.joins[join];
  std::vector<std::size_t>& arrived = joins_[join];
  const std::size_t node = *parts_.wiring.index_of(from);
  if (std::ranges::find(arrived, node) == arrived.end()) arrived.push_back(node);
  if (arrived.size() < wired.from.size()) {
    if (scope_.observer != nullptr) scope_.observer->edge_taken(from, name(wired.to));
    return;
  }
  arrived.clear();
  reach(from, wired.to, std::nullopt);
}

// move_on makes the branches that were reached those of the next step.
template <GraphState State, typename Services>
void Run<State, Services>::move_on() {
  legs_.swap(next_);
  next_.clear();
  route_before_ = route_.size();
  steps_before_ = steps();
  between_steps_ = true;
  if (legs_.empty()) over_ = true;
  name_legs();
  stream_next(scope_.observer, legs_);
}

// name_legs tells apart the branches that visit one node.
template <GraphState State, typename Services>
void Run<State, Services>::name_legs() {
  if (legs_.size() < 2) return;
  std::vector<int> before(parts_.nodes.size(), 0);
  for (Leg& leg : legs_) {
    const int nth = ++before[leg.node];
    if (nth > 1) leg.key += ':' + std::to_string(nth);
  }
}

}  // namespace plumbline::graph::internal
