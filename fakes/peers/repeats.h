// What a script repeats is charged for before any of it is made: a line of a file may ask for
// gigabytes.

#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/base/budget/budget.h"
#include "core/json/json.h"
#include "core/json/object_reader.h"

namespace plumbline::fakes {

// repeats_budget returns what all repeating of one file may come to, in bytes of text.
Amounts repeats_budget();

// charge_repeats charges `budget` with what `part` of a file, which stands at `pointer`, makes
// beyond itself, and returns how many bytes it comes to with that: "times", "repeat" and "copies"
// of what they stand in, "out_bytes" and {{text:N}}. Past its end the first that is too much is the
// Problem.
std::uint64_t charge_repeats(const Json& part, const std::string& pointer, Budget& budget,
                             std::optional<Problem>& problem);

}  // namespace plumbline::fakes
