// Secrets that a sentence tells of.

#include <algorithm>
#include <array>
#include <string>

#include "core/base/secrets/ascii.h"
#include "core/base/secrets/name_signs.h"
#include "core/base/secrets/said_secrets.h"
#include "core/base/secrets/secret_names.h"
#include "core/base/text.h"

namespace plumbline {

namespace {

constexpr std::size_t kSentenceBytesMax = 64;
constexpr std::size_t kWordLineMax = 200;
constexpr std::string_view kEnds = ".,;!?)\"'`";

// What people write of a token that says how it is made.
constexpr auto kTechnical = std::to_array<std::string_view>(
    {"base64", "sha",     "md5",   "oauth", "utf",     "http",   "aes",
     "rsa",    "hs256",   "rs256", "es256", "bcrypt",  "argon2", "pbkdf2",
     "x509",   "ed25519", "ascii", "rfc",   "version", "v1",     "v2"});

// told_at returns the word that begins at `at` where it is the last of its sentence.
Span told_at(std::string_view text, std::size_t at, std::string_view name) {
  Span value = word_at(text, at);
  if (value.begin == at) value = without_ends(text, value, ".,!?)");
  std::size_t behind = value.end;
  while (behind < text.size() && kEnds.find(text[behind]) != kEnds.npos) ++behind;
  const bool last = behind > value.end || behind == text.size() || ends_line(text[behind]);
  return last && looks_told(text_of(text, value), name) ? value : Span{};
}

// behind_verb returns what stands behind a verb: "is X", "has been set to X".
Span behind_verb(std::string_view text, std::size_t end, std::string_view name) {
  constexpr auto kVerbs = std::to_array<std::string_view>({" is ", " was ", " be ", " to "});
  std::string_view rest = text.substr(end, kSentenceBytesMax);
  rest = rest.substr(0, rest.find_first_of(".\n,;:"));
  for (const std::string_view verb : kVerbs) {
    const std::size_t at = rest.rfind(verb);
    if (at == rest.npos) continue;
    const Span value = told_at(text, end + at + verb.size(), name);
    if (value.end > value.begin) return value;
  }
  return {};
}

// behind_owner returns what stands behind whose secret it is: "for ada: X", "(ada): X", "of ada =
// X".
Span behind_owner(std::string_view text, std::size_t end, std::string_view name) {
  constexpr auto kOwners =
      std::to_array<std::string_view>({" for ", " of ", " (", " [", " on ", " to "});
  std::string_view rest = text.substr(end, kSentenceBytesMax);
  rest = rest.substr(0, rest.find('\n'));
  if (std::ranges::none_of(kOwners, [&](auto owner) { return rest.starts_with(owner); })) return {};
  const std::size_t at = std::min(rest.find(": "), rest.find(" = "));
  if (at == rest.npos) return {};
  const bool bracket = rest[1] == '(' || rest[1] == '[';
  if (bracket && rest.substr(1, at - 1).find(' ') != rest.npos) return {};
  return told_at(text, behind_gap(text, end + rest.find(' ', at + 1)), name);
}

// before_name returns what stands before the name: "X is the password", "use X as the token".
Span before_name(std::string_view text, std::size_t begin, std::string_view name) {
  constexpr auto kBefore = std::to_array<std::string_view>(
      {" is the ", " is your ", " is my ", " as the ", " as your ", " as "});
  std::string_view line = text.substr(0, begin);
  line = line.substr(line.size() - std::min(line.size(), kWordLineMax));
  for (const std::string_view words : kBefore) {
    if (!line.ends_with(words)) continue;
    const std::size_t last = begin - words.size();
    line.remove_suffix(words.size());
    const std::size_t gap = line.find_last_of(" \t\r\n");
    const std::size_t bytes = gap == line.npos ? line.size() : line.size() - gap - 1;
    const Span value = without_ends(text, {last - bytes, last}, "\"'`(:");
    return looks_told(text_of(text, value), name) ? value : Span{};
  }
  return {};
}

}  // namespace

Span without_ends(std::string_view text, Span span, std::string_view what) {
  while (span.begin < span.end && what.find(text[span.begin]) != what.npos) ++span.begin;
  while (span.end > span.begin && what.find(text[span.end - 1]) != what.npos) --span.end;
  return span;
}

Span in_quotes(std::string_view text, std::size_t at) {
  const Mark mark = mark_at(text, at);
  if (mark.end == at) return {};
  const std::string_view near = text.substr(0, mark.end + kWordLineMax);
  const std::size_t close = close_of(near, mark);
  return close < near.size() || near.size() == text.size() ? Span{mark.end, close} : Span{};
}

Span word_at(std::string_view text, std::size_t at) {
  if (const Span quoted = in_quotes(text, at); quoted.end > quoted.begin) return quoted;
  const std::string_view near = text.substr(at, kWordLineMax);
  const std::size_t end = std::min(near.find_first_of(" \t\r\n\"'`;|&<>"), near.size());
  return {at, at + end};
}

Span told_in_sentence(std::string_view text, std::size_t begin, std::size_t end,
                      std::string_view name) {
  if (const Span value = behind_verb(text, end, name); value.end > value.begin) return value;
  if (const Span value = behind_owner(text, end, name); value.end > value.begin) return value;
  return before_name(text, begin, name);
}

bool looks_told(std::string_view value, std::string_view name) {
  if (value.size() < 5 || is_ordinary_value(value) || is_placeholder(value)) return false;
  if (value.find_first_of(" \t\n") != value.npos || value.find("://") != value.npos) return false;
  if (value.front() == '/' || value.front() == '.' || value.front() == '-') return false;
  if (!std::ranges::any_of(value, ascii_digit)) return false;
  if (std::ranges::all_of(value, [](char c) { return !ascii_letter(c); })) {
    return std::ranges::all_of(value, ascii_digit) && number_digits_min(name) <= 4;
  }
  const std::string small = lower_case(value.substr(0, 16));
  return std::ranges::none_of(kTechnical,
                              [&](std::string_view word) { return small.starts_with(word); });
}

}  // namespace plumbline
