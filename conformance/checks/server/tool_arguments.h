// Further arguments for tools: with values that the server has shown in place of those that were
// made up, with the other choices that a schema gives, and with what is optional.

#pragma once

#include <string_view>
#include <vector>

#include "conformance/checks/server/learned_values.h"

namespace plumbline::conformance {

// learned_arguments returns further arguments for a tool: `first` with learned values in place of
// those that were made up, one call for each value; none where nothing was learned. A parameter
// whose name says nothing gets what its description, or the tool, is about: two of the same thing
// get two.
std::vector<Json> learned_arguments(const LearnedValues& values, const Json& tool,
                                    const Json& first);

// choices_of returns the enum of a parameter, its own or one that it refers to; nullptr: it has
// none, or an empty one.
const Json* choices_of(const Json& tool, std::string_view parameter);

// other_choices returns further arguments: `first` with each other value of each enum, a few of
// them, and once with everything that is optional and of which a value is known.
std::vector<Json> other_choices(const LearnedValues& values, const Json& tool, const Json& first);

// mended_calls returns the params of further calls of tools that only read, or that the user has
// allowed and that do not say that they destroy, where each call so far was refused: with what the
// last refusal names.
std::vector<Json> mended_calls(const Survey& survey, const Exercise& exercise,
                               const ProbeOptions& options);

}  // namespace plumbline::conformance
