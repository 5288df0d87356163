#include "core/graph/topology.h"

#include <algorithm>
#include <utility>

namespace plumbline::graph::internal {

namespace {

Error invalid(std::string message) { return {ErrorCode::kInvalidInput, std::move(message)}; }

// fault_of returns what is wrong with a policy, or nothing.
std::string_view fault_of(const NodePolicy& policy) {
  if (policy.attempts_max < 1) return "has attempts_max below 1";
  if (policy.visits_max < 1) return "has visits_max below 1";
  if (policy.timeout < Duration()) return "has a negative timeout";
  if (policy.backoff_initial < Duration()) return "has a negative backoff_initial";
  if (policy.backoff_max < policy.backoff_initial) return "has backoff_max below backoff_initial";
  if (policy.backoff_max > limits::kVirtualTimeMax) return "has backoff_max above a day";
  if (policy.backoff_growth_percent < 100 || policy.backoff_growth_percent > 10'000) {
    return "has backoff_growth_percent outside 100 to 10000";
  }
  if (policy.retry_on == nullptr) return "has no retry_on";
  return {};
}

// targets_of returns where `exits` may lead, kEndIndex included.
std::vector<std::size_t> targets_of(const Exits& exits, const Wiring& wiring) {
  std::vector<std::size_t> out;
  for (const Exits::Way& way : exits.edges) out.push_back(way.to);
  for (const Exits::Way& way : exits.choices) out.push_back(way.to);
  for (const std::size_t join : exits.joins) out.push_back(wiring.joins[join].to);
  return out;
}

// reach marks every node that can be reached from `start`. Steps are bounded by the edges.
void reach(const Exits& start, const Wiring& wiring, std::vector<bool>& reached) {
  std::vector<const Exits*> pending = {&start};
  while (!pending.empty()) {
    const Exits& next = *pending.back();
    pending.pop_back();
    for (const std::size_t to : targets_of(next, wiring)) {
      if (to == kEndIndex || reached[to]) continue;
      reached[to] = true;
      pending.push_back(&wiring.exits[to]);
    }
  }
}

// can_end marks every node from which kEnd can be reached.
std::vector<bool> can_end(const Wiring& wiring) {
  std::vector<bool> ends(wiring.names.size(), false);
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t node = 0; node < ends.size(); ++node) {
      const std::vector<std::size_t> targets = targets_of(wiring.exits[node], wiring);
      const bool found =
          std::ranges::any_of(targets, [&](std::size_t to) { return to == kEndIndex || ends[to]; });
      if (!found || ends[node]) continue;
      ends[node] = true;
      changed = true;
    }
  }
  return ends;
}

Status check_paths(const Wiring& wiring) {
  std::vector<bool> reached(wiring.names.size(), false);
  reach(wiring.start, wiring, reached);
  for (std::size_t node = 0; node < reached.size(); ++node) {
    if (!reached[node]) return invalid(about("node", wiring.names[node], "is never reached"));
  }
  const std::vector<bool> ends = can_end(wiring);
  for (std::size_t node = 0; node < ends.size(); ++node) {
    if (!ends[node]) return invalid(about("node", wiring.names[node], "has no path to the end"));
  }
  return Done{};
}

void draw_exits(std::string_view from, const Exits& exits, const Wiring& wiring, Drawing& drawing) {
  const bool parallel = exits.edges.size() > 1;
  for (const Exits::Way& way : exits.edges) {
    drawing.edges.push_back({.from = std::string(from),
                             .to = std::string(wiring.name_of(way.to)),
                             .label = way.label,
                             .parallel = parallel});
  }
  for (const Exits::Way& way : exits.choices) {
    drawing.edges.push_back({.from = std::string(from),
                             .to = std::string(wiring.name_of(way.to)),
                             .label = way.label,
                             .conditional = true});
  }
  for (const std::size_t join : exits.joins) {
    drawing.edges.push_back({.from = std::string(from),
                             .to = std::string(wiring.name_of(wiring.joins[join].to)),
                             .joins = true});
  }
}

}  // namespace

std::string in_quotes(std::string_view text) { return "'" + std::string(text) + "'"; }

std::string about(std::string_view kind, std::string_view name, std::string_view rest) {
  return std::string(kind) + " " + in_quotes(name) + " " + std::string(rest);
}

std::optional<std::size_t> Wiring::index_of(std::string_view name) const {
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) return std::nullopt;
  return static_cast<std::size_t>(found - names.begin());
}

std::optional<std::size_t> Wiring::join_of(std::string_view name) const {
  for (std::size_t join = 0; join < joins.size(); ++join) {
    if (name_of(joins[join].to) == name) return join;
  }
  return std::nullopt;
}

const Exits::Way* Wiring::find(const Exits& from, std::string_view name) const {
  for (const Exits::Way& way : from.choices) {
    if (name_of(way.to) == name) return &way;
  }
  return nullptr;
}

