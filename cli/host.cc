#include "cli/host.h"

#include <algorithm>
#include <cstdio>
#include <string>

#include "cli/baseline_file.h"
#include "core/os/environment.h"
#include "core/os/terminal.h"
#include "reports/writer.h"

namespace plumbline::cli {

namespace {

constexpr int kStdout = 1;
constexpr int kStderr = 2;

bool decide(When when, int fd) {
  if (when != When::kAuto) return when == When::kAlways;
  return os::is_terminal(fd);
}

}  // namespace

void Host::out(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

void Host::tell(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stderr); }

int Host::complain(std::string_view what, int exit_status) {
  std::string line = "plumbline: " + std::string(what);
  std::ranges::replace(line, '\n', ' ');
  tell(line + "\n");
  return exit_status;
}

bool Host::wants_color(When color) const {
  if (color == When::kAuto && os::environment_variable("NO_COLOR").value_or("") != "") return false;
  return decide(color, kStdout);
}

bool Host::wants_progress(const Common& common) const {
  return !common.quiet && decide(common.progress, kStderr);
}

int publish(Host& host, const Common& common, const Report& judged) {
  Report report = judged;
  const Result<bool> stale = apply_baseline_file(host, common, report);
  if (!stale.ok()) return host.complain(stale.error().message, kExitUsage);
  bool stdout_taken = false;
  for (const ReportTarget& target : common.reports) {
    const std::string text = reports::find_format(target.format)->write(report);
    if (target.path == "-") {
      host.out(text);
      stdout_taken = true;
      continue;
    }
    const Status written = host.files().write_file(target.path, text);
    if (!written.ok()) return host.complain(written.error().message, kExitUsage);
  }
  if (!stdout_taken) {
    reports::ConsoleOptions options;
    options.color = host.wants_color(common.color);
    options.quiet = common.quiet;
    options.verbose = common.verbose;
    options.columns = os::terminal_columns(kStdout).value_or(100);
    host.out(reports::write_console(report, options));
  }
  const Summary summary = summarize(report);
  if (summary.fail > 0 || stale.value()) return kExitFailed;
  return summary.inconclusive > 0 ? kExitUnreachable : kExitOk;
}

}  // namespace plumbline::cli
