// `record`: stands between a host and a stdio server, and writes down what they say.

#pragma once

#include <string>
#include <vector>

#include "cli/commands/command.h"
#include "cli/options/child_environment.h"
#include "scenarios/record/masker.h"

namespace plumbline::cli {

struct RecordOptions final : Options {
  std::string out;
  std::vector<std::string> command;
  ChildEnvironment environment;
  scenarios::Masks masks;

  void declare(CLI::App& app) override;
};

// Exit status: that of the server, 128 and the number of the signal that ended it; 3 when FILE
// cannot be written or the server cannot be started.
int run_record(const RecordOptions& options, Host& host);

}  // namespace plumbline::cli
