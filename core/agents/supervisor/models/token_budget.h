// How much a model may be sent.

#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/model/registry/model_registry.h"

namespace plumbline::agents::supervisor {

// Of a model of which nothing is known.
inline constexpr std::int64_t kUnknownBudgetTokens = 100'000;

// budget_of returns how many tokens a model is sent at most: its window without a reserve for the
// answer (what it may answer, but at most 40 % of a window below 300,000 tokens and 20 % of a
// larger one) and without 3 %, for what we count is a guess.
std::int64_t budget_of(const std::optional<model::ModelInfo>& info);

// sent_tokens guesses how many tokens a text has: a third of its bytes. Code and most scripts have
// more than a quarter.
std::int64_t sent_tokens(std::string_view text);

}  // namespace plumbline::agents::supervisor
