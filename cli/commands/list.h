// `list`: what this build has.

#pragma once

#include <string>

#include "cli/command.h"

namespace plumbline::cli {

struct ListOptions final : Options {
  std::string what;
  bool json = false;

  void declare(CLI::App& app) override;
};

int run_list(const ListOptions& options, Host& host);

}  // namespace plumbline::cli
