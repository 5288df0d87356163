#include "core/base/secrets/value_words.h"

#include <algorithm>
#include <array>
#include <string>

#include "core/base/secrets/ascii.h"
#include "core/base/secrets/secret_names.h"
#include "core/base/text.h"

namespace plumbline {

namespace {

constexpr std::size_t kPrefixMax = 3;
constexpr std::size_t kCallBytesMax = 64;
constexpr std::size_t kStringPartMax = 512;
constexpr std::size_t kPartsMax = 16;

bool is_at(std::string_view text, std::size_t at, std::string_view any) {
  return at < text.size() && any.find(text[at]) != std::string_view::npos;
}

bool is_plain_quote(std::string_view text, std::size_t at) {
  return at < text.size() && (text[at] == '"' || text[at] == '\'');
}

// opens returns whether the quote at `at` opens a string: one that closes stands before a space or
// a sign.
bool opens(std::string_view text, std::size_t at) {
  return at + 1 < text.size() && !is_at(text, at + 1, " \t\r\n,;:)]}\"'`|&<>\\.");
}

// behind_part returns where the string in quotes at `at` ends, with its quotes; `at`: none does in
// its line.
std::size_t behind_part(std::string_view text, std::size_t at) {
  if (!is_plain_quote(text, at) || !opens(text, at)) return at;
  const std::string_view near = text.substr(at + 1, kStringPartMax);
  const std::size_t close = near.find(text[at]);
  return close == near.npos || near.substr(0, close).find('\n') != near.npos ? at : at + close + 2;
}

// next_part returns where the next string begins that is put to the one which ends at `end`: "a" +
// "S", and "a" "S"; `end`: none is.
std::size_t next_part(std::string_view text, std::size_t end) {
  std::size_t at = behind_gap(text, end);
  if (is_at(text, at, "+.\\")) ++at;
  const std::size_t part = std::min(text.find_first_not_of(" \t\r\n", at), text.size());
  const bool broken = text.substr(at, part - at).find('\n') != std::string_view::npos;
  if (broken && at == behind_gap(text, end)) return end;
  return part - end < kLineGapMax && behind_part(text, part) > part ? part : end;
}

}  // namespace

bool closes_string(std::string_view text, const Mark& mark) {
  if (mark.end == mark.begin || text[mark.end - 1] != '"') return false;
  std::size_t at = behind_gap(text, mark.end);
  if (!is_at(text, at, ",}]")) return false;
  while (is_at(text, at, ",}] \t\r\n") && at - mark.end < kLineGapMax) ++at;
  return at == text.size() || is_at(text, at, "\"\\{[");
}

Mark prefixed_mark(std::string_view text, std::size_t at) {
  if (const Mark mark = mark_at(text, at); mark.end > at) return mark;
  std::size_t end = at;
  while (end - at < kPrefixMax && is_at(text, end, "NnBbUuFfRrLlQq@$")) ++end;
  const bool raw = end > at && (text[end - 1] == 'r' || text[end - 1] == 'R');
  while (raw && end - at < 2 * kPrefixMax && is_at(text, end, "#")) ++end;
  const Mark mark = mark_at(text, end);
  const bool is_mark = end > at && mark.end > end;
  return is_mark && opens(text, mark.end - 1) ? mark : Mark{at, at};
}

Call call_at(std::string_view text, std::size_t at) {
  constexpr auto kLookUps = std::to_array<std::string_view>(
      {"env", "get", "input", "getpass", "prompt", "lookup", "getproperty", "fetch", "open", "read",
       "require", "getstring", "readfile", "lookupenv", "header", "param", "config"});
  const std::string_view near = text.substr(std::min(at, text.size()), kCallBytesMax);
  std::size_t end = near.starts_with("new ") ? 4 : 0;
  for (std::size_t depth = 0; depth < 3; ++depth) {
    const std::size_t begin = end;
    while (end < near.size() && (is_word_byte(near[end]) || is_at(near, end, ":<>&*!"))) ++end;
    const std::string_view name = near.substr(begin, end - begin);
    if (name.size() < 2 || !is_at(near, end, "([")) return {};
    const bool index = near[end] == '[';
    end = behind_gap(near, end + 1);
    const Mark mark = prefixed_mark(text, at + end);
    if (mark.end > at + end || (mark.begin > at + end)) {
      const bool looks_up =
          index || std::ranges::any_of(kLookUps, [&](auto one) { return ends_alike(name, one); });
      if (!looks_up && std::ranges::any_of(name, ascii_digit)) return {};
      return {mark, looks_up};
    }
    if (index) return {};
  }
  return {};
}

Span whole_string(std::string_view text, const Mark& mark, bool apart) {
  const char quote = text[mark.end - 1];
  const std::string three(3, quote);
  const bool plain = mark.end - mark.begin == 1;
  if (plain && text.substr(mark.begin).starts_with(three)) {
    return {mark.begin + 3, std::min(text.find(three, mark.begin + 3), text.size())};
  }
  const std::size_t close = close_of(text, mark);
  if (!plain || close >= text.size()) return {mark.end, close};
  std::size_t end = close + 1;
  std::size_t last = end;  // Behind the last string in the same quotes.
  for (std::size_t count = 0; count < kPartsMax; ++count) {
    std::size_t next = behind_part(text, end);
    if (next == end && end < text.size() && ascii_word(text[end])) {
      while (next < text.size() && is_word_byte(text[next])) ++next;
      const std::size_t behind = mark_at(text, next).end;
      if (behind > next && is_at(text, behind, ":")) break;  // "name":
    } else if (next == end && apart) {
      next = next_part(text, end);
      if (next != end) next = behind_part(text, next);
    }
    if (next == end) break;
    end = next;
    if (text[end - 1] == quote) last = end;
  }
  return last == end ? Span{mark.end, end - 1} : Span{mark.begin, end};
}

std::size_t behind_parts(std::string_view text, std::size_t end, std::string_view stops,
                         char before) {
  for (std::size_t count = 0; count < kPartsMax; ++count) {
    std::size_t next = end;
    if (end < text.size() && text[end] != before) next = behind_part(text, end);
    if (next == end) {
      std::size_t space = end;
      while (is_at(text, space, "\\")) ++space;
      const bool escaped = space > 0 && text[space - 1] == '\\' && is_at(text, space, " ");
      if (!escaped || space + 1 >= text.size() || !ascii_word(text[space + 1])) return end;
      next = space + 1;
    }
    end = std::min(text.find_first_of(stops, next), text.size());
  }
  return end;
}

std::size_t behind_tag(std::string_view text, std::size_t at) {
  constexpr auto kReferences = std::to_array<std::string_view>(
      {"!Ref", "!Sub", "!GetAtt", "!ImportValue", "!secret", "!env", "!reference", "!env_var"});
  if (!is_at(text, at, "!&")) return at;
  const std::string_view near = text.substr(at, kNameBytesMax);
  const std::size_t end = near.find_first_of(" \t\r\n");
  if (end == near.npos || end < 2 || !is_gap(near[end])) return at;
  if (is_one_of(near.substr(0, end), kReferences)) return text.size();
  const bool word = std::ranges::all_of(near.substr(1, end - 1),
                                        [](char c) { return is_word_byte(c) || c == '!'; });
  return word ? behind_gap(text, at + end) : at;
}

std::size_t end_of_phrase(std::string_view text, std::size_t at, char before) {
  std::size_t end = at;
  for (; end < text.size() && !ends_line(text[end]); ++end) {
    const char c = text[end];
    if (c == '"' || c == '<' || c == '|' || c == '&' || c == '\\') break;
    if (!is_quote(c)) continue;
    const bool within = end > at && ascii_letter(text[end - 1]) && end + 1 < text.size() &&
                        ascii_letter(text[end + 1]);  // it's
    if (c == before || !within) break;
  }
  while (end > at && is_gap(text[end - 1])) --end;
  return end;
}

bool is_ordinary_phrase(std::string_view phrase) {
  constexpr std::string_view kBetween = " \t,.;:()";
  constexpr std::size_t kReadMax = 256;
  if (phrase.size() > kReadMax) return false;
  while (!phrase.empty()) {
    if (const std::size_t hidden = placeholder_at(phrase)) {
      phrase.remove_prefix(hidden);
      continue;
    }
    const std::size_t end = std::min(phrase.find_first_of(kBetween), phrase.size());
    if (!is_ordinary_value(phrase.substr(0, end))) return false;
    phrase.remove_prefix(std::min(end + 1, phrase.size()));
  }
  return true;
}

namespace {

constexpr auto kOrdinaryValues = std::to_array<std::string_view>(
    {"required",  "optional", "string",  "true",      "false",    "null",   "none",   "nil",
     "undefined", "invalid",  "missing", "expired",   "unknown",  "empty",  "yes",    "no",
     "not",       "must",     "is",      "are",       "was",      "the",    "a",      "an",
     "for",       "of",       "to",      "in",        "from",     "and",    "or",     "this",
     "that",      "your",     "please",  "number",    "boolean",  "object", "array",  "unset",
     "set",       "changed",  "reset",   "incorrect", "wrong",    "denied", "ok",     "failed",
     "error",     "integer",  "prompt",  "ask",       "include",  "omit",   "on",     "off",
     "here",      "with",     "by",      "rejected",  "accepted", "never",  "always", "hidden",
     "oauth2",    "oauth",    "apikey",  "bearer",    "basic",    "header", "query",  "http",
     "jwt"});

// What code reads a variable of the environment by.
constexpr auto kVariables =
    std::to_array<std::string_view>({"process.env.", "import.meta.env.", "os.environ."});

// Where the path of a file begins.
constexpr auto kFolders = std::to_array<std::string_view>(
    {"~/", "./", "../", "/etc/", "/run/", "/var/", "/home/", "/usr/", "/opt/", "/Users/"});

bool is_path_byte(char c) {
  return ascii_word(c) || c == '/' || c == '.' || c == '_' || c == '-' || c == '~';
}

// refers returns whether a value says where the secret is, which it does not tell: a file, a
// variable.
bool refers(std::string_view value) {
  const auto begins = [value](std::string_view one) {
    return value.size() > one.size() && value.starts_with(one);
  };
  if (value.size() > 128 || !std::ranges::all_of(value, is_path_byte)) return false;
  return std::ranges::any_of(kFolders, begins) || std::ranges::any_of(kVariables, begins);
}

// What a usage names values by, in capitals.
constexpr auto kMetavariables = std::to_array<std::string_view>(
    {"URL",    "URI",      "FILE",   "PATH", "DIR",    "NAME", "VALUE", "TOKEN",
     "KEY",    "PASSWORD", "PASS",   "USER", "SECRET", "ID",   "HOST",  "PORT",
     "STRING", "HEADER",   "COOKIE", "API",  "AUTH",   "YOUR", "MY",    "THE",
     "ACCESS", "CODE",     "CLIENT", "TEXT", "VAR",    "WORD", "ARG",   "COMMAND"});

}  // namespace

bool is_reference(std::string_view text) {
  if (!text.starts_with('$') || text.size() < 2) return false;
  text.remove_prefix(1);
  if (text.starts_with('(')) return true;  // What a command prints.
  const bool braced = text.starts_with('{');
  if (braced) text.remove_prefix(1);
  if (braced && text.ends_with('}')) text.remove_suffix(1);
  return std::ranges::all_of(text, [braced](char c) {
    return c == '_' || ascii_upper(c) || ascii_digit(c) ||
           (braced && (ascii_letter(c) || c == '-' || c == '.' || c == ':'));
  });
}

std::size_t placeholder_at(std::string_view text) {
  constexpr std::string_view kRedacted = "[redacted]";
  constexpr std::string_view kSecret = "[secret ";
  if (text.starts_with(kRedacted)) return kRedacted.size();
  if (!text.starts_with(kSecret)) return 0;
  std::size_t end = kSecret.size();
  while (end < text.size() && ascii_digit(text[end])) ++end;
  return end > kSecret.size() && end < text.size() && text[end] == ']' ? end + 1 : 0;
}

bool is_placeholder(std::string_view text) { return placeholder_at(text) != 0; }

bool is_ordinary_value(std::string_view value) {
  if (value.empty() || is_reference(value) || refers(value)) return true;
  if (placeholder_at(value) == value.size()) return true;
  if (value.size() > 2 &&
      std::ranges::all_of(value, [](char c) { return c == '*' || c == 'x' || c == '.'; })) {
    return true;
  }
  return value.size() <= 10 && is_one_of(lower_case(value), kOrdinaryValues);
}

bool is_metavariable(std::string_view word) {
  word = word.substr(word.rfind('=') + 1);
  if (word.size() < 3) return false;
  std::size_t at = 0;
  while (at < word.size()) {
    const std::size_t end = std::min(word.find_first_of("|_-:.,]", at), word.size());
    if (end > at && !is_one_of(word.substr(at, end - at), kMetavariables)) return false;
    at = end + 1;
  }
  return true;
}

std::size_t behind_brackets(std::string_view text, std::size_t at) {
  constexpr std::size_t kBytesMax = 64;
  const std::string_view near = text.substr(std::min(at, text.size()), kBytesMax);
  const bool braces = near.starts_with("{{");
  if (!braces && !near.starts_with('<')) return 0;
  const std::string_view close = braces ? "}}" : ">";
  const std::size_t end = near.find(close);
  if (end == near.npos) return 0;
  const std::string_view inner = near.substr(close.size(), end - close.size());
  const bool word = inner.find_first_of(" \t\r\n./=\"'<{") == inner.npos && inner.size() > 3;
  const bool told =
      word && std::ranges::any_of(inner, ascii_digit) && !names_secret(inner, NamedAs::kVariable);
  return told ? at + end + close.size() : 0;
}

bool looks_random(std::string_view word) {
  if (word.size() >= 24) return true;
  bool lower = false;
  for (const char c : word) {
    if (ascii_digit(c) || (lower && ascii_upper(c))) return true;
    lower = lower || (ascii_letter(c) && !ascii_upper(c));
  }
  return false;
}

}  // namespace plumbline
