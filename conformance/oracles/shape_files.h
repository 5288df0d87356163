// The shapes of messages, inside the program (cmake/embed.cmake).

#pragma once

#include <span>

#include "core/base/embedded/embedded_file.h"

namespace plumbline::conformance {

// shape_files returns oracles/shapes/shapes.json.
std::span<const EmbeddedFile> shape_files();

}  // namespace plumbline::conformance
