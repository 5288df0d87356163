#include "cli/commands/record/against_client.h"

#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "cli/commands/record/recorded_server.h"
#include "cli/options/shown_words.h"
#include "cli/options/version.h"
#include "cli/publish.h"
#include "core/base/errors/errors.h"
#include "core/os/files/temporary_folder.h"
#include "core/os/interrupt.h"
#include "core/os/wall_clock.h"
#include "scenarios/compare/conversation.h"
#include "scenarios/compare/mutations.h"
#include "scenarios/real/agent_program.h"

namespace plumbline::cli {

namespace {

constexpr Duration kClientMax = std::chrono::seconds(60);
constexpr Duration kMutatedMax = std::chrono::seconds(15);  // Of one of many.

CheckResult client_row(std::string id, std::string title) {
  CheckResult row;
  row.id = std::move(id);
  row.area = "replay";
  row.title = std::move(title);
  return row;
}

// ended_row says how the command ended.
CheckResult ended_row(const scenarios::ProgramEnd& end) {
  CheckResult row = client_row("replay.ends", "It ends in time, and well.");
  if (end.status && *end.status == net::ExitStatus{}) return row;
  row.verdict = Verdict::kFail;
  row.message = end.status ? "it ended with " + describe(*end.status) : "it did not end";
  if (!end.told.empty()) row.message += ", its stderr: " + end.told;
  return row;
}

// add_asked_rows adds a row for each thing that was recorded, and for each that was not.
void add_asked_rows(const std::vector<scenarios::RecordedSession>& sessions,
                    const AskedAgain& asked, std::vector<CheckResult>& rows) {
  std::map<std::string, std::size_t> left;
  for (const Json& request : asked.unplayed) ++left[scenarios::target_of(request)];
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
  for (const std::string& words : asked.missed) ++missed[words];
  for (const auto& [words, times] : missed) {
    const std::string method = words.substr(0, words.find(' '));
    CheckResult row = client_row("replay.unrecorded:" + method, "It asks what was never recorded.");
    row.verdict = Verdict::kFail;
    row.message = words + ", " + std::to_string(times) + " times";
    rows.push_back(std::move(row));
  }
}

// Played is a client that is started anew for each run before the recorded server.
class Played {
 public:
  Played(const ReplayOptions& options, std::map<std::string, std::string> variables, Host& host)
      : options_(options),
        variables_(std::move(variables)),
        patience_(options.common.timeout),
        host_(host) {
    if (patience_ == Duration{}) patience_ = options.mutate ? kMutatedMax : kClientMax;
  }

  // run offers `server` and runs the command until its end. kDeadlineExceeded: the user wants no
  // more.
  Result<scenarios::ProgramEnd> run(RecordedServer& server) {
    const Result<Json> entry = server.offer();
    if (!entry.ok()) return entry.error();
    const Result<os::TemporaryFolder> folder = os::TemporaryFolder::make();
    if (!folder.ok()) return folder.error();
    const std::string config = folder.value().path() + "/config.json";
    Json servers = Json::object();
    servers["mcpServers"]["recorded"] = entry.value();
    const Status written = host_.files().write_file(config, pretty_json(servers));
    if (!written.ok()) return written.error();
    os::RealLoop& loop = host_.world().loop();
    net::Command command(
        scenarios::filled(options_.target.command,
                          {{"{config}", config}, {"{url}", string_or(entry.value(), "url", "")}}));
    command.env = variables_;
    Result<std::unique_ptr<scenarios::AgentProgram>> program =
        scenarios::AgentProgram::start(loop, host_.world().spawner(), command);
    if (!program.ok()) return program.error();
    bool interrupted = false;
    const os::Interrupt interrupt(loop, [&interrupted](int) { interrupted = true; });
    Task<scenarios::ProgramEnd> ending = program.value()->finish("", after(loop.now(), patience_));
    ending.start();
    loop.run_until([&] { return ending.done() || interrupted; });
    if (interrupted) return the_error_as(ErrorCode::kDeadlineExceeded, "cli.interrupted", "");
    return std::move(ending.result());
  }

