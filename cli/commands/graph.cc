#include "cli/commands/graph.h"

#include <string>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "core/agents/agents.h"
#include "core/graph/drawing.h"

namespace plumbline::cli {

void GraphOptions::declare(CLI::App& app) {
  app.add_option("NAME", name, "The agent (default operations-assistant)");
  app.add_option("--format", format, "mermaid or dot")->check(CLI::IsMember({"mermaid", "dot"}));
}

int run_graph(const GraphOptions& options, Host& host) {
  const agents::Agent* const agent = agents::find_agent(options.name);
  if (agent == nullptr) {
    return host.complain(
        "no agent is called \"" + options.name + "\", expected one of: " + agents::agent_names(),
        kExitUsage);
  }
  const graph::Drawing drawing = agent->drawing();
  host.out(options.format == "dot" ? graph::draw_dot(drawing) : graph::draw_mermaid(drawing));
  return kExitOk;
}

}  // namespace plumbline::cli
