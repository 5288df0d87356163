#include "core/base/secrets/name_signs.h"

#include <algorithm>
#include <array>

#include "core/base/secrets/ascii.h"
#include "core/base/text.h"

namespace plumbline {

namespace {

constexpr std::size_t kShellQuoteBytesMax = 64;  // Of quotes within quotes within quotes.

bool is_of_shell_quote(char c) { return c == '\'' || c == '\\'; }

// is_shell_quote returns whether `run` is a quote within the quotes of a shell, '\'', or one within
// those of another, '\''\'\'''\'': quotes and backslashes, which may be escaped themselves.
bool is_shell_quote(std::string_view run) {
  if (!run.starts_with("'\\")) return false;
  const std::size_t quote = run.find('\'', 1);
  return quote != run.npos && run.substr(quote).starts_with("''");
}

// shell_quote_at returns the one that begins at `at`; empty: none does.
std::string_view shell_quote_at(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && end - at < kShellQuoteBytesMax && is_of_shell_quote(text[end])) ++end;
  const std::string_view run = text.substr(at, end - at);
  return is_shell_quote(run) ? run : std::string_view();
}

}  // namespace

Mark mark_at(std::string_view text, std::size_t at) {
  if (const std::string_view run = shell_quote_at(text, at); !run.empty()) {
    return {at, at + run.size()};
  }
  std::size_t quote = at;
  while (quote < text.size() && text[quote] == '\\') ++quote;
  const bool is_mark = quote < text.size() && is_quote(text[quote]);
  return {at, is_mark ? quote + 1 : at};
}

namespace {

bool ends_string(std::string_view text, std::size_t at) {
  const std::size_t next = behind_gap(text, at);
  return next == text.size() || std::string_view(",:]}").find(text[next]) != std::string_view::npos;
}

}  // namespace

std::size_t close_of(std::string_view text, const Mark& mark) {
  if (is_shell_quote(mark.of(text))) {
    return std::min(text.find(mark.of(text), mark.end), text.size());
  }
  const std::size_t slashes = mark.end - mark.begin - 1;
  const char quote = text[mark.end - 1];
  for (std::size_t at = mark.end; at < text.size(); ++at) {
    const std::size_t begin = at;
    while (at < text.size() && text[at] == '\\') ++at;
    if (at == text.size()) break;
    if (text[at] == quote && at - begin <= slashes) return begin;
    // A string of JSON that ends here has opened it, and not closed it.
    if (quote != '"' && text[at] == '"' && ends_string(text, at + 1)) return begin;
  }
  return text.size();
}

NameBefore name_before(std::string_view text, std::size_t sign, std::size_t from) {
  NameBefore found;
  std::size_t end = sign;
  while (end > from && sign - end < kGapMax && is_gap(text[end - 1])) --end;
  std::size_t close = end;
  std::size_t run = end;
  while (run > from && end - run < kShellQuoteBytesMax && is_of_shell_quote(text[run - 1])) --run;
  if (is_shell_quote(text.substr(run, end - run))) {
    end = run;
    found.mark = {end, close};
  } else if (end > from && is_quote(text[end - 1])) {
    --end;
    while (end > from && text[end - 1] == '\\') --end;
    found.mark = {end, close};
  }
  const bool quoted = found.mark.end > found.mark.begin;
  const std::size_t least = std::max(from, end - std::min(end, kNameBytesMax));
  std::size_t begin = end;
  while (begin > least && (is_word_byte(text[begin - 1]) ||
                           (quoted && (text[begin - 1] == ' ' || text[begin - 1] == '/')))) {
    --begin;
  }
  while (begin < end && text[begin] == '-') {
    ++begin;
    found.option = true;
  }
  // A line break that is written as an escape is no letter of the name.
  if (begin > from && begin < end && text[begin - 1] == '\\' && text[begin] == 'n') ++begin;
  found.name = text.substr(begin, end - begin);
  if (begin > 0) found.before = text[begin - 1];
  return found;
}

std::size_t behind_gap(std::string_view text, std::size_t at) {
  const std::size_t most = std::min(text.size(), at + kGapMax);
  while (at < most && is_gap(text[at])) ++at;
  return at;
}

bool describes_type(std::string_view text, std::size_t begin) {
  if (begin >= text.size() || text[begin] != '{') return false;
  const std::size_t at = behind_gap(text, begin + 1);
  const Mark mark = mark_at(text, at);
  if (mark.end == at) return false;
  constexpr auto kKeywords =
      std::to_array<std::string_view>({"type", "description", "$ref", "title", "anyOf", "enum"});
  const std::string_view name = text.substr(mark.end, 16);
  return std::ranges::any_of(kKeywords, [&](std::string_view keyword) {
    return name.starts_with(keyword) && name.size() > keyword.size() &&
           (is_quote(name[keyword.size()]) || name[keyword.size()] == '\\');
  });
}

bool is_prose(std::string_view text) {
  constexpr auto kSchemes = std::to_array<std::string_view>(
      {"basic", "bearer", "digest", "token", "negotiate", "ntlm", "key", "apikey", "oauth"});
  const bool small = std::ranges::all_of(
      text, [](char c) { return (c >= 'a' && c <= 'z') || c == ' ' || c == '.' || c == ','; });
  return small && std::ranges::count(text, ' ') >= 2 &&
         std::ranges::count(kSchemes, text.substr(0, text.find(' '))) == 0;
}

bool ends_bare(std::string_view text, std::size_t at, bool prose) {
  const char c = text[at];
  if (is_gap(c) || ends_line(c) || is_quote(c) || c == '&' || c == ';' || c == '<' || c == '>' ||
      c == '|' || c == '\\') {
    return true;
  }
  if (c == ')' || c == '}' || c == ']') return at + 1 == text.size() || !is_word_byte(text[at + 1]);
  if (c != ',') return false;
  if (prose || at + 1 == text.size() || !is_word_byte(text[at + 1])) return true;
  std::size_t word = at + 1;  // a=b,c=d
  while (word < text.size() && word - at < kNameBytesMax && is_word_byte(text[word])) ++word;
  return word < text.size() && (text[word] == '=' || text[word] == ':');
}

bool is_closed(const NameBefore& named, std::string_view behind) {
  return named.mark.end == named.mark.begin && is_quote(named.before) &&
         behind.starts_with(named.before);
}

std::string_view user_of_url(std::string_view text, std::size_t begin) {
  // What is longer is not read: each byte is looked at a bounded number of times.
  constexpr std::size_t kUserReadMax = 512;
  const std::size_t stop = text.find_first_of("/?# \t\r\n\"'`<>\\,|", begin);
  const std::string_view authority = text.substr(begin, std::min(stop, text.size()) - begin);
  std::size_t who = authority.rfind('@');
  if (who != authority.npos) return authority.substr(0, who);
  if (stop == text.npos || text[stop] != '/') return {};
  const std::size_t port = authority.find(':');
  if (port == authority.npos || port + 1 == authority.size() ||
      std::ranges::all_of(authority.substr(port + 1), ascii_digit)) {
    return {};
  }
  const std::string_view near = text.substr(begin, kUserReadMax);
  const std::string_view word = near.substr(0, near.find_first_of(" \t\r\n\"'`<>\\"));
  who = word.rfind('@');
  return who == word.npos ? std::string_view() : word.substr(0, who);
}

bool ends_alike(std::string_view name, std::string_view end) {
  return name.size() >= end.size() &&
         equals_ignoring_case(name.substr(name.size() - end.size()), end);
}

}  // namespace plumbline
