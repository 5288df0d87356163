// What the rules about tools, resources and prompts have in common: they are declared, listed, and
// their lists change.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "conformance/catalogue/finding.h"
#include "conformance/checks/server/probe.h"

namespace plumbline::conformance {

// declares_feature: `capability` is declared if, and only if, `method` has a result.
Task<Finding> declares_feature(Probe& probe, std::string method, std::string capability);

// answers_list: every page was a result with an array under `key`.
Finding answers_list(const Listing& listing, std::string_view key);

// lists_everywhere_the_same: a second connection is shown the same things, by their `identity`.
Task<Finding> lists_everywhere_the_same(Probe& probe, std::string method, std::string key,
                                        std::string identity);

// tells_of_a_change: a tool that shows `change` changes the list of `feature` ("tools"), and
// whoever may hear of it does. On a session of its own.
Task<Finding> tells_of_a_change(Probe& probe, std::string feature, Shows change);

// values_of returns the member `key` of every item that has it as a string.
std::vector<std::string> values_of(const Listing& listing, std::string_view key);

// joined returns them with commas.
std::string joined(const std::vector<std::string>& values);

}  // namespace plumbline::conformance
