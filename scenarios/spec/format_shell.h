// The "shell" part of a scenario file.

#pragma once

#include <optional>

#include "core/json/json.h"
#include "core/json/object_reader.h"
#include "scenarios/spec/shell_spec.h"

namespace plumbline::scenarios {

// read_shell reads the member "shell". What is wrong with it becomes `problem`, and then nothing is
// returned.
std::optional<ShellSpec> read_shell(const Json& json, std::optional<Problem>& problem);

// The JSON Schemas of "shell", and of "commands" in it.
Json shell_shape();
Json shell_commands_shape();

}  // namespace plumbline::scenarios
