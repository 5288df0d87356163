// Patterns of tables, as they are matched: capitals count as small letters.

#pragma once

#include <cstdint>
#include <string_view>

#include <re2/re2.h>

namespace plumbline::conformance {

inline RE2::Options pattern_options() {
  constexpr std::int64_t kMemory = 64 << 20;
  RE2::Options options;
  options.set_case_sensitive(false);
  options.set_max_mem(kMemory);
  options.set_log_errors(false);
  return options;
}

inline re2::StringPiece piece(std::string_view text) { return {text.data(), text.size()}; }

}  // namespace plumbline::conformance
