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
#include "cli/options/nearest_ids.h"
#include "core/base/errors/errors.h"
#include "core/base/words/duration_text.h"
#include "reports/writer.h"

namespace plumbline::cli {

namespace {

const std::map<std::string, When> kWhen = {
    {"auto", When::kAuto}, {"always", When::kAlways}, {"never", When::kNever}};

std::vector<std::string> format_names() {
  std::vector<std::string> names;
  for (const reports::Format& format : reports::formats()) names.emplace_back(format.name);
  return names;
}

// form_for returns how `text`, which has no path or no format, may be meant: a format alone, or a
// file whose ending names one.
std::string form_for(const std::string& text) {
  const std::map<std::string, std::string> formats = {
      {"xml", "junit"}, {"md", "markdown"}, {"htm", "html"}, {"svg", "badge"}};
  const std::string word = text.substr(0, text.find('='));
  const std::string ending = word.substr(word.rfind('.') + 1);
  const auto other = formats.find(ending);
  const std::string format = other == formats.end() ? ending : other->second;
  if (reports::find_format(format) == nullptr) return "";
  return ", such as --report " + format + "=" + (ending == word ? "-" : word);
}

Status read_reports(const std::vector<std::string>& texts, std::vector<ReportTarget>& out) {
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    ReportTarget target{text.substr(0, equals),
                        equals == std::string::npos ? "" : text.substr(equals + 1)};
    if (target.path.empty())
      return the_error("cli.report-form", text, "expected FORMAT=PATH" + form_for(text));
    if (target.path == "/dev/stdout") target.path = "-";
    if (reports::find_format(target.format) == nullptr) {
      const std::vector<std::string> known = format_names();
      std::string names;
      for (const std::string& name : known) names += (names.empty() ? "" : ", ") + name;
      return the_error(
          "cli.report-form", text,
          "unknown format, expected one of " + names + did_you_mean(target.format, known));
    }
    out.push_back(std::move(target));
  }
  if (std::ranges::count(out, "-", &ReportTarget::path) > 1) {
    return the_error("cli.report-twice");
  }
  return Done{};
}

}  // namespace

void add_common(CLI::App& app, Common& common, CommonTexts& texts) {
  app.add_option("--report", texts.reports,
                 "Write a report, such as junit=report.xml; - is stdout; repeatable")
      ->type_name("FORMAT=PATH")
      ->expected(1)
      ->take_all()
      ->allow_extra_args(false);
  app.add_flag("--json", texts.json, "Print the JSON report to stdout, as --report json=- does")
      ->group("");
  app.add_option("--baseline", common.baseline,
                 "Excuse the known failures in FILE, or none, not even those of the SDK "
                 "(docs/baselines.md)")
      ->type_name("FILE|none");
  app.add_flag("--update-baseline", common.update_baseline,
               "Write what fails now into the --baseline file");
  app.add_option(
         "--sarif-file", common.sarif_file,
         "Attach SARIF alerts and annotations to this file (default: the project's manifest)")
      ->type_name("FILE");
  app.add_flag("--quiet,-q", common.quiet, "Print only what needs attention");
  app.add_flag("--verbose,-v", common.verbose, "Print more: evidence, skips, areas");
  app.add_flag("--plain", common.plain,
               "Print for a screen reader: no colour, symbols, wrapping or progress");
  app.add_option("--color", common.color, "Use colour: auto (default), always or never")
      ->transform(choice(kWhen))
      ->type_name("WHEN");
  app.add_option("--progress", common.progress,
                 "Show progress on stderr: auto (default), always or never")
      ->transform(choice(kWhen))
      ->type_name("WHEN");
}

void add_timeout(CLI::App& app, CommonTexts& texts) {
  app.add_option("--timeout", texts.timeout,
                 "Wait this long for one response, such as 500ms, 30s or 2m")
      ->type_name("DURATION");
}

Status read_common(const CommonTexts& texts, Common& common) {
  if (common.update_baseline && common.baseline.empty()) {
    return the_error("baseline.which");
  }
  if (common.update_baseline && !common.has_baseline_file()) {
    return the_error("baseline.of-sdks", common.baseline, common.baseline);
  }
  if (common.plain) common.color = common.progress = When::kNever;
  const Status timeout = read_duration("--timeout", texts.timeout, common.timeout);
  if (!timeout.ok()) return timeout;
  std::vector<std::string> reports = texts.reports;
  if (texts.json) reports.emplace_back("json=-");
  return read_reports(reports, common.reports);
}

Status read_duration(const std::string& option, const std::string& text, Duration& out) {
  if (text.empty()) return Done{};
  const std::optional<Duration> read = duration_in(text);
  if (read && *read > Duration::zero()) {
    out = *read;
    return Done{};
  }
  const std::optional<Duration> without_unit = duration_in(text + "ms");
  const bool number = without_unit && *without_unit > Duration::zero();
  return the_error("cli.duration", option, text,
                   number ? text + "s or " + text + "ms" : std::string(kDurationExamples));
}

}  // namespace plumbline::cli
