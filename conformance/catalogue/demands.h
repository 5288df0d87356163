// What the words of a failure ask for, as code says it and the readers of JSON of many languages.

#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace plumbline::conformance {

// is_demanded returns whether the word at `at` is what a text in small letters asks for: "missing
// argument: to", "to is required", "to must be given", "to: field required".
bool is_demanded(const std::vector<std::string>& words, std::size_t at);

// depends_on_something returns whether what such a text asks for may be needed at times only: no
// schema could state that as "required".
bool depends_on_something(const std::vector<std::string>& words);

}  // namespace plumbline::conformance
