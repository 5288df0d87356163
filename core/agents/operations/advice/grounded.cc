#include "core/agents/operations/advice/grounded.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/agents/operations/arguments/arguments.h"
#include "core/agents/operations/arguments/checked.h"
#include "core/agents/operations/arguments/standing.h"
#include "core/agents/operations/request/taken.h"
#include "core/agents/policy/letters.h"

namespace plumbline::agents {

namespace {

constexpr int kDepthMax = 16;

// part_of and items_of return what a schema says of a member, and of the items of an array; an
// empty object where it says nothing.
const Json& part_of(const Json& schema, const std::string& name) {
  static const Json nothing = Json::object();
  const Json* const properties = find(schema, "properties");
  const Json* const part = properties != nullptr ? find(*properties, name) : nullptr;
  return part != nullptr ? *part : nothing;
}

const Json& items_of(const Json& schema) {
  static const Json nothing = Json::object();
  const Json* const items = find(schema, "items");
  return items != nullptr ? *items : nothing;
}

// is_choice returns whether a schema, or one of its alternatives, lists the value.
bool is_choice(const Json& schema, const Json& value) {
  const Json* const values = find(schema, "enum");
  if (values != nullptr && values->is_array() && std::ranges::count(*values, value) > 0)
    return true;
  const Json* const only = find(schema, "const");
  if (only != nullptr && *only == value) return true;
  for (const char* const key : {"anyOf", "oneOf"}) {
    const Json* const parts = find(schema, key);
    if (parts == nullptr || !parts->is_array()) continue;
    if (std::ranges::any_of(*parts, [&](const Json& part) { return is_choice(part, value); })) {
      return true;
    }
  }
  return false;
}

// lists returns whether a description has a word among others to choose from: "date" of "such as
// page, device, date".
bool lists(std::string_view description, std::string_view word) {
  constexpr std::string_view kQuotes = "'\"` ";
  const auto is_plain = [](char c) { return is_lower(lower(c)) || c == '_' || c == '-'; };
  if (word.empty() || !std::ranges::all_of(word, is_plain)) return false;
  for (std::size_t at = description.find(word); at != description.npos;
       at = description.find(word, at + 1)) {
    std::string_view before = description.substr(0, at);
    std::string_view behind = description.substr(at + word.size());
    const bool whole = (before.empty() || !is_plain(before.back())) &&
                       (behind.empty() || !is_plain(behind.front()));
    while (!before.empty() && kQuotes.find(before.back()) != kQuotes.npos) before.remove_suffix(1);
    while (!behind.empty() && kQuotes.find(behind.front()) != kQuotes.npos) behind.remove_prefix(1);
    const bool among = before.ends_with(',') || before.ends_with('|') || before.ends_with(" or") ||
                       behind.starts_with(',') || behind.starts_with('|') ||
                       behind.starts_with("or ");
    if (whole && among) return true;
  }
  return false;
}

// Grounds is what a request says, as far as values of arguments may rest on it.
class Grounds {
 public:
  explicit Grounds(Said& said) : said_(said) {}

  // hold returns whether the request says a value; texts become as the request writes them.
  bool hold(Json& value, const Json& schema, int depth = 0) {
    if (depth > kDepthMax) return false;
    if (value.is_boolean() || is_choice(schema, value)) return true;
    if (auto* const text = value.get_ptr<std::string*>()) return hold_text(*text, schema);
    if (value.is_number()) return said_.counts(value.get<double>());
    if (value.is_array()) {
      return std::ranges::all_of(
          value, [&](Json& item) { return hold(item, items_of(schema), depth + 1); });
    }
    if (!value.is_object()) return false;  // null
    for (auto& [name, member] : value.items()) {
      const Json& part = part_of(schema, name);
      std::string key = name;
      if (part.empty() && (!said_.says(key) || key != name)) return false;
      if (!hold(member, part, depth + 1)) return false;
    }
    return true;
  }

 private:
  bool hold_text(std::string& text, const Json& schema) {
    const std::string description = string_or(schema, "description", "");
    const std::string proposed = text;
    if (said_.says(text)) {
      // One of the words that the schema tells of, and does not list.
      if (description.find(proposed) != std::string::npos) text = proposed;
      return true;
    }
    return said_.means(text) || said_.makes_up(text, description) || lists(description, text);
  }

  Said& said_;
};

// may_have returns whether a schema knows a member, or says that there may be others.
bool may_have(const Json& schema, const std::string& name) {
  const Json* const properties = find(schema, "properties");
  const Json* const others = find(schema, "additionalProperties");
  const bool open = others != nullptr && (others->is_object() || *others == Json(true));
  return open || properties == nullptr || find(*properties, name) != nullptr;
}

// is_given returns whether the words of the request alone give that value: 20 seconds are 20000 of
// timeout_ms.
bool is_given(const Extraction& words, const std::string& name, const Json& value) {
  return std::ranges::any_of(words.sources, [&](const ArgumentSource& source) {
    return source.name == name && words.value(name) == value;
  });
}

}  // namespace

std::optional<Extraction> grounded_arguments(const Json& proposed, Said& request,
                                             const connector::Capability& capability,
                                             const Json& configured) {
  const Json& schema = taken_schema(capability);
  const std::optional<std::string> wrapper = wrapper_of(capability);
  const Json* const inner = wrapper ? find(proposed, *wrapper) : nullptr;
  const Json& said = inner != nullptr && inner->is_object() ? *inner : proposed;
  const std::vector<std::string> required = required_of(schema);
  const Json* const properties = find(schema, "properties");
  Grounds grounds(request);
  const Extraction words = extract_arguments(request.request(), capability, configured);
  Extraction out;
  for (const auto& [name, proposal] : said.items()) {
    const Json& part = part_of(schema, name);
    Json value = proposal;
    const bool given = grounds.hold(value, part) || is_given(words, name, proposal);
    if ((!given || !may_have(schema, name)) && !value.is_null()) return std::nullopt;
    if (given) out.give(name, std::move(value), Provenance::kRequest);
  }
  if (properties != nullptr && properties->is_object()) {
    for (const auto& [name, property] : properties->items()) {
      if (find(out.arguments, name) != nullptr) continue;
      give_standing(out, name, property, contains(required, name), configured);
    }
  }
  add_missing(out, required, properties, capability.input_schema);
  if (!out.missing.empty()) return std::nullopt;
  wrap(out, capability);
  return out;
}

}  // namespace plumbline::agents
