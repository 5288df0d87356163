#include "core/agents/operations/selection.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <utility>

#include "core/agents/operations/asked.h"
#include "core/agents/operations/fit/doing.h"
#include "core/agents/operations/fit/fit.h"
#include "core/agents/operations/readability.h"
#include "core/agents/operations/request/arguments.h"
#include "core/agents/operations/request/filters.h"
#include "core/agents/operations/request/request_text.h"
#include "core/agents/operations/request/taken.h"
#include "core/agents/policy/verbs.h"
#include "core/agents/policy/words.h"
#include "core/base/rare.h"

namespace plumbline::agents {

namespace {

// What a match is worth. A candidate needs kRelevantMin, and a word of its name or two of its
// description, and it must do what is wished for (fit.h). A verb in a name costs nothing when it
// was not asked for: it is often implied, as in "get_weather".
constexpr int kNameWord = 6;
constexpr int kNameWordUnasked = -1;
constexpr int kDescriptionWord = 2;
constexpr int kDeedInName = 8;  // By another word.
constexpr int kThingInName = 5;
constexpr int kQualifierInName = 5;  // "mesh" of "the MeSH term".
constexpr int kSchemaWord = 2;
constexpr int kServerWord = 2;
constexpr int kArgumentGiven = 2;
constexpr int kFullName = 6;
constexpr int kTypeAsked = 4;
constexpr int kTypeNotAsked = -6;
constexpr int kPreferred = 5;
constexpr int kActionConflict = -15;
constexpr int kGivesMany = 6;  // A list that lacks nothing, where many are wanted.
constexpr int kCounts = 6;     // A tool that is called after counting, where "how many" is asked.
constexpr int kTakesAll = 6;   // Each of several quoted values is one of a list that it takes.
constexpr int kRelevantMin = 5;

// What speaks against running it. These do not make it irrelevant: when there is nothing better,
// validation explains what is wrong with it.
constexpr int kArgumentMissing = -4;
constexpr int kListOfOne = -4;
constexpr int kUnreadable = -12;
constexpr int kUnfilterable = -6;
constexpr int kNotAllowed = -2;
constexpr int kDeprecated = -3;
constexpr int kPolicyDenies = -8;

int type_score(connector::CapabilityType type, Intent intent) {
  const std::optional<connector::CapabilityType> asked = operation_type(intent);
  if (asked == type) return kTypeAsked;
  // A prompt is never a way to do something else, nor something else a way to use a prompt.
  const bool prompt =
      type == connector::CapabilityType::kPrompt || asked == connector::CapabilityType::kPrompt;
  return prompt ? kTypeNotAsked : 0;
}

// Match is how well the words of a request fit a capability.
struct Match {
  int score = 0;           // 0: too little does.
  int server = 0;          // Makes it relevant, and is no reason to prefer it to another.
  bool verb_only = false;  // Nothing fits but what is done: "write" of "write_file".
  bool full_name = false;  // The request says its name, which is no ordinary word.
};

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

bool is_verb_word(const std::string& word) { return is_verb(word); }

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
  if (is_named_for_the_thing(asked, name)) {
    out.score += kThingInName;
  } else if (is_named_for_a_qualifier(asked, name)) {
    out.score += kQualifierInName;
  }
  if (in_name == 0 && is_called_after_the_deed(asked, words)) {
    out.score += kDeedInName;
    ++in_name;
    ++verbs_in_name;
  }
  const bool full_name = says(asked.text, capability.name) || says(asked.text, capability.uri);
  if (full_name) out.score += kFullName;
  if (speaks_of_server(asked, capability.server)) out.server = kServerWord;
  if (capability.type == connector::CapabilityType::kTool) {
    const auto verbs = std::ranges::count_if(name, is_verb_word);
    for (const std::string& word : name) {
      // "get" of "get_or_create_label"; a list is a thing.
      const bool extra_verb = verbs > 1 && is_verb(word) && word != "list";
      const bool of_server = contains(words.server, word);  // As all its tools may be called.
      if (!contains(asked.words, word) && !of_server && (extra_verb || !is_verb(word)))
        out.score += kNameWordUnasked;
    }
  }
  // Of a list, one word of what it says to list is enough.
  const bool lists = is_list(capability) && std::ranges::any_of(asked.words, [&](const auto& word) {
                       return contains(words.lead, word);
                     });
  if (is_all_there_is(asked, capability, words.lead)) ++in_description;
  const bool too_little = in_name == 0 && in_description < (lists ? 1 : 2) && !full_name;
  if (too_little || (!lists && out.score + out.server < kRelevantMin)) out.score = 0;
  out.full_name = full_name && capability.type == connector::CapabilityType::kTool &&
                  capability.name.find_first_of("_-./") != std::string::npos;
  out.verb_only = in_name == verbs_in_name && in_description == 0 && !full_name;
  return out;
}

// gives_list_of_one returns whether a tool for many is given one.
bool gives_list_of_one(const Extraction& extraction) {
  return std::ranges::any_of(extraction.sources, [&](const ArgumentSource& source) {
    const Json& value = extraction.value(source.name);
    return source.provenance == Provenance::kRequest && value.is_array() && value.size() == 1;
  });
}

// takes_all returns whether several values that the request quotes are taken as a list of them, and
// not as one text.
bool takes_all(const Wish& wish, const Extraction& extraction) {
  const auto quoted =
      std::ranges::count(wish.values, Wish::Value::Kind::kQuoted, &Wish::Value::kind);
  return quoted > 1 && std::ranges::any_of(extraction.sources, [&](const ArgumentSource& source) {
           const Json& value = extraction.value(source.name);
           return value.is_array() && static_cast<std::ptrdiff_t>(value.size()) == quoted;
         });
}

bool is_to_count(const Wish& wish) {
  return !wish.demands.empty() && wish.demands.front().verb == "count";
}

// speaks_against returns what stands in the way of running it.
int speaks_against(const Asked& asked, const connector::Capability& capability,
                   const Assessment& assessment, std::size_t missing) {
  int score = kArgumentMissing * static_cast<int>(std::min<std::size_t>(3, missing));
  if (is_opaque_type(capability.mime_type)) score += kUnreadable;
  if (!unfilterable_words(asked.text, capability).empty()) score += kUnfilterable;
  if (capability.description.find("DEPRECATED") != std::string::npos) score += kDeprecated;
  if (assessment.denied()) {
    score += kPolicyDenies;
  } else if (!assessment.allowed()) {
    score += kNotAllowed;
  }
  return score;
}

// is_asked_for_by_name returns whether a tool is called after what is to be done, however harmless
// the word is: "open the page" of a tool that navigates.
bool is_asked_for_by_name(const Asked& asked, const ToolWords& words) {
  return std::ranges::any_of(asked.wish.demands, [&](const Wish::Demand& demand) {
    return !only_reads(demand) || is_called_after(demand.verb, words);
  });
}

// conflicts returns whether one of the two changes something and the other is known not to.
bool conflicts(const Asked& asked, const ToolWords& words, const Assessment& assessment) {
  const bool unknown =
      std::ranges::find(assessment.risks, Risk::kUnknownEffect) != assessment.risks.end();
  if (unknown || assessment.allowed_by_name || asked.changes == assessment.changes_the_world) {
    return false;
  }
  return asked.changes || !is_asked_for_by_name(asked, words);
}

// score returns what the capability is worth, nothing when it is irrelevant.
std::optional<int> score(const Asked& asked, const connector::Capability& capability,
                         const Policy& policy, bool preferred) {
  const ToolWords words = tool_words(capability);
  const Match fit = match(asked, capability, words);
  if (fit.score == 0) return std::nullopt;
  const Assessment assessment = policy.assess(capability);
  int total = fit.score + type_score(capability.type, asked.intent);
  if (conflicts(asked, words, assessment)) total += kActionConflict;
  if (total + fit.server < kRelevantMin) return std::nullopt;
  const Extraction extraction =
      extract_arguments(asked.values, capability, policy.defaults_for(capability));
  const std::size_t missing = extraction.missing.size();
  // A verb alone is not enough unless the request gives it all it needs.
  if (fit.verb_only && missing > 0) return std::nullopt;
  const bool changes = assessment.changes_the_world;
  if (!fit.full_name && !fits_wish(asked.wish, capability, words, extraction, changes))
    return std::nullopt;
  const auto given =
      std::ranges::count(extraction.sources, Provenance::kRequest, &ArgumentSource::provenance);
  total += kArgumentGiven * static_cast<int>(std::min<std::ptrdiff_t>(given, 2));
  if (gives_list_of_one(extraction)) total += kListOfOne;
  if (takes_all(asked.wish, extraction)) total += kTakesAll;
  if (is_to_count(asked.wish) && is_called_after_counting(words)) total += kCounts;
  if (preferred) total += kPreferred;
  const bool many = !asked.wish.demands.empty() && asked.wish.demands.front().many;
  if (many && missing == 0 && is_list(capability)) total += kGivesMany;
  if (!untaken_values(asked.wish, capability, words, extraction).empty()) total += kUnfilterable;
  return total + speaks_against(asked, capability, assessment, missing);
}

void sort_best_first(std::vector<Candidate>& candidates) {
  const bool last_first = rare(Rare::kSelectEquals);
  std::ranges::sort(candidates, [last_first](const Candidate& a, const Candidate& b) {
    if (a.score != b.score) return a.score > b.score;
    return last_first ? b.ref < a.ref : a.ref < b.ref;
  });
}

// add_extractors puts the tools that could read it for us before a best candidate that is opaque.
void add_extractors(std::vector<Candidate>& candidates, const connector::Manifest& manifest,
                    std::string_view request, const Policy& policy) {
  if (candidates.empty() || !is_opaque_type(at(manifest, candidates.front().ref).mime_type)) return;
  const int above = candidates.front().score + 1;
  for (std::size_t s = 0; s < manifest.servers.size(); ++s) {
    const std::vector<connector::Capability>& capabilities = manifest.servers[s].capabilities;
    for (std::size_t c = 0; c < capabilities.size(); ++c) {
      const connector::Capability& tool = capabilities[c];
      const connector::CapabilityRef ref{s, c};
      if (!extracts(tool) || !policy.assess(tool).allowed()) continue;
      const Json configured = policy.defaults_for(tool);
      if (!extract_arguments(request, tool, configured).missing.empty()) continue;
      std::erase_if(candidates, [&](const Candidate& one) { return one.ref == ref; });
      candidates.push_back(Candidate{ref, above});
    }
  }
}

bool is_preferred(const std::vector<std::string>& preferences, const std::string& server) {
  return std::ranges::any_of(preferences, [&](const std::string& preference) {
    return !preference.empty() && server.find(preference) != std::string::npos;
  });
}

}  // namespace

