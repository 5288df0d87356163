// What a repeated call adds once more: the server counts it, or another tool lists it.

#pragma once

#include <array>
#include <string>
#include <vector>

#include "conformance/checks/server/probe.h"
#include "core/base/task.h"

namespace plumbline::conformance {

// counts_up returns what three answers to the same call, one after the other, count up by the same
// step where each also names another thing by its id: "position" is 2, 3, 4. Empty: nothing.
std::string counts_up(const std::array<Json, 3>& answers);

// readers_of returns calls of tools that only read and need nothing but what `params` gives to
// another tool: the holds of the same patron.
std::vector<Json> readers_of(Probe& probe, const Json& params);

// lists_more returns what is wrong where three answers of a tool that lists, one after each
// repeated call with `params`, have one entry more each, which but for ids and times is another one
// once more, and says what was given. Empty: nothing.
std::string lists_more(const std::array<Json, 3>& answers, const Json& params);

}  // namespace plumbline::conformance
