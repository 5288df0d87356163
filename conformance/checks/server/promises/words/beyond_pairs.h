// Values of an argument that its schema rules out by more than the type, each beside one that it
// allows.

#pragma once

#include <string>
#include <vector>

#include "core/json/value.h"

namespace plumbline::conformance {

// BeyondPair is two values of an argument, or the params of two calls with them: one that its
// schema allows, and one that it rules out.
struct BeyondPair {
  Json allowed;
  Json beyond;
  std::string why;
  bool bounded = false;  // The allowed value is the bound itself.
  bool chosen = false;   // It is one of an enum.
  bool close = false;    // They differ in what is easily cut off: an answer as to it shows that.
};

// beyond_pairs returns those for the parameter `name` of a tool; `good` is a value that was taken,
// nullptr: none was given. The allowed one may still break a schema of several parameters.
std::vector<BeyondPair> beyond_pairs(const Json& tool, const std::string& name,
                                     const Json& property, const Json* good);

}  // namespace plumbline::conformance
