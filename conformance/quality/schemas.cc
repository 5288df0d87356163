#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "conformance/peer/name_words.h"
#include "conformance/quality/checks.h"
#include "conformance/quality/rules.h"
#include "core/base/text.h"

namespace plumbline::conformance {

namespace {

double limit_of(std::string_view id) { return find_quality_rule(id)->limit; }

bool has_any(const Json& schema, std::initializer_list<std::string_view> keys) {
  return std::ranges::any_of(keys, [&](std::string_view key) { return find(schema, key); });
}

bool is_object(const Json& schema) { return string_or(schema, "type", "") == "object"; }

// says_optional returns whether a text calls its argument one that may be left out.
bool says_optional(std::string_view text) {
  const std::string small = lower_case(text.substr(0, 200));
  return small.starts_with("optional") || small.starts_with("(optional") ||
         small.starts_with("[optional") || small.find("(optional)") != std::string::npos;
}

// says_default returns whether a text names a value that holds where none is given.
bool says_default(std::string_view text) {
  const std::string small = lower_case(text);
  for (const std::string_view said : {"(default", "default:", "default is ", "defaults to ",
                                      "default value is", "default value:", "[default"}) {
    if (small.find(said) != std::string::npos) return true;
  }
  return false;
}

void check_argument(const OfferedTool& tool, const Argument& argument, Notes& notes) {
  const Json& schema = *argument.schema;
  const std::string_view text = argument.description();
  const std::string& name = argument.name;
  // What a reference points to may describe it.
  if (text.empty() && !has_any(schema, {"$ref"})) {
    notes.add("quality.argument-undescribed", tool.name, name);
  }
  const bool typed = has_any(
      schema, {"type", "enum", "const", "anyOf", "oneOf", "allOf", "$ref", "properties", "items"});
  if (!typed) notes.add("quality.argument-untyped", tool.name, name);
  if (argument.required && says_optional(text)) {
    notes.add("quality.argument-optional", tool.name, name);
  }
  if (!argument.required && says_default(text) && !has_any(schema, {"default"})) {
    notes.add("quality.argument-default", tool.name, name);
  }
  const Json* const values = find(schema, "enum");
  if (values != nullptr && static_cast<double>(values->size()) > limit_of("quality.enum-huge")) {
    notes.add("quality.enum-huge", tool.name,
              name + " " + std::to_string(values->size()) + " values");
  }
  if (static_cast<double>(argument.depth) > limit_of("quality.schema-depth")) {
    notes.add("quality.schema-depth", tool.name, name);
  }
  const bool open =
      is_object(schema) && !has_any(schema, {"properties", "anyOf", "oneOf", "allOf", "$ref",
                                             "additionalProperties", "patternProperties"});
  if (open) notes.add("quality.free-object", tool.name, name);
}

void check_required(const OfferedTool& tool, Notes& notes) {
  const Json* const schema = tool.schema();
  const Json* const required = schema == nullptr ? nullptr : find(*schema, "required");
  const bool composed = schema != nullptr && has_any(*schema, {"anyOf", "oneOf", "allOf", "$ref"});
  if (required == nullptr || !required->is_array() || composed) return;
  const Json* const properties = find(*schema, "properties");
  for (const Json& one : *required) {
    const auto* const name = one.get_ptr<const std::string*>();
    if (name == nullptr || (properties != nullptr && find(*properties, *name))) continue;
    notes.add("quality.required-unknown", tool.name, *name);
  }
}

// thing_of returns what an argument is by its name, where several names are usual for it.
std::string thing_of(std::string_view name) {
  constexpr std::array<std::string_view, 6> kSame = {
      " path filepath file ",
      " url uri link ",
      " query q searchquery search searchterm searchtext ",
      " repo repository reponame repositoryname ",
      " directory folder dir ",
      " limit maxresults numresults pagesize perpage "};
  std::string plain;
  for (const std::string& word : words_of(name)) plain += word;
  for (const std::string_view same : kSame) {
    if (same.find(" " + plain + " ") != same.npos) return std::string(same);
  }
  return plain;
}

void check_spelling(const Reading& read, Notes& notes) {
  std::map<std::string, std::map<std::string_view, std::set<std::string_view>>> by_thing;
  for (const OfferedTool& tool : read.tools) {
    for (const Argument& argument : tool.arguments) {
      if (argument.depth == 1) by_thing[thing_of(argument.name)][argument.name].insert(tool.name);
    }
  }
  for (const auto& [thing, names] : by_thing) {
    if (names.size() < 2) continue;
    std::set<std::string_view> together;
    std::string shown;
    for (const auto& [name, tools] : names) {
      together.insert(tools.begin(), tools.end());
      shown +=
          (shown.empty() ? "" : ", ") + std::string(name) + " in " + std::string(*tools.begin());
    }
    // One tool with both means two things by them.
    std::size_t uses = 0;
    for (const auto& [name, tools] : names) uses += tools.size();
    if (together.size() == uses) notes.add("quality.arguments-differ", "", shown);
  }
}

}  // namespace

void check_schemas(const Reading& read, const Around&, Notes& notes) {
  std::size_t arguments = 0;
  for (const OfferedTool& tool : read.tools) {
    arguments += tool.arguments.size();
    for (const Argument& argument : tool.arguments) check_argument(tool, argument, notes);
    const auto top = std::ranges::count(tool.arguments, 1, &Argument::depth);
    if (static_cast<double>(top) > limit_of("quality.arguments-many")) {
      notes.add("quality.arguments-many", tool.name, std::to_string(top) + " arguments");
    }
    check_required(tool, notes);
  }
  check_spelling(read, notes);
  for (const char* const id :
       {"quality.argument-undescribed", "quality.argument-untyped", "quality.argument-optional",
        "quality.argument-default", "quality.enum-huge", "quality.schema-depth",
        "quality.free-object", "quality.arguments-differ"}) {
    notes.looked(id, arguments);
  }
}

}  // namespace plumbline::conformance
