// RouteMap answers which ways the graph of an agent has, from its drawing. Nodes of subgraphs, and
// where those start and end, are named "outer/inner".

#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "core/agents/agent.h"
#include "core/graph/drawing.h"
#include "core/json/json.h"

namespace plumbline::scenarios {

class RouteMap {
 public:
  explicit RouteMap(const graph::Drawing& drawing);

  const std::set<std::string, KeyOrder>& nodes() const { return nodes_; }
  bool has_node(std::string_view node) const { return nodes_.contains(node); }

  // has_edge also answers for graph::kStart and graph::kEnd.
  bool has_edge(std::string_view from, std::string_view to) const;

  // targets_of names where a node leads, for messages: "a, b".
  std::string targets_of(std::string_view from) const;

  // Flaw is why a route is none: the index of the offending node, and what is wrong with it.
  struct Flaw {
    std::size_t index = 0;
    std::string message;
  };

  // check_route returns the first flaw of a route from the start, and to the end unless it is
  // `unfinished`: a run that failed stops where it was. Branches of one step stand one behind the
  // other.
  std::optional<Flaw> check_route(std::span<const std::string> route, bool unfinished) const;

 private:
  void add(const graph::Drawing& drawing, const std::string& prefix);

  using Names = std::set<std::string, KeyOrder>;

  Names nodes_;
  std::map<std::string, Names, KeyOrder> targets_;  // By source.
};

// routes_of returns the map of one of agents::all_agents(), built once a process.
const RouteMap& routes_of(const agents::Agent& agent);

}  // namespace plumbline::scenarios
