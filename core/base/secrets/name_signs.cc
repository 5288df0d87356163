#include "core/base/secrets/name_signs.h"

#include <algorithm>
#include <array>

#include "core/base/secrets/ascii.h"
#include "core/base/secrets/secret_names.h"
#include "core/base/text.h"

namespace plumbline {

namespace {

constexpr std::size_t kShellQuoteBytesMax = 64;  // Of quotes within quotes within quotes.

// Quotes as HTML and XML write them.
constexpr auto kEntities = std::to_array<std::string_view>({"&quot;", "&#34;", "&#39;", "&apos;"});

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
  if (at < text.size() && text[at] == '&') {
    for (const std::string_view quote : kEntities) {
      if (text.substr(at).starts_with(quote)) return {at, at + quote.size()};
    }
  }
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
  if (is_shell_quote(mark.of(text)) || text[mark.begin] == '&') {
    return std::min(text.find(mark.of(text), mark.end), text.size());
  }
  const std::size_t slashes = mark.end - mark.begin - 1;
  const char quote = text[mark.end - 1];
  bool within = false;  // Of a string of JSON, whose quotes stand behind so many backslashes.
  std::size_t within_slashes = 0;
  for (std::size_t at = mark.end; at < text.size(); ++at) {
    const std::size_t begin = at;
    while (at < text.size() && text[at] == '\\') ++at;
    if (at == text.size()) break;
    if (text[at] == quote && at - begin <= slashes) return begin;
    if (quote == '"' || text[at] != '"' || (within && at - begin > within_slashes)) continue;
    // A string of JSON that ends here has opened it, and not closed it.
    if (!within && ends_string(text, at + 1)) return begin;
    within = !within;
    within_slashes = at - begin;
  }
  return text.size();
}

NameBefore name_before(std::string_view text, std::size_t sign, std::size_t from) {
  NameBefore found;
  std::size_t end = sign;
  while (end > from && sign - end < kGapMax && is_gap(text[end - 1])) --end;
  if (end > from && ends_line(text[end - 1])) {  // As JSON may be broken into lines.
    std::size_t broken = end;
    while (broken > from && sign - broken < kLineGapMax &&
           (is_gap(text[broken - 1]) || ends_line(text[broken - 1])))
      --broken;
    if (broken > from && is_quote(text[broken - 1])) end = broken;
  }
  if (end > from + 1 && text[end - 1] == '*' && text[end - 2] == '*') end -= 2;  // **name**:
  if (end > from && text[sign] == '=' && (text[end - 1] == '+' || text[end - 1] == '?')) {
    --end;
    while (end > from && is_gap(text[end - 1])) --end;
  }
  if (end > from && text[sign] == '=' && text[end - 1] == ']') {  // ["name"]=, [name]=, name[]=
    --end;
    if (end > from && text[end - 1] == '[') --end;
  }
  std::size_t close = end;
  if (end > from && text[end - 1] == ';') {
    for (const std::string_view quote : kEntities) {
      if (!text.substr(from, end - from).ends_with(quote)) continue;
      end -= quote.size();
      found.mark = {end, close};
    }
  }
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
  while (begin > least && (is_word_byte(text[begin - 1]) || beyond_ascii(text[begin - 1]) ||
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

bool ends_bare(std::string_view text, std::size_t at) {
  const char c = text[at];
  if (is_gap(c) || ends_line(c) || is_quote(c) || c == '&' || c == ';' || c == '<' || c == '>' ||
      c == '|' || c == '\\') {
    return true;
  }
  if (c == ')' || c == '}' || c == ']') return at + 1 == text.size() || !is_word_byte(text[at + 1]);
  if (c != ',') return false;
  if (at + 1 == text.size() || !is_word_byte(text[at + 1])) return true;
  std::size_t word = at + 1;  // a=b,c=d
  while (word < text.size() && word - at < kNameBytesMax && is_word_byte(text[word])) ++word;
  return word < text.size() && (text[word] == '=' || text[word] == ':');
}

bool is_parameter(std::string_view text, const NameBefore& named, std::size_t at) {
  if (named.mark.end > named.mark.begin || named.option) return false;
  if (named.before == '?' || named.before == '&' || named.before == '#') return true;
  const std::size_t begin = at - named.name.size();
  if (named.before == ';') {
    return text.substr(0, begin).ends_with("&amp;") || ends_alike(named.name, "sessionid");
  }
  const bool first =
      begin == 0 || is_gap(named.before) || is_quote(named.before) || ends_line(named.before);
  if (!first) return false;
  const std::string_view before = text.substr(0, begin);
  for (const std::string_view word : {"error ", "Error ", "exit ", "status "}) {
    if (named.name == "code" && before.ends_with(word)) return false;
  }
  constexpr std::size_t kNear = 512;
  const std::string_view rest = text.substr(at, kNear);
  const std::size_t end = rest.find_first_of("& \t\r\n\"'<>{};,");
  return end != rest.npos && rest[end] == '&' && rest.substr(end).find('=') != rest.npos &&
         !rest.substr(end).starts_with("&&");
}

std::size_t structure_end(std::string_view text, std::size_t at, std::size_t last) {
  if (at >= text.size() || (text[at] != '[' && text[at] != '{')) return at;
  if (text.substr(at).starts_with("{{")) return at;
  std::size_t depth = 0;
  for (std::size_t i = at; i < last; ++i) {
    const Mark mark = mark_at(text, i);
    if (mark.end > i) {
      i = std::min(close_of(text, mark) + (mark.end - mark.begin), text.size()) - 1;
      continue;
    }
    if (text[i] == '[' || text[i] == '{') ++depth;
    if ((text[i] == ']' || text[i] == '}') && --depth == 0) return i + 1;
  }
  return last;
}

bool take_header_option(std::string_view text, NameBefore& named) {
  const auto begin = static_cast<std::size_t>(named.name.data() - text.data());
  if (!named.name.starts_with('H') || text.substr(0, begin).ends_with("--")) return false;
  named.name.remove_prefix(1);
  named.option = false;
  return true;
}

std::size_t behind_colon(std::string_view text, std::size_t at, bool quoted) {
  if (!quoted && text.substr(at).starts_with("**")) at += 2;
  at = behind_gap(text, at);
  if (!quoted || at >= text.size() || !ends_line(text[at])) return at;
  return std::min(text.find_first_not_of(" \t\r\n", at), text.size());
}

std::string_view words_at(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && (is_word_byte(text[end]) || text[end] == ' ')) ++end;
  return text.substr(at, end - at);
}

std::string_view last_of_pointer(std::string_view text, const Mark& mark) {
  const std::string_view pointer = text.substr(mark.end);
  const std::string_view path = pointer.substr(0, pointer.find_first_of("\"'`\\"));
  return path.substr(path.rfind('/') + 1);
}

std::string_view with_word_before(std::string_view text, const NameBefore& named) {
  constexpr auto kLast = std::to_array<std::string_view>(
      {"phrase", "code", "codes", "key", "keys", "Phrase", "Code", "Codes", "Key", "Keys"});
  if (named.mark.end > named.mark.begin || named.option || named.before != ' ') return {};
  if (named.name.size() > 6 || !is_one_of(named.name, kLast)) return {};
  const auto at = static_cast<std::size_t>(named.name.data() - text.data());
  std::size_t begin = at - 1;
  while (begin > 0 && at - begin < kNameBytesMax && is_word_byte(text[begin - 1])) --begin;
  return text.substr(begin, at - begin + named.name.size());
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
  if (stop == text.npos || std::string_view("/?#,|").find(text[stop]) == text.npos) return {};
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

std::size_t password_before(std::string_view text, std::size_t at, std::size_t from) {
  const std::string_view rest = text.substr(at + 1);
  if (!rest.starts_with("tcp(") && !rest.starts_with("unix(")) return at;
  const std::size_t least = std::max(from, at - std::min(at, 4 * kNameBytesMax));
  std::size_t begin = at;
  while (begin > least && !is_gap(text[begin - 1]) && !is_quote(text[begin - 1])) --begin;
  if (is_placeholder(text.substr(begin))) return at;
  if (begin == from && from > 0 && text[from - 1] == ':') return begin;
  const std::size_t colon = text.substr(begin, at - begin).find(':');
  return colon == std::string_view::npos ? at : begin + colon + 1;
}

bool ends_alike(std::string_view name, std::string_view end) {
  return name.size() >= end.size() &&
         equals_ignoring_case(name.substr(name.size() - end.size()), end);
}

}  // namespace plumbline
