// The options of commands that run worlds: their seeds, and the defects that are put into them.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace CLI {
class App;
}

namespace plumbline::cli {

struct SeedRange {
  std::uint64_t first = 0;
  std::uint64_t last = 0;
};

// SeedTexts is what CLI11 fills: --seed and --seeds.
struct SeedTexts {
  std::string seed;
  std::string seeds;
};

// read_seeds reads what stands in `texts`; without any, `seeds` stays as it is.
Status read_seeds(const SeedTexts& texts, SeedRange& seeds);

// add_plants declares what no help shows: docs/sweep.md tells of it. `plants` outlives `app`.
void add_plants(CLI::App& app, std::vector<std::string>& plants);

}  // namespace plumbline::cli
