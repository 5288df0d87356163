#include "scenarios/format/scenario_schema.h"

#include <initializer_list>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "core/agents/policy/policy.h"
#include "core/json/fields/shape.h"
#include "fakes/model/model_script.h"
#include "fakes/peers/behaviour.h"
#include "fakes/peers/server_script.h"
#include "scenarios/format/authorization.h"
#include "scenarios/format/format.h"
#include "scenarios/format/format_clients.h"
#include "scenarios/format/format_expect.h"
#include "scenarios/format/format_fleet.h"
#include "scenarios/format/format_properties.h"
#include "scenarios/format/format_users.h"
#include "scenarios/format/format_weather.h"
#include "scenarios/format/format_web.h"
#include "scenarios/judge/route_map.h"
#include "scenarios/spec/format_shell.h"

namespace plumbline::scenarios {

namespace {

using shape::says;
using shape::with;

Json headers_shape() {
  Json out = shape::by_name({{"type", {"string", "null"}}});
  return with(std::move(out), "propertyNames", {{"minLength", 1}});
}

Json bound_shape() {
  Json at_most = shape::closed({{"at_most", shape::ref("count")}});
  at_most["required"] = Json::array({"at_most"});
  return shape::either(shape::ref("count"), std::move(at_most));
}

// node_shape names the nodes of all agents' graphs.
Json node_shape() {
  std::set<std::string> names;
  for (const agents::Agent* const agent : agents::all_agents()) {
    for (const std::string& node : routes_of(*agent).nodes()) names.insert(node);
  }
  return {{"enum", names}};
}

// server_shape is a server's script, and what is around it.
Json server_shape() {
  Json out = shape::with_members(fakes::server_shape(), place_shape());
  return says(std::move(out), "A scripted server. It is correct until a step says otherwise.");
}

// In a scenario a policy need not say its version.
Json policy_shape() {
  Json out = agents::Policy::shape();
  out.erase("required");
  return says(std::move(out), "The policy of the assistant.");
}

// names_shape is an object of 1 to 20 of them by name.
Json names_shape(Json of, std::string_view what) {
  Json out = with(shape::by_name(std::move(of)), "minProperties", 1);
  return says(with(std::move(out), "maxProperties", 20), what);
}

// all_expect_shape is what a file may expect, of whatever it is about.
Json all_expect_shape() {
  Json out = shape::with_members(expect_shape(), fleet_expect_shape());
  out = shape::with_members(std::move(out), clients_expect_shape());
  return says(std::move(out), "The expected outcome. A key that is absent isn't judged.");
}

Json properties() {
  return {
      {"plumbline", says(shape::only(1), "The version of this format.")},
      {"id", says(shape::words(), "The name of the file without .json.")},
      {"title", says(shape::words(), "One plain sentence.")},
      {"tags", shape::list(shape::text())},
      {"source", says(shape::either(shape::words(), shape::list(shape::text())),
                      "The address of the report that described the failure.")},
      {"agent", says(shape::words(), "Who gets the request, of `plumbline list agents`.")},
      {"agents", names_shape(shape::words(), "The agents, by name, with the kind of each.")},
      {"users", names_shape(shape::ref("user"), "The users, by name.")},
      {"model", says(shape::ref("model"), "The scripted language model of each agent.")},
      {"models", with(shape::by_name(shape::ref("model")), "maxProperties", 20)},
      {"shell", says(shell_shape(), "The commands that can run, with files and hosts.")},
      {"policy", policy_shape()},
      {"invariants", properties_shape()},
      {"sometimes", says(shape::list(shape::text()), "Situations that a sweep has to meet.")},
      {"secrets", says(shape::list(with(shape::text(), "minLength", 4)),
                       "Strings that must not appear in state, trace or report.")},
      {"servers", with(shape::by_name(shape::ref("server")), "maxProperties", 100)},
      {"sign_in", says(sign_in_shape(), "What the users' machine has for signing in.")},
      {"clients", names_shape(shape::ref("client"), "Clients that act against our own server.")},
      {"fleet", says(fleet_shape(), "Agents behind one connector, and their callers.")},
      {"world", world_shape()},
      {"faults", faults_shape()},
      {"rare", says(shape::list(shape::text()), "Unusual choices: `plumbline list faults`.")},
      {"expect", all_expect_shape()},
  };
}

// without says that none of `keys` is there.
Json without(std::initializer_list<std::string_view> keys) {
  Json out = Json::object();
  for (const std::string_view key : keys) out[std::string(key)] = false;
  return out;
}

Json only_keys(const Json& shape) {
  Json names = Json::array();
  for (const auto& [key, value] : shape["properties"].items()) names.push_back(key);
  return {{"propertyNames", {{"enum", std::move(names)}}}};
}

Json kind_of_file(std::string_view what, Json required, Json members) {
  return {
      {"description", what}, {"required", std::move(required)}, {"properties", std::move(members)}};
}

// kinds are what a file may be about: each has keys that the others have not.
Json kinds() {
  Json one = without({"users", "agents", "clients", "fleet"});
  one["expect"] = with(only_keys(expect_shape()), "required", Json::array({"status"}));
  Json several = without({"agent", "request", "approve", "answers", "clients", "fleet"});
  several["expect"] = only_keys(expect_shape());
  Json clients = without({"agent", "agents", "users", "request", "approve", "answers", "policy",
                          "model", "models", "shell", "secrets", "servers", "sign_in", "faults",
                          "rare", "sometimes", "fleet"});
  Json fleet = clients;
  clients["world"] = {{"required", Json::array({"transport"})},
                      {"properties", {{"transport", {{"enum", {"bytes", "http", "sse", "ws"}}}}}}};
  clients["expect"] = only_keys(clients_expect_shape());
  fleet.erase("fleet");
  fleet["clients"] = fleet["invariants"] = false;
  fleet["expect"] = only_keys(fleet_expect_shape());
  return Json::array(
      {kind_of_file("One user of one agent.", {"request", "expect"}, std::move(one)),
       kind_of_file("Several users.", Json::array({"users"}), std::move(several)),
       kind_of_file("Clients against our own server.", {"clients", "world"}, std::move(clients)),
       kind_of_file("A fleet of agents behind one connector.", Json::array({"fleet"}),
                    std::move(fleet))});
}

Json definitions() {
  return {
      {"authorization", says(authorization_shape(), "Requires a token, issued by auth.NAME.")},
      {"behaviour", shape::list(shape::ref("step"))},
      {"bound", bound_shape()},
      {"client", client_shape()},
      {"client_step", client_step_shape()},
      {"count", count_shape()},
      {"effect", says(fakes::effect_shape(), "A side effect. Two with one key are the same.")},
      {"event_pattern", says(pattern_shape(), "Matches an event of a trace.")},
      {"headers", headers_shape()},
      {"http", says(http_shape(), "A proxy before the server in a world of HTTP.")},
      {"http_action", says(http_action_shape(), "What happens to an exchange.")},
      {"milliseconds", shape::any_milliseconds()},
      {"model", fakes::model_shape()},
      {"model_turn", says(fakes::model_turn_shape(), "One answer of a model, or its failure.")},
      {"node", node_shape()},
      {"server", server_shape()},
      {"shell_commands", shell_commands_shape()},
      {"step", fakes::step_shape()},
      {"user", user_shape()},
      {"user_expect", says(user_expect_shape(), "What is to come of one user's requests.")},
  };
}

}  // namespace

Json scenario_schema() {
  const Json out = {
      {"$schema", "https://json-schema.org/draft/2020-12/schema"},
      {"$id", "urn:plumbline:scenario:1"},
      {"title", "Plumbline scenario, version 1"},
      {"type", "object"},
      {"additionalProperties", false},
      {"required", {"plumbline", "id", "title"}},
      {"oneOf", kinds()},
      {"properties", properties()},
      {"$defs", definitions()},
  };
  return shape::with_members(out, asking_shape());
}

}  // namespace plumbline::scenarios
