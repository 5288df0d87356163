#include "conformance/checks/gateway/mirror_http.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "conformance/catalogue/requirement.h"
#include "conformance/wire/gzip.h"
#include "conformance/wire/header_names.h"
#include "conformance/wire/http_status.h"
#include "core/wire/sse.h"

namespace plumbline::conformance {

namespace {

constexpr std::size_t kUntoldMax = 1'000;
constexpr std::size_t kStreamsMax = 16;  // Of one session.
constexpr int kComeBackMs = 10;          // After a stream that was broken off.
constexpr Duration kBetweenCuts = std::chrono::milliseconds(60);
constexpr std::string_view kMovedPath = "/mcp/moved";

wire::HttpResponse status(int code) {
  wire::HttpResponse response;
  response.status = code;
  return response;
}

std::string event_of(const Json& message) {
  wire::SseEvent event;
  event.data = dump_json(message);
  std::string bytes;
  wire::append_sse(bytes, event);
  return bytes;
}

// odd_events_of returns one message as readers of events have to take it as well.
//
// Spec 2025-11-25, basic/transports, Sending Messages to the Server 6: an event with an id and no
// data comes first. WHATWG HTML, 9.2.6: comments, and data of several lines.
std::string odd_events_of(const Json& message, bool resumable) {
  std::string bytes;
  wire::SseEvent first;
  first.id = "mirror-1";
  if (resumable) wire::append_sse(bytes, first);
  wire::append_sse_comment(bytes, "a comment");
  wire::SseEvent event;
  event.event = "message";
  event.data = message.dump(1);
  wire::append_sse(bytes, event);
  return bytes;
}

// events_of returns the events that say one message.
std::string events_of(const Json& message, AnswerForm form, bool resumable) {
  if (form == AnswerForm::kOdd) return odd_events_of(message, resumable);
  std::string bytes = event_of(message);
  if (form == AnswerForm::kPlain) return bytes;
  std::string lines;
  for (const char byte : bytes) lines += byte == '\n' ? std::string("\r\n") : std::string(1, byte);
  return lines;
}

bool is_request(const Json& message) {
  return find(message, "method") != nullptr && find(message, "id") != nullptr;
}

bool speaks_statelessly(const wire::HttpRequest& request) {
  const auto version = request.headers.get(kVersionHeader);
  return version && is_stateless(*version);
}

// Spec 2025-11-25, basic/transports, Protocol Version Header.
bool is_of_no_revision(const wire::HttpRequest& request) {
  const auto version = request.headers.get(kVersionHeader);
  return version && std::ranges::find(kRevisions, *version) == kRevisions.end();
}

std::string_view path_of(const wire::HttpRequest& request) {
  return std::string_view(request.target).substr(0, request.target.find('?'));
}

// endpoint_of returns where the messages of a session of HTTP+SSE are posted.
std::string endpoint_of(const std::string& path, const std::string& id) {
  return path + "?session=" + id;
}

wire::HttpHeaders headers_of(const std::string& session_id, std::string_view content_type) {
  wire::HttpHeaders headers;
  headers.set("Content-Type", std::string(content_type));
  if (!session_id.empty()) headers.set(kSessionHeader, session_id);
  return headers;
}

}  // namespace

MirrorHttp::MirrorHttp(Loop& loop, net::HttpAccess access,
                       std::function<std::string()> new_session_id, MirrorReader& reader)
    : loop_(loop),
      changes_(loop),
      new_session_id_(std::move(new_session_id)),
      reader_(reader),
      server_(loop, *this, std::move(access)) {}

void MirrorHttp::on_request(wire::HttpRequest request, net::HttpReply reply) {
  changes_.tell();
  reader_.on_http(request);
  if (path_of(request).ends_with("/sse")) return on_sse(request, std::move(reply));
  if (request.method == "POST") return on_post(request, std::move(reply));
  if (request.method != "GET" && request.method != "DELETE") return reply.respond(status(405));
  const std::size_t session = find_session(request);
  const bool named = !request.headers.get(kSessionHeader).value_or("").empty();
  if (request.method == "DELETE" && !named && !nameless_) {
    Json ending(Json::value_t::object);
    ending["method"] = request.method;
    reader_.on_stray(ending);
  }
  if (session == 0) return reply.respond(status(404));
  if (request.method == "GET") return on_get(request, session, std::move(reply));
  end(session);
  reply.respond(status(200));
}

// redirects sends a call of a tool elsewhere, as servers do whose path has or lacks a slash.
bool MirrorHttp::redirects(const wire::HttpRequest& request, net::HttpReply& reply) const {
  const bool here = redirect_ == Redirect::kHere;
  const Result<Json> message = parse_json(request.body);
  const bool calls = message.ok() && string_or(message.value(), "method", "") == "tools/call";
  if (redirect_ == Redirect::kNone || !calls || path_of(request) == kMovedPath) return false;
  wire::HttpResponse response = status(307);
  const std::string host(request.headers.get("Host").value_or(""));
  response.headers.set("Location", here ? "http://" + host + std::string(kMovedPath) : away_);
  reply.respond(response);
  return true;
}

void MirrorHttp::on_post(const wire::HttpRequest& request, net::HttpReply reply) {
  if (redirects(request, reply)) return;
  if (is_of_no_revision(request)) return reply.respond(status(400));
  const Result<Json> parsed = parse_json(request.body);
  if (!parsed.ok()) return reply.respond(status(400));
  const bool batch = parsed.value().is_array();
  const std::vector<Json> messages =
      batch ? parsed.value().get<std::vector<Json>>() : std::vector<Json>{parsed.value()};
  auto exchange = std::make_unique<Exchange>();
  exchange->stateless = speaks_statelessly(request);
  exchange->packed = packs_ && accepts_gzip(request.headers);
  bool opens = false;
  for (const Json& message : messages) {
    if (is_request(message)) exchange->waiting.push_back(*find(message, "id"));
    opens = opens || string_or(message, "method", "") == "initialize";
  }
  const std::string id = opens ? new_session_id_() : std::string();
  if (carriage_.sessions) exchange->new_session_id = id;
  const bool begins = opens || exchange->stateless;
  const std::size_t session = begins ? begin_session(id) : find_session(request);
  if (opens && !carriage_.sessions) unnamed_ = session;
  const bool named = !request.headers.get(kSessionHeader).value_or("").empty();
  if (session == 0 && !named && !nameless_) {
    for (const Json& message : messages) reader_.on_stray(message);
  }
  if (session == 0) return reply.respond(status(404));
  if (exchange->waiting.empty()) {
    reply.respond(status(202));
  } else {
    const Exchange* const waits = exchange.get();
    exchange->reply = std::move(reply);
    exchange->reply.on_gone([this, session, waits] { drop(session, waits); });
    sessions_[session].exchanges.push_back(std::move(exchange));
  }
  for (const Json& message : messages) reader_.on_message(session, message);
}

void MirrorHttp::on_sse(const wire::HttpRequest& request, net::HttpReply reply) {
  const std::string path(path_of(request));
  if (request.method == "GET") return open_sse(path, std::move(reply));
  if (request.method != "POST") return reply.respond(status(405));
  const auto session = std::ranges::find_if(sessions_, [&](const auto& one) {
    return !one.second.streamable && request.target == endpoint_of(path, one.second.id);
  });
  const Result<Json> parsed = parse_json(request.body);
  if (session == sessions_.end()) return reply.respond(status(404));
  if (!parsed.ok()) return reply.respond(status(400));
  const std::size_t number = session->first;
  reply.respond(status(202));
  if (!parsed.value().is_array()) return reader_.on_message(number, parsed.value());
  for (const Json& message : parsed.value()) reader_.on_message(number, message);
}

void MirrorHttp::open_sse(const std::string& path, net::HttpReply reply) {
  const std::size_t number = begin_session(new_session_id_());
  Session& session = sessions_[number];
  session.streamable = false;
  reply.open_stream(200, headers_of("", "text/event-stream"));
  wire::SseEvent endpoint;
  endpoint.event = "endpoint";
  endpoint.data = endpoint_of(path, session.id);
  std::string bytes;
  wire::append_sse(bytes, endpoint);
  reply.write(bytes);
  session.listening = std::move(reply);
  session.listening.on_gone([this, number] { end(number); });
}

// sse_session returns a session of HTTP+SSE, nullptr for another one.
MirrorHttp::Session* MirrorHttp::sse_session(std::size_t session) {
  const auto found = sessions_.find(session);
  const bool one = found != sessions_.end() && !found->second.streamable;
  return one ? &found->second : nullptr;
}

bool MirrorHttp::is_streamable(std::size_t session) const {
  const auto found = sessions_.find(session);
  return found == sessions_.end() || found->second.streamable;
}

void MirrorHttp::on_get(const wire::HttpRequest& request, std::size_t session,
                        net::HttpReply reply) {
  const std::string last(request.headers.get("Last-Event-ID").value_or(""));
  auto& waiting = sessions_[session].broken_off;
  if (const auto resumed = waiting.find(last); resumed != waiting.end()) {
    reply.open_stream(200, headers_of("", "text/event-stream"));
    reply.write(event_of(resumed->second));
    waiting.erase(resumed);
    return reply.end();
  }
  if (streams_ == StreamManner::kNone) return reply.respond(status(405));
  reply.open_stream(200, headers_of("", "text/event-stream"));
  if (streams_ == StreamManner::kShort) return reply.end();
  for (const Json& message : sessions_[session].untold) reply.write(event_of(message));
  Session& told = sessions_[session];
  told.untold.clear();
  if (told.listening.open() && told.before.size() < kStreamsMax) {
    told.before.push_back(std::move(told.listening));
  }
  told.listening = std::move(reply);
  told.listening.on_gone([this] { changes_.tell(); });
}

std::size_t MirrorHttp::begin_session(std::string id) {
  sessions_[++sessions_begun_].id = std::move(id);
  return sessions_begun_;
}

// find_session returns 0 when the request names none that is open.
std::size_t MirrorHttp::find_session(const wire::HttpRequest& request) const {
  const auto id = request.headers.get(kSessionHeader);
  if (!id || id->empty()) return sessions_.contains(unnamed_) ? unnamed_ : 0;
  const auto found =
      std::ranges::find_if(sessions_, [&](const auto& one) { return one.second.id == *id; });
  return found == sessions_.end() ? 0 : found->first;
}

MirrorHttp::Exchange* MirrorHttp::find_exchange(std::size_t session, const Json& id) {
  const auto found = sessions_.find(session);
  if (found == sessions_.end()) return nullptr;
  for (const auto& exchange : found->second.exchanges) {
    if (std::ranges::find(exchange->waiting, id) != exchange->waiting.end()) return exchange.get();
  }
  return nullptr;
}

// drop forgets an exchange; a stateless session ends with it.
void MirrorHttp::drop(std::size_t session, const Exchange* exchange) {
  const auto found = sessions_.find(session);
  if (found == sessions_.end()) return;
  std::erase_if(found->second.exchanges, [&](const auto& one) { return one.get() == exchange; });
  if (found->second.id.empty()) end(session);
}

void MirrorHttp::end(std::size_t session) {
  sessions_.erase(session);
  changes_.tell();
}

std::size_t MirrorHttp::open_sessions() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(sessions_, [](const auto& one) { return !one.second.id.empty(); }));
}

