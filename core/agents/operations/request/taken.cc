#include "core/agents/operations/request/taken.h"

namespace plumbline::agents {

std::optional<std::string> wrapper_of(const connector::Capability& capability) {
  if (capability.type != connector::CapabilityType::kTool) return std::nullopt;
  const Json* const properties = find(capability.input_schema, "properties");
  if (properties == nullptr || !properties->is_object() || properties->size() != 1) {
    return std::nullopt;
  }
  const auto only = properties->begin();
  const Json* const own = find(only.value(), "properties");
  const bool object = string_or(only.value(), "type", "") == "object";
  return object && own != nullptr && own->is_object() ? std::optional(only.key()) : std::nullopt;
}

const Json& taken_schema(const connector::Capability& capability) {
  const std::optional<std::string> wrapper = wrapper_of(capability);
  return wrapper ? capability.input_schema.at("properties").at(*wrapper) : capability.input_schema;
}

std::vector<std::string> required_of(const Json& schema) {
  std::vector<std::string> required;
  const Json* const names = find(schema, "required");
  if (names == nullptr || !names->is_array()) return required;
  for (const Json& name : *names) {
    if (const auto* const text = name.get_ptr<const std::string*>()) required.push_back(*text);
  }
  return required;
}

}  // namespace plumbline::agents
