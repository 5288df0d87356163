// Arguments that a tool has refused, mended by what it said: a day of the year that it names, a
// number between those that it wants.

#pragma once

#include <string_view>
#include <vector>

#include "core/json/json.h"

namespace plumbline::conformance {

// mended_arguments returns `arguments` with other dates and numbers in place of those that `said`,
// the refusal, is about: those that it names, days of the years that it or the tool names, and days
// to come. At most a few; none where it is about neither.
std::vector<Json> mended_arguments(const Json& tool, const Json& arguments, std::string_view said);

}  // namespace plumbline::conformance
