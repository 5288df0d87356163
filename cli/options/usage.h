// What reading the words of a command line takes.

#pragma once

#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

namespace plumbline::cli {

// number_of reads a whole number and nothing else.
template <typename Number>
std::optional<Number> number_of(std::string_view text) {
  Number value{};
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failed != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace plumbline::cli
