// Streams of events over Streamable HTTP, how they end and how they go on: spec 2025-11-25,
// basic/transports, Sending Messages to the Server, Resumability and Redelivery.

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "conformance/catalogue/requirement.h"
#include "conformance/catalogue/revisions.h"
#include "conformance/checks/server/callable_tools.h"
#include "conformance/checks/server/check.h"
#include "conformance/checks/server/judgements.h"
#include "conformance/checks/server/transports/http_ways.h"

namespace plumbline::conformance {

namespace {

constexpr const char* kNothingToCall = "no tool may be called";
constexpr const char* kNoStreams = "it answers with JSON, not with a stream of events";

Task<Finding> tells_when_to_come_back(Probe& probe) {
  std::optional<ToolUse> use = co_await probe.tool_that(Shows::kStreamEnd);
  if (!use) co_return needs(Shows::kStreamEnd);
  Client client = co_await open_quietly(probe);
  const Reply reply = co_await client.request("tools/call", std::move(use->params));
  if (!reply.events || reply.answered()) co_return not_for_it("it closed no stream on the way");
  if (client.session().wire().inbox().exchanges[reply.exchange].retry_ms) co_return passes();
  co_return broken("a stream was closed before the response, and none of its events had retry");
}

// undelivered says what is missing when a call that was begun is waited for and, if need be, come
// back to.
Task<std::string> undelivered(Client& client, Client::Begun begun) {
  const Json id = begun.id;
  const Reply reply = co_await client.finish(std::move(begun));
  if (reply.answered() || !reply.events) co_return std::string();
  const Exchange& exchange = client.session().wire().inbox().exchanges[reply.exchange];
  if (!exchange.last_event_id) co_return "its stream ended without, and without an event id";
  const std::string last = *exchange.last_event_id;
  const std::size_t again = resume(client, last);
  const Duration patience = client.pace().answer();
  const Json response = co_await await_response(client, again, id, patience);
  client.session().wire().drop(again);
  if (!response.is_null()) co_return std::string();
  co_return "neither its stream nor the GET that resumed it brought one";
}

Task<Finding> delivers_every_response(Probe& probe) {
  Client client = co_await open_quietly(probe);
  std::optional<Json> call = co_await streaming_call(probe, client, "delivered");
  if (!call) co_return not_for_it(kNothingToCall);
  std::vector<Client::Begun> calls;
  calls.push_back(client.begin(std::move(*call)));
  if (std::optional<ToolUse> use = co_await probe.tool_that(Shows::kStreamEnd)) {
    calls.push_back(client.begin(client.request_of("tools/call", std::move(use->params))));
  }
  for (Client::Begun& each : calls) {
    const std::string missing = co_await undelivered(client, std::move(each));
    if (!missing.empty()) co_return broken("a call got no response: " + missing);
  }
  co_return passes();
}

Task<Finding> keeps_streams_until_the_response(Probe& probe) {
  Client client = probe.client();
  std::optional<Json> call = co_await streaming_call(probe, client, "kept-open");
  if (!call) co_return not_for_it(kNothingToCall);
  const Reply reply = co_await client.exchange(std::move(*call));
  if (!reply.events) co_return not_for_it(kNoStreams);
  if (reply.answered()) co_return passes();
  if (reply.how != Reply::How::kEnded) co_return undecided("got " + reply.describe());
  co_return broken("the stream of a call was closed before its response");
}

// asked_in_turn returns requests of every kind: what a server does after a result it may not do
// after an error.
std::vector<std::pair<const char*, Json>> asked_in_turn(const Probe& probe, Client& client,
                                                        Json call) {
  Json unknown = Json::object();
  unknown["name"] = "plumbline_unknown";
  unknown["arguments"] = Json::object();
  std::vector<std::pair<const char*, Json>> requests;
  requests.emplace_back("a call", std::move(call));
  requests.emplace_back("a list", client.request_of("tools/list", Json::object()));
  requests.emplace_back("a request of an unknown method",
                        client.request_of("plumbline/unknown", Json::object()));
  requests.emplace_back("a call of an unknown tool",
                        client.request_of("tools/call", std::move(unknown)));
  if (!is_stateless(probe.revision())) {
    requests.emplace_back("a ping", client.request_of("ping", Json::object()));
  }
  return requests;
}

Task<Finding> ends_streams_after_the_response(Probe& probe) {
  Client client = probe.client();
  std::optional<Json> call = co_await streaming_call(probe, client, "ends-afterwards");
  if (!call) co_return not_for_it(kNothingToCall);
  bool streams = false;
  std::vector<std::pair<const char*, Json>> requests =
      asked_in_turn(probe, client, std::move(*call));
  for (auto& [what, message] : requests) {
    const Reply reply = co_await client.exchange(std::move(message));
    if (!reply.events) continue;
    if (!reply.answered() && !streams) co_return undecided("got " + reply.describe());
    if (!reply.answered()) continue;
    streams = true;
    Inbox& inbox = client.session().wire().inbox();
    const Instant deadline = after(client.loop().now(), client.pace().answer());
    while (!inbox.exchanges[reply.exchange].ended) {
      if (co_await inbox.change(deadline)) continue;
      co_return broken("the stream of " + std::string(what) +
                       " stays open after its response, expected its end");
    }
  }
  co_return streams ? passes() : not_for_it(kNoStreams);
}

// Interrupted is a call whose stream was cut and resumed by a GET.
struct Interrupted {
  std::string token;
  Json id;
  std::string last;          // The id of the event that it was cut behind.
  std::size_t exchange = 0;  // The GET.
  int status = 0;            // Of it.
  Json response;             // That came on it; null: none.
};

struct TwoInterrupted {
  std::string unable;  // Why it could not be tried; empty: it was.
  std::array<Interrupted, 2> calls;
};

// interrupt_two makes two calls at a time, cuts both and resumes both. `asked_between` requests are
// answered before that, which a resumed stream may bring by mistake.
Task<TwoInterrupted> interrupt_two(Client client, std::vector<Json> calls, int asked_between) {
  TwoInterrupted two;
  std::vector<Client::Begun> begun;
  for (std::size_t i = 0; i < calls.size(); ++i) {
    two.calls[i].id = calls[i]["id"];
    two.calls[i].token = calls[i]["params"]["_meta"]["progressToken"];
    begun.push_back(client.begin(std::move(calls[i])));
  }
  for (std::size_t i = 0; i < begun.size(); ++i) {
    const std::optional<std::string> last = co_await cut(client, std::move(begun[i]));
    if (!last) two.unable = "its answers are no streams that can be cut and resumed";
    two.calls[i].last = last.value_or("");
  }
  if (!two.unable.empty()) co_return std::move(two);
  for (int time = 0; time < asked_between; ++time) {
    co_await client.request(std::string(client.harmless_method()));
  }
  for (Interrupted& call : two.calls) call.exchange = resume(client, call.last);
  const Duration patience = client.pace().answer();
  for (Interrupted& call : two.calls) {
    call.response = co_await await_response(client, call.exchange, call.id, patience);
    call.status = client.session().wire().inbox().exchanges[call.exchange].status;
  }
  for (const Interrupted& call : two.calls) client.session().wire().drop(call.exchange);
  if (two.calls[0].status == 405) two.unable = "it has no GET streams";
  co_return std::move(two);
}

Task<TwoInterrupted> try_interruption(Probe& probe, Client& client, int asked_between = 0) {
  std::vector<Json> calls;
  for (const char* const token : {"cut-first", "cut-second"}) {
    std::optional<Json> call = co_await streaming_call(probe, client, token);
    if (call) calls.push_back(std::move(*call));
  }
  TwoInterrupted two;
  two.unable = kNothingToCall;
  if (calls.size() == two.calls.size() && client.session().usable()) {
    two = co_await interrupt_two(client, std::move(calls), asked_between);
  }
  co_return std::move(two);
}

Task<Finding> works_on_when_nobody_listens(Probe& probe) {
  Client client = co_await open_quietly(probe);
  const TwoInterrupted two = co_await try_interruption(probe, client);
  if (!two.unable.empty()) co_return not_for_it(two.unable);
  const Interrupted& call = two.calls[0];
  if (call.response.is_null()) co_return not_for_it("what became of a cut call cannot be had");
  if (find(call.response, "result")) co_return passes();
  Finding finding =
      broken("a call whose connection was dropped ended in an error, expected its result");
  co_return about_exchange(std::move(finding), client, call.exchange);
}

Task<Finding> resumes_answers_by_get(Probe& probe) {
  Client client = co_await open_quietly(probe);
  const TwoInterrupted two = co_await try_interruption(probe, client);
  if (!two.unable.empty()) co_return not_for_it(two.unable);
  const Interrupted& call = two.calls[0];
  if (!call.response.is_null()) co_return passes();
  if (call.status >= 400) co_return not_for_it("it resumes no streams of a POST");
  Finding finding =
      broken("a GET behind the last event of a cut call got status " + std::to_string(call.status) +
             " and no response of it, expected the response or a status of 4xx");
  co_return about_exchange(std::move(finding), client, call.exchange);
}

// foreign returns what came on a resumed stream and belongs to another, null for nothing.
Json foreign_message(const Client& client, const Interrupted& call) {
  if (call.status != 200) return nullptr;
  for (Json& message : messages_of(client, call.exchange)) {
    const Json* const token = at_pointer(message, "/params/progressToken");
    const Json* const id = find(message, "method") ? nullptr : find(message, "id");
    if ((token && *token != Json(call.token)) || (id && *id != call.id)) return std::move(message);
  }
  return nullptr;
}

// replays_to_others resumes the streams of one session in another: what it brings of them is that
// of somebody else.
Task<Finding> replays_to_others(Probe& probe, TwoInterrupted two) {
  Client other = co_await open_quietly(probe);
  const std::string& session = other.session().session_id();
  if (!other.session().usable() || session.empty()) co_return passes();
  for (const Interrupted& call : two.calls) {
    const std::size_t exchange = resume(other, call.last);
    co_await await_response(other, exchange, call.id, probe.pace().quiet());
    other.session().wire().drop(exchange);
    for (const Json& message : messages_of(other, exchange)) {
      const Json* const token = at_pointer(message, "/params/progressToken");
      const Json* const id = find(message, "method") ? nullptr : find(message, "id");
      const bool its = (token && *token == Json(call.token)) || (id && *id == call.id);
      if (!its) continue;
      co_return showing(broken("a GET of one session behind an event of another brought a message "
                               "of that: " +
                               dump_json(message)),
                        message);
    }
  }
  co_return passes();
}

Task<Finding> replays_one_stream(Probe& probe) {
  Client client = co_await open_quietly(probe);
  // What has been answered is there to be replayed by mistake.
  for (int time = 0; time < 2; ++time)
    co_await client.request(std::string(client.harmless_method()));
  const TwoInterrupted two = co_await try_interruption(probe, client, 1);
  if (!two.unable.empty()) co_return not_for_it(two.unable);
  bool replayed = false;
  for (const Interrupted& call : two.calls) {
    if (call.status == 200 && !messages_of(client, call.exchange).empty()) replayed = true;
    const Json other = foreign_message(client, call);
    if (other.is_null()) continue;
    co_return showing(broken("the resumed stream of request " + dump_json(call.id) +
                             " brought a message of another stream: " + dump_json(other)),
                      other);
  }
  if (!replayed) co_return not_for_it("it replayed nothing");
  if (opened_slowly(client)) co_return passes();
  co_return co_await replays_to_others(probe, two);
}

Task<Finding> finds_streams_by_event_ids(Probe& probe) {
  Client client = co_await open_quietly(probe);
  const TwoInterrupted two = co_await try_interruption(probe, client);
  if (!two.unable.empty()) co_return not_for_it(two.unable);
  for (const Interrupted& call : two.calls) {
    if (!call.response.is_null()) continue;
    if (call.status >= 400) co_return not_for_it("it resumes no streams of a POST");
    Finding finding = broken(
        "of two calls that were cut and resumed by their event ids at a time, that of request " +
        dump_json(call.id) + " did not go on");
    co_return about_exchange(std::move(finding), client, call.exchange);
  }
  co_return passes();
}

// A client that goes away before its answer has not ended its session.
Task<Finding> keeps_sessions_of_who_went_away(Probe& probe) {
  Client client = co_await open_quietly(probe);
  if (!client.session().usable()) co_return undecided("it could not be opened again");
  std::optional<Json> call = co_await streaming_call(probe, client, "went-away");
  if (!call) co_return not_for_it("no tool may be called");
  const Client::Begun begun = client.begin(std::move(*call));
  co_await client.listen(client.pace().quiet());
  const bool cut = !client.session().wire().inbox().exchanges[begun.exchange].ended;
  client.session().wire().drop(begun.exchange);
  co_await client.listen(client.pace().quiet());
  const Reply reply = co_await client.request("ping");
  if (!cut) co_return not_for_it("every call is answered before it could be cut");
  if (reply.status != 404) co_return passes();
  co_return about(broken("a client went away before a call was answered, and the session is gone: "
                         "ping got " +
                         reply.describe() + ", expected a result"),
                  reply);
}

constexpr ServerCheck kHttpStreamsChecks[] = {
    {"http.session-outlives-a-lost-answer", Eras::kStateful, SessionUse::kOpens,
     keeps_sessions_of_who_went_away},
    {"http.sse-retry-before-close", Eras::kStateful, SessionUse::kOpens, tells_when_to_come_back},
    {"http.sse-response-delivered", Eras::kStateful, SessionUse::kOpens, delivers_every_response},
    {"http.sse-not-closed-before-response", Eras::kStateful, SessionUse::kShared,
     keeps_streams_until_the_response},
    {"http.sse-terminates-after-response", Eras::kBoth, SessionUse::kShared,
     ends_streams_after_the_response},
    {"http.disconnect-is-not-cancel", Eras::kStateful, SessionUse::kOpens,
     works_on_when_nobody_listens},
    {"http.resume-always-by-get", Eras::kStateful, SessionUse::kOpens, resumes_answers_by_get},
    {"http.replay-own-stream-only", Eras::kStateful, SessionUse::kOpens, replays_one_stream},
    {"http.event-id-encodes-stream", Eras::kStateful, SessionUse::kOpens,
     finds_streams_by_event_ids},
};

}  // namespace

ServerChecks http_streams_checks() { return kHttpStreamsChecks; }

}  // namespace plumbline::conformance
