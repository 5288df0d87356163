#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "cli/commands/connect/connect.h"
#include "cli/connect/real_door.h"
#include "cli/jobs/agent_job.h"
#include "cli/options/shown_words.h"
#include "cli/options/version.h"
#include "cli/publish.h"
#include "core/os/interrupt.h"
#include "core/os/wall_clock.h"

namespace plumbline::cli {

namespace {

std::string test_again(const AgentFiles& files, const std::string& agent) {
  std::vector<std::string> words = files.files;
  words.insert(words.end(), {"--agent", agent});
  return "plumbline connect test " + shown_words(words);
}

// test_agents tests one after the other, so that none disturbs another. `again` returns the command
// that tests one of them again.
Task<void> test_agents(Config& config, Duration timeout, SignedIn& signed_in, Host& host,
                       std::function<std::string(const std::string&)> again, Report& report) {
  for (const std::string& agent : config.servers) {
    RealDoor door(config, agent, signed_in, host);
    connector::ConnectionTests tests(host.world().loop(), door, trial_of(config, agent, timeout));
    std::vector<CheckResult> rows = co_await tests.run();
    for (CheckResult& row : rows) {
      row.transport = door.transport();
      row.level = "MUST";
      if (row.verdict != Verdict::kPass) row.reproduce = again(agent);
      report.results.push_back(std::move(row));
    }
  }
}

}  // namespace

void ConnectTestOptions::declare(CLI::App& app) {
  add_agent_files(app, agents);
  add_timeout(app, texts_);
  add_common(app, common, texts_);
}

Status ConnectTestOptions::read() { return read_common(texts_, common); }

int run_connect_test(const ConnectTestOptions& options, Host& host) {
  Result<Config> config = load_agents(options.agents, host);
  if (!config.ok()) return complain_of_config(config.error(), host);
  SignedIn signed_in(host, tokens_for(config.value(), host));
  Report report;
  report.version = kVersion;
  report.command = "connect test";
  report.target = Json::object();
  report.target["agents"] = config.value().servers;
  report.started = os::wall_clock_rfc3339();
  os::RealLoop& loop = host.world().loop();
  const Instant begin = loop.now();
  bool interrupted = false;
  const os::Interrupt interrupt(loop, [&interrupted](int) { interrupted = true; });
  const auto again = [&options](const std::string& agent) {
    return test_again(options.agents, agent);
  };
  Task<void> work =
      test_agents(config.value(), options.common.timeout, signed_in, host, again, report);
  work.start();
  loop.run_until([&] { return work.done() || interrupted; });
  report.duration_ms = static_cast<double>((loop.now() - begin).count()) / 1e6;
  const int status = publish(host, options.common, report);
  return interrupted ? kExitInterrupted : status;
}

}  // namespace plumbline::cli
