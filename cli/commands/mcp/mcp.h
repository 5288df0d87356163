// `mcp`: the judge as an MCP server, for a coding agent that works on a server.

#pragma once

#include <string>

#include "cli/command.h"
#include "cli/judging/check_targets.h"
#include "cli/serving.h"

namespace plumbline::cli {

struct McpOptions final : Options {
  CheckedServer target;  // May be left out: then ids can be explained, and nothing is judged.
  std::string root = ".";
  std::string baseline;
  bool allow_writes = false;
  int runs_max = 1000;
  ServingPlace place;

  void declare(CLI::App& app) override;
  Status read() override;
  std::vector<std::string>* behind_dashes() override { return &target.command; }

 private:
  std::string http_;
};

// Serves whoever started us until its input ends, or whoever connects, until a signal comes. Exit
// status 2: the target, the root or the place is wrong.
int run_mcp(const McpOptions& options, Host& host);

}  // namespace plumbline::cli
