#include "core/agents/operations/request/listed.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>

#include "core/agents/dictionary/dictionary.h"
#include "core/agents/operations/request/identified.h"
#include "core/agents/operations/request/typed.h"
#include "core/agents/policy/letters.h"
#include "core/agents/policy/verbs.h"
#include "core/agents/policy/word_table.h"
#include "core/agents/policy/words.h"
#include "core/base/text.h"

namespace plumbline::agents {

namespace {

using ListedPiece = RequestText::Piece;

// Behind these a list begins, and before these it ends.
constexpr WordTable kAroundLists(
    {Word{"a"},     Word{"about"}, Word{"an"},   Word{"are"},    Word{"as"},   Word{"at"},
     Word{"by"},    Word{"for"},   Word{"from"}, Word{"has"},    Word{"have"}, Word{"i"},
     Word{"in"},    Word{"into"},  Word{"is"},   Word{"my"},     Word{"of"},   Word{"on"},
     Word{"onto"},  Word{"our"},   Word{"out"},  Word{"please"}, Word{"the"},  Word{"to"},
     Word{"using"}, Word{"we"},    Word{"with"}, Word{"you"},    Word{"your"}});

constexpr std::size_t kItemWordsMax = 3;

bool is_before_item(const ListedPiece& piece) {
  const std::string word = lower_case(piece.text);
  return !piece.quoted && (word == "the" || word == "a" || word == "an" || word == "some" ||
                           word == "my" || word == "our");
}

bool joins_items(const ListedPiece& piece) {
  return !piece.quoted && (piece.text == "and" || piece.text == "&");
}

bool is_list_number(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, is_digit);
}

// shape_of returns a text with one "A" for each run of capitals, one "a" for other letters and one
// "9" for digits: "A:A" of "NASDAQ:AAPL".
std::string shape_of(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const char kind = is_digit(c) ? '9' : is_upper(c) ? 'A' : is_lower(c) ? 'a' : c;
    if (out.empty() || out.back() != kind) out += kind;
  }
  return out;
}

// numbers_listed returns where the numbers stand that are listed as equals, two or more. Empty
// where there are others beside them.
std::vector<std::size_t> numbers_listed(const RequestText& request) {
  std::vector<std::size_t> found;
  const std::vector<ListedPiece>& pieces = request.pieces();
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    if (pieces[i].used || pieces[i].quoted || !is_list_number(pieces[i].text)) continue;
    if (!found.empty()) {
      const std::size_t last = found.back();
      const bool next = i == last + 1 && pieces[last].end == ',';
      if (!next && !(i == last + 2 && joins_items(pieces[i - 1]))) return {};
    }
    found.push_back(i);
  }
  return found.size() > 1 ? found : std::vector<std::size_t>();
}

// Phrases are the items of a list, each from its first piece to before its end.
using Phrases = std::vector<std::pair<std::size_t, std::size_t>>;

// is_bound returns whether a list cannot go on over a piece.
bool is_bound(const ListedPiece& piece, const std::vector<std::string>& own) {
  if (piece.quoted || piece.used) return true;
  const std::string word = lower_case(piece.text);
  const std::string folded = fold(word);
  const bool past = word.ends_with("ed") || base_form(word) != word;
  const bool deed = is_verb(folded) || (past && is_verb_too(base_form(word)));
  return kAroundLists.contains(word) || deed || contains(own, folded) ||
         is_identifier(piece.text) || piece.text.find("://") != std::string_view::npos;
}

