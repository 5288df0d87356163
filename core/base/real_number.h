// read_real reads a real number as programs write it: "-1.5e3". No other form, no infinity.

#pragma once

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <string>

namespace plumbline {

// Nothing: `text` is no such number from its first to its last byte, or one that is too large.
inline std::optional<double> read_real(const std::string& text) {
  const bool odd = text.find_first_not_of("+-.0123456789eE") != std::string::npos;
  if (text.empty() || odd || text.front() == '+') return std::nullopt;
  double real = 0;
#ifdef _LIBCPP_VERSION  // Its from_chars reads none before 20. Our programs set no locale.
  char* stop = nullptr;
  real = std::strtod(text.c_str(), &stop);
  const bool whole = stop == text.data() + text.size() && std::isfinite(real);
#else
  const char* const end = text.data() + text.size();
  const auto [stop, failed] = std::from_chars(text.data(), end, real);
  const bool whole = stop == end && failed == std::errc();
#endif
  return whole ? std::optional<double>(real) : std::nullopt;
}

}  // namespace plumbline
