#include "core/agents/operations/request/identified.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "core/agents/policy/word_table.h"
#include "core/agents/policy/words.h"
#include "core/base/text.h"

namespace plumbline::agents {

namespace {

constexpr std::string_view kAround = "'\"`()";

constexpr WordTable kIdWords({Word{"gid"}, Word{"id"}, Word{"ids"}, Word{"uid"}, Word{"uuid"}});

// thing_of returns the thing whose id a property holds: "card" of cardId. Empty where it says none.
std::string thing_of(std::string_view property) {
  const std::vector<std::string> words = words_of(property);
  const bool of_a_thing = words.size() > 1 && kIdWords.contains(words.back());
  return of_a_thing ? words[words.size() - 2] : std::string();
}

// told_thing_of returns the thing whose id a property holds that is called after nothing but that,
// as its description begins: "process" of pid, the "Process ID".
std::string told_thing_of(std::string_view property, const Json& schema) {
  constexpr std::size_t kLeadWordsMax = 4;
  const std::vector<std::string> name = words_of(property);
  const bool plain = name.size() == 1 && name.front().ends_with("id");
  if (!plain) return {};
  const std::vector<std::string> told = words_of(string_or(schema, "description", ""));
  for (std::size_t i = 1; i < std::min(told.size(), kLeadWordsMax); ++i) {
    if (kIdWords.contains(told[i]) && !is_empty_word(told[i - 1])) return told[i - 1];
  }
  return {};
}

}  // namespace

std::vector<std::string_view> quoted_words(std::string_view text) {
  constexpr std::string_view kMarks = "'\"`";
  std::vector<std::string_view> out;
  for (std::size_t at = text.find_first_of(kMarks); at != std::string_view::npos;
       at = text.find_first_of(kMarks, at + 1)) {
    const std::size_t end = text.find_first_of(" '\"`", at + 1);
    const bool word = end != std::string_view::npos && end > at + 1 && text[end] == text[at];
    if (word) out.push_back(text.substr(at + 1, end - at - 1));
  }
  return out;
}

bool is_id_word(std::string_view word) { return kIdWords.contains(word); }

std::optional<std::string> identifier_of(std::string_view property, const Json& schema,
                                         RequestText& request) {
  std::string thing = thing_of(property);
  if (thing.empty()) thing = told_thing_of(property, schema);
  return thing.empty() ? std::nullopt : request.identifier_behind(thing);
}

bool identifies_another(std::string_view property, const RequestText& request, bool lists) {
  const std::string thing = thing_of(property);
  if (thing.empty()) return false;
  const std::vector<RequestText::Piece>& pieces = request.pieces();
  const auto is_thing = [&](const RequestText::Piece& piece) {
    return !piece.quoted && fold(lower_case(piece.text)) == fold(thing);
  };
  const auto id = std::ranges::find_if(pieces, [](const RequestText::Piece& piece) {
    return !piece.used && is_identifier(piece.text);
  });
  if (id == pieces.end() || id == pieces.begin() || is_thing(*(id - 1))) return false;
  const std::string before = lower_case((id - 1)->text);
  const bool of_a_word = id - 1 != pieces.begin() && !is_empty_word(before) &&
                         std::ranges::all_of(before, [](char c) { return c >= 'a' && c <= 'z'; });
  return std::ranges::any_of(pieces, is_thing) || (lists && of_a_word);
}

std::optional<std::string> known_value(std::string_view property, const Json& schema,
                                       RequestText& request) {
  const std::string thing = thing_of(property);
  if (thing.empty()) return std::nullopt;
  const std::string description = string_or(schema, "description", "");
  for (const std::string_view word : quoted_words(description)) {
    if (std::optional<std::string> said = request.word_behind(thing, word)) return said;
  }
  return std::nullopt;
}

std::vector<std::string_view> told_values(std::string_view description) {
  constexpr auto kLeads = std::to_array<std::string_view>(
      {"values include: ", "values include ", "values are: ", "values are ",
       "values: ", "one of: ", "one of ", "options: "});
  const std::string lower = lower_case(description);
  std::vector<std::string_view> out;
  for (const std::string_view lead : kLeads) {
    const std::size_t at = lower.find(lead);
    if (at == std::string::npos) continue;
    std::string_view list = description.substr(at + lead.size());
    list = list.substr(0, list.find_first_of(".;\n"));
    while (!list.empty()) {
      const std::size_t end = std::min(list.find_first_of(", "), list.size());
      std::string_view word = list.substr(0, end);
      while (!word.empty() && kAround.find(word.front()) != kAround.npos) word.remove_prefix(1);
      while (!word.empty() && kAround.find(word.back()) != kAround.npos) word.remove_suffix(1);
      if (!word.empty() && word != "or" && word != "and") out.push_back(word);
      list.remove_prefix(std::min(end + 1, list.size()));
    }
    return out;
  }
  return out;
}

std::optional<std::string> listed_value(const Json& schema, const RequestText& request) {
  std::optional<std::string> found;
  const std::string description = string_or(schema, "description", "");
  for (const std::string_view value : told_values(description)) {
    const std::string folded = fold(lower_case(value));
    const bool said = std::ranges::any_of(request.pieces(), [&](const RequestText::Piece& piece) {
      return !piece.quoted && fold(lower_case(piece.text)) == folded;
    });
    if (!said || is_empty_word(folded)) continue;
    if (found) return std::nullopt;  // Two fit: no guess.
    found = value;
  }
  return found;
}

std::optional<std::string> with_operator(const Json& schema, RequestText& request) {
  const std::string description = lower_case(string_or(schema, "description", ""));
  for (const RequestText::Piece& piece : request.pieces()) {
    if (piece.quoted || piece.used) continue;
    const std::string word = lower_case(piece.text);
    if (!std::ranges::all_of(word, [](char c) { return c >= 'a' && c <= 'z'; })) continue;
    if (word.empty() || description.find(word + ':') == std::string::npos) continue;
    if (std::optional<std::string> value = request.value_after({word})) return word + ':' + *value;
  }
  return std::nullopt;
}

}  // namespace plumbline::agents
