#include "conformance/peer/client/http_scripted_peer.h"

#include <utility>

#include "conformance/wire/http_status.h"

namespace plumbline::conformance {

namespace {

constexpr const char* kPeerAnywhere = "0.0.0.0";  // A client may be led here by any of ours.

// shown_request returns what the log keeps of a request's head.
Json shown_request(const wire::HttpRequest& request) {
  Json what(Json::value_t::object);
  what["http"] = request.method + " " + request.target;
  for (const wire::HttpHeaders::Field& field : request.headers.fields()) {
    what["headers"][field.first] = field.second;
  }
  return what;
}

}  // namespace

HttpScriptedPeer::HttpScriptedPeer(Loop& loop, net::Network& network,
                                   std::function<std::string()> new_session_id, WireLog& log,
                                   Record& record, Script& script)
    : ScriptRunner(loop, network, log, record, script),
      server_(loop, *this, net::HttpAccess::at(kPeerAnywhere)),
      new_session_id_(std::move(new_session_id)) {
  Result<std::unique_ptr<net::Listener>> listener =
      network.listen({"127.0.0.1", 0}, std::nullopt,
                     [this](std::unique_ptr<net::Pipe> pipe) { server_.accept(std::move(pipe)); });
  if (listener.ok()) {
    listener_ = std::move(listener).value();
  } else {
    fail(listener.error());
  }
}

HttpScriptedPeer::~HttpScriptedPeer() = default;

std::string HttpScriptedPeer::url() const {
  const int port = listener_ == nullptr ? 0 : listener_->port();
  return "http://127.0.0.1:" + std::to_string(port) + std::string(script_.target());
}

std::size_t HttpScriptedPeer::write_down(wire::HttpRequest request) {
  Json what = shown_request(request);
  HttpHeard heard;
  heard.at = now();
  heard.request = std::move(request);
  heard.posted = posted_in(heard.request.body);
  record_.http.push_back(std::move(heard));
  const std::size_t exchange = record_.http.size() - 1;
  record_.http[exchange].place = note(std::move(what), exchange);
  return exchange;
}

// answer_elsewhere answers what is not asked of the server's own address.
void HttpScriptedPeer::answer_elsewhere(wire::HttpRequest request, net::HttpReply reply) {
  const std::string own = url();
  const std::string origin = own.substr(0, own.size() - script_.target().size());
  if (const std::optional<wire::HttpResponse> own_answer = document(origin, request)) {
    return reply.respond(*own_answer);
  }
  HttpHeard heard;
  heard.at = now();
  heard.status = 404;
  heard.ended = now();
  heard.posted = posted_in(request.body);
  heard.request = std::move(request);
  heard.place = note(shown_request(heard.request), 0);
  record_.elsewhere.push_back(std::move(heard));
  wire::HttpResponse response;
  response.status = 404;
  reply.respond(response);
  active();
}

void HttpScriptedPeer::on_request(wire::HttpRequest request, net::HttpReply reply) {
  std::size_t bytes = request.body.size();
  for (const auto& [name, value] : request.headers.fields()) bytes += name.size() + value.size();
  if (!takes(bytes)) {
    wire::HttpResponse refusal;
    refusal.status = 503;
    return reply.respond(refusal);
  }
  const auto path_of = [](std::string_view target) { return target.substr(0, target.find('?')); };
  const std::string_view path = path_of(request.target);
  if (path != path_of(script_.target()) && !script_.serves(path)) {
    return answer_elsewhere(std::move(request), std::move(reply));
  }
  const std::size_t exchange = write_down(std::move(request));
  reply.on_gone([this, exchange] {
    record_.http[exchange].gone = true;
    ended(exchange);
    active();
  });
  active();
  if (script_.on_http(*this, exchange, reply)) return;
  open_[exchange].reply = std::move(reply);
  const wire::HttpRequest& asked = record_.http[exchange].request;
  if (asked.method == "POST") return on_post(exchange);
  if (asked.method == "GET") return on_get(exchange);
  wire::HttpResponse response;
  response.status = asked.method == "DELETE" && !stateless() && gives_session ? 200 : 405;
  respond(exchange, response);
}

void HttpScriptedPeer::on_post(std::size_t exchange) {
  const std::string body = record_.http[exchange].request.body;
  const Posted posted = record_.http[exchange].posted;
  heard(body, exchange, 0);
  if (posted.asks) return;
  wire::HttpResponse response;
  response.status = posted.json ? 202 : 400;
  respond(exchange, response);
}

void HttpScriptedPeer::on_get(std::size_t exchange) {
  if (!stateless() && takes_get) return open_stream(exchange, open_[exchange]);
  wire::HttpResponse response;
  response.status = 405;
  respond(exchange, response);
}

wire::HttpHeaders HttpScriptedPeer::answer_headers(std::size_t exchange) {
  wire::HttpHeaders headers;
  const bool opens = record_.http[exchange].posted.method == "initialize";
  if (stateless() || !gives_session || !opens) return headers;
  record_.session_id = "judge-session-" + new_session_id_();
  record_.http[exchange].session = record_.session_id;
  headers.set("mCP-sESSION-iD", record_.session_id);  // Names are compared without case.
  return headers;
}

void HttpScriptedPeer::open_stream(std::size_t exchange, Open& open) {
  wire::HttpHeaders headers = answer_headers(exchange);
  const bool stands = record_.http[exchange].request.method == "GET";
  headers.set("Content-Type", std::string(stands ? script_.stream_type() : "text/event-stream"));
  headers.set("Cache-Control", "no-cache");
  record_.http[exchange].status = 200;
  record_.streamed |= record_.http[exchange].request.method == "POST";
  open.reply.open_stream(200, headers);
  open.streaming = true;
}

void HttpScriptedPeer::ended(std::size_t exchange) {
  HttpHeard& heard = record_.http[exchange];
  if (!heard.ended) heard.ended = now();
  open_.erase(exchange);
}

void HttpScriptedPeer::respond(std::size_t exchange, const wire::HttpResponse& response) {
  const auto found = open_.find(exchange);
  if (found == open_.end()) return;
  record_.http[exchange].status = response.status;
  net::HttpReply reply = std::move(found->second.reply);
  ended(exchange);
  reply.respond(response);
}

void HttpScriptedPeer::bytes(std::size_t exchange, std::string_view bytes, bool last) {
  const auto found = open_.find(exchange);
  if (found == open_.end()) return;
  if (!found->second.streaming) open_stream(exchange, found->second);
  said(bytes, exchange, 0);
  found->second.reply.write(bytes);
  if (!last) return;
  net::HttpReply reply = std::move(found->second.reply);
  ended(exchange);
  reply.end();
}

void HttpScriptedPeer::event(std::size_t exchange, const wire::SseEvent& event, bool last) {
  const auto found = open_.find(exchange);
  if (found == open_.end()) return;
  if (!found->second.streaming) open_stream(exchange, found->second);
  std::string encoded;
  wire::append_sse(encoded, event);
  if (!event.data.empty()) said(event.data, exchange, 0);
  found->second.reply.write(encoded);
  if (!last) return;
  net::HttpReply reply = std::move(found->second.reply);
  ended(exchange);
  reply.end();
}

void HttpScriptedPeer::text(const Asked& asked, std::string text, bool last) {
  const auto found = open_.find(asked.exchange);
  if (last) answered(asked);
  if (found == open_.end()) return;
  if (found->second.streaming || events || !last) {
    wire::SseEvent sent;
    sent.data = std::move(text);
    return event(asked.exchange, sent, last);
  }
  said(text, asked.exchange, 0);
  const Result<Json> message = parse_json(text);
  wire::HttpResponse response;
  response.status = message.ok() && stateless() ? stateless_status_of(message.value()) : 200;
  response.headers = answer_headers(asked.exchange);
  response.headers.set("Content-Type", "application/json");
  response.body = std::move(text);
  respond(asked.exchange, response);
}

void HttpScriptedPeer::cut(const Asked& asked) {
  const auto found = open_.find(asked.exchange);
  if (found == open_.end()) return;
  Json what(Json::value_t::object);
  what["server"] = "breaks the answer off";
  note(std::move(what), asked.exchange);
  if (!found->second.streaming) open_stream(asked.exchange, found->second);
  const net::HttpReply reply = std::move(found->second.reply);
  ended(asked.exchange);
}

bool HttpScriptedPeer::tell(std::string text) {
  bool told = false;
  std::vector<std::size_t> streams;
  for (const auto& [exchange, open] : open_) {
    if (record_.http[exchange].request.method == "GET") streams.push_back(exchange);
  }
  for (const std::size_t exchange : streams) {
    wire::SseEvent sent;
    sent.data = text;
    event(exchange, sent, false);
    told = true;
    break;  // One message goes out on one stream.
  }
  return told;
}

}  // namespace plumbline::conformance
