// Why a rule matters to whoever is on the other side: reasons.tsv has one sentence for each MUST
// that is judged, in words of what goes wrong in practice.

#pragma once

#include <string_view>

namespace plumbline::conformance {

// why_it_matters returns what happens to clients, or to servers, where rule `id` is broken; empty:
// nothing is written of it.
std::string_view why_it_matters(std::string_view id);

}  // namespace plumbline::conformance
