// What stands behind the name of a secret, and is one or not.

#include <algorithm>
#include <array>
#include <string>

#include "core/base/secrets/ascii.h"
#include "core/base/secrets/secret_names.h"
#include "core/base/text.h"

namespace plumbline {

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
  const bool braced = text.starts_with('{') && text.ends_with('}');
  if (braced) text = text.substr(1, text.size() - 2);
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
