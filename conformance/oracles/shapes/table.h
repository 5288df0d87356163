// The table of this folder as text, put into the program by cmake/embed_text.cmake.

#pragma once

#include <string_view>

namespace plumbline::conformance {

std::string_view shapes_table();

}  // namespace plumbline::conformance
