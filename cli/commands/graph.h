// `graph`: the drawing of an agent, and of a run of it.

#pragma once

#include <string>

#include "cli/command.h"

namespace plumbline::cli {

struct GraphOptions final : Options {
  std::string name = "operations-assistant";
  std::string format = "mermaid";
  std::string thread;  // Drawn over it; empty: none.
  std::string store;

  void declare(CLI::App& app) override;
};

int run_graph(const GraphOptions& options, Host& host);

}  // namespace plumbline::cli
