#include "conformance/wire/mirrored.h"

#include <algorithm>

#include "core/base/base64.h"

namespace plumbline::conformance {

namespace {

constexpr std::string_view kBase64Start = "=?base64?";
constexpr std::string_view kBase64End = "?=";

bool is_plain(std::string_view value) {
  const bool visible =
      std::ranges::all_of(value, [](char c) { return (c >= ' ' && c <= '~') || c == '\t'; });
  const auto blank = [](char c) { return c == ' ' || c == '\t'; };
  const bool trimmed = value.empty() || (!blank(value.front()) && !blank(value.back()));
  return visible && trimmed && !(value.starts_with(kBase64Start) && value.ends_with(kBase64End));
}

std::string text_of(const Json& value) {
  if (value.is_string()) return header_text(value.get_ref<const std::string&>());
  return dump_json(value);
}

// add_parameters walks the properties of `schema` beside the arguments.
void add_parameters(wire::HttpHeaders& headers, const Json& schema, const Json& arguments) {
  const Json* const properties = find(schema, "properties");
  if (properties == nullptr || !properties->is_object()) return;
  for (const auto& [name, property] : properties->items()) {
    const Json* const value = find(arguments, name);
    if (value == nullptr || value->is_null()) continue;
    if (const auto header = find_string(property, "x-mcp-header")) {
      const bool sendable = value->is_primitive() && is_header_token(*header);
      if (sendable) headers.set("Mcp-Param-" + *header, text_of(*value));
    } else if (value->is_object()) {
      add_parameters(headers, property, *value);
    }
  }
}

}  // namespace

bool mirrors(const Json& input_schema) {
  const Json* const properties = find(input_schema, "properties");
  if (properties == nullptr || !properties->is_object()) return false;
  return std::ranges::any_of(*properties, [](const Json& property) {
    return find(property, "x-mcp-header") != nullptr || mirrors(property);
  });
}

bool is_header_token(std::string_view name) {
  constexpr std::string_view kMarks = "!#$%&'*+-.^_`|~";
  return !name.empty() && std::ranges::all_of(name, [&](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           kMarks.find(c) != std::string_view::npos;
  });
}

std::string header_text(std::string_view value) {
  return is_plain(value) ? std::string(value) : base64_text(value);
}

std::string base64_text(std::string_view value) {
  return std::string(kBase64Start) + encode_base64(value) + std::string(kBase64End);
}

wire::HttpHeaders mirrored_headers(const Json& message, std::string_view revision,
                                   const Json* input_schema) {
  wire::HttpHeaders headers;
  headers.set("MCP-Protocol-Version", std::string(revision));
  const std::string method = string_or(message, "method", "");
  if (method.empty()) return headers;
  headers.set("Mcp-Method", method);
  const Json* const params = find(message, "params");
  if (params == nullptr) return headers;
  const bool by_name = method == "tools/call" || method == "prompts/get";
  const char* const named = by_name                        ? "name"
                            : method == "resources/read"   ? "uri"
                            : method.starts_with("tasks/") ? "taskId"
                                                           : nullptr;
  if (named == nullptr) return headers;
  if (const auto name = find_string(*params, named)) headers.set("Mcp-Name", header_text(*name));
  const Json* const arguments = find(*params, "arguments");
  if (method == "tools/call" && input_schema != nullptr && arguments != nullptr) {
    add_parameters(headers, *input_schema, *arguments);
  }
  return headers;
}

}  // namespace plumbline::conformance
