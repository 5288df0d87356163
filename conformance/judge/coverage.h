// What of the catalogue is judged, and what of the rest is excused.

#pragma once

#include <string>
#include <string_view>

#include "conformance/catalogue/requirement.h"

namespace plumbline::conformance {

// is_judged returns whether a check or an oracle judges `who` ("server", "client" or
// "authorization-server") by the rule.
bool is_judged(const Requirement& rule, std::string_view who);

// excuse_for returns why there is no check of `who` by the rule, empty when its record says
// nothing.
std::string_view excuse_for(const Requirement& rule, std::string_view who);

// can_be_broken returns whether the wire can show that `who` breaks the rule: it is observable, and
// its record does not say that nothing of this side could show it (Unjudged::counts).
bool can_be_broken(const Requirement& rule, std::string_view who);

// Coverage counts rules that one side can be seen to break in one revision.
struct Coverage {
  int rules = 0;
  int judged = 0;
};

// coverage_of counts the rules of MUST and MUST NOT, or with `should` those of SHOULD and SHOULD
// NOT. An empty revision counts every row of the catalogue once.
Coverage coverage_of(std::string_view who, std::string_view revision, bool should);

}  // namespace plumbline::conformance