void Topology::refuse(std::string message) {
  if (!refused_) refused_ = invalid(std::move(message));
}

void Topology::add_node(std::string_view name, const NodePolicy& policy) {
  const bool taken = std::ranges::find(names_, name) != names_.end();
  if (name.empty()) refuse("a node has no name");
  if (name.starts_with("__")) refuse(about("node", name, "has a reserved name"));
  if (name.find('/') != name.npos) refuse(about("node", name, "has a name with '/' in it"));
  if (name.find(':') != name.npos) refuse(about("node", name, "has a name with ':' in it"));
  if (taken) refuse(about("node", name, "is added twice"));
  if (!fault_of(policy).empty()) refuse(about("node", name, fault_of(policy)));
  names_.emplace_back(name);
}

void Topology::add_edge(std::string_view from, std::string_view to) {
  exits_.push_back({std::string(from), {Target(to)}, false});
}

void Topology::add_conditional_edges(std::string_view from, std::vector<Target> targets) {
  exits_.push_back({std::string(from), std::move(targets), true});
}

void Topology::add_join(const std::vector<std::string>& from, std::string_view to) {
  joins_.push_back({from, std::string(to)});
}

Status Topology::place(const NamedExits& named, Wiring& wiring) const {
  const std::optional<std::size_t> source = wiring.index_of(named.from);
  if (named.from == kEnd)
    return invalid(about("edge from", named.from, "cannot be: it is the end"));
  if (!source && named.from != kStart) {
    return invalid(about("edge from", named.from, "comes from nowhere: there is no such node"));
  }
  Exits& exits = source ? wiring.exits[*source] : wiring.start;
  if (named.conditional && !exits.choices.empty()) {
    return invalid(about("node", named.from, "has two routers"));
  }
  if (named.targets.empty()) {
    return invalid(about("conditional edges from", named.from, "declare no target"));
  }
  std::vector<Exits::Way>& ways = named.conditional ? exits.choices : exits.edges;
  for (const Target& target : named.targets) {
    const std::string edge = "edge from " + in_quotes(named.from) + " to";
    if (target.to == kStart) return invalid(about(edge, target.to, "cannot be: it is the start"));
    const std::optional<std::size_t> to = wiring.index_of(target.to);
    if (!to && target.to != kEnd) {
      return invalid(about(edge, target.to, "leads nowhere: there is no such node"));
    }
    const std::size_t index = to.value_or(kEndIndex);
    if (!named.conditional && std::ranges::find(ways, index, &Exits::Way::to) != ways.end()) {
      return invalid(about(edge, target.to, "is added twice"));
    }
    ways.push_back({index, target.label});
  }
  return Done{};
}

Status Topology::place(const NamedJoin& named, Wiring& wiring) const {
  const std::optional<std::size_t> to = wiring.index_of(named.to);
  if (!to) return invalid(about("join at", named.to, "is at no node of this graph"));
  if (wiring.join_of(named.to)) return invalid(about("node", named.to, "has two joins"));
  if (named.from.size() < 2) return invalid(about("join at", named.to, "waits for less than two"));
  Wiring::Join join{{}, *to};
  for (const std::string& name : named.from) {
    const std::optional<std::size_t> from = wiring.index_of(name);
    if (!from) return invalid(about("join waits for", name, "which is no node of this graph"));
    if (std::ranges::find(join.from, *from) != join.from.end()) {
      return invalid(about("join waits for", name, "twice"));
    }
    join.from.push_back(*from);
    wiring.exits[*from].joins.push_back(wiring.joins.size());
  }
  wiring.joins.push_back(std::move(join));
  return Done{};
}

Result<Wiring> Topology::wire() const {
  if (refused_) return *refused_;
  Wiring wiring = {names_, std::vector<Exits>(names_.size()), {}, {}};
  for (const NamedExits& named : exits_) {
    const Status placed = place(named, wiring);
    if (!placed.ok()) return placed.error();
  }
  for (const NamedJoin& named : joins_) {
    const Status placed = place(named, wiring);
    if (!placed.ok()) return placed.error();
  }
  if (!wiring.start.any()) return invalid(about("node", kStart, "has no way on"));
  for (std::size_t node = 0; node < names_.size(); ++node) {
    if (!wiring.exits[node].any()) return invalid(about("node", names_[node], "has no way on"));
  }
  const Status paths = check_paths(wiring);
  if (!paths.ok()) return paths.error();
  return wiring;
}

Drawing draw(const Wiring& wiring) {
  Drawing drawing;
  for (const std::string& name : wiring.names) drawing.nodes.push_back({name, {}});
  draw_exits(kStart, wiring.start, wiring, drawing);
  for (std::size_t node = 0; node < wiring.names.size(); ++node) {
    draw_exits(wiring.names[node], wiring.exits[node], wiring, drawing);
  }
  return drawing;
}

}  // namespace plumbline::graph::internal
