// `agents serve`: the sixteen tools of the supervisor as an MCP server on standard streams.

#pragma once

#include <string>
#include <vector>

#include "cli/commands/command.h"
#include "cli/config/chat_config.h"

namespace plumbline::cli {

struct AgentsServeOptions final : Options {
  ChatModel model;                 // Who answers.
  std::string otlp;                // Where spans go: see TraceExport.
  std::vector<std::string> roots;  // Folders whose files a model may see; none: no file is read.

  void declare(CLI::App& app) override;
  Status read() override;

 private:
  bool stdio_ = false;
};

// Serves whoever started us, until its input ends or a signal comes. Exit status 2: a folder or a
// file is wrong. Threads live as long as the process.
int run_agents_serve(const AgentsServeOptions& options, Host& host);

}  // namespace plumbline::cli
