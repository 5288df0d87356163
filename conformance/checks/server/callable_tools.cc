#include "conformance/checks/server/callable_tools.h"

#include <string>

#include "core/schema/sample_value.h"

namespace plumbline::conformance {

bool may_call_tool(const Json& tool, bool allow_writes) {
  if (allow_writes) return true;
  const Json* const hints = find(tool, "annotations");
  if (hints != nullptr && bool_or(*hints, "readOnlyHint", false)) return true;
  return string_or(tool, "name", "").starts_with("test_");
}

Json call_params(const Json& tool) {
  Json params(Json::value_t::object);
  params["name"] = string_or(tool, "name", "");
  const Json* const schema = find(tool, "inputSchema");
  params["arguments"] = schema == nullptr ? Json::object() : schema::sample_arguments(*schema);
  return params;
}

}  // namespace plumbline::conformance
