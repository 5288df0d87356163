// The patterns that people write for names: * stands for any run of characters.

#pragma once

#include <string_view>

namespace plumbline {

// fits returns whether the whole of `text` is what `pattern` says, of which any other letter stands
// for one of the text: for itself, unless `is` says otherwise. Its time grows with the product of
// both, at most.
bool fits(
    std::string_view pattern, std::string_view text,
    bool (*is)(char wanted, char c) = [](char wanted, char c) { return wanted == c; });

}  // namespace plumbline
