// `ask`: one request to the operations assistant and real servers.

#pragma once

#include <string>
#include <vector>

#include "cli/commands/command.h"

namespace plumbline::cli {

struct AskOptions final : Options {
  std::string request;
  std::string config;
  std::vector<std::string> servers;  // Of the configuration; empty: all.
  std::vector<std::string> approve;  // Approval ids, or "all".
  bool json = false;
  bool verbose = false;
  std::string trace;
  Duration timeout{};  // Of one request to a server. 0: what the configuration says.

  void declare(CLI::App& app) override;
  Status read() override;

 private:
  CommonTexts texts_;
};

// Exit status: 0 it was answered, with or without MCP, or waits for review; 1 it failed; 3 a
// server that it needed could not be reached.
int run_ask(const AskOptions& options, Host& host);

}  // namespace plumbline::cli
