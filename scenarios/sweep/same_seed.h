// The proof that a world is a function of its seed: it runs twice, the second time with other
// memory below it, and does the same to the byte of its trace.

#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fakes/world/choices.h"
#include "scenarios/world/runner.h"
#include "scenarios/world/weather.h"

namespace plumbline::scenarios {

// WorldRun is a run and what it was drawn from.
struct WorldRun {
  RunResult result;
  Weather weather;
  std::vector<fakes::Choices::Choice> drawn;  // For the weather.
};

// RunAgain runs one and the same world, and keeps of it what is wanted.
using RunAgain = std::function<WorldRun(const Want& want)>;

// Twice is two runs of one world.
struct Twice {
  WorldRun once;
  std::string difference;  // Empty: there is none. Else lines that say where the runs part.
};

// run_twice runs it twice, with hashes of the traces alone; where they differ, it runs two more
// times for the traces themselves.
Twice run_twice(const RunAgain& run);

// part_ways returns lines that say which event of two traces is the first that differs, in what,
// what may stand behind it, and what came before. Empty: the traces are equal.
std::string part_ways(std::string_view once, std::string_view again);

}  // namespace plumbline::scenarios
