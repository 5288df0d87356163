#include "scenarios/judge/route_map.h"

#include "core/agents/all/agents.h"
#include "core/base/check.h"
#include "core/graph/node.h"

namespace plumbline::scenarios {

RouteMap::RouteMap(const graph::Drawing& drawing) { add(drawing, ""); }

void RouteMap::add(const graph::Drawing& drawing, const std::string& prefix) {
  for (const graph::Drawing::Node& node : drawing.nodes) {
    nodes_.insert(prefix + node.name);
    if (!node.inside.empty()) add(node.inside.front(), prefix + node.name + '/');
  }
  for (const graph::Drawing::Edge& edge : drawing.edges) {
    targets_[prefix + edge.from].insert(prefix + edge.to);
  }
}

bool RouteMap::has_edge(std::string_view from, std::string_view to) const {
  const auto targets = targets_.find(from);
  return targets != targets_.end() && targets->second.contains(to);
}

std::string RouteMap::targets_of(std::string_view from) const {
  std::string out;
  const auto targets = targets_.find(from);
  if (targets == targets_.end()) return out;
  for (const std::string& target : targets->second) out += (out.empty() ? "" : ", ") + target;
  return out;
}

std::optional<RouteMap::Flaw> RouteMap::check_route(std::span<const std::string> route,
                                                    bool unfinished) const {
  std::string_view here = graph::kStart;
  std::string_view before;  // Where the step of `here` was reached from: its sisters follow, too.
  for (std::size_t i = 0; i < route.size(); ++i) {
    if (!has_node(route[i])) {
      return Flaw{
          i, "\"" + route[i] + "\" is no node of the graph, expected one of " + targets_of(here)};
    }
    const bool next = has_edge(here, route[i]);
    if (!next && !has_edge(before, route[i])) {
      return Flaw{i, "the graph has no edge from " + std::string(here) + " to " + route[i] +
                         ", expected one of " + targets_of(here)};
    }
    if (next) before = here;
    here = route[i];
  }
  if (unfinished || has_edge(here, graph::kEnd)) return std::nullopt;
  return Flaw{
      route.empty() ? 0 : route.size() - 1,
      "the route ends at " + std::string(here) + ", expected it to go on to " + targets_of(here)};
}

const RouteMap& routes_of(const agents::Agent& agent) {
  static const std::map<std::string_view, RouteMap> kMaps = [] {
    std::map<std::string_view, RouteMap> maps;
    for (const agents::Agent* const each : agents::all_agents()) {
      maps.emplace(each->name(), RouteMap(each->drawing()));
    }
    return maps;
  }();
  const auto found = kMaps.find(agent.name());
  check(found != kMaps.end(), "an agent of agents.cc");
  return found->second;
}

}  // namespace plumbline::scenarios
