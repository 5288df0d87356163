#include "core/agents/operations/request/request_text.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "core/agents/policy/letters.h"
#include "core/agents/policy/sensitive.h"
#include "core/agents/policy/verbs.h"
#include "core/agents/policy/word_table.h"
#include "core/agents/policy/words.h"
#include "core/base/text.h"

namespace plumbline::agents {

namespace {

constexpr std::size_t kNone = std::string_view::npos;

bool is_alnum(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

// begins_with ignores the case.
bool begins_with(std::string_view text, std::string_view beginning) {
  return text.size() >= beginning.size() &&
         std::equal(beginning.begin(), beginning.end(), text.begin(),
                    [](char a, char b) { return lower(a) == lower(b); });
}

bool is_uri(std::string_view text) { return text.find("://") != kNone; }

bool is_address(std::string_view text) {
  const std::size_t sign = text.find('@');
  return sign != kNone && sign + 1 < text.size();
}

constexpr WordTable kNoFolderNames(
    {Word{"a"},       Word{"all"},     Word{"allowed"}, Word{"an"},     Word{"any"},
     Word{"base"},    Word{"current"}, Word{"default"}, Word{"each"},   Word{"entire"},
     Word{"every"},   Word{"home"},    Word{"local"},   Word{"main"},   Word{"managed"},
     Word{"my"},      Word{"new"},     Word{"old"},     Word{"our"},    Word{"parent"},
     Word{"project"}, Word{"root"},    Word{"same"},    Word{"shared"}, Word{"some"},
     Word{"that"},    Word{"the"},     Word{"this"},    Word{"top"},    Word{"which"},
     Word{"whole"},   Word{"working"}, Word{"your"}});

struct Quotes {
  std::string_view open;
  std::string_view close;
};

constexpr std::array<Quotes, 6> kQuotes = {{{"\"", "\""},
                                            {"'", "'"},
                                            {"`", "`"},
                                            {"\xe2\x80\x9c", "\xe2\x80\x9d"},
                                            {"\xe2\x80\x98", "\xe2\x80\x99"},
                                            {"\xc2\xab", "\xc2\xbb"}}};

// end_of_quote returns where `close` ends a quotation that begins at `from`: not inside a word, so
// that the apostrophe of "today's" closes nothing.
std::size_t end_of_quote(std::string_view text, std::size_t from, std::string_view close) {
  for (std::size_t at = text.find(close, from); at != kNone; at = text.find(close, at + 1)) {
    const std::size_t after = at + close.size();
    if (after == text.size() || !is_alnum(text[after])) return at;
  }
  return kNone;
}

// looks_like_a_file tells ".env" and "id_rsa" from words, names of tools ("get_history"), "*.pem".
bool looks_like_a_file(std::string_view text) {
  return text.find_first_of("*?") == kNone &&
         (text.find_first_of(".\\") != kNone || text.starts_with('_') || begins_with(text, "id_"));
}

// end_of_json returns where an object or array ends that `text` begins with, or that its first word
// assigns: from={"a": 1}. 0: there is none.
std::size_t end_of_json(std::string_view text) {
  const std::size_t begin = text.find_first_of("{[ ");
  if (begin == kNone || text[begin] == ' ') return 0;
  if (begin > 0 && text[begin - 1] != '=' && text[begin - 1] != ':') return 0;
  int depth = 0;
  bool quoted = false;
  for (std::size_t at = begin; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '"' && (at == 0 || text[at - 1] != '\\')) quoted = !quoted;
    if (quoted) continue;
    if (c == '{' || c == '[') ++depth;
    if ((c == '}' || c == ']') && --depth == 0) return at + 1;
  }
  return 0;
}

}  // namespace

bool is_path(std::string_view text) {
  if (is_uri(text) || is_address(text)) return false;
  if (text.find('/') != kNone) return text.size() > 1;
  if (looks_like_a_file(text) && names_secret_file(text)) return true;
  const std::size_t dot = text.rfind('.');
  if (dot == kNone || dot == 0 || dot + 1 == text.size()) return false;
  const std::string_view extension = text.substr(dot + 1);
  if (dot == 1 && extension.size() == 1) return false;
  return extension.size() <= 5 && !is_digit(extension.front()) && is_alnum(text[dot - 1]) &&
         std::ranges::all_of(extension, is_alnum);
}

bool is_identifier(std::string_view text) {
  if (text.starts_with('#') && text.size() > 1) text.remove_prefix(1);
  return std::ranges::any_of(text, is_digit) &&
         std::ranges::all_of(text, [](char c) { return is_alnum(c) || c == '-' || c == '_'; });
}

bool is_pattern(std::string_view word) {
  return word.find_first_of("*?") != kNone && word.find_first_of(".*/") != kNone &&
         word.size() > 1 && !is_uri(word);
}

bool names_folder(std::string_view word) {
  const std::string folded = lower_case(word);
  return !folded.empty() && is_alnum(folded.front()) && !kNoFolderNames.contains(folded) &&
         !is_verb(fold(folded)) && !is_empty_word(folded);
}

RequestText::RequestText(std::string_view request) : request_(request) {
  std::size_t at = 0;
  while (at < request.size()) {
    if (request[at] == ' ' || request[at] == ',') {
      ++at;
      continue;
    }
    const std::string_view rest = request.substr(at);
    const auto quotes = std::ranges::find_if(
        kQuotes, [&](const Quotes& pair) { return rest.starts_with(pair.open); });
    if (quotes != kQuotes.end()) {
      const std::size_t begin = at + quotes->open.size();
      const std::size_t end = end_of_quote(request, begin, quotes->close);
      if (end != kNone) {
        if (end > begin) pieces_.push_back(Piece{request.substr(begin, end - begin), true});
        at = end + quotes->close.size();
        continue;
      }
    }
    // A word ends at a space, and where a quotation is assigned: title="two words".
    if (const std::size_t json = end_of_json(rest); json > 0) {
      add_word(rest.substr(0, json));
      at += json;
      continue;
    }
    const std::string_view word = rest.substr(0, rest.find(' '));
    std::size_t end = 1;
    const auto assigns = [&](std::size_t sign) {
      return (word[sign - 1] == '=' || word[sign - 1] == ':') &&
             (word[sign] == '"' || word[sign] == '\'');
    };
    while (end < word.size() && !assigns(end)) ++end;
    add_word(word.substr(0, end));
    at += end;
  }
}

void RequestText::add_word(std::string_view word) {
  bool ends = false;
  char end = 0;
  while (!word.empty() && std::string_view(".,;:!?)").find(word.back()) != kNone) {
    if (word.back() == ':') break;  // "name:" assigns.
    ends = ends || word.back() != ')';
    end = word.back();
    word.remove_suffix(1);
  }
  while (word.starts_with('(')) word.remove_prefix(1);
  if (!word.empty()) pieces_.push_back(Piece{word, false, false, ends, end});
}

std::string RequestText::take(std::size_t index) { return take_run(index, index + 1); }

// take_run takes the pieces from `first` to before `end`, as they stand in the request.
std::string RequestText::take_run(std::size_t first, std::size_t end) {
  for (std::size_t i = first; i < end; ++i) pieces_[i].used = true;
  const char* const begin = pieces_[first].text.data();
  const std::string_view last = pieces_[end - 1].text;
  return std::string(begin, last.data() + last.size());
}

bool RequestText::is_capitalised(std::size_t index) const {
  return index < pieces_.size() && !pieces_[index].used && !pieces_[index].quoted &&
         is_upper(pieces_[index].text.front());
}

// take_capitalised takes `first` and the capitalised words that follow it directly: "New York".
std::string RequestText::take_capitalised(std::size_t first) {
  std::size_t end = first + 1;
  while (is_capitalised(first) && is_capitalised(end) && !pieces_[end - 1].ends_sentence) ++end;
  return take_run(first, end);
}

bool RequestText::is_marker(std::size_t index,
                            std::initializer_list<std::string_view> markers) const {
  return !pieces_[index].quoted &&
         std::ranges::find(markers, lower_case(pieces_[index].text)) != markers.end();
}

bool RequestText::is_article(std::size_t index) const {
  return is_marker(index, {"the", "a", "an", "my", "our", "this", "that", "please", "me"});
}

std::optional<std::string> RequestText::assigned(std::string_view name) {
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    Piece& piece = pieces_[i];
    if (piece.quoted || piece.used || !begins_with(piece.text, name)) continue;
    const std::string_view sign = piece.text.substr(name.size());
    const bool joined = sign.size() > 1 && (sign[0] == '=' || (sign[0] == ':' && sign[1] != '/'));
    if (joined) {
      piece.used = true;
      return std::string(sign.substr(1));
    }
    if (i + 1 == pieces_.size() || pieces_[i + 1].used) continue;
    if (sign == ":" || sign == "=" || (sign.empty() && pieces_[i + 1].quoted)) {
      piece.used = true;
      return take(i + 1);
    }
  }
  return std::nullopt;
}

