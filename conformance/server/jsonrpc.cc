// JSON-RPC as MCP uses it: spec, basic.

#include <string>
#include <utility>

#include "conformance/server/check.h"
#include "conformance/server/judgements.h"
#include "conformance/server/probe.h"

namespace plumbline::conformance {

namespace {

Task<Finding> answers_unknown_method(Probe& probe) {
  Client client = probe.client();
  const Reply reply = co_await client.request("plumbline/no-such-method");
  co_return expect_error(reply, {-32601});
}

Task<Finding> refuses_what_is_no_json(Probe& probe) {
  Client client = probe.client();
  const Reaction reaction = co_await client.provoke("{\"jsonrpc\":\"2.0\",\"id\":1,");
  co_return expect_refused(reaction, {-32700, -32600});
}

Task<Finding> refuses_what_is_no_request(Probe& probe) {
  Client client = probe.client();
  const Reaction reaction = co_await client.provoke("{\"jsonrpc\":\"2.0\",\"id\":4711}");
  co_return expect_refused(reaction, {-32600});
}

Task<Finding> repeats_ids_as_strings(Probe& probe) {
  Client client = probe.client();
  Json request = client.request_of(std::string(client.harmless_method()), Json::object());
  const std::string id = "plumbline-" + std::to_string(client.session().next_id());
  request["id"] = id;
  const Reply reply = co_await client.exchange(std::move(request));
  if (reply.answered()) co_return passes();
  for (const Json& message : reply.along) {
    if (const Json* const other = find(message, "id"); other && find(message, "result")) {
      co_return broken("the request had the id \"" + id + "\", the response has " +
                       dump_json(*other));
    }
  }
  co_return broken("got " + reply.describe() + " to a request with a string as its id");
}

Task<Finding> is_silent_about_notifications(Probe& probe) {
  Client client = probe.client();
  const std::string text =
      "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/plumbline-unknown\",\"params\":{}}";
  const Reaction reaction = co_await client.provoke(text);
  if (!reaction.alive) co_return broken("it no longer answers after an unknown notification");
  if (reaction.error() != nullptr) {
    co_return broken("got " + reaction.describe() + " to a notification, expected no response");
  }
  co_return passes();
}

constexpr ServerCheck kJsonrpcChecks[] = {
    {"jsonrpc.method-not-found-code", Eras::kBoth, Place::kShared, answers_unknown_method},
    {"jsonrpc.parse-error-code", Eras::kBoth, Place::kAlone, refuses_what_is_no_json},
    {"jsonrpc.invalid-request-code", Eras::kBoth, Place::kAlone, refuses_what_is_no_request},
    {"jsonrpc.response-id-matches", Eras::kBoth, Place::kShared, repeats_ids_as_strings},
    {"jsonrpc.notification-no-response", Eras::kBoth, Place::kAlone, is_silent_about_notifications},
};

}  // namespace

ServerChecks jsonrpc_checks() { return kJsonrpcChecks; }

}  // namespace plumbline::conformance
