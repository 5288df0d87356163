#include "core/agents/operations/fit/fit.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "core/agents/dictionary/dictionary.h"
#include "core/agents/operations/fit/acted_on.h"
#include "core/agents/operations/fit/denied.h"
#include "core/agents/operations/fit/doing.h"
#include "core/agents/operations/fit/evidence.h"
#include "core/agents/operations/fit/offered.h"
#include "core/agents/operations/fit/order.h"
#include "core/agents/operations/fit/resource_fit.h"
#include "core/agents/operations/fit/told.h"
#include "core/agents/operations/request/filters.h"
#include "core/agents/operations/request/identified.h"
#include "core/agents/operations/request/listed.h"
#include "core/agents/operations/request/taken.h"
#include "core/agents/policy/verb_table.h"
#include "core/agents/policy/verbs.h"
#include "core/agents/policy/word_table.h"
#include "core/agents/policy/words.h"
#include "core/base/text.h"

namespace plumbline::agents {

namespace {

using connector::CapabilityType;
using Words = std::vector<std::string>;
using ValueKind = Wish::Value::Kind;

// What whoever reads something gives.
constexpr WordTable kContents({Word{"body"}, Word{"content"}, Word{"contents"}, Word{"line"},
                               Word{"rest"}, Word{"text"}});
// Words of a tool's name that do not narrow what it is for.
constexpr WordTable kBroadNames({Word{"api"},    Word{"content"},  Word{"data"},  Word{"google"},
                                 Word{"info"},   Word{"internet"}, Word{"item"},  Word{"name"},
                                 Word{"online"}, Word{"person"},   Word{"query"}, Word{"result"},
                                 Word{"simple"}, Word{"string"},   Word{"text"},  Word{"tool"},
                                 Word{"user"},   Word{"value"},    Word{"web"},   Word{"word"}});

// Whoever has one of these can answer a question about the world.
constexpr WordTable kKnowledge({Word{"answer"}, Word{"ask"}, Word{"define"}, Word{"definition"},
                                Word{"dictionary"}, Word{"document"}, Word{"documentation"},
                                Word{"encyclopedia"}, Word{"explain"}, Word{"faq"}, Word{"guide"},
                                Word{"help"}, Word{"knowledge"}, Word{"manual"}, Word{"meaning"},
                                Word{"reference"}, Word{"tutorial"}, Word{"wiki"},
                                Word{"wikipedia"}});

void append(Words& words, Words more) {
  words.insert(words.end(), std::make_move_iterator(more.begin()),
               std::make_move_iterator(more.end()));
}

// chain_fits returns whether what a chain asks for is there: the first thing, with what it is of;
// or the second, where the first is only how much of it is wanted. A tool that is called after what
// is to be done needs no more than what is given: echo, of "echo the text 'a'".
bool chain_fits(const Wish::Chain& chain, const Wish::Demand& demand, const Offered& offered,
                bool changes) {
  if (demand.whether) {
    return std::ranges::any_of(chain, [&](const Wish::Thing& thing) {
      return std::ranges::any_of(thing, [&](const auto& word) { return offered.serves(word); });
    });
  }
  std::size_t first = 0;
  while (first < chain.size() && !offered.serves(chain[first].back())) {
    if (!is_attribute(chain[first].back())) return false;
    // "Two copies of the letter" is more than the letter.
    const bool plain =
        std::all_of(chain[first].begin(), chain[first].end() - 1, [&](const std::string& word) {
          return offered.serves(word) || contains(offered.words.told, word) || is_kind_word(word) ||
                 is_attribute(word);
        });
    if (!plain) return false;
    ++first;
  }
  if (first == chain.size()) {
    if (!offered.is_given_some) return false;
    if (!demand.verb.empty() && contains(offered.words.named, demand.verb)) return true;
    return is_for_reading(offered.words.named) &&
           std::ranges::all_of(
               chain, [](const Wish::Thing& thing) { return kContents.contains(thing.back()); });
  }
  const bool whole = std::ranges::all_of(chain[first], [&](const std::string& word) {
    return offered.serves(word) || is_kind_word(word);
  });
  // A word that nobody uses is a name: "the posts of user spez" are no posts of anybody.
  const bool names_one = std::ranges::any_of(chain[first], [&](const std::string& word) {
    return !offered.serves(word) && !is_kind_word(word) && !is_common_word(base_form(word)) &&
           !is_verb_too(base_form(word)) && !contains(offered.words.told, word);
  });
  if (names_one && !offered.is_given_some) return false;
  // What is called list_boards lists no "reminder lists".
  if (!whole && chain[first].back() == "list") return false;
  // "Log files" are other files, unless the tool is called after files.
  if (!whole && (changes || !contains(offered.words.named, chain[first].back()))) return false;
  // "Purchase events" are not all of them, where the tool takes the name of an event.
  const bool narrowed = std::ranges::any_of(chain[first], [&](const std::string& word) {
    return !offered.serves(word) && !is_kind_word(word) && !is_attribute(word) &&
           is_common_word(base_form(word)) && !contains(offered.words.told, word);
  });
  if (narrowed && contains(offered.words.schema, chain[first].back())) return false;
  return std::all_of(chain.begin() + static_cast<std::ptrdiff_t>(first), chain.end(),
                     [&](const Wish::Thing& thing) {
                       return offered.serves(thing.back()) || is_kind_word(thing.back()) ||
                              contains(offered.words.told, thing.back());
                     });
}

// gives_many returns whether a tool gives many where one is wanted: it speaks of them in the
// plural.
bool gives_many(const Wish::Demand& demand, const connector::Capability& tool,
                const Offered& offered) {
  const bool lists = demand.verb == "list" || demand.verb == "search" || demand.verb == "count";
  if (demand.many || lists || demand.chains.empty() || !offered.given.empty()) return false;
  const std::string& one = demand.chains.front().front().back();
  const std::string text = tool.name + ' ' + std::string(first_sentence(tool.description));
  bool many = false;
  for (WordReader reader(text); reader.next();) {
    const std::string folded = fold(reader.word());
    if (folded != one) continue;
    if (!reader.word().ends_with('s') || folded == reader.word()) return false;
    many = true;
  }
  return many;
}

// gives_one returns whether a tool gives one where many are wanted: its name and the first sentence
// speak of it in the singular alone.
bool gives_one(const Wish::Demand& demand, const connector::Capability& tool) {
  if (!demand.many || demand.chains.empty() || is_list(tool) || !only_reads(demand)) return false;
  const std::string& many = demand.chains.front().front().back();
  if (many.ends_with("ing")) return false;  // "Naming" is any number of names.
  const std::string text = tool.name + ' ' + std::string(first_sentence(tool.description));
  bool one = false;
  for (WordReader reader(text); reader.next();) {
    if (fold(reader.word()) != many) continue;
    if (reader.word().ends_with('s')) return false;
    one = true;
  }
  return one;
}

// lists_no_lists returns whether lists of something are wanted, and "list" is only what the tool
// does: list_highlights, of "which bookmark lists do I have?"
bool lists_no_lists(const Wish::Demand& demand, const connector::Capability& tool) {
  if (!demand.many || demand.chains.empty()) return false;
  if (demand.chains.front().front().back() != "list") return false;
  Words name = words_of(tool.name);
  const bool does = !name.empty() && name.front() == "list";
  return does && std::none_of(name.begin() + 1, name.end(),
                              [](const std::string& word) { return fold(word) == "list"; });
}

// only_shown returns whether the content of a file is asked for, and nothing else of it.
bool only_shown(const Wish& wish, const Wish::Demand& demand) {
  const bool file = std::ranges::any_of(wish.values, [](const Wish::Value& value) {
    return value.kind == ValueKind::kPath && value.text.rfind('.') != std::string::npos &&
           value.text.rfind('.') > value.text.rfind('/') + 1;
  });
  const bool more = demand.asks == "when" || demand.asks == "who" || demand.asks == "how";
  if (!file || more || (!demand.verb.empty() && !is_generic_verb(demand.verb))) return false;
  return std::ranges::all_of(demand.chains, [](const Wish::Chain& chain) {
    const std::string& wanted = chain.front().back();
    return is_kind_word(wanted) || kContents.contains(wanted);
  });
}

// is_given_shown_forms returns whether all values of the request have a form that a property of the
// tool shows: "look up NYSE:IBM".
bool is_given_shown_forms(const Wish& wish, const connector::Capability& tool) {
  const Json* const properties = find(taken_schema(tool), "properties");
  if (properties == nullptr || !properties->is_object() || wish.values.empty()) return false;
  return std::ranges::all_of(wish.values, [&](const Wish::Value& value) {
    return std::ranges::any_of(properties->items(), [&](const auto& property) {
      return shown_form(property.value(), value.text);
    });
  });
}

// is_foreign returns whether a tool whose verb alone was asked for is for something else:
// "search_tickets" where the rules are to be searched.
bool is_foreign(const Wish& wish, const connector::Capability& tool, const Offered& offered) {
  Words asked;
  for (const Wish::Demand& demand : wish.demands) {
    for (const Wish::Chain& chain : demand.chains) {
      for (const Wish::Thing& thing : chain) append(asked, thing);
    }
    append(asked, demand.about);
  }
  const bool file = std::ranges::any_of(wish.values, [](const Wish::Value& value) {
    return value.kind == ValueKind::kPath || value.kind == ValueKind::kFolder;
  });
  if (file) append(asked, {"file", "folder"});
  for (const Wish::Value& value : wish.values) {  // "In a.pdf" is about a PDF.
    const std::size_t dot = value.text.rfind('.');
    if (value.kind == ValueKind::kPath && dot != std::string::npos)
      asked.push_back(lower_case(value.text.substr(dot + 1)));
  }
  std::erase_if(asked, [&](const std::string& word) {
    const bool name = std::ranges::any_of(wish.values, [&](const Wish::Value& value) {
      return value.kind == ValueKind::kName && contains(content_words(value.text), word);
    });
    return contains(offered.given, word) && (name || is_page_word(word));
  });
  for (const std::string& word : asked) {
    if (offered.speaks_of(word)) return false;
  }
  if (asked.empty() && is_given_shown_forms(wish, tool)) return false;
  for (const Wish::Demand& demand : wish.demands) {
    if (std::ranges::any_of(demand.so, [&](const auto& so) { return tells(so, offered); }))
      return false;
  }
  const bool assigned =
      !wish.values.empty() && asked.empty() &&
      std::ranges::all_of(wish.values, [](const Wish::Value& value) {
        return value.kind == ValueKind::kNumber && value.text.find('=') != std::string::npos;
      });
  if (assigned) return false;  // "Get kind=pods": its properties say what is meant.
  const bool is_meant = offered.is_given_some && asked.empty() &&
                        std::ranges::any_of(wish.demands, [&](const Wish::Demand& demand) {
                          return is_called_after(demand.verb, offered.words) &&
                                 (!only_reads(demand) || demand.verb == "open");
                        });
  if (is_meant) return false;  // "Navigate to https://...": there is no more to say.
  // "Clone https://..." of git_clone.
  const bool called_after_deed = std::ranges::any_of(wish.demands, [&](const auto& demand) {
    const bool special = demand.verb == "explain" || demand.verb == "summarize";
    return !demand.verb.empty() && (special || !only_reads(demand)) && demand.verb != "search" &&
           contains(offered.words.named, demand.verb);
  });
  return std::ranges::any_of(offered.words.named, [&](const std::string& word) {
    return find_verb(word) == nullptr && !kBroadNames.contains(word) && !is_generic_verb(word) &&
           !(called_after_deed && contains(offered.words.server, word) && !is_common_word(word)) &&
           std::ranges::none_of(wish.demands,
                                [&](const Wish::Demand& demand) { return demand.verb == word; });
  });
}

// is_told_to returns whether a tool that does many things is told to do the one that is asked: to
// "delete" by mode=delete, where nothing else of it says that it deletes.
bool is_told_to(const Wish::Demand& demand, const connector::Capability& tool,
                const Offered& offered) {
  const ToolWords& words = offered.words;
  const std::string& verb = demand.verb;
  const bool one_of_many = contains(words.schema, verb) && !contains(words.server, verb) &&
                           !is_called_after(verb, words) && !is_generic_verb(verb);
  if (!one_of_many) return true;
  const auto says = [&verb](const std::string& text) {
    return contains(content_words(text), verb);
  };
  const Json* const properties = find(taken_schema(tool), "properties");
  return std::ranges::any_of(offered.values, says) ||
         (properties != nullptr && std::ranges::any_of(properties->items(), [&](const auto& one) {
            return says(one.key());
          }));
}

// is_left_at_reading returns whether a tool that does many things would do the one that only reads,
// by its default, where something is to be changed: mode=list.
bool is_left_at_reading(const Wish::Demand& demand, const connector::Capability& tool,
                        const Extraction& extraction) {
  const Verb* const asked = find_verb(demand.verb);
  if (demand.verb.empty() || (asked != nullptr && asked->does == Does::kReads)) return false;
  const Json* const properties = find(taken_schema(tool), "properties");
  return std::ranges::any_of(extraction.sources, [&](const ArgumentSource& source) {
    if (source.provenance != Provenance::kSchemaDefault) return false;
    const Json* const schema = find(*properties, source.name);
    const Json& value = extraction.value(source.name);
    if (schema == nullptr || find(*schema, "enum") == nullptr || !value.is_string()) return false;
    const Verb* const does = find_verb(fold(lower_case(value.get<std::string>())));
    return does != nullptr && does->does == Does::kReads && !does->noun_too;
  });
}

// searches_other_things returns whether a tool that searches or lists is called after other things
// than the one that is wanted, and speaks of that only behind its first sentence: the issues of
// "Searches the catalog of tools. Good for pivots of issues".
bool searches_other_things(const Wish::Demand& demand, const Offered& offered) {
  const bool searches =
      contains(offered.words.named, "search") || contains(offered.words.named, "list");
  if (!searches || demand.chains.empty()) return false;
  const Wish::Thing& thing = demand.chains.front().front();
  const bool meant = std::ranges::any_of(thing, [&](const std::string& word) {
    return contains(offered.words.named, word) || contains(offered.words.lead, word) ||
           contains(offered.words.schema, word) || contains(offered.words.server, word) ||
           contains(offered.given, word) || is_kind_word(word);
  });
  const bool called_after_things =
      std::ranges::any_of(offered.words.named, [&](const std::string& word) {
        return find_verb(word) == nullptr && !kBroadNames.contains(word) &&
               !is_generic_verb(word) && is_common_word(word) &&
               !contains(offered.words.server, word);
      });
  return called_after_things && !meant;
}

// names_the_object returns whether a name of the request is one of the tool's own: "a text Send"
// of create_text_send.
bool names_the_object(const Wish& wish, const Offered& offered) {
  return std::ranges::any_of(wish.values, [&](const Wish::Value& value) {
    const Words words = content_words(value.text);
    return value.kind == ValueKind::kName && words.size() == 1 && !offered.words.named.empty() &&
           words.front() == offered.words.named.back();
  });
}

bool tool_fits(const Wish& wish, const connector::Capability& tool, const Offered& offered,
               const Extraction& extraction, bool changes) {
  if (wish.general && !has_one_of(offered.words.named, kKnowledge) &&
      !has_one_of(offered.words.lead, kKnowledge)) {
    return false;
  }
  if (!is_given_what_it_takes(wish, tool, offered, changes)) return false;
  if (compares_one(offered.words, extraction)) return false;
  if (changes && runs_something_else(wish, offered.words)) return false;
  if (changes && !wish.demands.empty() && destroys_unasked(wish, offered.words)) return false;
  const auto served = [&](const Wish::Demand& demand) {
    const bool who = contains(demand.so, "who");  // "Who is on call?" asks for more than users.
    if (who && std::ranges::any_of(demand.about, [&](const auto& word) {
          return !offered.speaks_of(word) && !is_kind_word(word);
        })) {
      return false;
    }
    if (lists_no_lists(demand, tool) || only_counts(demand, offered.words)) return false;
    if (is_named_for_finding_out(demand, offered.words)) return false;
    if (is_denied(demand, tool) || searches_other_things(demand, offered)) return false;
    if (is_told_elsewhere(demand, offered) || narrows_nothing(demand, tool, offered)) return false;
    const bool by_this = std::ranges::any_of(demand.about, [&](const std::string& word) {
      return contains(offered.words.server, word) && contains(offered.words.lead, word);
    });  // "Check a.ts with ESLint."
    if (only_shown(wish, demand) && wants_more_than_shown(wish, demand, offered)) return false;
    if (only_shown(wish, demand) && !by_this && !is_for_reading(offered.words.named) &&
        !is_for_reading(offered.words.lead)) {
      return false;
    }
    if (!changes && (gives_many(demand, tool, offered) || gives_one(demand, tool))) return false;
    if (changes && is_named_for_a_deed(demand, offered.words)) return false;
    if (changes && is_left_untold(demand, offered)) return false;
    if (changes && changes_what_is_shown(demand, offered.words)) return false;
    if (changes && is_left_at_reading(demand, tool, extraction)) return false;
    if (changes && changes_by_action_only(demand, tool, offered)) return false;
    if (changes && sends_anything(demand, offered.words)) return true;
    if (changes && !only_reads(demand) && acts_on_another_thing(demand, tool, offered) &&
        !names_the_object(wish, offered)) {
      return false;
    }
    const bool does = does_what_is_asked(demand, tool, offered.words, changes) &&
                      is_told_to(demand, tool, offered);
    return (does || is_told_by_action(demand, tool, extraction)) &&
           std::ranges::all_of(demand.so,
                               [&](const auto& word) {
                                 return tells(word, offered) || only_says_in_use(demand, word);
                               }) &&
           std::ranges::all_of(demand.chains, [&](const Wish::Chain& chain) {
             return chain_fits(chain, demand, offered, changes);
           });
  };
  const auto served_too = [&](const Wish::Demand& demand) {
    const bool later = &demand != wish.demands.data();
    return served(demand) ||
           (later && (is_chosen(demand, tool, offered) || is_told_by_property(demand, offered)));
  };
  const bool enough = std::ranges::all_of(wish.demands, served_too);
  return (enough || wish.demands.empty()) && !is_foreign(wish, tool, offered);
}

}  // namespace

bool fits_wish(const Wish& wish, const connector::Capability& capability, const ToolWords& words,
               const Extraction& extraction, bool changes) {
  const Offered offered = offered_by(words, extraction);
  switch (capability.type) {
    case CapabilityType::kTool:
      return tool_fits(wish, capability, offered, extraction, changes);
    case CapabilityType::kResource:
      return resource_fits(wish, capability, offered);
    case CapabilityType::kPrompt:
      return true;  // Only what asks for a prompt comes to one.
  }
  return false;
}

}  // namespace plumbline::agents
