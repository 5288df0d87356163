// What kind of thing standard output and standard error are connected to.

#pragma once

#include <cstddef>
#include <optional>

namespace plumbline::os {

// is_terminal returns whether descriptor `fd` (1: stdout, 2: stderr) is a terminal.
bool is_terminal(int fd);

// terminal_columns returns its width, nothing when it is no terminal or does not say.
std::optional<std::size_t> terminal_columns(int fd);

}  // namespace plumbline::os
