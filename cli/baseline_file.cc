#include "cli/baseline_file.h"

#include <string>
#include <utility>

#include "cli/known/known.h"
#include "reports/baseline.h"

namespace plumbline::cli {

namespace {

Result<reports::Baseline> read_file(Host& host, const Common& common) {
  Result<std::string> text = host.files().read_file(common.baseline);
  if (text.ok()) return reports::read_baseline(text.value(), common.baseline);
  // Its first --update-baseline makes it. What is there and cannot be read is never overwritten.
  if (common.update_baseline && !host.files().list_files(common.baseline, "").ok()) {
    return reports::Baseline{};
  }
  return text.error();
}

// rename gives every entry the id that its check has now, and tells of each that had another.
void rename(Host& host, const Common& common, reports::Baseline& baseline) {
  for (reports::BaselineEntry& entry : baseline) {
    const std::string now(current_id(entry.id));
    if (now == entry.id) continue;
    host.tell("plumbline: " + common.baseline + ": " + entry.id + " is called " + now + " now" +
              (common.update_baseline ? "\n" : ": --update-baseline writes it so\n"));
    entry.id = now;
  }
}

Status write_file(Host& host, const Common& common, const reports::BaselineUpdate& update) {
  const Status written =
      host.files().write_file(common.baseline, reports::write_baseline(update.baseline));
  if (!written.ok()) return written;
  host.tell("plumbline: " + common.baseline + ": " + std::to_string(update.added) + " added, " +
            std::to_string(update.dropped) + " dropped, " + std::to_string(update.baseline.size()) +
            " in all\n");
  return Done{};
}

}  // namespace

Status check_baseline_file(Host& host, const Common& common) {
  if (common.baseline.empty() || common.excuses_sdk()) return Done{};
  const Result<reports::Baseline> baseline = read_file(host, common);
  if (!baseline.ok()) return baseline.error();
  return Done{};
}

Result<bool> apply_baseline_file(Host& host, const Common& common, Report& report) {
  if (common.baseline.empty()) return false;
  if (common.excuses_sdk()) {
    const reports::Baseline baseline = reports::sdk_baseline(report);
    if (baseline.empty()) {
      host.tell(
          "plumbline: --baseline sdk excuses nothing: no finding is known of every server on "
          "an SDK\n");
    }
    reports::apply_baseline(baseline, report);
    return false;
  }
  Result<reports::Baseline> read = read_file(host, common);
  if (!read.ok()) return read.error();
  reports::Baseline baseline = std::move(read).value();
  rename(host, common, baseline);
  if (common.update_baseline) {
    reports::BaselineUpdate update = reports::update_baseline(baseline, report);
    const Status written = write_file(host, common, update);
    if (!written.ok()) return written.error();
    baseline = std::move(update.baseline);
  }
  const reports::Baseline stale = reports::apply_baseline(baseline, report);
  for (const reports::BaselineEntry& entry : stale) {
    host.complain(common.baseline + ": " + reports::describe_entry(entry) +
                      " passes now, expected a failure: take it out, or use --update-baseline",
                  kExitFailed);
  }
  return !stale.empty();
}

}  // namespace plumbline::cli
