// InnerFaults is what goes wrong inside the orchestrator itself, not on its network: it dies and is
// started again, one of its operations fails, its engines take rare branches.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/time.h"
#include "core/json/json.h"
#include "core/json/object_reader.h"
#include "fakes/world/choices.h"

namespace plumbline::scenarios {

// CrashPoint is a place between call, effect, result and checkpoint.
enum class CrashPoint {
  kBeforeNote,        // An approval, or a call that changes something, is about to be noted.
  kBeforeCall,        // It is noted, if it has to be, and not sent.
  kAfterCall,         // It was sent.
  kAfterEffect,       // A server has committed a side effect.
  kAfterResult,       // The answer is here, and nothing is made of it yet.
  kBeforeCheckpoint,  // A node is done.
  kAfterCheckpoint,   // And that is kept.
};

struct CrashPointInfo {
  CrashPoint point;
  std::string_view name;  // "before_call"
  std::string_view what;  // One sentence.
};

std::span<const CrashPointInfo> all_crash_points();

// Crash ends the orchestrator at once. Servers and what they have done live on; those that are its
// child processes end with it.
struct Crash {
  std::optional<CrashPoint> point;  // Nothing: at a time.
  std::int64_t nth = 1;             // Which time the point is reached.
  Duration at{};                    // Of the world's time.
  Duration down{};                  // Until it is started again.
  std::string agent{};              // By its name; empty where the world has one agent.
  friend bool operator==(const Crash&, const Crash&) = default;
};

struct InnerFaults {
  std::vector<std::string> rare;    // Names of core/base/rare.h that are on.
  std::vector<Crash> crashes;       // Each strikes once.
  std::int64_t fail_operation = 0;  // The number of the one that fails, from 1. 0: none.

  bool any() const { return !rare.empty() || !crashes.empty() || fail_operation > 0; }
  friend bool operator==(const InnerFaults&, const InnerFaults&) = default;
};

// is_inner_fault returns whether a member of a scenario's "faults" is to be read by
// read_inner_fault
// ("crash_orchestrator", "fail_operation") and not by the network's.
bool is_inner_fault(const Json& fault);
void read_inner_fault(const Json& fault, const std::string& pointer, InnerFaults& into,
                      std::optional<Problem>& problem);

// inner_fault_shapes returns the JSON Schemas of these.
std::vector<Json> inner_fault_shapes();

// read_rare reads a scenario's "rare".
void read_rare(const Json& names, InnerFaults& into, std::optional<Problem>& problem);

// fault_entries writes crashes and the failing operation as they stand in "faults".
std::vector<Json> fault_entries(const InnerFaults& inner);

// Defects that are put in to see that they are found, as InnerFaults::rare names them: of a
// PlantedClient, and of a FaultPlan.
inline constexpr std::string_view kRetryUnknown = "plant.retry-unknown-outcome";
inline constexpr std::string_view kAbortAtReset = "plant.abort-at-reset";
bool has_defect(const InnerFaults& inner, std::string_view defect);

// plant puts in the defect of that name, without its "plant.". Returns false when there is no such
// one. plant_options are the options of a command that do so.
bool plant(std::string_view defect, InnerFaults& into);
std::string plant_options(const InnerFaults& inner);

// draw_inner_faults adds what `choices` says; choices that are all 0 add nothing. `agents` are the
// names of those that may crash.
void draw_inner_faults(fakes::Choices& choices, const std::vector<std::string>& agents,
                       InnerFaults& into);

}  // namespace plumbline::scenarios
