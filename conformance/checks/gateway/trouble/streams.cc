// What goes on beyond one answer: streams that are taken up again, subscriptions, input that is
// asked for.

#include <algorithm>
#include <string>
#include <utility>

#include "conformance/catalogue/revisions.h"
#include "conformance/checks/gateway/check.h"
#include "conformance/checks/gateway/differences.h"
#include "conformance/checks/gateway/questions.h"
#include "conformance/checks/server/listening.h"
#include "conformance/checks/server/shapes.h"
#include "core/base/wait.h"

namespace plumbline::conformance {

namespace {

constexpr const char* kToolsChanged = "notifications/tools/list_changed";

// come_back asks for the rest of the stream on which `reply` was to come.
Task<bool> come_back(GatewayProbe* probe, Session* session, Json id, std::string last_event) {
  wire::HttpRequest request;
  request.method = "GET";
  request.headers = session->headers_for(nullptr);
  request.headers.set("Accept", "text/event-stream");
  request.headers.set("Last-Event-ID", std::move(last_event));
  Inbox& inbox = session->wire().inbox();
  const std::size_t from = inbox.frames.size();
  session->wire().request(std::move(request), probe->check());
  const auto came = [&] {
    return std::any_of(inbox.frames.begin() + static_cast<std::ptrdiff_t>(from), inbox.frames.end(),
                       [&](const Frame& frame) {
                         const Json* const answered = find(*frame.message, "id");
                         return answered != nullptr && *answered == id &&
                                find(*frame.message, "result") != nullptr;
                       });
  };
  const Instant deadline = after(probe->loop().now(), probe->pace().answer());
  co_return co_await inbox.wait(deadline, came);
}

Task<Finding> resumes_streams(GatewayProbe& probe) {
  Session* const session = co_await probe.enter();
  if (session == nullptr) co_return undecided(probe.why());
  const std::string mark = probe.new_mark();
  Client client(*session, probe.check());
  Client::Begun begun =
      probe.begin_call(*session, "stream", GatewayProbe::marked(mark, "broken off"));
  const Json id = begun.id;
  const Reply reply = co_await client.finish(std::move(begun));
  const std::vector<MirrorServer::Heard> heard = probe.heard(mark);
  if (heard.empty()) co_return undecided("the call never reached the server");
  if (!heard.front().streamable) co_return not_for_it("it speaks HTTP+SSE with the server");
  if (reply.result() != nullptr) co_return passes();
  const std::string said =
      "the server ended the stream of a call behind an event with an id, to be asked for the rest";
  const Exchange& exchange = session->wire().inbox().exchanges[reply.exchange];
  if (!session->wire().http() || !exchange.last_event_id) {
    co_return about(
        broken(said + ", and the client got " + reply.describe() + " and no id to come back with"),
        reply);
  }
  const bool resumed = co_await come_back(&probe, session, id, *exchange.last_event_id);
  if (resumed) co_return passes();
  const bool none = std::ranges::any_of(session->wire().inbox().exchanges, [](const Exchange& one) {
    return one.method == "GET" && one.status == 405;
  });
  if (none) co_return not_for_it("it answers GET with 405: no stream to come back to");
  co_return about(broken(said + ", and a GET with Last-Event-ID: " + *exchange.last_event_id +
                         " brought no response"),
                  reply);
}

Task<Finding> passes_subscriptions_to_lists(GatewayProbe& probe) {
  Session* const session = co_await probe.enter();
  if (session == nullptr) co_return undecided(probe.why());
  const Exchanged* const opening = co_await probe.exchanges().of(Ask::kOpening, probe.check());
  const Json* const result = opening->reply.result();
  const Json* const changes =
      result == nullptr ? nullptr : at_pointer(*result, "/capabilities/tools/listChanged");
  if (changes == nullptr || *changes != Json(true)) {
    co_return not_for_it("it does not declare to its clients that tools may change");
  }
  Client client(*session, probe.check());
  Json filter(Json::value_t::object);
  filter["toolsListChanged"] = true;
  const Json id = "subscription of " + probe.new_mark();
  Listening listening = begin_listening(client, std::move(filter), id);
  const Json acknowledgement = co_await acknowledged(client, listening);
  if (acknowledgement.is_null()) {
    co_return about(broken("subscriptions/listen was not acknowledged, though tools.listChanged "
                           "is declared"),
                    listening);
  }
  const std::size_t listeners = probe.mirror().tell_listeners(kToolsChanged);
  const Duration patience = probe.pace().answer();
  const Json told = co_await await_notice(client, listening.first, kToolsChanged, patience);
  co_await stop_listening(client, listening);
  if (told.is_null() && listeners == 0) {
    co_return about(broken("subscriptions/listen was acknowledged, and nobody listens at the "
                           "server"),
                    listening);
  }
  if (told.is_null()) {
    co_return about(broken("what the server said to those who listen did not come to the client "
                           "who does"),
                    listening);
  }
  if (subscription_of(told) == id) co_return passes();
  co_return about(broken("a client that listens by the id " + dump_json(id) + " was told " +
                         shortened(dump_json(told)) + ", expected this subscriptionId"),
                  listening);
}

// first_value returns the value of the first member of an object, nullptr: there is none.
const Json* first_value(const Json* object) {
  const bool one = object != nullptr && object->is_object() && !object->empty();
  return one ? &object->begin().value() : nullptr;
}

// call_again makes the call again, as the client does whose user has answered.
Task<Reply> call_again(GatewayProbe* probe, Session* session, std::string mark, Json asked) {
  Client client(*session, probe->check());
  Json params(Json::value_t::object);
  params["name"] = probe->exchanges().tool("ask");
  params["arguments"] = GatewayProbe::marked(std::move(mark));
  for (const auto& [name, request] : asked["inputRequests"].items()) {
    Json& answer = params["inputResponses"][name];
    answer["action"] = "accept";
    answer["content"]["word"] = "Wörd – 🎉";
  }
  if (const Json* const state = find(asked, "requestState")) params["requestState"] = *state;
  co_return co_await client.request("tools/call", std::move(params));
}

Task<Finding> passes_input_requests(GatewayProbe& probe) {
  Session* const session = co_await probe.enter();
  if (session == nullptr) co_return undecided(probe.why());
  const std::string mark = probe.new_mark();
  const Reply reply = co_await probe.call(*session, "ask", GatewayProbe::marked(mark));
  if (probe.heard(mark).empty()) co_return undecided("the call never reached the server");
  if (!probe.heard(mark).front().revision.empty() &&
      !is_stateless(probe.heard(mark).front().revision)) {
    co_return not_for_it("it speaks a revision with the server that asks by requests");
  }
  const Json* const content = content_of(reply);
  if (content != nullptr && find(*content, "undeclared") != nullptr) {
    co_return not_for_it("it does not declare to the server that its client can be asked so");
  }
  const Json* const result = reply.result();
  const Json* const asked =
      result == nullptr ? nullptr : first_value(find(*result, "inputRequests"));
  Json question = MirrorServer::question("elicitation/create", mark);
  question.erase("jsonrpc");
  const bool whole = asked != nullptr && *asked == question &&
                     string_or(*result, "resultType", "") == "input_required";
  if (!whole) {
    co_return about(
        broken("the server asked for input by " + dump_json(question) + ", and the client got " +
               (result == nullptr ? reply.describe() : shortened(dump_json(*result)))),
        reply);
  }
  const Reply second = co_await call_again(&probe, session, mark, *result);
  const Json* const back = content_of(second);
  if (back == nullptr) {
    co_return about(broken("a call with the input that was asked for came to " + second.describe()),
                    second);
  }
  const Json* const given = first_value(find(*back, "inputResponses"));
  const Json* const word = given == nullptr ? nullptr : at_pointer(*given, "/content/word");
  const bool same = string_or(*back, "requestState", "") == MirrorServer::state_of(mark);
  if (same && word != nullptr && *word == Json("Wörd – 🎉")) co_return passes();
  co_return about(
      broken("a call with the input that was asked for came to the server with " +
             shortened(dump_json(*back)) + ", expected its answer and the requestState " +
             MirrorServer::state_of(mark)),
      second);
}

constexpr GatewayCheck kStreamChecks[] = {
    {"gateway.resumes-streams", resumes_streams},
    {"gateway.passes-listening", passes_subscriptions_to_lists},
    {"gateway.passes-input-requests", passes_input_requests},
};

}  // namespace

GatewayChecks stream_checks() { return kStreamChecks; }

}  // namespace plumbline::conformance
