#include "core/agents/operations/fit/fit.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "core/agents/operations/fit/evidence.h"
#include "core/agents/operations/request/filters.h"
#include "core/agents/policy/verb_table.h"
#include "core/agents/policy/verbs.h"
#include "core/agents/policy/word_table.h"
#include "core/agents/policy/words.h"

namespace plumbline::agents {

namespace {

using connector::CapabilityType;
using Words = std::vector<std::string>;
using ValueKind = Wish::Value::Kind;

// What a record has whatever it is of, so that whoever gives the record gives these.
constexpr WordTable kAttributes(
    {Word{"body"},    Word{"content"}, Word{"contents"}, Word{"copy"},        Word{"description"},
     Word{"detail"},  Word{"entry"},   Word{"info"},     Word{"information"}, Word{"item"},
     Word{"kind"},    Word{"list"},    Word{"name"},     Word{"number"},      Word{"overview"},
     Word{"rest"},    Word{"result"},  Word{"set"},      Word{"state"},       Word{"status"},
     Word{"summary"}, Word{"text"},    Word{"thing"},    Word{"title"},       Word{"type"},
     Word{"version"}});

// Words that say what kind of thing a descriptor is of, and not which one.
constexpr WordTable kKindWords({Word{"content"}, Word{"contents"}, Word{"data"}, Word{"document"},
                                Word{"entry"}, Word{"file"}, Word{"folder"}, Word{"item"},
                                Word{"list"}, Word{"md"}, Word{"object"}, Word{"page"},
                                Word{"project"}, Word{"record"}, Word{"resource"}, Word{"text"},
                                Word{"thing"}, Word{"txt"}});

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

constexpr WordTable kListing({Word{"browse"}, Word{"index"}, Word{"list"}, Word{"listing"},
                              Word{"multiple"}, Word{"search"}, Word{"tree"}});
constexpr WordTable kCounting({Word{"count"}, Word{"number"}, Word{"stat"}, Word{"statistic"},
                               Word{"total"}});
constexpr WordTable kReading({Word{"cat"}, Word{"content"}, Word{"contents"}, Word{"download"},
                              Word{"load"}, Word{"open"}, Word{"read"}, Word{"reader"},
                              Word{"text"}, Word{"view"}});

struct Opposites {
  std::string_view one;
  std::string_view other;
};

constexpr auto kOpposites = std::to_array<Opposites>({
    {"activate", "deactivate"},
    {"add", "delete"},
    {"approve", "reject"},
    {"arm", "disarm"},
    {"close", "open"},
    {"create", "delete"},
    {"enable", "disable"},
    {"insert", "delete"},
    {"install", "uninstall"},
    {"lock", "unlock"},
    {"mute", "unmute"},
    {"publish", "unpublish"},
    {"start", "stop"},
    {"subscribe", "unsubscribe"},
});

constexpr std::size_t kSending = 4;  // In kVerbFamilies.

// What changes something is asked for by many verbs. Those of a family are one.
constexpr std::array<WordTable<Word, 8>, 8> kVerbFamilies = {
    WordTable<Word, 8>({Word{"add"}, Word{"book"}, Word{"create"}, Word{"insert"}, Word{"make"},
                        Word{"new"}, Word{"register"}, Word{"schedule"}}),
    WordTable<Word, 8>({Word{"clear"}, Word{"delete"}, Word{"destroy"}, Word{"drop"}, Word{"purge"},
                        Word{"rm"}, Word{"uninstall"}, Word{"wipe"}}),
    WordTable<Word, 8>({Word{"assign"}, Word{"edit"}, Word{"mark"}, Word{"patch"}, Word{"put"},
                        Word{"rename"}, Word{"set"}, Word{"update"}}),
    WordTable<Word, 8>({Word{"append"}, Word{"create"}, Word{"edit"}, Word{"overwrite"},
                        Word{"replace"}, Word{"save"}, Word{"store"}, Word{"write"}}),
    WordTable<Word, 8>({Word{"email"}, Word{"forward"}, Word{"message"}, Word{"notify"},
                        Word{"post"}, Word{"send"}, Word{"share"}, Word{"text"}}),
    WordTable<Word, 8>({Word{"exec"}, Word{"execute"}, Word{"launch"}, Word{"run"}, Word{"shell"},
                        Word{"start"}, Word{"submit"}, Word{"trigger"}}),
    WordTable<Word, 8>({Word{"activate"}, Word{"adjust"}, Word{"change"}, Word{"power"},
                        Word{"set"}, Word{"switch"}, Word{"toggle"}, Word{"turn"}}),
    WordTable<Word, 8>({Word{"buy"}, Word{"charge"}, Word{"order"}, Word{"pay"}, Word{"payment"},
                        Word{"purchase"}, Word{"transfer"}, Word{"wire"}}),
};

template <std::size_t N>
bool has_one_of(const Words& words, const WordTable<Word, N>& table) {
  return std::ranges::any_of(words, [&](const std::string& word) { return table.contains(word); });
}

std::string lower_cased(std::string_view text) {
  std::string out;
  for (const char c : text) out += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return out;
}

// Offered is what a capability says of itself, and what it is given.
struct Offered {
  Words named;                 // Its name and title.
  Words lead;                  // The first sentence of its description.
  Words said;                  // All of the description, the schema, the name of the server.
  Words given;                 // The words of what the request gives it.
  Words values;                // All values, as written, in lower case.
  bool is_given_some = false;  // The request gives it a value.

