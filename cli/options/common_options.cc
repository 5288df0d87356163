#include "cli/options/common_options.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <map>
#include <string_view>
#include <utility>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "cli/options/choice.h"
#include "core/base/limits.h"
#include "reports/writer.h"

namespace plumbline::cli {

namespace {

const std::map<std::string, When> kWhen = {
    {"auto", When::kAuto}, {"always", When::kAlways}, {"never", When::kNever}};

Error misuse(std::string message) { return Error{ErrorCode::kInvalidInput, std::move(message)}; }

Status read_reports(const std::vector<std::string>& texts, std::vector<ReportTarget>& out) {
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    ReportTarget target{text.substr(0, equals),
                        equals == std::string::npos ? "" : text.substr(equals + 1)};
    if (target.path.empty()) return misuse("--report " + text + ": expected FORMAT=PATH");
    if (target.path == "/dev/stdout") target.path = "-";
    if (reports::find_format(target.format) == nullptr) {
      std::string known;
      for (const reports::Format& format : reports::formats()) {
        known += (known.empty() ? "" : ", ") + std::string(format.name);
      }
      return misuse("--report " + text + ": unknown format, expected one of " + known);
    }
    out.push_back(std::move(target));
  }
  if (std::ranges::count(out, "-", &ReportTarget::path) > 1) {
    return misuse("--report: only one report can go to standard output");
  }
  return Done{};
}

}  // namespace

void add_common(CLI::App& app, Common& common, CommonTexts& texts) {
  app.add_option("--report", texts.reports, "Write a report: FORMAT=PATH, - for stdout; repeatable")
      ->type_name("FORMAT=PATH")
      ->expected(1)
      ->take_all()
      ->allow_extra_args(false);
  app.add_option(
         "--baseline", common.baseline,
         "Known failures to excuse, beside those of every server on the same SDK; none: excuse "
         "nothing (docs/baselines.md)")
      ->type_name("FILE|none");
  app.add_flag("--update-baseline", common.update_baseline,
               "Write what fails now into the file of --baseline");
  app.add_option("--sarif-file", common.sarif_file,
                 "Show SARIF alerts and annotations at this file (default: the project's manifest)")
      ->type_name("FILE");
  app.add_flag("--quiet,-q", common.quiet, "Only what needs a look");
  app.add_flag("--verbose,-v", common.verbose, "Show all messages, areas and what was skipped");
  app.add_option("--color", common.color, "auto, always or never")
      ->transform(choice(kWhen))
      ->type_name("WHEN");
  app.add_option("--progress", common.progress, "auto, always or never, on stderr")
      ->transform(choice(kWhen))
      ->type_name("WHEN");
}

void add_timeout(CLI::App& app, CommonTexts& texts) {
  app.add_option("--timeout", texts.timeout, "Of one request, such as 500ms, 30s or 2m")
      ->type_name("DURATION");
}

Status read_common(const CommonTexts& texts, Common& common) {
  if (common.update_baseline && common.baseline.empty()) {
    return misuse("--update-baseline: expected --baseline FILE beside it");
  }
  if (common.update_baseline && !common.has_baseline_file()) {
    return misuse("--update-baseline: --baseline " + common.baseline +
                  " is no file; one of that name is ./" + common.baseline);
  }
  const Status timeout = read_duration("--timeout", texts.timeout, common.timeout);
  if (!timeout.ok()) return timeout;
  return read_reports(texts.reports, common.reports);
}

Status read_duration(const std::string& option, const std::string& text, Duration& out) {
  if (text.empty()) return Done{};
  const std::map<std::string_view, Duration> units = {{"ms", std::chrono::milliseconds(1)},
                                                      {"s", std::chrono::seconds(1)},
                                                      {"m", std::chrono::minutes(1)}};
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  std::int64_t count = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + digits, count);
  const auto unit = units.find(std::string_view(text).substr(digits));
  if (failed != std::errc() || end != text.data() + digits || unit == units.end() || count < 1 ||
      count > limits::kVirtualTimeMax / unit->second) {
    return misuse(option + " " + text +
                  ": expected a duration such as 500ms, 30s or 2m, at most 24 hours");
  }
  out = count * unit->second;
  return Done{};
}

}  // namespace plumbline::cli
