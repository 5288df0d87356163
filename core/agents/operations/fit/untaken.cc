#include "core/agents/operations/fit/untaken.h"

#include <algorithm>

#include "core/agents/dictionary/dictionary.h"
#include "core/agents/operations/fit/offered.h"
#include "core/agents/operations/fit/order.h"
#include "core/agents/operations/fit/resource_fit.h"
#include "core/agents/operations/request/taken.h"
#include "core/agents/policy/verbs.h"
#include "core/agents/policy/word_table.h"
#include "core/agents/policy/words.h"
#include "core/base/text.h"

namespace plumbline::agents {

namespace {

// is_ordered returns whether the request gives an argument that says in which order, or what is to
// be searched for in words of its own.
bool is_ordered(const Wish& wish, const Extraction& extraction) {
  return std::ranges::any_of(extraction.sources, [&](const ArgumentSource& source) {
    if (source.provenance != Provenance::kRequest) return false;
    const Json& value = extraction.value(source.name);
    const auto* const text = value.get_ptr<const std::string*>();
    return names_an_order(source.name) ||
           (text != nullptr && lower_case(*text).find(lower_case(wish.order)) != std::string::npos);
  });
}

// is_heard returns whether a capability speaks of a word that only says where, how or for whom, or
// is given it.
bool is_heard(const std::string& word, const Wish& wish, const Offered& offered) {
  const auto is_its_form = [&](const std::string& other) {
    return is_form_of(other, word) || is_form_of(word, other);
  };
  return offered.serves(word) || contains(offered.words.told, word) || is_kind_word(word) ||
         std::ranges::any_of(offered.words.described, is_its_form) ||
         std::ranges::any_of(offered.words.schema, is_its_form) ||
         std::ranges::any_of(wish.values, [&](const Wish::Value& value) {
           return contains(content_words(value.text), word);
         });
}

// knows_an_end returns whether a tool takes up to when something is, or says so.
bool knows_an_end(const connector::Capability& capability) {
  constexpr WordTable kEnds({Word{"before"}, Word{"deadline"}, Word{"due"}, Word{"end"},
                             Word{"max"}, Word{"to"}, Word{"until"}});
  if (contains(words_of(capability.description), "until")) return true;
  const Json* const properties = find(taken_schema(capability), "properties");
  return properties != nullptr && properties->is_object() &&
         std::ranges::any_of(properties->items(), [&](const auto& property) {
           return has_one_of(words_of(property.key()), kEnds);
         });
}

bool means_all(std::string_view word) { return word == "everybody" || word == "everyone"; }

// does_it_to_all returns whether a tool says in its first sentence that it is for all.
bool does_it_to_all(const connector::Capability& capability) {
  const std::vector<std::string> words = words_of(first_sentence(capability.description));
  return contains(words, "all") || contains(words, "every") || contains(words, "everyone");
}

// is_form_alone returns whether a word says in which form something is wanted, and all that is
// known of it is the ending of a file: "as a PDF to /tmp/flow.pdf" of a tool that writes JSON.
bool is_form_alone(const std::string& word, const Wish& wish, const Offered& offered) {
  const bool ends_a_file = std::ranges::any_of(wish.values, [&](const Wish::Value& value) {
    return value.kind == Wish::Value::Kind::kPath && lower_case(value.text).ends_with('.' + word);
  });
  return ends_a_file && !offered.speaks_of(word) && !contains(offered.words.told, word);
}

// names_what_it_takes returns whether a schema has properties, if only none. Of one that is written
// otherwise, as with $ref, or left out, it is not known what it takes.
bool names_what_it_takes(const connector::Capability& capability) {
  return find(capability.input_schema, "properties") != nullptr;
}

}  // namespace

std::vector<std::string> Untaken::all() const {
  std::vector<std::string> out = values;
  out.insert(out.end(), words.begin(), words.end());
  return out;
}

Untaken untaken_by(const Wish& wish, const connector::Capability& capability,
                   const ToolWords& words, const Extraction& extraction) {
  const Offered offered = offered_by(words, extraction);
  Untaken out;
  for (const Wish::Value& value : wish.values) {
    if (!is_value_of(value, capability, offered)) out.values.push_back(value.text);
  }
  if (!wish.order.empty() && !is_ordered(wish, extraction)) out.values.push_back(wish.order);
  if (!names_what_it_takes(capability)) return out;
  if (wish.until && !knows_an_end(capability)) out.words.emplace_back("until");
  for (const Wish::Demand& demand : wish.demands) {
    for (const std::string& word : demand.about) {
      if (means_all(word) && does_it_to_all(capability)) continue;
      if (!is_heard(word, wish, offered) || is_form_alone(word, wish, offered)) {
        out.words.push_back(word);
      }
    }
  }
  return out;
}

}  // namespace plumbline::agents
