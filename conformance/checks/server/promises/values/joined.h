// Formulas whose factors stand in what other tools have told of the same things: the litres that a
// van needs for 100 km, in the list of vans.

#pragma once

#include <string>

#include "conformance/checks/server/probe.h"

namespace plumbline::conformance {

// Contradicted is a call of a tool whose answers contradict its formula.
struct Contradicted {
  const Call* call = nullptr;  // nullptr: none does.
  std::string what;
};

// formula_contradicted compares all answers of a tool with the formula in its description. It tells
// of a factor that is the same in all answers and of which the description has none, and of one
// that makes no difference.
Contradicted formula_contradicted(const Json& tool, const Exercise& exercise);

}  // namespace plumbline::conformance
