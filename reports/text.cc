#include "reports/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>

#include "core/base/check.h"

namespace plumbline::reports {
namespace {

constexpr char32_t kReplacement = 0xFFFD;

struct Range {
  char32_t first;
  char32_t last;
};

// Unicode 15, East Asian Width W and F, joined into coarse blocks.
constexpr std::array kWide = {
    Range{0x1100, 0x115F},   Range{0x2E80, 0x303E},   Range{0x3041, 0xA4CF},
    Range{0xA960, 0xA97C},   Range{0xAC00, 0xD7A3},   Range{0xF900, 0xFAFF},
    Range{0xFE30, 0xFE6F},   Range{0xFF00, 0xFF60},   Range{0xFFE0, 0xFFE6},
    Range{0x1F300, 0x1F64F}, Range{0x1F680, 0x1F6FF}, Range{0x1F900, 0x1FAFF},
    Range{0x20000, 0x3FFFD},
};
constexpr std::array kZeroWidth = {
    Range{0x0300, 0x036F}, Range{0x200B, 0x200F},   Range{0x20D0, 0x20FF},
    Range{0xFE00, 0xFE0F}, Range{0xE0100, 0xE01EF},
};
// Bidirectional embeddings, overrides and isolates: they make a terminal show what is not there.
constexpr std::array kMisleading = {Range{0x202A, 0x202E}, Range{0x2066, 0x2069}};

bool within(const auto& ranges, char32_t code) {
  return std::ranges::any_of(
      ranges, [code](const Range& range) { return code >= range.first && code <= range.last; });
}

// length_by returns how many bytes a character takes by its first one, 0 when none starts with it.
std::size_t length_by(char32_t lead) {
  if (lead < 0x80) return 1;
  if (lead < 0xC2 || lead > 0xF4) return 0;
  if (lead < 0xE0) return 2;
  return lead < 0xF0 ? 3 : 4;
}

// take_code_point removes the first character of `rest`, which must not be empty. What is not
// UTF-8 (overlong, surrogate, out of range, cut short) is removed byte by byte, as kReplacement.
char32_t take_code_point(std::string_view& rest) {
  const auto byte = [&rest](std::size_t at) { return static_cast<unsigned char>(rest[at]); };
  const char32_t lead = byte(0);
  const std::size_t length = length_by(lead);
  char32_t code = length <= 1 ? lead : lead & (0xFFU >> (length + 1));
  bool valid = length != 0 && length <= rest.size();
  for (std::size_t at = 1; valid && at < length; ++at) {
    valid = (byte(at) & 0xC0U) == 0x80U;
    code = (code << 6U) | (byte(at) & 0x3FU);
  }
  if (valid && length == 3) valid = code >= 0x800 && (code < 0xD800 || code > 0xDFFF);
  if (valid && length == 4) valid = code >= 0x10000 && code <= 0x10FFFF;
  rest.remove_prefix(valid ? length : 1);
  return valid ? code : kReplacement;
}

void append_utf8(std::string& out, char32_t code) {
  const auto tail = [&out, code](unsigned shift) {
    out += static_cast<char>(0x80U | ((code >> shift) & 0x3FU));
  };
  if (code < 0x80) {
    out += static_cast<char>(code);
  } else if (code < 0x800) {
    out += static_cast<char>(0xC0U | (code >> 6U));
    tail(0);
  } else if (code < 0x10000) {
    out += static_cast<char>(0xE0U | (code >> 12U));
    tail(6);
    tail(0);
  } else {
    out += static_cast<char>(0xF0U | (code >> 18U));
    tail(12);
    tail(6);
    tail(0);
  }
}

char32_t printable_form(char32_t code) {
  if (code == '\n') return code;
  if (code == '\t') return ' ';
  if (code < 0x20) return 0x2400 + code;
  if (code == 0x7F) return 0x2421;
  if (code >= 0x80 && code < 0xA0) return kReplacement;
  if (within(kMisleading, code)) return kReplacement;
  const bool noncharacter = (code & 0xFFFEU) == 0xFFFEU || (code >= 0xFDD0 && code <= 0xFDEF);
  return noncharacter ? kReplacement : code;
}

std::size_t width_of_code(char32_t code) {
  if (code < 0x300) return 1;
  if (within(kZeroWidth, code)) return 0;
  return within(kWide, code) ? 2 : 1;
}

// prefix_of returns how many bytes of `text` fit into `columns`.
std::size_t prefix_of(std::string_view text, std::size_t columns) {
  std::string_view rest = text;
  std::size_t used = 0;
  while (!rest.empty()) {
    std::string_view after = rest;
    used += width_of_code(take_code_point(after));
    if (used > columns) break;
    rest = after;
  }
  return text.size() - rest.size();
}

// shows_command returns whether a line has a command of ours, which is there to be copied.
bool shows_command(std::string_view line) {
  return line.starts_with("plumbline ") || line.find(": plumbline ") != std::string_view::npos;
}

// wrap_line appends the pieces of one line without newlines.
void wrap_line(std::string_view line, std::size_t columns, std::vector<std::string>& out) {
  while (!shows_command(line)) {
    const std::size_t fits = prefix_of(line, columns);
    if (fits == line.size()) break;
    const std::size_t word = std::min(line.find_first_not_of(' '), line.size());
    std::size_t space = line.substr(0, fits + 1).rfind(' ');
    if (space == std::string_view::npos || space < word) space = line.find(' ', word);
    if (space == std::string_view::npos) break;
    out.emplace_back(line.substr(0, space));
    line.remove_prefix(space + 1);
  }
  out.emplace_back(line);
}

// append_escape writes a character of the Basic Multilingual Plane as JSON may.
void append_escape(std::string& out, char32_t code) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  out += "\\u";
  for (unsigned shift = 16; shift != 0;) out += kDigits[(code >> (shift -= 4U)) & 15U];
}

}  // namespace

