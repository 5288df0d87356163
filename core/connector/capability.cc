#include "core/connector/capability.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/base/check.h"
#include "core/base/sha256.h"
#include "core/json/shown/visible_text.h"
#include "core/schema/schema.h"
#include "core/wire/form.h"
#include "core/wire/uri_template.h"

namespace plumbline::connector {

namespace {

Error wrong(const std::string& server, std::string what) {
  return Error{ErrorCode::kInvalidInput, "server \"" + server + "\" lists " + std::move(what)};
}

// take moves the member `key` out of `entry`, null when there is none.
Json take(Json& entry, const char* key) {
  auto* const members = entry.get_ptr<Json::object_t*>();
  const auto found = members->find(key);
  return found == members->end() ? Json() : std::move(found->second);
}

// add_hidden_text notes that something of `given` is not shown: it stays part of what is pinned and
// approved.
void add_hidden_text(Capability& capability, const Json& given) {
  Sha256 hash;
  hash.update(capability.as_given + dump_json(given));
  capability.as_given = hash.finish_hex();
  if (!capability.flaws.empty()) return;
  capability.flaws.push_back("text that is not shown is left out of " +
                             std::string(name_of(capability.type)) + " \"" + capability.name + '"');
}

// base_of reads what every kind of entry has.
Result<Capability> base_of(CapabilityType type, const std::string& server, const Json& entry) {
  const std::string kind(name_of(type));
  if (!entry.is_object()) {
    return wrong(server, "a " + kind + " that is " + std::string(type_name(entry)));
  }
  Capability out;
  out.type = type;
  out.server = server;
  out.name = string_or(entry, "name", "");
  if (out.name.empty()) return wrong(server, "a " + kind + " without a name");
  if (hides_text(out.name)) return wrong(server, "a " + kind + " whose name hides something");
  out.title = string_or(entry, "title", "");
  out.description = string_or(entry, "description", "");
  bool hid = false;
  for (std::string* const text : {&out.title, &out.description}) {
    if (!hides_text(*text)) continue;
    *text = visible_text(*text);
    hid = true;
  }
  if (hid) add_hidden_text(out, entry);
  return out;
}

// why_not_callable returns what is wrong with the input schema of a tool, empty when nothing is.
//
// Spec 2025-11-25, server/tools, Tool (inputSchema is an object schema, 2020-12 by default).
std::string why_not_callable(const Json& schema) {
  if (!schema.is_object()) return "without an inputSchema object";
  const Json* const type = find(schema, "type");
  if (type != nullptr && *type != "object") {
    return "whose inputSchema has the type " + dump_json(*type) + ", expected \"object\"";
  }
  const bool open = find(schema, "anyOf") || find(schema, "oneOf") || find(schema, "allOf");
  if (type == nullptr && open) return "whose inputSchema has no type, expected \"object\"";
  const Result<schema::Schema> compiled = schema::Schema::compile(schema);
  return compiled.ok() ? "" : "whose inputSchema cannot be used: " + compiled.error().message;
}

// drop_bad_output_schema keeps the tool: what it returns is read without that promise.
void drop_bad_output_schema(Capability& tool) {
  if (tool.output_schema.is_null()) return;
  std::string why = "it is no object";
  if (tool.output_schema.is_object()) {
    const Result<schema::Schema> compiled = schema::Schema::compile(tool.output_schema);
    why = compiled.ok() ? "" : compiled.error().message;
  }
  if (why.empty()) return;
  tool.output_schema = nullptr;
  tool.flaws.push_back("the outputSchema of tool \"" + tool.name + "\" is left out: " + why);
}

// object_schema builds the input schema of things that only name their arguments.
Json object_schema(Json properties, Json required) {
  Json schema = Json::object();
  schema["type"] = "object";
  schema["properties"] = std::move(properties);
  schema["required"] = std::move(required);
  return schema;
}

// variable_of returns the first variable of an expression: "path" of {+path*,other}; empty: none.
std::string_view variable_of(std::string_view expression) {
  expression.remove_prefix(std::min(expression.find_first_not_of("+#./;?&"), expression.size()));
  return expression.substr(0, expression.find_first_of("*:,"));
}

}  // namespace

std::string_view name_of(CapabilityType type) {
  switch (type) {
    case CapabilityType::kTool:
      return "tool";
    case CapabilityType::kResource:
      return "resource";
    case CapabilityType::kPrompt:
      return "prompt";
  }
  check(false, "unknown CapabilityType");
  return {};
}

std::string_view name_of(Drift drift) {
  switch (drift) {
    case Drift::kNone:
      return "none";
    case Drift::kOtherVersion:
      return "other_version";
    case Drift::kNew:
      return "new";
    case Drift::kChanged:
      return "changed";
  }
  check(false, "unknown Drift");
  return {};
}

std::string label(const Capability& capability) {
  return capability.server + "/" + capability.name;
}

Result<Capability> tool_of(const std::string& server, Json entry) {
  Result<Capability> base = base_of(CapabilityType::kTool, server, entry);
  if (!base.ok()) return base;
  Capability tool = std::move(base).value();
  tool.input_schema = take(entry, "inputSchema");
  const std::string why = why_not_callable(tool.input_schema);
  if (!why.empty()) return wrong(server, "tool \"" + tool.name + "\" " + why);
  const Json given = tool.input_schema;
  if (show_schema_texts(tool.input_schema)) add_hidden_text(tool, given);
  tool.output_schema = take(entry, "outputSchema");
  drop_bad_output_schema(tool);
  tool.annotations = take(entry, "annotations");
  const Json* const support = at_pointer(entry, "/execution/taskSupport");
  tool.as_task = support != nullptr && *support == "required";
  return tool;
}

Result<Capability> resource_of(const std::string& server, Json entry) {
  Result<Capability> base = base_of(CapabilityType::kResource, server, entry);
  if (!base.ok()) return base;
  Capability resource = std::move(base).value();
  resource.uri = string_or(entry, "uri", "");
  if (resource.uri.empty())
    return wrong(server, "resource \"" + resource.name + "\" without a uri");
  resource.mime_type = string_or(entry, "mimeType", "");
  resource.annotations = take(entry, "annotations");
  resource.input_schema = object_schema(Json::object(), Json::array());
  return resource;
}

Result<Capability> resource_template_of(const std::string& server, Json entry) {
  Result<Capability> base = base_of(CapabilityType::kResource, server, entry);
  if (!base.ok()) return base;
  Capability resource = std::move(base).value();
  resource.uri = string_or(entry, "uriTemplate", "");
  if (resource.uri.empty()) {
    return wrong(server, "resource template \"" + resource.name + "\" without a uriTemplate");
  }
  resource.mime_type = string_or(entry, "mimeType", "");
  Json properties = Json::object();
  Json required = Json::array();
  for (const std::string& variable : template_variables(resource.uri)) {
    properties[variable]["type"] = "string";
    required.push_back(variable);
  }
  resource.input_schema = object_schema(std::move(properties), std::move(required));
  return resource;
}

Result<Capability> prompt_of(const std::string& server, Json entry) {
  Result<Capability> base = base_of(CapabilityType::kPrompt, server, entry);
  if (!base.ok()) return base;
  Capability prompt = std::move(base).value();
  Json properties = Json::object();
  Json required = Json::array();
  if (const Json* const arguments = find(entry, "arguments"); arguments && arguments->is_array()) {
    for (const Json& argument : *arguments) {
      const std::string name = string_or(argument, "name", "");
      if (name.empty()) {
        return wrong(server, "prompt \"" + prompt.name + "\" with an argument without a name");
      }
      properties[name]["type"] = "string";
      properties[name]["description"] = string_or(argument, "description", "");
      if (bool_or(argument, "required", false)) required.push_back(name);
    }
  }
  prompt.input_schema = object_schema(std::move(properties), std::move(required));
  return prompt;
}

std::vector<std::string> template_variables(std::string_view uri_template) {
  std::vector<std::string> names;
  wire::expand_template(uri_template, [&](std::string_view expression) {
    const std::string_view name = variable_of(expression);
    if (!name.empty()) names.emplace_back(name);
    return std::string();
  });
  return names;
}

std::string expand_template(std::string_view uri_template, const Json& values) {
  return *wire::expand_template(uri_template, [&](std::string_view expression) {
    std::string text;
    wire::append_percent_encoded(text, string_or(values, variable_of(expression), ""));
    return text;
  });
}

std::size_t Manifest::capability_count() const {
  std::size_t count = 0;
  for (const ServerManifest& server : servers) count += server.capabilities.size();
  return count;
}

const Capability& at(const Manifest& manifest, CapabilityRef ref) {
  check(ref.server < manifest.servers.size(), "CapabilityRef of another manifest");
  const std::vector<Capability>& capabilities = manifest.servers[ref.server].capabilities;
  check(ref.capability < capabilities.size(), "CapabilityRef of another manifest");
  return capabilities[ref.capability];
}

Json to_json(Capability capability) {
  Json out = Json::object();
  if (!capability.annotations.is_null()) {
    add_last(out, "annotations", std::move(capability.annotations));
  }
  if (!capability.as_given.empty()) add_last(out, "as_given", std::move(capability.as_given));
  add_last(out, "description", std::move(capability.description));
  if (capability.as_task) out["execution"]["taskSupport"] = "required";
  add_last(out, "inputSchema", std::move(capability.input_schema));
  if (!capability.mime_type.empty()) add_last(out, "mimeType", std::move(capability.mime_type));
  add_last(out, "name", std::move(capability.name));
  if (!capability.output_schema.is_null()) {
    add_last(out, "outputSchema", std::move(capability.output_schema));
  }
  add_last(out, "server", std::move(capability.server));
  if (!capability.title.empty()) add_last(out, "title", std::move(capability.title));
  add_last(out, "type", name_of(capability.type));
  if (!capability.uri.empty()) add_last(out, "uri", std::move(capability.uri));
  return out;
}

Json to_json(Manifest manifest) {
  Json out = Json::object();
  for (ServerManifest& server : manifest.servers) {
    Json prompts = Json::array();
    Json resources = Json::array();
    Json tools = Json::array();
    for (Capability& capability : server.capabilities) {
      const CapabilityType type = capability.type;
      Json& list = type == CapabilityType::kTool       ? tools
                   : type == CapabilityType::kResource ? resources
                                                       : prompts;
      list.push_back(to_json(std::move(capability)));
    }
    Json entry = Json::object();
    add_last(entry, "name", std::move(server.name));
    add_last(entry, "prompts", std::move(prompts));
    add_last(entry, "protocolVersion", std::move(server.revision));
    add_last(entry, "resources", std::move(resources));
    add_last(entry, "tools", std::move(tools));
    add_last(entry, "version", std::move(server.version));
    out[server.server] = std::move(entry);
  }
  return out;
}

}  // namespace plumbline::connector
