#include "conformance/wire/broken_text.h"

#include <utility>

#include "core/base/text.h"
#include "core/wire/utf8.h"

namespace plumbline::conformance {

namespace {

// no_json_in returns the first word of `text`, outside of its strings, that JSON does not have but
// JavaScript and Python write; empty: none.
std::string_view no_json_in(std::string_view text) {
  bool quoted = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (quoted && text[at] == '\\') {
      ++at;
    } else if (text[at] == '"') {
      quoted = !quoted;
    } else if (!quoted) {
      for (const std::string_view word :
           {"NaN", "Infinity", "undefined", "None", "True", "False"}) {
        if (text.substr(at).starts_with(word)) return word;
      }
    }
  }
  return {};
}

// half_at returns whether \ud800 to \udfff stands at `at`, of the high half or the low one.
bool half_at(std::string_view text, std::size_t at, bool high) {
  const std::string escape = lower_case(text.substr(at, 6));
  return escape.size() == 6 && escape.starts_with("\\ud") &&
         std::string_view(high ? "89ab" : "cdef").find(escape[3]) != std::string_view::npos;
}

// take_halves_out puts U+FFFD in place of each half without the other, and returns the first.
std::string take_halves_out(std::string& text) {
  std::string first;
  for (std::size_t at = text.find('\\'); at < text.size(); at = text.find('\\', at)) {
    const bool high = half_at(text, at, true);
    if (high && half_at(text, at + 6, false)) {
      at += 12;
    } else if (high || half_at(text, at, false)) {
      if (first.empty()) first = text.substr(at, 6);
      text.replace(at, 6, "\\ufffd");
      at += 6;
    } else {
      at += 2;
    }
  }
  return first;
}

// with_replacements returns `text` with U+FFFD for each byte that belongs to no character.
std::string with_replacements(std::string_view text) {
  constexpr std::size_t kBytesMax = 4;  // Of a character.
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t bytes = 1;
    while (bytes <= kBytesMax && !wire::is_utf8(text.substr(at, bytes))) ++bytes;
    out += bytes <= kBytesMax ? text.substr(at, bytes) : "\xEF\xBF\xBD";
    at += bytes <= kBytesMax ? bytes : 1;
  }
  return out;
}

bool is_whole_message(std::string_view text) {
  return text.starts_with("{") && text.find("\"jsonrpc\"") != std::string_view::npos &&
         deepened(text) == 0 && wire::is_utf8(text) && !is_two_messages(text);
}

}  // namespace

std::optional<Json> read_not_utf8(std::string_view text) {
  if (!text.starts_with('{') || wire::is_utf8(text)) return std::nullopt;
  Result<Json> read = parse_json(with_replacements(text));
  if (!read.ok()) return std::nullopt;
  return std::move(read).value();
}

bool is_two_messages(std::string_view text) {
  for (std::size_t at = text.find('}'); at != std::string_view::npos; at = text.find('}', at + 1)) {
    const std::size_t next = text.find_first_not_of(" \t\r", at + 1);
    if (next == std::string_view::npos || text[next] != '{') continue;
    const Result<Json> first = parse_json(text.substr(0, at + 1));
    if (first.ok() && first.value().is_object()) return true;
  }
  return false;
}

std::optional<int> deepened(std::string_view line) {
  int depth = 0;
  bool quoted = false;
  for (std::size_t at = 0; at < line.size(); ++at) {
    const char c = line[at];
    if (quoted && c == '\\') {
      ++at;
    } else if (c == '"') {
      quoted = !quoted;
    } else if (!quoted) {
      depth += int{c == '{' || c == '['} - int{c == '}' || c == ']'};
    }
  }
  return quoted ? std::nullopt : std::optional(depth);
}

BrokenText read_broken(std::string_view text) {
  BrokenText broken;
  if (!is_whole_message(text)) return broken;
  std::string whole(text);
  std::string half = take_halves_out(whole);
  Result<Json> read = parse_json(half.empty() ? text : std::string_view(whole));
  if (!half.empty() && read.ok()) {
    broken.half = std::move(half);
    broken.repaired = std::move(read).value();
  } else if (!read.ok()) {
    const std::string_view word = no_json_in(text);
    broken.wrong = word.empty() ? read.error().message
                                : "it has " + std::string(word) + ", which JSON does not have";
  }
  return broken;
}

}  // namespace plumbline::conformance
