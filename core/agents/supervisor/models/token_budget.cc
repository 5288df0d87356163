#include "core/agents/supervisor/models/token_budget.h"

#include <algorithm>

namespace plumbline::agents::supervisor {

std::int64_t budget_of(const std::optional<model::ModelInfo>& info) {
  if (!info) return kUnknownBudgetTokens;
  constexpr std::int64_t kLargeWindow = 300'000;
  const std::int64_t window = info->window_tokens;
  const std::int64_t share = window < kLargeWindow ? window * 2 / 5 : window / 5;
  const std::int64_t reserve = std::min(info->output_tokens_max, share);
  return window - reserve - window * 3 / 100;
}

std::int64_t sent_tokens(std::string_view text) {
  constexpr std::int64_t kBytesOfToken = 3;
  return (static_cast<std::int64_t>(text.size()) + kBytesOfToken - 1) / kBytesOfToken;
}

}  // namespace plumbline::agents::supervisor
