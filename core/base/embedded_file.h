// A file of the source tree that cmake/embed.cmake put into the program.

#pragma once

#include <string_view>

namespace plumbline {

struct EmbeddedFile {
  std::string_view path;  // From the root of the source tree.
  std::string_view text;
};

}  // namespace plumbline
