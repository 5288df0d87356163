#include "core/agents/operations/request/described.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>

#include "core/agents/dictionary/dictionary.h"
#include "core/agents/operations/request/dated.h"
#include "core/agents/operations/request/identified.h"
#include "core/agents/operations/request/typed.h"
#include "core/agents/policy/letters.h"
#include "core/agents/policy/words.h"
#include "core/base/text.h"

namespace plumbline::agents {

namespace {

// legend_of returns the numbers that a description explains by one word: {2, double}.
std::vector<std::pair<std::string, std::string>> legend_of(std::string_view told) {
  std::vector<std::pair<std::string, std::string>> out;
  for (std::size_t sign = told.find('='); sign != told.npos; sign = told.find('=', sign + 1)) {
    std::size_t end = sign;
    while (end > 0 && told[end - 1] == ' ') --end;
    std::size_t begin = end;
    while (begin > 0 && (is_digit(told[begin - 1]) || told[begin - 1] == '.')) --begin;
    std::size_t word = sign + 1;
    while (word < told.size() && told[word] == ' ') ++word;
    std::size_t stop = word;
    while (stop < told.size() && is_lower(lower(told[stop]))) ++stop;
    const bool alone = stop == told.size() || told[stop] != ' ';
    if (begin == end || stop - word < 3 || !alone) continue;
    out.emplace_back(told.substr(begin, end - begin), lower_case(told.substr(word, stop - word)));
  }
  return out;
}

// explained_number returns the one number whose word the request says.
std::optional<std::string> explained_number(const Json& schema, RequestText& request) {
  std::optional<std::string> found;
  std::size_t at = 0;
  for (const auto& [number, word] : legend_of(string_or(schema, "description", ""))) {
    for (std::size_t i = 0; i < request.pieces().size(); ++i) {
      const RequestText::Piece& piece = request.pieces()[i];
      if (piece.quoted || piece.used || lower_case(piece.text) != word) continue;
      if (found) return std::nullopt;
      found = number;
      at = i;
    }
  }
  if (found) request.take_piece(at);
  return found;
}

// said_month returns the number of the one month that the request names.
std::optional<std::string> said_month(RequestText& request) {
  std::optional<std::size_t> found;
  for (std::size_t i = 1; i < request.pieces().size(); ++i) {
    const RequestText::Piece& piece = request.pieces()[i];
    if (piece.quoted || piece.used || !month_number(piece.text)) continue;
    if (found) return std::nullopt;
    found = i;
  }
  if (!found) return std::nullopt;
  return std::to_string(*month_number(request.take_piece(*found)));
}

// shown_value returns the one of several values in quotes that the request says, and that is no
// word of a sentence.
std::optional<std::string> shown_value(const Json& schema, RequestText& request) {
  const std::string told = string_or(schema, "description", "");
  const std::vector<std::string_view> shown = quoted_words(told);
  if (shown.size() < 2) return std::nullopt;
  std::optional<std::size_t> found;
  std::string_view value;
  for (std::size_t i = 1; i < request.pieces().size(); ++i) {
    const RequestText::Piece& piece = request.pieces()[i];
    const std::string word = lower_case(piece.text);
    if (piece.quoted || piece.used || is_common_word(word) || is_empty_word(word)) continue;
    const auto same =
        std::ranges::find_if(shown, [&](std::string_view one) { return lower_case(one) == word; });
    if (same == shown.end()) continue;
    if (found) return std::nullopt;
    found = i;
    value = *same;
  }
  if (!found) return std::nullopt;
  request.take_piece(*found);
  return std::string(value);
}

// named_thing returns the name behind the thing whose name a description says that it takes.
std::optional<std::string> named_thing(const Json& schema, RequestText& request) {
  const std::vector<std::string> told = words_of(string_or(schema, "description", ""));
  for (std::size_t i = 0; i + 1 < told.size(); ++i) {
    if (told[i + 1] != "name" || is_empty_word(told[i])) continue;
    for (std::size_t at = 1; at + 1 < request.pieces().size(); ++at) {
      const RequestText::Piece& thing = request.pieces()[at];
      const RequestText::Piece& next = request.pieces()[at + 1];
      const bool behind = !thing.quoted && !thing.ends_sentence && !next.used &&
                          lower_case(thing.text) == told[i] && is_upper(next.text.front());
      if (behind) return request.value_after({thing.text});
    }
  }
  return std::nullopt;
}

}  // namespace

void give_described(Extraction& extraction, const std::vector<std::string>& required,
                    const Json& properties, RequestText& request) {
  for (const auto& [name, property] : properties.items()) {
    if (extraction.arguments.contains(name)) continue;
    std::optional<std::string> said;
    if (takes_number(property)) {
      said = explained_number(property, request);
      if (!said && contains(words_of(name), "month")) said = said_month(request);
    } else if (type_of(property) == "string" && find(property, "enum") == nullptr) {
      if (contains(required, name)) {
        said = named_thing(property, request);
      } else {
        said = shown_value(property, request);
      }
    }
    std::optional<Json> value = said ? typed(property, *said) : std::nullopt;
    if (value) extraction.give(name, std::move(*value), Provenance::kRequest);
  }
}

}  // namespace plumbline::agents
