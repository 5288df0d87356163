#include <algorithm>
#include <chrono>
#include <string>
#include <utility>

#include <unistd.h>

#include "cli/check_targets.h"
#include "cli/commands.h"
#include "cli/version.h"
#include "conformance/client/judge.h"
#include "core/os/environment.h"
#include "core/os/interrupt.h"
#include "core/os/real_loop.h"
#include "core/os/real_network.h"
#include "core/os/real_spawner.h"
#include "core/os/wall_clock.h"

namespace plumbline::cli {

namespace {

using conformance::ClientJudgeOptions;
using conformance::Judgement;
using conformance::Transport;

std::string words_of(const CheckClientOptions& options) {
  std::string words = options.transport == "stdio" ? "--transport stdio --" : "--";
  for (const std::string& word : options.command) words += " " + quoted(word);
  return words;
}

ClientJudgeOptions judging_of(const CheckClientOptions& options, Host& host) {
  ClientJudgeOptions judging;
  judging.revision = options.selection.revision;
  judging.selection = options.selection.rules;
  judging.concurrency = options.selection.concurrency;
  if (judging.concurrency == 0) {
    // Two more than there are cores: some wait.
    judging.concurrency = static_cast<int>(std::max(1L, ::sysconf(_SC_NPROCESSORS_ONLN))) + 2;
  }
  judging.reproduce = [&options](const std::string& id, const std::string& revision) {
    return "plumbline check client --only " + id + " --revision " + revision + " " +
           words_of(options);
  };
  if (host.wants_progress(options.common)) {
    judging.tell = [&host](const std::string& line) { host.tell_line(line); };
  }
  return judging;
}

struct JudgedClient {
  Judgement judgement;
  bool interrupted = false;
};

JudgedClient judge_client(const CheckClientOptions& options, Host& host) {
  os::RealLoop loop;
  os::RealSpawner spawner(loop);
  os::RealNetwork network(loop);
  Redactor redactor;
  conformance::ClientSubject subject{loop, spawner, network, redactor};
  subject.transport = options.transport == "stdio" ? Transport::kStdio : Transport::kHttp;
  subject.command.argv = options.command;
  // It is the user's own program: it gets what it would have from a shell.
  subject.command.env = os::whole_environment();
  subject.relay = {os::program_path(), "relay"};
  if (options.common.timeout != Duration{}) subject.silence_max = options.common.timeout;
  JudgedClient judged;
  const os::Interrupt interrupt(loop, [&judged](int) { judged.interrupted = true; });
  conformance::ClientJudge judge(subject, judging_of(options, host));
  {
    Task<void> work = judge.judge();
    work.start();
    loop.run_until([&] { return work.done() || judged.interrupted; });
    judged.judgement = judge.so_far();
  }
  return judged;
}

}  // namespace

int run_check_client(const CheckClientOptions& options, Host& host) {
  const Duration begin = os::wall_clock_since_1970();
  Report report;
  report.version = kVersion;
  report.command = "check client";
  report.target = Json(Json::value_t::object);
  report.target["client"] = words_of(options);
  report.started = os::wall_clock_rfc3339();
  JudgedClient judged = judge_client(options, host);
  report.results = std::move(judged.judgement.results);
  if (judged.judgement.revisions.size() == 1) {
    report.revision = judged.judgement.revisions.front();
  }
  const Duration took = os::wall_clock_since_1970() - begin;
  report.duration_ms = static_cast<double>(took.count()) / 1e6;
  const bool nothing = report.results.empty() && options.common.reports.empty();
  const int status = nothing ? kExitOk : publish(host, options.common, report);
  if (judged.interrupted) return kExitInterrupted;
  if (!judged.judgement.unreachable.empty()) {
    return host.complain(judged.judgement.unreachable, kExitUnreachable);
  }
  return status;
}

}  // namespace plumbline::cli
