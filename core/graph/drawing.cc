#include "core/graph/drawing.h"

#include <cstddef>
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

void mermaid_body(const Drawing& drawing, const Ids& ids, const std::string& indent,
                  std::string& out) {
  out += indent + ids.start() + "([\"start\"])\n";
  for (std::size_t index = 0; index < drawing.nodes.size(); ++index) {
    const Drawing::Node& node = drawing.nodes[index];
    if (node.inside.empty()) {
      out += indent + ids.node(index) + "[" + mermaid_text(node.name) + "]\n";
      continue;
    }
    const Drawing& inside = node.inside.front();
    out += indent + "subgraph " + ids.node(index) + "[" + mermaid_text(node.name) + "]\n";
    mermaid_body(inside, Ids(inside, ids.within(index)), indent + "  ", out);
    out += indent + "end\n";
  }
  out += indent + ids.end() + "([\"end\"])\n";
  for (const Drawing::Edge& edge : drawing.edges) {
    out += indent + ids.leaving(edge.from) + ' ' + std::string(mermaid_arrow(edge));
    if (!edge.label.empty()) out += "|" + mermaid_text(edge.label) + "|";
    out += " " + ids.entering(edge.to) + "\n";
  }
}

void dot_body(const Drawing& drawing, const Ids& ids, const std::string& indent, std::string& out) {
  out += indent + ids.start() + " [label=\"start\", shape=ellipse];\n";
  for (std::size_t index = 0; index < drawing.nodes.size(); ++index) {
    const Drawing::Node& node = drawing.nodes[index];
    if (node.inside.empty()) {
      out += indent + ids.node(index) + " [label=" + dot_text(node.name) + "];\n";
      continue;
    }
    const Drawing& inside = node.inside.front();
    out += indent + "subgraph cluster_" + ids.node(index) + " {\n";
    out += indent + "  label=" + dot_text(node.name) + ";\n";
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
    if (!attributes.empty()) out += " [" + attributes + ']';
    out += ";\n";
  }
}

}  // namespace

std::string draw_mermaid(const Drawing& drawing) {
  std::string out = "flowchart TD\n";
  mermaid_body(drawing, Ids(drawing, ""), "  ", out);
  return out;
}

std::string draw_dot(const Drawing& drawing) {
  std::string out = "digraph {\n  node [shape=box];\n";
  dot_body(drawing, Ids(drawing, ""), "  ", out);
  return out + "}\n";
}

}  // namespace plumbline::graph