void MirrorHttp::stream(Exchange& exchange, const std::string& events) {
  if (!exchange.streaming) {
    exchange.reply.open_stream(200, headers_of(exchange.new_session_id, carriage_.stream_type));
    exchange.streaming = true;
  }
  if (!exchange.rest.empty()) {
    exchange.rest += events;
    return;
  }
  const std::size_t first = carriage_.pieces ? first_piece(events) : events.size();
  exchange.reply.write(events.substr(0, first));
  exchange.rest = events.substr(first);
  if (exchange.rest.empty()) return;
  exchange.later = std::make_unique<Alarm>(
      [&exchange] { exchange.reply.write(std::exchange(exchange.rest, {})); });
  loop_.arm(*exchange.later, after(loop_.now(), kBetweenCuts));
}

// end_stream ends one, behind what of it is not written.
void MirrorHttp::end_stream(Exchange& exchange) {
  exchange.later.reset();
  if (!exchange.rest.empty()) exchange.reply.write(std::exchange(exchange.rest, {}));
  exchange.reply.end();
}

void MirrorHttp::about(std::size_t session, const Json& id, const Json& message) {
  if (Session* const sse = sse_session(session)) return sse->listening.write(event_of(message));
  if (Exchange* const exchange = find_exchange(session, id)) stream(*exchange, event_of(message));
}

