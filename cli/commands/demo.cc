#include "cli/commands/demo.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

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

// Stop is one of the tour: what is shown, by which scenario of the library.
struct Stop {
  std::string_view scenario;
  std::string_view words;
};

constexpr std::array kStops = {
    Stop{"list-files-happy-path",
         "1. A request, a server, an answer. The whole orchestrator runs, in virtual time;\n"
         "   what came of it is told in the words of the scenario's `expect`."},
    Stop{"email-needs-approval",
         "2. What changes the world waits for a person. Nobody approves here, so nothing is sent."},
    Stop{"ambiguous-success-lost-reply",
         "3. The message is sent and the answer is lost. It must not be sent again, and the user\n"
         "   is told that nobody knows."},
    Stop{"call-hangs",
         "4. A tool that never answers. Half a minute passes in the world, and none of yours."}};

constexpr std::string_view kAfterTour =
    "From here:\n"
    "  plumbline check server --stdio -- COMMAND     judge a server of yours\n"
    "  plumbline run FILE --show outcome             a scenario of yours\n"
    "  plumbline list scenarios                      the library\n"
    "  plumbline explain invariant.no-effect-twice   what an id means\n"
    "  plumbline demo                                all of it, and a report as a page\n";

// judge_ourselves judges the built-in server, as a process, against the specification.
JudgedServers judge_ourselves(const Common& common, Host& host) {
  CheckedServer ourselves;
  ourselves.command = {os::program_path(), "serve", "--reference", "--stdio"};
  ServerJudging judging;
  judging.common = common;
  const Result<CheckTargets> targets = read_targets(ourselves, host);
  return judge_servers(judging, targets.value(), host);
}

// status_of returns that of a run whose report got `status`, and in which our server was judged.
int status_of(const JudgedServers& judged, int status, Host& host) {
  if (judged.interrupted) return kExitInterrupted;
  if (judged.complaint.message.empty()) return status;
  return host.complain(judged.complaint, kExitUnreachable);
}

// run_tour shows the stops one by one, then our server before our judge.
int run_tour(const Common& told, Host& host) {
  Common common = told;
  common.outcome = true;
  int status = kExitOk;
  for (const Stop& stop : kStops) {
    std::vector<scenarios::Scenario> one;
    std::ranges::copy_if(library(), std::back_inserter(one),
                         [&](const scenarios::Scenario& each) { return each.id == stop.scenario; });
    host.out("\n" + std::string(stop.words) + "\n\n");
    const ManyRuns run = run_many("run", one, SeedRange{1, 1}, 1, false, common, host);
    status = std::max(status, publish(host, common, run.report));
    if (run.interrupted) return kExitInterrupted;
  }
  host.out("\n5. And a real server, ours, before the judge of the specification.\n\n");
  common.quiet = true;
  Report report = run_many("demo", {}, SeedRange{1, 1}, 1, false, common, host).report;
  JudgedServers judged = judge_ourselves(common, host);
  report.results = std::move(judged.results);
  status = std::max(status, publish(host, common, report));
  host.out("\n" + std::string(kAfterTour));
  return status_of(judged, status, host);
}

}  // namespace

void DemoOptions::declare(CLI::App& app) {
  app.add_flag("--tour", tour, "Show five features, one by one");
  add_common(app, common, texts_);
}

Status DemoOptions::read() { return read_common(texts_, common); }

int run_demo(const DemoOptions& options, Host& host) {
  if (options.tour) return run_tour(options.common, host);
  Common common = options.common;
  common.reports.push_back(ReportTarget{"html", kReportPath});
  host.tell("An MCP operations assistant meets " + std::to_string(library().size()) +
            " scripted situations, in virtual time.\n");
  ManyRuns outcome = run_many("demo", library(), SeedRange{1, 20}, 1, false, common, host);
  JudgedServers judged;
  if (!outcome.interrupted) {
    host.tell("The built-in server meets the judge of the specification.\n");
    judged = judge_ourselves(common, host);
    for (CheckResult& row : judged.results) outcome.report.results.push_back(std::move(row));
  }
  const int status = publish(host, common, outcome.report);
  host.tell(std::string("Report: ") + kReportPath + "\n");
  return outcome.interrupted ? kExitInterrupted : status_of(judged, status, host);
}

}  // namespace plumbline::cli
