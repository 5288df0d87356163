#include "core/base/secrets/header_values.h"

#include <algorithm>
#include <array>

#include "core/base/secrets/ascii.h"
#include "core/base/secrets/secret_names.h"
#include "core/base/text.h"

namespace plumbline {

namespace {

constexpr std::size_t kLineReadMax = 256;

bool is_scheme(std::string_view word) {
  constexpr auto kSchemes = std::to_array<std::string_view>({"basic",
                                                             "bearer",
                                                             "digest",
                                                             "token",
                                                             "negotiate",
                                                             "ntlm",
                                                             "key",
                                                             "apikey",
                                                             "oauth",
                                                             "hawk",
                                                             "hmac",
                                                             "signature",
                                                             "sharedkey",
                                                             "gnap",
                                                             "dpop",
                                                             "mac",
                                                             "aws4-hmac-sha256",
                                                             "privatetoken",
                                                             "hoba",
                                                             "mutual",
                                                             "vapid",
                                                             "api-key"});
  return word.size() <= 16 && is_one_of(lower_case(word), kSchemes);
}

// is_prose returns whether it is a sentence: "denied for this user".
bool is_prose(std::string_view text) {
  const bool small = std::ranges::all_of(
      text, [](char c) { return (c >= 'a' && c <= 'z') || c == ' ' || c == '.' || c == ','; });
  return small && std::ranges::count(text, ' ') >= 2 && !is_scheme(text.substr(0, text.find(' ')));
}

// indent_before returns how deep the line stands that `at` is in, which is read only near by.
std::size_t indent_before(std::string_view text, std::size_t at) {
  std::size_t begin = at;
  while (begin > 0 && at - begin < kLineReadMax && !ends_line(text[begin - 1])) --begin;
  return std::min(text.find_first_not_of(" \t", begin), at) - begin;
}

// next_line returns where the line begins in which the header goes on whose `line` ends at `end`;
// `end`: in none. It stands deeper, and is only a word or behind what asks for more.
std::size_t next_line(std::string_view text, std::size_t end, std::string_view line,
                      std::size_t indent) {
  std::size_t at = end;
  if (text.substr(at).starts_with('\r')) ++at;
  if (at >= text.size() || text[at] != '\n') return end;
  ++at;
  const std::size_t begin = std::min(text.find_first_not_of(" \t", at), text.size());
  if (begin - at <= indent || begin == text.size() || ends_line(text[begin])) return end;
  const std::string_view near = text.substr(begin, kLineReadMax);
  const std::string_view next = near.substr(0, near.find_first_of("\r\n"));
  const std::size_t sign = next.find(':');
  const bool member = sign != next.npos && (sign + 1 == next.size() || next[sign + 1] == ' ');
  if (member || next.starts_with("- ") || next.starts_with("* ")) return end;
  while (!line.empty() && is_gap(line.back())) line.remove_suffix(1);
  const bool asks = line.empty() || line.back() == ';' || line.back() == ',' || is_scheme(line);
  return asks || next.find(' ') == next.npos ? begin : end;
}

std::size_t line_end(std::string_view text, std::size_t value, char before) {
  std::size_t end = value;
  for (; end < text.size() && !ends_line(text[end]); ++end) {
    const char c = text[end];
    const bool escapes = c == '\\' && mark_at(text, end).end == end;
    if (escapes && !text.substr(end + 1).starts_with(' ')) break;
    if (escapes || (!is_quote(c) && c != '\\')) continue;
    if (c == before || end == value || text[end - 1] != '=') break;
    const Mark mark = mark_at(text, end);
    if (mark.end == end) continue;
    const std::size_t close = close_of(text, mark);
    end = std::min(close + (mark.end - mark.begin), text.size()) - 1;
  }
  return end;
}

}  // namespace

bool names_whole_header(std::string_view name) {
  if (!name.empty() && ascii_digit(name.back())) name.remove_suffix(1);  // Set-Cookie2
  return ends_alike(name, "authorization") || ends_alike(name, "cookie");
}

bool begins_header(std::string_view text, std::size_t value) {
  const std::string_view near = text.substr(std::min(value, text.size()), kLineReadMax);
  const std::string_view word = near.substr(0, near.find_first_of(" \t\r\n\"'`;&|<>(),"));
  if (word.size() == near.size()) return false;
  const char next = near[word.size()];
  if (is_scheme(word)) return is_gap(next);
  return next == ';' && word.find('=') != word.npos;
}

std::size_t header_end(std::string_view text, std::size_t value, const NameBefore& named) {
  const std::size_t indent = indent_before(text, std::min(value, text.size()));
  std::size_t begin = value;
  std::size_t end = line_end(text, value, named.before);
  while (end < text.size() && ends_line(text[end])) {
    const std::size_t next = next_line(text, end, text.substr(begin, end - begin), indent);
    if (next == end) break;
    begin = next;
    end = line_end(text, begin, named.before);
  }
  return end;
}

bool is_ordinary_header(std::string_view value) {
  constexpr std::string_view kBetween = " \t\r\n,.;:";
  if (value.size() > kLineReadMax) return false;
  if (is_prose(value)) return true;
  while (!value.empty()) {
    if (const std::size_t hidden = placeholder_at(value)) {
      value.remove_prefix(hidden);
      continue;
    }
    const std::size_t end = std::min(value.find_first_of(kBetween), value.size());
    const std::string_view word = value.substr(0, end);
    if (!is_ordinary_value(word) && !is_scheme(word)) return false;
    value.remove_prefix(std::min(end + 1, value.size()));
  }
  return true;
}

}  // namespace plumbline
