#include "cli/runs/shrunk.h"

#include <algorithm>

#include "core/os/child/forked_workers.h"
#include "core/os/real_file_store.h"
#include "scenarios/shrink/shrink.h"

namespace plumbline::cli {

namespace {

// told returns what a row says of a small failure, which is kept at `path`, if anywhere.
std::string told(const scenarios::Scenario& scenario, std::uint64_t seed,
                 const scenarios::Shrunk& shrunk, const std::string& path) {
  std::string out;
  for (const std::string& line : scenarios::explain_shrunk(shrunk)) out += "\n" + line;
  if (path.empty()) {
    return out + "\nas a file: plumbline shrink " + scenario.file + " --seed " +
           std::to_string(seed) + " --out FILE";
  }
  return out + "\nby itself: plumbline run " + path + " --seed " + std::to_string(shrunk.run_seed);
}

}  // namespace

Status write_shrunk_failures(const std::vector<scenarios::Scenario>& scenarios,
                             const std::vector<scenarios::Failure>& failures,
                             const std::string& folder, const scenarios::StopFlag& stop, Host& host,
                             Report& report) {
  if (failures.empty()) return Done{};
  if (!folder.empty()) {
    const Status made = os::make_folder(folder);
    if (!made.ok()) return made;
  }
  for (const scenarios::Failure& failure : failures) {
    const scenarios::Scenario& scenario = scenarios[failure.scenario];
    scenarios::ShrinkOptions options;
    options.stop = [&stop] { return stop.load(); };
    options.hire = os::forked_workers;
    const scenarios::Shrunk shrunk = scenarios::shrink_failure(scenario, failure.seed, options);
    if (!shrunk.failed || shrunk.document.is_null()) continue;
    const std::string id = scenario.id + "-" + std::to_string(failure.seed);
    const std::string path = folder.empty() ? "" : folder + "/" + id + ".json";
    if (!path.empty()) {
      const Status written = host.files().write_file(
          path, scenarios::write_shrunk(scenario, failure.seed, shrunk, id));
      if (!written.ok()) return written;
    }
    const auto row = std::ranges::find(report.results, scenario.id, &CheckResult::id);
    if (row != report.results.end()) row->message += told(scenario, failure.seed, shrunk, path);
  }
  return Done{};
}

}  // namespace plumbline::cli
