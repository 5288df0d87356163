// Topology is a graph's shape while it is being described, and Wiring the same once it is known to
// be sound. Neither knows the State: every refusal is decided here, once.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/graph/drawing.h"
#include "core/graph/node.h"

namespace plumbline::graph {

// Target is a declared way on. The label is for drawings only.
struct Target {
  Target(std::string_view target) : to(target) {}  // NOLINT(google-explicit-constructor)
  Target(const char* target) : to(target) {}       // NOLINT(google-explicit-constructor)
  Target(std::string_view text, std::string_view target) : label(text), to(target) {}

  std::string label;
  std::string to;
};

namespace internal {

// in_quotes returns 'text'; about returns "kind 'name' rest": how every message here is built.
std::string in_quotes(std::string_view text);
std::string about(std::string_view kind, std::string_view name, std::string_view rest);

inline constexpr std::size_t kEndIndex = SIZE_MAX;

// Exits are the ways out of one node, or of kStart.
struct Exits {
  struct Way {
    std::size_t to = kEndIndex;
    std::string label;
  };

  std::vector<Way> edges;          // Taken always, all of them.
  std::vector<Way> choices;        // Of which the router chooses.
  std::vector<std::size_t> joins;  // Where it arrives.

  bool any() const { return !edges.empty() || !choices.empty() || !joins.empty(); }
};

struct Wiring {
  struct Join {
    std::vector<std::size_t> from;
    std::size_t to = kEndIndex;
  };

  std::vector<std::string> names;
  std::vector<Exits> exits;  // By node.
  Exits start;
  std::vector<Join> joins;  // One a node at most.

  std::string_view name_of(std::size_t node) const {
    return node == kEndIndex ? kEnd : std::string_view(names[node]);
  }
  std::optional<std::size_t> index_of(std::string_view name) const;

  // join_of returns the join before the node called `name`.
  std::optional<std::size_t> join_of(std::string_view name) const;

  // find returns the choice called `name`, nullptr when it was not declared.
  const Exits::Way* find(const Exits& from, std::string_view name) const;
};

class Topology {
 public:
  void add_node(std::string_view name, const NodePolicy& policy);
  void add_edge(std::string_view from, std::string_view to);
  void add_conditional_edges(std::string_view from, std::vector<Target> targets);
  void add_join(const std::vector<std::string>& from, std::string_view to);

  // refuse makes wire() fail with `message`, unless something was refused before.
  void refuse(std::string message);

  // wire returns the indices of everything that was named, or the first reason why this is no
  // graph: kInvalidInput.
  Result<Wiring> wire() const;

 private:
  struct NamedExits {
    std::string from;
    std::vector<Target> targets;
    bool conditional = false;
  };

  struct NamedJoin {
    std::vector<std::string> from;
    std::string to;
  };

  Status place(const NamedExits& named, Wiring& wiring) const;
  Status place(const NamedJoin& named, Wiring& wiring) const;

  std::vector<std::string> names_;
  std::vector<NamedExits> exits_;
  std::vector<NamedJoin> joins_;
  std::optional<Error> refused_;
};

// draw returns the Drawing of a graph without subgraphs.
Drawing draw(const Wiring& wiring);

}  // namespace internal
}  // namespace plumbline::graph