void MirrorHttp::refuse(std::size_t session, const Json& id, int status,
                        const wire::HttpHeaders& headers) {
  Exchange* const exchange = find_exchange(session, id);
  if (exchange == nullptr) return;
  const char* const body = status == 401 ? R"({"detail":"invalid_token"})" : "no JSON-RPC";
  exchange->reply.respond(wire::HttpResponse{status, headers, body});
  drop(session, exchange);
}

void MirrorHttp::cut(std::size_t session, const Json& id) {
  Exchange* const exchange = find_exchange(session, id);
  if (exchange == nullptr) return;
  stream(*exchange, ": the connection breaks here\n\n");
  drop(session, exchange);
}

void MirrorHttp::break_off(std::size_t session, const Json& id, const Json& response) {
  Exchange* const exchange = find_exchange(session, id);
  if (exchange == nullptr) return;
  auto& waiting = sessions_[session].broken_off;
  if (waiting.size() == kStreamsMax) waiting.clear();
  wire::SseEvent before;
  before.id = "mirror-" + std::to_string(session) + "-" + std::to_string(++broken_off_);
  before.retry_ms = kComeBackMs;
  waiting[*before.id] = response;
  std::string bytes;
  wire::append_sse(bytes, before);
  stream(*exchange, bytes);
  end_stream(*exchange);
  drop(session, exchange);
}

