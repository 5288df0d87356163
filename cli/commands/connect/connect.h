// `connect`: the connections to agents, tested and looked at.

#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/connect/agents.h"

namespace plumbline::cli {

struct ConnectTestOptions final : Options {
  AgentFiles agents;
  Common common;

  void declare(CLI::App& app) override;
  Status read() override;
  const Common* judging() const override { return &common; }

 private:
  CommonTexts texts_;
};

// Exit status of a report. 3: a registry that a file names cannot be asked.
int run_connect_test(const ConnectTestOptions& options, Host& host);

struct ConnectStatusOptions final : Options {
  AgentFiles agents;
  bool json = false;
  bool watch = false;                        // Look again and again, until a signal.
  Duration every = std::chrono::seconds(5);  // How long between two looks.

  void declare(CLI::App& app) override;
  Status read() override;

 private:
  std::string every_;
};

// Exit status 3: an agent did not become ready when it was looked at last.
int run_connect_status(const ConnectStatusOptions& options, Host& host);

struct ConnectListOptions final : Options {
  AgentFiles agents;
  bool json = false;

  void declare(CLI::App& app) override;
};

// Meets no agent.
int run_connect_list(const ConnectListOptions& options, Host& host);

struct ConnectValidateOptions final : Options {
  std::string registry;             // Whose agents are validated.
  std::vector<std::string> agents;  // Of these; empty: all.
  std::vector<std::string> allow;   // Origins that it may lead to, beside its own.
  bool json = false;

  void declare(CLI::App& app) override;
};

// Exit status 1: an agent is not what its descriptor says; 2: there is no such agent; 3: the
// registry cannot be asked.
int run_connect_validate(const ConnectValidateOptions& options, Host& host);

}  // namespace plumbline::cli
