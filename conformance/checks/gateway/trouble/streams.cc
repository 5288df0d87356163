// What goes on beyond one answer: streams that are taken up again, subscriptions, input that is
// asked for.

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "conformance/catalogue/revisions.h"
#include "conformance/checks/gateway/check.h"
#include "conformance/checks/gateway/differences.h"
#include "conformance/checks/gateway/mirror_content.h"
#include "conformance/checks/gateway/questions.h"
#include "conformance/checks/server/listening.h"
#include "conformance/checks/server/shapes.h"
#include "conformance/peer/opening.h"
#include "core/base/wait.h"

namespace plumbline::conformance {

namespace {

// come_back asks for the rest of the stream on which `reply` was to come.
Task<bool> come_back(GatewayProbe* probe, Session* session, Json id, std::string last_event) {
  Inbox& inbox = session->wire().inbox();
  const std::size_t from = inbox.frames.size();
  ask_for_stream(*session, probe->check(), std::move(last_event));
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
  if (heard.empty()) co_return undecided(kNeverReached);
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

// declared_notices returns of what changes a gateway declares to its clients that it tells.
std::vector<MirrorNotice> declared_notices(const Json* opening) {
  std::vector<MirrorNotice> declared;
  for (const MirrorNotice& notice : kMirrorNotices) {
    std::string at = "/capabilities/" + std::string(notice.capability);
    std::ranges::replace(at, '.', '/');
    const Json* const flag = opening == nullptr ? nullptr : at_pointer(*opening, at);
    if (flag != nullptr && *flag == Json(true)) declared.push_back(notice);
  }
  return declared;
}

// is_told_of lets the server tell those who listen of one change.
Task<Finding> is_told_of(GatewayProbe* probe, Client* client, Listening* listening,
                         MirrorNotice notice) {
  const std::string method(notice.method);
  const Duration patience = probe->pace().answer();
  const auto listens = [&] { return probe->mirror().listeners_for(notice) > 0; };
  const Instant deadline = after(probe->loop().now(), patience);
  if (!co_await probe->mirror().changes().wait(deadline, listens)) {
    co_return broken(
        "subscriptions/listen was acknowledged, and nobody listens at the server for " + method);
  }
  const std::size_t from = frames_of(*client);
  probe->mirror().tell_listeners(notice);
  const Json told = co_await await_notice(*client, from, method, patience);
  if (told.is_null()) {
    co_return broken("the server said " + method +
                     " to those who listen, and it did not come to the client who does");
  }
  if (subscription_of(told) == listening->id) co_return passes();
  co_return broken("a client that listens by the id " + dump_json(listening->id) + " was told " +
                   shortened(dump_json(told)) + ", expected this subscriptionId");
}

// hears_all_of listens for several kinds of changes at once: all have to be acknowledged, and to
// come.
Task<Finding> hears_all_of(GatewayProbe* probe, Client* client, Listening* listening,
                           std::vector<MirrorNotice> declared) {
  const Json acknowledgement = co_await acknowledged(*client, *listening);
  if (acknowledgement.is_null()) {
    co_return broken("subscriptions/listen was not acknowledged, though " +
                     std::string(declared.front().capability) + " is declared");
  }
  const Json* const honoured = at_pointer(acknowledgement, "/params/notifications");
  for (const MirrorNotice& notice : declared) {
    const Json* const wish = honoured == nullptr ? nullptr : find(*honoured, notice.wish);
    if (wish == nullptr || wish->empty() || *wish == Json(false)) {
      co_return broken(
          "a client asked to be told of several changes, and the acknowledgement "
          "leaves out " +
          std::string(notice.wish) + ", though " + std::string(notice.capability) +
          " is declared: " + shortened(dump_json(acknowledgement)));
    }
    const Finding told = co_await is_told_of(probe, client, listening, notice);
    if (told.verdict != Verdict::kPass) co_return told;
  }
  co_return passes();
}

Task<Finding> passes_listening(GatewayProbe& probe) {
  Session* const session = co_await probe.enter();
  if (session == nullptr) co_return undecided(probe.why());
  const Exchanged* const opening = co_await probe.exchanges().of(Ask::kOpening, probe.check());
  std::vector<MirrorNotice> declared = declared_notices(opening->reply.result());
  if (declared.empty()) {
    co_return not_for_it("it does not declare to its clients that anything may change");
  }
  co_await probe.exchanges().of(Ask::kResources, probe.check());  // It may rename them.
  Json filter(Json::value_t::object);
  for (const MirrorNotice& notice : declared) filter[std::string(notice.wish)] = true;
  if (filter.contains(kWishForResources)) {
    filter[std::string(kWishForResources)] = Json::array({probe.exchanges().resource(kMirrorText)});
  }
  Client client(*session, probe.check());
  const Json id = "subscription of " + probe.new_mark();
  Listening listening = begin_listening(client, std::move(filter), id);
  Finding finding = co_await hears_all_of(&probe, &client, &listening, std::move(declared));
  co_await stop_listening(client, listening);
  co_return about(std::move(finding), listening);
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

// passes_other_input lets the server ask for input where no tool is called.
Task<Finding> passes_other_input(GatewayProbe* probe, Session* session) {
  Client client(*session, probe->check());
  for (const auto& [method, ask] : kOtherMethods) {
    const Exchanged* const known = co_await probe->exchanges().of(ask, probe->check());
    if (!known->reached) continue;
    const std::string mark = probe->new_mark();
    probe->mirror().do_next(method, {MirrorServer::Next::What::kAsk, mark});
    const Reply reply = co_await client.finish(probe->begin_other(*session, method));
    const Json* const result = reply.result();
    const Json* const asked =
        result == nullptr ? nullptr : first_value(find(*result, "inputRequests"));
    const Json* const message = asked == nullptr ? nullptr : at_pointer(*asked, "/params/message");
    const bool kept = result != nullptr && asked == nullptr &&
                      string_or(*result, "resultType", "") != "input_required";
    if (kept) continue;  // From an earlier answer: nobody was asked.
    // What is to come back is the gateway's own to seal.
    const bool whole = message != nullptr && *message == Json(mark) &&
                       !string_or(*result, "requestState", "").empty();
    if (whole) continue;
    co_return about(broken("the server asked for input by the result of " + std::string(method) +
                           ", and the client got " +
                           (result == nullptr ? reply.describe() : shortened(dump_json(*result))) +
                           "; of tools/call it got what was asked"),
                    reply);
  }
  co_return passes();
}

Task<Finding> passes_input_requests(GatewayProbe& probe) {
  Session* const session = co_await probe.enter();
  if (session == nullptr) co_return undecided(probe.why());
  const std::string mark = probe.new_mark();
  const Reply reply = co_await probe.call(*session, "ask", GatewayProbe::marked(mark));
  if (probe.heard(mark).empty()) co_return undecided(kNeverReached);
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
  if (same && word != nullptr && *word == Json("Wörd – 🎉")) {
    co_return co_await passes_other_input(&probe, session);
  }
  co_return about(
      broken("a call with the input that was asked for came to the server with " +
             shortened(dump_json(*back)) + ", expected its answer and the requestState " +
             MirrorServer::state_of(mark)),
      second);
}

constexpr GatewayCheck kStreamChecks[] = {
    {"gateway.resumes-streams", resumes_streams},
    {"gateway.passes-listening", passes_listening},
    {"gateway.passes-input-requests", passes_input_requests},
};

}  // namespace

GatewayChecks stream_checks() { return kStreamChecks; }

}  // namespace plumbline::conformance
