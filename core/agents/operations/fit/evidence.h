// Evidence is what in the words of a descriptor says what a capability is for.

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace plumbline::agents {

// evidence_words returns the folded words by which a text of a descriptor says what the capability
// is: without those of URIs and media types, which only say where and how it is kept, and of what
// every one is.
std::vector<std::string> evidence_words(std::string_view text);

}  // namespace plumbline::agents
