// The tables of this folder, inside the program (cmake/embed.cmake writes them).

#pragma once

#include <span>

#include "core/base/embedded/embedded_file.h"

namespace plumbline::cli {

// known_tables returns help.tsv, ids.tsv, synonyms.tsv and variables.tsv.
std::span<const EmbeddedFile> known_tables();

}  // namespace plumbline::cli
