#include "conformance/broken/message_edits.h"

namespace plumbline::conformance {

namespace {

using Edit = void (*)(Json& tool);

// with_edited says a list of tools in which "greet" was changed.
void with_edited(Interceptor& interceptor, Json message, Edit edit) {
  Json* const listed = edit::result_of(interceptor, message, "tools/list");
  if (Json* const tool = edit::in_list(listed, "tools", "greet")) edit(*tool);
  interceptor.say(message);
}

void with_python_pattern(Interceptor& interceptor, Json message) {
  with_edited(interceptor, std::move(message), [](Json& tool) {
    tool["inputSchema"]["properties"]["surname"]["pattern"] = "^(?P<first>[A-Za-z]+)";
  });
}

void with_lone_hyphen(Interceptor& interceptor, Json message) {
  with_edited(interceptor, std::move(message), [](Json& tool) {
    tool["inputSchema"]["properties"]["surname"]["pattern"] = "^[\\w-.]+$";
  });
}

void with_numbers_for_a_text(Interceptor& interceptor, Json message) {
  with_edited(interceptor, std::move(message), [](Json& tool) {
    tool["inputSchema"]["properties"]["surname"]["enum"] = Json::array({0, 1, 2});
  });
}

void with_bounds_crossed(Interceptor& interceptor, Json message) {
  with_edited(interceptor, std::move(message), [](Json& tool) {
    tool["inputSchema"]["properties"]["surname"]["minLength"] = 9;
    tool["inputSchema"]["properties"]["surname"]["maxLength"] = 3;
  });
}

void with_a_closed_door(Interceptor& interceptor, Json message) {
  with_edited(interceptor, std::move(message), [](Json& tool) {
    Json& titles = tool["inputSchema"]["properties"]["titles"];
    titles["type"] = "object";
    titles["properties"]["first_name"]["type"] = "string";
    titles["required"] = Json::array({"firstName"});
    titles["additionalProperties"] = false;
  });
}

void with_a_name_unknown(Interceptor& interceptor, Json message) {
  with_edited(interceptor, std::move(message), [](Json& tool) {
    Json& titles = tool["inputSchema"]["properties"]["titles"];
    titles["type"] = "object";
    titles["properties"]["first_name"]["type"] = "string";
    titles["required"] = Json::array({"firstName"});
  });
}

void with_dangling_reference(Interceptor& interceptor, Json message) {
  with_edited(interceptor, std::move(message), [](Json& tool) {
    tool["inputSchema"]["properties"]["surname"] = Json::object();
    tool["inputSchema"]["properties"]["surname"]["$ref"] = "#/$defs/Surname";
  });
}

void with_reference_outside(Interceptor& interceptor, Json message) {
  with_edited(interceptor, std::move(message), [](Json& tool) {
    tool["inputSchema"]["properties"]["surname"] = Json::object();
    tool["inputSchema"]["properties"]["surname"]["$ref"] = "https://schemas.example/surname.json";
  });
}

void with_reference_to_a_sibling(Interceptor& interceptor, Json message) {
  with_edited(interceptor, std::move(message), [](Json& tool) {
    tool["inputSchema"]["properties"]["given"]["type"] = "string";
    tool["inputSchema"]["properties"]["surname"] = Json::object();
    tool["inputSchema"]["properties"]["surname"]["$ref"] = "#/properties/given";
  });
}

void with_list_of_nothing(Interceptor& interceptor, Json message) {
  with_edited(interceptor, std::move(message),
              [](Json& tool) { tool["inputSchema"]["properties"]["titles"]["type"] = "array"; });
}

void with_format_of_rust(Interceptor& interceptor, Json message) {
  with_edited(interceptor, std::move(message), [](Json& tool) {
    tool["inputSchema"]["properties"]["surname"]["format"] = "uint32";
  });
}

void with_schema_in_annotations(Interceptor& interceptor, Json message) {
  with_edited(interceptor, std::move(message), [](Json& tool) {
    tool["annotations"]["properties"] = tool["inputSchema"]["properties"];
  });
}

void with_hint_outside(Interceptor& interceptor, Json message) {
  with_edited(interceptor, std::move(message), [](Json& tool) { tool["readOnlyHint"] = true; });
}

void with_flag_outside(Interceptor& interceptor, Json message) {
  const Json* const result = find(message, "result");
  if (result != nullptr && find(*result, "content") != nullptr) message["isError"] = false;
  interceptor.say(message);
}

Deviation in(std::string_view revision, std::string_view id, std::string_view what,
             void (*from_server)(Interceptor&, Json), std::vector<std::string_view> also = {}) {
  Deviation deviation;
  deviation.id = id;
  deviation.revision = revision;
  deviation.what = what;
  deviation.from_server = from_server;
  deviation.also = std::move(also);
  return deviation;
}

const Deviation kToolSchemasDeviations[] = {
    in("2025-11-25", "schema.patterns-ecma262", "writes a pattern as Python does",
       with_python_pattern),
    in("2026-07-28", "schema.patterns-ecma262", "has a class for one end of a range",
       with_lone_hyphen),
    in("2025-11-25", "schema.satisfiable", "has numbers in the enum of a text",
       with_numbers_for_a_text),
    in("2026-07-28", "schema.satisfiable", "asks for more characters than it allows",
       with_bounds_crossed),
    in("2025-11-25", "schema.satisfiable", "requires a name that it does not let in",
       with_a_closed_door),
    in("2025-11-25", "schema.references-resolve", "refers to a definition that it has lost",
       with_dangling_reference),
    in("2026-07-28", "schema.references-resolve", "refers to a schema on the web",
       with_reference_outside),
    in("2025-11-25", "schema.hosts-accept", "has a list without items", with_list_of_nothing),
    in("2026-07-28", "schema.hosts-accept", "has a format of Rust's", with_format_of_rust),
    in("2025-11-25", "schema.hosts-accept", "refers to another parameter",
       with_reference_to_a_sibling, {"tools.inputs-validated"}),
    in("2025-11-25", "schema.hosts-accept", "requires a name that it does not describe",
       with_a_name_unknown),
    in("2025-11-25", "schema.members-in-place", "has its properties in the annotations",
       with_schema_in_annotations),
    in("2026-07-28", "schema.members-in-place", "has a hint beside its annotations",
       with_hint_outside),
    in("2025-11-25", "schema.members-in-place", "writes isError beside the result of a call",
       with_flag_outside),
};

}  // namespace

Deviations tool_schemas_deviations() { return kToolSchemasDeviations; }

}  // namespace plumbline::conformance
