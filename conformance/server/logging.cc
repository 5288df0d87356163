// Logging: spec, server/utilities/logging. What is said in log messages is judged by oracles.

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/server/check.h"
#include "conformance/server/judgements.h"
#include "conformance/server/probe.h"

namespace plumbline::conformance {

namespace {

constexpr std::array<std::string_view, 8> kBySeverity = {
    "debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"};

Json level_params(std::string_view level) {
  Json params(Json::value_t::object);
  params["level"] = level;
  return params;
}

// levels_logged calls the fixture and returns the levels of what it logs.
Task<std::vector<std::string>> levels_logged(Probe& probe, Client client, Json params) {
  Inbox& inbox = client.session().wire().inbox();
  const std::size_t first = inbox.frames.size();
  co_await client.request("tools/call", std::move(params));
  co_await client.listen(probe.pace().quiet());
  std::vector<std::string> levels;
  for (std::size_t at = first; at < inbox.frames.size(); ++at) {
    const Json& message = inbox.frames[at].message;
    if (string_or(message, "method", "") != "notifications/message") continue;
    levels.push_back(string_or(*find(message, "params"), "level", ""));
  }
  co_return levels;
}

Task<Finding> keeps_to_the_level(Probe& probe) {
  const Json* const tool = probe.fixture("test_tool_with_logging");
  if (tool == nullptr) co_return not_for_it("no tool is known to log");
  Client client = probe.client();
  for (const std::string_view level : kBySeverity) {
    co_await client.request("logging/setLevel", level_params(level));
  }
  co_await client.request("logging/setLevel", level_params("debug"));
  const std::vector<std::string> all = co_await levels_logged(probe, client, call_params(*tool));
  if (all.empty()) co_return not_for_it("its tool logs nothing");
  co_await client.request("logging/setLevel", level_params("emergency"));
  const std::vector<std::string> few = co_await levels_logged(probe, client, call_params(*tool));
  for (const std::string& level : few) {
    if (level == "emergency") continue;
    co_return broken("a log message of level " + level + " after the level was set to emergency");
  }
  co_return passes();
}

Task<Finding> refuses_unknown_levels(Probe& probe) {
  if (!probe.survey().declares("/logging")) co_return not_for_it("it does not declare logging");
  Client client = probe.client();
  const std::array<Json, 2> levels = {Json("verbose"), Json(3)};
  for (const Json& level : levels) {
    Reply reply;
    if (probe.stateless()) {
      Json request = client.request_of("server/discover", Json::object());
      request["params"]["_meta"]["io.modelcontextprotocol/logLevel"] = level;
      reply = co_await client.exchange(std::move(request));
    } else {
      Json params(Json::value_t::object);
      params["level"] = level;
      reply = co_await client.request("logging/setLevel", std::move(params));
    }
    if (reply.code() == -32602) continue;
    co_return broken("the level " + dump_json(level) + " got " + reply.describe() +
                     ", expected error -32602");
  }
  co_return passes();
}

constexpr ServerCheck kLoggingChecks[] = {
    {"logging.level-respected", Eras::kStateful, Place::kAlone, keeps_to_the_level},
    {"logging.invalid-level-error", Eras::kBoth, Place::kAlone, refuses_unknown_levels},
};

}  // namespace

ServerChecks logging_checks() { return kLoggingChecks; }

}  // namespace plumbline::conformance
