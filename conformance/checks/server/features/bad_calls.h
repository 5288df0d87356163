// Calls whose arguments the inputSchema of a tool refuses.

#pragma once

#include <string>
#include <vector>

#include "conformance/checks/server/probe.h"

namespace plumbline::conformance {

inline constexpr const char* kNoneToRefuse =
    "no tool that may be called has arguments that could be wrong";

// about_something_else says why an error proves nothing about the arguments.
std::string about_something_else(const std::string& tool, const std::string& reason);

// BadCall is a call whose arguments the inputSchema refuses, and why.
struct BadCall {
  Json params;
  std::string why;
  bool only_extra = false;  // All that is wrong is an argument that is not declared.
};

// bad_calls returns calls of `tool` like `good` with something left out, of another type or too
// much; none where its schema cannot be judged, or refuses the good arguments, too.
std::vector<BadCall> bad_calls(Probe& probe, const Json& tool, const Json& good);

// calls_to_refuse returns bad calls, made of ones that went well where there are such, of the first
// tools that may be called and that there are some for, of those with the member `having` alone if
// one is named. It returns to the loop between one and the next: a schema may take long.
Task<std::vector<BadCall>> calls_to_refuse(Probe& probe, const char* having = nullptr);

}  // namespace plumbline::conformance
