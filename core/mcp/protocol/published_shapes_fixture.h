// What the published schemas of MCP ask for, for tests: published_shapes.tsv, which
// published_shapes.py makes, as JSON Schema again.
//
// A line of the table is revisions, the name of a definition, and its shape: "string" or another
// type, "a|b" for one of two, "#Name" for another definition, "any", or an object:
//   "is"   the type                          "="    the only value     "of"   the only values
//   "has"  members and their shapes, "!" for those that have to be there
//   "rest" the shape of all other members    "list" that of the items  "most" how many there may be
//   "min", "max" the bounds of a number      "any", "all" a list of shapes

#pragma once

#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/check.h"
#include "core/json/json.h"

namespace plumbline::mcp {

// schema_of_type returns what a shape that is one word means.
inline Json schema_of_type(const std::string& word) {
  Json schema = Json::object();
  if (word.starts_with("#")) {
    schema["$ref"] = "#/$defs/" + word.substr(1);
  } else if (word != "any") {
    std::istringstream names(word);
    for (std::string name; std::getline(names, name, '|');) schema["type"].push_back(name);
  }
  return schema;
}

inline Json schema_of_shape(const Json& shape) {
  if (shape.is_string()) return schema_of_type(shape.get_ref<const std::string&>());
  Json schema = schema_of_type(string_or(shape, "is", "any"));
  constexpr std::pair<const char*, const char*> kSame[] = {
      {"=", "const"}, {"of", "enum"}, {"min", "minimum"}, {"max", "maximum"}, {"most", "maxItems"}};
  for (const auto& [key, keyword] : kSame) {
    if (const Json* const value = find(shape, key)) schema[keyword] = *value;
  }
  constexpr std::pair<const char*, const char*> kOne[] = {{"rest", "additionalProperties"},
                                                          {"list", "items"}};
  for (const auto& [key, keyword] : kOne) {
    if (const Json* const value = find(shape, key)) schema[keyword] = schema_of_shape(*value);
  }
  constexpr std::pair<const char*, const char*> kSeveral[] = {{"any", "anyOf"}, {"all", "allOf"}};
  for (const auto& [key, keyword] : kSeveral) {
    if (const Json* const choices = find(shape, key)) {
      for (const Json& one : *choices) schema[keyword].push_back(schema_of_shape(one));
    }
  }
  if (const Json* const members = find(shape, "has")) {
    for (const auto& [key, member] : members->items()) {
      const bool needed = key.ends_with('!');
      const std::string name = key.substr(0, key.size() - (needed ? 1 : 0));
      schema["properties"][name] = schema_of_shape(member);
      if (needed) schema["required"].push_back(name);
    }
  }
  return schema;
}

// published_definitions returns the definitions of `revision`: the "$defs" of its schema.
inline Json published_definitions(std::string_view revision) {
  std::ifstream table(std::string(SOURCE_ROOT) + "/core/mcp/protocol/published_shapes.tsv");
  check(table.good(), "the table of published shapes is not in the source tree");
  Json definitions = Json::object();
  for (std::string line; std::getline(table, line);) {
    std::istringstream columns(line);
    std::string revisions;
    std::string name;
    std::string shape;
    std::getline(columns, revisions, '\t');
    std::getline(columns, name, '\t');
    std::getline(columns, shape);
    if (revisions.find(revision) == std::string::npos) continue;
    definitions[name] = schema_of_shape(parse_json(shape).value());
  }
  check(!definitions.empty(), "the table of published shapes has nothing of a revision");
  return definitions;
}

}  // namespace plumbline::mcp
