#include "cli/commands/demo.h"

#include <utility>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "cli/judging/judged_servers.h"
#include "cli/library.h"
#include "cli/publish.h"
#include "cli/runs/many_runs.h"
#include "core/os/child/environment.h"

namespace plumbline::cli {

namespace {

constexpr const char* kReportPath = "plumbline-report.html";

// judge_ourselves judges the built-in server, as a process, against the specification.
JudgedServers judge_ourselves(const Common& common, Host& host) {
  CheckedServer ourselves;
  ourselves.command = {os::program_path(), "serve", "--reference", "--stdio"};
  ServerJudging judging;
  judging.common = common;
  const Result<CheckTargets> targets = read_targets(ourselves, host);
  return judge_servers(judging, targets.value(), host);
}

}  // namespace

void DemoOptions::declare(CLI::App& app) { add_common(app, common, texts_); }

Status DemoOptions::read() { return read_common(texts_, common); }

int run_demo(const DemoOptions& options, Host& host) {
  Common common = options.common;
  common.reports.push_back(ReportTarget{"html", kReportPath});
  host.tell("An MCP operations assistant meets " + std::to_string(library().size()) +
            " scripted situations, in virtual time.\n");
  ManyRuns outcome = run_many("demo", library(), SeedRange{1, 20}, 1, false, common, host);
  if (!outcome.interrupted) {
    host.tell("The built-in server meets the judge of the specification.\n");
    JudgedServers judged = judge_ourselves(common, host);
    outcome.interrupted = judged.interrupted;
    for (CheckResult& row : judged.results) outcome.report.results.push_back(std::move(row));
  }
  const int status = publish(host, common, outcome.report);
  host.tell(std::string("Report: ") + kReportPath + "\n");
  return outcome.interrupted ? kExitInterrupted : status;
}

}  // namespace plumbline::cli
