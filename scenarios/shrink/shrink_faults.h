// What each fault of a failing scenario has to do with it.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/json/json.h"
#include "scenarios/shrink/shrink.h"
#include "scenarios/shrink/shrink_held.h"

namespace plumbline::scenarios {

// judge_faults runs `document`, which fails under `seed`, without each of its faults and with each
// of them earlier and later.
std::vector<FaultFound> judge_faults(HeldCheck& held, const Json& document, std::uint64_t seed);

// describe_fault returns a fault of a scenario file in words: "files: reset at 12 ms".
std::string describe_fault(const Json& fault);

}  // namespace plumbline::scenarios
