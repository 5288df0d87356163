#include "conformance/broken/own_tool.h"

#include <utility>

#include "core/schema/schema.h"

namespace plumbline::conformance {

namespace {

Json* own_tool_in_list(Interceptor& interceptor, Json& message) {
  return edit::in_list(edit::result_of(interceptor, message, "tools/list"), "tools", kOwnTool);
}

}  // namespace

void fail_as_own_tool(Json& message, std::string text) {
  Json failure = edit::text_result(std::move(text));
  failure["isError"] = true;
  edit::answer_instead(message, std::move(failure));
}

bool own_tool(Interceptor& interceptor, Json& message, const char* properties, bool reads,
              Json& arguments) {
  const Json schema = {{"type", "object"}, {"properties", edit::read(properties)}};
  if (Json* const tool = own_tool_in_list(interceptor, message)) {
    if (reads) (*tool)["annotations"]["readOnlyHint"] = true;
    (*tool)["inputSchema"] = schema;
  }
  if (edit::result_about(interceptor, message, kOwnTool) == nullptr) return false;
  const Json params = edit::params_asked(interceptor, message);
  if (params.contains("task")) return false;
  const Json* const given = find(params, "arguments");
  arguments = given == nullptr ? Json::object() : *given;
  const auto compiled = schema::Schema::compile(schema, {.assert_format = true});
  if (compiled.ok() && !compiled.value().validate(arguments)) return true;
  fail_as_own_tool(message, "These are no arguments for it.");
  return false;
}

void describe_own_tool(Interceptor& interceptor, Json& message, std::string description) {
  if (Json* const tool = own_tool_in_list(interceptor, message)) {
    (*tool)["description"] = std::move(description);
  }
}

void answer_with(Json& message, const Json& value) {
  edit::answer_instead(message, edit::text_result(dump_json(value)));
}

void always_answers(Interceptor& interceptor, Json message, std::string description,
                    const char* answer) {
  Json arguments;
  if (own_tool(interceptor, message, "{}", true, arguments)) {
    answer_with(message, edit::read(answer));
  }
  describe_own_tool(interceptor, message, std::move(description));
  interceptor.say(message);
}

}  // namespace plumbline::conformance
