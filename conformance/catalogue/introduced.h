// Introduced is what a peer calls itself, in a message of its own.

#pragma once

#include <string>

#include "core/json/json.h"

namespace plumbline::conformance {

struct Introduced {
  std::string name;  // Empty: it does not say.
  std::string version;
};

// introduced_in reads serverInfo or clientInfo of the result or the params of a message, where each
// revision has it. Either may be of a stranger: what is no text counts as nothing.
Introduced introduced_in(const Json& part);

// introduced_by reads it of a whole message.
Introduced introduced_by(const Json& message);

}  // namespace plumbline::conformance
