// Files that the build puts into the program (cmake/embed.cmake writes the table).

#pragma once

#include <span>

#include "core/base/embedded/embedded_file.h"

namespace plumbline::cli {

// embedded_files returns the scenario library, in the order of the paths.
std::span<const EmbeddedFile> embedded_files();

}  // namespace plumbline::cli
