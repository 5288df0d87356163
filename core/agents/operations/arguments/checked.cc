#include "core/agents/operations/arguments/checked.h"

#include <algorithm>
#include <string_view>

#include "core/agents/operations/arguments/chosen_action.h"
#include "core/agents/operations/request/identified.h"
#include "core/agents/policy/actions.h"
#include "core/agents/policy/letters.h"
#include "core/agents/policy/word_table.h"
#include "core/agents/policy/words.h"
#include "core/base/text.h"

namespace plumbline::agents {

namespace {

constexpr WordTable kFilters({Word{"filter"}, Word{"query"}, Word{"search"}});
constexpr WordTable kDays({Word{"after"}, Word{"before"}, Word{"date"}, Word{"datetime"},
                           Word{"day"}, Word{"since"}, Word{"until"}});
// They are told by a word, and not by the id of one thing.
constexpr WordTable kKinds({Word{"kind"}, Word{"state"}, Word{"status"}, Word{"type"}});
// What may hold a link is called after one of these, or its description speaks of one.
constexpr WordTable kLinks({Word{"article"}, Word{"body"},       Word{"content"}, Word{"document"},
                            Word{"file"},    Word{"folder"},     Word{"href"},    Word{"http"},
                            Word{"id"},      Word{"image"},      Word{"input"},   Word{"link"},
                            Word{"message"}, Word{"page"},       Word{"path"},    Word{"query"},
                            Word{"repo"},    Word{"repository"}, Word{"site"},    Word{"source"},
                            Word{"src"},     Word{"text"},       Word{"uri"},     Word{"url"},
                            Word{"web"},     Word{"website"}});

// wants_a_day returns whether a property says that it is a date written in digits.
bool wants_a_day(const std::string& name, const Json& schema) {
  const std::string told = string_or(schema, "description", "");
  const std::string format = string_or(schema, "format", "");
  if (format == "date" || format == "date-time") return true;
  const bool digits = told.find("YYYY") != told.npos || told.find("ISO 8601") != told.npos;
  return digits && has_one_of(words_of(name), kDays);
}

bool can_hold(const std::string& name, const Json& schema, const std::string& text) {
  const bool link = text.starts_with("http://") || text.starts_with("https://");
  if (wants_a_day(name, schema)) {
    return !link && text.find('@') == text.npos && std::ranges::any_of(text, is_digit);
  }
  const std::string told = lower_case(string_or(schema, "description", ""));
  if (told.find("email address") != told.npos && std::ranges::all_of(text, is_digit)) return false;
  const std::vector<std::string> words = words_of(name);
  if (!words.empty() && kKinds.contains(words.back()) && is_identifier(text)) return false;
  if (!link || text.find(' ') != text.npos) return true;
  return has_one_of(words_of(name), kLinks) || find(schema, "format") != nullptr ||
         has_one_of(content_words(string_or(schema, "description", "")), kLinks);
}

// needs returns whether a description says that a property is needed for an action.
bool needs(std::string_view told, const std::string& action) {
  const std::string lower = lower_case(told);
  constexpr std::string_view kLead = "required for";
  for (std::size_t at = lower.find(kLead); at != lower.npos; at = lower.find(kLead, at + 1)) {
    std::string_view list = std::string_view(lower).substr(at + kLead.size());
    list = list.substr(0, list.find_first_of(".);\n"));
    for (const std::string_view other : {"optional", "ignored", "not used"}) {
      list = list.substr(0, list.find(other));
    }
    const bool denied = at >= 4 && std::string_view(lower).substr(at - 4, 4) == "not ";
    if (!denied && contains(words_of(list), action)) return true;
  }
  return false;
}

// said_action returns the action by which a tool is told what to do; nullptr: there is none.
const std::string* said_action(const Extraction& extraction, const Json& properties,
                               const Json& root) {
  for (const auto& [name, property] : properties.items()) {
    const Json* const value = find(extraction.arguments, name);
    if (value == nullptr || !is_action(name, property, root)) continue;
    return value->get_ptr<const std::string*>();
  }
  return nullptr;
}

}  // namespace

std::optional<Json> without_filters(const Json& properties, const connector::Capability& capability,
                                    const RequestText& request) {
  const auto filters = [](const std::string& name) {
    const bool any = name.find("ilter") != name.npos || name.find("earch") != name.npos ||
                     name.find("uery") != name.npos;
    return any && has_one_of(words_of(name), kFilters);
  };
  const bool any = std::ranges::any_of(
      properties.items(), [&](const auto& property) { return filters(property.key()); });
  if (!any) return std::nullopt;
  const bool changes = std::ranges::any_of(properties.items(), [&](const auto& property) {
    if (find(property.value(), "enum") == nullptr ||
        !is_action(property.key(), property.value(), capability.input_schema))
      return false;
    const std::optional<Json> action = chosen_action(property.value(), capability, request);
    const auto* const text = action ? action->get_ptr<const std::string*>() : nullptr;
    return text != nullptr && !plainly_reads(*text);
  });
  if (!changes) return std::nullopt;
  Json out = Json::object();
  for (const auto& [name, property] : properties.items()) {
    if (!filters(name)) out[name] = property;
  }
  return out;
}

void forget_misfits(Extraction& extraction, const Json& properties) {
  std::vector<std::string> misfits;
  for (const ArgumentSource& source : extraction.sources) {
    const Json* const schema = find(properties, source.name);
    const auto* const text = extraction.arguments.at(source.name).get_ptr<const std::string*>();
    if (source.provenance != Provenance::kRequest || schema == nullptr || text == nullptr) continue;
    if (!can_hold(source.name, *schema, *text)) misfits.push_back(source.name);
  }
  for (const std::string& name : misfits) {
    extraction.arguments.erase(name);
    std::erase_if(extraction.sources, [&](const auto& one) { return one.name == name; });
  }
}

void split_commands(Extraction& extraction, const Json& properties) {
  for (const ArgumentSource& source : extraction.sources) {
    Json& value = extraction.arguments.at(source.name);
    const Json* const schema = find(properties, source.name);
    const bool one = source.provenance == Provenance::kRequest && value.is_array() &&
                     value.size() == 1 && value[0].is_string();
    if (!one || schema == nullptr || !contains(words_of(source.name), "command")) continue;
    const std::string told = lower_case(string_or(*schema, "description", ""));
    const std::string command = value[0].get<std::string>();
    const bool plain = command.find_first_of("'\"\\`$|&;<>()*?") == command.npos;
    if (told.find("first item") == told.npos || !plain) continue;
    value.clear();
    for (std::string_view rest = command; !rest.empty();) {
      const std::size_t end = std::min(rest.find(' '), rest.size());
      if (end > 0) value.push_back(std::string(rest.substr(0, end)));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }
}

void drop_dots(Extraction& extraction, const Json& properties) {
  const auto is_ending = [](std::string_view text) {
    return text.size() > 2 && text.front() == '.' &&
           std::ranges::all_of(text.substr(1), [](char c) { return is_lower(lower(c)); });
  };
  const auto shows_none = [](std::string_view shown) {
    return !shown.empty() && shown.front() != '.';
  };
  for (const ArgumentSource& source : extraction.sources) {
    if (source.provenance != Provenance::kRequest) continue;
    auto* const text = extraction.arguments.at(source.name).get_ptr<std::string*>();
    const Json* const schema = find(properties, source.name);
    if (text == nullptr || schema == nullptr || !is_ending(*text)) continue;
    const std::string told = string_or(*schema, "description", "");
    const std::vector<std::string_view> shown = quoted_words(told);
    if (shown.size() > 1 && std::ranges::all_of(shown, shows_none)) text->erase(0, 1);
  }
}

void add_missing(Extraction& extraction, const std::vector<std::string>& required,
                 const Json* properties, const Json& root) {
  for (const std::string& name : required) {
    if (!extraction.arguments.contains(name)) extraction.missing.push_back(name);
  }
  if (properties == nullptr || !properties->is_object()) return;
  const std::string* const action = said_action(extraction, *properties, root);
  if (action == nullptr) return;
  for (const auto& [name, property] : properties->items()) {
    const bool lacks = !extraction.arguments.contains(name) && !contains(required, name);
    if (lacks && needs(string_or(property, "description", ""), lower_case(*action)))
      extraction.missing.push_back(name);
  }
}

}  // namespace plumbline::agents
