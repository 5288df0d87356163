// What `run --client` does: the servers of a scenario run for real, a command that is somebody's
// agent or client is told where they are, and is judged by what they heard.

#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cli/host.h"
#include "cli/options/common_options.h"
#include "core/base/time.h"
#include "core/mcp/protocol/transports.h"
#include "scenarios/format/scenario.h"

namespace plumbline::cli {

struct AgentCommand {
  std::vector<std::string> words;          // With placeholders: docs/run.md.
  std::map<std::string, std::string> env;  // Of the command.
  std::string shown;                       // The command as reports show it.
  std::optional<mcp::Transport> over;  // Nothing: as each scenario has it, stdio if any will do.
  int jobs = 1;                        // Scenarios at one time.
  bool rules_only = false;             // What the files expect is named, and not judged.
};

// run_agent runs the command once for each scenario, and publishes the report.
int run_agent(const std::vector<scenarios::Scenario>& scenarios, const AgentCommand& agent,
              const Common& common, Host& host);

}  // namespace plumbline::cli
