#include "conformance/wire/entropy.h"

#include <algorithm>
#include <string_view>

namespace plumbline::conformance {

namespace {

constexpr double kBitsMin = 64;

bool is_hex(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// bits_of returns what one character of the alphabet that `texts` seem to use is worth.
double bits_of(const std::vector<std::string_view>& texts) {
  const auto all = [&](bool (*is)(char)) {
    return std::ranges::all_of(
        texts, [is](std::string_view text) { return std::ranges::all_of(text, is); });
  };
  if (all(is_digit)) return 3.3;
  return all([](char c) { return is_hex(c) || c == '-'; }) ? 4 : 5.9;
}

}  // namespace

std::string weakness_of(const std::vector<std::string>& ids) {
  std::size_t longest = 0;
  std::size_t shortest = ids.empty() ? 0 : ids.front().size();
  for (std::size_t i = 0; i < ids.size(); ++i) {
    longest = std::max(longest, ids[i].size());
    shortest = std::min(shortest, ids[i].size());
    for (std::size_t k = 0; k < i; ++k) {
      if (ids[i] == ids[k]) return "two are the same";
    }
  }
  std::size_t differing = longest - shortest;
  for (std::size_t at = 0; at < shortest; ++at) {
    const char first = ids.front()[at];
    const bool same =
        std::ranges::all_of(ids, [&](const std::string& id) { return id[at] == first; });
    if (!same) ++differing;
  }
  const std::vector<std::string_view> texts(ids.begin(), ids.end());
  if (static_cast<double>(differing) * bits_of(texts) >= kBitsMin) return {};
  return std::to_string(ids.size()) + " of them differ in " + std::to_string(differing) +
         " characters, as \"" + ids.front() + "\" and \"" + ids.back() + "\"";
}

}  // namespace plumbline::conformance