 private:
  const ReplayOptions& options_;
  std::map<std::string, std::string> variables_;
  Duration patience_;
  Host& host_;
};

// mutated_row says what the client did with one answer that was wrong.
CheckResult mutated_row(const scenarios::Mutation& mutation, const scenarios::ProgramEnd& end,
                        const AskedAgain& asked) {
  CheckResult row = client_row("replay.mutated:" + mutation.name,
                               "It is given an answer that is wrong, and ends by itself.");
  row.observed = static_cast<std::int64_t>(asked.played);
  if (!end.status) {
    row.verdict = Verdict::kWarn;
    row.message = "it still waited at the end of its time";
  } else if (end.status->signal != 0) {
    row.verdict = Verdict::kFail;
    row.message = "it ended with " + describe(*end.status);
  } else if (asked.played == 0) {
    row.verdict = Verdict::kInconclusive;
    row.message = "it asked nothing of what is recorded, so it was given no answer";
  } else {
    row.message = *end.status == net::ExitStatus{} ? "" : "it ended with " + describe(*end.status);
    const std::size_t left = asked.unplayed.size();
    if (left > 0) {
      row.message += (row.message.empty() ? "it left " : ", and left ") + std::to_string(left) +
                     " of its requests unasked";
    }
  }
  if (row.verdict != Verdict::kPass && !end.told.empty()) {
    row.message += ", its stderr: " + end.told;
  }
  return row;
}

// play_once runs the client before the recording as it is.
Status play_once(const ReplayOptions& options,
                 const std::vector<scenarios::RecordedSession>& sessions, Played& played,
                 Host& host, std::vector<CheckResult>& rows) {
  const std::unique_ptr<RecordedServer> server = recorded_server(options, sessions, host);
  const Result<scenarios::ProgramEnd> end = played.run(*server);
  if (!end.ok()) return end.error();
  const Result<AskedAgain> asked = server->asked();
  if (!asked.ok()) return asked.error();
  rows.push_back(ended_row(end.value()));
  add_asked_rows(sessions, asked.value(), rows);
  return Done{};
}

// play_mutated runs the client once for each mutation of the session that it is given.
Status play_mutated(const ReplayOptions& options,
                    const std::vector<scenarios::RecordedSession>& sessions, Played& played,
                    Host& host, std::vector<CheckResult>& rows) {
  for (const scenarios::Mutation& mutation : scenarios::mutations_of(sessions.back())) {
    const std::unique_ptr<RecordedServer> server =
        recorded_server(options, {scenarios::mutated(sessions.back(), mutation)}, host);
    const Result<scenarios::ProgramEnd> end = played.run(*server);
    if (!end.ok()) return end.error();
    const Result<AskedAgain> asked = server->asked();
    if (!asked.ok()) return asked.error();
    rows.push_back(mutated_row(mutation, end.value(), asked.value()));
  }
  return Done{};
}

// reproduction returns the command line that plays all of it once more.
std::string reproduction(const ReplayOptions& options) {
  std::string line = "plumbline replay " + options.file;
  if (options.session) line += " --session " + std::to_string(*options.session);
  line += " --against client --serve " + options.serve;
  if (options.fast) line += " --fast";
  if (options.mutate) line += " --mutate";
  return line + " -- " + shown_words(options.target.command);
}

}  // namespace

int replay_against_client(const ReplayOptions& options,
                          std::vector<scenarios::RecordedSession> sessions, Host& host) {
  host.hide_environment();
  host.secrets().add_words(options.target.command);
  Result<std::map<std::string, std::string>> variables = variables_of(options.target.environment);
  if (!variables.ok()) return host.complain(variables.error(), kExitUsage);
  Played played(options, std::move(variables).value(), host);
  const Instant begin = host.world().loop().now();
  Report report;
  report.version = kVersion;
  report.command = options.mutate ? "replay --against client --mutate" : "replay --against client";
  report.target = Json::object();
  report.target["recording"] = options.file;
  report.target["target"] = shown_words(options.target.command);
  report.started = os::wall_clock_rfc3339();
  Status done = Done{};
  if (options.mutate) {
    done = play_mutated(options, sessions, played, host, report.results);
  } else {
    done = play_once(options, sessions, played, host, report.results);
  }
  if (!done.ok()) {
    if (done.error().code == ErrorCode::kDeadlineExceeded) return kExitInterrupted;
    const bool wrong = done.error().code == ErrorCode::kInvalidInput;
    return host.complain(done.error(), wrong ? kExitUsage : kExitUnreachable);
  }
  report.duration_ms = static_cast<double>((host.world().loop().now() - begin).count()) / 1e6;
  for (CheckResult& row : report.results) {
    row.transport = name_of(options.place.over);
    if (row.verdict == Verdict::kPass) continue;
    row.reproduce = reproduction(options);
  }
  return publish(host, options.common, report);
}

}  // namespace plumbline::cli
