// `registry`: serves a registry of agents from a file.

#pragma once

#include <string>
#include <vector>

#include "cli/command.h"
#include "core/net/network.h"

namespace plumbline::cli {

struct RegistryOptions final : Options {
  std::string file;
  net::Authority at;
  std::vector<std::string> hosts;  // Other names by which it may be called.

  void declare(CLI::App& app) override;
  Status read() override;

 private:
  std::string listen_;
};

// Prints its URL and serves until a signal. Exit status 2: the file is wrong, or the place is
// taken.
int run_registry(const RegistryOptions& options, Host& host);

}  // namespace plumbline::cli
