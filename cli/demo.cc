#include "cli/commands.h"
#include "cli/library.h"
#include "cli/many_runs.h"

namespace plumbline::cli {

namespace {

constexpr const char* kReportPath = "plumbline-report.html";

}  // namespace

int run_demo(const DemoOptions& options, Host& host) {
  Common common = options.common;
  common.reports.push_back(ReportTarget{"html", kReportPath});
  host.tell("An MCP operations assistant meets " + std::to_string(library().size()) +
            " scripted situations, in virtual time.\n");
  const ManyRuns outcome = run_many("demo", library(), SeedRange{1, 20}, 1, common, host);
  const int status = publish(host, common, outcome.report);
  host.tell(std::string("Report: ") + kReportPath + "\n");
  return outcome.interrupted ? kExitInterrupted : status;
}

}  // namespace plumbline::cli
