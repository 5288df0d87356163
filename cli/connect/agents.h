// The agents that files name, for the commands that look after connections.

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cli/config/config.h"
#include "cli/connect/tokens.h"
#include "cli/host.h"
#include "core/connector/trial/connection_tests.h"

namespace CLI {
class App;
}

namespace plumbline::cli {

// AgentFiles is which agents are meant.
struct AgentFiles {
  std::vector<std::string> files;
  std::vector<std::string> agents;  // Of those that the files name; empty: all.
  std::vector<std::string> inputs;  // That the files ask for: "NAME=VALUE".
};

void add_agent_files(CLI::App& app, AgentFiles& files);

// load_agents reads the files, the variables, and the registry where one of the files names one.
// The secrets of it all become those of the host. One line: kInvalidInput, a file is wrong or there
// is no such agent; kDisconnected, the registry cannot be asked.
Result<Config> load_agents(const AgentFiles& files, Host& host);

// trial_of returns how the agent is tested that `config` names so. `timeout` of one request: 0, as
// the file says.
connector::TrialOptions trial_of(const Config& config, const std::string& agent, Duration timeout);

// tokens_for opens the tokens of this user for the agents of `config`, where any could be wanted.
std::unique_ptr<Tokens> tokens_for(const Config& config, Host& host);

}  // namespace plumbline::cli