std::vector<Candidate> rank(const connector::Manifest& manifest, std::string_view request,
                            Intent intent, const std::vector<std::string>& server_preferences,
                            const Policy& policy) {
  const Asked asked = asked_by(request, intent);
  std::vector<Candidate> candidates;
  for (std::size_t s = 0; s < manifest.servers.size(); ++s) {
    const connector::ServerManifest& server = manifest.servers[s];
    const bool preferred = is_preferred(server_preferences, server.server);
    for (std::size_t c = 0; c < server.capabilities.size(); ++c) {
      const std::optional<int> worth = score(asked, server.capabilities[c], policy, preferred);
      if (worth) candidates.push_back(Candidate{connector::CapabilityRef{s, c}, *worth});
    }
  }
  sort_best_first(candidates);
  add_extractors(candidates, manifest, request, policy);
  sort_best_first(candidates);
  return candidates;
}

std::vector<std::string> unfilterable_words(std::string_view request,
                                            const connector::Capability& capability) {
  if (!is_list(capability)) return {};
  const std::vector<Filter> filters = filters_of(request);
  if (filters.empty()) return {};
  const std::vector<std::string> schema = schema_words(capability);
  const std::vector<std::string> name =
      content_words(capability.name + ' ' + std::string(first_sentence(capability.description)));
  const auto free_text = [](const std::string& word) {
    return word == "search" || word == "filter";
  };
  if (std::ranges::any_of(schema, free_text)) return {};
  std::vector<std::string> out;
  for (const Filter& filter : filters) {
    const bool narrows = contains(name, filter.word) || contains(schema, filter.word) ||
                         std::ranges::find(schema, filter.field, field_of) != schema.end();
    if (!narrows) out.emplace_back(filter.word);
  }
  return out;
}

}  // namespace plumbline::agents
