#include "core/agents/selection.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/agents/arguments.h"
#include "core/agents/readability.h"
#include "core/agents/words.h"

namespace plumbline::agents {

namespace {

// What a match is worth. A candidate needs kRelevantMin, and a word of its name or two of its
// description.
constexpr int kNameWord = 6;
constexpr int kNameWordUnasked = -1;
constexpr int kDescriptionWord = 2;
constexpr int kSchemaWord = 2;
constexpr int kFullName = 6;
constexpr int kTypeAsked = 4;
constexpr int kTypeNotAsked = -6;
constexpr int kPreferred = 5;
constexpr int kActionConflict = -10;
constexpr int kRelevantMin = 6;

// What speaks against running it. These do not make it irrelevant: when there is nothing better,
// validation explains what is wrong with it.
constexpr int kArgumentMissing = -4;
constexpr int kUnreadable = -12;
constexpr int kUnfilterable = -6;
constexpr int kNotAllowed = -2;
constexpr int kPolicyDenies = -8;

struct Asked {
  std::string_view text;
  std::vector<std::string> words;
  bool changes = false;  // It asks for something to be changed.
  Intent intent{};
};

// schema_words returns the words of property names and of enum values.
std::vector<std::string> schema_words(const Capability& capability) {
  std::vector<std::string> words;
  const Json* const properties = find(capability.input_schema, "properties");
  if (properties == nullptr || !properties->is_object()) return words;
  const auto add = [&](std::string_view text) {
    for (std::string& word : content_words(text)) words.push_back(std::move(word));
  };
  for (const auto& [name, schema] : properties->items()) {
    add(name);
    if (const Json* const values = find(schema, "enum"); values && values->is_array()) {
      for (const Json& value : *values) {
        if (const auto* const text = value.get_ptr<const std::string*>()) add(*text);
      }
    }
  }
  return words;
}

int type_score(CapabilityType type, Intent intent) {
  const std::optional<CapabilityType> asked = operation_type(intent);
  if (asked == type) return kTypeAsked;
  // A prompt is never a way to do something else, nor something else a way to use a prompt.
  const bool prompt = type == CapabilityType::kPrompt || asked == CapabilityType::kPrompt;
  return prompt ? kTypeNotAsked : 0;
}

// relevance returns how well the words fit, 0 when too little does.
int relevance(const Asked& asked, const Capability& capability) {
  std::vector<std::string> name = content_words(capability.name + " " + capability.title);
  if (capability.type != CapabilityType::kTool) {
    for (std::string& word : content_words(capability.uri)) {
      if (!contains(name, word)) name.push_back(std::move(word));
    }
  }
  const std::vector<std::string> description = content_words(capability.description);
  const std::vector<std::string> schema = schema_words(capability);
  int score = 0;
  int in_name = 0;
  int in_description = 0;
  for (const std::string& word : asked.words) {
    if (contains(name, word)) {
      score += kNameWord;
      ++in_name;
    } else if (contains(description, word)) {
      score += kDescriptionWord;
      ++in_description;
    }
    if (contains(schema, word)) score += kSchemaWord;
  }
  const bool full_name =
      asked.text.find(capability.name) != std::string_view::npos ||
      (!capability.uri.empty() && asked.text.find(capability.uri) != std::string_view::npos);
  if (full_name) score += kFullName;
  if (in_name == 0 && in_description < 2 && !full_name) return 0;
  if (capability.type == CapabilityType::kTool) {
    score += kNameWordUnasked * (static_cast<int>(name.size()) - in_name);
  }
  return score >= kRelevantMin ? score : 0;
}

int usability(const Asked& asked, const Capability& capability, const Assessment& assessment,
              const Policy& policy) {
  const Extraction extraction =
      extract_arguments(asked.text, capability, policy.defaults_for(capability));
  int score = kArgumentMissing * std::min<int>(3, static_cast<int>(extraction.missing.size()));
  if (is_opaque_type(capability.mime_type)) score += kUnreadable;
  if (!unfilterable_words(asked.text, capability).empty()) score += kUnfilterable;
  if (assessment.denied()) {
    score += kPolicyDenies;
  } else if (!assessment.allowed()) {
    score += kNotAllowed;
  }
  return score;
}

bool is_preferred(const std::vector<std::string>& preferences, const std::string& server) {
  return std::ranges::any_of(preferences, [&](const std::string& preference) {
    return !preference.empty() && server.find(preference) != std::string::npos;
  });
}

}  // namespace

std::vector<Candidate> rank(const Manifest& manifest, std::string_view request, Intent intent,
                            const std::vector<std::string>& server_preferences,
                            const Policy& policy) {
  const Asked asked{request, content_words(request), !verb_risks(request).empty(), intent};
  std::vector<Candidate> candidates;
  for (std::size_t s = 0; s < manifest.servers.size(); ++s) {
    const ServerManifest& server = manifest.servers[s];
    for (std::size_t c = 0; c < server.capabilities.size(); ++c) {
      const Capability& capability = server.capabilities[c];
      int score = relevance(asked, capability);
      if (score == 0) continue;
      const Assessment assessment = policy.assess(capability);
      if (asked.changes != assessment.changes_the_world && !assessment.allowed_by_name) {
        score += kActionConflict;
      }
      score += type_score(capability.type, intent);
      if (score < kRelevantMin) continue;
      if (is_preferred(server_preferences, server.server)) score += kPreferred;
      score += usability(asked, capability, assessment, policy);
      candidates.push_back(Candidate{CapabilityRef{s, c}, score});
    }
  }
  std::ranges::sort(candidates, [](const Candidate& a, const Candidate& b) {
    if (a.score != b.score) return a.score > b.score;
    return a.ref < b.ref;
  });
  return candidates;
}

std::vector<std::string> unfilterable_words(std::string_view request,
                                            const Capability& capability) {
  constexpr std::array<std::string_view, 12> kFilters = {
      "open",     "closed", "high",   "low",     "priority", "urgent",
      "assigned", "unread", "recent", "overdue", "latest",   "pending"};
  constexpr std::array<std::string_view, 6> kLists = {"list", "search", "all",
                                                      "dump", "export", "get"};
  if (capability.type != CapabilityType::kTool) return {};
  const std::vector<std::string> name = content_words(capability.name);
  const bool lists = std::ranges::any_of(kLists, [&](auto word) { return contains(name, word); }) ||
                     contains(words_of(capability.name), "all");
  if (!lists) return {};
  std::vector<std::string> asked;
  for (const std::string& word : content_words(request)) {
    if (std::ranges::find(kFilters, word) != kFilters.end()) asked.push_back(word);
  }
  if (!asked.empty() && asked.front() == "open" && reads(request) && request.starts_with("Open")) {
    asked.erase(asked.begin());  // The verb.
  }
  const std::vector<std::string> schema = schema_words(capability);
  const auto narrows = [&](const std::string& word) {
    return contains(schema, word) || contains(name, word);
  };
  const bool free_text = std::ranges::any_of(
      schema, [](const std::string& word) { return word == "search" || word == "filter"; });
  if (free_text || std::ranges::any_of(asked, narrows)) return {};
  return asked;
}

}  // namespace plumbline::agents
