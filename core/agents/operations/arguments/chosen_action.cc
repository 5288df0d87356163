#include "core/agents/operations/arguments/chosen_action.h"

#include <algorithm>
#include <vector>

#include "core/agents/dictionary/dictionary.h"
#include "core/agents/operations/request/taken.h"
#include "core/agents/policy/actions.h"
#include "core/agents/policy/verb_table.h"
#include "core/agents/policy/verbs.h"
#include "core/agents/policy/word_table.h"
#include "core/agents/policy/words.h"
#include "core/base/text.h"

namespace plumbline::agents {

namespace {

// Actions that are asked for by one another. Folded: "remove" is "delete", "change" is "update".
constexpr WordTable kMakingActions({Word{"add"}, Word{"create"}, Word{"insert"}, Word{"make"},
                                    Word{"new"}, Word{"register"}});
constexpr WordTable kDeletingActions({Word{"delete"}, Word{"destroy"}, Word{"drop"}, Word{"purge"},
                                      Word{"wipe"}});
constexpr WordTable kUpdatingActions({Word{"adjust"}, Word{"edit"}, Word{"mark"}, Word{"patch"},
                                      Word{"rename"}, Word{"set"}, Word{"update"}});

// Whoever asks does not say "read".
constexpr WordTable kAskers({Word{"are"}, Word{"does"}, Word{"how"}, Word{"is"}, Word{"what"},
                             Word{"when"}, Word{"where"}, Word{"which"}, Word{"who"}});

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
      if (may_open_clause(word) || word == "hello") continue;
      if (kAskers.contains(word)) return "get";
      if (!is_empty_word(word)) before = word;
    }
  }
  return fold(before);
}

// sets_a_flag returns whether what is to be done is told by a property that is true or false:
// completed, of "complete".
bool sets_a_flag(const std::string& verb, const connector::Capability& capability) {
  const Json* const properties = find(taken_schema(capability), "properties");
  if (properties == nullptr || !properties->is_object()) return false;
  return std::ranges::any_of(properties->items(), [&](const auto& property) {
    const std::vector<std::string> words = words_of(property.key());
    return words.size() == 1 && string_or(property.value(), "type", "") == "boolean" &&
           is_form_of(words.front(), verb);
  });
}

// takes_a_search returns whether a tool has a property for the words that are searched for.
bool takes_a_search(const connector::Capability& capability) {
  const Json* const properties = find(taken_schema(capability), "properties");
  return properties != nullptr && properties->is_object() &&
         std::ranges::any_of(properties->items(), [](const auto& property) {
           return property.key() == "search" || property.key() == "query";
         });
}

// speaks_of_many_of returns whether a request says a word of a tool's name in the plural.
bool speaks_of_many_of(const connector::Capability& capability, const RequestText& request) {
  const std::vector<std::string> things = content_words(capability.name);
  return std::ranges::any_of(things, [&](const std::string& thing) {
    return find_verb(thing) == nullptr && request.speaks_of_many(thing);
  });
}

}  // namespace

bool has_action(const connector::Capability& capability) {
  const Json* const properties = find(taken_schema(capability), "properties");
  return properties != nullptr && properties->is_object() &&
         std::ranges::any_of(properties->items(), [&](const auto& property) {
           return is_action(property.key(), property.value(), capability.input_schema);
         });
}

bool is_reached_by(std::string_view verb, std::string_view action) {
  const std::string folded = fold(lower_case(action));
  if (verb == folded) return true;
  const auto are_both = [&](const auto& family) {
    return family.contains(verb) && family.contains(folded);
  };
  return are_both(kMakingActions) || are_both(kDeletingActions) || are_both(kUpdatingActions);
}

std::optional<Json> chosen_action(const Json& schema, const connector::Capability& capability,
                                  const RequestText& request) {
  const std::string asked = opening_verb(request);
  const Verb* const known = find_verb(asked);
  const std::string verb = known != nullptr ? std::string(known->word) : asked;
  const bool reads = known != nullptr && known->does == Does::kReads;
  const bool many = speaks_of_many_of(capability, request);
  const bool flags = known == nullptr && sets_a_flag(verb, capability);
  std::optional<Json> found;
  std::optional<Json> given;
  std::optional<Json> listed;
  int givers = 0;
  for (const Json& value : *find(schema, "enum")) {
    const auto* const text = value.get_ptr<const std::string*>();
    if (text == nullptr) continue;
    const std::string action = fold(lower_case(*text));
    if (action == verb && !(reads && verb == "get")) return value;
    if (is_reached_by(verb, action) || (flags && action == "update")) {
      if (found) return std::nullopt;  // Two are meant: no guess.
      found = value;
    }
    if (is_giver(action)) {
      given = value;
      ++givers;
    }
    if (is_lister(action) && (action == "list" || !listed)) listed = value;
  }
  if (verb == "search" && !listed && givers == 1 && takes_a_search(capability)) return given;
  if (!reads || verb == "search" || verb == "count") return reads ? std::nullopt : found;
  if (listed && (many || givers == 0)) return listed;
  return givers == 1 && (!listed || !many) ? given : std::nullopt;
}

bool only_reads_by_action(const connector::Capability& capability, const Extraction& extraction) {
  return is_told_to_read(capability.input_schema, extraction.arguments);
}

}  // namespace plumbline::agents
