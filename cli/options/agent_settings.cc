#include "cli/options/agent_settings.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "cli/options/settings.h"
#include "core/json/fields/fields.h"
#include "core/json/json.h"

namespace plumbline::cli {

namespace {

constexpr std::array<std::string_view, 3> kMethods = {"tools/call", "resources/read",
                                                      "prompts/get"};

void read_connection_timeout(ObjectReader& fields, AgentSettings& out) {
  const Json* const timeout = fields.take("timeout");
  if (timeout == nullptr) return;
  out.timeout = read_span(*timeout, std::chrono::milliseconds(1));
  if (out.timeout) return;
  fields.refuse("timeout", "\"timeout\" is " + dump_json(*timeout) +
                               ", expected milliseconds or a text such as \"30s\"");
}

void read_retries(ObjectReader& fields, AgentSettings& out) {
  const Json* const said = fields.object("retryPolicy");
  if (said == nullptr) return;
  ObjectReader retries(*said, fields.pointer_to("retryPolicy"), "\"retryPolicy\"",
                       fields.problem());
  out.retries = connector::read_retry_policy(retries);
}

void read_methods(ObjectReader& fields, AgentSettings& out) {
  if (!fields.has("capabilities")) return;
  std::vector<std::string> methods = fields.strings("capabilities");
  for (std::size_t i = 0; i < methods.size(); ++i) {
    if (std::ranges::find(kMethods, methods[i]) != kMethods.end()) continue;
    add_problem(
        fields.problem(), fields.pointer_to("capabilities") + '/' + std::to_string(i),
        "\"" + methods[i] + "\", expected one of tools/call, resources/read and prompts/get");
  }
  out.capabilities = std::move(methods);
}

// What is said of one agent, beside where it is.
const Fields<AgentSettings>& agent_settings_fields() {
  static const Fields<AgentSettings> kConnection(
      "\"connection\"",
      {
          field::own<AgentSettings>("timeout", shape::ref("duration_ms"), read_connection_timeout),
          field::own<AgentSettings>("retryPolicy", connector::retry_policy_shape(), read_retries),
      });
  static const Fields<AgentSettings> kFields(
      "\"plumbline\"", {
                           field::part("connection", kConnection).says("how it is reached"),
                           field::own<AgentSettings>(
                               "capabilities", shape::list(shape::one_of(kMethods)), read_methods)
                               .says("the methods that it may be asked"),
                       });
  return kFields;
}

}  // namespace

AgentSettings read_agent_settings(ObjectReader& fields) {
  AgentSettings out;
  agent_settings_fields().read(fields, out);
  return out;
}

Json agent_settings_shape() { return agent_settings_fields().shape(); }

}  // namespace plumbline::cli
