#include "core/agents/filters.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/agents/words.h"

namespace plumbline::agents {

namespace {

// Sorted by word, which is folded.
constexpr std::array kFilters = std::to_array<Filter>({{"assigned", "assignee"},
                                                       {"closed", "status"},
                                                       {"high", "priority"},
                                                       {"latest", "since"},
                                                       {"low", "priority"},
                                                       {"open", "status"},
                                                       {"overdue", "due"},
                                                       {"pending", "status"},
                                                       {"recent", "since"},
                                                       {"unread", "status"},
                                                       {"urgent", "priority"}});
static_assert(std::ranges::is_sorted(kFilters, {}, &Filter::word));

// How schemas call the fields. Sorted by word.
constexpr std::array kFields = std::to_array<Filter>({{"after", "since"},
                                                      {"assignee", "assignee"},
                                                      {"count", "since"},
                                                      {"date", "since"},
                                                      {"due", "due"},
                                                      {"limit", "since"},
                                                      {"priority", "priority"},
                                                      {"severity", "priority"},
                                                      {"since", "since"},
                                                      {"sort", "since"},
                                                      {"state", "status"},
                                                      {"status", "status"},
                                                      {"urgency", "priority"}});
static_assert(std::ranges::is_sorted(kFields, {}, &Filter::word));

constexpr std::array<std::string_view, 4> kListWords = {"list", "search", "dump", "export"};

template <std::size_t N>
std::string_view field_in(const std::array<Filter, N>& table, std::string_view word) {
  const auto found = std::ranges::lower_bound(table, word, {}, &Filter::word);
  return found != table.end() && found->word == word ? found->field : std::string_view();
}

}  // namespace

std::string_view field_of(std::string_view word) { return field_in(kFields, word); }

std::vector<Filter> filters_of(std::string_view request) {
  std::vector<Filter> filters;
  bool opens = true;
  for (WordReader reader(request); reader.next_content(); opens = false) {
    const auto found = std::ranges::lower_bound(kFilters, reader.word(), {}, &Filter::word);
    if (found == kFilters.end() || found->word != reader.word()) continue;
    const bool verb = opens && found->word == "open";
    const bool known = std::ranges::find(filters, found->word, &Filter::word) != filters.end();
    if (!verb && !known) filters.push_back(*found);
  }
  return filters;
}

bool is_list(const Capability& capability) {
  if (capability.type != CapabilityType::kTool) return false;
  bool gets = false;
  bool many = false;
  for (WordReader reader(capability.name); reader.next();) {
    const std::string folded = fold(reader.word());
    if (std::ranges::find(kListWords, folded) != kListWords.end()) return true;
    gets = gets || folded == "get" || folded == "read" || folded == "show";
    many = many || folded == "all" || (reader.word().ends_with('s') && folded != reader.word());
  }
  return gets && many;
}

std::vector<std::string> schema_words(const Capability& capability) {
  std::vector<std::string> words;
  const Json* const properties = find(capability.input_schema, "properties");
  if (properties == nullptr || !properties->is_object()) return words;
  const auto add = [&](std::string_view text) {
    for (WordReader reader(text); reader.next_content();) words.push_back(reader.word());
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

}  // namespace plumbline::agents