// phrases_listed returns the first list of things that are joined by commas and one "and".
Phrases phrases_listed(const RequestText& request, const std::vector<std::string>& own) {
  const std::vector<ListedPiece>& pieces = request.pieces();
  for (std::size_t i = 1; i + 1 < pieces.size(); ++i) {
    if (!joins_items(pieces[i]) || pieces[i - 1].ends_sentence != (pieces[i - 1].end == ','))
      continue;
    Phrases out;
    std::size_t end = i;
    while (end > 0) {
      std::size_t begin = end;
      while (begin > 0 && end - begin < kItemWordsMax && !is_bound(pieces[begin - 1], own) &&
             (begin == end || !pieces[begin - 1].ends_sentence))
        --begin;
      if (begin == end) break;
      out.insert(out.begin(), {begin, end});
      if (begin > 0 && is_before_item(pieces[begin - 1])) --begin;
      if (begin == 0 || pieces[begin - 1].end != ',') break;
      end = begin;
    }
    const std::size_t next = i + 1 + (is_before_item(pieces[i + 1]) ? 1 : 0);
    std::size_t last = next;
    while (last < pieces.size() && last - next < kItemWordsMax && !is_bound(pieces[last], own)) {
      ++last;
      if (pieces[last - 1].ends_sentence) break;
    }
    const bool whole =
        last == pieces.size() || pieces[last - 1].ends_sentence || is_bound(pieces[last], own);
    // What opens a request is its verb.
    if (out.empty() || out.front().first == 0 || last == next || !whole) continue;
    out.emplace_back(next, last);
    return out;
  }
  return {};
}

// give_found gives a list the pieces at these places, where each is of its type.
bool give_found(Extraction& extraction, const std::string& name, const Json& schema,
                const std::vector<std::size_t>& found, RequestText& request) {
  Json list = Json::array();
  for (const std::size_t at : found) {
    const std::optional<Json> one = typed(schema, std::string(request.pieces()[at].text));
    if (!one || !one->is_array()) return false;
    list.push_back(one->at(0));
  }
  for (const std::size_t at : found) request.take_piece(at);
  extraction.give(name, std::move(list), Provenance::kRequest);
  return true;
}

}  // namespace

bool shown_form(const Json& schema, std::string_view value) {
  const std::string form = shape_of(value);
  if (form.size() < 3 || form.find_first_of("/.-") != form.npos) return false;
  if (form.find_first_not_of("Aa9") == form.npos) return false;
  const std::string told = string_or(schema, "description", "");
  return std::ranges::any_of(quoted_words(told),
                             [&](std::string_view shown) { return shape_of(shown) == form; });
}

void give_lists(Extraction& extraction, const std::vector<std::string>& required,
                const Json& properties, const connector::Capability& capability,
                RequestText& request) {
  std::string name;
  for (const std::string& one : required) {
    const Json* const schema = find(properties, one);
    if (schema == nullptr || extraction.arguments.contains(one) || type_of(*schema) != "array")
      continue;
    if (!name.empty()) return;  // Two lists: no guess.
    name = one;
  }
  if (name.empty()) return;
  const Json& schema = properties.at(name);
  const Json* const items = find(schema, "items");
  const std::string type = items != nullptr ? type_of(*items) : "";
  if (type == "number" || type == "integer") {
    const std::vector<std::size_t> found = numbers_listed(request);
    if (!found.empty()) give_found(extraction, name, schema, found, request);
    return;
  }
  if (type != "string" || find(*items, "enum") != nullptr) return;
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < request.pieces().size(); ++i) {
    const ListedPiece& piece = request.pieces()[i];
    if (!piece.used && shown_form(schema, piece.text)) found.push_back(i);
  }
  if (!found.empty()) {
    give_found(extraction, name, schema, found, request);
    return;
  }
  const bool quotes = std::ranges::any_of(request.pieces(), &ListedPiece::quoted);
  const std::vector<std::string> words = words_of(name);
  const bool ids = !words.empty() && is_id_word(fold(words.back()));
  const bool places = contains(words, "url") || contains(words, "urls") ||
                      contains(words, "path") || contains(words, "paths") ||
                      contains(words, "files");
  if (quotes || ids || places) return;
  std::vector<std::string> own = content_words(capability.name);
  for (const std::string& word : content_words(name)) own.push_back(word);
  Json list = Json::array();
  const Phrases phrases = phrases_listed(request, own);
  for (const auto& [begin, end] : phrases) {
    const char* const first = request.pieces()[begin].text.data();
    const std::string_view last = request.pieces()[end - 1].text;
    list.push_back(std::string(first, last.data() + last.size()));
  }
  if (list.empty()) return;
  for (const auto& [begin, end] : phrases) {
    for (std::size_t i = begin; i < end; ++i) request.take_piece(i);
  }
  extraction.give(name, std::move(list), Provenance::kRequest);
}

}  // namespace plumbline::agents
