#include "cli/commands/record/against_client.h"

#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "cli/commands/record/web_replay.h"
#include "cli/options/shown_words.h"
#include "cli/options/version.h"
#include "cli/publish.h"
#include "cli/runs/agent_program.h"
#include "core/os/interrupt.h"
#include "core/os/temporary_folder.h"
#include "core/os/wall_clock.h"
#include "scenarios/compare/conversation.h"

namespace plumbline::cli {

namespace {

constexpr Duration kClientMax = std::chrono::seconds(60);

CheckResult client_row(std::string id, std::string title) {
  CheckResult row;
  row.id = std::move(id);
  row.area = "replay";
  row.title = std::move(title);
  return row;
}

// ended_row says how the command ended.
CheckResult ended_row(const ProgramEnd& end) {
  CheckResult row = client_row("replay.ends", "It ends in time, and well.");
  if (end.status && *end.status == net::ExitStatus{}) return row;
  row.verdict = Verdict::kFail;
  row.message = end.status ? "it ended with " + describe(*end.status) : "it did not end";
  if (!end.told.empty()) row.message += ", its stderr: " + end.told;
  return row;
}

// add_asked_rows adds a row for each thing that was recorded, and for each that was not.
void add_asked_rows(const std::vector<scenarios::RecordedSession>& sessions, const WebReplay& web,
                    std::vector<CheckResult>& rows) {
  std::map<std::string, std::size_t> left;
  for (const Json& request : web.unplayed()) ++left[scenarios::target_of(request)];
  std::map<std::string, std::size_t> recorded;
  for (const auto& exchange : scenarios::conversation_of(sessions.back()).exchanges) {
    ++recorded[scenarios::target_of(exchange.request)];
  }
  for (const auto& [target, times] : recorded) {
    CheckResult row = client_row("replay.asked:" + target, "It asks what was asked then.");
    row.observed = static_cast<std::int64_t>(times);
    if (left[target] > 0) {
      row.verdict = Verdict::kFail;
      row.message = std::to_string(left[target]) + " of " + std::to_string(times) +
                    " times it did not ask again";
    }
    rows.push_back(std::move(row));
  }
  std::map<std::string, std::size_t> missed;
  for (const std::string& words : web.counts().missed) ++missed[words];
  for (const auto& [words, times] : missed) {
    const std::string method = words.substr(0, words.find(' '));
    CheckResult row = client_row("replay.unrecorded:" + method, "It asks what was never recorded.");
    row.verdict = Verdict::kFail;
    row.message = words + ", " + std::to_string(times) + " times";
    rows.push_back(std::move(row));
  }
}

}  // namespace

int replay_against_client(const ReplayOptions& options,
                          std::vector<scenarios::RecordedSession> sessions, Host& host) {
  host.hide_environment();
  host.secrets().add_words(options.target.command);
  Result<std::map<std::string, std::string>> variables = variables_of(options.target.environment);
  if (!variables.ok()) return host.complain(variables.error().message, kExitUsage);
  WebReplay web({options.place, options.match, options.fast}, sessions, host);
  const Result<std::string> url = web.listen();
  if (!url.ok()) return host.complain(url.error().message, kExitUsage);
  const Result<os::TemporaryFolder> folder = os::TemporaryFolder::make();
  if (!folder.ok()) return host.complain(folder.error().message, kExitUnreachable);
  const std::string config = folder.value().path() + "/config.json";
  Json servers = Json::object();
  servers["mcpServers"]["recorded"]["type"] = name_of(options.place.over);
  servers["mcpServers"]["recorded"]["url"] = url.value();
  const Status written = host.files().write_file(config, pretty_json(servers));
  if (!written.ok()) return host.complain(written.error().message, kExitUnreachable);

  os::RealLoop& loop = host.world().loop();
  const Instant begin = loop.now();
  net::Command command(
      filled(options.target.command, {{"{config}", config}, {"{url}", url.value()}}));
  command.env = std::move(variables).value();
  Result<std::unique_ptr<AgentProgram>> program =
      AgentProgram::start(loop, host.world().spawner(), command);
  if (!program.ok()) return host.complain(program.error().message, kExitUnreachable);
  bool interrupted = false;
  const os::Interrupt interrupt(loop, [&interrupted](int) { interrupted = true; });
  const Duration patience =
      options.common.timeout == Duration{} ? kClientMax : options.common.timeout;
  Task<ProgramEnd> run = program.value()->finish("", after(begin, patience));
  run.start();
  loop.run_until([&] { return run.done() || interrupted; });
  if (interrupted) return kExitInterrupted;

  Report report;
  report.version = kVersion;
  report.command = "replay --against client";
  report.target = Json::object();
  report.target["recording"] = options.file;
  report.target["target"] = shown_words(options.target.command);
  report.started = os::wall_clock_rfc3339();
  report.duration_ms = static_cast<double>((loop.now() - begin).count()) / 1e6;
  report.results.push_back(ended_row(run.result()));
  add_asked_rows(sessions, web, report.results);
  for (CheckResult& row : report.results) {
    row.transport = name_of(options.place.over);
    if (row.verdict == Verdict::kPass) continue;
    row.reproduce = "plumbline replay " + options.file + " --against client -- " +
                    shown_words(options.target.command);
  }
  return publish(host, options.common, report);
}

}  // namespace plumbline::cli
