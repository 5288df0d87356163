// `agents serve`: the sixteen tools of the supervisor as an MCP server.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/config/chat_config.h"
#include "cli/serving.h"

namespace plumbline::cli {

struct AgentsServeOptions final : Options {
  ChatModel model;                   // Who answers,
  std::vector<std::string> scripts;  // or the files of scripted models.
  std::vector<std::string> roots;    // Folders whose files a model may see; none: no file is read.
  std::string store;                 // Where threads are kept; empty: see optional_records.
  std::string commands;              // A file of settings of commands; empty: see CommandKit::open.
  std::string otlp;                  // Where spans go: see TraceExport.
  bool execution_api = false;        // Others may run commands here, over HTTP.
  std::vector<std::string> tools;    // Which are offered; empty: all.
  std::optional<Duration> answer_max;  // Of one answer of a model.
  ServingPlace place;

  void declare(CLI::App& app) override;
  Status read() override;

 private:
  bool stdio_ = false;
  std::string http_;
  std::string auth_;
  std::string answer_max_;
};

// Serves whoever started us until its input ends, or whoever connects, until a signal comes. Exit
// status 2: a folder, a file or a place is wrong; 3: the store cannot be opened.
int run_agents_serve(const AgentsServeOptions& options, Host& host);

}  // namespace plumbline::cli
