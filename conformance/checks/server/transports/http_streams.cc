// Streams of events over Streamable HTTP, how they end and how they go on: spec 2025-11-25,
// basic/transports, Sending Messages to the Server, Resumability and Redelivery.

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "conformance/catalogue/requirement.h"
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

Task<Finding> ends_streams_after_the_response(Probe& probe) {
  Client client = probe.client();
  std::optional<Json> call = co_await streaming_call(probe, client, "ends-afterwards");
  if (!call) co_return not_for_it(kNothingToCall);
  const Reply reply = co_await client.exchange(std::move(*call));
  if (!reply.events) co_return not_for_it(kNoStreams);
  if (!reply.answered()) co_return undecided("got " + reply.describe());
  Inbox& inbox = client.session().wire().inbox();
  const Instant deadline = after(client.loop().now(), client.pace().answer());
  while (!inbox.exchanges[reply.exchange].ended) {
    if (!co_await inbox.change(deadline)) {
      co_return broken("the stream of a call stays open after its response, expected its end");
    }
  }
  co_return passes();
}

// Interrupted is a call whose stream was cut and resumed by a GET.
struct Interrupted {
  std::string token;
  Json id;
  std::size_t exchange = 0;  // The GET.
  int status = 0;            // Of it.
  Json response;             // That came on it; null: none.
};

struct TwoInterrupted {
  std::string unable;  // Why it could not be tried; empty: it was.
  std::array<Interrupted, 2> calls;
};

// interrupt_two makes two calls at a time, cuts both and resumes both.
Task<TwoInterrupted> interrupt_two(Client client, std::vector<Json> calls) {
  TwoInterrupted two;
  std::vector<Client::Begun> begun;
  for (std::size_t i = 0; i < calls.size(); ++i) {
    two.calls[i].id = calls[i]["id"];
    two.calls[i].token = calls[i]["params"]["_meta"]["progressToken"];
    begun.push_back(client.begin(std::move(calls[i])));
  }
  std::vector<std::string> behind;
  for (Client::Begun& one : begun) {
    const std::optional<std::string> last = co_await cut(client, std::move(one));
    if (!last) two.unable = "its answers are no streams that can be cut and resumed";
    behind.push_back(last.value_or(""));
  }
  if (!two.unable.empty()) co_return std::move(two);
  for (std::size_t i = 0; i < two.calls.size(); ++i) {
    two.calls[i].exchange = resume(client, behind[i]);
  }
  const Duration patience = client.pace().answer();
  for (Interrupted& call : two.calls) {
    call.response = co_await await_response(client, call.exchange, call.id, patience);
    call.status = client.session().wire().inbox().exchanges[call.exchange].status;
  }
  for (const Interrupted& call : two.calls) client.session().wire().drop(call.exchange);
  if (two.calls[0].status == 405) two.unable = "it has no GET streams";
  co_return std::move(two);
}

