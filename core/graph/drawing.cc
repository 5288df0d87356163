#include "core/graph/drawing.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string_view>
#include <utility>

#include "core/graph/node.h"

namespace plumbline::graph {

namespace {

// Names are free text and words like "end" mean something to Mermaid, so a node's id is its
// number, led by those of the subgraphs around it: "n3", "n3_n0", "n3_start".
class Ids {
 public:
  Ids(const Drawing& drawing, std::string prefix) : drawing_(drawing), prefix_(std::move(prefix)) {}

  std::string start() const { return prefix_ + "start"; }
  std::string end() const { return prefix_ + "finish"; }
  std::string node(std::size_t index) const { return prefix_ + "n" + std::to_string(index); }
  std::string within(std::size_t index) const { return node(index) + "_"; }

  // leaving returns where an edge from `name` begins, entering where one to it ends: at a
  // subgraph's own end and start.
  std::string leaving(std::string_view name) const {
    return name == kStart ? start() : at(name, "finish");
  }
  std::string entering(std::string_view name) const {
    return name == kEnd ? end() : at(name, "start");
  }

 private:
  std::string at(std::string_view name, std::string_view side) const {
    std::size_t index = 0;
    while (index < drawing_.nodes.size() && drawing_.nodes[index].name != name) ++index;
    const bool cluster = index < drawing_.nodes.size() && !drawing_.nodes[index].inside.empty();
    return cluster ? within(index) + std::string(side) : node(index);
  }

  const Drawing& drawing_;
  std::string prefix_;
};

bool is_alphanumeric(char c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

// mermaid_text escapes what would end a quoted text, be read as an entity or as Markdown. An
// underscore within a word means nothing there and stays readable.
std::string mermaid_text(std::string_view text) {
  std::string out = "\"";
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    const bool inside = at > 0 && is_alphanumeric(text[at - 1]) && at + 1 < text.size() &&
                        is_alphanumeric(text[at + 1]);
    if (c == '\n' || c == '\r') {
      out += ' ';
    } else if ((c == '_' && !inside) || std::string_view("\"#&<>`*").find(c) != text.npos) {
      out += "#" + std::to_string(static_cast<int>(c)) + ";";
    } else {
      out += c;
    }
  }
  return out + "\"";
}

std::string dot_text(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '\n' || c == '\r') {
      out += ' ';
    } else {
      if (c == '"' || c == '\\') out += '\\';
      out += c;
    }
  }
  return out + "\"";
}

std::string_view mermaid_arrow(const Drawing::Edge& edge) {
  if (edge.conditional) return "-.->";
  if (edge.joins) return "--o";
  return edge.parallel ? "==>" : "-->";
}

std::string_view dot_style(const Drawing::Edge& edge) {
  if (edge.conditional) return "style=dashed";
  if (edge.joins) return "arrowhead=odot";
  return edge.parallel ? "style=bold" : "";
}

// label_of returns the name of a node, with how often it was visited.
std::string label_of(const Drawing::Node& node) {
  return node.visits > 1 ? node.name + " (" + std::to_string(node.visits) + ")" : node.name;
}

// MermaidPen writes the lines of one flowchart; links are known by their number.
class MermaidPen {
 public:
  std::string draw(const Drawing& drawing) {
    out_ = "flowchart TD\n";
    body(drawing, Ids(drawing, ""), "  ");
    if (!visited_.empty()) {
      out_ += "  classDef visited fill:#d7f2d7,stroke:#2a7a2a\n  class " + visited_ + " visited\n";
    }
    if (!here_.empty()) {
      out_ += "  classDef here fill:#fff0b3,stroke:#b38600\n  class " + here_ + " here\n";
    }
    if (!taken_.empty()) out_ += "  linkStyle " + taken_ + " stroke:#2a7a2a,stroke-width:3px\n";
    return std::move(out_);
  }

 private:
  static void add(std::string& list, const std::string& one) {
    list += (list.empty() ? "" : ",") + one;
  }

  void mark(const Drawing::Node& node, const std::string& id) {
    if (node.here) return add(here_, id);
    if (node.visits > 0) add(visited_, id);
  }

  void body(const Drawing& drawing, const Ids& ids, const std::string& indent);

  std::string out_;
  std::string visited_;
  std::string here_;
  std::string taken_;
  std::int64_t links_ = 0;
};

void MermaidPen::body(const Drawing& drawing, const Ids& ids, const std::string& indent) {
  std::string& out = out_;
  out += indent + ids.start() + "([\"start\"])\n";
  for (std::size_t index = 0; index < drawing.nodes.size(); ++index) {
    const Drawing::Node& node = drawing.nodes[index];
    if (node.inside.empty()) {
      out += indent + ids.node(index) + "[" + mermaid_text(label_of(node)) + "]\n";
      mark(node, ids.node(index));
      continue;
    }
    const Drawing& inside = node.inside.front();
    out += indent + "subgraph " + ids.node(index) + "[" + mermaid_text(label_of(node)) + "]\n";
    mark(node, ids.node(index));
    body(inside, Ids(inside, ids.within(index)), indent + "  ");
    out += indent + "end\n";
  }
  out += indent + ids.end() + "([\"end\"])\n";
  for (const Drawing::Edge& edge : drawing.edges) {
    out += indent + ids.leaving(edge.from) + ' ' + std::string(mermaid_arrow(edge));
    if (!edge.label.empty()) out += "|" + mermaid_text(edge.label) + "|";
    out += " " + ids.entering(edge.to) + "\n";
    if (edge.taken > 0) add(taken_, std::to_string(links_));
    ++links_;
  }
}

