// `thread`: the requests that `ask --thread` keeps, for other processes and later days.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/commands/service/advisor.h"
#include "cli/jobs/agent_job.h"
#include "core/json/json.h"

namespace plumbline::cli {

// OfThread is what all but `thread list` take.
struct OfThread : Options {
  std::string id;
  std::string store;

 protected:
  void declare_thread(CLI::App& app);
};

struct ThreadListOptions final : Options {
  std::string store;
  bool json = false;

  void declare(CLI::App& app) override;
};

struct ThreadShowOptions final : OfThread {
  std::optional<std::int64_t> step;
  bool json = false;

  void declare(CLI::App& app) override;
};

struct ThreadResumeOptions final : OfThread {
  std::optional<Json> answer;
  std::vector<std::string> configs;  // Empty: those that it was begun with.
  JobOptions job;
  AdvisorOptions advisor;

  void declare(CLI::App& app) override;
  Status read() override;

 private:
  std::string answer_;
};

struct ThreadForkOptions final : OfThread {
  std::int64_t step = 0;
  std::string as;      // The id of the new thread; empty: one is made.
  bool again = false;  // Also behind an answer.

  void declare(CLI::App& app) override;
};

struct ThreadDeleteOptions final : OfThread {
  void declare(CLI::App& app) override;
};

// Exit status of all: 2 there is no such thread or step; 3 the store cannot be used.
int run_thread_list(const ThreadListOptions& options, Host& host);
int run_thread_show(const ThreadShowOptions& options, Host& host);

// Exit status: that of tell_answer (cli/jobs/agent_job.h); 2 as well when there is no question to
// answer, or none without an answer, or it has expired.
int run_thread_resume(const ThreadResumeOptions& options, Host& host);

int run_thread_fork(const ThreadForkOptions& options, Host& host);
int run_thread_delete(const ThreadDeleteOptions& options, Host& host);

}  // namespace plumbline::cli
