// The tables of this folder as text, put into the program by cmake/embed_text.cmake.

#pragma once

#include <string_view>

namespace plumbline::conformance {

std::string_view stateful_table();
std::string_view stateless_table();
std::string_view unjudged_table();
std::string_view reasons_table();
std::string_view sdks_table();
std::string_view examples_table();

}  // namespace plumbline::conformance
