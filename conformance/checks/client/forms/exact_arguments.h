// What a client passes to a tool, beside what it was told to pass.

#pragma once

#include <string>
#include <string_view>

#include "conformance/peer/client/record.h"

namespace plumbline::conformance {

// difference says where `got` is another value than `told`, empty for nowhere: "\"/a/0\" is
// nothing, expected \"\"". Numbers are the same where JavaScript has one number for both.
std::string difference(const Json& told, const Json* got, const std::string& place);

// is_marked returns whether the arguments of a call hold the text `mark`, in whatever form: it was
// made as the judge said.
bool is_marked(const Heard& call, std::string_view mark);

// difference_of says what is wrong with the arguments of a call; empty: nothing.
std::string difference_of(const Heard& call, const Json& told);

}  // namespace plumbline::conformance
