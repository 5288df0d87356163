// `relay`, which no help shows: the server that a judged client starts over stdio.

#pragma once

#include <string>

#include "cli/command.h"

namespace plumbline::cli {

struct RelayOptions final : Options {
  std::string address;  // "127.0.0.1:40000", where the judge listens.

  void declare(CLI::App& app) override;
};

// run_relay copies our streams to and from the judge, until either ends.
int run_relay(const RelayOptions& options, Host& host);

}  // namespace plumbline::cli
