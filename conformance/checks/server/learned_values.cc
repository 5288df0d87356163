#include "conformance/checks/server/learned_values.h"

#include <algorithm>
#include <array>
#include <utility>

#include "conformance/checks/server/callable_tools.h"
#include "core/base/percent.h"
#include "core/base/text.h"
#include "core/wire/form.h"

namespace plumbline::conformance {

namespace {

constexpr std::size_t kTextBytesMax = 200;  // Of one value: an id or a name.
constexpr std::size_t kUrisMax = 3;         // Of one template.
constexpr std::size_t kJsonBytesMax = 256U << 10U;

// What a search looks for: a word that something is called by.
constexpr std::array<std::string_view, 8> kSearches = {"query",   "q",       "search", "text",
                                                       "keyword", "pattern", "term",   "filter"};
constexpr std::array<std::string_view, 2> kCalledBy = {"title", "name"};

// key_of returns a name without what spellings differ in: "stationId", "station_id".
std::string key_of(std::string_view name) {
  std::string key = lower_case(name);
  std::erase_if(key, [](char c) { return c == '_' || c == '-' || c == ' '; });
  return key;
}

std::string singular(std::string_view name) {
  if (name.ends_with("ies")) return std::string(name.substr(0, name.size() - 3)) + "y";
  return std::string(name.ends_with('s') ? name.substr(0, name.size() - 1) : name);
}

bool is_plain(const Json& value) {
  const auto* const text = value.get_ptr<const std::string*>();
  if (text != nullptr) return !text->empty() && text->size() <= kTextBytesMax;
  return value.is_number_integer();
}

// segments_of returns the parts of a URI behind its scheme.
std::vector<std::string_view> segments_of(std::string_view uri) {
  std::vector<std::string_view> segments;
  const std::size_t scheme = uri.find("://");
  std::string_view rest = scheme == uri.npos ? uri : uri.substr(scheme + 3);
  rest = rest.substr(0, rest.find_first_of("?#"));
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('/'), rest.size());
    if (end > 0) segments.push_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return segments;
}

// is_made_up returns whether a value of a property is the judge's own, and a text or a number.
bool is_made_up(const Json& property) {
  const std::string type = string_or(property, "type", "");
  return !is_stated(property) && (type == "string" || type == "integer" || type == "number");
}

bool fits(const Json& property, const Json& value) {
  return value.is_string() == (string_or(property, "type", "") == "string");
}

}  // namespace

void LearnedValues::add(std::string_view name, const Json& value) {
  if (!is_plain(value)) return;
  std::vector<Json>& known = values_[key_of(name)];
  if (known.size() >= kValuesMax || std::ranges::find(known, value) != known.end()) return;
  known.push_back(value);
}

// look takes in the members of objects. `within` is the member that they stand in: an "id" in
// "stations" is a station, and a station's id.
void LearnedValues::look(const Json& value, std::string_view within) {
  if (++looks_ > kLooksMax) return;
  if (value.is_array()) {
    for (const Json& each : value) {
      add(singular(within), each);
      look(each, within);
    }
    return;
  }
  if (!value.is_object()) return;
  for (const auto& [name, member] : value.items()) {
    add(name, member);
    const std::string owner = singular(within);
    const bool names_it = name == "id" || name == "name" || name == "code" || name == "key";
    if (names_it && !owner.empty()) {
      add(owner, member);
      add(owner + name, member);
    }
    look(member, name);
  }
}

// learn_uris takes each part of a URI for what the part before it lists, or for the variable of a
// template that stands there.
void LearnedValues::learn_uris(const Survey& survey) {
  for (const Json& resource : survey.resources.items) {
    const std::string uri = string_or(resource, "uri", "");
    const std::vector<std::string_view> parts = segments_of(uri);
    add("uri", uri);
    for (const std::string_view name : kCalledBy) add(name, string_or(resource, name, ""));
    for (std::size_t i = 1; i < parts.size(); ++i) {
      const Json part = percent_decode(parts[i]);
      add(singular(parts[i - 1]), part);
      add(singular(parts[i - 1]) + "id", part);
    }
    for (const Json& pattern : survey.templates.items) {
      const std::string text = string_or(pattern, "uriTemplate", "");
      const std::vector<std::string_view> slots = segments_of(text);
      if (slots.size() != parts.size()) continue;
      for (std::size_t i = 0; i < slots.size(); ++i) {
        const bool variable = slots[i].starts_with('{') && slots[i].ends_with('}');
        if (!variable && slots[i] != parts[i]) break;
        if (variable) add(slots[i].substr(1, slots[i].size() - 2), Json(percent_decode(parts[i])));
      }
    }
  }
}

