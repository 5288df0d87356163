#include "core/agents/operations/arguments/chosen_action.h"

#include <algorithm>
#include <array>
#include <vector>

#include "core/agents/operations/request/taken.h"
#include "core/agents/policy/verb_table.h"
#include "core/agents/policy/verbs.h"
#include "core/agents/policy/word_table.h"
#include "core/agents/policy/words.h"
#include "core/base/text.h"

namespace plumbline::agents {

namespace {

using ActionTable = WordTable<Word, 6>;

// Actions that are asked for by one another. Folded: "remove" is "delete", "change" is "update".
constexpr std::array kActionFamilies = {
    ActionTable(
        {Word{"add"}, Word{"create"}, Word{"insert"}, Word{"make"}, Word{"new"}, Word{"register"}}),
    ActionTable({Word{"clear"}, Word{"delete"}, Word{"destroy"}, Word{"drop"}, Word{"purge"},
                 Word{"wipe"}}),
    ActionTable(
        {Word{"adjust"}, Word{"edit"}, Word{"patch"}, Word{"rename"}, Word{"set"}, Word{"update"}}),
};

constexpr WordTable kActionNames({Word{"action"}, Word{"command"}, Word{"operation"}});

// Whoever asks does not say "read".
constexpr WordTable kAskers({Word{"any"}, Word{"are"}, Word{"do"}, Word{"does"}, Word{"how"},
                             Word{"is"}, Word{"what"}, Word{"when"}, Word{"where"}, Word{"which"},
                             Word{"who"}});

constexpr WordTable kPoliteOpenings({Word{"also"}, Word{"d"}, Word{"hello"}, Word{"hey"},
                                     Word{"hi"}, Word{"just"}, Word{"kindly"}, Word{"like"},
                                     Word{"ll"}, Word{"now"}, Word{"ok"}, Word{"okay"},
                                     Word{"quickly"}, Word{"then"}, Word{"try"}, Word{"would"}});

// They give one, and these give many.
constexpr auto kGivers =
    std::to_array<std::string_view>({"describe", "get", "info", "read", "show"});
constexpr auto kListers = std::to_array<std::string_view>({"list", "search"});

// opening_verb returns the folded word that says what is to be done; "get" of a question.
std::string opening_verb(const RequestText& request) {
  std::string before;
  for (const RequestText::Piece& piece : request.pieces()) {
    if (piece.quoted) return before;
    for (WordReader reader(piece.text); reader.next();) {
      const std::string word(reader.word());
      if (!before.empty()) {
        const std::string_view phrase = phrasal_verb(before, word);
        return phrase.empty() ? fold(before) : std::string(phrase);
      }
      if (kPoliteOpenings.contains(word)) continue;
      if (kAskers.contains(word)) return "get";
      if (!is_empty_word(word)) before = word;
    }
  }
  return fold(before);
}

// speaks_of_many_of returns whether a request says a word of a tool's name in the plural.
bool speaks_of_many_of(const connector::Capability& capability, const RequestText& request) {
  const std::vector<std::string> things = content_words(capability.name);
  return std::ranges::any_of(things, [&](const std::string& thing) {
    return find_verb(thing) == nullptr && request.speaks_of_many(thing);
  });
}

bool reads_as_action(const std::string& action) {
  const Verb* const does = find_verb(fold(lower_case(action)));
  return does != nullptr && does->does == Does::kReads;
}

bool is_giver(std::string_view action) { return std::ranges::count(kGivers, action) > 0; }

bool is_lister(std::string_view action) { return std::ranges::count(kListers, action) > 0; }

}  // namespace

bool is_action(std::string_view name, const Json& schema) {
  const Json* const values = find(schema, "enum");
  if (!kActionNames.contains(name) || values == nullptr || !values->is_array()) return false;
  return std::ranges::any_of(*values, [](const Json& value) {
    const auto* const text = value.get_ptr<const std::string*>();
    return text != nullptr && find_verb(fold(lower_case(*text))) != nullptr;
  });
}

bool has_action(const connector::Capability& capability) {
  const Json* const properties = find(taken_schema(capability), "properties");
  return properties != nullptr && properties->is_object() &&
         std::ranges::any_of(properties->items(), [](const auto& property) {
           return is_action(property.key(), property.value());
         });
}

bool is_reached_by(std::string_view verb, std::string_view action) {
  const std::string folded = fold(lower_case(action));
  if (verb == folded) return true;
  return std::ranges::any_of(kActionFamilies, [&](const ActionTable& family) {
    return family.contains(verb) && family.contains(folded);
  });
}

std::optional<Json> chosen_action(const Json& schema, const connector::Capability& capability,
                                  const RequestText& request) {
  const std::string asked = opening_verb(request);
  const Verb* const known = find_verb(asked);
  const std::string verb = known != nullptr ? std::string(known->word) : asked;
  const bool reads = known != nullptr && known->does == Does::kReads;
  const bool many = speaks_of_many_of(capability, request);
  std::optional<Json> found;
  std::optional<Json> given;
  std::optional<Json> listed;
  int givers = 0;
  for (const Json& value : *find(schema, "enum")) {
    const auto* const text = value.get_ptr<const std::string*>();
    if (text == nullptr) continue;
    const std::string action = fold(lower_case(*text));
    if (action == verb && !(reads && verb == "get")) return value;
    if (is_reached_by(verb, action)) {
      if (found) return std::nullopt;  // Two are meant: no guess.
      found = value;
    }
    if (is_giver(action)) {
      given = value;
      ++givers;
    }
    if (is_lister(action) && (action == "list" || !listed)) listed = value;
  }
  if (!reads || verb == "search" || verb == "count") return reads ? std::nullopt : found;
  if (listed && (many || givers == 0)) return listed;
  return givers == 1 && (!listed || !many) ? given : std::nullopt;
}

bool is_told_to_read(const connector::Capability& capability, const RequestText& request) {
  const Json* const properties = find(taken_schema(capability), "properties");
  if (properties == nullptr || !properties->is_object()) return false;
  return std::ranges::any_of(properties->items(), [&](const auto& property) {
    if (!is_action(property.key(), property.value())) return false;
    const Json& values = *find(property.value(), "enum");
    const std::optional<Json> action = values.size() == 1
                                           ? std::optional<Json>(values.front())
                                           : chosen_action(property.value(), capability, request);
    return action && action->is_string() && reads_as_action(action->template get<std::string>());
  });
}

bool only_reads_by_action(const connector::Capability& capability, const Extraction& extraction) {
  const Json* const properties = find(taken_schema(capability), "properties");
  if (properties == nullptr || !properties->is_object()) return false;
  bool any = false;
  for (const auto& [name, property] : properties->items()) {
    if (!is_action(name, property)) continue;
    const bool given = std::ranges::count(extraction.sources, name, &ArgumentSource::name) > 0;
    const Json value = given ? extraction.value(name) : Json();
    if (!value.is_string() || !reads_as_action(value.get<std::string>())) return false;
    any = true;
  }
  return any;
}

}  // namespace plumbline::agents
