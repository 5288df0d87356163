// How to mend what breaks a rule: mends.tsv has one sentence for each rule that says what to
// change, in the code or on the wire, whoever is judged by it.

#pragma once

#include <string_view>

namespace plumbline::conformance {

// mend_of returns that of rule `id`; empty: nothing is written of it.
std::string_view mend_of(std::string_view id);

}  // namespace plumbline::conformance
