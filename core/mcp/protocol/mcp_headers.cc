#include "core/mcp/protocol/mcp_headers.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <set>
#include <utility>

#include "core/base/base64.h"
#include "core/base/text.h"

namespace plumbline::transport {

namespace {

constexpr std::string_view kBase64Begin = "=?base64?";
constexpr std::string_view kBase64End = "?=";
constexpr std::int64_t kSafeIntegerMax = (std::int64_t{1} << 53U) - 1;
constexpr std::string_view kAnnotation = "x-mcp-header";

bool is_base64_form(std::string_view value) {
  return value.size() >= kBase64Begin.size() + kBase64End.size() &&
         value.starts_with(kBase64Begin) && value.ends_with(kBase64End);
}

bool is_plain_character(char c) { return c >= 0x20 && c <= 0x7e; }

bool is_token_character(char c) {
  const bool alphanumeric =
      (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  return alphanumeric || std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
}

// ParamSearch walks a schema for annotations.
class ParamSearch {
 public:
  // schema looks at one schema. `reachable`: only `properties` lead to it.
  void schema(const Json& schema, bool reachable) {
    if (!schema.is_object() || !problem_.empty()) return;
    if (const Json* const name = find(schema, kAnnotation)) take(schema, *name, reachable);
    for (const auto& [key, value] : schema.items()) {
      if (key == "properties") {
        children(value, reachable);
      } else if (std::ranges::find(kMaps, key) != kMaps.end()) {
        children(value, false);
      } else if (value.is_array() && key != "enum" && key != "examples") {
        for (const Json& item : value) this->schema(item, false);
      } else if (key != "const" && key != "default") {
        this->schema(value, false);
      }
    }
  }

  Result<std::vector<ParamHeader>> result() && {
    if (!problem_.empty()) return Error{ErrorCode::kInvalidInput, std::move(problem_)};
    return std::move(found_);
  }

 private:
  static constexpr std::array<std::string_view, 4> kMaps = {
      "$defs", "definitions", "patternProperties", "dependentSchemas"};

  void children(const Json& map, bool reachable) {
    if (!map.is_object()) return;
    for (const auto& [key, value] : map.items()) {
      path_.push_back(key);
      schema(value, reachable);
      path_.pop_back();
    }
  }

  void take(const Json& schema, const Json& name, bool reachable) {
    const std::string text = name.is_string() ? name.get_ref<const std::string&>() : "";
    const std::string type = string_or(schema, "type", "");
    if (text.empty() || !std::ranges::all_of(text, is_token_character)) {
      problem_ = "x-mcp-header is no header name: " + dump_json(name);
    } else if (!reachable || path_.empty()) {
      problem_ = "x-mcp-header \"" + text + "\" stands where no argument can be read";
    } else if (type != "string" && type != "integer" && type != "boolean") {
      problem_ = "x-mcp-header \"" + text + "\" stands on a parameter of no simple type";
    } else if (!names_.insert(lower_case(text)).second) {
      problem_ = "x-mcp-header \"" + text + "\" stands twice";
    } else {
      found_.push_back(ParamHeader{text, path_, type == "integer"});
    }
  }

  std::vector<std::string> path_;
  std::set<std::string> names_;
  std::vector<ParamHeader> found_;
  std::string problem_;
};

const Json* params_of(const Json& message) { return find(message, "params"); }

// is_same_value compares a decoded header with what the body says.
bool is_same_value(const ParamHeader& param, const std::string& header, const std::string& body) {
  if (header == body) return true;
  if (!param.integer) return false;
  const Result<Json> number = parse_json(header);
  const std::optional<std::int64_t> whole = number.ok() ? as_int(number.value()) : std::nullopt;
  return whole && std::to_string(*whole) == body;
}

}  // namespace

std::optional<std::string> version_in_meta(const Json& message) {
  const Json* const params = params_of(message);
  const Json* const meta = params == nullptr ? nullptr : find(*params, "_meta");
  if (meta == nullptr) return std::nullopt;
  return find_string(*meta, "io.modelcontextprotocol/protocolVersion");
}

std::optional<std::string> mirrored_name(const Json& message) {
  const std::string method = string_or(message, "method", "");
  const Json* const params = params_of(message);
  if (params == nullptr) return std::nullopt;
  if (method == "tools/call" || method == "prompts/get") return find_string(*params, "name");
  if (method == "resources/read") return find_string(*params, "uri");
  if (method == "tasks/get" || method == "tasks/update" || method == "tasks/cancel") {
    return find_string(*params, "taskId");
  }
  return std::nullopt;
}

std::string encode_header_value(std::string_view text) {
  const bool plain = std::ranges::all_of(text, is_plain_character) && !text.starts_with(' ') &&
                     !text.ends_with(' ') && !is_base64_form(text);
  if (plain) return std::string(text);
  std::string value(kBase64Begin);
  value += encode_base64(text);
  value += kBase64End;
  return value;
}

std::optional<std::string> decode_header_value(std::string_view value) {
  if (!std::ranges::all_of(value, [](char c) { return c == '\t' || is_plain_character(c); })) {
    return std::nullopt;
  }
  if (!is_base64_form(value)) return std::string(value);
  value.remove_prefix(kBase64Begin.size());
  value.remove_suffix(kBase64End.size());
  return decode_base64(value);
}

Result<std::vector<ParamHeader>> param_headers_of(const Json& input_schema) {
  ParamSearch search;
  search.schema(input_schema, true);
  return std::move(search).result();
}

std::optional<std::string> param_text(const ParamHeader& param, const Json& arguments) {
  const Json* value = &arguments;
  for (const std::string& key : param.path) {
    value = find(*value, key);
    if (value == nullptr) return std::nullopt;
  }
  if (value->is_string()) return value->get<std::string>();
  if (value->is_boolean()) return value->get<bool>() ? "true" : "false";
  const std::optional<std::int64_t> number = as_int(*value);
  if (!number || *number > kSafeIntegerMax || *number < -kSafeIntegerMax) return std::nullopt;
  return std::to_string(*number);
}

void add_mirror_headers(wire::HttpHeaders& headers, const Json& request,
                        const std::vector<ParamHeader>& params) {
  headers.set(kMethodHeader, encode_header_value(string_or(request, "method", "")));
  if (const auto name = mirrored_name(request))
    headers.set(kNameHeader, encode_header_value(*name));
  const Json* const arguments = at_pointer(request, "/params/arguments");
  if (arguments == nullptr) return;
  for (const ParamHeader& param : params) {
    const std::optional<std::string> text = param_text(param, *arguments);
    if (text) headers.set(std::string(kParamHeaderPrefix) + param.name, encode_header_value(*text));
  }
}

std::optional<std::string> find_mirror_mismatch(const wire::HttpHeaders& headers,
                                                const Json& request,
                                                const std::vector<ParamHeader>& params) {
  const auto method = headers.get(kMethodHeader);
  if (!method) return std::string(kMethodHeader) + " is missing";
  if (*method != string_or(request, "method", "")) {
    return std::string(kMethodHeader) + " is not the method of the body";
  }
  if (const std::optional<std::string> name = mirrored_name(request)) {
    const auto header = headers.get(kNameHeader);
    if (!header) return std::string(kNameHeader) + " is missing";
    if (decode_header_value(*header) != name) {
      return std::string(kNameHeader) + " is not what the body names";
    }
  }
  const Json* const arguments = at_pointer(request, "/params/arguments");
  for (const ParamHeader& param : params) {
    const std::string name = std::string(kParamHeaderPrefix) + param.name;
    const auto header = headers.get(name);
    const auto text = arguments == nullptr ? std::nullopt : param_text(param, *arguments);
    if (!header && !text) continue;
    if (!header) return name + " is missing";
    const std::optional<std::string> value = decode_header_value(*header);
    if (!text || !value || !is_same_value(param, *value, *text)) {
      return name + " is not the argument of the body";
    }
  }
  return std::nullopt;
}

}  // namespace plumbline::transport
