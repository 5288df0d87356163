// Forms of values that a description tells in words.

#pragma once

#include <string>

#include "conformance/checks/server/promises/values/numbers.h"

namespace plumbline::conformance {

// form_problem says which value has not the form that a description says: H:MM:SS, upper case, two
// decimals, the day of another member. Empty: none.
std::string form_problem(const Look& look);

}  // namespace plumbline::conformance
