// The table of commands.

#pragma once

#include <span>

#include "cli/command.h"

namespace plumbline::cli {

// all_commands returns every command in the order of the help; one that holds others comes first.
std::span<const Command> all_commands();

}  // namespace plumbline::cli
