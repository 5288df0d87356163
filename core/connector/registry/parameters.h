// Parameters are what a capability takes, one by one, as descriptors of agents have them; MCP has
// one JSON Schema of them all.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/json/object_reader.h"

namespace plumbline::registry {

enum class ParameterType { kString, kNumber, kBoolean, kObject, kArray };

// name_of returns "string", "number", "boolean", "object" or "array".
std::string_view name_of(ParameterType type);

// ValueDefinition is what a value is. `constraints` are the keywords of JSON Schema that say more
// than the type, "type" itself among them where it says more ("integer").
struct ValueDefinition {
  ParameterType type = ParameterType::kString;
  std::string description;
  Json constraints = Json::object();
  friend bool operator==(const ValueDefinition&, const ValueDefinition&) = default;
};

struct ParameterDefinition {
  std::string name;
  ValueDefinition value;
  bool required = false;
  std::optional<Json> fallback;  // "default".
  friend bool operator==(const ParameterDefinition&, const ParameterDefinition&) = default;
};

// parameters_of returns the properties of an object schema, in the order of their names. Not of
// this world is what a schema says of the object as a whole (minProperties, oneOf): it is left out.
std::vector<ParameterDefinition> parameters_of(const Json& object_schema);

// schema_of returns the object schema that the parameters make. parameters_of it are they again.
Json schema_of(const std::vector<ParameterDefinition>& parameters);

// value_of and schema_of do the same with one value, such as what a capability returns.
ValueDefinition value_of(Json schema);
Json schema_of(const ValueDefinition& value);

// read_parameter and read_value read a descriptor's; `problem` is told what is wrong.
ParameterDefinition read_parameter(const Json& json, const std::string& pointer,
                                   std::optional<Problem>& problem);
ValueDefinition read_value(const Json& json, const std::string& pointer,
                           std::optional<Problem>& problem);

Json to_json(const ParameterDefinition& parameter);
Json to_json(const ValueDefinition& value);

}  // namespace plumbline::registry
