// A reader of shown text, for tests and fuzzing: written by itself, from what shown_text.h says.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace plumbline::agents::approvals {

inline void add_utf8(std::string& out, std::uint32_t code) {
  const auto add = [&out](std::uint32_t byte) { out += static_cast<char>(byte); };
  if (code < 0x800) {
    add(0xC0U | code >> 6U);
  } else if (code < 0x10000) {
    add(0xE0U | code >> 12U);
    add(0x80U | (code >> 6U & 0x3FU));
  } else {
    add(0xF0U | code >> 18U);
    add(0x80U | (code >> 12U & 0x3FU));
    add(0x80U | (code >> 6U & 0x3FU));
  }
  add(0x80U | (code & 0x3FU));
}

// read_escape reads what stands behind a backslash, and takes it off `rest`.
inline bool read_escape(std::string_view& rest, std::string& out) {
  if (rest.empty()) return false;
  const char kind = rest.front();
  rest.remove_prefix(1);
  std::size_t digits = 0;
  if (kind == 'n' || kind == 't' || kind == 'r') {
    out += kind == 'n' ? '\n' : kind == 't' ? '\t' : '\r';
    return true;
  }
  if (kind == '\\' || kind == '\'') {
    out += kind;
    return true;
  }
  if (kind == 'x') {
    digits = 2;
  } else if (kind == 'u' && rest.starts_with('{')) {
    rest.remove_prefix(1);
    digits = rest.find('}');
  }
  if (digits == 0 || digits > 6 || digits > rest.size()) return false;
  const std::uint32_t code =
      static_cast<std::uint32_t>(std::stoul(std::string(rest.substr(0, digits)), nullptr, 16));
  rest.remove_prefix(digits);
  if (kind == 'x') {
    out += static_cast<char>(code);
  } else {
    rest.remove_prefix(1);
    add_utf8(out, code);
  }
  return true;
}

// read_shown returns the bytes that `shown` stands for; nothing: it is no shown text.
inline std::optional<std::string> read_shown(std::string_view shown) {
  if (!shown.starts_with("$'")) return std::string(shown);
  if (shown.size() < 3 || !shown.ends_with('\'')) return std::nullopt;
  std::string_view rest = shown.substr(2, shown.size() - 3);
  std::string out;
  while (!rest.empty()) {
    const char c = rest.front();
    rest.remove_prefix(1);
    if (c == '\'') return std::nullopt;
    if (c != '\\') {
      out += c;
    } else if (!read_escape(rest, out)) {
      return std::nullopt;
    }
  }
  return out;
}

}  // namespace plumbline::agents::approvals
