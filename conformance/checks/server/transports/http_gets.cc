// The GET streams of sessions over Streamable HTTP, and more streams than one: spec 2025-11-25,
// basic/transports, Listening for Messages from the Server, Multiple Connections.

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "conformance/checks/server/callable_tools.h"
#include "conformance/checks/server/check.h"
#include "conformance/checks/server/judgements.h"
#include "conformance/checks/server/transports/http_ways.h"
#include "conformance/wire/http_status.h"
#include "core/base/wait.h"

namespace plumbline::conformance {

namespace {

// own_stream returns the GET that the session opened for itself, once it was answered; nullptr when
// it was not.
Task<const Exchange*> own_stream(Client client) {
  Inbox& inbox = client.session().wire().inbox();
  const Instant deadline = after(client.loop().now(), client.pace().answer());
  for (;;) {
    for (const Exchange& exchange : inbox.exchanges) {
      if (exchange.method == "GET" && exchange.status != 0) co_return &exchange;
    }
    if (!co_await inbox.change(deadline)) co_return nullptr;
  }
}

// shown_with adds the exchange of that GET to a finding: it was the session's, not the check's.
Finding shown_with(Finding finding, Client& client, const Exchange& stream) {
  const std::vector<Exchange>& all = client.session().wire().inbox().exchanges;
  return about_exchange(std::move(finding), client, static_cast<std::size_t>(&stream - all.data()));
}

Task<Finding> serves_get_at_the_same_url(Probe& probe) {
  Client client = probe.client();
  const Exchange* const stream = co_await own_stream(client);
  if (stream == nullptr) co_return undecided("the GET was not answered");
  if (stream->status != 404) co_return passes();
  Finding finding =
      broken("GET to the URL that serves POST got status 404, expected a stream of events or 405");
  co_return shown_with(std::move(finding), client, *stream);
}

// comes_back: who has lost the stream of a session is let in again, at the latest when the server
// has noticed that it is gone.
Task<Finding> comes_back(Probe& probe) {
  constexpr Duration kBetween = std::chrono::milliseconds(100);
  if (opened_slowly(probe.client())) co_return passes();
  Client client = co_await open_quietly(probe);
  if (!client.session().usable()) co_return passes();
  const auto& exchanges = client.session().wire().inbox().exchanges;
  const std::optional<std::size_t> first = co_await answered_get(client);
  if (!first || exchanges[*first].status != 200 || !exchanges[*first].events) co_return passes();
  client.session().wire().drop(*first);
  const Instant deadline = after(client.loop().now(), client.pace().answer());
  for (;;) {
    const std::optional<std::size_t> again = co_await answered_get(client);
    if (!again) co_return passes();
    const int status = exchanges[*again].status;
    client.session().wire().drop(*again);
    // A session may end, and who asks too often may be told to wait.
    const bool refused = status >= 400 && status < 500 && status != 405 && status != 404;
    if (!refused || status == kTooManyRequests) co_return passes();
    if (client.loop().now() < deadline) {
      co_await Sleep(client.loop(), after(client.loop().now(), kBetween));
      continue;
    }
    Finding finding = broken(
        "GET got a stream of events; once its client had closed that, GET of "
        "the same session got status " +
        std::to_string(status) + " time and again: who has lost the stream never gets another");
    co_return about_exchange(std::move(finding), client, *again);
  }
}

Task<Finding> answers_get_with_events_or_405(Probe& probe) {
  Client client = probe.client();
  const Exchange* const stream = co_await own_stream(client);
  if (stream == nullptr) {
    if (!co_await client.alive()) co_return undecided("the GET was not answered");
    Finding finding = risky(
        "the GET of a session got no head of an answer while its POSTs were answered: clients that "
        "wait for one, such as Claude's connectors, give the server up. Send the head of the "
        "stream "
        "at once, or answer 405");
    for (const Exchange& exchange : client.session().wire().inbox().exchanges) {
      if (exchange.method != "GET") continue;
      co_return shown_with(std::move(finding), client, exchange);
    }
    co_return finding;
  }
  const bool serves = stream->status == 200 && stream->events;
  if (stream->status == 405) co_return passes();
  if (serves) co_return co_await comes_back(probe);
  Finding finding = broken("GET got status " + std::to_string(stream->status) + " of type \"" +
                           std::string(stream->headers.get("Content-Type").value_or("")) +
                           "\", expected 200 with text/event-stream, or 405");
  co_return shown_with(std::move(finding), client, *stream);
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

constexpr ServerCheck kHttpGetsChecks[] = {
    {"http.single-endpoint-post-get", Eras::kStateful, SessionUse::kShared,
     serves_get_at_the_same_url},
    {"http.get-stream-or-405", Eras::kStateful, SessionUse::kShared,
     answers_get_with_events_or_405},
    {"http.get-stream-lasts", Eras::kStateful, SessionUse::kOpens, keeps_get_streams_open},
    {"http.multiple-streams-tolerated", Eras::kStateful, SessionUse::kShared,
     serves_several_streams},
};

}  // namespace

ServerChecks http_gets_checks() { return kHttpGetsChecks; }

}  // namespace plumbline::conformance
