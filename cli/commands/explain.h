// `explain`: what an id means.

#pragma once

#include <string>

#include "cli/commands/command.h"

namespace plumbline::cli {

struct ExplainOptions final : Options {
  std::string id;

  void declare(CLI::App& app) override;
};

int run_explain(const ExplainOptions& options, Host& host);

}  // namespace plumbline::cli
