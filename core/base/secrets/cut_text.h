// What is left of secrets in a text that was made shorter before anybody could see them in it.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/secrets/token_shapes.h"

namespace plumbline {

// without_cut_secrets returns `text` with `hidden` in place of the end of a secret where it begins,
// and of the beginning of one where it ends, as `cut` says; and likewise around each "..." and "…",
// which say so themselves. Less than 6 bytes of a secret tell nobody anything.
std::string without_cut_secrets(std::string_view text, const std::vector<std::string>& secrets,
                                CutEnds cut, std::string_view hidden);

}  // namespace plumbline
