// What the program can do where a library is installed that it loads when it needs it.

#pragma once

#include <string_view>
#include <vector>

namespace plumbline::os {

struct OptionalPart {
  std::string_view library;  // "libpq"
  std::string_view purpose;  // "threads and sessions kept in PostgreSQL"
  bool present = false;
};

// optional_parts tells of each of them whether it is here. It loads those that are.
std::vector<OptionalPart> optional_parts();

}  // namespace plumbline::os
