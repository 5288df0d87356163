// Trials runs one world after the other for whoever looks for a smaller one, each in a worker: a
// world that its worker dies of has failed kNoAbort.

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/doors/workers.h"
#include "core/json/json.h"
#include "fakes/world/sim_loop.h"
#include "scenarios/format/scenario.h"
#include "scenarios/world/runner.h"
#include "scenarios/world/weather.h"

namespace plumbline::scenarios {

struct Trial {
  std::vector<RunFailure> failures;
  fakes::Schedule schedule;  // Empty when the worker died.
};

class Trials {
 public:
  // `scenario` must outlive the object. `transport`: where scenario and weather do not decide.
  Trials(const Scenario& scenario, std::uint64_t seed, Transport transport, const Hire& hire);
  Trials(const Trials&) = delete;
  Trials& operator=(const Trials&) = delete;

  // Around is the weather of a world of the whole scenario.
  enum class Around { kDrawn, kOfFile };
  Weather weather(Around around) const;

  // whole runs the scenario in that weather.
  Trial whole(Around around);

  // of_document runs `document` under `seed`, as its file would be. Nothing: it is refused.
  std::optional<Trial> of_document(const Json& document, std::uint64_t seed);

 private:
  void work(std::string_view task, const Workers::Say& say) const;
  std::optional<Trial> result_of(std::string task);

  const Scenario& scenario_;
  std::uint64_t seed_;
  Transport transport_;
  std::string file_;
  std::unique_ptr<Workers> workers_;
};

}  // namespace plumbline::scenarios
