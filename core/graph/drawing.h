// Drawing is the shape of a graph as plain data, and its two pictures.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace plumbline::graph {

struct Drawing {
  struct Edge {
    std::string from;  // A node or kStart.
    std::string to;    // A node or kEnd.
    std::string label{};
    bool conditional = false;
    bool parallel = false;   // One of several that are taken together.
    bool joins = false;      // Waits at its end for the others that join there.
    std::int64_t taken = 0;  // By the run that is drawn over it.
  };
  struct Node {
    std::string name;
    std::vector<Drawing> inside;  // One Drawing when the node is a subgraph, else none.
    std::int64_t visits = 0;      // Of the run that is drawn over it,
    bool here = false;            // which stands here.
  };

  std::vector<Node> nodes;  // In the order they were added.
  std::vector<Edge> edges;  // From kStart first, then by source node.
};

// draw_run draws a run over `drawing`: how often each node was visited and each edge taken, and
// where it stands. `route` are the nodes visited, in order; `here` those to be visited next, none
// when it has ended. Nodes of subgraphs are named "outer/inner". Names that the drawing does not
// have are left out.
void draw_run(Drawing& drawing, const std::vector<std::string>& route,
              const std::vector<std::string>& here);

// draw_mermaid returns a Mermaid flowchart: conditional edges dashed, parallel ones thick, those
// that wait for others at a join with a circle at their end; start and end round, a subgraph as a
// cluster with its own start and end. What a run that is drawn over it has visited is green, with
// how often, and where it stands is yellow. Ends in a newline.
std::string draw_mermaid(const Drawing& drawing);

// draw_dot returns the same picture for Graphviz.
std::string draw_dot(const Drawing& drawing);

}  // namespace plumbline::graph
