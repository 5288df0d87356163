// Which bytes stand in a string of JSON as they are: of ASCII all but controls, quote and
// backslash. Those beyond ASCII do as well where they are UTF-8, which is for others to see.

#pragma once

#include <array>
#include <cstddef>

namespace plumbline {

inline constexpr std::array<bool, 256> kPlainBytes = [] {
  std::array<bool, 256> plain{};
  for (std::size_t c = 0x20; c < 0x80; ++c) plain[c] = c != '"' && c != '\\';
  return plain;
}();

inline bool is_plain(char c) { return kPlainBytes[static_cast<unsigned char>(c)]; }

}  // namespace plumbline
