// Introduced is what a peer calls itself, in a message of its own.

#pragma once

#include <string>

#include "core/json/json.h"

namespace plumbline::conformance {

struct Introduced {
  std::string name;  // Empty: the message does not say.
  std::string version;
};

// introduced_by reads serverInfo or clientInfo, where each revision has it. Either may be of a
// stranger: what is no text counts as nothing.
Introduced introduced_by(const Json& message);

}  // namespace plumbline::conformance
