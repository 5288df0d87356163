// Tools that answer at once.

#include <optional>
#include <string>
#include <utility>

#include "core/mcp/protocol/answer.h"
#include "reference/contents.h"
#include "reference/offer.h"

namespace plumbline::reference {

namespace {

using mcp::at_once;
using mcp::Reply;

mcp::ServerHandler always(Json result) {
  return at_once([result = std::move(result)](const Json&) -> Reply<Json> { return result; });
}

Json mixed_content() {
  Json result = text_result("Multiple content types test:");
  result["content"].push_back(image_block());
  result["content"].push_back(resource_block("test://mixed-content-resource", "application/json",
                                             R"({"test":"data","value":123})"));
  return result;
}

Json adding_tool() {
  return document(R"json({
    "name": "add_numbers",
    "title": "Add",
    "description": "Adds two numbers; the sum is also structured content",
    "annotations": {"readOnlyHint": true},
    "inputSchema": {
      "type": "object",
      "properties": {"a": {"type": "number"}, "b": {"type": "number"}},
      "required": ["a", "b"]
    },
    "outputSchema": {
      "type": "object",
      "properties": {"sum": {"type": "number"}},
      "required": ["sum"]
    }
  })json");
}

// Whole numbers stay whole: clients print what they get.
Json sum_of(const Json& a, const Json& b) {
  const std::optional<std::int64_t> left = as_int(a);
  const std::optional<std::int64_t> right = as_int(b);
  std::int64_t whole = 0;
  if (left && right && !__builtin_add_overflow(*left, *right, &whole)) return whole;
  return a.get<double>() + b.get<double>();
}

Reply<Json> add_them(const Json& params) {
  const Json& arguments = *find(params, "arguments");
  const Json sum = sum_of(*find(arguments, "a"), *find(arguments, "b"));
  Json structured(Json::value_t::object);
  structured["sum"] = sum;
  Json result = text_result(dump_json(structured));
  result["structuredContent"] = std::move(structured);
  return result;
}

// The keywords of this schema are to reach a client as they are.
Json schema_tool() {
  return document(R"json({
    "name": "json_schema_2020_12_tool",
    "description": "Tool with JSON Schema 2020-12 features",
    "inputSchema": {
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "type": "object",
      "$defs": {
        "address": {
          "$anchor": "addressDef",
          "type": "object",
          "properties": {"street": {"type": "string"}, "city": {"type": "string"}}
        }
      },
      "properties": {
        "name": {"type": "string"},
        "address": {"$ref": "#/$defs/address"},
        "contactMethod": {"type": "string", "enum": ["phone", "email"]},
        "phone": {"type": "string"},
        "email": {"type": "string"}
      },
      "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
      "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
      "then": {"required": ["phone"]},
      "else": {"required": ["email"]},
      "additionalProperties": false
    }
  })json");
}

// Spec 2026-07-28, server/tools, x-mcp-header.
Json header_tool() {
  return document(R"json({
    "name": "test_x_mcp_header",
    "description": "Tool whose arguments are mirrored into HTTP headers",
    "inputSchema": {
      "type": "object",
      "properties": {
        "region": {"type": "string", "x-mcp-header": "Region"},
        "priority": {"type": "integer", "x-mcp-header": "Priority"},
        "query": {"type": "string"}
      },
      "required": ["region"]
    }
  })json");
}

Reply<Json> echo_arguments(const Json& params) {
  const Json* const arguments = find(params, "arguments");
  return text_result("Called with " + (arguments ? dump_json(*arguments) : "{}"));
}

Json greeting_tool() {
  return document(R"json({
    "name": "greet",
    "description": "Greets somebody by name",
    "inputSchema": {
      "type": "object",
      "properties": {
        "name": {"type": "string"},
        "title": {"type": "string"},
        "surname": {"type": "string"}
      },
      "required": ["name"],
      "dependentRequired": {"title": ["surname"]}
    }
  })json");
}

Reply<Json> greet(const Json& params) {
  return text_result("Hello, " + string_or(*find(params, "arguments"), "name", "") + "!");
}

}  // namespace

// test_simple_text is first: it can be called by somebody who only looks at the first tool.
void add_content_tools(Offer& offer) {
  offer.tool(plain_tool("test_simple_text", "Returns simple text"),
             always(text_result("This is a simple text response for testing.")));
  offer.tool(plain_tool("test_image_content", "Returns an image"),
             always(result_of(image_block())));
  offer.tool(plain_tool("test_audio_content", "Returns a sound"), always(result_of(audio_block())));
  offer.tool(plain_tool("test_embedded_resource", "Returns an embedded resource"),
             always(result_of(resource_block("test://embedded-resource", "text/plain",
                                             "This is an embedded resource content."))));
  offer.tool(plain_tool("test_multiple_content_types", "Returns text, an image and a resource"),
             always(mixed_content()));
  offer.tool(plain_tool("test_error_handling", "Always fails"),
             always(mcp::tool_error("This tool intentionally returns an error for testing")));
  offer.tool(adding_tool(), at_once(add_them));
  offer.tool(greeting_tool(), at_once(greet));
  offer.tool(schema_tool(), at_once(echo_arguments));
  offer.tool(header_tool(), at_once(echo_arguments));
}

}  // namespace plumbline::reference
