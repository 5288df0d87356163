// How many tokens a text costs, about. No vocabulary is shipped: the text is split as tokenizers of
// the o200k family split it, and each piece has a price by its kind and length (prices.tsv).

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace plumbline::conformance {

// kTokensOff is how far the estimate of a server's list was off at most where it was measured
// against the real o200k: 18 servers of November 2026. Single tools were up to a tenth off.
inline constexpr std::string_view kTokensOff = "5 %";

// tokens_of returns the estimate.
std::int64_t tokens_of(std::string_view text);

// thousands returns the number as people read it: "980", "1.7k", "17k".
std::string thousands(std::int64_t tokens);

// grouped returns the number with its digits by three: "17,430".
std::string grouped(std::int64_t number);

}  // namespace plumbline::conformance
