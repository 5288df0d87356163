// Oracle is a rule that holds in every conversation: it reads what was said and judges one side of
// it. Oracles judge every run of `check`, and recordings alike.

#pragma once

#include <span>
#include <string_view>

#include "conformance/catalogue/finding.h"
#include "conformance/oracles/transcript.h"

namespace plumbline::conformance {

struct Oracle {
  std::string_view id;                             // Of a Requirement.
  std::string_view role;                           // Whom it judges: "server" or "client".
  Finding (*judge)(const Transcript& transcript);  // Of that side.
};

std::span<const Oracle> all_oracles();

}  // namespace plumbline::conformance
