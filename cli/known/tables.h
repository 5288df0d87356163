// The tables of this folder, inside the program (cmake/embed.cmake writes them).

#pragma once

#include <span>

#include "core/base/embedded/embedded_file.h"

namespace plumbline::cli {

// known_tables returns errors.tsv, ids.tsv, synonyms.tsv, variables.tsv and
// options.tsv.
std::span<const EmbeddedFile> known_tables();

}  // namespace plumbline::cli
