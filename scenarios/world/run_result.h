// What a run is asked for, and what comes of it.

#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/base/time.h"
#include "core/events/report.h"
#include "core/json/json.h"
#include "scenarios/format/scenario.h"
#include "scenarios/judge/invariants.h"
#include "scenarios/judge/situations.h"
#include "scenarios/world/fault_plan.h"
#include "scenarios/world/weather.h"

namespace plumbline::scenarios {

class Waits;

// Want says what of a run is kept beside its verdict.
struct Want {
  bool state = false;       // The final state as JSON.
  bool outcome = false;     // What came of it, as reports tell it, and which rules were followed.
  bool trace_hash = false;  // The hash of the trace.
  bool trace = false;       // The trace itself, with its hash.
  bool schedule = false;    // In which order equal Instants went.
};

struct RunOptions {
  std::uint64_t seed = 1;
  Transport transport = Transport::kAny;  // Where the scenario does not decide; kAny is kBytes.
  const Weather* weather = nullptr;       // Null: as the scenario says. Must outlive the run.
  fakes::Chooser* chooser = nullptr;      // Orders equal Instants instead of the weather.
  Want want;
  Waits* waits = nullptr;  // Hears every event, too. May be null.
};

struct RunResult {
  std::uint64_t seed = 0;
  Verdict verdict = Verdict::kPass;  // kPass or kFail.
  std::vector<RunFailure> failures;  // Invariants first.
  std::string status;                // Of the final output; of each user, with commas between.
  std::vector<std::string> route;    // Of the first user, as the state.
  std::int64_t effects = 0;
  SituationSet situations;                                 // What the run met of all_situations().
  std::vector<std::string> sometimes;                      // What it met of the scenario's own.
  std::int64_t operations = 0;                             // Counted, where one was to fail.
  std::vector<std::pair<std::string, std::int64_t>> rare;  // Branches taken, and how often.
  Duration answered_after{};                               // Virtual time until the final output.
  std::uint64_t unseed = 0;      // Differs where two runs took different ways.
  Json state;                    // null unless wanted; secrets are taken out.
  Json outcome;                  // null unless wanted: as outcome_of() returns it.
  std::vector<bool> rules_used;  // Of Scenario::rules; empty unless outcome is wanted.
  std::string trace_hash;        // 64 hex digits; empty unless wanted.
  std::string trace;             // JSON Lines; empty unless wanted.
  fakes::Schedule schedule;      // Empty unless wanted.
  std::array<FaultPlan::Tally, kVerbCount> faults{};  // That struck, by Fault::Verb.
};

}  // namespace plumbline::scenarios
