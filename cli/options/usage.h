// What reading the words of a command line takes.

#pragma once

#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "core/base/result.h"

namespace plumbline::cli {

// usage is the Error of a command line: one line that says what is wrong and what was expected.
inline Error usage(std::string message) {
  return Error{ErrorCode::kInvalidInput, std::move(message)};
}

// number_of reads a whole number and nothing else.
template <typename Number>
std::optional<Number> number_of(std::string_view text) {
  Number value{};
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failed != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace plumbline::cli
