// The values of a request that are found by what stands beside them.

#include <algorithm>
#include <array>

#include "core/agents/operations/request/identified.h"
#include "core/agents/operations/request/request_text.h"
#include "core/agents/policy/letters.h"
#include "core/agents/policy/words.h"
#include "core/base/text.h"

namespace plumbline::agents {

namespace {

using Piece = RequestText::Piece;
using Names = std::vector<std::string>;

// number_of returns the digits of "12", "-3.5" or "#12"; empty when `text` is no number.
std::string_view number_of(std::string_view text) {
  if (text.starts_with('#')) text.remove_prefix(1);
  std::string_view digits = text;
  if (digits.starts_with('-')) digits.remove_prefix(1);
  const bool number = !digits.empty() && is_digit(digits.front()) && is_digit(digits.back()) &&
                      digits.find_first_not_of("0123456789.") == std::string_view::npos;
  return number ? text : std::string_view();
}

// stands_out returns whether a piece is no word of a sentence.
bool stands_out(const Piece& piece) {
  return piece.quoted || std::ranges::any_of(piece.text, is_digit) ||
         is_upper(piece.text.front()) || piece.text.find('@') != std::string_view::npos;
}

bool speaks_of_one(const Names& words, std::initializer_list<std::string_view> wanted) {
  return std::ranges::any_of(wanted, [&](std::string_view word) { return contains(words, word); });
}

constexpr auto kLimits =
    std::to_array<std::string_view>({"limit", "count", "max", "size", "n", "k", "top"});

bool names_limit(const Names& words) {
  return std::ranges::any_of(kLimits, [&](std::string_view word) { return contains(words, word); });
}

// Beside are the words that stand before or behind the number which a name means.
struct Beside {
  Names before;
  Names behind;
};

Beside beside(const Names& words) {
  Beside out{words, words};
  const auto add = [](Names& to, std::initializer_list<const char*> more) {
    to.insert(to.end(), more.begin(), more.end());
  };
  if (names_limit(words)) add(out.before, {"first", "last", "top", "latest", "most", "maximum"});
  if (contains(words, "head")) add(out.before, {"first", "top"});
  if (contains(words, "tail")) add(out.before, {"last", "bottom"});
  const bool counts_ms = contains(words, "ms") || contains(words, "milliseconds");
  if (speaks_of_one(words, {"duration", "time", "delay", "seconds", "wait"}) && !counts_ms) {
    add(out.behind, {"second", "seconds", "sec", "secs"});
  }
  return out;
}

// numbers_one returns whether what a property holds tells which one of many is meant.
bool numbers_one(std::string_view last_word) {
  return is_id_word(last_word) || last_word == "number" || last_word == "index" ||
         last_word == "key";
}

}  // namespace

std::optional<std::string> RequestText::value_beside(std::string_view name) {
  const Names words = words_of(name);
  if (words.empty()) return std::nullopt;
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    const std::string text = lower_case(pieces_[i].text);
    const bool whole = text == lower_case(name);
    if (pieces_[i].quoted || (!whole && text != words.front())) continue;
    const std::size_t next = i + 1;
    const bool follows = next < pieces_.size() && !pieces_[next].used && !pieces_[i].ends_sentence;
    if (follows && stands_out(pieces_[next])) return take(next);
    const bool before = i > 1 && !pieces_[i - 1].used && stands_out(pieces_[i - 1]);
    if (before && is_article(i - 2)) return take(i - 1);
  }
  return std::nullopt;
}

std::optional<std::string> RequestText::identifier_behind(std::string_view thing) {
  const std::string folded = fold(thing);
  for (std::size_t i = 0; i + 1 < pieces_.size(); ++i) {
    const bool named = !pieces_[i].quoted && !pieces_[i].ends_sentence &&
                       fold(lower_case(pieces_[i].text)) == folded;
    if (!named || pieces_[i + 1].used || !is_identifier(pieces_[i + 1].text)) continue;
    std::string text = take(i + 1);
    if (text.front() == '#') text.erase(0, 1);
    return text;
  }
  return std::nullopt;
}

