#include "scenarios/weather.h"

namespace plumbline::scenarios {

namespace {

constexpr std::uint64_t kFaultsMax = 8;

Duration milliseconds(std::int64_t count) { return std::chrono::milliseconds(count); }

Fault draw_fault(const Scenario& scenario, fakes::Choices& choices) {
  Fault fault;
  fault.server = scenario.servers[choices.below(scenario.servers.size())].name;
  fault.verb = choices.chance(1, 2) ? Fault::Verb::kReset : Fault::Verb::kStall;
  fault.at = milliseconds(choices.between(0, 1'000));
  if (fault.verb == Fault::Verb::kStall) fault.lasts = milliseconds(choices.between(0, 60'000));
  return fault;
}

}  // namespace

Weather weather_of(const Scenario& scenario) {
  return Weather{scenario.world, scenario.faults, scenario.inner};
}

Weather draw_weather(const Scenario& scenario, fakes::Choices& choices) {
  Weather weather = weather_of(scenario);
  for (std::uint64_t i = 0; i < kFaultsMax && !scenario.servers.empty(); ++i) {
    const fakes::Choices::In fault(choices);
    if (!choices.chance(3, 4)) break;
    weather.faults.push_back(draw_fault(scenario, choices));
  }
  draw_inner_faults(choices, weather.inner);
  return weather;
}

fakes::Choices weather_choices(const Scenario& scenario, std::uint64_t seed) {
  return fakes::Choices(Rng(seed).fork("weather").fork(scenario.id));
}

bool keeps_outcome(const Scenario& scenario, const Weather& weather) {
  return weather.faults.size() == scenario.faults.size() && weather.inner == scenario.inner &&
         weather.world.order == scenario.world.order &&
         weather.world.latency_min == scenario.world.latency_min &&
         weather.world.latency_max == scenario.world.latency_max;
}

}  // namespace plumbline::scenarios