std::string printable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) append_utf8(out, printable_form(take_code_point(text)));
  return out;
}

std::string one_line(std::string_view text) {
  std::string out = printable(text);
  std::ranges::replace(out, '\n', ' ');
  return out;
}

std::string safe_json(std::string_view json) {
  std::string out;
  out.reserve(json.size());
  while (!json.empty()) {
    const char32_t code = take_code_point(json);
    const bool command = code == '[' && out.ends_with("##");
    if (command || (code >= 0x7F && code < 0xA0) || within(kMisleading, code)) {
      append_escape(out, code);
    } else {
      append_utf8(out, code);
    }
  }
  return out;
}

std::string without_commands(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  bool begins_line = true;
  for (const char c : text) {
    const bool blank = c == ' ' || c == '\n';
    if (c == ':' && begins_line && out.ends_with(':')) out += ' ';
    if (c == '[' && out.ends_with("##")) out += ' ';
    out += c;
    begins_line = c == '\n' || (begins_line && (blank || c == ':'));
  }
  return out;
}

std::size_t width_of(std::string_view text) {
  std::size_t width = 0;
  while (!text.empty()) width += width_of_code(take_code_point(text));
  return width;
}

std::string counted(std::size_t number, std::string_view what) {
  return std::to_string(number) + " " + std::string(what) + (number == 1 ? "" : "s");
}

std::string clip(std::string_view text, std::size_t columns) {
  check(columns >= 1, "clip() to nothing");
  if (prefix_of(text, columns) == text.size()) return std::string(text);
  return std::string(text.substr(0, prefix_of(text, columns - 1))) + "…";
}

std::string pad(std::string_view text, std::size_t columns) {
  std::string out = clip(text, columns);
  out.append(columns - width_of(out), ' ');
  return out;
}

std::vector<std::string> wrap(std::string_view text, std::size_t columns) {
  std::vector<std::string> lines;
  while (true) {
    const std::size_t end = text.find('\n');
    wrap_line(text.substr(0, end), columns, lines);
    if (end == std::string_view::npos) return lines;
    text.remove_prefix(end + 1);
  }
}

std::string decimal(double value, int places) {
  if (!std::isfinite(value)) return "0";
  std::array<char, 400> buffer{};  // The largest double has 309 digits before the point.
  const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                          std::chars_format::fixed, places);
  check(error == std::errc(), "a double that does not fit its buffer");
  std::string out(buffer.data(), end);
  if (out.find('.') != std::string::npos) {
    out.erase(out.find_last_not_of('0') + 1);
    if (out.back() == '.') out.pop_back();
  }
  return out == "-0" ? "0" : out;
}

std::string hex_text(std::uint64_t value) {
  std::string digits(16, '0');
  for (std::size_t i = digits.size(); i-- > 0; value >>= 4U) {
    digits[i] = "0123456789abcdef"[value & 15U];
  }
  return digits;
}

std::string duration_text(double milliseconds) {
  if (milliseconds < 9.95) return decimal(milliseconds, 1) + " ms";
  if (milliseconds < 999.5) return decimal(milliseconds, 0) + " ms";
  if (milliseconds < 59'950) return decimal(milliseconds / 1'000, 1) + " s";
  const double seconds = std::round(milliseconds / 1'000);
  const double minutes = std::floor(seconds / 60);
  return decimal(minutes, 0) + " min " + decimal(seconds - minutes * 60, 0) + " s";
}

}  // namespace plumbline::reports
