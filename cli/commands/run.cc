#include "cli/commands/run.h"

#include <string>
#include <utility>
#include <vector>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "cli/options/choice.h"
#include "cli/options/expected_trace.h"
#include "cli/options/shown_words.h"
#include "cli/options/version.h"
#include "cli/publish.h"
#include "cli/runs/agent_runs.h"
#include "cli/runs/all_orders.h"
#include "cli/runs/fail_each.h"
#include "cli/runs/load.h"
#include "cli/runs/many_runs.h"
#include "cli/runs/real_run.h"
#include "core/base/errors/errors.h"
#include "scenarios/format/warnings.h"
#include "scenarios/world/runner.h"

namespace plumbline::cli {

namespace {

// write_trace runs the one scenario and seed once more, with its trace kept.
Status write_trace(const RunOptions& options, const scenarios::Scenario& scenario, Host& host) {
  scenarios::RunOptions run;
  run.seed = options.seeds.first;
  run.want.trace = true;
  return host.files().write_file(options.trace, scenarios::run_scenario(scenario, run).trace);
}

// complain_of tells what is plainly wrong in the files, a line each. Returns whether anything is.
bool complain_of(const std::vector<scenarios::Scenario>& scenarios, Host& host) {
  bool any = false;
  for (const scenarios::Scenario& scenario : scenarios) {
    for (const std::string& warning : scenario.warnings) {
      host.complain(Error{ErrorCode::kInvalidInput, warning, "file.where"}, kExitUsage);
    }
    any = any || !scenario.warnings.empty();
  }
  return any;
}

// tell_unjudged names what no run of them can show.
void tell_unjudged(const std::vector<scenarios::Scenario>& scenarios, Host& host) {
  for (const scenarios::Scenario& scenario : scenarios) {
    CheckResult named;
    scenarios::add_unjudged(scenario, named);
    if (!named.message.empty()) host.tell_line(scenario.file + ": " + named.message);
  }
}

}  // namespace

void RunOptions::declare(CLI::App& app) {
  app.add_option("PATH", paths, "Scenario files, or folders of them")->required();
  app.add_option("--seed", seed_texts_.seed, "Run one seed (default 1)")->type_name("N");
  app.add_option("--seeds", seed_texts_.seeds, "Run these seeds, both ends included")
      ->type_name("A..B");
  app.add_option("--jobs,-j", jobs, "Use J threads; results are the same for any J")
      ->check(CLI::Range(1, 256))
      ->type_name("J");
  app.add_flag("--real", real, "Use real processes, once, in real time");
  std::vector<std::string> ways;
  for (const mcp::Transport way : mcp::all_transports()) ways.emplace_back(mcp::name_of(way));
  app.add_flag("--client", client,
               "Run your agent or client, after --, against real servers ({config}: docs/run.md)");
  app.add_flag("--rules-only", rules_only,
               "With --client: check only the rules for any agent, not what the files expect");
  app.add_option("COMMAND", command,
                 "Your agent or client and its arguments, after -- (docs/run.md)");
  add_environment(app, environment);
  add_timeout(app, texts_);
  app.add_option("--transport", transport_,
                 "With --real or --client: use this transport (default: stdio, or the scenario's)")
      ->transform(one_of(ways))
      ->type_name("WAY");
  app.add_flag("--all-orders", all_orders, "Try every order of simultaneous events");
  app.add_option("--trace", trace, "Write the trace of one scenario and seed")->type_name("FILE");
  app.add_flag("--strict", strict,
               "Fail on probable mistakes in a file, such as unused rules or unknown names");
  app.add_option("--show", show_, "Print the outcome of each scenario in the form of \"expect\"")
      ->transform(one_of({"outcome"}))
      ->type_name("WHAT");
  app.add_flag("--fail-each-operation", fail_each_operation,
               "Run once per operation, make that one fail, and check the invariants");
  add_expected_trace(app, expected_trace_);
  add_plants(app, plants);
  add_common(app, common, texts_);
}

Status RunOptions::read() {
  const Status seeded = read_seeds(seed_texts_, seeds);
  if (!seeded.ok()) return seeded;
  const bool range = !seed_texts_.seeds.empty();
  if (real && (!trace.empty() || !seed_texts_.seed.empty() || range)) {
    return the_error("world.real", "real", "seeds and no trace");
  }
  if (!transport_.empty() && !real && !client) {
    return the_error("world.transport");
  }
  if (!expected_trace_.empty() && (real || client)) {
    return the_error("world.real", "expect-trace", "trace");
  }
  const Status expecting = read_expected_trace(expected_trace_, expected_trace);
  if (!expecting.ok()) return expecting;
  const Status as_client = read_client(range);
  if (!as_client.ok()) return as_client;
  if (!transport_.empty()) over = *mcp::parse_transport(transport_);
  if (fail_each_operation && (real || !trace.empty() || range)) {
    return the_error("world.one-seed", "fail-each-operation", "expected ", "",
                     ", no --real and no --trace");
  }
  if (all_orders && (real || !trace.empty() || range)) {
    return the_error("world.one-seed", "all-orders", "", "", ", in simulation and without --trace");
  }
  common.outcome = !show_.empty();
  return read_common(texts_, common);
}

Status RunOptions::read_client(bool range) const {
  if (client == command.empty()) {
    return the_error("world.client-wants-command");
  }
  if (client && (real || all_orders || fail_each_operation || !trace.empty() || range ||
                 !seed_texts_.seed.empty())) {
    return the_error("world.real", "client", "seeds, no orders and no trace");
  }
  if (!client && rules_only) return the_error("world.rules-only");
  if (!client && !(environment.is_default() && texts_.timeout.empty())) {
    return the_error("world.options-of-command");
  }
  return Done{};
}

namespace {

std::vector<std::string> client_words(const RunOptions& options) {
  std::vector<std::string> words = words_of(options.environment);
  words.insert(words.end(), options.command.begin(), options.command.end());
  return words;
}

int run_client(const RunOptions& options, const std::vector<scenarios::Scenario>& scenarios,
               Host& host) {
  Result<std::map<std::string, std::string>> variables = variables_of(options.environment);
  if (!variables.ok()) return host.complain(variables.error(), kExitUsage);
  scenarios::AgentCommand agent;
  agent.words = options.command;
  agent.env = std::move(variables).value();
  agent.shown = shown_words(client_words(options));
  if (options.over_given()) agent.over = options.over;
  agent.rules_only = options.rules_only;
  host.secrets().add_words(options.command);
  return run_agent(scenarios, std::move(agent), options.jobs, options.common, host);
}

}  // namespace

int run_scenarios(const RunOptions& options, Host& host) {
  Result<std::vector<scenarios::Scenario>> loaded = load_scenarios(options.paths, host.files());
  if (!loaded.ok()) return host.complain(loaded.error(), kExitUsage);
  plant(loaded.value(), options.plants);
  const std::vector<scenarios::Scenario>& scenarios = loaded.value();
  if (options.strict && complain_of(scenarios, host)) return kExitUsage;
  tell_unjudged(scenarios, host);
  const std::uint64_t seed = options.seeds.first;
  if (options.expected_trace) {
    if (scenarios.size() != 1) {
      return host.complain(
          the_error("world.one-seed", "expect-trace", "expected ", "scenario, run under its ", ""),
          kExitUsage);
    }
    const std::string line =
        unlike_line(*options.expected_trace, trace_of(scenarios.front(), seed, kVersion));
    if (!line.empty()) host.tell_line(line);
  }
  if (options.fail_each_operation) {
    return fail_each_operation(scenarios, seed, options.common, host);
  }
  if (options.all_orders) return run_all_orders(scenarios, seed, options.common, host);
  if (options.client) return run_client(options, scenarios, host);
  if (options.real) return run_for_real(scenarios, options.over, options.common, host);
  if (!options.trace.empty()) {
    if (scenarios.size() != 1 || options.seeds.first != options.seeds.last) {
      return host.complain(
          the_error("world.one-seed", "trace", "expected ", "scenario and one ", ""), kExitUsage);
    }
    const Status written = write_trace(options, scenarios.front(), host);
    if (!written.ok()) return host.complain(written.error(), kExitUsage);
  }
  const ManyRuns outcome =
      run_many("run", scenarios, options.seeds, options.jobs, options.strict, options.common, host);
  const int status = publish(host, options.common, outcome.report);
  return outcome.interrupted ? kExitInterrupted : status;
}

}  // namespace plumbline::cli
