// GraphBuilder describes a StateGraph, piece by piece and in any order, then checks it as a whole.
//
//   GraphBuilder<State, Services> builder;
//   builder.add_node("ask", ask, {.attempts_max = 3});
//   builder.add_node("act", act);
//   builder.add_edge(kStart, "ask");
//   builder.add_conditional_edges("ask", enough, {{"yes", "act"}, {"no", "ask"}});
//   builder.add_edge("act", kEnd);
//   Result<Graph<State, Services>> graph = builder.build();

#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/graph/graph.h"

namespace plumbline::graph {

template <GraphState State, typename Services>
class GraphBuilder {
 public:
  // add_node adds one node. `name` must be new, not empty, without "/" and ":" and must not start
  // with "__".
  GraphBuilder& add_node(std::string_view name, Node<State, Services> node,
                         NodePolicy policy = {}) {
    if (!node) topology_.refuse(internal::about("node", name, "has no function"));
    return add(name, std::make_unique<internal::FunctionBody<State, Services>>(std::move(node)),
               policy);
  }

  // add_edge makes `to` follow `from`, always. Several edges from one node are parallel branches:
  // they are visited in one step, and no later step begins before all of them are done.
  GraphBuilder& add_edge(std::string_view from, std::string_view to) {
    topology_.add_edge(from, to);
    return *this;
  }

  // add_conditional_edges makes `router` choose among `targets` (each "name" or {"label", "name"})
  // when `from` is done. `from` may be kStart, a target may be kEnd.
  GraphBuilder& add_conditional_edges(std::string_view from, Router<State> router,
                                      std::vector<Target> targets) {
    if (!router) topology_.refuse(internal::about("conditional edges from", from, "lack a router"));
    topology_.add_conditional_edges(from, std::move(targets));
    routers_.push_back({std::string(from), std::move(router), nullptr});
    return *this;
  }

  // add_conditional_edges makes `fan_out` choose any number of `targets` when `from` is done. Its
  // Sends carry inputs of their own.
  GraphBuilder& add_conditional_edges(std::string_view from, FanOut<State> fan_out,
                                      std::vector<Target> targets) {
    if (!fan_out)
      topology_.refuse(internal::about("conditional edges from", from, "lack a router"));
    topology_.add_conditional_edges(from, std::move(targets));
    routers_.push_back({std::string(from), nullptr, std::move(fan_out)});
    return *this;
  }

  // add_join makes `to` follow when all of `from` were done, in whichever steps, since it was last
  // visited from here. One join a node; other edges may lead to it as well.
  GraphBuilder& add_join(const std::vector<std::string>& from, std::string_view to) {
    topology_.add_join(from, to);
    return *this;
  }

  // add_subgraph adds a node that is a whole graph: `enter` makes the inner state, `leave` the
  // update from the inner state at its end.
  //
  // Its nodes count towards the same steps_max as all others; its visits start from 0 each time
  // it is entered. The policy holds for the subgraph as a whole: a retry enters it anew. An
  // Interrupt inside interrupts the run, and resume() goes on in the inner node. With a Thread a
  // run that died inside goes on inside.
  template <GraphState Inner>
  GraphBuilder& add_subgraph(std::string_view name, Graph<Inner, Services> inner,
                             std::function<Inner(const State&)> enter,
                             std::function<typename State::Update(Inner)> leave,
                             NodePolicy policy = {}) {
    std::function<Inner(const State&, const Json*)> entering;
    if (enter) {
      entering = [enter = std::move(enter)](const State& state, const Json* /*input*/) {
        return enter(state);
      };
    }
    return add_subgraph<Inner>(name, std::move(inner), std::move(entering), std::move(leave),
                               policy);
  }

  // The same for Sends: `enter` gets the input of the one that it comes from, else nullptr.
  template <GraphState Inner>
  GraphBuilder& add_subgraph(std::string_view name, Graph<Inner, Services> inner,
                             std::function<Inner(const State&, const Json* input)> enter,
                             std::function<typename State::Update(Inner)> leave,
                             NodePolicy policy = {}) {
    if (!enter || !leave)
      topology_.refuse(internal::about("subgraph", name, "lacks a way in or out"));
    return add(name,
               std::make_unique<internal::SubgraphBody<State, Inner, Services>>(
                   std::move(inner), std::move(enter), std::move(leave)),
               policy);
  }

  // build returns the graph, or kInvalidInput with one message that names what is wrong: a name
  // that is reserved or used twice, an edge from or to what is no node or that is there already, a
  // node with no way on, with two routers, never reached, or without a path to the end; a policy
  // out of range. Leaves the builder empty.
  Result<Graph<State, Services>> build();

 private:
  struct NamedRouter {
    std::string from;
    Router<State> router;
    FanOut<State> fan_out;
  };

  GraphBuilder& add(std::string_view name, std::unique_ptr<internal::Body<State, Services>> body,
                    NodePolicy policy) {
    topology_.add_node(name, policy);
    nodes_.push_back({std::move(body), policy});
    return *this;
  }

  internal::Topology topology_;
  std::vector<internal::NodeParts<State, Services>> nodes_;
  std::vector<NamedRouter> routers_;
};

template <GraphState State, typename Services>
Result<Graph<State, Services>> GraphBuilder<State, Services>::build() {
  GraphBuilder spent = std::exchange(*this, GraphBuilder());
  Result<internal::Wiring> wiring = spent.topology_.wire();
  if (!wiring.ok()) return wiring.error();
  internal::Parts<State, Services> parts = {std::move(wiring).value(), std::move(spent.nodes_)};
  for (NamedRouter& named : spent.routers_) {
    const std::optional<std::size_t> node = parts.wiring.index_of(named.from);
    (node ? parts.nodes[*node].router : parts.start_router) = std::move(named.router);
    (node ? parts.nodes[*node].fan_out : parts.start_fan_out) = std::move(named.fan_out);
  }
  return Graph<State, Services>(std::move(parts));
}

}  // namespace plumbline::graph
