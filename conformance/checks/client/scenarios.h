// The pages of scenarios and of rules for clients: scenarios.cc names each twice, where it is
// declared and where it has its place. See docs/adding-a-check.md.

#pragma once

#include <vector>

#include "conformance/peer/client/scenario.h"

namespace plumbline::conformance {

// all_client_scenarios and all_client_rules return every one.
const std::vector<ClientScenario>& all_client_scenarios();
const std::vector<ClientRule>& all_client_rules();

}  // namespace plumbline::conformance
