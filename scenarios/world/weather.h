// Weather is everything around a workload that may differ from run to run: how messages travel,
// what breaks, in which order equals go. It is data that a scenario file could spell out, so a
// failure that was found under drawn weather can be written down as a file.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/json/json.h"
#include "fakes/world/choices.h"
#include "scenarios/format/scenario.h"

namespace plumbline::scenarios {

struct Weather {
  WorldSpec world;
  std::vector<Fault> faults;  // Those of the scenario first.
  InnerFaults inner;
  friend bool operator==(const Weather&, const Weather&) = default;
};

// weather_of returns what the scenario file itself says.
Weather weather_of(const Scenario& scenario);

// draw_weather returns other weather for `scenario`: its own faults, and whatever `choices` adds.
// The same choices draw the same weather; choices that are all 0 draw what weather_of returns.
//
// First it is drawn which kinds of trouble there are at all, so that each meets the others'
// absence, too; then an explicit list of faults. Each fault has a span of its own, and begins with
// whether there is another one: without its span, the list is the same without it.
Weather draw_weather(const Scenario& scenario, fakes::Choices& choices);

// to_json returns {"world", "faults"} as a scenario file says them: they read back as `weather`.
Json to_json(const Weather& weather);

// weather_choices returns the source of the weather of a sweep's world `seed`.
fakes::Choices weather_choices(const Scenario& scenario, std::uint64_t seed);

// keeps_outcome returns whether a run under `weather` must come to what the scenario expects:
// nothing breaks or is late that the file does not name.
bool keeps_outcome(const Scenario& scenario, const Weather& weather);

}  // namespace plumbline::scenarios
