#include "cli/commands/sweep.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "cli/options/choice.h"
#include "cli/options/expected_trace.h"
#include "cli/options/usage.h"
#include "cli/options/version.h"
#include "cli/publish.h"
#include "cli/runs/fail_each.h"
#include "cli/runs/load.h"
#include "cli/runs/progress.h"
#include "cli/runs/shrunk.h"
#include "core/base/errors/errors.h"
#include "core/base/sha256.h"
#include "core/os/child/forked_workers.h"
#include "core/os/stop_flag.h"
#include "core/os/wall_clock.h"
#include "scenarios/sweep/swarm.h"

namespace plumbline::cli {

namespace {

constexpr std::uint64_t kShardsMax = 100'000;

using Scenarios = std::vector<scenarios::Scenario>;

// load reads the scenarios in the order in which seeds are dealt to them.
Result<Scenarios> load(const std::vector<std::string>& paths, FileStore& files) {
  Result<Scenarios> loaded = load_scenarios(paths, files);
  if (!loaded.ok()) return loaded;
  Scenarios all = std::move(loaded).value();
  scenarios::sort_by_id(all);
  const auto same = std::ranges::adjacent_find(all, {}, &scenarios::Scenario::id);
  if (same == all.end()) return all;
  return the_error("scenario.twice", (same + 1)->file, same->id, same->file);
}

// hash_of returns the hash of all scenario files: shards of other files are another sweep.
Result<std::string> hash_of(const Scenarios& all, FileStore& files) {
  Sha256 hash;
  for (const scenarios::Scenario& scenario : all) {
    Result<std::string> text = files.read_file(scenario.file);
    if (!text.ok()) return std::move(text).error();
    hash.update(scenario.id + " " + std::to_string(text.value().size()) + "\n" + text.value());
  }
  return hash.finish_hex();
}

Result<Report> begin_report(const SweepOptions& options, const Scenarios& all, FileStore& files) {
  Result<std::string> hash = hash_of(all, files);
  if (!hash.ok()) return std::move(hash).error();
  Report report;
  report.version = kVersion;
  report.command = "sweep";
  report.target = Json::object();
  report.target["scenarios"] = all.size();
  report.target["sha256"] = hash.value();
  report.target["seeds"] =
      std::to_string(options.seeds.first) + ".." + std::to_string(options.seeds.last);
  report.seed = options.seeds.first;
  report.started = os::wall_clock_rfc3339();
  return report;
}

scenarios::SwarmOptions swarm_options(const SweepOptions& options) {
  scenarios::SwarmOptions swarm;
  swarm.seeds = {options.seeds.first, options.seeds.last};
  swarm.shard = {options.shard, options.shards};
  swarm.profile =
      options.faults == "none" ? scenarios::Profile::kNone : scenarios::Profile::kDefault;
  swarm.jobs = options.jobs;
  swarm.check_determinism = options.check_determinism;
  swarm.until_failure = options.until_failure;
  swarm.hash_first = options.expected_trace.has_value();
  swarm.version = kVersion;
  swarm.hire = os::forked_workers;
  return swarm;
}

// only_stuck returns whether all that failed is that something never ended: no row but those of
// scenarios, and in their worlds nothing else.
bool only_stuck(const Report& report, bool unsafe) {
  const auto stuck = std::ranges::count_if(
      report.sweep->scenarios, [](const SweptScenario& scenario) { return scenario.failed > 0; });
  return !unsafe && stuck > 0 && summarize(report).fail == stuck;
}

// Of so many worlds that end their process it is told what that had to say.
constexpr std::size_t kErrorsTold = 3;

void tell_rate(Host& host, std::uint64_t worlds, double milliseconds) {
  const auto rate = static_cast<std::uint64_t>(static_cast<double>(worlds) * 1'000 / milliseconds);
  host.tell(std::to_string(worlds) + " worlds, " + std::to_string(rate) + " a second\n");
}

// tell_of_no_world says why a shard that has nothing to run passes: others have the worlds.
void tell_of_no_world(const SweepTotals& totals, const SweepOptions& options, Host& host) {
  if (worlds_meant(totals) > 0) return;
  host.tell_line("--shard " + std::to_string(options.shard) + '/' + std::to_string(options.shards) +
                 " has no world of seeds " + std::to_string(options.seeds.first) + ".." +
                 std::to_string(options.seeds.last) +
                 ": nothing is judged here, the other shards have them all");
}

}  // namespace

void SweepOptions::declare(CLI::App& app) {
  app.add_option("PATH", paths, "Scenario files, or folders of them")->required();
  app.add_option("--seeds", seed_texts_.seeds, "Run these seeds, both ends included")
      ->required()
      ->type_name("A..B");
  app.add_option("--jobs,-j", jobs, "Use J threads; results are the same for any J")
      ->check(CLI::Range(1, 256))
      ->type_name("J");
  app.add_option("--shard", shard_text_, "Run every N-th seed, from the I-th")->type_name("I/N");
  app.add_option("--faults", faults, "Inject the default faults, or none but those in the files")
      ->transform(one_of({"default", "none"}))
      ->type_name("PROFILE");
  app.add_option("--failures", failures,
                 "Write a shrunk scenario for each failure into this folder")
      ->type_name("FOLDER");
  app.add_flag("--until-failure", until_failure, "Stop at the first failure");
  app.add_flag("--check-determinism", check_determinism,
               "Run each world twice, and fail if the two runs differ");
  add_expected_trace(app, expected_trace_);
  add_plants(app, plants);
  add_common(app, common, texts_);
}

Status SweepOptions::read() {
  const Status seeded = read_seeds(seed_texts_, seeds);
  if (!seeded.ok()) return seeded;
  const Status part = read_shard();
  if (!part.ok()) return part;
  const Status expecting = read_expected_trace(expected_trace_, expected_trace);
  if (!expecting.ok()) return expecting;
  return read_common(texts_, common);
}

// read_shard reads "2/7".
Status SweepOptions::read_shard() {
  const std::string& text = shard_text_;
  if (text.empty()) return Done{};
  const std::size_t slash = text.find('/');
  const std::string_view all = text;
  const auto index = number_of<std::uint64_t>(all.substr(0, slash));
  const auto of =
      slash == std::string::npos ? std::nullopt : number_of<std::uint64_t>(all.substr(slash + 1));
  if (!index || !of || *index < 1 || *index > *of || *of > kShardsMax) {
    return the_error("sweep.shard", text, std::to_string(kShardsMax));
  }
  shard = *index;
  shards = *of;
  return Done{};
}

int run_sweep(const SweepOptions& options, Host& host) {
  Result<Scenarios> loaded = load(options.paths, host.files());
  if (!loaded.ok()) return host.complain(loaded.error(), kExitUsage);
  plant(loaded.value(), options.plants);
  Result<Report> begun = begin_report(options, loaded.value(), host.files());
  if (!begun.ok()) return host.complain(begun.error(), kExitUsage);
  Report report = std::move(begun).value();

  const Loop& clock = host.world().loop();
  const Instant start = clock.now();
  const os::StopFlag stop;
  const scenarios::Stop asked = [&stop] { return stop.asked(); };
  scenarios::SwarmOptions swarming = swarm_options(options);
  swarming.stop = asked;
  scenarios::Swarm swarm;
  {
    Progress progress(host, clock, host.wants_progress(options.common));
    swarming.progress = [&progress](std::uint64_t done, std::uint64_t total) {
      progress.show(done, total);
    };
    swarming.lost = [&host, told = std::size_t{0}](std::string_view errors) mutable {
      if (++told <= kErrorsTold) host.tell(errors);
    };
    swarm = scenarios::run_swarm(loaded.value(), swarming);
  }
  report.duration_ms = static_cast<double>((clock.now() - start).count() / 1'000) / 1'000.0;
  if (!options.common.quiet) tell_rate(host, swarm.totals.worlds, report.duration_ms);
  report.results = rows_of(swarm.totals);
  if (options.until_failure && swarm.totals.worlds < worlds_meant(swarm.totals)) {
    // What the failure kept from being run says nothing.
    std::erase_if(report.results,
                  [](const CheckResult& row) { return row.verdict == Verdict::kInconclusive; });
  }
  const Status written =
      write_shrunk_failures(loaded.value(), swarm.failures, options.failures, asked, host, report);
  if (!written.ok()) host.complain(written.error(), kExitUsage);
  report.sweep = std::move(swarm.totals);
  tell_of_no_world(*report.sweep, options, host);
  if (options.expected_trace && report.sweep->worlds > 0) {
    const std::string line = unlike_line(*options.expected_trace, {kVersion, swarm.first_trace});
    if (!line.empty()) host.tell_line(line);
  }
  const int status = publish(host, options.common, report);
  if (stop.asked()) return kExitInterrupted;
  return status == kExitFailed && only_stuck(report, swarm.unsafe) ? kExitStuck : status;
}

}  // namespace plumbline::cli