// dot_fill returns the attributes of what a run has visited, led by `before` where there are any.
std::string dot_fill(const Drawing::Node& node, const char* before) {
  if (node.here) return std::string(before) + "style=filled, fillcolor=\"#fff0b3\"";
  return node.visits > 0 ? std::string(before) + "style=filled, fillcolor=\"#d7f2d7\"" : "";
}

void dot_body(const Drawing& drawing, const Ids& ids, const std::string& indent, std::string& out) {
  out += indent + ids.start() + " [label=\"start\", shape=ellipse];\n";
  for (std::size_t index = 0; index < drawing.nodes.size(); ++index) {
    const Drawing::Node& node = drawing.nodes[index];
    if (node.inside.empty()) {
      out += indent + ids.node(index) + " [label=" + dot_text(label_of(node)) +
             dot_fill(node, ", ") + "];\n";
      continue;
    }
    const Drawing& inside = node.inside.front();
    out += indent + "subgraph cluster_" + ids.node(index) + " {\n";
    out += indent + "  label=" + dot_text(label_of(node)) + ";\n";
    const std::string fill = dot_fill(node, "");
    if (!fill.empty()) out += indent + "  graph [" + fill + "];\n";
    dot_body(inside, Ids(inside, ids.within(index)), indent + "  ", out);
    out += indent + "}\n";
  }
  out += indent + ids.end() + " [label=\"end\", shape=ellipse];\n";
  for (const Drawing::Edge& edge : drawing.edges) {
    out += indent + ids.leaving(edge.from) + " -> " + ids.entering(edge.to);
    std::string attributes(dot_style(edge));
    if (!edge.label.empty()) {
      attributes += (attributes.empty() ? "label=" : ", label=") + dot_text(edge.label);
    }
    if (edge.taken > 0) {
      attributes += attributes.empty() ? "" : ", ";
      attributes += "color=\"#2a7a2a\", penwidth=2.5";
    }
    if (!attributes.empty()) out += " [" + attributes + ']';
    out += ";\n";
  }
}

// Route is a run of one drawing.
struct Route {
  std::vector<std::string> visited;
  std::vector<std::string> here;
  std::string last;

  void draw(Drawing& drawing) {
    std::map<std::string, Route> inside;  // By the subgraph.
    for (const std::string& step : visited) visit(drawing, step, inside);
    if (here.empty()) take(drawing, kEnd);
    for (const std::string& step : here) stand(drawing, step, inside);
    for (auto& [name, route] : inside) route.draw(node_of(drawing, name)->inside.front());
  }

 private:
  static Drawing::Node* node_of(Drawing& drawing, std::string_view name) {
    const auto found = std::ranges::find(drawing.nodes, name, &Drawing::Node::name);
    return found == drawing.nodes.end() ? nullptr : &*found;
  }

  void take(Drawing& drawing, std::string_view to) {
    for (Drawing::Edge& edge : drawing.edges) {
      if (edge.from == last && edge.to == to) ++edge.taken;
    }
    last = to;
  }

  // within returns the route inside of the subgraph that `step` stands in; nullptr: it is none.
  static Route* within(Drawing& drawing, const std::string& step,
                       std::map<std::string, Route>& inside) {
    const std::size_t slash = step.find('/');
    if (slash == std::string::npos) return nullptr;
    const Drawing::Node* const outer = node_of(drawing, step.substr(0, slash));
    if (outer == nullptr || outer->inside.empty()) return nullptr;
    return &inside.try_emplace(outer->name, Route{{}, {}, std::string(kStart)}).first->second;
  }

  void visit(Drawing& drawing, const std::string& step, std::map<std::string, Route>& inside) {
    if (Route* const inner = within(drawing, step, inside)) {
      return inner->visited.push_back(step.substr(step.find('/') + 1));
    }
    Drawing::Node* const node = node_of(drawing, step);
    if (node == nullptr) return;
    ++node->visits;
    take(drawing, step);
  }

  void stand(Drawing& drawing, const std::string& step, std::map<std::string, Route>& inside) {
    if (Route* const inner = within(drawing, step, inside)) {
      inner->here.push_back(step.substr(step.find('/') + 1));
    }
    const std::string outer = step.substr(0, step.find('/'));
    Drawing::Node* const node = node_of(drawing, outer);
    if (node == nullptr || node->here) return;
    node->here = true;
    const std::string before = last;
    take(drawing, outer);
    last = before;
  }
};

}  // namespace

void draw_run(Drawing& drawing, const std::vector<std::string>& route,
              const std::vector<std::string>& here) {
  Route of_all{route, here, std::string(kStart)};
  of_all.draw(drawing);
}

std::string draw_mermaid(const Drawing& drawing) { return MermaidPen().draw(drawing); }

std::string draw_dot(const Drawing& drawing) {
  std::string out = "digraph {\n  node [shape=box];\n";
  dot_body(drawing, Ids(drawing, ""), "  ", out);
  return out + "}\n";
}

}  // namespace plumbline::graph
