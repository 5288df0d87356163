// `completion`: what a shell needs to complete our command lines.

#pragma once

#include <string>

#include "cli/commands/command.h"

namespace plumbline::cli {

struct CompletionOptions final : Options {
  std::string what;  // "bash", "zsh" or "fish": the script; "ids" or "checks": what it asks for.

  void declare(CLI::App& app) override;
};

int run_completion(const CompletionOptions& options, Host& host);

}  // namespace plumbline::cli