void LearnedValues::learn(const Survey& survey, const Exercise& exercise) {
  learn_uris(survey);
  for (const Call* const call : exercise.completed("tools/call")) {
    const Json& result = *call->complete();
    if (bool_or(result, "isError", false)) continue;
    if (const Json* const structured = find(result, "structuredContent")) look(*structured, "");
    look_at_texts(result, "content");
  }
  for (const Call* const call : exercise.completed("resources/read")) {
    look_at_texts(*call->complete(), "contents");
  }
}

// look_at_texts takes in the blocks below `member` that are JSON.
void LearnedValues::look_at_texts(const Json& result, const char* member) {
  const Json* const blocks = find(result, member);
  if (blocks == nullptr || !blocks->is_array()) return;
  for (const Json& block : *blocks) {
    const std::string text = string_or(block, "text", "");
    if (!text.starts_with('{') && !text.starts_with('[')) continue;
    const Result<Json> json = parse_json(text, {.bytes_max = kJsonBytesMax});
    if (json.ok()) look(json.value(), "");
  }
}

std::vector<Json> LearnedValues::of(std::string_view parameter) const {
  const std::string key = key_of(parameter);
  const auto found = values_.find(key);
  if (found != values_.end()) return found->second;
  if (std::ranges::find(kSearches, key) == kSearches.end()) return {};
  for (const std::string_view name : kCalledBy) {
    const auto named = values_.find(std::string(name));
    if (named != values_.end()) return named->second;
  }
  return {};
}

std::vector<Json> LearnedValues::calls_of(const Json& tool, const Json& first) const {
  const Json* const properties = at_pointer(tool, "/inputSchema/properties");
  if (properties == nullptr || !properties->is_object()) return {};
  std::vector<Json> calls;
  for (std::size_t number = 0; number < kValuesMax; ++number) {
    Json arguments = first;
    bool learned = false;
    for (const auto& [name, property] : properties->items()) {
      if (!first.contains(name) || !property.is_object() || !is_made_up(property)) continue;
      std::vector<Json> values = of(name);
      std::erase_if(values, [&](const Json& value) { return !fits(property, value); });
      if (number < values.size()) {
        arguments[name] = values[number];
        learned = true;
      } else if (!values.empty()) {
        arguments[name] = values.front();
      }
    }
    if (!learned) break;
    if (arguments != first) calls.push_back(std::move(arguments));
  }
  return calls;
}

std::vector<std::string> LearnedValues::uris_of(std::string_view uri_template) const {
  std::vector<std::string> uris;
  for (std::size_t number = 0; number < kUrisMax; ++number) {
    std::string uri;
    bool fresh = false;
    std::string_view rest = uri_template;
    for (std::size_t open = rest.find('{'); open != rest.npos; open = rest.find('{')) {
      const std::size_t close = rest.find('}', open);
      if (close == rest.npos) return {};
      const std::vector<Json> values = of(rest.substr(open + 1, close - open - 1));
      if (values.empty()) return {};
      const Json& value = values[std::min(number, values.size() - 1)];
      fresh = fresh || number < values.size();
      uri += rest.substr(0, open);
      wire::append_percent_encoded(
          uri, value.is_string() ? value.get_ref<const std::string&>() : dump_json(value));
      rest.remove_prefix(close + 1);
    }
    if (!fresh) break;
    uris.push_back(uri + std::string(rest));
  }
  return uris;
}

}  // namespace plumbline::conformance