bool RequestText::speaks_of(std::string_view value) const {
  const std::vector<std::string> wanted = words_of(value);
  std::vector<std::string> words;
  for (const Piece& piece : pieces_) {
    for (WordReader reader(piece.text); reader.next();) words.emplace_back(reader.word());
  }
  return !wanted.empty() && !std::ranges::search(words, wanted).empty();
}

std::optional<std::string> RequestText::path() {
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    if (!pieces_[i].used && is_path(pieces_[i].text)) return take(i);
  }
  return std::nullopt;
}

std::optional<std::string> RequestText::folder() {
  for (std::size_t i = 0; i + 1 < pieces_.size(); ++i) {
    const bool follows = is_marker(i + 1, {"folder", "directory", "dir"});
    if (follows && !pieces_[i].used && names_folder(pieces_[i].text)) return take(i);
  }
  return std::nullopt;
}

std::optional<std::string> RequestText::uri() {
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    if (!pieces_[i].used && is_uri(pieces_[i].text)) return take(i);
  }
  return std::nullopt;
}

std::optional<std::string> RequestText::pattern() {
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    if (!pieces_[i].used && is_pattern(pieces_[i].text)) return take(i);
  }
  return std::nullopt;
}

std::optional<std::string> RequestText::recipient() {
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    const std::string_view text = pieces_[i].text;
    const bool handle = text.size() > 1 && (text.front() == '@' || text.front() == '#');
    if (!pieces_[i].used && (is_address(text) || (handle && !is_digit(text[1])))) return take(i);
  }
  for (std::size_t i = 0; i + 1 < pieces_.size(); ++i) {
    if (!is_marker(i, {"to"})) continue;
    std::size_t next = i + 1;
    while (next + 1 < pieces_.size() && is_article(next)) ++next;
    const bool verb = is_verb(fold(lower_case(pieces_[next].text)));  // "I want to send ..."
    if (!pieces_[next].used && !is_article(next) && !verb) return take_capitalised(next);
  }
  return std::nullopt;
}

