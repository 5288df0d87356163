#include "cli/commands/report/merge.h"

#include <utility>
#include <vector>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "cli/commands/report/read.h"
#include "cli/publish.h"
#include "reports/merge.h"

namespace plumbline::cli {

void MergeOptions::declare(CLI::App& app) {
  app.add_option("FILE", files, "The JSON reports of all shards")->required();
  app.add_option("--out", out, "Write the merged JSON report here; - for stdout")
      ->required()
      ->type_name("FILE");
  add_common(app, common, texts_);
}

Status MergeOptions::read() {
  texts_.reports.push_back("json=" + out);
  return read_common(texts_, common);
}

int run_merge(const MergeOptions& options, Host& host) {
  std::vector<reports::ShardReport> shards;
  for (const std::string& path : options.files) {
    Result<Report> report = read_report_file(host, path);
    if (!report.ok()) return host.complain(report.error(), kExitUsage);
    shards.push_back({path, std::move(report).value()});
  }
  const Result<Report> merged = reports::merge_reports(std::move(shards));
  if (!merged.ok()) return host.complain(merged.error(), kExitUsage);
  return publish(host, options.common, merged.value());
}

}  // namespace plumbline::cli
