// How many tokens something has, guessed: every model cuts text in its own way, and only its
// provider knows. Where it tells (Usage), that counts, and not this.

#pragma once

#include <cstdint>
#include <string_view>

#include "core/model/model.h"

namespace plumbline::model {

// Four bytes of ASCII are one token, and so is each letter beyond it.
std::int64_t estimated_tokens(std::string_view text);
std::int64_t estimated_tokens(const Message& message);
std::int64_t estimated_tokens(const ToolOffer& tool);
std::int64_t estimated_tokens(const Prompt& prompt);

}  // namespace plumbline::model
