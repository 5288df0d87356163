// Command lines drawn at random: words and quotes, and everything that a shell might take for more.

#pragma once

#include <string>

#include "core/base/rng.h"

namespace plumbline::agents::command_line {

// draw_line returns one. About a third of them are lines that a shell would only split.
std::string draw_line(Rng& rng);

}  // namespace plumbline::agents::command_line