std::optional<std::string> RequestText::word_behind(std::string_view thing, std::string_view word) {
  const std::string folded = fold(thing);
  for (std::size_t i = 0; i + 1 < pieces_.size(); ++i) {
    const Piece& next = pieces_[i + 1];
    if (next.used || next.quoted || lower_case(next.text) != lower_case(word)) continue;
    if (!pieces_[i].ends_sentence && fold(lower_case(pieces_[i].text)) == folded)
      return take(i + 1);
  }
  return std::nullopt;
}

std::optional<std::string> RequestText::named_behind(std::string_view thing) {
  for (std::size_t i = 1; i + 1 < pieces_.size(); ++i) {
    const Piece& next = pieces_[i + 1];
    if (pieces_[i].quoted || pieces_[i].ends_sentence || next.used || next.quoted) continue;
    if (lower_case(pieces_[i].text) != thing || !is_article(i - 1)) continue;
    if (next.text.find_first_of("-_") != std::string_view::npos) return take(i + 1);
    const bool last = next.ends_sentence || i + 2 == pieces_.size();
    const bool placed = i > 1 && is_marker(i - 2, {"of", "in", "for", "from", "on"});
    if (placed && last && !is_empty_word(lower_case(next.text))) return take(i + 1);
  }
  return std::nullopt;
}

std::optional<std::pair<std::string, std::string>> RequestText::pair() {
  const auto is_value = [&](std::size_t i) {
    const std::string_view text = pieces_[i].text;
    return stands_out(pieces_[i]) || text.find_first_of("-_:./") != text.npos;
  };
  for (std::size_t i = 2; i + 1 < pieces_.size(); ++i) {
    if (!is_marker(i, {"to", "into", "as", "and", "with"})) continue;
    if (pieces_[i - 1].used || !is_value(i - 1) || !is_value(i + 1)) continue;
    std::string first = take(i - 1);
    return std::pair(std::move(first), take(i + 1));
  }
  return std::nullopt;
}

std::optional<std::string> RequestText::said_behind(
    std::initializer_list<std::string_view> markers) {
  for (std::size_t i = 0; i + 1 < pieces_.size(); ++i) {
    const Piece& next = pieces_[i + 1];
    if (is_marker(i, markers) && next.quoted && !next.used) return take(i + 1);
  }
  return std::nullopt;
}

std::optional<std::string> RequestText::renamed_to() {
  if (pieces_.empty() || !is_marker(0, {"rename"})) return std::nullopt;
  return value_after({"to", "as", "into"});
}

std::optional<std::string> RequestText::value_after(
    std::initializer_list<std::string_view> markers) {
  for (std::size_t i = 0; i + 1 < pieces_.size(); ++i) {
    const std::size_t next = i + 1;
    if (!is_marker(i, markers) || pieces_[next].used || !stands_out(pieces_[next])) continue;
    return pieces_[next].quoted ? take(next) : take_capitalised(next);
  }
  return std::nullopt;
}

std::optional<std::string> RequestText::named_into() {
  for (std::size_t i = 0; i + 3 < pieces_.size(); ++i) {
    const Piece& thing = pieces_[i + 2];
    const bool named = is_marker(i, {"to", "into"}) && is_article(i + 1) && !thing.quoted &&
                       !thing.ends_sentence && is_lower(thing.text.front());
    if (!named || pieces_[i + 3].used || !stands_out(pieces_[i + 3])) continue;
    return pieces_[i + 3].quoted ? take(i + 3) : take_capitalised(i + 3);
  }
  return std::nullopt;
}