  bool speaks_of(const std::string& word) const {
    return contains(named, word) || contains(said, word);
  }
  bool serves(const std::string& word) const { return speaks_of(word) || contains(given, word); }
};

void append(Words& words, Words more) {
  words.insert(words.end(), std::make_move_iterator(more.begin()),
               std::make_move_iterator(more.end()));
}

Offered offered_by(const connector::Capability& capability, const Extraction& extraction) {
  Offered out;
  out.named = evidence_words(capability.name + " " + capability.title);
  out.lead = evidence_words(first_sentence(capability.description));
  out.said = evidence_words(capability.description);
  append(out.said, schema_words(capability));
  append(out.said, content_words(capability.server));
  for (const ArgumentSource& source : extraction.sources) {
    const Json& value = extraction.arguments.at(source.name);
    const auto* const text = value.get_ptr<const std::string*>();
    out.values.push_back(lower_cased(text != nullptr ? *text : dump_json(value)));
    if (source.provenance == Provenance::kRequest) {
      out.is_given_some = true;
      append(out.given, content_words(out.values.back()));
    }
  }
  return out;
}

// chain_fits returns whether what a chain asks for is there: the first thing, with what it is of;
// or the second, where the first is only how much of it is wanted.
bool chain_fits(const Wish::Chain& chain, const Offered& offered, bool whether, bool changes) {
  if (whether) {
    return std::ranges::any_of(chain, [&](const Wish::Thing& thing) {
      return std::ranges::any_of(thing, [&](const auto& word) { return offered.serves(word); });
    });
  }
  std::size_t first = 0;
  while (first < chain.size() && !offered.serves(chain[first].back())) {
    if (!kAttributes.contains(chain[first].back())) return false;
    ++first;
  }
  if (first == chain.size()) return false;
  const bool whole = std::ranges::all_of(chain[first], [&](const std::string& word) {
    return offered.serves(word) || kKindWords.contains(word);
  });
  // "Log files" are other files, unless the tool is called after files.
  if (!whole && !changes && !contains(offered.named, chain[first].back())) return false;
  return std::all_of(chain.begin() + static_cast<std::ptrdiff_t>(first), chain.end(),
                     [&](const Wish::Thing& thing) {
                       return offered.serves(thing.back()) || kKindWords.contains(thing.back());
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

bool is_opposite(const std::string& verb, const Words& named) {
  if (contains(named, verb)) return false;
  return std::ranges::any_of(kOpposites, [&](const Opposites& pair) {
    return (verb == pair.one && contains(named, std::string(pair.other))) ||
           (verb == pair.other && contains(named, std::string(pair.one)));
  });
}

// verb_fits returns whether the tool does what is to be done.
bool verb_fits(const std::string& verb, const connector::Capability& tool, const Offered& offered,
               bool changes) {
  if (is_opposite(verb, offered.named)) return false;
  if (verb == "list") {
    return is_list(tool) || has_one_of(offered.named, kListing) ||
           has_one_of(offered.lead, kListing);
  }
  if (verb == "count") {
    return is_list(tool) || has_one_of(offered.named, kCounting) ||
           has_one_of(offered.said, kCounting);
  }
  if (verb.empty() || is_generic_verb(verb) || offered.speaks_of(verb)) return true;
  if (!changes) return verb == "send";  // "Send me the list."
  const auto says_verb = [](const std::string& word) { return find_verb(word) != nullptr; };
  if (std::ranges::none_of(offered.named, says_verb) &&
      std::ranges::none_of(offered.lead, says_verb)) {
    return true;  // Nobody knows what it does: a person sees what it is asked for.
  }
  return std::ranges::any_of(kVerbFamilies, [&](const WordTable<Word, 8>& family) {
    return family.contains(verb) &&
           (has_one_of(offered.named, family) || has_one_of(offered.lead, family));
  });
}

// only_shown returns whether the content of a file is asked for, and nothing else of it.
bool only_shown(const Wish& wish, const Wish::Demand& demand) {
  const bool file = std::ranges::any_of(wish.values, [](const Wish::Value& value) {
    return value.kind == ValueKind::kPath && value.text.rfind('.') != std::string::npos &&
           value.text.rfind('.') > value.text.rfind('/') + 1;
  });
  if (!file || (!demand.verb.empty() && !is_generic_verb(demand.verb))) return false;
  return std::ranges::all_of(demand.chains, [](const Wish::Chain& chain) {
    return kKindWords.contains(chain.front().back());
  });
}

// is_foreign returns whether a tool whose verb alone was asked for is for something else:
// "search_tickets" where the rules are to be searched.
bool is_foreign(const Wish& wish, const Offered& offered) {
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
  for (const std::string& word : asked) {
    if (offered.speaks_of(word)) return false;
  }
  return std::ranges::any_of(offered.named, [&](const std::string& word) {
    return !is_verb(word) && !kBroadNames.contains(word) && !is_generic_verb(word) &&
           std::ranges::none_of(wish.demands,
                                [&](const Wish::Demand& demand) { return demand.verb == word; });
  });
}

bool tool_fits(const Wish& wish, const connector::Capability& tool, const Offered& offered,
               bool changes) {
  if (wish.general && !has_one_of(offered.named, kKnowledge) &&
      !has_one_of(offered.lead, kKnowledge)) {
    return false;
  }
  const auto served = [&](const Wish::Demand& demand) {
    if (only_shown(wish, demand) && !has_one_of(offered.named, kReading) &&
        !has_one_of(offered.lead, kReading)) {
      return false;
    }
    if (!changes && gives_many(demand, tool, offered)) return false;
    // What is sent may be anything.
    const bool sends = changes && kVerbFamilies[kSending].contains(demand.verb) &&
                       has_one_of(offered.named, kVerbFamilies[kSending]);
    if (sends) return true;
    return verb_fits(demand.verb, tool, offered, changes) &&
           std::ranges::all_of(demand.so, [&](const auto& word) { return offered.serves(word); }) &&
           std::ranges::all_of(demand.chains, [&](const Wish::Chain& chain) {
             return chain_fits(chain, offered, demand.whether, changes);
           });
  };
  const bool enough = changes ? std::ranges::any_of(wish.demands, served)
                              : std::ranges::all_of(wish.demands, served);
  return (enough || wish.demands.empty()) && !is_foreign(wish, offered);
}

// ends_with_path returns whether the last parts of `uri` are those of `path`.
bool ends_with_path(std::string_view uri, std::string_view path) {
  while (path.starts_with("./")) path.remove_prefix(2);
  if (!uri.ends_with(path)) return false;
  uri.remove_suffix(path.size());
  return uri.empty() || uri.ends_with('/') || uri.ends_with(':') || path.starts_with('/');
}

bool is_value_of(const Wish::Value& value, const connector::Capability& capability,
                 const Offered& offered) {
  const std::string text = lower_cased(value.text);
  const auto is_given = [&](const std::string& given) {
    return text == given || text == "#" + given || text.ends_with("=" + given) ||
           (' ' + given + ' ').find(' ' + text + ' ') != std::string::npos ||
           given.find('"' + text + '"') != std::string::npos;
  };
  if (std::ranges::any_of(offered.values, is_given)) return true;
  if (value.kind == ValueKind::kPath || value.kind == ValueKind::kUri) {
    return capability.type == CapabilityType::kResource &&
           (lower_cased(capability.name) == text ||
            ends_with_path(lower_cased(capability.uri), text));
  }
  const Words words = content_words(value.text);
  return !words.empty() &&
         std::ranges::all_of(words, [&](const std::string& word) { return offered.serves(word); });
}

// is_the_one returns whether the resource is one that a demand speaks of by more than its kind.
bool is_the_one(const Wish::Demand& demand, const Offered& offered) {
  if (!demand.verb.empty() && demand.verb != "list" && !is_generic_verb(demand.verb)) return false;
  const auto known = [&](const std::string& word) {
    return !kKindWords.contains(word) &&
           (contains(offered.named, word) || contains(offered.said, word));
  };
  bool named = false;
  for (const Wish::Chain& chain : demand.chains) {
    bool chain_known = false;
    for (const Wish::Thing& thing : chain) {
      if (known(thing.back())) {
        chain_known = true;
        break;
      }
      const bool kind = kKindWords.contains(thing.back()) || kAttributes.contains(thing.back());
      if (!kind) return false;
      chain_known = chain_known || std::ranges::any_of(thing, known);
    }
    named = named || chain_known;
    if (!chain_known && std::ranges::none_of(demand.about, known)) return false;
  }
  return named || std::ranges::any_of(demand.about, known);
}

bool resource_fits(const Wish& wish, const connector::Capability& capability,
                   const Offered& offered) {
  if (wish.general) return false;
  const bool by_place = std::ranges::any_of(wish.values, [](const Wish::Value& value) {
    return value.kind == ValueKind::kPath || value.kind == ValueKind::kUri;
  });
  if (!by_place && !offered.is_given_some) {
    return !wish.demands.empty() &&
           std::ranges::all_of(wish.demands, [&](const Wish::Demand& demand) {
             return is_the_one(demand, offered);
           });
  }
  // It is named by where it is: what is to be done must be to read it, and no more.
  const auto reads = [&](const Wish::Demand& demand) {
    return (demand.verb.empty() || is_generic_verb(demand.verb)) &&
           std::ranges::all_of(demand.chains, [&](const Wish::Chain& chain) {
             const std::string& head = chain.front().back();
             return kKindWords.contains(head) || kAttributes.contains(head) || offered.serves(head);
           });
  };
  return std::ranges::all_of(wish.demands, reads) &&
         std::ranges::all_of(wish.values, [&](const Wish::Value& value) {
           return is_value_of(value, capability, offered);
         });
}

}  // namespace

bool fits_wish(const Wish& wish, const connector::Capability& capability,
               const Extraction& extraction, bool changes) {
  const Offered offered = offered_by(capability, extraction);
  switch (capability.type) {
    case CapabilityType::kTool:
      return tool_fits(wish, capability, offered, changes);
    case CapabilityType::kResource:
      return resource_fits(wish, capability, offered);
    case CapabilityType::kPrompt:
      return true;  // Only what asks for a prompt comes to one.
  }
  return false;
}

std::vector<std::string> untaken_values(const Wish& wish, const connector::Capability& capability,
                                        const Extraction& extraction) {
  const Offered offered = offered_by(capability, extraction);
  std::vector<std::string> out;
  for (const Wish::Value& value : wish.values) {
    if (!is_value_of(value, capability, offered)) out.push_back(value.text);
  }
  return out;
}

}  // namespace plumbline::agents