std::optional<std::string> RequestText::person() {
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    if (!pieces_[i].used && pieces_[i].quoted) return take(i);
  }
  bool opens = true;
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    const std::string_view text = pieces_[i].text;
    const bool word = std::ranges::all_of(text, [](char c) {
      return is_alnum(c) || c == '-' || c == '\'' || static_cast<unsigned char>(c) > 127;
    });
    if (!opens && word && is_capitalised(i) && text != "I") return take_capitalised(i);
    opens = pieces_[i].ends_sentence;
  }
  return std::nullopt;
}

std::optional<std::string> RequestText::identifier() {
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    if (pieces_[i].used || !is_identifier(pieces_[i].text)) continue;
    const bool counts = i + 1 < pieces_.size() && is_marker(i + 1, {"degrees", "percent", "times"});
    // "With 30 characters": they are counted.
    const bool digits = std::ranges::all_of(pieces_[i].text, is_digit);
    const std::string next = i + 1 < pieces_.size() ? lower_case(pieces_[i + 1].text) : "";
    if (digits && i > 0 && is_empty_word(lower_case(pieces_[i - 1].text)) &&
        !pieces_[i].ends_sentence && next.ends_with('s') && fold(next) != next)
      continue;
    const bool limits = i > 0 && is_marker(i - 1, {"first", "last", "top"});
    if (counts || limits) continue;
    std::string text = take(i);
    if (text.front() == '#') text.erase(0, 1);
    return text;
  }
  return std::nullopt;
}

