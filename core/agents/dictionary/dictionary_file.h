// The table of the dictionary, which the build puts into the program (cmake/embed.cmake).

#pragma once

#include <span>

#include "core/base/embedded/embedded_file.h"

namespace plumbline::agents {

// dictionary_files returns words.tsv.
std::span<const EmbeddedFile> dictionary_files();

}  // namespace plumbline::agents
