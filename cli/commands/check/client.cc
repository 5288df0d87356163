#include "cli/commands/check/client.h"
#include "core/base/errors/errors.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <unistd.h>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "cli/options/choice.h"
#include "cli/options/secrets.h"
#include "cli/options/shown_words.h"
#include "cli/options/version.h"
#include "cli/publish.h"
#include "conformance/judge/client.h"
#include "core/os/child/environment.h"
#include "core/os/interrupt.h"
#include "core/os/random.h"
#include "core/os/wall_clock.h"
#include "reports/answers/judged.h"
#include "reports/beside.h"

namespace plumbline::cli {

namespace {

using conformance::ClientJudgeOptions;
using conformance::Judgement;
using conformance::Transport;

constexpr std::size_t kStageIdBytes = 16;  // Of the session ids that the client is given.

std::vector<std::string> client_words(const CheckClientOptions& options) {
  std::vector<std::string> words = words_of(options.environment);
  if (options.transport == "stdio") words.insert(words.end(), {"--transport", "stdio"});
  words.emplace_back("--");
  words.insert(words.end(), options.command.begin(), options.command.end());
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
  judging.reproduce = [shown = shown_words(client_words(options))](const std::string& id,
                                                                   const std::string& revision) {
    return "plumbline check client --only " + id + " --revision " + revision + " " + shown;
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

JudgedClient judge_client(const CheckClientOptions& options,
                          std::map<std::string, std::string> variables, Host& host) {
  RealWorld& world = host.world();
  os::RealLoop& loop = world.loop();
  Secrets secrets;
  secrets.add_words(client_words(options));
  host.secrets().add_all(secrets);
  conformance::ClientSubject subject{loop, world.spawner(), world.network(), secrets.redactor(),
                                     [] { return os::random_token(kStageIdBytes); }};
  subject.transport = options.transport == "stdio" ? Transport::kStdio : Transport::kHttp;
  subject.command.argv = options.command;
  subject.command.env = std::move(variables);
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

void CheckClientOptions::declare(CLI::App& app) {
  selection.concurrency = 0;
  app.add_option("COMMAND", command,
                 "The client and its arguments, after -- (docs/porting-a-client.md)")
      ->required();
  add_environment(app, environment);
  app.add_option("--transport", transport,
                 "Connect the client to its server over this transport (default http)")
      ->transform(one_of({"http", "stdio"}))
      ->type_name("http|stdio");
  declare_selection(app, selection, selection_texts_);
  add_timeout(app, texts_);
  add_common(app, common, texts_);
}

Status CheckClientOptions::read() {
  const Status shared = read_common(texts_, common);
  if (!shared.ok()) return shared;
  if (command.front().find("://") != std::string::npos) {
    return the_error("check.client-at-a-url", command.front());
  }
  return read_selection(selection_texts_, selection);
}

int run_check_client(const CheckClientOptions& options, Host& host) {
  host.hide_environment();
  Result<std::map<std::string, std::string>> variables = variables_of(options.environment);
  if (!variables.ok()) return host.complain(variables.error(), kExitUsage);
  const Duration begin = os::wall_clock_since_1970();
  Report report;
  report.version = kVersion;
  report.command = "check client";
  report.target = Json(Json::value_t::object);
  report.target["client"] = shown_words(client_words(options));
  report.started = os::wall_clock_rfc3339();
  JudgedClient judged = judge_client(options, std::move(variables).value(), host);
  report.results = std::move(judged.judgement.results);
  if (judged.judgement.revisions.size() == 1) {
    report.revision = judged.judgement.revisions.front();
  }
  reports::add_judged(report.target, {"", judged.judgement.name, judged.judgement.version, "",
                                      options.transport, judged.judgement.revisions});
  const Error& unreachable = judged.judgement.unreachable;
  const bool reached = unreachable.message.empty();
  if (!reached) report.target[reports::kUnreached] = unreachable.message;
  const Duration took = os::wall_clock_since_1970() - begin;
  report.duration_ms = static_cast<double>(took.count()) / 1e6;
  const bool nothing = report.results.empty() && options.common.reports.empty();
  const int status = nothing ? kExitOk : publish(host, options.common, report);
  if (judged.interrupted) return kExitInterrupted;
  if (!reached) return host.complain(unreachable, kExitUnreachable);
  return status;
}

}  // namespace plumbline::cli
