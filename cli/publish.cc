#include "cli/publish.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "cli/attested.h"
#include "cli/baseline_file.h"
#include "conformance/catalogue/records.h"
#include "core/base/errors/errors.h"
#include "core/os/child/real_paths.h"
#include "core/os/terminal.h"
#include "reports/answers/explanation.h"
#include "reports/answers/headline.h"
#include "reports/beside.h"
#include "reports/text.h"
#include "reports/writer.h"

namespace plumbline::cli {

namespace {

constexpr std::size_t kWholeSentences = 10'000;  // Columns in which nothing has to be wrapped.
constexpr int kConsole = 1;                      // The descriptor of standard output.

// write_reports returns whether every report of `common` was written.
bool write_reports(Host& host, const Common& common, const Report& report) {
  bool all = true;
  for (const ReportTarget& target : common.reports) {
    // What is no check was complained of.
    if (target.format == "attestation" && !report.command.starts_with("check")) continue;
    std::string text = reports::find_format(target.format)->write(report);
    if (target.path == "-") {
      // Only that one format speaks to the runner that reads standard output.
      host.out(target.format == "github" ? text : reports::without_commands(text));
      continue;
    }
    const Status written = host.files().write_file(target.path, text);
    if (!written.ok()) host.complain(written.error(), kExitUnreachable);
    all = all && written.ok();
  }
  return all;
}

// plain_letters says with letters what is drawn.
std::string plain_letters(std::string text) {
  constexpr std::pair<std::string_view, std::string_view> kSigns[] = {{" · ", ", "}, {"…", "..."}};
  for (const auto& [sign, letters] : kSigns) {
    for (std::size_t at = 0; (at = text.find(sign, at)) != text.npos; at += letters.size()) {
      text.replace(at, sign.size(), letters);
    }
  }
  return text;
}

void print_console(Host& host, const Common& common, const Report& report) {
  reports::ConsoleOptions options;
  options.color = host.wants_color(common.color);
  options.quiet = common.quiet;
  options.verbose = common.verbose;
  options.outcome = common.outcome || common.verbose;
  options.columns = os::terminal_columns(kConsole).value_or(100);
  if (common.plain) options.columns = kWholeSentences;
  const std::string text = reports::write_console(report, options);
  host.out(common.plain ? plain_letters(text) : text);
}

}  // namespace

int publish(Host& host, const Common& common, const Report& judged, const Shown& shown) {
  Report report = judged;
  host.secrets().redact(report);
  reports::add_reasons(report, conformance::why_it_matters);
  reports::add_mends(report, conformance::mend_of);
  const Status excused = excuse(host, common, report);
  if (!excused.ok()) host.complain(excused.error(), kExitUsage);
  if (!common.sarif_file.empty() && report.target.is_object()) {
    report.target[reports::kShownAt] = common.sarif_file;
  }
  const bool attests = std::ranges::count(common.reports, "attestation", &ReportTarget::format) > 0;
  const bool is_check = report.command.starts_with("check");
  if (attests && is_check && find(report.target, reports::kAttested) == nullptr) {
    os::RealPaths paths;
    report.target[reports::kAttested] = attested(paths, report);
  }
  if (attests && !is_check) {
    host.complain(the_error("cli.report-form", "attestation",
                            "expected what check has judged, and this is no check"),
                  kExitUsage);
  }
  const bool written = write_reports(host, common, report);
  if (!std::ranges::count(common.reports, "-", &ReportTarget::path)) {
    if (shown) host.out(shown(report, host.wants_color(common.color)));
    if (!shown) print_console(host, common, report);
  }
  if (!excused.ok() || (attests && !is_check)) return kExitUsage;
  if (report.results.empty() && !report.sweep) {
    return host.complain(the_error("run.nothing-judged"), kExitUnreachable);
  }
  const Verdict overall = reports::overall_verdict(report);
  if (overall == Verdict::kFail) return kExitFailed;
  return summarize(report).inconclusive > 0 || !written ? kExitUnreachable : kExitOk;
}

}  // namespace plumbline::cli
