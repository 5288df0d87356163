#include "cli/config/agents_schema.h"

#include <chrono>
#include <string_view>
#include <utility>

#include "cli/config/authentication.h"
#include "cli/config/config.h"
#include "cli/options/settings.h"
#include "core/agents/policy/policy.h"
#include "core/base/limits.h"
#include "core/base/time.h"
#include "core/json/fields/shape.h"

namespace plumbline::cli {

namespace {

using shape::closed;
using shape::says;
using shape::with;

Json texts_by_name() { return shape::by_name(shape::text()); }

// place is where a server is: `url_key` is what the member with its address is called.
Json place(std::string_view url_key) {
  Json out = {
      {"type", {{"enum", {"stdio", "http", "streamable-http", "streamableHttp", "sse", "ws"}}}},
      {"headers", texts_by_name()},
      {"ca_file", shape::words()},
      {"authentication", shape::ref("authentication")},
      {"command", shape::words()},
      {"args", shape::list(shape::text())},
      {"env", texts_by_name()},
      {"cwd", shape::words()},
  };
  out[std::string(url_key)] = says(with(shape::text(), "pattern", "^(https?|wss?)://[^/]"),
                                   "An address: https, wss, http or ws");
  return out;
}

// The file of one agent holds nothing that we do not know.
Json agent() {
  Json members = place("endpoint");
  members["agentId"] = shape::words();
  Json out = shape::with_members(closed(std::move(members)), agent_settings_shape());
  out.update(shape::any_of_two("endpoint", "command"));
  return out;
}

// An entry of a host's file: what others keep there is left alone.
Json server() {
  Json members = place("url");
  members["plumbline"] = agent_settings_shape();
  Json out = with(shape::object(), "properties", std::move(members));
  out.update(shape::any_of_two("url", "command"));
  return out;
}

Json registry() {
  Json out = closed({{"url", with(shape::text(), "pattern", "^https?://")},
                     {"headers", texts_by_name()},
                     {"allow", shape::list(shape::text())}});
  return with(std::move(out), "required", Json::array({"url"}));
}

Json model() {
  return closed({{"script", shape::text()},
                 {"settings", shape::text()},
                 {"name", shape::text()},
                 {"role", shape::text()}});
}

Json ours() {
  const Json time = shape::either(shape::whole(1, milliseconds_of(limits::kVirtualTimeMax)),
                                  shape::duration_text());
  const Json names = shape::list(shape::text());
  return closed({{"policy", agents::Policy::shape()},
                 {"connect_timeout_ms", time},
                 {"request_timeout_ms", time},
                 {"server_priority", names},
                 {"server_preferences", names},
                 {"registry", registry()},
                 {"model", model()},
                 {"mcp", shape::ref("mcp")},
                 {"security", shape::ref("security")}});
}

Json settings() {
  Json out = closed({{"mcp", shape::ref("mcp")}, {"security", shape::ref("security")}});
  out.update(shape::any_of_two("mcp", "security"));
  return out;
}

Json servers() {
  const Json members = {{"mcpServers", shape::by_name(shape::ref("server"))},
                        {"plumbline", ours()}};
  return {{"properties", members}};
}

}  // namespace

Json agents_schema() {
  const Json of_servers = {{"if", {{"not", {{"required", Json::array({"mcpServers"})}}}}},
                           {"then", shape::ref("settings")},
                           {"else", shape::ref("servers")}};
  const Json definitions = {
      {"agent", agent()},
      {"authentication", authentication_shape()},
      {"duration_ms", duration_shape(std::chrono::milliseconds(1))},
      {"duration_s", duration_shape(std::chrono::seconds(1))},
      {"mcp", settings_shape("mcp")},
      {"milliseconds", shape::any_milliseconds()},
      {"security", settings_shape("security")},
      {"server", server()},
      {"servers", servers()},
      {"settings", settings()},
  };
  return {
      {"$schema", "https://json-schema.org/draft/2020-12/schema"},
      {"title", "Agents of Plumbline"},
      {"description", "The file of one agent, of several servers, or of settings alone"},
      {"type", "object"},
      {"if", {{"required", Json::array({"agentId"})}}},
      {"then", shape::ref("agent")},
      {"else", of_servers},
      {"$defs", definitions},
  };
}

}  // namespace plumbline::cli
