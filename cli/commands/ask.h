// `ask`: one request to the operations assistant and real servers.

#pragma once

#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/commands/service/advisor.h"
#include "cli/jobs/threaded_job.h"

namespace plumbline::cli {

struct AskOptions final : Options {
  std::string request;
  JobConfig config;
  JobOptions job;
  AdvisorOptions advisor;
  std::vector<std::string> approve;  // Approval ids, or "all".
  std::string thread;                // Empty: nothing is kept.
  std::string store;
  Duration expires{};  // How long a question waits. 0: for ever.

  void declare(CLI::App& app) override;
  Status read() override;

 private:
  CommonTexts texts_;
  std::string expires_;
};

// Exit status: that of tell_answer, or of what stood in the way.
int run_ask(const AskOptions& options, Host& host);

}  // namespace plumbline::cli
