// explore_orders runs a scenario in every order in which its messages can be delivered: for small
// worlds, a proof and no sample.
//
// To make what can contend do so, messages take no time and arrive whole; faults strike when the
// file says. Orders that differ only in which of two servers goes first are run once, where
// messages pass as bytes or values; over HTTP, SSE and WebSocket every order is run.

#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "fakes/world/sim_loop.h"
#include "scenarios/format/scenario.h"
#include "scenarios/world/runner.h"

namespace plumbline::scenarios {

struct ExploreOptions {
  std::uint64_t seed = 1;
  Transport transport = Transport::kAny;
  std::uint64_t worlds_max = 100'000;  // Runs, those included that turn out to repeat another.
  bool reduces = true;                 // Off: every order is run.
  std::function<bool()> stop;          // Asked before each run; true ends it. May be empty.
  std::function<void(const RunResult&)> see;  // Is told what came of each order. May be empty.
};

struct Explored {
  std::uint64_t orders = 0;          // That were run whole.
  std::uint64_t worlds = 0;          // Runs.
  bool complete = false;             // There is no other order.
  std::optional<RunResult> failure;  // Of the first order that fails, with its schedule.
};

// explore_orders stops at the first order that fails.
Explored explore_orders(const Scenario& scenario, const ExploreOptions& options = {});

}  // namespace plumbline::scenarios
