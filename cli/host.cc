#include "cli/host.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>

#include "cli/baseline_file.h"
#include "core/os/child/environment.h"
#include "core/os/terminal.h"
#include "reports/text.h"
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

void Host::hide_environment() { secrets_.add_variables(os::whole_environment()); }

void Host::out(std::string_view text) {
  if (out_failed_ != 0) return;
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if (std::fflush(stdout) != 0 || !written) out_failed_ = errno;
}

void Host::tell(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stderr); }

void Host::tell_line(std::string_view text) {
  tell(reports::without_commands(reports::one_line(secrets_.redact(std::string(text)))) + "\n");
}

int Host::complain(std::string_view what, int exit_status) {
  tell_line("plumbline: " + std::string(what));
  return exit_status;
}

int Host::finish(int status) {
  if (out_failed_ == 0) return status;
  complain(std::string("cannot write to standard output: ") + std::strerror(out_failed_), status);
  return status == kExitOk ? kExitUnreachable : status;
}

bool Host::wants_color(When color) const {
  if (color == When::kAuto && os::environment_variable("NO_COLOR").value_or("") != "") return false;
  return decide(color, kStdout);
}

bool Host::wants_progress(const Common& common) const {
  return !common.quiet && decide(common.progress, kStderr);
}

namespace {

// write_reports returns whether every report of `common` was written.
bool write_reports(Host& host, const Common& common, const Report& report) {
  bool all = true;
  for (const ReportTarget& target : common.reports) {
    std::string text = reports::find_format(target.format)->write(report);
    if (target.path == "-") {
      // Only that one format speaks to the runner that reads standard output.
      host.out(target.format == "github" ? text : reports::without_commands(text));
      continue;
    }
    const Status written = host.files().write_file(target.path, text);
    if (!written.ok()) host.complain(written.error().message, kExitUnreachable);
    all = all && written.ok();
  }
  return all;
}

void print_console(Host& host, const Common& common, const Report& report) {
  reports::ConsoleOptions options;
  options.color = host.wants_color(common.color);
  options.quiet = common.quiet;
  options.verbose = common.verbose;
  options.outcome = common.outcome || common.verbose;
  options.columns = os::terminal_columns(kStdout).value_or(100);
  host.out(reports::write_console(report, options));
}

}  // namespace

int publish(Host& host, const Common& common, const Report& judged) {
  Report report = judged;
  host.secrets().redact(report);
  const Result<bool> stale = apply_baseline_file(host, common, report);
  if (!stale.ok()) host.complain(stale.error().message, kExitUsage);
  const bool written = write_reports(host, common, report);
  if (!std::ranges::count(common.reports, "-", &ReportTarget::path)) {
    print_console(host, common, report);
  }
  if (!stale.ok()) return kExitUsage;
  const Summary summary = summarize(report);
  if (summary.fail > 0 || stale.value()) return kExitFailed;
  return summary.inconclusive > 0 || !written ? kExitUnreachable : kExitOk;
}

}  // namespace plumbline::cli
