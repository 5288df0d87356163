#include "scenarios/compare/schema_changes.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

namespace plumbline::scenarios {

namespace {

using Types = std::set<std::string>;

// types_of returns what a value may be; empty: anything. Whole numbers are numbers, too.
Types types_of(const Json& schema) {
  Types types;
  const Json* const type = find(schema, "type");
  if (type != nullptr && type->is_string()) types.insert(*type->get_ptr<const std::string*>());
  if (type != nullptr && type->is_array()) {
    for (const Json& one : *type) {
      if (one.is_string()) types.insert(*one.get_ptr<const std::string*>());
    }
  }
  if (types.contains("number")) types.insert("integer");
  return types;
}

// allows returns whether everything of `part` may be in `whole`.
bool allows(const Types& whole, const Types& part) {
  if (whole.empty()) return true;
  return !part.empty() && std::ranges::includes(whole, part);
}

// values_of returns which values there are to choose from; nothing: any.
std::optional<std::vector<Json>> values_of(const Json& schema) {
  if (const Json* const one = find(schema, "const")) return std::vector<Json>{*one};
  const Json* const all = find(schema, "enum");
  if (all == nullptr || !all->is_array()) return std::nullopt;
  return std::vector<Json>(all->begin(), all->end());
}

bool holds(const std::vector<Json>& values, const Json& value) {
  return std::ranges::find(values, value) != values.end();
}

Types required_of(const Json& schema) {
  Types names;
  const Json* const required = find(schema, "required");
  if (required == nullptr || !required->is_array()) return names;
  for (const Json& one : *required) {
    if (one.is_string()) names.insert(*one.get_ptr<const std::string*>());
  }
  return names;
}

Json properties_of(const Json& schema) {
  const Json* const properties = find(schema, "properties");
  return properties != nullptr && properties->is_object() ? *properties : Json::object();
}

bool is_closed(const Json& schema) {
  const Json* const more = find(schema, "additionalProperties");
  return more != nullptr && more->is_boolean() && !more->get<bool>();
}

// Bound is a keyword that sets one; upper: less is tighter.
struct Bound {
  std::string_view keyword;
  bool upper;
};
constexpr auto kBounds = std::to_array<Bound>({{"minimum", false},
                                               {"exclusiveMinimum", false},
                                               {"minLength", false},
                                               {"minItems", false},
                                               {"minProperties", false},
                                               {"maximum", true},
                                               {"exclusiveMaximum", true},
                                               {"maxLength", true},
                                               {"maxItems", true},
                                               {"maxProperties", true}});

// Of no consequence to what is allowed.
constexpr auto kRemarks = std::to_array<std::string_view>(
    {"title", "description", "default", "examples", "$schema", "$id", "$comment", "deprecated"});
constexpr auto kUnderstood = std::to_array<std::string_view>(
    {"type", "enum", "const", "properties", "required", "additionalProperties", "items"});

// Shift is how the two differ at one place, by what may be sent: less, more, or who knows.
struct Shift {
  std::vector<std::string> less;
  std::vector<std::string> more;
  std::vector<std::string> other;
};

void compare_bounds(const Json& then, const Json& now, Shift& shift) {
  for (const Bound& bound : kBounds) {
    const Json* const was = find(then, bound.keyword);
    const Json* const is = find(now, bound.keyword);
    const bool had = was != nullptr && was->is_number();
    const bool has = is != nullptr && is->is_number();
    if ((!had && !has) || (had && has && *was == *is)) continue;
    const bool tighter = has && (!had || (bound.upper ? *is < *was : *is > *was));
    (tighter ? shift.less : shift.more).emplace_back(bound.keyword);
  }
}

void compare_values(const Json& then, const Json& now, Shift& shift) {
  const auto was = values_of(then);
  const auto is = values_of(now);
  if (is && (!was || !std::ranges::all_of(*was, [&](const Json& v) { return holds(*is, v); }))) {
    shift.less.emplace_back("enum");
  }
  if (was && (!is || !std::ranges::all_of(*is, [&](const Json& v) { return holds(*was, v); }))) {
    shift.more.emplace_back("enum");
  }
}

void compare_rest(const Json& then, const Json& now, Shift& shift) {
  const auto is_known = [](std::string_view key) {
    const auto is_bound = [key](const Bound& bound) { return bound.keyword == key; };
    return std::ranges::count(kRemarks, key) > 0 || std::ranges::count(kUnderstood, key) > 0 ||
           std::ranges::any_of(kBounds, is_bound);
  };
  std::set<std::string> keys;
  for (const Json* const schema : {&then, &now}) {
    if (!schema->is_object()) continue;
    for (const auto& [key, unused] : schema->items()) keys.insert(key);
  }
  for (const std::string& key : keys) {
    if (is_known(key)) continue;
    const Json* const was = find(then, key);
    const Json* const is = find(now, key);
    if (was != nullptr && is != nullptr && *was == *is) continue;
    (is == nullptr ? shift.more : shift.other).push_back(key);
  }
}

// shift_of compares everything but the properties and the items.
Shift shift_of(const Json& then, const Json& now) {
  Shift shift;
  const Types was = types_of(then);
  const Types is = types_of(now);
  if (!allows(is, was)) shift.less.emplace_back("type");
  if (!allows(was, is)) shift.more.emplace_back("type");
  compare_values(then, now, shift);
  compare_bounds(then, now, shift);
  compare_rest(then, now, shift);
  return shift;
}

// of returns these keywords of a schema, in a few words.
std::string keywords_of(const Json& schema, const std::vector<std::string>& keywords) {
  Json shown = Json::object();
  for (const std::string& keyword : keywords) {
    for (const std::string& key : {keyword, std::string(keyword == "enum" ? "const" : "")}) {
      if (const Json* const value = find(schema, key)) shown[key] = *value;
    }
  }
  return shown.empty() ? "anything" : shown_value(shown);
}

void tell_shift(std::string_view id, const Json& then, const Json& now,
                const std::vector<std::string>& keywords, const std::string& place,
                std::vector<Difference>& out) {
  if (keywords.empty()) return;
  out.push_back(difference(id, place, keywords_of(then, keywords), keywords_of(now, keywords)));
}

const Json& items_of(const Json& schema) {
  static const Json kAnything = Json::object();
  const Json* const items = find(schema, "items");
  return items == nullptr || !items->is_object() ? kAnything : *items;
}

void compare_input_members(const Json& then, const Json& now, const std::string& place,
                           std::vector<Difference>& out) {
  const Json was = properties_of(then);
  const Json is = properties_of(now);
  const Types needed_then = required_of(then);
  const Types needed_now = required_of(now);
  for (const auto& [name, schema] : was.items()) {
    const std::string at = place + "/" + name;
    const Json* const other = find(is, name);
    if (other != nullptr) {
      input_changes(schema, *other, at, out);
    } else if (is_closed(now)) {
      out.push_back(difference("diff.argument-lost", at, shown_value(schema), "not allowed"));
    } else {
      out.push_back(difference("diff.argument-changed", at, shown_value(schema), "not declared"));
    }
  }
  for (const std::string& name : needed_now) {
    if (needed_then.contains(name)) continue;
    out.push_back(difference("diff.argument-required", place + "/" + name,
                             was.contains(name) ? "optional" : "", "required"));
  }
  for (const auto& [name, schema] : is.items()) {
    if (was.contains(name) || needed_now.contains(name)) continue;
    out.push_back(difference("diff.argument-added", place + "/" + name, "", shown_value(schema)));
  }
  for (const std::string& name : needed_then) {
    if (needed_now.contains(name) || !is.contains(name)) continue;
    out.push_back(difference("diff.argument-widened", place + "/" + name, "required", "optional"));
  }
}

}  // namespace

void input_changes(const Json& then, const Json& now, const std::string& place,
                   std::vector<Difference>& out) {
  if (then == now) return;
  const Shift shift = shift_of(then, now);
  tell_shift("diff.argument-narrowed", then, now, shift.less, place, out);
  if (shift.less.empty()) tell_shift("diff.argument-widened", then, now, shift.more, place, out);
  tell_shift("diff.argument-changed", then, now, shift.other, place, out);
  compare_input_members(then, now, place, out);
  if (items_of(then) != items_of(now)) {
    input_changes(items_of(then), items_of(now), place + "/*", out);
  }
}

void output_changes(const Json& then, const Json& now, const std::string& place,
                    std::vector<Difference>& out) {
  if (then == now) return;
  const Shift shift = shift_of(then, now);
  std::vector<std::string> wider = shift.more;
  wider.insert(wider.end(), shift.other.begin(), shift.other.end());
  tell_shift("diff.output-changed", then, now, wider, place, out);
  const Json was = properties_of(then);
  const Json is = properties_of(now);
  const Types needed_now = required_of(now);
  for (const auto& [name, schema] : was.items()) {
    const std::string at = place + "/" + name;
    const Json* const other = find(is, name);
    if (other == nullptr) {
      out.push_back(difference("diff.output-lost", at, shown_value(schema), ""));
      continue;
    }
    if (required_of(then).contains(name) && !needed_now.contains(name)) {
      out.push_back(difference("diff.output-lost", at, "required", "optional"));
    }
    output_changes(schema, *other, at, out);
  }
  for (const auto& [name, schema] : is.items()) {
    if (was.contains(name)) continue;
    out.push_back(difference("diff.output-added", place + "/" + name, "", shown_value(schema)));
  }
  if (items_of(then) != items_of(now)) {
    output_changes(items_of(then), items_of(now), place + "/*", out);
  }
}

}  // namespace plumbline::scenarios
