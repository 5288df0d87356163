// HTTP+SSE, the transport before Streamable HTTP: spec 2024-11-05, basic/transports, HTTP with SSE.

#include <string>
#include <utility>

#include "conformance/checks/server/check.h"
#include "conformance/checks/server/transports/http_ways.h"

namespace plumbline::conformance {

namespace {

Task<Finding> takes_posts_at_its_endpoint(Probe& probe) {
  Client client = co_await open_quietly(probe);
  if (!client.session().usable()) co_return undecided("it could not be opened again");
  const bool lives = co_await client.alive();
  if (!lives) co_return undecided("it could not be opened again");
  const std::vector<Exchange>& exchanges = client.session().wire().inbox().exchanges;
  for (std::size_t number = 0; number < exchanges.size(); ++number) {
    const Exchange& exchange = exchanges[number];
    if (exchange.method != "POST" || exchange.status < 300) continue;
    Finding finding = broken("a message posted to its endpoint got status " +
                             std::to_string(exchange.status) + ", expected 2xx");
    co_return about_exchange(std::move(finding), client, number);
  }
  co_return passes();
}

Task<Finding> announces_its_endpoint_first(Probe& probe) {
  Client raw = probe.open_raw(probe.user_headers());
  wire::HttpRequest request = bare_request(raw, "GET");
  request.headers.set("Cache-Control", "no-cache");
  const Reply reply = co_await raw.http(std::move(request));
  Inbox& inbox = raw.session().wire().inbox();
  const Instant deadline = after(raw.loop().now(), raw.pace().answer());
  while (inbox.frames.empty()) {
    if (!co_await inbox.change(deadline)) break;
  }
  raw.session().wire().drop(reply.exchange);
  if (inbox.frames.empty()) co_return broken("its stream began with nothing, expected endpoint");
  const Frame& first = inbox.frames.front();
  if (first.event_name == "endpoint") {
    const wire::Url& stream = probe.subject().spec().url;
    const Result<wire::Url> endpoint = wire::resolve_url(stream, first.garbage);
    if (!endpoint.ok() || endpoint.value().origin() == stream.origin()) co_return passes();
    co_return broken("its endpoint is \"" + first.garbage + "\", expected one at " +
                     stream.origin());
  }
  co_return broken("its stream began with an event \"" + first.event_name +
                   "\", expected \"endpoint\"");
}

Task<Finding> sends_message_events(Probe& probe) {
  Client client = co_await open_quietly(probe);
  if (!client.session().usable()) co_return undecided("it could not be opened again");
  const bool lives = co_await client.alive();
  if (!lives) co_return undecided("it could not be opened again");
  for (const Frame& frame : client.session().wire().inbox().frames) {
    Finding finding = passes();
    if (!frame.garbage.empty()) {
      finding = broken("the data of an event is no JSON");
    } else if (!frame.event_name.empty() && frame.event_name != "message") {
      finding =
          broken("a message came as an event \"" + frame.event_name + "\", expected \"message\"");
    }
    finding.about = {frame.log_place};
    if (finding.verdict != Verdict::kPass) co_return std::move(finding);
  }
  co_return passes();
}

constexpr ServerCheck kSseChecks[] = {
    {"sse-legacy.two-endpoints", Eras::kStateful, SessionUse::kOpens, takes_posts_at_its_endpoint},
    {"sse-legacy.endpoint-event", Eras::kStateful, SessionUse::kOpens,
     announces_its_endpoint_first},
    {"sse-legacy.message-events", Eras::kStateful, SessionUse::kOpens, sends_message_events},
};

}  // namespace

ServerChecks sse_checks() { return kSseChecks; }

}  // namespace plumbline::conformance
