// What each fault of a failing scenario has to do with it.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/json/json.h"
#include "scenarios/shrink/shrink_held.h"

namespace plumbline::scenarios {

// FaultFound is one fault of the small scenario.
struct FaultFound {
  std::string what;     // "files: reset at 12 ms".
  bool needed = false;  // Without it the check does not fail.
  // Between which values of "at_ms" or "after_bytes" it fails, both included. It is taken to fail
  // everywhere between them; no last one: however late it comes.
  std::string unit;  // "at_ms", "after_bytes"; empty: it has neither.
  std::int64_t first = 0;
  std::optional<std::int64_t> last;
};

// judge_faults runs `document`, which fails under `seed`, without each of its faults and with each
// of them earlier and later.
std::vector<FaultFound> judge_faults(HeldCheck& held, const Json& document, std::uint64_t seed);

// describe_fault returns a fault of a scenario file in words: "files: reset at 12 ms".
std::string describe_fault(const Json& fault);

}  // namespace plumbline::scenarios
