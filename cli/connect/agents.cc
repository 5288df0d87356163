#include "cli/connect/agents.h"

#include <algorithm>
#include <utility>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "cli/config/load_config.h"
#include "cli/connect/found_agents.h"
#include "core/base/errors/errors.h"
#include "core/os/child/environment.h"

namespace plumbline::cli {

namespace {

constexpr std::int64_t kChildrenMax = 4;  // Processes of one agent at one time.

}  // namespace

void add_agent_files(CLI::App& app, AgentFiles& files) {
  app.add_option("FILE", files.files, "Files of agents, mcpServers files, settings")
      ->required()
      ->type_name("");
  app.add_option("--agent", files.agents, "Only this agent; repeatable")
      ->type_name("ID")
      ->expected(1)
      ->take_all()
      ->allow_extra_args(false);
  add_inputs(app, files.inputs);
}

Result<Config> load_agents(const AgentFiles& files, Host& host) {
  host.hide_environment();
  Config config;
  for (const std::string& file : files.files) {
    Result<Config> read = load_config({file, files.agents, files.inputs}, host, std::move(config));
    if (!read.ok()) return read;
    config = std::move(read).value();
  }
  const Status set = take_variables(config.settings, os::environment_variable);
  if (!set.ok()) return set.error();
  host.secrets().add_all(secrets_of(config));
  const Status found = add_found(config, host);
  if (!found.ok()) return found.error();
  for (const std::string& agent : files.agents) {
    if (std::ranges::find(config.servers, agent) != config.servers.end()) continue;
    return the_error("target.no-such-server", std::string("agent ") + agent, "files name", "agent");
  }
  const Status started = keep_servers(config, files.agents);
  if (!started.ok()) return started.error();
  if (!files.agents.empty()) config.servers = files.agents;
  if (!config.servers.empty()) return config;
  return the_error("agent.none", files.files.front());
}

connector::TrialOptions trial_of(const Config& config, const std::string& agent, Duration timeout) {
  connector::TrialOptions out;
  out.agent = agent;
  out.connect_timeout = config.settings.connection_timeout;
  out.request_timeout = timeout == Duration::zero() ? config.request_timeout : timeout;
  if (const auto said = config.agents.find(agent); said != config.agents.end()) {
    out.methods = said->second.capabilities.value_or(std::vector<std::string>());
    out.connect_timeout = said->second.timeout.value_or(out.connect_timeout);
  }
  const std::int64_t most = config.commands.contains(agent) ? kChildrenMax : 100;
  out.connections = static_cast<int>(std::min(config.settings.connections_max, most));
  out.rate = rate_of(config.settings);
  return out;
}

std::unique_ptr<Tokens> tokens_for(const Config& config, Host& host) {
  if (config.remotes.empty() || !config.settings.secure_storage) return nullptr;
  if (!Tokens::exist(host)) return nullptr;
  Result<std::unique_ptr<Tokens>> tokens = Tokens::open(host, config.settings);
  if (tokens.ok()) return std::move(tokens).value();
  host.tell_line("note: the tokens that are kept cannot be read: " + tokens.error().message);
  return nullptr;
}

}  // namespace plumbline::cli
