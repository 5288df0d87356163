// Ids that a server gives and takes itself.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "conformance/checks/server/probe.h"

namespace plumbline::conformance {

// KnownId is an id that an answer has given, and a tool that only reads and has taken it.
struct KnownId {
  std::string id;
  std::string tool;
};

// known_ids returns those for a parameter, which is called as an id of something: "studentId".
std::vector<KnownId> known_ids(Probe& probe, const Exercise& exercise, std::string_view parameter);

}  // namespace plumbline::conformance
