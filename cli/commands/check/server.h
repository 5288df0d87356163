// `check server`: one server, or each of a configuration, against the specification.

#pragma once

#include "cli/command.h"
#include "cli/judging/judged_servers.h"
#include "cli/judging/watching.h"

namespace plumbline::cli {

struct CheckServerOptions final : Options {
  CheckedServer target;
  ServerJudging how;
  bool lint = false;  // Say as well what `lint` says.
  Watching watching;

  void declare(CLI::App& app) override;
  Status read() override;
  std::vector<std::string>* behind_dashes() override { return &target.command; }
  const Common* judging() const override { return &how.common; }

 private:
  CommonTexts texts_;
  SelectionTexts selection_texts_;
  std::string wait_text_;
  std::string upstream_text_;
};

// Exit status 3: one of them could not be reached, or no check applied.
int run_check_server(const CheckServerOptions& options, Host& host);

}  // namespace plumbline::cli
