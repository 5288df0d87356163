// The sentences of a text, in any script.

#pragma once

#include <string_view>
#include <vector>

namespace plumbline::conformance {

// sentences returns those of `text` that have a word and do more than list many names; a line break
// ends one, too.
std::vector<std::string_view> sentences(std::string_view text);

}  // namespace plumbline::conformance
