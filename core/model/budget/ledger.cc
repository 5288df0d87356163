#include "core/model/budget/ledger.h"

#include <algorithm>

namespace plumbline::model {

namespace {

// over says that `spent` and `more` are beyond `allowed`.
std::optional<std::string> over(const char* what, std::int64_t spent, std::int64_t more,
                                std::optional<std::int64_t> allowed) {
  if (!allowed || spent + more <= *allowed) return std::nullopt;
  return std::string("the budget of ") + what + " is used up: " + std::to_string(spent) + " of " +
         std::to_string(*allowed) + " are spent, and this takes " + std::to_string(more) + " more";
}

}  // namespace

std::optional<std::string> Ledger::refusal(const Spent& more) const {
  if (auto why =
          over("completions", spent_.completions, more.completions, allowance_.completions)) {
    return why;
  }
  if (auto why = over("tokens", spent_.tokens, more.tokens, allowance_.tokens)) return why;
  if (auto why = over("cost in millionths", spent_.cost_micros, more.cost_micros,
                      allowance_.cost_micros)) {
    return why;
  }
  if (!allowance_.time || spent_.time < *allowance_.time) return std::nullopt;
  return "the budget of time is used up: " + std::to_string(milliseconds_of(*allowance_.time)) +
         " ms are spent";
}

void Ledger::take(const Spent& what, int sign) {
  spent_.completions += sign * what.completions;
  spent_.tokens += sign * what.tokens;
  spent_.time += sign * what.time;
  spent_.cost_micros += sign * what.cost_micros;
}

std::optional<std::int64_t> Ledger::tokens_left() const {
  if (!allowance_.tokens) return std::nullopt;
  return std::max<std::int64_t>(*allowance_.tokens - spent_.tokens, 0);
}

std::optional<Duration> Ledger::time_left() const {
  if (!allowance_.time) return std::nullopt;
  return std::max(*allowance_.time - spent_.time, Duration());
}

}  // namespace plumbline::model
