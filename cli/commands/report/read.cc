#include "cli/commands/report/read.h"

#include "core/base/errors/errors.h"
#include "reports/read_report.h"

namespace plumbline::cli {

Result<Report> read_report_file(Host& host, const std::string& path) {
  const Result<std::string> text = host.files().read_file(path);
  if (!text.ok()) return text.error();
  Result<Report> report = reports::read_report(text.value());
  if (report.ok()) return report;
  return behind(path + ": ", report.error());
}

}  // namespace plumbline::cli
