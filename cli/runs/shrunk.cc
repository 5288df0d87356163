#include "cli/runs/shrunk.h"

#include <algorithm>

#include "cli/options/version.h"
#include "core/os/child/forked_workers.h"
#include "core/os/real_file_store.h"
#include "scenarios/format/format.h"
#include "scenarios/judge/invariants.h"
#include "scenarios/sweep/expected_trace.h"

namespace plumbline::cli {

namespace {

// told returns what a row says of a small failure, but for how it is run.
std::string told(const scenarios::Shrunk& shrunk) {
  std::string out;
  for (const std::string& line : scenarios::explain_shrunk(shrunk)) out += "\n" + line;
  return out;
}

}  // namespace

Status write_shrunk_failures(const std::vector<scenarios::Scenario>& scenarios,
                             const std::vector<scenarios::Failure>& failures,
                             const std::string& folder, const scenarios::Stop& stop, Host& host,
                             Report& report) {
  if (failures.empty()) return Done{};
  if (!folder.empty()) {
    const Status made = os::make_folder(folder);
    if (!made.ok()) return made;
  }
  for (const scenarios::Failure& failure : failures) {
    const scenarios::Scenario& scenario = scenarios[failure.scenario];
    scenarios::ShrinkOptions options;
    options.stop = stop;
    options.hire = os::forked_workers;
    const scenarios::Shrunk shrunk = scenarios::shrink_failure(scenario, failure.seed, options);
    if (!shrunk.failed || shrunk.document.is_null()) continue;
    const std::string id = scenario.id + "-" + std::to_string(failure.seed);
    std::string how = "as a file: plumbline shrink " + scenario.file + " --seed " +
                      std::to_string(failure.seed) + " --out FILE";
    if (!folder.empty()) {
      const std::string path = folder + "/" + id + ".json";
      const std::string text = scenarios::write_shrunk(scenario, failure.seed, shrunk, id);
      const Status written = host.files().write_file(path, text);
      if (!written.ok()) return written;
      how = "by itself: " + run_again(shrunk, text, path);
    }
    const auto row = std::ranges::find(report.results, scenario.id, &CheckResult::id);
    if (row != report.results.end()) row->message += told(shrunk) + "\n" + how;
  }
  return Done{};
}

std::string run_again(const scenarios::Shrunk& shrunk, const std::string& text,
                      const std::string& path) {
  scenarios::ExpectedTrace trace = {kVersion, ""};
  const Result<scenarios::Scenario> small = scenarios::load_scenario(text, path);
  // A world that ends its process is not run in this one.
  if (small.ok() && shrunk.failure.check != scenarios::kNoAbort) {
    trace = scenarios::trace_of(small.value(), shrunk.run_seed, kVersion);
  }
  const std::string seed = " --seed " + std::to_string(shrunk.run_seed);
  return "plumbline run " + path + (shrunk.run_seed == 1 ? "" : seed) +
         scenarios::expect_trace(trace);
}

}  // namespace plumbline::cli
