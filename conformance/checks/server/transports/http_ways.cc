#include "conformance/checks/server/transports/http_ways.h"
#include "conformance/checks/server/callable_tools.h"

#include <utility>

namespace plumbline::conformance {

Task<Reply> ask_harmlessly(Client& client, wire::HttpHeaders headers) {
  Json request = client.request_of(std::string(client.harmless_method()), Json::object());
  Reply reply = co_await client.exchange(std::move(request), std::move(headers));
  co_return reply;
}

wire::HttpRequest bare_request(const Client& client, std::string method) {
  wire::HttpRequest request;
  request.headers = client.session().headers_for(nullptr);
  if (method == "GET") request.headers.set("Accept", "text/event-stream");
  request.method = std::move(method);
  return request;
}

Task<Client> open_quietly(Probe& probe) {
  SessionOptions options = probe.usual();
  options.listen = false;
  Client client = co_await probe.open(std::move(options));
  co_return client;
}

bool opened_slowly(const Client& client) {
  constexpr Duration kSlow = std::chrono::milliseconds(250);
  return client.session().opening().took > kSlow;
}

bool refused_by_status(const Reply& reply) { return reply.status >= 400 && reply.status < 500; }

bool is_loopback(std::string_view host) {
  return host == "localhost" || host == "::1" || host == "[::1]" || host.starts_with("127.");
}

Task<std::optional<Json>> streaming_call(Probe& probe, Client client, std::string token) {
  std::optional<ToolUse> use = co_await probe.tool_that(Shows::kProgress);
  const Json* const any = probe.callable();
  if (!use && any == nullptr) co_return std::nullopt;
  Json message =
      client.request_of("tools/call", use ? std::move(use->params) : probe.call_params(*any));
  message["params"]["_meta"]["progressToken"] = std::move(token);
  co_return std::move(message);
}

Task<Json> longest_call(Probe& probe, Client& client, std::string token, Duration most) {
  const Exercise& exercise = *co_await probe.exercise();
  const Call* longest = nullptr;
  for (const Call& call : exercise.calls) {
    const bool may = call.method == "tools/call" && call.first && call.reply.answered() &&
                     call.reply.took < most && !probe.disturbs(string_or(call.params, "name", ""));
    if (may && (longest == nullptr || call.reply.took > longest->reply.took)) longest = &call;
  }
  if (longest == nullptr) co_return Json();
  Json message = client.request_of("tools/call", longest->params);
  message["params"]["_meta"]["progressToken"] = std::move(token);
  co_return std::move(message);
}

Task<std::optional<std::string>> cut(Client& client, Client::Begun begun) {
  Inbox& inbox = client.session().wire().inbox();
  const std::size_t number = begun.exchange;
  const Instant deadline = after(client.loop().now(), client.pace().answer());
  for (;;) {
    const Exchange& exchange = inbox.exchanges[number];
    if (exchange.ended) co_return std::nullopt;
    if (exchange.events && exchange.events_seen > 0) break;
    if (!co_await inbox.change(deadline)) break;
  }
  std::optional<std::string> id = inbox.exchanges[number].last_event_id;
  client.session().wire().drop(number);
  co_return id;
}

std::size_t resume(Client& client, const std::string& event_id) {
  wire::HttpRequest request = bare_request(client, "GET");
  request.headers.set("Last-Event-ID", event_id);
  return client.session().wire().request(std::move(request), client.check());
}

Task<Json> await_response(Client& client, std::size_t exchange, Json id, Duration patience) {
  Inbox& inbox = client.session().wire().inbox();
  const Instant deadline = after(client.loop().now(), patience);
  for (;;) {
    for (const Json& message : messages_of(client, exchange)) {
      const Json* const other = find(message, "id");
      if (other != nullptr && *other == id && !find(message, "method")) co_return message;
    }
    if (inbox.exchanges[exchange].ended) break;
    if (!co_await inbox.change(deadline)) break;
  }
  co_return Json();
}

Task<std::optional<std::size_t>> answered_get(Client client) {
  wire::HttpRequest request = bare_request(client, "GET");
  const std::size_t number = client.session().wire().request(std::move(request), client.check());
  Inbox& inbox = client.session().wire().inbox();
  const Instant deadline = after(client.loop().now(), client.pace().answer());
  while (inbox.exchanges[number].status == 0 && !inbox.exchanges[number].ended) {
    if (!co_await inbox.change(deadline)) co_return std::nullopt;
  }
  co_return number;
}

std::vector<Json> messages_of(const Client& client, std::size_t exchange) {
  std::vector<Json> messages;
  for (const Frame& frame : client.session().wire().inbox().frames) {
    if (frame.exchange == exchange) messages.push_back(*frame.message);
  }
  return messages;
}

}  // namespace plumbline::conformance
