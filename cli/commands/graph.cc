#include <string>

#include "cli/commands/commands.h"
#include "core/agents/agents.h"
#include "core/graph/drawing.h"

namespace plumbline::cli {

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
