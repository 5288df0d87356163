// JSON-RPC as MCP uses it: spec, basic.

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "conformance/checks/server/callable_tools.h"
#include "conformance/checks/server/check.h"
#include "conformance/checks/server/judgements.h"
#include "conformance/checks/server/probe.h"

namespace plumbline::conformance {

namespace {

constexpr std::pair<const char*, const char*> kBareLists[] = {
    {"/tools", "tools/list"}, {"/prompts", "prompts/list"}, {"/resources", "resources/list"}};

// What set up state on a connection of the older era: no method of the stateless one.
constexpr const char* kRemovedMethods[] = {"logging/setLevel", "resources/subscribe"};

Json params_of_removed(const Survey& survey) {
  Json params = Json::object();
  params["level"] = "info";
  const bool any = !survey.resources.items.empty();
  params["uri"] = any ? string_or(survey.resources.items.front(), "uri", "") : "plumbline://none";
  return params;
}

Task<Finding> answers_unknown_method(Probe& probe) {
  Client client = probe.client();
  const Reply reply = co_await client.request("plumbline/no-such-method");
  Finding finding = expect_error(reply, {-32601});
  if (!probe.stateless() || finding.verdict != Verdict::kPass) co_return std::move(finding);
  for (const char* const method : kRemovedMethods) {
    const Reply removed = co_await client.request(method, params_of_removed(probe.survey()));
    if (removed.result() == nullptr) continue;
    co_return about(
        broken(std::string(method) +
               " got a result, and this revision has no such method: expected error -32601"),
        removed);
  }
  co_return std::move(finding);
}

Task<Finding> refuses_what_is_no_json(Probe& probe) {
  Client client = probe.client();
  const Reaction reaction = co_await client.provoke("{\"jsonrpc\":\"2.0\",\"id\":1,");
  // Of a body that is no JSON the headers may be wrong as well.
  if (probe.over_http()) co_return expect_refused(reaction, {-32700, -32600});
  co_return expect_refused(reaction, {-32700});
}

Task<Finding> refuses_what_is_no_request(Probe& probe) {
  Client client = probe.client();
  // Without a method it could be a response that lacks its result, which nobody answers.
  const Reaction reaction =
      co_await client.provoke("{\"jsonrpc\":\"2.0\",\"id\":4711,\"method\":42}");
  co_return expect_refused(reaction, {-32600});
}

// answered_a_notification says how; nothing when it was right. Over HTTP what is refused may have
// an error as its body.
std::string answered_a_notification(const Reaction& reaction) {
  if (!reaction.alive) return "it no longer answers after a notification";
  const bool refused = reaction.status >= 400;
  const Json* const response = refused ? reaction.error() : reaction.response();
  if (response == nullptr || (refused && find(*response, "id") == nullptr)) return {};
  return "got " + reaction.describe() + " to a notification, expected no response";
}

// judge_requests_without_id sends what is a request by its method, and has no id: nobody waits.
Task<Finding> judge_requests_without_id(Probe& probe, Client client) {
  std::vector<std::string> methods = {std::string(client.harmless_method())};
  if (probe.survey().declares("/tools")) methods.emplace_back("tools/list");
  for (const std::string& method : methods) {
    Json request = client.request_of(method, Json::object());
    const wire::HttpHeaders headers = client.session().headers_for(request);
    request.erase("id");
    const Reaction reaction = co_await client.provoke(dump_json(request), headers);
    const std::string wrong = answered_a_notification(reaction);
    if (!wrong.empty()) co_return about(broken(wrong + ": " + method + " without an id"), reaction);
  }
  co_return passes();
}

Task<Finding> is_silent_about_notifications(Probe& probe) {
  Client client = probe.client();
  const std::string unknown =
      "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/plumbline-unknown\",\"params\":{}}";
  const std::string late =
      "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\","
      "\"params\":{\"requestId\":\"plumbline-never-asked\"}}";
  const std::vector<std::string> texts = {unknown, late};
  for (const std::string& text : texts) {
    const Reaction reaction = co_await client.provoke(text);
    const std::string wrong = answered_a_notification(reaction);
    if (!wrong.empty()) co_return broken(wrong);
  }
  Finding bare = co_await judge_requests_without_id(probe, client);
  if (probe.stateless() || bare.verdict != Verdict::kPass) co_return std::move(bare);
  // The one that every client sends; said twice it may be taken amiss, and is not to be answered.
  const std::string initialized = R"({"jsonrpc":"2.0","method":"notifications/initialized"})";
  const Reaction again = co_await client.provoke(initialized);
  const std::string wrong = again.alive ? answered_a_notification(again) : "";
  if (wrong.empty()) co_return passes();
  co_return about(broken(wrong + ": notifications/initialized"), again);
}

// judge_bare_lists asks for lists without params, which none of them needs: who reads no such
// request leaves the client waiting.
Task<Finding> judge_bare_lists(Probe& probe, Client client) {
  for (const auto& [capability, method] : kBareLists) {
    if (probe.stateless() || !probe.survey().declares(capability)) continue;
    const Reply bare = co_await client.request(method);
    if (bare.how != Reply::How::kSilent) continue;
    Json params = {{"_meta", Json::object()}};
    const Reply reply = co_await client.request(method, std::move(params));
    if (!reply.answered()) continue;
    co_return about(broken(std::string(method) + " without params got " + bare.describe() +
                           ", and with params " + reply.describe()),
                    bare);
  }
  co_return passes();
}

// judge_odd_params sends params that are no object, over HTTP: what is refused is told why.
Task<Finding> judge_odd_params(Probe& probe, Client client) {
  const std::string method =
      probe.survey().declares("/tools") ? "tools/list" : std::string(client.harmless_method());
  for (const char* const params : {"[1]", "\"text\"", "7"}) {
    Json request = client.request_of(method, Json::object());
    const wire::HttpHeaders headers = client.session().headers_for(request);
    request["params"] = parse_json(params).value();
    const Reaction reaction = co_await client.provoke(dump_json(request), headers);
    if (reaction.status < 500 || reaction.error() != nullptr) continue;
    co_return about(broken(method + " with params that are " + params + " got status " +
                           std::to_string(reaction.status) +
                           " and no JSON-RPC response, expected an error such as -32602: a "
                           "client takes it for a server that is out of order"),
                    reaction);
  }
  co_return passes();
}

// A name does not make a notification: what has an id is waited for.
Task<Finding> answers_whatever_has_an_id(Probe& probe) {
  Client client = probe.client();
  Finding bare = co_await judge_bare_lists(probe, client);
  if (bare.verdict != Verdict::kPass) co_return std::move(bare);
  Finding odd = passes();
  if (probe.over_http()) odd = co_await judge_odd_params(probe, client);
  if (odd.verdict != Verdict::kPass) co_return std::move(odd);
  const Reply reply = co_await client.request("notifications/plumbline-unknown");
  if (reply.answered() || reply.status >= 400) co_return passes();
  if (!co_await client.alive()) co_return undecided("it no longer answers");
  co_return about(broken("a request named notifications/plumbline-unknown got " + reply.describe() +
                         ", expected error -32601: it has an id, so whoever sent it waits"),
                  reply);
}

// flat returns the messages with arrays of them taken apart.
std::vector<Json> flat(const std::vector<Json>& messages) {
  std::vector<Json> all;
  for (const Json& message : messages) {
    if (message.is_array()) {
      all.insert(all.end(), message.begin(), message.end());
    } else {
      all.push_back(message);
    }
  }
  return all;
}

bool answers(const std::vector<Json>& messages, const Json& id) {
  return std::ranges::any_of(messages, [&](const Json& message) {
    const Json* const own = find(message, "id");
    return own != nullptr && *own == id && find(message, "result") != nullptr;
  });
}

Json unknown_notification() {
  Json message(Json::value_t::object);
  message["jsonrpc"] = "2.0";
  message["method"] = "notifications/plumbline-unknown";
  return message;
}

Task<Finding> answers_batches(Probe& probe) {
  Client client = probe.client();
  const Json first = client.request_of("ping", Json::object());
  const Json second = client.request_of("ping", Json::object());
  Json batch = Json::array();
  batch.push_back(first);
  batch.push_back(unknown_notification());
  batch.push_back(second);
  const Reaction reaction = co_await client.provoke(dump_json(batch));
  const std::vector<Json> messages = flat(reaction.messages);
  for (const Json* const request : {&first, &second}) {
    const Json& id = *find(*request, "id");
    if (answers(messages, id)) continue;
    co_return about(broken("got " + reaction.describe() +
                           " to an array of two pings and a notification, expected a " +
                           "result for each ping: none has the id " + dump_json(id)),
                    reaction);
  }
  co_return passes();
}

Task<Finding> is_silent_about_batches_of_notifications(Probe& probe) {
  Client client = probe.client();
  Json batch = Json::array();
  batch.push_back(unknown_notification());
  batch.push_back(unknown_notification());
  const Reaction reaction = co_await client.provoke(dump_json(batch));
  if (!reaction.alive) {
    co_return about(broken("it no longer answers after an array of notifications"), reaction);
  }
  const bool answered = std::ranges::any_of(reaction.messages, [](const Json& message) {
    return message.is_array() || find(message, "method") == nullptr;
  });
  if (!answered) co_return passes();
  co_return about(broken("got " + reaction.describe() + " to notifications, expected no response"),
                  reaction);
}

Task<Finding> refuses_empty_batches(Probe& probe) {
  Client client = probe.client();
  const Reaction reaction = co_await client.provoke("[]");
  co_return expect_refused(reaction, {-32600});
}

Task<Finding> leaves_unreadable_ids_out(Probe& probe) {
  Client client = probe.client();
  const Reaction reaction = co_await client.provoke("{\"jsonrpc\":\"2.0\",\"id\":");
  const Json* const error = reaction.error();
  if (error == nullptr) co_return not_for_it("it answers nothing to what is no JSON");
  const Json* const id = find(*error, "id");
  if (id == nullptr || id->is_null()) co_return passes();
  co_return broken("the error about what is no JSON has the id " + dump_json(*id) +
                   ", expected none");
}

Task<Finding> goes_on_after_unknown_notifications(Probe& probe) {
  Client client = probe.client();
  const Reaction reaction = co_await client.provoke(dump_json(unknown_notification()));
  if (!reaction.alive) co_return broken("it no longer answers after an unknown notification");
  if (reaction.error() == nullptr) co_return passes();
  co_return broken("got " + reaction.describe() + " to an unknown notification, expected nothing");
}

// Two requests are made at once, and each is to be answered: which of them first is the server's
// affair, and that of the machine it runs on. A tool that takes its time puts the most to the test.
Task<Finding> answers_in_any_order(Probe& probe) {
  std::optional<ToolUse> use = co_await probe.tool_that(Shows::kTime);
  if (!use) use = co_await probe.tool_that_answers();
  Client client = probe.client();
  const std::string method = use ? "tools/call" : "ping";
  Json params = use ? std::move(use->params) : Json::object();
  Client::Begun first = client.begin(client.request_of(method, std::move(params)));
  const Reply behind = co_await client.request("ping");
  const Reply before = co_await client.finish(std::move(first));
  if (!behind.answered()) {
    co_return about(broken("ping got " + behind.describe() + " behind an unanswered " + method),
                    behind);
  }
  if (before.answered()) co_return passes();
  co_return broken(method + " got " + before.describe() + " with a ping behind it");
}

// serves returns whether there is a result under `id`, or one that names no request: what comes
// late for another request says nothing.
bool serves(const Reaction& reaction, const Json& id) {
  return std::ranges::any_of(reaction.messages, [&](const Json& message) {
    const Json* const own = find(message, "id");
    const bool result = find(message, "result") != nullptr && find(message, "error") == nullptr;
    return result && (own == nullptr || own->is_null() || *own == id);
  });
}

Task<Finding> serves_no_bad_ids(Probe& probe) {
  Client client = probe.client();
  const std::string harmless(client.harmless_method());
  const bool lists = probe.survey().declares("/tools");
  const std::pair<const char*, std::string> bad_ones[] = {{"null", harmless},
                                                          {"null", lists ? "tools/list" : harmless},
                                                          {"true", harmless},
                                                          {"1.5", harmless},
                                                          {"{}", harmless}};
  for (const auto& [id, method] : bad_ones) {
    Json request = client.request_of(method, Json::object());
    request["id"] = parse_json(id).value();
    const wire::HttpHeaders headers = client.session().headers_for(request);
    const Reaction reaction = co_await client.provoke(dump_json(request), headers);
    if (!reaction.alive) co_return undecided("it no longer answers");
    if (probe.over_http() && reaction.status == 202) {
      co_return about(broken("a request with the id " + std::string(id) +
                             " was accepted with 202 as if it were a notification, expected error "
                             "-32600: who asked waits for ever"),
                      reaction);
    }
    if (!serves(reaction, request["id"])) continue;
    co_return about(broken("a request with the id " + std::string(id) +
                           " got a result, expected error -32600: an id is a string or an integer"),
                    reaction);
  }
  co_return passes();
}

// What is an array is no message any more.
Task<Finding> answers_no_batches(Probe& probe) {
  Client client = probe.client();
  Json batch = Json::array();
  for (int i = 0; i < 2; ++i) {
    batch.push_back(client.request_of(std::string(client.harmless_method()), Json::object()));
  }
  const wire::HttpHeaders headers = client.session().headers_for(batch.front());
  const Reaction reaction = co_await client.provoke(dump_json(batch), headers);
  if (!reaction.alive) co_return undecided("it no longer answers");
  for (const Json& message : reaction.messages) {
    if (!message.is_array() || message.empty()) continue;
    if (find(message.front(), "result") == nullptr) continue;
    co_return about(broken("an array of two requests got an array of results: there are no "
                           "batches in " +
                           probe.revision() + ", expected error -32600"),
                    reaction);
  }
  co_return passes();
}

constexpr ServerCheck kJsonrpcChecks[] = {
    {"jsonrpc.bad-id-not-served", Eras::kBoth, SessionUse::kAlone, serves_no_bad_ids},
    {"jsonrpc.request-answered", Eras::kBoth, SessionUse::kAlone, answers_whatever_has_an_id},
    {"jsonrpc.batch-not-served", Eras::kBoth, SessionUse::kAlone, answers_no_batches},
    {"jsonrpc.method-not-found-code", Eras::kBoth, SessionUse::kShared, answers_unknown_method},
    {"jsonrpc.parse-error-code", Eras::kBoth, SessionUse::kAlone, refuses_what_is_no_json},
    {"jsonrpc.invalid-request-code", Eras::kBoth, SessionUse::kAlone, refuses_what_is_no_request},
    {"jsonrpc.notification-no-response", Eras::kBoth, SessionUse::kAlone,
     is_silent_about_notifications},
    {"jsonrpc.error-without-id-when-unreadable", Eras::kStateful, SessionUse::kAlone,
     leaves_unreadable_ids_out},
    {"jsonrpc.unknown-notification-ignored", Eras::kStateful, SessionUse::kAlone,
     goes_on_after_unknown_notifications},
    {"jsonrpc.responses-any-order", Eras::kStateful, SessionUse::kShared, answers_in_any_order},
    {"jsonrpc.batch-receive", Eras::kStateful, SessionUse::kAlone, answers_batches},
    {"stdio.batch-lines-accepted", Eras::kStateful, SessionUse::kAlone, answers_batches},
    {"jsonrpc.batch-no-response-for-notifications", Eras::kStateful, SessionUse::kAlone,
     is_silent_about_batches_of_notifications},
    {"jsonrpc.batch-empty-invalid", Eras::kStateful, SessionUse::kAlone, refuses_empty_batches},
};

}  // namespace

ServerChecks jsonrpc_checks() { return kJsonrpcChecks; }

}  // namespace plumbline::conformance
