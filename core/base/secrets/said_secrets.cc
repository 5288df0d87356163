#include "core/base/secrets/said_secrets.h"

#include <algorithm>
#include <array>

#include "core/base/secrets/ascii.h"
#include "core/base/secrets/name_signs.h"
#include "core/base/secrets/secret_names.h"
#include "core/base/text.h"

namespace plumbline {

namespace {

constexpr std::size_t kTagBytesMax = 128;
constexpr std::size_t kValueBytesMax = 4'096;
constexpr std::size_t kLineBytesMax = 200;
constexpr std::size_t kMarkBytesMax = 16;
constexpr std::string_view kSpace = " \t\r\n";

// before returns what stands before `at`, so many bytes of it.
std::string_view before(std::string_view text, std::size_t at, std::size_t bytes_max) {
  const std::size_t bytes = std::min(at, bytes_max);
  return text.substr(at - bytes, bytes);
}

// attribute returns what a tag says under this name: name="...".
std::string_view attribute(std::string_view tag, std::string_view name) {
  const std::size_t at = tag.find(name);
  if (at == tag.npos) return {};
  const std::string_view rest = tag.substr(at + name.size());
  const std::size_t end = rest.empty() ? rest.npos : rest.find(rest.front(), 1);
  return end == rest.npos || !is_quote(rest.front()) ? std::string_view() : rest.substr(1, end - 1);
}

// name_of_element returns what names the text of an element: its name, what it says of itself, or
// the <key> before it.
std::string_view name_of_element(std::string_view text, std::size_t open, std::string_view tag) {
  const std::string_view element = tag.substr(0, tag.find_first_of(kSpace));
  const std::string_view own = element.substr(element.rfind(':') + 1);
  if (own.size() < tag.size()) {
    const std::string_view told = attribute(tag, " name=");
    if (!told.empty()) return told;
  }
  constexpr auto kPlain =
      std::to_array<std::string_view>({"string", "value", "td", "dd", "b", "code", "strong", "em",
                                       "i", "span", "pre", "kbd", "tt"});
  if (!is_one_of(own, kPlain)) return own;
  std::string_view key = before(text, open, kTagBytesMax);
  key = key.substr(0, key.find_last_not_of(kSpace) + 1);
  if (key.ends_with('>')) {  // <key>password</key><string>X
    const std::size_t end = key.rfind("</");
    if (end == key.npos) return own;
    key = key.substr(0, end);
  } else if (!key.ends_with(':')) {  // Password: <b>X
    return own;
  }
  while (!key.empty() && !ascii_word(key.back()) && !beyond_ascii(key.back())) key.remove_suffix(1);
  return key.substr(key.find_last_of(">\n\"") + 1);
}

// is_text_of_page returns whether an element only has a look, and what names its text is near it.
bool is_text_of_page(std::string_view tag) {
  constexpr auto kOfPages = std::to_array<std::string_view>(
      {"td", "dd", "b", "code", "strong", "em", "i", "span", "pre", "kbd", "tt"});
  return is_one_of(tag.substr(0, tag.find_first_of(kSpace)), kOfPages);
}

Span in_element(std::string_view text, std::size_t at, const NameRule& rule) {
  std::string_view tag = before(text, at, kTagBytesMax);
  const std::size_t open = tag.rfind('<');
  if (open == tag.npos) return {};
  tag = tag.substr(open + 1);
  if (tag.empty() || !ascii_letter(tag.front()) || tag.back() == '/') return {};
  const std::string_view name = name_of_element(text, at - tag.size() - 1, tag);
  if (!names_secret(name, NamedAs::kMember, rule)) return {};
  constexpr std::string_view kRaw = "<![CDATA[";
  const bool raw = text.substr(at + 1).starts_with(kRaw);
  const std::size_t begin = at + 1 + (raw ? kRaw.size() : 0);
  const std::string_view near = text.substr(begin, kValueBytesMax);
  std::size_t bytes = near.find(raw ? "]]>" : "</");
  if (bytes == near.npos && is_text_of_page(tag)) {
    bytes = std::min(near.find_first_of("<\r\n"), near.size());
  }
  if (bytes == near.npos || (!raw && near.find('<') < bytes)) return {};
  const Span value = without_ends(text, {begin, begin + bytes}, kSpace);
  return !is_text_of_page(tag) || looks_told(text_of(text, value), name) ? value : Span{};
}

Span in_table(std::string_view text, std::size_t at, const NameRule& rule) {
  constexpr std::string_view kAround = " \t`*_\"'";
  const std::string_view line = before(text, at, kNameBytesMax);
  const std::size_t from = line.find_last_of("|\n");
  if (from == line.npos && line.size() == kNameBytesMax) return {};
  const std::size_t begin = at - line.size() + (from == line.npos ? 0 : from + 1);
  const std::string_view name = text_of(text, without_ends(text, {begin, at}, kAround));
  if (name.empty() || !names_secret(name, NamedAs::kMember, rule)) return {};
  const std::string_view near = text.substr(at + 1, kLineBytesMax);
  const std::size_t bytes = near.find_first_of("|\n");
  if (bytes == near.npos || near[bytes] != '|') return {};
  const Span value = without_ends(text, {at + 1, at + 1 + bytes}, kAround);
  return looks_told(text_of(text, value), name) ? value : Span{};
}

// Saying is a word that names a secret, with the one before it.
struct Saying {
  std::size_t begin = 0;
  std::size_t end = 0;  // Behind the quotes that it is in.
  std::string_view word;
  std::string_view name;
};

Saying saying_at(std::string_view text, std::size_t at) {
  Saying found;
  const std::string_view line = before(text, at, kNameBytesMax);
  std::size_t begin = at;
  while (begin + line.size() > at && is_word_byte(text[begin - 1])) --begin;
  std::size_t end = at;
  while (end < text.size() && end - at < kNameBytesMax && is_word_byte(text[end])) ++end;
  found.word = text.substr(begin, end - begin);
  found.begin = begin;
  found.end = mark_at(text, end).end;
  if (begin > 0 && text[begin - 1] == ' ') --begin;
  while (begin + line.size() > at && is_word_byte(text[begin - 1])) --begin;
  found.name = text.substr(begin, end - begin);
  return found;
}

// ends_said returns whether what is said ends at `at`: with its line, or a quote around it.
bool ends_said(std::string_view text, std::size_t at) {
  return at >= text.size() || ends_line(text[at]) || is_quote(text[at]);
}

// of_netrc returns what stands behind the password of a host: "machine HOST login USER password".
// Within a line, where anybody may speak of machines, it has to look like one.
Span of_netrc(std::string_view text, std::size_t at, std::size_t next) {
  constexpr auto kEntries = std::to_array<std::string_view>({"machine ", "default login "});
  const std::string_view line = before(text, at, kLineBytesMax);
  for (const std::string_view entry : kEntries) {
    const std::size_t begin = line.rfind(entry);
    if (begin == line.npos) continue;
    const Span value = word_at(text, next);
    const bool first = begin == 0 || ends_said(line, begin - 1);
    if (first || looks_told(text_of(text, value), "password")) return value;
  }
  return {};
}

bool is_setting(std::string_view text, const Saying& saying) {
  if (saying.word.find('_') == saying.word.npos) return false;
  const std::string_view line = before(text, saying.begin, kNameBytesMax);
  return line.find(" set ") != line.npos || line.find("configure ") != line.npos;
}

// is_of_parser returns whether a name is that of a token of a language: "Unknown token 'x12345'".
bool is_of_parser(std::string_view name, std::string_view value) {
  constexpr auto kBefore = std::to_array<std::string_view>({"unknown ", "got ", "near "});
  constexpr std::size_t kTokenBytesMax = 8;
  const std::string small = lower_case(name.substr(0, 16));
  return value.size() <= kTokenBytesMax && std::ranges::any_of(kBefore, [&](std::string_view word) {
           return small.starts_with(word) && small.substr(word.size()) == "token";
         });
}

Span told(std::string_view text, Span value, std::string_view name) {
  return looks_told(text_of(text, value), name) ? value : Span{};
}

// handed_over returns what a call takes with the name or under it, ("password", "X") and
// PASSWORD('X'), or a list of the two, ["password", "X"].
Span handed_over(std::string_view text, const Saying& saying, std::size_t next) {
  if (text[next] == '(' && next == saying.end) {
    return told(text, in_quotes(text, behind_gap(text, next + 1)), saying.word);
  }
  const std::size_t word = saying.begin + saying.word.size();
  if (text[next] != ',' || saying.end == word) return {};
  const std::string_view line = before(text, saying.begin, kMarkBytesMax);
  const std::size_t open = line.find_last_not_of("\\\"'`");
  if (open == line.npos || open + 1 == line.size()) return {};
  const Span value = in_quotes(text, behind_gap(text, next + 1));
  if (value.end <= value.begin) return {};
  const std::size_t last = behind_gap(text, mark_at(text, value.end).end);
  const bool pair = line[open] == '[' && last < text.size() && text[last] == ']' &&
                    !names_secret(text_of(text, value), NamedAs::kMember);
  return line[open] == '(' || pair ? told(text, value, saying.word) : Span{};
}

// behind_wide_sign returns what stands behind the sign at `at` where it is as wide as a letter of
// Chinese; `at`: none is.
std::size_t behind_wide_sign(std::string_view text, std::size_t at) {
  for (const std::string_view sign : {"\uff1a", "\uff1d", "\ufe55", "\u2236"}) {
    if (text.substr(at).starts_with(sign)) return behind_gap(text, at + sign.size());
  }
  return at;
}

// behind_name returns what a word names: "password", "token", "api key".
Span behind_name(std::string_view text, std::size_t at, const NameRule& rule) {
  const Saying saying = saying_at(text, at);
  if (!names_secret(saying.name, NamedAs::kMember, rule)) return {};
  const std::size_t next = behind_gap(text, saying.end);
  if (next >= text.size()) return told_in_sentence(text, saying.begin, saying.end, saying.word);
  if (ends_line(text[next])) {
    const bool alone = saying.begin == 0 || ends_said(text, saying.begin - 1);
    const Span value = word_at(text, behind_gap(text, next + 1));
    const bool whole = ends_said(text, value.end);
    if (alone && whole && looks_told(text_of(text, value), saying.word)) return value;
    return told_in_sentence(text, saying.begin, saying.end, saying.word);
  }
  if (const Span value = handed_over(text, saying, next); value.end > 0) return value;
  if (const std::size_t value = behind_wide_sign(text, next); value > next) {
    return told(text, word_at(text, value), saying.word);
  }
  if (next == saying.end) {
    return told_in_sentence(text, saying.begin, saying.end, saying.word);
  }
  if (const Span value = in_quotes(text, next); value.end > value.begin) {
    if (is_of_parser(saying.name, text_of(text, value))) return {};
    const bool sql = std::ranges::all_of(saying.word, ascii_upper);
    return sql || looks_told(text_of(text, value), saying.name) ? value : Span{};
  }
  if (const Span value = of_netrc(text, saying.begin, next); value.end > 0) return value;
  if (is_setting(text, saying)) return word_at(text, next);
  return told_in_sentence(text, saying.begin, saying.end, saying.word);
}

bool ends_with_word(std::string_view text, std::size_t at, std::string_view word) {
  return ends_alike(before(text, at, word.size()), word);
}

// of_htpasswd returns the password of a command that takes it as its last word: -b FILE USER X, and
// -nb USER X.
Span of_htpasswd(std::string_view text, std::size_t at) {
  const std::size_t last = std::min(text.size(), at + kLineBytesMax);
  bool taken = false;
  std::size_t before = 2;
  for (std::size_t next = behind_gap(text, at); next < last; next = behind_gap(text, next)) {
    const Span word = word_at(text, next);
    if (word.end <= word.begin) break;
    const std::string_view option = text_of(text, word);
    if (option.starts_with('-')) {
      taken = taken || option.find('b') != option.npos;
      if (option.find('n') != option.npos) before = 1;
    } else if (before-- == 0) {
      return taken ? word : Span{};
    }
    next = mark_at(text, word.end).end;
  }
  return {};
}

// sets_variable returns whether what ends at `at` sets a variable: setx NAME X, setenv NAME X, ENV
// NAME X, set -x NAME X.
bool sets_variable(std::string_view text, std::size_t at) {
  constexpr std::string_view kEnv = "ENV";
  const bool env = text.substr(0, at).ends_with(kEnv) &&
                   (at == kEnv.size() || !is_word_byte(text[at - kEnv.size() - 1]));
  return env || ends_with_word(text, at, "setx") || ends_with_word(text, at, "setenv") ||
         ends_with_word(text, at, "set -x");
}

Span of_program(std::string_view text, std::size_t at, const NameRule& rule) {
  constexpr std::string_view kLogin = "vault login ";
  constexpr std::string_view kRequire = "requirepass ";
  if (text[at] == 'q') {
    if (at < 2 || !text.substr(at - 2).starts_with(kRequire)) return {};
    return word_at(text, at - 2 + kRequire.size());
  }
  if (text.substr(at).starts_with(kLogin)) {
    const Span value = word_at(text, at + kLogin.size());
    return looks_told(text_of(text, value), "token") ? value : Span{};
  }
  if (at + 1 >= text.size() || !is_gap(text[at + 1]) || !sets_variable(text, at + 1)) return {};
  const Span name = word_at(text, behind_gap(text, at + 1));
  const std::string_view told = text_of(text, name);
  if (told.find('=') != told.npos || !names_secret(told, NamedAs::kVariable, rule)) return {};
  const std::size_t next = mark_at(text, name.end).end;
  return word_at(text, behind_gap(text, next));
}

Span said(std::string_view text, std::size_t at, const NameRule& rule) {
  const char next = at + 1 < text.size() ? text[at + 1] : ' ';
  switch (text[at]) {
    case '>':
      return in_element(text, at, rule);
    case '|':
      return in_table(text, at, rule);
    case 'w':
    case 'W':
      if (next == 'd' && ends_with_word(text, at, "htpass")) return of_htpasswd(text, at + 2);
      return ends_with_word(text, at, "pass") ? behind_name(text, at, rule) : Span{};
    case 'k':
    case 'K': {
      const bool names = ends_with_word(text, at, "to") || next == 'e' || next == 'E';
      return names ? behind_name(text, at, rule) : Span{};
    }
    case 'Y':
      if (!is_gap(next) || !ends_with_word(text, at, "identified b")) return {};
      return in_quotes(text, behind_gap(text, at + 1));
    default:
      return of_program(text, at, rule);
  }
}

}  // namespace

Span said_secret_at(std::string_view text, std::size_t at, const NameRule& rule) {
  const Span span = said(text, at, rule);
  return span.end > span.begin && !is_ordinary_value(text_of(text, span)) ? span : Span{};
}

}  // namespace plumbline
