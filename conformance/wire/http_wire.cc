#include "conformance/wire/http_wire.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "conformance/wire/http_status.h"
#include "conformance/wire/mirrored.h"
#include "core/base/text.h"

namespace plumbline::conformance {

namespace {

constexpr std::size_t kAskedBytes = 256;        // Kept of a request, to say what came of it.
constexpr std::size_t kReplyBytes = 4U << 10U;  // What it takes to answer a request of the subject.
// After so long nothing more of an event is on its way.
constexpr Duration kEventStandsStill = std::chrono::milliseconds(500);

bool is_event_stream(const wire::HttpHeaders& headers) {
  const std::string_view type = headers.get("Content-Type").value_or("");
  return wire::equals_ignoring_case(type.substr(0, type.find(';')), "text/event-stream");
}

// noted has a field that comes again behind the first of its name, as who joins them reads it.
Json noted(const wire::HttpHeaders& headers) {
  Json shown(Json::value_t::object);
  std::map<std::string, std::string> names;  // As each was written first, by the lower case.
  for (const auto& [name, value] : headers.fields()) {
    const auto [first, is_new] = names.try_emplace(lower_case(name), name);
    Json& text = shown[first->second];
    text = is_new ? value : text.get<std::string>() + ", " + value;
  }
  return shown;
}

// is_sendable returns whether HTTP can carry a field: what a subject has said may stand in it.
bool is_sendable(const wire::HttpHeaders::Field& field) {
  return is_header_token(field.first) &&
         field.second.find_first_of(std::string_view("\r\n\0", 3)) == std::string::npos;
}

// is_reply returns whether we say `text` because the subject asked for something.
bool is_reply(const std::string& text) {
  const Result<Json> message = parse_json(text);
  return message.ok() && find(message.value(), "id") && !find(message.value(), "method");
}

void put(wire::HttpHeaders& headers, const wire::HttpHeaders& more) {
  for (const auto& [name, value] : more.fields()) {
    if (value.empty()) {
      headers.erase(name);
    } else {
      headers.set(name, value);
    }
  }
}

}  // namespace

// Post is one request and what comes back.
class HttpWire::Post final : public net::HttpExchangeReader {
 public:
  Post(HttpWire& wire, std::size_t number, std::uint32_t check)
      : wire_(wire), number_(number), check_(check) {}

  void start(wire::HttpRequest request) {
    elsewhere_ = request.method == "POST" && !wire_.is_endpoint(request.target);
    asked_ = request.method + " " + std::string(beginning(request.body, kAskedBytes));
    wire::Url to = wire_.url_;
    to.target = request.target;
    exchange_ = wire_.client_.start(to, std::move(request), *this, kNever);
  }

  // implements transport::HttpExchangeReader ---
  void on_head(int status, const wire::HttpHeaders& headers) override {
    Exchange& exchange = mine();
    exchange.status = status;
    exchange.headers = headers;
    exchange.events = is_event_stream(headers);
    if (status == kTooManyRequests) wire_.log().note_limit();
    Json what(Json::value_t::object);
    what["status"] = status;
    what["headers"] = noted(headers);
    wire_.note(std::move(what), number_, check_);
    wire_.inbox().changed();
  }

  void on_body(std::string_view bytes) override {
    Exchange& exchange = mine();
    if (exchange.events) {
      note_no_events(bytes);
      heard_ = wire_.inbox().loop().now();
      events_.feed(bytes);
      while (std::optional<wire::SseEvent> event = events_.next()) take(std::move(*event));
      if (events_.too_long()) wire_.too_long();
      wire_.inbox().changed();
    } else if (bytes.size() > kJudgedMessageBytesMax - exchange.body.size()) {
      exchange.body = std::string();
      wire_.too_long();
    } else if (wire_.takes(bytes.size())) {
      exchange.body += bytes;
    }
    if (wire_.inbox().closed) finish();  // It floods: nobody listens any longer.
  }

  void on_end() override {
    Exchange& exchange = mine();
    if (!exchange.events && !exchange.body.empty() && !elsewhere_) {
      Frame frame;
      frame.exchange = number_;
      wire_.arrived(std::string(exchange.body), std::move(frame), check_);
    }
    if (exchange.events) note_unended(false);
    finish();
  }

  // left looks at a stream that the subject leaves open, and that we leave.
  void left() {
    if (!mine().events || wire_.inbox().closed) return;
    if (wire_.inbox().loop().now() >= after(heard_, kEventStandsStill)) note_unended(true);
  }

  void on_failed(const Error& error, bool connected) override {
    mine().failed = error;
    const bool cut = connected && mine().status == 0;
    if (cut || !connected) wire_.log().note_loss(wire_.inbox().loop().now(), cut ? asked_ : "");
    Json what(Json::value_t::object);
    what["failed"] = error.message;
    wire_.note(std::move(what), number_, check_);
    finish();
  }

 private:
  // mine is asked anew each time: the list grows.
  Exchange& mine() { return wire_.inbox().exchanges[number_]; }

