#include "conformance/checks/server/features/logged_secrets.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <string_view>
#include <vector>

#include "conformance/checks/server/shapes.h"
#include "conformance/peer/name_words.h"
#include "core/base/secrets/named_secrets.h"
#include "core/base/secrets/secret_names.h"
#include "core/base/secrets/token_shapes.h"
#include "core/base/text.h"

namespace plumbline::conformance {

namespace {

constexpr int kDataDepthMax = 6;
constexpr std::size_t kLoggedBytesMin = 12;
constexpr std::size_t kShownOfSecret = 4;  // Of one that begins as those of its kind do.
constexpr std::size_t kFileEndingMax = 5;
constexpr std::string_view kBearerScheme = "bearer ";
constexpr std::array<std::string_view, 5> kMasks = {"xxx", "redact", "...", "example", "***"};
// What a text is called that says where to go on.
constexpr std::array<std::string_view, 2> kPlaces = {"token", "cursor"};

bool is_key_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }
bool is_key_digit(char c) { return c >= '0' && c <= '9'; }
bool is_of_name(char c) { return is_key_letter(c) || is_key_digit(c) || c == '_' || c == '-'; }

// names_file returns whether a word ends as names of files do.
bool names_file(std::string_view value) {
  const std::size_t dot = value.rfind('.');
  if (dot == std::string_view::npos || value.size() - dot - 1 > kFileEndingMax) return false;
  return std::ranges::any_of(value.substr(dot), is_key_letter);
}

// looks_secret returns whether a value is as long and as mixed as a key is, and neither a path nor
// masked by itself or by what stands behind it.
bool looks_secret(std::string_view value, std::string_view behind) {
  const std::string small = lower_case(std::string(value));
  const auto plain = [](char c) { return is_of_name(c) || mentions(".~+=", c); };
  const bool mixed =
      std::ranges::any_of(value, is_key_digit) && std::ranges::any_of(value, is_key_letter);
  const bool masked = mentions_any(small, kMasks) || is_ordinary_value(value) ||
                      is_placeholder(value) || behind.starts_with('*') ||
                      behind.starts_with("...") || behind.starts_with("\u2026");
  const bool whole = value.size() >= kLoggedBytesMin && std::ranges::all_of(value, plain);
  return whole && mixed && !masked && !value.starts_with('.') && !names_file(value);
}

// without_scheme returns what stands behind "Bearer ".
std::string_view without_scheme(std::string_view value) {
  const bool bearer =
      lower_case(std::string(value.substr(0, kBearerScheme.size()))) == kBearerScheme;
  return bearer ? value.substr(kBearerScheme.size()) : value;
}

// names_place returns whether a name is that of a token that says where to go on.
bool names_place(std::string_view name) {
  const std::vector<std::string> words = words_of(name);
  return words.size() > 1 && std::ranges::find(kPlaces, words.back()) != kPlaces.end() &&
         !names_secret(name, NamedAs::kMember);
}

// name_before returns the name that stands before a value, behind its sign and quotes.
std::string_view name_before(std::string_view text, std::size_t at) {
  const std::size_t last = text.substr(0, at).find_last_not_of("\"'\\ =:");
  if (last == std::string_view::npos || !is_of_name(text[last])) return {};
  std::size_t begin = last;
  while (begin > 0 && is_of_name(text[begin - 1])) --begin;
  return text.substr(begin, last + 1 - begin);
}

// is_cursor returns whether a text is encoded JSON and no web token, which has three parts.
bool is_cursor(std::string_view value) {
  return value.starts_with("eyJ") && std::ranges::count(value, '.') < 2;
}

std::string named_in(std::string_view text) {
  std::vector<Named> found;
  add_named_secrets(text, {}, found);
  for (const Named& one : found) {
    const std::string_view name = name_before(text, one.begin);
    const std::string_view value = without_scheme(text.substr(one.begin, one.end - one.begin));
    const bool named = !name.empty() && names_secret(name, NamedAs::kMember);
    if (named && looks_secret(value, text.substr(one.end))) return std::string(name);
  }
  return {};
}

// has_key_digits returns whether a text has as many digits of base64 in a row as no word has.
bool has_key_digits(std::string_view text) {
  std::size_t row = 0;
  for (const char c : text) {
    row = is_key_letter(c) || is_key_digit(c) || mentions("+/=", c) ? row + 1 : 0;
    if (row > kLoggedBytesMin) return true;
  }
  return false;
}

std::string shaped_in(std::string_view text) {
  std::vector<Span> found;
  add_tokens(text, {}, found);
  for (const Span& one : found) {
    const std::string_view all = text.substr(one.begin, one.end - one.begin);
    const std::string_view value = without_scheme(all);
    const bool known = looks_secret(value, text.substr(one.end)) && !is_cursor(value);
    if (!known || names_place(name_before(text, one.begin))) continue;
    return std::string(
        all.substr(0, value.size() < all.size() ? kBearerScheme.size() - 1 : kShownOfSecret));
  }
  found.clear();
  add_private_keys(text, found);
  const bool key = mentions(text, "-----BEGIN") && std::ranges::any_of(found, [&](const Span& one) {
                     return has_key_digits(text.substr(one.begin, one.end - one.begin));
                   });
  return key && !mentions_any(lower_case(std::string(text)), kMasks) ? "PRIVATE KEY" : "";
}

std::string secret_in_text(std::string_view text) {
  std::string known = named_in(text);
  return known.empty() ? shaped_in(text) : known;
}

std::string secret_in(const Json& data, int depth_max) {
  if (const auto* const text = data.get_ptr<const std::string*>()) return secret_in_text(*text);
  if (!data.is_structured() || depth_max == 0) return {};
  for (const auto& [name, value] : data.items()) {
    const auto* const text = data.is_object() ? value.get_ptr<const std::string*>() : nullptr;
    if (text != nullptr && names_place(name)) continue;
    const bool named = text != nullptr && names_secret(name, NamedAs::kMember);
    if (named && looks_secret(without_scheme(*text), "")) return name;
    if (std::string secret = secret_in(value, depth_max - 1); !secret.empty()) return secret;
  }
  return {};
}

}  // namespace

std::string secret_logged(const Json& data) { return secret_in(data, kDataDepthMax); }

}  // namespace plumbline::conformance