void MirrorHttp::answer(std::size_t session, const Json& id, const Json& response,
                        AnswerForm form) {
  if (Session* const sse = sse_session(session)) {
    return sse->listening.write(events_of(response, form, false));
  }
  Exchange* const exchange = find_exchange(session, id);
  if (exchange == nullptr) return;
  std::erase(exchange->waiting, id);
  const bool last = exchange->waiting.empty();
  const bool streams = exchange->streaming || form != AnswerForm::kPlain || !last;
  if (streams || carriage_.streams) {
    stream(*exchange, streams ? events_of(response, form, !exchange->stateless)
                              : carried(response, carriage_.text));
    if (last) end_stream(*exchange);
  } else {
    wire::HttpResponse whole;
    whole.status = exchange->stateless ? stateless_status_of(response) : 200;
    whole.headers = headers_of(exchange->new_session_id, carriage_.json_type);
    const bool indented = carriage_.text == Carriage::Text::kIndented;
    whole.body = indented ? pretty_json(response) : dump_json(response);
    if (exchange->packed) {
      whole.headers.set("Content-Encoding", "gzip");
      whole.body = gzip_of(whole.body);
    }
    exchange->reply.respond(whole);
  }
  if (last) drop(session, exchange);
}

bool MirrorHttp::hears(std::size_t session) const {
  const auto found = sessions_.find(session);
  return found != sessions_.end() && found->second.listening.open();
}

void MirrorHttp::tell(std::size_t session, const Json& message) {
  const auto found = sessions_.find(session);
  if (found == sessions_.end()) return;
  Session& told = found->second;
  if (told.listening.open()) return told.listening.write(event_of(message));
  if (told.untold.size() < kUntoldMax) told.untold.push_back(message);
}

}  // namespace plumbline::conformance
