#include "core/connector/registry/descriptor.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/base/text.h"
#include "core/json/shown/visible_text.h"

namespace plumbline::registry {

namespace {

using connector::CapabilityType;

constexpr std::array<std::string_view, 3> kCapabilityTypes = {"tool", "resource", "prompt"};

// shown_name reads a short text that people tell agents apart by.
std::string shown_name(ObjectReader& fields, std::string_view key) {
  std::string text = fields.text(key).value_or("");
  if (text.size() > kAgentNameBytesMax) {
    fields.refuse(key, '"' + std::string(key) + "\" has " + std::to_string(text.size()) +
                           " bytes, expected at most " + std::to_string(kAgentNameBytesMax));
  } else if (text.find('\n') != std::string::npos || hides_text(text)) {
    fields.refuse(key, '"' + std::string(key) +
                           "\" holds characters that are not shown, expected "
                           "only what can be seen");
  }
  return text;
}

std::string shown_description(ObjectReader& fields) {
  const std::string text = visible_text(fields.text("description").value_or(""));
  return std::string(beginning(text, kAgentDescriptionBytesMax));
}

Capability read_capability(const Json& json, const std::string& pointer,
                           std::optional<Problem>& problem) {
  ObjectReader fields(json, pointer, "a capability", problem);
  Capability out;
  fields.require("name", "a string");
  out.name = shown_name(fields, "name");
  fields.require("type", "tool, resource or prompt");
  out.type = static_cast<CapabilityType>(fields.choice("type", kCapabilityTypes).value_or(0));
  out.description = shown_description(fields);
  if (const Json* const parameters = fields.array("parameters")) {
    for (std::size_t i = 0; i < parameters->size(); ++i) {
      out.parameters.push_back(read_parameter(
          (*parameters)[i], fields.pointer_to("parameters") + '/' + std::to_string(i), problem));
    }
  }
  if (const Json* const returns = fields.object("returns")) {
    out.returns = read_value(*returns, fields.pointer_to("returns"), problem);
  }
  return out;
}

void read_capabilities(ObjectReader& fields, AgentDescriptor& out,
                       std::optional<Problem>& problem) {
  const Json* const listed = fields.array("capabilities");
  if (listed == nullptr) return;
  if (listed->size() > kAgentCapabilitiesMax) {
    return fields.refuse("capabilities", "there are " + std::to_string(listed->size()) +
                                             " capabilities, expected at most " +
                                             std::to_string(kAgentCapabilitiesMax));
  }
  for (std::size_t i = 0; i < listed->size(); ++i) {
    const std::string at = fields.pointer_to("capabilities") + '/' + std::to_string(i);
    out.capabilities.push_back(read_capability((*listed)[i], at, problem));
  }
}

const ParameterDefinition* parameter_called(const Capability& of, const std::string& name) {
  const auto found = std::ranges::find(of.parameters, name, &ParameterDefinition::name);
  return found == of.parameters.end() ? nullptr : &*found;
}

// compare_parameters adds the lines of one capability that both sides have.
void compare_parameters(const Capability& promised, const Capability& listed,
                        std::vector<std::string>& lines) {
  if (promised.parameters.empty()) return;  // It may say nothing of them.
  const std::string what = std::string(name_of(promised.type)) + " \"" + promised.name + '"';
  for (const ParameterDefinition& one : promised.parameters) {
    const ParameterDefinition* const real = parameter_called(listed, one.name);
    if (real == nullptr) {
      lines.push_back("the " + what + " has no parameter \"" + one.name + '"');
    } else if (real->value.type != one.value.type) {
      lines.push_back("the parameter \"" + one.name + "\" of the " + what + " is of type " +
                      std::string(name_of(real->value.type)) + ", the descriptor says " +
                      std::string(name_of(one.value.type)));
    }
  }
  for (const ParameterDefinition& real : listed.parameters) {
    if (!real.required || parameter_called(promised, real.name) != nullptr) continue;
    lines.push_back("the " + what + " needs a parameter \"" + real.name +
                    "\", of which the descriptor says nothing");
  }
}

}  // namespace

Result<AgentDescriptor, Problem> read_descriptor(const Json& json, const std::string& pointer) {
  std::optional<Problem> problem;
  ObjectReader fields(json, pointer, "an agent", problem);
  AgentDescriptor out;
  fields.required_string("id");
  out.id = shown_name(fields, "id");
  out.name = shown_name(fields, "name");
  if (out.name.empty()) out.name = out.id;
  out.description = shown_description(fields);
  out.version = shown_name(fields, "version");
  out.endpoint = fields.required_string("endpoint");
  out.supported_protocols = fields.strings("supportedProtocols");
  if (const Json* const metadata = fields.object("metadata")) out.metadata = *metadata;
  read_capabilities(fields, out, problem);
  if (problem) return *std::move(problem);
  return out;
}

Json to_json(const Capability& capability) {
  Json out = Json::object();
  out["name"] = capability.name;
  out["type"] = name_of(capability.type);
  out["description"] = capability.description;
  if (!capability.parameters.empty()) {
    Json& parameters = out["parameters"] = Json::array();
    for (const ParameterDefinition& one : capability.parameters) parameters.push_back(to_json(one));
  }
  if (capability.returns) out["returns"] = to_json(*capability.returns);
  return out;
}

Json to_json(const AgentDescriptor& agent) {
  Json out = Json::object();
  out["id"] = agent.id;
  out["name"] = agent.name;
  out["description"] = agent.description;
  out["version"] = agent.version;
  out["endpoint"] = agent.endpoint;
  out["supportedProtocols"] = agent.supported_protocols;
  out["metadata"] = agent.metadata;
  Json& capabilities = out["capabilities"] = Json::array();
  for (const Capability& one : agent.capabilities) capabilities.push_back(to_json(one));
  return out;
}

Capability capability_of(const connector::Capability& listed) {
  Capability out;
  out.name = listed.name;
  out.type = listed.type;
  out.description = listed.description;
  out.parameters = parameters_of(listed.input_schema);
  if (!listed.output_schema.is_null()) out.returns = value_of(listed.output_schema);
  return out;
}

std::vector<std::string> disagreements(const std::vector<Capability>& promised,
                                       const std::vector<Capability>& listed) {
  std::vector<std::string> lines;
  for (const Capability& one : promised) {
    const auto real = std::ranges::find_if(listed, [&one](const Capability& other) {
      return other.name == one.name && other.type == one.type;
    });
    if (real == listed.end()) {
      lines.push_back("it lists no " + std::string(name_of(one.type)) + " \"" + one.name + '"');
    } else {
      compare_parameters(one, *real, lines);
    }
  }
  return lines;
}

}  // namespace plumbline::registry
