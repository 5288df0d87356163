#include "conformance/checks/server/callable_tools.h"

#include <algorithm>
#include <array>
#include <string>

#include "core/schema/sample_value.h"

namespace plumbline::conformance {

bool may_call_tool(const Json& tool, const ProbeOptions& options) {
  const std::string name = string_or(tool, "name", "");
  const Hint* const hint = options.hints.of(name);
  if (hint != nullptr && hint->call) return *hint->call;
  if (options.allow_writes) return true;
  const Json* const annotations = find(tool, "annotations");
  if (annotations != nullptr && bool_or(*annotations, "readOnlyHint", false)) return true;
  return name.starts_with("test_");
}

Json call_params(const Json& tool, const Hints& hints, Budget& budget) {
  Json params(Json::value_t::object);
  params["name"] = string_or(tool, "name", "");
  const Hint* const hint = hints.of(string_or(tool, "name", ""));
  const Json* const schema = find(tool, "inputSchema");
  if (hint != nullptr && hint->arguments) {
    params["arguments"] = *hint->arguments;
  } else {
    params["arguments"] =
        schema == nullptr ? Json::object() : schema::sample_arguments(*schema, &budget);
  }
  return params;
}

const Json* properties_of(const Json& tool) {
  const Json* const properties = at_pointer(tool, "/inputSchema/properties");
  return properties != nullptr && properties->is_object() ? properties : nullptr;
}

const Json* properties_of(const Json* tool) {
  return tool == nullptr ? nullptr : properties_of(*tool);
}

Json with_other_texts(Json params, const Json& tool) {
  const Json* const properties = properties_of(tool);
  if (properties == nullptr || !params.contains("arguments")) {
    return params;
  }
  for (const auto& [name, property] : properties->items()) {
    const auto found = params["arguments"].find(name);
    if (is_stated(property) || found == params["arguments"].end() || !found->is_string()) continue;
    *found = found->get<std::string>() + " again";
  }
  return params;
}

bool is_stated(const Json& property) {
  return std::ranges::any_of(
      std::array{"enum", "const", "default", "format", "pattern", "examples"},
      [&property](const char* says) { return find(property, says) != nullptr; });
}

}  // namespace plumbline::conformance
