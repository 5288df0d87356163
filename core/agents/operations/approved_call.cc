#include "core/agents/operations/approved_call.h"

#include <string>
#include <utility>

#include "core/agents/approvals/shown_text.h"
#include "core/base/check.h"

namespace plumbline::agents {

namespace {

std::string method_of(connector::CapabilityType type) {
  switch (type) {
    case connector::CapabilityType::kTool:
      return "tools/call";
    case connector::CapabilityType::kResource:
      return "resources/read";
    case connector::CapabilityType::kPrompt:
      return "prompts/get";
  }
  check(false, "unknown CapabilityType");
  return {};
}

}  // namespace

std::string shown_label(const connector::Capability& capability) {
  return approvals::shown(label(capability));
}

connector::McpRequest request_of(const connector::Capability& capability, const Json& arguments) {
  connector::McpRequest request;
  request.server = capability.server;
  request.method = method_of(capability.type);
  request.as_task = capability.as_task;
  request.params = Json::object();
  if (capability.type == connector::CapabilityType::kResource) {
    request.params["uri"] = connector::expand_template(capability.uri, arguments);
  } else {
    request.params["name"] = capability.name;
    request.params["arguments"] = arguments;
  }
  return request;
}

approvals::Action action_of(const connector::Capability& capability,
                            const connector::McpRequest& request,
                            const connector::Manifest& manifest) {
  approvals::Action out;
  out.type = name_of(capability.type);
  out.server = request.server;
  out.name = string_or(request.params, "name", capability.name);
  out.line = string_or(request.params, "uri", "");
  const Json* const arguments = find(request.params, "arguments");
  out.arguments = arguments != nullptr ? *arguments : Json::object();
  out.meaning = approvals::meaning_of(manifest, request.server, capability.type, out.name);
  place_in(manifest, out);
  return out;
}

approvals::Action action_to_approve(const OperationsState& state, const Validation& validation) {
  const connector::Capability& capability = *state.selected();
  return action_of(capability, request_of(capability, validation.extraction.arguments),
                   state.capability_manifest);
}

Json review_of(const OperationsState& state, const Validation& validation) {
  approvals::Asked asked;
  asked.place = "call";
  asked.reason = validation.reason;
  for (const Risk risk : validation.assessment.risks) asked.risks.emplace_back(name_of(risk));
  return question_about(action_to_approve(state, validation), asked);
}

}  // namespace plumbline::agents
