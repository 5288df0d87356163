#include "conformance/checks/server/callable_tools.h"

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

}  // namespace plumbline::conformance