std::optional<std::string> RequestText::number_near(std::string_view name, const Names& things) {
  const Names words = words_of(name);
  Beside near = beside(words);
  const bool counts = names_limit(words);
  // "Document 7" of a tool for documents is no document_type 7.
  if (words.size() > 1 && !numbers_one(words.back())) {
    std::erase_if(near.before, [&](const std::string& word) {
      return word != words.back() && contains(things, fold(word));
    });
  }
  const auto is_one_of_many = [&](std::size_t i) {
    const std::string text = lower_case(pieces_[i].text);
    return !pieces_[i].quoted && text.ends_with('s') && contains(things, fold(text));
  };
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    const std::string_view number = number_of(pieces_[i].text);
    if (pieces_[i].used || number.empty()) continue;
    const bool before = i > 0 && contains(near.before, lower_case(pieces_[i - 1].text));
    const bool behind =
        i + 1 < pieces_.size() && contains(near.behind, lower_case(pieces_[i + 1].text));
    const bool counted = counts && ((i + 1 < pieces_.size() && is_one_of_many(i + 1)) ||
                                    (i + 2 < pieces_.size() && is_one_of_many(i + 2)) ||
                                    (i + 3 < pieces_.size() && is_marker(i + 1, {"of"}) &&
                                     is_article(i + 2) && is_one_of_many(i + 3)));
    // "200 log lines" of a tool for logs.
    const bool behind_thing =
        i + 2 < pieces_.size() && contains(things, fold(lower_case(pieces_[i + 1].text))) &&
        !pieces_[i + 1].ends_sentence && contains(near.behind, lower_case(pieces_[i + 2].text));
    if (!before && !behind && !behind_thing && !counted) continue;
    pieces_[i].used = true;
    return std::string(number);
  }
  return std::nullopt;
}

bool RequestText::speaks_of_many(std::string_view value) const {
  const std::string wanted = lower_case(value);
  return std::ranges::any_of(pieces_, [&](const Piece& piece) {
    const std::string word = lower_case(piece.text);
    return !piece.quoted && word.size() > wanted.size() && word.ends_with('s') &&
           fold(word) == fold(wanted);
  });
}

std::optional<bool> RequestText::says_flag(std::string_view name) const {
  const Names wanted = words_of(name);
  Names words;
  for (const Piece& piece : pieces_) {
    // What is quoted or assigned is not said, and nothing goes on over it.
    const bool apart = piece.quoted || piece.text.find('=') != std::string_view::npos;
    if (apart) words.emplace_back();
    for (WordReader reader(piece.text); !apart && reader.next();) {
      words.emplace_back(reader.word());
    }
  }
  const auto found = std::ranges::search(words, wanted);
  if (wanted.empty() || found.empty()) return std::nullopt;
  const bool denied = found.begin() != words.begin() &&
                      speaks_of_one({*(found.begin() - 1)}, {"no", "not", "without", "t"});
  return !denied;
}

std::optional<std::string> RequestText::only_number() {
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    if (pieces_[i].used || number_of(pieces_[i].text).empty()) continue;
    if (found) return std::nullopt;
    found = i;
  }
  if (!found) return std::nullopt;
  pieces_[*found].used = true;
  return std::string(number_of(pieces_[*found].text));
}

std::vector<std::string> RequestText::listed_numbers(std::size_t count) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    if (!pieces_[i].used && !number_of(pieces_[i].text).empty()) found.push_back(i);
  }
  if (found.size() != count) return {};
  for (std::size_t i = 0; i + 1 < found.size(); ++i) {
    const std::size_t between = found[i + 1] - found[i] - 1;
    const bool listed =
        between == 0 ? pieces_[found[i]].end == ','
                     : between == 1 && is_marker(found[i] + 1, {"and", "plus", "+", "by", "x"});
    if (!listed) return {};
  }
  std::vector<std::string> numbers;
  for (const std::size_t i : found) {
    pieces_[i].used = true;
    numbers.emplace_back(number_of(pieces_[i].text));
  }
  return numbers;
}

}  // namespace plumbline::agents
