#include "cli/commands/shrink.h"

#include <string>
#include <utility>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "cli/runs/fail_each.h"
#include "cli/runs/load.h"
#include "cli/runs/shrunk.h"
#include "core/base/errors/errors.h"
#include "core/os/child/forked_workers.h"
#include "core/os/stop_flag.h"
#include "scenarios/shrink/shrink.h"

namespace plumbline::cli {

namespace {

// stem_of returns "b" of "a/b.json": what the scenario in that file must be called.
std::string stem_of(const std::string& path) {
  std::string name = path.substr(path.rfind('/') + 1);
  return name.ends_with(".json") ? name.substr(0, name.size() - 5) : name;
}

}  // namespace

void ShrinkOptions::declare(CLI::App& app) {
  app.add_option("SCENARIO", scenario, "The scenario file")->required();
  app.add_option("--seed", seed_texts_.seed, "Shrink the failure of this seed")
      ->required()
      ->type_name("N");
  app.add_option("--out", out, "Write the scenario here (default ID-seed-N.json)")
      ->type_name("FILE");
  add_plants(app, plants);
}

Status ShrinkOptions::read() {
  SeedRange seeds;
  const Status seeded = read_seeds(seed_texts_, seeds);
  seed = seeds.first;
  return seeded;
}

int run_shrink(const ShrinkOptions& options, Host& host) {
  auto loaded = load_scenarios({options.scenario}, host.files());
  if (!loaded.ok()) return host.complain(loaded.error(), kExitUsage);
  if (loaded.value().size() != 1) {
    return host.complain(the_error("scenario.one-file", options.scenario), kExitUsage);
  }
  plant(loaded.value(), options.plants);
  const scenarios::Scenario& scenario = loaded.value().front();
  const os::StopFlag stop;
  scenarios::ShrinkOptions shrinking;
  shrinking.hire = os::forked_workers;
  shrinking.stop = [&stop] { return stop.asked(); };
  const scenarios::Shrunk shrunk = scenarios::shrink_failure(scenario, options.seed, shrinking);
  const std::string seed = std::to_string(options.seed);
  if (!shrunk.failed) {
    return host.complain(the_error("scenario.nothing-fails", scenario.file, seed), kExitUsage);
  }
  for (const std::string& line : scenarios::explain_shrunk(shrunk)) host.out(line + '\n');
  if (shrunk.document.is_null()) return kExitFailed;
  const std::string out =
      options.out.empty() ? scenario.id + "-seed-" + seed + ".json" : options.out;
  const std::string text = scenarios::write_shrunk(scenario, options.seed, shrunk, stem_of(out));
  const Status written = host.files().write_file(out, text);
  if (!written.ok()) return host.complain(written.error(), kExitUsage);
  host.out(run_again(shrunk, text, out) + "\n");
  host.tell("after " + std::to_string(shrunk.runs) + " runs\n");
  return stop.asked() ? kExitInterrupted : kExitFailed;
}

}  // namespace plumbline::cli
