// Drawing is the shape of a graph as plain data, and its two pictures.

#pragma once

#include <string>
#include <vector>

namespace plumbline::graph {

struct Drawing {
  struct Edge {
    std::string from;  // A node or kStart.
    std::string to;    // A node or kEnd.
    std::string label{};
    bool conditional = false;
    bool parallel = false;  // One of several that are taken together.
    bool joins = false;     // Waits at its end for the others that join there.
  };
  struct Node {
    std::string name;
    std::vector<Drawing> inside;  // One Drawing when the node is a subgraph, else none.
  };

  std::vector<Node> nodes;  // In the order they were added.
  std::vector<Edge> edges;  // From kStart first, then by source node.
};

// draw_mermaid returns a Mermaid flowchart: conditional edges dashed, parallel ones thick, those
// that wait for others at a join with a circle at their end; start and end round, a subgraph as a
// cluster with its own start and end. Ends in a newline.
std::string draw_mermaid(const Drawing& drawing);

// draw_dot returns the same picture for Graphviz.
std::string draw_dot(const Drawing& drawing);

}  // namespace plumbline::graph