Task<TwoInterrupted> try_interruption(Probe& probe, Client& client) {
  std::vector<Json> calls;
  for (const char* const token : {"cut-first", "cut-second"}) {
    std::optional<Json> call = co_await streaming_call(probe, client, token);
    if (call) calls.push_back(std::move(*call));
  }
  TwoInterrupted two;
  two.unable = kNothingToCall;
  if (calls.size() == two.calls.size() && client.session().usable()) {
    two = co_await interrupt_two(client, std::move(calls));
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

Task<Finding> replays_one_stream(Probe& probe) {
  Client client = co_await open_quietly(probe);
  // What has been answered is there to be replayed by mistake.
  for (int time = 0; time < 2; ++time)
    co_await client.request(std::string(client.harmless_method()));
  const TwoInterrupted two = co_await try_interruption(probe, client);
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
  co_return replayed ? passes() : not_for_it("it replayed nothing");
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

// answered_get makes a GET of the session and returns its exchange once its head has come; nothing:
// it did not come in time.
Task<std::optional<std::size_t>> answered_get(Client& client) {
  wire::HttpRequest request = bare_request(client, "GET");
  const std::size_t number = client.session().wire().request(std::move(request), client.check());
  Inbox& inbox = client.session().wire().inbox();
  const Instant deadline = after(client.loop().now(), client.pace().answer());
  while (inbox.exchanges[number].status == 0 && !inbox.exchanges[number].ended) {
    if (!co_await inbox.change(deadline)) co_return std::nullopt;
  }
  co_return number;
}

// stands_two_gets: a second GET of a session is served or refused, and harms nobody.
Task<Finding> stands_two_gets(Probe& probe) {
  Client client = co_await open_quietly(probe);
  if (!client.session().usable()) co_return undecided("it could not be opened again");
  for (const char* const which : {"first", "second"}) {
    const std::optional<std::size_t> number = co_await answered_get(client);
    if (!number) co_return not_for_it("a GET was not answered");
    const int status = client.session().wire().inbox().exchanges[*number].status;
    if (status == 405) co_return not_for_it("it has no GET streams");
    if (status < 500 && status != 0) continue;
    Finding finding = broken("the " + std::string(which) + " GET of a session got " +
                             (status == 0 ? "no answer" : "status " + std::to_string(status)) +
                             ", expected a stream or a status of 4xx");
    co_return about_exchange(std::move(finding), client, *number);
  }
  const bool alive = co_await client.alive();
  co_return alive ? passes() : broken("it no longer answers a session that has made a second GET");
}

// is_served_alone returns whether such a call, with no other beside it, gets its response.
Task<bool> is_served_alone(Probe& probe, Client& client) {
  const std::string token = "alone-" + std::to_string(client.session().next_id());
  std::optional<Json> call = co_await streaming_call(probe, client, token);
  if (!call) co_return false;
  const Reply reply = co_await client.exchange(std::move(*call));
  co_return reply.answered() || reply.resumable;
}

Task<Finding> serves_several_streams(Probe& probe) {
  Finding gets = co_await stands_two_gets(probe);
  if (gets.verdict == Verdict::kFail) co_return std::move(gets);
  Client client = probe.client();
  std::vector<Client::Begun> begun;
  for (int i = 0; i < 3; ++i) {
    const std::string token = "several-" + std::to_string(client.session().next_id());
    std::optional<Json> call = co_await streaming_call(probe, client, token);
    if (!call) co_return not_for_it("no tool may be called");
    begun.push_back(client.begin(std::move(*call)));
  }
  for (Client::Begun& one : begun) {
    const Reply reply = co_await client.finish(std::move(one));
    if (reply.answered() || reply.resumable) continue;
    const bool alone = co_await is_served_alone(probe, client);
    if (!alone) co_return undecided("a call gets no answer alone either");
    co_return about(broken("one of three calls at a time got " + reply.describe()), reply);
  }
  co_return passes();
}

// A GET whose stream ends at once, with nothing in it and no word of when to come back, is asked
// for again and again by clients that reconnect.
Task<Finding> keeps_get_streams_open(Probe& probe) {
  constexpr int kTimes = 3;
  Client client = co_await open_quietly(probe);
  if (!client.session().usable()) co_return undecided("it could not be opened again");
  std::size_t number = 0;
  for (int time = 0; time < kTimes; ++time) {
    const std::optional<std::size_t> got = co_await answered_get(client);
    if (!got) co_return not_for_it("the GET was not answered");
    number = *got;
    const auto exchange = [&client, number]() -> const Exchange& {
      return client.session().wire().inbox().exchanges[number];
    };
    if (exchange().status != 200 || !exchange().events) {
      co_return not_for_it("it has no GET streams");
    }
    const auto has_ended = [&exchange] { return exchange().ended; };
    const Instant quiet = after(client.loop().now(), client.pace().quiet());
    co_await client.session().wire().inbox().wait(quiet, has_ended);
    const bool lasts = !exchange().ended || exchange().events_seen > 0 || exchange().retry_ms;
    client.session().wire().drop(number);
    if (lasts) co_return passes();
  }
  Finding finding = broken(
      "GET got a stream of events that ended at once and had nothing in it, three times: clients "
      "such as the TypeScript SDK's come back for ever; where there is nothing to say, 405 says "
      "so");
  co_return about_exchange(std::move(finding), client, number);
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
    {"http.get-stream-lasts", Eras::kStateful, SessionUse::kOpens, keeps_get_streams_open},
    {"http.multiple-streams-tolerated", Eras::kStateful, SessionUse::kShared,
     serves_several_streams},
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
