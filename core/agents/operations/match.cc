#include "core/agents/operations/match.h"

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>
#include <vector>

#include "core/agents/dictionary/dictionary.h"
#include "core/agents/operations/fit/acted_on.h"
#include "core/agents/operations/fit/offered.h"
#include "core/agents/operations/request/filters.h"
#include "core/agents/operations/request/taken.h"
#include "core/agents/policy/verb_table.h"
#include "core/agents/policy/verbs.h"
#include "core/agents/policy/word_table.h"
#include "core/agents/policy/words.h"

namespace plumbline::agents {

namespace {

// What a match is worth. A verb in a name costs nothing when it was not asked for: it is often
// implied, as in "get_weather".
constexpr int kNameWord = 6;
constexpr int kNameWordUnasked = -1;
constexpr int kDescriptionWord = 2;
constexpr int kDeedInName = 8;       // By another word.
constexpr int kDeedBesideThing = 5;  // The same, of a tool that is called after the thing, too.
constexpr int kDeedByName = 3;       // By the same word, where something is to be changed.
constexpr int kThingInName = 5;
constexpr int kQualifierInName = 5;  // "mesh" of "the MeSH term".
constexpr int kSchemaWord = 2;
constexpr int kServerWord = 2;
constexpr int kFullName = 6;
constexpr int kAllThereIs = 2;
constexpr int kAnotherThing = -5;  // "board" of "get_board_members".
constexpr int kTellsWhere = 8;
constexpr int kCountsByLead = 8;  // "Get the number of ...", where "how many" is asked.

// says returns whether `name` stands in `text` as a whole: "add" is not in "address".
bool says(std::string_view text, std::string_view name) {
  const auto in_word = [&](std::size_t i) {
    return i < text.size() && (std::isalnum(static_cast<unsigned char>(text[i])) || text[i] == '_');
  };
  for (std::size_t at = name.empty() ? std::string_view::npos : text.find(name);
       at != std::string_view::npos; at = text.find(name, at + 1)) {
    if (!in_word(at + name.size()) && (at == 0 || !in_word(at - 1))) return true;
  }
  return false;
}

bool speaks_of_server(const Asked& asked, std::string_view server) {
  for (WordReader reader(server); reader.next_content();) {
    if (contains(asked.words, reader.word())) return true;
  }
  return false;
}

// is_named_for_the_thing returns whether what is wanted stands in the name, not only in what a
// description says beside it.
bool is_named_for_the_thing(const Asked& asked, const std::vector<std::string>& name) {
  if (asked.wish.demands.empty() || asked.wish.demands.front().chains.empty()) return false;
  return contains(name, asked.wish.demands.front().chains.front().front().back());
}

// is_named_for_a_qualifier returns whether a word before the thing that is wanted stands in the
// name.
bool is_named_for_a_qualifier(const Asked& asked, const std::vector<std::string>& name) {
  if (asked.wish.demands.empty() || asked.wish.demands.front().chains.empty()) return false;
  const Wish::Thing& thing = asked.wish.demands.front().chains.front().front();
  return std::any_of(thing.begin(), thing.end() - 1,
                     [&](const std::string& word) { return contains(name, word); });
}

// is_named_for_how_it_is returns whether the name has another form of how something has to be,
// where nothing else is asked: list_attachments, of "what is attached?".
bool is_named_for_how_it_is(const Asked& asked, const std::vector<std::string>& name) {
  if (asked.wish.demands.size() != 1 || !asked.wish.demands.front().chains.empty()) return false;
  return std::ranges::any_of(asked.wish.demands.front().so, [&](const std::string& so) {
    return !contains(name, so) && std::ranges::any_of(name, [&](const std::string& word) {
      return is_form_of(word, so) || is_form_of(so, word);
    });
  });
}

// worth_of_name returns what it is worth that the name says what is wanted, beside its words.
int worth_of_name(const Asked& asked, const std::vector<std::string>& name) {
  const int form = is_named_for_how_it_is(asked, name) ? kNameWord : 0;
  if (is_named_for_the_thing(asked, name)) return form + kThingInName;
  return form + (is_named_for_a_qualifier(asked, name) ? kQualifierInName : 0);
}

// is_all_there_is returns whether a tool that needs nothing says in its first sentence what is
// wanted, by a request that says no more.
bool is_all_there_is(const Asked& asked, const connector::Capability& capability,
                     const std::vector<std::string>& lead) {
  const Json* const required = find(taken_schema(capability), "required");
  const bool needs = required != nullptr && required->is_array() && !required->empty();
  if (needs || !asked.wish.values.empty() || asked.wish.demands.size() != 1) return false;
  const Wish::Demand& demand = asked.wish.demands.front();
  return demand.chains.size() == 1 && contains(lead, demand.chains.front().front().back());
}

// is_called_after_the_deed returns whether a tool is called after what is to be done by another
// word: "go to https://..." of one that navigates.
bool is_called_after_the_deed(const Asked& asked, const ToolWords& words) {
  return std::ranges::any_of(asked.wish.demands, [&](const Wish::Demand& demand) {
    return (!only_reads(demand) || demand.verb == "open") && is_called_after(demand.verb, words);
  });
}

// is_called_after_the_noun returns whether a tool is called after the noun of what is to be done:
// get_summary, of "summarize".
bool is_called_after_the_noun(const Wish& wish, const std::vector<std::string>& name) {
  if (wish.demands.empty()) return false;
  const std::string& verb = wish.demands.front().verb;
  const bool special = !verb.empty() && verb != "get" && verb != "show" && verb != "list" &&
                       verb != "search" && verb != "see";
  return special && std::ranges::any_of(name, [&](const std::string& word) {
           return word != verb && !is_verb(word) && same_deed(verb, word);
         });
}

// counts_by_lead returns whether a tool says in its first sentence that it gives the number of what
// is wanted.
bool counts_by_lead(const Wish& wish, const connector::Capability& capability) {
  const Wish::Demand& demand = wish.demands.front();
  if (demand.chains.empty()) return false;
  bool number = false;
  for (WordReader reader(first_sentence(capability.description)); reader.next_content();) {
    if (number) return reader.word() == demand.chains.front().front().back();
    number = reader.word() == "number" || reader.word() == "count";
  }
  return false;
}

// is_named_by_choice returns whether what is wanted is one of the choices of a required property,
// of a tool that is called after nothing but what it does: the password of get, by object=password.
bool is_named_by_choice(const Wish& wish, const connector::Capability& capability,
                        const std::vector<std::string>& name) {
  if (wish.demands.size() != 1 || wish.demands.front().chains.empty()) return false;
  const bool only_verbs = std::ranges::all_of(
      name, [](const std::string& word) { return is_verb(word) || is_generic_verb(word); });
  const Json& schema = taken_schema(capability);
  if (!only_verbs || name.empty()) return false;
  const std::string& wanted = wish.demands.front().chains.front().front().back();
  return std::ranges::any_of(required_of(schema), [&](const std::string& required) {
    const Json* const properties = find(schema, "properties");
    const Json* const property = properties != nullptr ? find(*properties, required) : nullptr;
    const Json* const values = property != nullptr ? find(*property, "enum") : nullptr;
    return values != nullptr && values->is_array() &&
           std::ranges::find(*values, Json(wanted)) != values->end();
  });
}

// is_made_by_noun returns whether a noun is said as a verb, and the tool makes what has that name:
// "bookmark https://..." of create_bookmark.
bool is_made_by_noun(const Wish& wish, const std::vector<std::string>& name) {
  constexpr WordTable kMakes(
      {Word{"add"}, Word{"attach"}, Word{"create"}, Word{"make"}, Word{"new"}, Word{"set"}});
  return wish.demands.size() == 1 && !wish.demands.front().verb.empty() &&
         find_verb(wish.demands.front().verb) == nullptr &&
         contains(name, wish.demands.front().verb) && has_one_of(name, kMakes);
}

// tells_where returns whether it is asked where something is, and the tool says that it tells that.
bool tells_where(const Wish& wish, const ToolWords& words) {
  if (wish.demands.empty() || wish.demands.front().asks != "where") return false;
  return std::ranges::any_of(told_by("where"), [&](const std::string& word) {
    return contains(words.named, word) || contains(words.lead, word);
  });
}

bool is_verb_word(const std::string& word) { return is_verb(word); }

// worth_of_deed returns what it is worth that a tool is called after what is to be changed, and
// what it costs that it gives another thing.
int worth_of_deed(const Wish& wish, const connector::Capability& capability,
                  const std::vector<std::string>& name) {
  const bool by_name = std::ranges::any_of(wish.demands, [&](const Wish::Demand& demand) {
    return !only_reads(demand) && contains(name, demand.verb);
  });
  const bool another = std::ranges::any_of(wish.demands, [&](const Wish::Demand& demand) {
    return gives_another_thing(demand, capability);
  });
  return (by_name ? kDeedByName : 0) + (another ? kAnotherThing : 0);
}

// unasked returns what the words of a tool's name cost for which nobody asked.
int unasked(const Asked& asked, const ToolWords& words) {
  int score = 0;
  const auto verbs = std::ranges::count_if(words.named, is_verb_word);
  for (const std::string& word : words.named) {
    // "get" of "get_or_create_label"; a list is a thing.
    const bool extra_verb = verbs > 1 && is_verb(word) && word != "list";
    const bool of_server = contains(words.server, word);  // As all its tools may be called.
    if (!contains(asked.words, word) && !of_server && (extra_verb || !is_verb(word)))
      score += kNameWordUnasked;
  }
  return score;
}

}  // namespace

namespace {

// is_owner returns whether a request says that something is of a value: "NVDA's price".
bool is_owner(std::string_view text, std::string_view value) {
  const std::size_t at = text.find(std::string(value) + "'s ");
  return at != text.npos && (at == 0 || text[at - 1] == ' ');
}

// speaks_of_the_thing returns whether a description speaks of what is wanted, by a request that
// only asks for it and says of what: "the price of NVDA", "NVDA's price".
bool speaks_of_the_thing(const Asked& asked, const ToolWords& words) {
  if (asked.changes || asked.wish.values.size() != 1 || asked.wish.demands.size() != 1 ||
      asked.wish.values.front().kind == Wish::Value::Kind::kQuoted) {
    return false;
  }
  const Wish::Demand& demand = asked.wish.demands.front();
  const bool says_of_what =
      !demand.chains.empty() &&
      (demand.chains.front().size() > 1 || is_owner(asked.text, asked.wish.values.front().text));
  return only_reads(demand) && demand.verb != "search" && says_of_what && !demand.many &&
         contains(words.described, demand.chains.front().front().back());
}

}  // namespace

bool is_to_count(const Wish& wish) {
  return !wish.demands.empty() && wish.demands.front().verb == "count";
}

Match match(const Asked& asked, const connector::Capability& capability, const ToolWords& words) {
  const std::vector<std::string>& name = words.named;
  int in_name = 0;
  int verbs_in_name = 0;
  int in_description = 0;
  Match out;
  for (std::size_t i = 0; i < asked.words.size(); ++i) {
    if (contains(name, asked.words[i])) {
      out.score += kNameWord;
      ++in_name;
      if (is_verb(asked.words[i])) ++verbs_in_name;
    } else if (contains(words.described, asked.words[i])) {
      out.score += kDescriptionWord;
      ++in_description;
    }
    if (contains(words.schema, asked.words[i])) out.score += kSchemaWord;
  }
  if (is_named_for_how_it_is(asked, name)) ++in_name;
  if (verbs_in_name == 0 && is_called_after_the_deed(asked, words)) {
    out.score += in_name == 0 ? kDeedInName : kDeedBesideThing;
    ++in_name;
    ++verbs_in_name;
  }
  out.score += worth_of_name(asked, name) + worth_of_deed(asked.wish, capability, name);
  if (is_called_after_the_noun(asked.wish, name)) {
    out.score += kDeedInName;
    ++in_name;
  }
  if (is_made_by_noun(asked.wish, name)) out.score += kDeedInName;
  if (is_named_by_choice(asked.wish, capability, name)) {
    out.score += kThingInName + kNameWord;
    ++in_name;
  }
  if (tells_where(asked.wish, words)) out.score += kTellsWhere;
  const bool full_name = says(asked.text, capability.name) || says(asked.text, capability.uri);
  if (full_name) out.score += kFullName;
  if (speaks_of_server(asked, capability.server)) out.server = kServerWord;
  if (capability.type == connector::CapabilityType::kTool) out.score += unasked(asked, words);
  // Of a list, one word of what it says to list is enough.
  const bool lists = is_list(capability) && std::ranges::any_of(asked.words, [&](const auto& word) {
                       return contains(words.lead, word);
                     });
  if (is_all_there_is(asked, capability, words.lead)) {
    ++in_description;
    out.score += kAllThereIs;
  }
  const bool counts = is_to_count(asked.wish) && counts_by_lead(asked.wish, capability);
  in_description += counts ? 1 : 0;
  out.score += counts ? kCountsByLead : 0;
  const bool spoken_of =
      asked.last_resort && in_description > 0 && speaks_of_the_thing(asked, words);
  if (spoken_of) out.score = std::max(out.score, kRelevantMin);
  const bool too_little =
      !spoken_of && in_name == 0 && in_description < (lists ? 1 : 2) && !full_name;
  if (too_little || (!lists && out.score + out.server < kRelevantMin)) out.score = 0;
  out.full_name = full_name && capability.type == connector::CapabilityType::kTool &&
                  capability.name.find_first_of("_-./") != std::string::npos;
  out.verb_only = in_name == verbs_in_name && in_description == 0 && !full_name;
  return out;
}

}  // namespace plumbline::agents
