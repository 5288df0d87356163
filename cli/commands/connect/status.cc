#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "cli/commands/connect/connect.h"
#include "cli/connect/agent_status.h"
#include "cli/connect/real_door.h"
#include "cli/jobs/agent_job.h"
#include "cli/options/common_options.h"
#include "core/base/errors/errors.h"
#include "core/base/task_group.h"
#include "core/base/wait.h"
#include "core/os/interrupt.h"
#include "core/os/terminal.h"
#include "core/os/wall_clock.h"
#include "reports/text.h"

namespace plumbline::cli {

namespace {

constexpr int kStandardOutput = 1;
constexpr std::size_t kColumns = 160;  // Where it is no terminal.

constexpr std::size_t kRefreshedMax = 20;  // More agents may not fit on a screen.

// StatusScreen is the table, written anew on a terminal whenever something changes.
class StatusScreen {
 public:
  StatusScreen(Host& host, const std::vector<AgentStatus>& agents, bool json)
      : host_(host), agents_(agents), json_(json) {
    if (!json && agents.size() <= kRefreshedMax && os::is_terminal(kStandardOutput)) {
      columns_ = os::terminal_columns(kStandardOutput).value_or(kColumns);
    }
  }

  void changed() {
    if (columns_) show();
  }

  void finish() {
    if (json_) {
      Json all = Json::array();
      for (const AgentStatus& agent : agents_) all.push_back(to_json(agent));
      host_.secrets().redact(all);
      host_.out(reports::safe_json(pretty_json(all)) + "\n");
    } else if (!columns_) {
      host_.out(text(kColumns));
    }
  }

 private:
  std::string text(std::size_t columns) const {
    return host_.secrets().redactor().redact(status_table(agents_, columns));
  }

  void show() {
    if (shown_) host_.out("\x1b[" + std::to_string(agents_.size() + 1) + "A\x1b[J");
    shown_ = true;
    host_.out(text(*columns_));
  }

  Host& host_;
  const std::vector<AgentStatus>& agents_;
  bool json_;
  std::optional<std::size_t> columns_;
  bool shown_ = false;
};

using Doors = std::vector<std::unique_ptr<RealDoor>>;

// look_at_every looks at every `step`th agent from `first` on: as many do so at one time as there
// may be connections.
Task<void> look_at_every(Loop& loop, Config& config, std::vector<AgentStatus>& agents, Doors& doors,
                         std::size_t first, std::size_t step, StatusScreen& screen) {
  for (std::size_t i = first; i < agents.size(); i += step) {
    std::function<void()> on_change = [&screen] { screen.changed(); };
    connector::TrialOptions options = trial_of(config, agents[i].agent, Duration());
    std::optional<connector::RetryStrategies> retries;
    const auto said = config.agents.find(agents[i].agent);
    if (said != config.agents.end()) retries = said->second.retries;
    AgentStatus& agent = agents[i];
    AgentStatus fresh;
    fresh.agent = agent.agent;
    fresh.looks = agent.looks;
    fresh.failures = agent.failures;
    fresh.last_check = agent.last_check;
    agent = std::move(fresh);
    co_await look_at(loop, *doors[i], std::move(options), std::move(retries), agent,
                     std::move(on_change));
    ++agent.looks;
    if (agent.state != connector::ConnectionState::kReady) ++agent.failures;
    agent.last_check = os::wall_clock_rfc3339();
    screen.changed();
  }
}

// look_on looks at all of them, once or, with `every`, again and again until it is dropped.
Task<void> look_on(Loop& loop, Config& config, std::vector<AgentStatus>& agents, Doors& doors,
                   std::optional<Duration> every, StatusScreen& screen) {
  const auto step = static_cast<std::size_t>(config.settings.connections_max);
  for (;;) {
    TaskGroup group;
    for (std::size_t i = 0; i < std::min(step, agents.size()); ++i) {
      group.spawn(look_at_every(loop, config, agents, doors, i, step, screen));
    }
    co_await group.join(loop);
    screen.finish();
    if (!every) co_return;
    co_await Sleep(loop, after(loop.now(), *every));
  }
}

}  // namespace

void ConnectStatusOptions::declare(CLI::App& app) {
  add_agent_files(app, agents);
  app.add_flag("--json", json, "Print one JSON document");
  app.add_flag("--watch", watch, "Keep watching until interrupted");
  app.add_option("--every", every_, "With --watch: check this often (default 5s)")
      ->type_name("TIME");
}

Status ConnectStatusOptions::read() {
  if (every_.empty()) return Done{};
  if (!watch) return the_error("connect.every");
  return read_duration("--every", every_, every);
}

void ConnectListOptions::declare(CLI::App& app) {
  add_agent_files(app, agents);
  app.add_flag("--json", json, "Print one JSON document");
}

int run_connect_status(const ConnectStatusOptions& options, Host& host) {
  Result<Config> config = load_agents(options.agents, host);
  if (!config.ok()) return complain_of_config(config.error(), host);
  SignedIn signed_in(host, tokens_for(config.value(), host));
  std::vector<AgentStatus> agents;
  Doors doors;
  for (const std::string& agent : config.value().servers) {
    agents.emplace_back().agent = agent;
    doors.push_back(std::make_unique<RealDoor>(config.value(), agent, signed_in, host));
  }
  StatusScreen screen(host, agents, options.json);
  os::RealLoop& loop = host.world().loop();
  bool interrupted = false;
  const os::Interrupt interrupt(loop, [&interrupted](int) { interrupted = true; });
  std::optional<Duration> every;
  if (options.watch) every = options.every;
  Task<void> looking = look_on(loop, config.value(), agents, doors, every, screen);
  looking.start();
  loop.run_until([&] { return looking.done() || interrupted; });
  if (interrupted && !options.watch) screen.finish();
  // Whoever watches ends it by a signal: that is no failure.
  if (interrupted && !options.watch) return kExitInterrupted;
  const bool all = std::ranges::all_of(agents, [](const AgentStatus& agent) {
    return agent.state == connector::ConnectionState::kReady;
  });
  return all ? kExitOk : kExitUnreachable;
}

int run_connect_list(const ConnectListOptions& options, Host& host) {
  const Result<Config> config = load_agents(options.agents, host);
  if (!config.ok()) return complain_of_config(config.error(), host);
  Json all = Json::array();
  std::string text;
  for (const std::string& agent : config.value().servers) {
    const auto remote = config.value().remotes.find(agent);
    const auto command = config.value().commands.find(agent);
    std::string place;
    if (remote != config.value().remotes.end()) {
      place = remote->second.url.origin() + remote->second.url.target;
    } else {
      for (const std::string& word : command->second.argv) {
        place += (place.empty() ? "" : " ") + word;
      }
    }
    Json one = Json::object();
    one["agent"] = agent;
    one["place"] = place;
    all.push_back(std::move(one));
    text += agent + "  " + place + "\n";
  }
  host.secrets().redact(all);
  host.out(options.json ? reports::safe_json(pretty_json(all)) + "\n"
                        : reports::printable(host.secrets().redactor().redact(text)));
  return kExitOk;
}

}  // namespace plumbline::cli
