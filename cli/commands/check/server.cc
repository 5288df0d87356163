#include "cli/commands/check/server.h"
#include "cli/options/authority.h"
#include "cli/options/choice.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "cli/commands/lint/lint.h"
#include "cli/config/load_config.h"
#include "cli/judging/judged_servers.h"
#include "cli/judging/shown_at.h"
#include "cli/judging/target.h"
#include "cli/options/version.h"
#include "cli/publish.h"
#include "core/base/errors/errors.h"
#include "core/os/child/real_paths.h"
#include "core/os/wall_clock.h"
#include "reports/answers/answers.h"
#include "reports/beside.h"
#include "reports/effort.h"

namespace plumbline::cli {

namespace {

Json shown_targets(const CheckTargets& targets) {
  Json shown(Json::value_t::object);
  Json& list = shown["servers"] = Json::array();
  for (const CheckTarget& target : targets.targets) {
    Json one(Json::value_t::object);
    if (!target.name.empty()) one["name"] = target.name;
    one["target"] = target.shown;
    list.push_back(std::move(one));
  }
  return shown;
}

// read_hints reads the file of --hint. kInvalidInput says in one line what is wrong with it.
Status read_hints(Host& host, ServerJudging& how) {
  if (how.hint_file.empty()) return Done{};
  Result<std::string> text = host.files().read_file(how.hint_file);
  if (!text.ok()) return text.error();
  const Result<Json> file = parse_json(text.value());
  if (!file.ok()) return the_error("check.hint", how.hint_file, file.error().message);
  Result<conformance::Hints> hints = conformance::Hints::read(file.value());
  if (!hints.ok()) return the_error("check.hint", how.hint_file, hints.error().message);
  how.probe.hints = std::move(hints).value();
  return Done{};
}

int print_survey(const JudgedServers& judged, Host& host) {
  if (judged.interrupted) return kExitInterrupted;
  if (!judged.complaint.message.empty()) return host.give_up(judged.complaint, judged.last_words);
  host.out(pretty_json(judged.found) + "\n");
  return kExitOk;
}

// shows_at_files returns whether a report is wanted whose findings are shown at a file.
bool shows_at_files(const Common& common) {
  return std::ranges::any_of(common.reports, [](const ReportTarget& target) {
    return target.format == "sarif" || target.format == "github";
  });
}

// any_verdict returns whether a single check could tell anything.
bool any_verdict(const Report& report) {
  const Summary summary = summarize(report);
  return summary.pass + summary.fail + summary.warn > 0;
}

}  // namespace

void CheckServerOptions::declare(CLI::App& app) {
  declare_target(app, target);
  const auto add_header = [&app](const char* name, std::vector<std::string>& headers,
                                 const char* says) {
    app.add_option(name, headers, says)
        ->type_name("'NAME: VALUE'")
        ->expected(1)
        ->take_all()
        ->allow_extra_args(false);
  };
  add_header("--second-header", target.second_headers,
             "A second user, who must not see the data of the first; repeatable");
  add_header("--foreign-header", target.foreign_headers,
             "A valid token for another server, to be refused; repeatable");
  app.add_option("--upstream", upstream_text_,
                 "Run a stand-in here for the API and authorization server that the server uses")
      ->type_name("HOST:PORT");
  app.add_option("--start", target.start,
                 "Start the server at the URL with this shell command; restart it if it ends")
      ->type_name("'COMMAND'");
  app.add_option("--wait", wait_text_, "Wait this long for the server to listen, such as 30s")
      ->type_name("DURATION");
  declare_selection(app, how.selection, selection_texts_);
  app.add_flag("--allow-writes", how.probe.allow_writes,
               "Also call tools that are not marked read-only");
  app.add_option("--hint", how.hint_file,
                 "Read from this file what tools do and which arguments work; see --survey")
      ->type_name("FILE");
  app.add_flag("--survey", how.survey,
               "Print a file about the tools for --hint, and check nothing");
  app.add_option("--fail-on", how.common.fail_on_newest,
                 "Fail only for the newest revision that it speaks, or for any (default)")
      ->transform(choice<bool>({{"newest", true}, {"any", false}}))
      ->type_name("WHICH");
  app.add_flag("--lint", lint, "Also report what plumbline lint finds");
  declare_watching(app, watching);
  app.add_option("--starts", how.starts_max, "Start COMMAND at most N times")
      ->type_name("N")
      ->check(CLI::Range(1, 1000));
  add_timeout(app, texts_);
  add_common(app, how.common, texts_);
}

Status CheckServerOptions::read() {
  const Status shared = read_common(texts_, how.common);
  if (!shared.ok()) return shared;
  os::RealPaths paths;
  const Status taken = take_target("check server", target, paths);
  if (!taken.ok()) return taken;
  if (!(target.start.empty() && wait_text_.empty()) && target.url.empty()) {
    return the_error("target.only-at-a-url", "start, --wait", "a server", "them");
  }
  const Status waits = read_duration("--wait", wait_text_, target.wait);
  if (!waits.ok()) return waits;
  if (!upstream_text_.empty()) {
    Result<net::Authority> at = read_authority("--upstream", upstream_text_);
    if (!at.ok()) return at.error();
    how.upstream = std::move(at).value();
  }
  const Status watched = read_watching(watching);
  if (!watched.ok()) return watched;
  if (watching.on && how.survey) return the_error("test.watch", "expected no --survey beside it");
  if (how.survey && !target.config.empty()) {
    return the_error("check.survey-of-one");
  }
  return read_selection(selection_texts_, how.selection);
}

namespace {

// judge_once judges the targets one time, and gives the report of it.
int judge_once(const CheckServerOptions& options, ServerJudging how, Host& host, Report& report) {
  const Result<CheckTargets> targets = read_targets(options.target, host);
  if (!targets.ok()) return host.complain(targets.error(), kExitUsage);
  if (how.survey) return print_survey(judge_servers(how, targets.value(), host), host);
  const Duration begin = os::wall_clock_since_1970();
  report.version = kVersion;
  report.command = "check server";
  report.target = shown_targets(targets.value());
  if (!options.target.config.empty()) report.target["config"] = options.target.config;
  report.started = os::wall_clock_rfc3339();
  JudgedServers judged = judge_servers(how, targets.value(), host);
  if (how.newer && how.newer()) return kExitOk;
  for (const reports::Judged& one : judged.judged) reports::add_judged(report.target, one);
  for (const reports::BuiltWith& sdk : judged.sdks) reports::add_built_with(report.target, sdk);
  if (!judged.complaint.message.empty())
    report.target[reports::kUnreached] = judged.complaint.message;
  report.target[reports::kEffort] = judged.effort;
  if (shows_at_files(how.common)) {
    const std::string file = file_shown_at(host.files(), report);
    if (!file.empty()) report.target[reports::kShownAt] = file;
  }
  report.results = std::move(judged.results);
  report.revision = judged.revision;
  const bool lints = options.lint && !judged.interrupted && judged.complaint.message.empty();
  if (lints) add_lint(targets.value(), how.common.timeout, report, host);
  const Duration took = os::wall_clock_since_1970() - begin;
  report.duration_ms = static_cast<double>(took.count()) / 1e6;
  const bool nothing = report.results.empty() && how.common.reports.empty();
  const int status = nothing ? kExitOk : publish(host, how.common, report);
  if (judged.interrupted) return kExitInterrupted;
  if (!judged.complaint.message.empty()) return host.give_up(judged.complaint, judged.last_words);
  if (status == kExitOk && !any_verdict(report)) {
    return host.complain(the_error("target.nothing-applies"), kExitUnreachable);
  }
  return status;
}

// ids_to_mend returns the checks whose failures are the server's own.
std::vector<std::string> ids_to_mend(const Report& report) {
  std::set<std::string> ids;
  for (const reports::Finding& finding : reports::answers_of(report).findings) {
    if (finding.whose == reports::Whose::kYours) ids.insert(finding.result->id);
  }
  return {ids.begin(), ids.end()};
}

// judge_and_watch judges again after each change: what failed last first, for that is what somebody
// is at work on, then everything.
int judge_and_watch(const CheckServerOptions& options, const ServerJudging& how, Host& host) {
  const Result<CheckTargets> targets = read_targets(options.target, host);
  if (!targets.ok()) return host.complain(targets.error(), kExitUsage);
  std::vector<std::vector<std::string>> commands;
  for (const CheckTarget& target : targets.value().targets) {
    commands.push_back(target.subject.command.argv);
    commands.push_back(target.subject.start.argv);
  }
  std::vector<std::string> broken;
  const ChangedRound round = [&](const std::set<std::string>&, const std::function<bool()>& newer) {
    ServerJudging again = how;
    again.newer = newer;
    if (!broken.empty()) {
      ServerJudging first = again;
      first.selection.rules.only = broken;
      first.common.reports.clear();
      first.common.quiet = true;
      host.tell_line(std::to_string(broken.size()) + " that failed, again:");
      Report report;
      const int status = judge_once(options, first, host, report);
      if (status == kExitInterrupted || newer()) return status;
      if (status == kExitFailed || status == kExitUnreachable) return status;
      host.tell_line("all checks, again:");
    }
    Report report;
    const int status = judge_once(options, again, host, report);
    if (status != kExitInterrupted && !newer()) broken = ids_to_mend(report);
    return status;
  };
  return watch_rounds(options.watching, paths_of(options.watching, commands), host, round);
}

}  // namespace

int run_check_server(const CheckServerOptions& options, Host& host) {
  ServerJudging how = options.how;
  const Status hinted = read_hints(host, how);
  if (!hinted.ok()) return host.complain(hinted.error(), kExitUsage);
  if (options.watching.on) return judge_and_watch(options, how, host);
  Report report;
  return judge_once(options, std::move(how), host, report);
}

}  // namespace plumbline::cli
