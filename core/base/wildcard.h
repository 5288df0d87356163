// The patterns that people write for names: * stands for any run of characters.

#pragma once

#include <string_view>

namespace plumbline {

// fits returns whether the whole of `text` is what `pattern` says. Its time grows with the product
// of both, at most.
bool fits(std::string_view pattern, std::string_view text);

}  // namespace plumbline
