// What the server of the agents says of itself: its tools, prompts and instructions.

#pragma once

#include <string>
#include <vector>

#include "core/agents/supervisor/supervisor_services.h"
#include "core/mcp/server/server_call.h"
#include "core/mcp/server/server_options.h"

namespace plumbline::cli {

// AgentsOffer is what decides of it.
struct AgentsOffer {
  bool commands = false;           // Command lines run on this machine,
  bool remote = false;             // or on others.
  bool approval = true;            // A person is asked about each.
  std::vector<std::string> roots;  // Folders whose files may be read.
  std::string threads;             // Where threads are kept, in words.
  std::vector<std::string> tools;  // Those that are offered; empty: all.
  std::string no_model;            // Why no model can be asked; empty: one can.
};

// check_tools returns whether the names of `offer.tools` are of tools. kInvalidInput names the one
// that is not, and the nearest.
Status check_tools(const std::vector<std::string>& names);

// offer_agents adds the tools, prompts and instructions to `out`.
void offer_agents(const AgentsOffer& offer, mcp::ServerOptions& out);

// facts_of is what the tool `version` tells of the server.
Json facts_of(const AgentsOffer& offer, const mcp::ServerOptions& options);

// agents_prompt answers prompts/get.
mcp::Reply<Json> agents_prompt(const Json& params);

}  // namespace plumbline::cli
