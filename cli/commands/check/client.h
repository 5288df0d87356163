// `check client`: a client program, before one scripted server after the other.

#pragma once

#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/options/child_environment.h"
#include "cli/options/selection_options.h"

namespace plumbline::cli {

struct CheckClientOptions final : Options {
  std::string transport = "http";  // Or "stdio".
  std::vector<std::string> command;
  ChildEnvironment environment;  // Of the command.
  CheckSelection selection;      // A concurrency of 0: as many as there are cores.
  Common common;

  void declare(CLI::App& app) override;
  Status read() override;
  const Common* judging() const override { return &common; }

 private:
  CommonTexts texts_;
  SelectionTexts selection_texts_;
};

// Exit status 3: it could not be started, or did nothing.
int run_check_client(const CheckClientOptions& options, Host& host);

}  // namespace plumbline::cli
