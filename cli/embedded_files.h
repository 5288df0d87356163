// Files that the build puts into the program (cmake/embed.cmake writes the table).

#pragma once

#include <span>
#include <string_view>

namespace plumbline::cli {

struct EmbeddedFile {
  std::string_view path;  // From the root of the source tree.
  std::string_view text;
};

// embedded_files returns the scenario library, in the order of the paths.
std::span<const EmbeddedFile> embedded_files();

}  // namespace plumbline::cli
