#include "core/agents/operations/selection.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/agents/dictionary/dictionary.h"
#include "core/agents/operations/arguments/arguments.h"
#include "core/agents/operations/arguments/chosen_action.h"
#include "core/agents/operations/asked.h"
#include "core/agents/operations/fit/doing.h"
#include "core/agents/operations/fit/fit.h"
#include "core/agents/operations/fit/outdone.h"
#include "core/agents/operations/fit/untaken.h"
#include "core/agents/operations/match.h"
#include "core/agents/operations/readability.h"
#include "core/agents/operations/request/filters.h"
#include "core/agents/operations/request/property_kind.h"
#include "core/agents/operations/request/request_text.h"
#include "core/agents/operations/request/taken.h"
#include "core/agents/operations/translated.h"
#include "core/agents/policy/verbs.h"
#include "core/agents/policy/words.h"
#include "core/base/rare.h"

namespace plumbline::agents {

namespace {

// What it is worth beside its words (match.h). It must also do what is wished for (fit.h).
constexpr int kArgumentGiven = 2;
constexpr int kTypeAsked = 4;
constexpr int kTypeNotAsked = -6;
constexpr int kPreferred = 5;
constexpr int kActionConflict = -15;
constexpr int kGivesMany = 6;  // A list that lacks nothing, where many are wanted.
constexpr int kCounts = 8;     // A tool that is called after counting, where "how many" is asked.
constexpr int kTakesAll = 6;   // Each of several quoted values is one of a list that it takes.

// What speaks against running it. These do not make it irrelevant: when there is nothing better,
// validation explains what is wrong with it.
constexpr int kArgumentMissing = -4;
constexpr int kListOfOne = -4;
constexpr int kNameIsId = -3;
constexpr int kSearchForId = -8;
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

// searches_for_an_id returns whether the words to search for are the id of one thing.
bool searches_for_an_id(const Extraction& extraction) {
  constexpr std::size_t kUuidSize = 36;
  return std::ranges::any_of(extraction.sources, [&](const ArgumentSource& source) {
    const auto* const text = extraction.value(source.name).get_ptr<const std::string*>();
    return text != nullptr && text->size() == kUuidSize && std::ranges::count(*text, '-') == 4 &&
           (source.name == "query" || kind_of(source.name) == PropertyKind::kPhrase);
  });
}

// names_by_an_id returns whether an identifier is given as the name of something.
bool names_by_an_id(const Extraction& extraction) {
  return std::ranges::any_of(extraction.sources, [&](const ArgumentSource& source) {
    const auto* const text = extraction.value(source.name).get_ptr<const std::string*>();
    const bool name = source.name == "name" || source.name == "title";
    return name && source.provenance == Provenance::kRequest && text != nullptr &&
           is_identifier(*text);
  });
}

// speaks_against returns what stands in the way of running it.
int speaks_against(const Asked& asked, const connector::Capability& capability,
                   const Assessment& assessment, std::size_t missing) {
  int score = kArgumentMissing * static_cast<int>(std::min<std::size_t>(3, missing));
  if (is_opaque_type(capability.mime_type)) score += kUnreadable;
  if (!unfilterable_words(asked.text, capability).empty()) score += kUnfilterable;
  if (is_deprecated(capability)) score += kDeprecated;
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

// only_tells returns whether a tool says that it only reads: by its annotations, or its name. A
// person may still be asked before it is called (policy.h); it is no less what was asked for.
bool only_tells(const connector::Capability& capability) {
  return bool_or(capability.annotations, "readOnlyHint", false) || reads(capability.name);
}

// is_order returns whether a tool's name begins with a word that is a verb too: "build_job".
bool is_order(const ToolWords& words) {
  return words.named.size() > 1 && is_verb_too(words.named.front()) &&
         !is_generic_verb(words.named.front());
}

// conflicts returns whether one of the two changes something and the other is known not to.
bool conflicts(const Asked& asked, const connector::Capability& capability, const ToolWords& words,
               const Assessment& assessment) {
  const bool unknown =
      std::ranges::find(assessment.risks, Risk::kUnknownEffect) != assessment.risks.end();
  const bool wonders = std::ranges::any_of(
      asked.wish.demands, [](const Wish::Demand& demand) { return demand.whether; });
  if (unknown && wonders) return !only_tells(capability) && is_order(words);
  if (unknown || assessment.allowed_by_name || asked.changes == assessment.changes_the_world) {
    return false;
  }
  if (asked.changes) {
    const auto runs = [&](const Wish::Demand& demand) {
      return runs_what_it_is_told(demand.verb, words);
    };
    const auto harmless = [&](const Wish::Demand& demand) {
      return runs(demand) || only_reads(demand);
    };
    return std::ranges::none_of(asked.wish.demands, runs) ||
           !std::ranges::all_of(asked.wish.demands, harmless);
  }
  return !only_tells(capability) && !is_asked_for_by_name(asked, words);
}

// score returns what the capability is worth, nothing when it is irrelevant.
std::optional<int> score(const Asked& asked, const connector::Capability& capability,
                         const Policy& policy, bool preferred) {
  const ToolWords words = tool_words(capability);
  const Match fit = match(asked, capability, words);
  if (fit.score == 0) return std::nullopt;
  const Assessment assessment = policy.assess(capability);
  int total = fit.score + type_score(capability.type, asked.intent);
  const Extraction extraction =
      extract_arguments(asked.values, capability, policy.defaults_for(capability));
  const bool told_to_read = !asked.changes && only_reads_by_action(capability, extraction);
  if (!told_to_read && conflicts(asked, capability, words, assessment)) total += kActionConflict;
  if (total + fit.server < kRelevantMin) return std::nullopt;
  const std::size_t missing = extraction.missing.size();
  // A verb alone is not enough unless the request gives it all it needs.
  if (fit.verb_only && missing > 0) return std::nullopt;
  const bool changes = assessment.changes_the_world && !told_to_read;
  if (!fit.full_name && !fits_wish(asked.wish, capability, words, extraction, changes))
    return std::nullopt;
  const auto given =
      std::ranges::count(extraction.sources, Provenance::kRequest, &ArgumentSource::provenance);
  total += kArgumentGiven * static_cast<int>(std::min<std::ptrdiff_t>(given, 2));
  if (gives_list_of_one(extraction)) total += kListOfOne;
  if (names_by_an_id(extraction)) total += kNameIsId;
  if (searches_for_an_id(extraction)) total += kSearchForId;
  if (takes_all(asked.wish, extraction)) total += kTakesAll;
  if (is_to_count(asked.wish) && is_called_after_counting(words)) total += kCounts;
  if (preferred) total += kPreferred;
  const bool many = !asked.wish.demands.empty() && asked.wish.demands.front().many;
  if (many && missing == 0 && is_list(capability)) total += kGivesMany;
  if (!untaken_by(asked.wish, capability, words, extraction).empty()) total += kUnfilterable;
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

// rank_all returns what fits, best first. With `by_dictionary` the request is read in the words of
// each tool.
std::vector<Candidate> rank_all(const connector::Manifest& manifest, const Asked& asked,
                                const std::vector<std::string>& server_preferences,
                                const Policy& policy, bool by_dictionary = false) {
  std::vector<Candidate> candidates;
  for (std::size_t s = 0; s < manifest.servers.size(); ++s) {
    const connector::ServerManifest& server = manifest.servers[s];
    const bool preferred = is_preferred(server_preferences, server.server);
    for (std::size_t c = 0; c < server.capabilities.size(); ++c) {
      const connector::Capability& capability = server.capabilities[c];
      const std::optional<int> worth =
          by_dictionary
              ? score(translated(asked, tool_words(capability)), capability, policy, preferred)
              : score(asked, capability, policy, preferred);
      if (worth) candidates.push_back(Candidate{connector::CapabilityRef{s, c}, *worth});
    }
  }
  sort_best_first(candidates);
  return candidates;
}

// is_complete returns whether a candidate is given all it needs, and takes all it is given.
bool is_complete(const Asked& asked, const connector::Capability& capability,
                 const Policy& policy) {
  const Extraction extraction =
      extract_arguments(asked.values, capability, policy.defaults_for(capability));
  return extraction.missing.empty() &&
         untaken_by(asked.wish, capability, tool_words(capability), extraction).empty();
}

bool any_complete(const std::vector<Candidate>& candidates, const connector::Manifest& manifest,
                  const Asked& asked, const Policy& policy) {
  return std::ranges::any_of(candidates, [&](const Candidate& one) {
    return is_complete(asked, at(manifest, one.ref), policy);
  });
}

// prefer_complete puts the best that is given all it needs, and takes all it is given, before one
// that is or does not, where it is called after what is wanted and hardly worse by its words.
void prefer_complete(std::vector<Candidate>& candidates, const connector::Manifest& manifest,
                     const Asked& asked, const Policy& policy) {
  constexpr int kHardlyWorse = 10;
  if (candidates.size() < 2 || asked.wish.values.empty() || asked.wish.demands.empty()) return;
  const auto complete = [&](const Candidate& one) {
    return is_complete(asked, at(manifest, one.ref), policy);
  };
  const auto best = std::ranges::find_if(candidates, complete);
  if (best == candidates.begin() || best == candidates.end()) return;
  const Wish::Demand& demand = asked.wish.demands.front();
  const connector::Capability& capability = at(manifest, best->ref);
  const ToolWords words = tool_words(capability);
  const bool for_it =
      demand.chains.empty() || words.speaks_of(demand.chains.front().front().back());
  const bool close = best->score + kHardlyWorse >= candidates.front().score;
  const auto other = std::find_if(best + 1, candidates.end(), complete);
  const bool alone = other == candidates.end() || other->score < best->score;
  const bool tool = capability.type == connector::CapabilityType::kTool;
  if (tool && for_it && close && alone) std::rotate(candidates.begin(), best, best + 1);
}

// makes_something returns whether a tool changes something, or makes what it gives back.
bool makes_something(const connector::Capability& capability, const Policy& policy) {
  const std::vector<std::string> name = content_words(capability.name);
  return contains(name, "generate") || contains(name, "render") || contains(name, "draw") ||
         policy.assess(capability).changes_the_world;
}

// is_for_the_object returns whether what is wanted stands in a tool's name or first sentence; or,
// where nothing is said but values, whether they are what it is called after.
bool is_for_the_object(const Asked& asked, const connector::Capability& capability) {
  const ToolWords words = tool_words(capability);
  bool any = false;
  const ToolWords by_name{words.named, {}, {}, {}, {}, {}};
  for (const Wish::Demand& demand : asked.wish.demands) {
    const bool opens = !words.lead.empty() && words.lead.front() == demand.verb;
    if (!only_reads(demand) && !opens && !is_called_after(demand.verb, by_name)) return false;
    any = any || !demand.chains.empty() || !demand.so.empty();
    if (demand.chains.empty()) continue;
    const std::string& wanted = demand.chains.front().front().back();
    const bool among_its_own = contains(words.named, wanted) || contains(words.lead, wanted) ||
                               contains(words.server, wanted);
    const bool in_a_value = std::ranges::any_of(asked.wish.values, [&](const Wish::Value& value) {
      return contains(content_words(value.text), wanted);
    });
    const bool told = !asked.changes && !asked.wish.values.empty() && only_reads(demand) &&
                      contains(words.described, wanted) && reads(capability.name);
    if (!among_its_own && !in_a_value && !told) return false;
  }
  if (any) return true;
  RequestText values = asked.values;
  const bool place = values.path().has_value();
  const bool page = values.uri().has_value();
  const auto speaks_of = [&](std::string_view word) {
    return contains(words.named, word) || contains(words.lead, word);
  };
  const bool for_places = speaks_of("file") || speaks_of("folder") || speaks_of("path");
  if (place && !for_places) return false;
  return std::ranges::none_of(words.named, [&](const std::string& word) {
    const bool kind = (place && (word == "file" || word == "folder" || word == "text")) ||
                      (page && (word == "url" || word == "page" || word == "web"));
    return !kind && !is_verb(word) && !is_generic_verb(word) && !contains(words.server, word);
  });
}

// rank_translated returns the one tool that fits by the dictionary and is given all it needs.
// Nothing where there are several, and none of them is much better.
std::optional<Candidate> rank_translated(const connector::Manifest& manifest, const Asked& asked,
                                         const std::vector<std::string>& server_preferences,
                                         const Policy& policy) {
  constexpr int kMuchBetter = 4;
  Asked freely = asked;
  freely.last_resort = true;
  std::vector<Candidate> candidates = rank_all(manifest, freely, server_preferences, policy, true);
  std::erase_if(candidates, [&](const Candidate& one) {
    const connector::Capability& capability = at(manifest, one.ref);
    return capability.type != connector::CapabilityType::kTool ||
           !is_for_the_object(translated(asked, tool_words(capability)), capability) ||
           has_action(capability) ||  // It says too little of what it does.
           (asked.changes && !makes_something(capability, policy)) ||
           !is_complete(asked, capability, policy);
  });
  if (candidates.empty()) return std::nullopt;
  const bool alone =
      candidates.size() == 1 || candidates[0].score >= candidates[1].score + kMuchBetter;
  return alone ? std::optional(candidates.front()) : std::nullopt;
}

}  // namespace

std::vector<Candidate> rank(const connector::Manifest& manifest, std::string_view request,
                            Intent intent, const std::vector<std::string>& server_preferences,
                            const Policy& policy) {
  const Asked asked = asked_by(request, intent);
  std::vector<Candidate> candidates = rank_all(manifest, asked, server_preferences, policy);
  if (!any_complete(candidates, manifest, asked, policy)) {
    const std::optional<Candidate> other =
        rank_translated(manifest, asked, server_preferences, policy);
    if (other) {
      std::erase_if(candidates, [&](const Candidate& one) { return one.ref == other->ref; });
      candidates.insert(candidates.begin(), *other);
      return candidates;
    }
  }
  std::erase_if(candidates, [&](const Candidate& one) {
    return is_outdone(asked.wish, manifest, one.ref, policy);
  });
  add_extractors(candidates, manifest, request, policy);
  sort_best_first(candidates);
  prefer_complete(candidates, manifest, asked, policy);
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