  // note_no_events notes JSON that is called a stream of events: none comes of it.
  void note_no_events(std::string_view bytes) {
    const bool first = !std::exchange(began_, true);
    if (!first || !(bytes.starts_with('{') || bytes.starts_with('['))) return;
    Json what(Json::value_t::object);
    what["event"] = kJsonForEvents;
    wire_.note(std::move(what), number_, check_);
  }

  // note_unended notes a message in an event that the stream ended in: readers discard it (HTML,
  // section 9.2.6). In a stream that is open they wait for its end. One that is cut short is none.
  void note_unended(bool open) {
    events_.feed("\n\n");
    const std::optional<wire::SseEvent> event = events_.next();
    if (!event) return;
    const Result<Json> message = parse_json(event->data);
    if (!message.ok() || !message.value().is_structured()) return;
    Json what(Json::value_t::object);
    what["event"] = kUnendedEvent;
    what["open"] = open;
    what["answers"] = message.value().is_object() && !message.value().contains("method");
    wire_.note(std::move(what), number_, check_);
  }

  void take(wire::SseEvent event) {
    Exchange& exchange = mine();
    ++exchange.events_seen;
    if (event.retry_ms) exchange.retry_ms = event.retry_ms;
    if (event.id) exchange.last_event_id = event.id;
    if (event.data.empty()) {
      Json what(Json::value_t::object);
      what["event"] = event.id ? "id and no data" : "no data";
      if (event.retry_ms) what["retry"] = *event.retry_ms;
      return wire_.note(std::move(what), number_, check_, std::move(event.id));
    }
    Frame frame;
    frame.exchange = number_;
    frame.event_id = std::move(event.id);
    frame.event_name = std::move(event.event);
    wire_.arrived(event.data, std::move(frame), check_);
  }

  void finish() {
    mine().ended = true;
    HttpWire& wire = wire_;
    wire.posts_.erase(number_);  // Destroys this.
    wire.inbox().changed();
  }

  HttpWire& wire_;
  std::size_t number_;
  std::uint32_t check_;
  bool began_ = false;      // Its body has.
  Instant heard_{};         // When the last of its events came.
  bool elsewhere_ = false;  // A POST that brings and gets no message.
  std::string asked_;       // What may have ended the server.
  wire::SseReader events_{kJudgedMessageBytesMax};
  std::unique_ptr<net::HttpExchange> exchange_;
};

HttpWire::HttpWire(net::HttpClient& client, wire::Url url, wire::HttpHeaders always, WireLog& log)
    : Wire(client.loop(), log), client_(client), url_(std::move(url)), always_(std::move(always)) {}

HttpWire::HttpWire(std::unique_ptr<net::HttpClient> own, wire::Url url, wire::HttpHeaders always,
                   WireLog& log)
    : Wire(own->loop(), log),
      own_(std::move(own)),
      client_(*own_),
      url_(std::move(url)),
      always_(std::move(always)) {}

HttpWire::~HttpWire() = default;

std::size_t HttpWire::send(std::string text, wire::HttpHeaders headers, std::uint32_t check) {
  if (check == 0 && is_reply(text) && !takes(kReplyBytes, true)) return 0;
  wire::HttpRequest request;
  request.method = "POST";
  request.headers.set("Content-Type", "application/json");
  request.headers.set("Accept", "application/json, text/event-stream");
  put(request.headers, headers);
  request.body = std::move(text);
  return this->request(std::move(request), check);
}

std::size_t HttpWire::request(wire::HttpRequest request, std::uint32_t check) {
  const std::size_t number = inbox().exchanges.size();
  inbox().exchanges.emplace_back();
  inbox().exchanges.back().method = request.method;
  if (request.target.empty()) request.target = url_.target;
  wire::HttpHeaders sendable;
  for (const wire::HttpHeaders::Field& field : request.headers.fields()) {
    if (is_sendable(field)) sendable.add(field.first, field.second);
  }
  request.headers = std::move(sendable);
  if (request.headers.count("Host") == 0) request.headers.set("Host", url_.host_header());
  for (const auto& [name, value] : always_.fields()) {
    if (request.headers.count(name) == 0) request.headers.set(name, value);
  }
  Json what(Json::value_t::object);
  what["http"] = request.method + " " + request.target;
  what["headers"] = noted(request.headers);
  note(std::move(what), number, check);
  if (!request.body.empty() && is_endpoint(request.target)) sent(request.body, number, check);
  Post& post = *(posts_[number] = std::make_unique<Post>(*this, number, check));
  post.start(std::move(request));
  return number;
}

bool HttpWire::is_endpoint(std::string_view target) const {
  const std::string_view own = url_.target;
  return target.substr(0, target.find('?')) == own.substr(0, own.find('?'));
}

void HttpWire::drop(std::size_t exchange) {
  if (const auto post = posts_.find(exchange); post != posts_.end()) post->second->left();
  posts_.erase(exchange);
  inbox().exchanges[exchange].ended = true;
  inbox().changed();
}

Task<void> HttpWire::close() {
  for (const auto& [number, post] : posts_) post->left();
  posts_.clear();
  ended("closed by the judge");
  co_return;
}

}  // namespace plumbline::conformance
