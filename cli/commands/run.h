// `run`: scenario files over a range of seeds.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/options/child_environment.h"
#include "cli/options/world_options.h"
#include "core/mcp/protocol/transports.h"
#include "scenarios/sweep/expected_trace.h"

namespace plumbline::cli {

struct RunOptions final : Options {
  std::vector<std::string> paths;
  SeedRange seeds{1, 1};
  int jobs = 1;
  std::string trace;                                       // A path. Empty: none.
  std::optional<scenarios::ExpectedTrace> expected_trace;  // Of the first seed.
  bool real = false;                             // With real processes and sockets, in real time.
  mcp::Transport over = mcp::Transport::kStdio;  // What carries their messages.
  bool client = false;                           // With somebody else's agent or client:
  std::vector<std::string> command;              // this one.
  bool rules_only = false;                       // By the rules for any agent alone.
  ChildEnvironment environment;                  // Of it.
  bool all_orders = false;                       // Every order of what is due at one instant.
  bool fail_each_operation = false;
  bool strict = false;              // What a file hardly means is an error.
  std::vector<std::string> plants;  // Defects to put in, to see that they are found.
  Common common;

  void declare(CLI::App& app) override;
  Status read() override;
  const Common* judging() const override { return &common; }
  std::vector<std::string>* behind_dashes() override { return &command; }

  // over_given returns whether the command line says what carries messages.
  bool over_given() const { return !transport_.empty(); }

 private:
  Status read_client(bool range) const;

  CommonTexts texts_;
  SeedTexts seed_texts_;
  std::string show_;
  std::string transport_;
  std::string expected_trace_;
};

int run_scenarios(const RunOptions& options, Host& host);

}  // namespace plumbline::cli
