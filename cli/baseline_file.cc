#include "cli/baseline_file.h"

#include <string>
#include <utility>

#include "cli/known/known.h"
#include "core/base/errors/errors.h"
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

Status apply_file(Host& host, const Common& common, Report& report) {
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
  for (const reports::BaselineEntry& entry : reports::apply_baseline(baseline, report)) {
    const std::string name = reports::describe_entry(entry);
    host.complain(the_error("baseline.stale", common.baseline, name), kExitFailed);
    if (report.target.is_null()) report.target = Json(Json::value_t::object);
    if (report.target.is_object()) report.target[reports::kStale].push_back(name);
  }
  return Done{};
}

}  // namespace

Status check_baseline_file(Host& host, const Common& common) {
  if (!common.has_baseline_file()) return Done{};
  const Result<reports::Baseline> baseline = read_file(host, common);
  if (!baseline.ok()) return baseline.error();
  return Done{};
}

Status excuse(Host& host, const Common& common, Report& report) {
  if (common.has_baseline_file()) {
    Status applied = apply_file(host, common, report);
    if (!applied.ok()) return applied;
  }
  if (common.excuses_sdk()) {
    const std::size_t excused = reports::excuse_sdk(report);
    if (excused == 0 && common.baseline == "sdk") {
      host.tell(
          "plumbline: --baseline sdk excuses nothing: no failure is known of every server on "
          "an SDK\n");
    }
  }
  if (common.fail_on_newest) reports::excuse_older(report);
  return Done{};
}

}  // namespace plumbline::cli
