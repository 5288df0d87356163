// `completion`: what a shell needs to complete our command lines.

#pragma once

#include <string>

#include "cli/command.h"

namespace plumbline::cli {

struct CompletionOptions final : Options {
  std::string what;  // "bash", "zsh" or "fish": the script; "ids" or "checks": what it asks for.

  // script returns which file of the manual it is; empty: it is no script.
  std::string script() const;

  void declare(CLI::App& app) override;
};

// run_completion prints words; a script is printed by whoever reads command lines.
int run_completion(const CompletionOptions& options, Host& host);

}  // namespace plumbline::cli
