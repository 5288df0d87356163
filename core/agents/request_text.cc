#include "core/agents/request_text.h"

#include <algorithm>
#include <cctype>

#include "core/agents/words.h"

namespace plumbline::agents {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_alnum(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

bool is_number(std::string_view text) {
  if (!text.empty() && text.front() == '-') text.remove_prefix(1);
  return !text.empty() && is_digit(text.front()) && is_digit(text.back()) &&
         text.find_first_not_of("0123456789.") == std::string_view::npos;
}

bool is_uri(std::string_view text) { return text.find("://") != std::string_view::npos; }

bool is_address(std::string_view text) {
  const std::size_t sign = text.find('@');
  return sign != std::string_view::npos && sign + 1 < text.size();
}

// is_path: has a slash, or a file extension of letters ("notes.md", not "3.5").
bool is_path(std::string_view text) {
  if (is_uri(text) || is_address(text)) return false;
  if (text.find('/') != std::string_view::npos) return text.size() > 1;
  const std::size_t dot = text.rfind('.');
  if (dot == std::string_view::npos || dot == 0 || dot + 1 == text.size()) return false;
  return text.size() - dot <= 6 && !is_digit(text[dot + 1]) && is_alnum(text[dot - 1]) &&
         std::ranges::all_of(text.substr(dot + 1), is_alnum);
}

bool is_identifier(std::string_view text) {
  if (text.starts_with('#') && text.size() > 1) text.remove_prefix(1);
  const bool digits = std::ranges::any_of(text, is_digit);
  return digits &&
         std::ranges::all_of(text, [](char c) { return is_alnum(c) || c == '-' || c == '_'; });
}

bool is_article(std::string_view word) {
  return word == "the" || word == "a" || word == "an" || word == "my" || word == "our" ||
         word == "this" || word == "that" || word == "please" || word == "me";
}

// quote_end returns the mark that closes `open`, 0 when it opens nothing. An apostrophe inside a
// word ("today's") is none: the caller looks at word starts only.
char quote_end(char open) { return open == '"' || open == '\'' || open == '`' ? open : '\0'; }

}  // namespace

RequestText::RequestText(std::string_view request) {
  std::size_t at = 0;
  while (at < request.size()) {
    if (request[at] == ' ') {
      ++at;
      continue;
    }
    const char close = quote_end(request[at]);
    const std::size_t end = close ? request.find(close, at + 1) : std::string_view::npos;
    if (end != std::string_view::npos) {
      pieces_.push_back(Piece{std::string(request.substr(at + 1, end - at - 1)), true});
      at = end + 1;
      continue;
    }
    const std::size_t space = std::min(request.find(' ', at), request.size());
    std::string word(request.substr(at, space - at));
    bool ends = false;
    while (!word.empty() &&
           std::string_view(".,;:!?)").find(word.back()) != std::string_view::npos) {
      ends = ends || word.back() != ')';
      if (word.back() == ':') break;  // "name:" assigns.
      word.pop_back();
    }
    while (!word.empty() && word.front() == '(') word.erase(0, 1);
    if (!word.empty()) pieces_.push_back(Piece{std::move(word), false, false, ends});
    at = space;
  }
}

std::optional<std::string> RequestText::take(std::size_t index) {
  pieces_[index].used = true;
  return pieces_[index].text;
}

bool RequestText::is_marker(std::size_t index,
                            std::initializer_list<std::string_view> markers) const {
  return !pieces_[index].quoted &&
         std::ranges::find(markers, lower(pieces_[index].text)) != markers.end();
}

std::optional<std::string> RequestText::assigned(std::string_view name) {
  const std::string wanted = lower(name);
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    Piece& piece = pieces_[i];
    if (piece.quoted || piece.used) continue;
    const std::string text = lower(piece.text);
    if (text.starts_with(wanted + "=") && text.size() > wanted.size() + 1) {
      piece.used = true;
      return piece.text.substr(wanted.size() + 1);
    }
    const bool names = text == wanted || text == wanted + ":" || text == wanted + "=";
    const bool value_follows =
        i + 1 < pieces_.size() && !pieces_[i + 1].used && (text != wanted || pieces_[i + 1].quoted);
    if (names && value_follows) {
      piece.used = true;
      return take(i + 1);
    }
  }
  return std::nullopt;
}

bool RequestText::speaks_of(std::string_view value) const {
  std::vector<std::string> wanted = words_of(value);
  std::vector<std::string> words;
  for (const Piece& piece : pieces_) {
    for (std::string& word : words_of(piece.text)) words.push_back(std::move(word));
  }
  return !wanted.empty() && !std::ranges::search(words, wanted).empty();
}

std::optional<std::string> RequestText::path() {
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    if (!pieces_[i].used && is_path(pieces_[i].text)) return take(i);
  }
  return std::nullopt;
}

