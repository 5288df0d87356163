// Whether a pattern is one of ECMA-262, as an engine of its own reads it: with the flag "u", which
// JSON Schema asks for and validators such as Ajv set. Nothing is run, and nothing is translated.
//
// ECMA-262 (2025), section 22.2.1, Patterns; JSON Schema 2020-12 Core, section 6.4; Validation,
// section 6.3.3. Two groups of one name are taken wherever they stand.

#pragma once

#include <string>
#include <string_view>

namespace plumbline::schema {

// ecma_pattern_problem returns what is wrong with `text`, UTF-8, and where: "(?P at byte 1 is no
// group of ECMA-262". Empty: it compiles. Of groups nested deeper than 200 nothing is said.
std::string ecma_pattern_problem(std::string_view text);

}  // namespace plumbline::schema