std::optional<std::string> RequestText::direct_object() {
  if (pieces_.empty()) return std::nullopt;
  std::size_t i = 0;
  if (is_marker(0, {"how", "what", "when", "where", "which", "who"})) return std::nullopt;
  while (i < pieces_.size() && is_article(i)) ++i;
  for (++i; i < pieces_.size(); ++i) {  // After the verb.
    if (is_marker(i, {"to", "for", "in", "on", "with", "at", "from"})) return std::nullopt;
    if (!pieces_[i].used && !is_article(i)) return take(i);
  }
  return std::nullopt;
}

std::optional<std::string> RequestText::path_after(
    std::initializer_list<std::string_view> markers) {
  for (std::size_t i = 0; i + 1 < pieces_.size(); ++i) {
    if (!is_marker(i, markers)) continue;
    std::size_t next = i + 1;
    while (next + 1 < pieces_.size() && is_article(next)) ++next;
    if (!pieces_[next].used && is_path(pieces_[next].text)) return take(next);
  }
  return std::nullopt;
}

std::optional<std::string> RequestText::phrase_after(
    std::initializer_list<std::string_view> markers) {
  if (std::optional<std::string> quoted = only_quoted()) return quoted;
  for (std::size_t i = 0; i + 1 < pieces_.size(); ++i) {
    if (!is_marker(i, markers)) continue;
    std::size_t first = i + 1;
    while (first < pieces_.size() && !pieces_[first].used && is_article(first)) ++first;
    std::size_t end = first;
    // What is quoted is a value by itself: no phrase goes on over it.
    while (end < pieces_.size() && !pieces_[end].used) {
      if (pieces_[end].quoted && end > first) break;
      const std::size_t last = end++;
      if (pieces_[last].ends_sentence || pieces_[last].quoted) break;
    }
    if (end > first) return take_run(first, end);
  }
  return std::nullopt;
}

std::optional<std::string> RequestText::place(bool of) {
  for (std::size_t i = 0; i + 1 < pieces_.size(); ++i) {
    const std::size_t next = i + 1 + (is_article(i + 1) ? 1 : 0);
    if (!is_marker(i, {"in", "at", "near", "around", "for", "of"})) continue;
    if (next == pieces_.size()) continue;
    if (!is_capitalised(next)) continue;
    std::size_t end = next + 1;
    while (is_capitalised(end) && !pieces_[end - 1].ends_sentence) ++end;
    const bool goes_on = of && pieces_[end - 1].end == ',' && is_capitalised(end);
    while (goes_on && is_capitalised(end)) {
      if (pieces_[end++].ends_sentence) break;
    }
    return take_run(next, end);
  }
  for (std::size_t i = 0; i + 2 < pieces_.size(); ++i) {
    if (is_marker(i, {"in", "at"}) && is_article(i + 1) && !pieces_[i + 2].used) return take(i + 2);
  }
  return std::nullopt;
}

std::optional<std::string> RequestText::set_to(std::string_view name) {
  if (pieces_.empty() || !is_marker(0, {"set", "update", "change", "mark"})) return std::nullopt;
  bool named = false;
  for (std::size_t i = 1; i + 1 < pieces_.size(); ++i) {
    named = named || lower_case(pieces_[i].text) == lower_case(name);
    if (named && is_marker(i, {"to", "as"}) && !pieces_[i + 1].used) return take(i + 1);
  }
  return std::nullopt;
}

std::optional<std::string> RequestText::only_quoted() {
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    if (pieces_[i].used || !pieces_[i].quoted) continue;
    if (found) return std::nullopt;
    found = i;
  }
  return found ? std::optional(take(*found)) : std::nullopt;
}

}  // namespace plumbline::agents
