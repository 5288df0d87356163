// The scenario library that is built into the program: what `demo` runs wherever it is started.

#pragma once

#include <vector>

#include "scenarios/format/scenario.h"

namespace plumbline::cli {

// library returns the scenarios of scenarios/library, parsed once. Their files are named relative
// to the source tree.
const std::vector<scenarios::Scenario>& library();

}  // namespace plumbline::cli
