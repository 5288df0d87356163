#include "core/connector/registry/parameters.h"

#include <algorithm>
#include <array>
#include <utility>

namespace plumbline::registry {

namespace {

constexpr std::array<std::string_view, 5> kParameterTypes = {"string", "number", "boolean",
                                                             "object", "array"};

std::optional<ParameterType> parameter_type(std::string_view name) {
  if (name == "integer") return ParameterType::kNumber;
  const auto found = std::ranges::find(kParameterTypes, name);
  if (found == kParameterTypes.end()) return std::nullopt;
  return static_cast<ParameterType>(found - kParameterTypes.begin());
}

// first_type returns the first of the types that a schema allows, nothing when it names none.
std::optional<ParameterType> first_type(const Json& types) {
  if (types.is_string()) return parameter_type(types.get_ref<const std::string&>());
  if (!types.is_array()) return std::nullopt;
  for (const Json& one : types) {
    if (!one.is_string()) continue;
    if (const auto type = parameter_type(one.get_ref<const std::string&>())) return type;
  }
  return std::nullopt;
}

// refers returns whether a reference stands in `schema`, so that it needs the "$defs" of its root.
bool refers(const Json& schema) {
  if (schema.is_object() && schema.contains("$ref")) return true;
  return schema.is_structured() && std::ranges::any_of(schema, refers);
}

// as_object writes a schema of true or false as one with keywords.
Json as_object(Json schema) {
  if (schema.is_object()) return schema;
  Json out = Json::object();
  if (schema == false) out["not"] = Json::object();
  return out;
}

ValueDefinition read_common(ObjectReader& fields) {
  ValueDefinition out;
  fields.require("type", "string, number, boolean, object or array");
  const auto type = fields.choice("type", kParameterTypes);
  out.type = static_cast<ParameterType>(type.value_or(0));
  out.description = fields.text("description").value_or("");
  if (const Json* const constraints = fields.object("constraints")) out.constraints = *constraints;
  return out;
}

}  // namespace

std::string_view name_of(ParameterType type) {
  return kParameterTypes[static_cast<std::size_t>(type)];
}

ValueDefinition value_of(Json schema) {
  ValueDefinition out;
  out.constraints = as_object(std::move(schema));
  const Json* const types = find(out.constraints, "type");
  const std::optional<ParameterType> type = types ? first_type(*types) : std::nullopt;
  out.type = type.value_or(ParameterType::kObject);
  if (types == nullptr) {  // Anything goes, which no one type says.
    out.constraints["type"] =
        Json::array({"string", "number", "boolean", "object", "array", "null"});
  } else if (*types == name_of(out.type)) {
    out.constraints.erase("type");
  }
  const Json* const description = find(out.constraints, "description");
  if (description != nullptr && description->is_string() && *description != "") {
    out.description = description->get_ref<const std::string&>();
    out.constraints.erase("description");
  }
  return out;
}

Json schema_of(const ValueDefinition& value) {
  Json schema = value.constraints;
  if (!schema.contains("type")) schema["type"] = name_of(value.type);
  if (!value.description.empty()) schema["description"] = value.description;
  return schema;
}

std::vector<ParameterDefinition> parameters_of(const Json& object_schema) {
  std::vector<ParameterDefinition> out;
  const Json* const properties = find(object_schema, "properties");
  if (properties == nullptr || !properties->is_object()) return out;
  const Json* const required = find(object_schema, "required");
  const Json* const shared = find(object_schema, "$defs");
  for (const auto& [name, schema] : properties->items()) {
    ParameterDefinition one;
    one.name = name;
    one.value = value_of(schema);
    Json& constraints = one.value.constraints;
    if (const Json* const fallback = find(constraints, "default")) {
      one.fallback = *fallback;
      constraints.erase("default");
    }
    if (shared != nullptr && refers(constraints)) constraints["$defs"] = *shared;
    one.required = required != nullptr && required->is_array() &&
                   std::ranges::find(*required, Json(name)) != required->end();
    out.push_back(std::move(one));
  }
  return out;
}

Json schema_of(const std::vector<ParameterDefinition>& parameters) {
  Json schema = Json::object();
  schema["type"] = "object";
  schema["properties"] = Json::object();
  for (const ParameterDefinition& one : parameters) {
    Json property = schema_of(one.value);
    if (one.fallback) property["default"] = *one.fallback;
    // References lead from the root.
    if (const Json* const shared = find(property, "$defs"); shared && shared->is_object()) {
      for (const auto& [name, definition] : shared->items()) schema["$defs"][name] = definition;
      property.erase("$defs");
    }
    schema["properties"][one.name] = std::move(property);
    if (one.required) schema["required"].push_back(one.name);
  }
  return schema;
}

ParameterDefinition read_parameter(const Json& json, const std::string& pointer,
                                   std::optional<Problem>& problem) {
  ObjectReader fields(json, pointer, "a parameter", problem);
  ParameterDefinition out;
  out.name = fields.required_string("name");
  out.value = read_common(fields);
  out.required = fields.boolean("required").value_or(false);
  if (const Json* const fallback = fields.take("default")) out.fallback = *fallback;
  return out;
}

ValueDefinition read_value(const Json& json, const std::string& pointer,
                           std::optional<Problem>& problem) {
  ObjectReader fields(json, pointer, "what is returned", problem);
  return read_common(fields);
}

Json to_json(const ValueDefinition& value) {
  Json out = Json::object();
  out["type"] = name_of(value.type);
  if (!value.description.empty()) out["description"] = value.description;
  if (!value.constraints.empty()) out["constraints"] = value.constraints;
  return out;
}

Json to_json(const ParameterDefinition& parameter) {
  Json out = to_json(parameter.value);
  out["name"] = parameter.name;
  out["required"] = parameter.required;
  if (parameter.fallback) out["default"] = *parameter.fallback;
  return out;
}

}  // namespace plumbline::registry
