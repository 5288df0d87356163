#include "cli/options/world_options.h"

#include <optional>
#include <string_view>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "cli/options/usage.h"
#include "core/base/errors/errors.h"
#include "scenarios/spec/inner_faults.h"

namespace plumbline::cli {

namespace {

constexpr std::uint64_t kSeedsMax = 100'000'000;

}  // namespace

Status read_seeds(const SeedTexts& texts, SeedRange& seeds) {
  if (!texts.seed.empty() && !texts.seeds.empty()) return the_error("world.seeds");
  if (!texts.seed.empty()) {
    const std::optional<std::uint64_t> seed = number_of<std::uint64_t>(texts.seed);
    if (!seed)
      return the_error("world.seed", std::string(" ") + texts.seed,
                       "expected a number from 0 to 2^64-1");
    seeds = SeedRange{*seed, *seed};
  }
  if (texts.seeds.empty()) return Done{};
  const std::size_t dots = texts.seeds.find("..");
  const std::string_view all = texts.seeds;
  const auto first = number_of<std::uint64_t>(all.substr(0, dots));
  const auto last =
      dots == std::string::npos ? std::nullopt : number_of<std::uint64_t>(all.substr(dots + 2));
  if (!first || !last || *first > *last) {
    return the_error("world.seed", std::string("s ") + texts.seeds,
                     "expected A..B with A at most B");
  }
  if (*last - *first >= kSeedsMax) {
    return the_error("world.seed", std::string("s ") + texts.seeds,
                     std::string("at most ") + std::to_string(kSeedsMax) + " seeds");
  }
  seeds = SeedRange{*first, *last};
  return Done{};
}

void add_plants(CLI::App& app, std::vector<std::string>& plants) {
  app.add_option("--plant", plants)
      ->check(CLI::Validator(
          [](std::string& name) {
            scenarios::InnerFaults ignored;
            return scenarios::plant(name, ignored) ? std::string() : "no defect is called " + name;
          },
          "DEFECT"))
      ->expected(1)
      ->take_all()
      ->allow_extra_args(false)
      ->group("");
}

}  // namespace plumbline::cli
