// Two JSON Schemas of the same thing, an older and a newer one: what a client that goes by the
// older one runs into.
//
// Properties, types, enumerations, bounds and items are understood; whatever else differs is told
// as a change of which it is not known whether it allows less.

#pragma once

#include <string>
#include <vector>

#include "core/json/json.h"
#include "scenarios/compare/differences.h"

namespace plumbline::scenarios {

// input_changes compares schemas of what a client sends: less is breaking. `place` is what they are
// of: "echo".
void input_changes(const Json& then, const Json& now, const std::string& place,
                   std::vector<Difference>& out);

// output_changes compares schemas of what a client gets: more is breaking.
void output_changes(const Json& then, const Json& now, const std::string& place,
                    std::vector<Difference>& out);

}  // namespace plumbline::scenarios
