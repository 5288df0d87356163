// Whether a list comes in the order that an argument asks for: sortBy "price".

#pragma once

#include "conformance/checks/server/exercise.h"

namespace plumbline::conformance {

// judge_sorting judges the calls of a tool that ask for an order by a number.
void judge_sorting(const Json& tool, const Exercise& exercise, Tally& tally);

// judge_first judges the answers of a tool that says which numbers come first: "cheapest first",
// "the lowest rating first".
void judge_first(const Json& tool, const Exercise& exercise, Tally& tally);

}  // namespace plumbline::conformance
