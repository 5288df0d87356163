#include "cli/commands/report/compare.h"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "cli/commands/report/read.h"
#include "reports/compare/comparison.h"
#include "reports/text.h"
#include "reports/writer.h"

namespace plumbline::cli {

void CompareOptions::declare(CLI::App& app) {
  app.add_option("BEFORE", before, "The earlier JSON report")->required();
  app.add_option("AFTER", after, "The later JSON report, from the same command")->required();
  app.add_option("--html", html, "Write AFTER as an HTML page that starts with the differences")
      ->type_name("FILE");
}

int run_compare(const CompareOptions& options, Host& host) {
  const Result<Report> before = read_report_file(host, options.before);
  if (!before.ok()) return host.complain(before.error(), kExitUsage);
  const Result<Report> after = read_report_file(host, options.after);
  if (!after.ok()) return host.complain(after.error(), kExitUsage);
  const Status comparable = reports::comparable(before.value(), after.value());
  if (!comparable.ok()) return host.complain(comparable.error(), kExitUsage);
  const std::string text = reports::write_comparison(before.value(), after.value());
  host.out(reports::without_commands(text));
  int status = kExitOk;
  if (!options.html.empty()) {
    const std::string page = reports::write_compared_html(before.value(), after.value());
    const Status written = host.files().write_file(options.html, page);
    if (!written.ok()) status = host.complain(written.error(), kExitUnreachable);
  }
  const reports::Comparison comparison(before.value(), after.value());
  return comparison.fails_anew() ? kExitFailed : status;
}

}  // namespace plumbline::cli
