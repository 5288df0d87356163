#include "core/agents/operations/request/filters.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/agents/operations/request/identified.h"
#include "core/agents/operations/request/taken.h"
#include "core/agents/policy/word_table.h"
#include "core/agents/policy/words.h"

namespace plumbline::agents {

namespace {

// Folded.
constexpr WordTable kFilters({
    Filter{"assigned", "assignee"},
    Filter{"closed", "status"},
    Filter{"high", "priority"},
    Filter{"latest", "since"},
    Filter{"low", "priority"},
    Filter{"open", "status"},
    Filter{"overdue", "due"},
    Filter{"pending", "status"},
    Filter{"recent", "since"},
    Filter{"unread", "status"},
    Filter{"urgent", "priority"},
});

// How schemas call the fields.
constexpr WordTable kFieldWords({
    Filter{"after", "since"},
    Filter{"assignee", "assignee"},
    Filter{"count", "since"},
    Filter{"date", "since"},
    Filter{"due", "due"},
    Filter{"limit", "since"},
    Filter{"priority", "priority"},
    Filter{"severity", "priority"},
    Filter{"since", "since"},
    Filter{"sort", "since"},
    Filter{"state", "status"},
    Filter{"status", "status"},
    Filter{"urgency", "priority"},
});

constexpr std::array<std::string_view, 4> kListWords = {"list", "search", "dump", "export"};

}  // namespace

std::string_view field_of(std::string_view word) {
  const Filter* const field = kFieldWords.find(word);
  return field ? field->field : std::string_view();
}

bool is_filter(std::string_view word) { return kFilters.contains(word); }

std::vector<Filter> filters_of(std::string_view request) {
  std::vector<Filter> filters;
  bool opens = true;
  for (WordReader reader(request); reader.next_content(); opens = false) {
    const Filter* const filter = kFilters.find(reader.word());
    if (filter == nullptr) continue;
    const bool verb = opens && filter->word == "open";
    const bool known = std::ranges::find(filters, filter->word, &Filter::word) != filters.end();
    if (!verb && !known) filters.push_back(*filter);
  }
  return filters;
}

namespace {

// is_given_many returns whether a tool has to be told which ones.
bool is_given_many(const connector::Capability& tool) {
  const Json* const required = find(taken_schema(tool), "required");
  const Json* const properties = find(taken_schema(tool), "properties");
  if (required == nullptr || !required->is_array() || properties == nullptr) return false;
  return std::ranges::any_of(*required, [&](const Json& name) {
    const auto* const text = name.get_ptr<const std::string*>();
    const Json* const schema = text != nullptr ? find(*properties, *text) : nullptr;
    return schema != nullptr && string_or(*schema, "type", "") == "array";
  });
}

}  // namespace

bool is_list(const connector::Capability& capability) {
  if (capability.type != connector::CapabilityType::kTool) return false;
  bool gets = false;
  bool many = false;
  for (WordReader reader(capability.name); reader.next();) {
    const std::string folded = fold(reader.word());
    if (std::ranges::find(kListWords, folded) != kListWords.end()) return true;
    gets = gets || folded == "get" || folded == "read" || folded == "show";
    many = many || folded == "all" || (reader.word().ends_with('s') && folded != reader.word());
  }
  return gets && many && !is_given_many(capability);
}

std::vector<std::string> told_words(const connector::Capability& capability) {
  std::vector<std::string> words;
  const Json* const properties = find(taken_schema(capability), "properties");
  if (properties == nullptr || !properties->is_object()) return words;
  for (const auto& [name, schema] : properties->items()) {
    const std::string told = string_or(schema, "description", "");
    for (WordReader reader(told); reader.next_content();) words.emplace_back(reader.word());
  }
  return words;
}

std::vector<std::string> schema_words(const connector::Capability& capability) {
  std::vector<std::string> words;
  const Json* const properties = find(taken_schema(capability), "properties");
  if (properties == nullptr || !properties->is_object()) return words;
  const auto add = [&](std::string_view text) {
    for (WordReader reader(text); reader.next_content();) words.emplace_back(reader.word());
  };
  for (const auto& [name, schema] : properties->items()) {
    add(name);
    if (const Json* const values = find(schema, "enum"); values && values->is_array()) {
      for (const Json& value : *values) {
        if (const auto* const text = value.get_ptr<const std::string*>()) add(*text);
      }
    }
    const std::string told = string_or(schema, "description", "");
    for (const std::string_view value : told_values(told)) add(value);
  }
  return words;
}

}  // namespace plumbline::agents
