// Logging: spec, server/utilities/logging. What is said in log messages is judged by oracles.

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/catalogue/meta_keys.h"
#include "conformance/checks/server/callable_tools.h"
#include "conformance/checks/server/check.h"
#include "conformance/checks/server/features/logged_secrets.h"
#include "conformance/checks/server/judgements.h"
#include "conformance/checks/server/listening.h"
#include "conformance/checks/server/probe.h"
#include "conformance/checks/server/shapes.h"
#include "conformance/checks/server/transports/http_ways.h"
#include "core/base/secrets/secret_names.h"

namespace plumbline::conformance {

namespace {

constexpr std::array<std::string_view, 8> kBySeverity = {
    "debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"};

constexpr int kSecretsMax = 5;
constexpr const char* kSecretGiven = "plumbline-secret-7f3a9c";

Json level_params(std::string_view level) {
  Json params(Json::value_t::object);
  params["level"] = level;
  return params;
}

// logged_since returns the log messages among the frames from `first` on.
std::vector<KeptJson> logged_since(Client& client, std::size_t first) {
  const std::vector<Frame>& frames = client.session().wire().inbox().frames;
  std::vector<KeptJson> messages;
  for (; first < frames.size(); ++first) {
    const KeptJson& message = frames[first].message;
    if (string_or(*message, "method", "") == "notifications/message") messages.push_back(message);
  }
  return messages;
}

// logged_by makes a request and returns what is logged. For the first message it waits as long as
// `patience`, and then for a quiet moment.
Task<std::vector<KeptJson>> logged_by(Client client, std::string method, Json params,
                                      Duration patience) {
  const std::size_t first = frames_of(client);
  co_await client.call(std::move(method), std::move(params));
  co_await await_notice(client, first, "notifications/message", patience);
  co_await client.listen(client.pace().quiet());
  co_return logged_since(client, first);
}

// Logger is a request that logs.
struct Logger {
  std::string method;
  Json params;
};

// loggers_of returns requests that were seen to log when everything was asked for, one of each
// method: the first tool, the first prompt, the first resource.
std::vector<Logger> loggers_of(const Exercise& exercise) {
  std::vector<Logger> found;
  for (const Call& call : exercise.calls) {
    const auto is_same = [&call](const Logger& one) { return one.method == call.method; };
    if (!call.shows.contains(Shows::kLogs) || !call.reply.answered()) continue;
    if (std::ranges::none_of(found, is_same)) found.push_back({call.method, call.params});
  }
  return found;
}

std::string level_of(const Json& message) {
  return string_or(*find(message, "params"), "level", "");
}

// above_emergency returns the first log message of a call of another level than the one that was
// set; null: none.
Task<KeptJson> above_emergency(Client client, Logger logger) {
  const Duration at_once{};
  const std::vector<KeptJson> few =
      co_await logged_by(client, std::move(logger.method), std::move(logger.params), at_once);
  for (const KeptJson& message : few) {
    if (level_of(*message) != "emergency") co_return message;
  }
  co_return kept(nullptr);
}

// keeps_its_own_level: another session that wants to hear everything changes nothing in this one.
Task<Finding> keeps_its_own_level(Probe& probe, Client client, Logger logger) {
  if (!probe.over_http() || client.session().session_id().empty()) co_return passes();
  if (opened_slowly(client)) co_return passes();
  Client other = co_await open_quietly(probe);
  if (!other.session().usable()) co_return passes();
  const Reply set = co_await other.request("logging/setLevel", level_params("debug"));
  if (set.result() == nullptr) co_return passes();
  const KeptJson message = co_await above_emergency(client, std::move(logger));
  if (message->is_null()) co_return passes();
  co_return showing(broken("a log message of level " + level_of(*message) +
                           " after the level was set to emergency in its session, and to debug in "
                           "another: a level is that of its session"),
                    *message);
}

// set_each_level sets all eight, one after the other: logging.level-values reads what comes of it.
Task<void> set_each_level(Client client) {
  std::vector<Client::Begun> setting;
  for (const std::string_view level : kBySeverity) {
    setting.push_back(client.begin(client.request_of("logging/setLevel", level_params(level))));
  }
  for (Client::Begun& each : setting) co_await client.finish(std::move(each));
}

// HeardOnStream is the first log message of another level than emergency on a GET stream.
struct HeardOnStream {
  std::string level;  // Empty: there was none.
  Json message;
};

// heard_on_stream opens a GET stream, listens for a quiet moment and closes it.
Task<HeardOnStream> heard_on_stream(Client client) {
  HeardOnStream heard;
  const std::optional<std::size_t> number = co_await answered_get(client);
  if (!number) co_return std::move(heard);
  const auto& exchanges = client.session().wire().inbox().exchanges;
  const bool opened = exchanges[*number].status == 200 && exchanges[*number].events;
  if (opened) co_await client.listen(client.pace().quiet());
  for (const Json& message : messages_of(client, *number)) {
    if (string_or(message, "method", "") != "notifications/message") continue;
    const Json* const params = find(message, "params");
    const std::string level = params == nullptr ? "" : string_or(*params, "level", "");
    const bool below = level != "emergency" && std::ranges::count(kBySeverity, level) > 0;
    if (!below || !heard.level.empty()) continue;
    heard.level = level;
    heard.message = message;
  }
  client.session().wire().drop(*number);
  co_return std::move(heard);
}

// keeps_it_on_streams: what a server had to say before the level was set may wait for the first GET
// stream of its session, but not for the second.
Task<Finding> keeps_it_on_streams(Probe& probe) {
  if (!probe.over_http() || !probe.survey().declares("/logging")) co_return passes();
  Client client = co_await open_quietly(probe);
  if (!client.session().usable() || client.session().session_id().empty()) co_return passes();
  if (opened_slowly(client)) co_return passes();
  const Reply set = co_await client.request("logging/setLevel", level_params("emergency"));
  if (set.result() == nullptr) co_return passes();
  const HeardOnStream first = co_await heard_on_stream(client);
  HeardOnStream second;
  if (!first.level.empty()) second = co_await heard_on_stream(client);
  co_await client.request("logging/setLevel", level_params("debug"));  // Where it is that of all.
  if (second.level.empty()) co_return passes();
  co_return showing(broken("a log message of level " + second.level +
                           " after the level was set to emergency, on a GET stream that was "
                           "opened then"),
                    second.message);
}

Task<Finding> keeps_to_the_level_in_calls(Probe& probe) {
  // Some servers have one level for all: nobody else may set it now.
  std::vector<Logger> loggers = loggers_of(*co_await probe.exercise());
  const bool seen = !loggers.empty();
  if (!seen) {
    const std::optional<ToolUse> use = co_await probe.tool_that(Shows::kLogs);
    if (!use) co_return needs(Shows::kLogs);
    loggers.push_back({"tools/call", use->params});
  }
  Client client = probe.client();
  co_await set_each_level(client);
  co_await client.request("logging/setLevel", level_params("debug"));
  const Logger first = loggers.front();
  if (!seen) {
    const Duration patience = probe.pace().answer();
    const std::vector<KeptJson> all =
        co_await logged_by(client, first.method, first.params, patience);
    if (all.empty()) co_return not_for_it("its tool logs nothing");
  }
  co_await client.request("logging/setLevel", level_params("emergency"));
  for (const Logger& logger : loggers) {
    const KeptJson message = co_await above_emergency(client, logger);
    if (message->is_null()) continue;
    const std::string where = logger.method == "tools/call" ? "" : ", during " + logger.method;
    co_return showing(broken("a log message of level " + level_of(*message) +
                             " after the level was set to emergency" + where),
                      *message);
  }
  co_return co_await keeps_its_own_level(probe, client, first);
}

Task<Finding> keeps_to_the_level(Probe& probe) {
  Finding called = co_await keeps_to_the_level_in_calls(probe);
  if (called.verdict == Verdict::kFail) co_return std::move(called);
  Finding streamed = co_await keeps_it_on_streams(probe);
  if (streamed.verdict == Verdict::kFail) co_return std::move(streamed);
  co_return std::move(called);
}

// Who does not say that it logs is asked for no level by its clients.
Task<Finding> sets_no_undeclared_level(Probe& probe) {
  if (probe.survey().declares("/logging")) co_return not_for_it("it declares logging");
  const Json* const opening = probe.survey().opening.result();
  const Json* const capabilities = opening == nullptr ? nullptr : find(*opening, "capabilities");
  if (capabilities == nullptr || !capabilities->is_object()) {
    co_return not_for_it("it says no capabilities at all");
  }
  Client client = probe.client();
  const Reply reply = co_await client.request("logging/setLevel", level_params("info"));
  if (reply.result() == nullptr) co_return passes();
  co_return about(broken("logging/setLevel got a result, and logging is not declared: expected "
                         "error -32601, or the capability, by which clients go"),
                  reply);
}

Task<Finding> refuses_unknown_levels(Probe& probe) {
  if (!probe.survey().declares("/logging")) co_return not_for_it("it does not declare logging");
  Client client = probe.client();
  if (!probe.stateless()) co_await set_each_level(client);
  const std::array<Json, 2> levels = {Json("verbose"), Json(3)};
  for (const Json& level : levels) {
    Reply reply;
    if (probe.stateless()) {
      Json request = client.request_of("server/discover", Json::object());
      request["params"]["_meta"][kMetaLogLevel] = level;
      reply = co_await client.exchange(std::move(request));
    } else {
      Json params(Json::value_t::object);
      params["level"] = level;
      reply = co_await client.request("logging/setLevel", std::move(params));
    }
    if (reply.code() == -32602) continue;
    if (reply.code() == -32601)
      co_return not_for_it("it has no logging/setLevel: see logging.level-values");
    co_return about(broken("the level " + dump_json(level) + " got " + reply.describe() +
                           ", expected error -32602"),
                    reply);
  }
  co_return passes();
}

// secret_parameter returns the parameter of `tool` that a secret is given by; empty: there is none.
std::string secret_parameter(const Json& tool) {
  const Json* const properties = properties_of(tool);
  if (properties == nullptr) return "";
  for (const auto& [name, property] : properties->items()) {
    if (string_or(property, "type", "") == "string" && names_secret(name, NamedAs::kMember))
      return name;
  }
  return "";
}

// logged_secrets reads what was logged in ordinary use.
Task<Finding> logged_secrets(Probe& probe) {
  const Exercise& exercise = *co_await probe.exercise();
  Finding finding = passes();
  for (const ServerAsked& told : exercise.told) {
    if (told.method() != "notifications/message") continue;
    const Json params = told.params();
    const Json* const data = find(params, "data");
    const std::string secret = data == nullptr ? "" : secret_logged(*data);
    if (secret.empty()) continue;
    finding = broken("a log message holds a secret, known by \"" + shortened(secret) + "\"");
    finding.evidence = told.evidence;
    if (!finding.evidence.empty()) finding.evidence.back().judged = true;
    break;
  }
  co_return std::move(finding);
}

Task<Finding> logs_no_secrets(Probe& probe) {
  Finding logged = co_await logged_secrets(probe);
  if (logged.verdict == Verdict::kFail) co_return std::move(logged);
  if (!probe.survey().declares("/logging")) co_return not_for_it("it does not declare logging");
  Client client = probe.client();
  if (!probe.stateless()) co_await client.request("logging/setLevel", level_params("debug"));
  std::size_t seen = 0;
  int tried = 0;
  for (const Json& tool : probe.survey().tools.items) {
    const std::string name = secret_parameter(tool);
    if (name.empty() || !probe.may_call(tool) || ++tried > kSecretsMax) continue;
    Json params = probe.call_params(tool);
    params["arguments"][name] = kSecretGiven;
    Json request = client.request_of("tools/call", std::move(params));
    if (probe.stateless()) {
      request["params"]["_meta"][kMetaLogLevel] = "debug";
    }
    Json whole = std::move(request["params"]);
    const Duration at_once{};
    const std::vector<KeptJson> messages =
        co_await logged_by(client, "tools/call", std::move(whole), at_once);
    seen += messages.size();
    for (const KeptJson& message : messages) {
      if (!mentions(dump_json(*message), kSecretGiven)) continue;
      co_return showing(broken("the tool \"" + shortened(string_or(tool, "name", "")) +
                               "\" logs its \"" + shortened(name) + "\""),
                        *message);
    }
  }
  co_return seen > 0 ? passes() : not_for_it("no tool that takes a secret and may be called logs");
}

constexpr ServerCheck kLoggingChecks[] = {
    {"logging.level-declared", Eras::kStateful, SessionUse::kShared, sets_no_undeclared_level},
    {"logging.no-sensitive-data", Eras::kBoth, SessionUse::kAlone, logs_no_secrets},
    {"logging.level-respected", Eras::kStateful, SessionUse::kAlone, keeps_to_the_level},
    {"logging.invalid-level-error", Eras::kBoth, SessionUse::kAlone, refuses_unknown_levels},
};

}  // namespace

ServerChecks logging_checks() { return kLoggingChecks; }

}  // namespace plumbline::conformance