std::optional<std::string> RequestText::uri() {
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    if (!pieces_[i].used && is_uri(pieces_[i].text)) return take(i);
  }
  return std::nullopt;
}

std::optional<std::string> RequestText::recipient() {
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    const std::string& text = pieces_[i].text;
    const bool handle = text.size() > 1 && (text.front() == '@' || text.front() == '#');
    if (!pieces_[i].used && (is_address(text) || (handle && !is_digit(text[1])))) return take(i);
  }
  for (std::size_t i = 0; i + 1 < pieces_.size(); ++i) {
    if (!is_marker(i, {"to"})) continue;
    std::size_t next = i + 1;
    while (next + 1 < pieces_.size() && is_article(lower(pieces_[next].text))) ++next;
    if (!pieces_[next].used && !is_article(lower(pieces_[next].text))) return take(next);
  }
  return std::nullopt;
}

std::optional<std::string> RequestText::person() {
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    if (!pieces_[i].used && pieces_[i].quoted) return take(i);
  }
  bool opens = true;
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    const Piece& piece = pieces_[i];
    const bool word = std::ranges::all_of(piece.text, [](char c) {
      return is_alnum(c) || c == '-' || c == '\'' || static_cast<unsigned char>(c) > 127;
    });
    if (!opens && !piece.used && word && is_upper(piece.text.front()) && piece.text != "I") {
      return take(i);
    }
    opens = piece.ends_sentence;
  }
  return std::nullopt;
}

std::optional<std::string> RequestText::identifier() {
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    if (pieces_[i].used || !is_identifier(pieces_[i].text)) continue;
    std::optional<std::string> text = take(i);
    if (text->front() == '#') text->erase(0, 1);
    return text;
  }
  return std::nullopt;
}

std::optional<std::string> RequestText::direct_object() {
  std::size_t i = 0;
  while (i < pieces_.size() && is_article(lower(pieces_[i].text))) ++i;
  for (++i; i < pieces_.size(); ++i) {  // After the verb.
    if (is_marker(i, {"to", "for", "in", "on", "with", "at", "from"})) return std::nullopt;
    if (pieces_[i].used || is_article(lower(pieces_[i].text))) continue;
    return take(i);
  }
  return std::nullopt;
}

std::optional<std::string> RequestText::phrase_after(
    std::initializer_list<std::string_view> markers) {
  if (std::optional<std::string> quoted = only_quoted()) return quoted;
  for (std::size_t i = 0; i + 1 < pieces_.size(); ++i) {
    if (!is_marker(i, markers) || pieces_[i + 1].used) continue;
    std::string phrase;
    for (std::size_t k = i + 1; k < pieces_.size() && !pieces_[k].used; ++k) {
      if (phrase.empty() && is_article(lower(pieces_[k].text))) continue;
      phrase += (phrase.empty() ? "" : " ") + pieces_[k].text;
      pieces_[k].used = true;
      if (pieces_[k].ends_sentence) break;
    }
    if (!phrase.empty()) return phrase;
  }
  return std::nullopt;
}

std::optional<std::string> RequestText::capitalised_after(
    std::initializer_list<std::string_view> markers) {
  for (std::size_t i = 0; i + 1 < pieces_.size(); ++i) {
    if (!is_marker(i, markers)) continue;
    std::string name;
    for (std::size_t k = i + 1; k < pieces_.size(); ++k) {
      if (pieces_[k].used || !is_upper(pieces_[k].text.front())) break;
      name += (name.empty() ? "" : " ") + pieces_[k].text;
      pieces_[k].used = true;
      if (pieces_[k].ends_sentence) break;
    }
    if (!name.empty()) return name;
  }
  return std::nullopt;
}

std::optional<std::string> RequestText::number_near(std::string_view name) {
  std::vector<std::string> words = words_of(name);
  for (const std::string_view limit : {"limit", "count", "max", "size"}) {
    if (contains(words, limit)) words.insert(words.end(), {"first", "last", "top", "latest"});
  }
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    if (pieces_[i].used || !is_number(pieces_[i].text)) continue;
    const bool before = i > 0 && contains(words, lower(pieces_[i - 1].text));
    const bool after = i + 1 < pieces_.size() && contains(words, lower(pieces_[i + 1].text));
    if (before || after) return take(i);
  }
  return std::nullopt;
}

std::optional<std::string> RequestText::only_number() {
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    if (pieces_[i].used || !is_number(pieces_[i].text)) continue;
    if (found) return std::nullopt;
    found = i;
  }
  return found ? take(*found) : std::nullopt;
}

std::optional<std::string> RequestText::only_quoted() {
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    if (pieces_[i].used || !pieces_[i].quoted) continue;
    if (found) return std::nullopt;
    found = i;
  }
  return found ? take(*found) : std::nullopt;
}

}  // namespace plumbline::agents
