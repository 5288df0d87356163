#include "conformance/wire/sse_wire.h"

#include <string_view>
#include <utility>

namespace plumbline::conformance {

// Stream is the GET.
class SseWire::Stream final : public net::HttpExchangeReader {
 public:
  explicit Stream(SseWire& wire) : wire_(wire) {
    wire::HttpRequest request;
    request.method = "GET";
    request.target = wire.url_.target;
    request.headers = wire.always_;
    request.headers.set("Host", wire.url_.host_header());
    request.headers.set("Accept", "text/event-stream");
    exchange_ = wire.client_.start(wire.url_, std::move(request), *this, kNever);
  }

  // implements transport::HttpExchangeReader ---
  void on_head(int status, const wire::HttpHeaders& headers) override {
    Exchange& exchange = wire_.inbox().exchanges[0];
    exchange.status = status;
    exchange.headers = headers;
    if (status != 200) wire_.ended("GET was answered with status " + std::to_string(status));
  }
  void on_body(std::string_view bytes) override {
    events_.feed(bytes);
    while (const std::optional<wire::SseEvent> event = events_.next()) take(*event);
    if (events_.too_long()) wire_.too_long();
    if (wire_.inbox().closed) exchange_.reset();  // Nobody listens any longer.
  }
  void on_end() override { wire_.ended("the subject ended its stream of events"); }
  void on_failed(const Error& error, bool) override { wire_.ended(error.message); }

 private:
  void take(const wire::SseEvent& event) {
    if (event.event == "endpoint") return take_endpoint(event.data);
    Frame frame;
    frame.event_name = event.event;
    frame.event_id = event.id;
    if (!event.data.empty()) wire_.arrived(event.data, std::move(frame), 0);
  }

  // take_endpoint goes to no other origin: what the user gave for this one would be told there.
  void take_endpoint(const std::string& said) {
    Json what(Json::value_t::object);
    what["endpoint"] = said;
    wire_.note(std::move(what), 0, 0);
    const Result<wire::Url> url = wire::resolve_url(wire_.url_, said);
    if (!url.ok()) return wire_.ended("its endpoint is no URL: " + said);
    wire_.astray_ = url.value().origin() != wire_.url_.origin();
    if (wire_.astray_) {
      return wire_.ended("its endpoint is at another origin than its stream, nothing is sent to " +
                         url.value().origin() + ", expected one at " + wire_.url_.origin());
    }
    wire_.endpoint_ = url.value();
    wire_.inbox().changed();
  }

  SseWire& wire_;
  wire::SseReader events_{kJudgedMessageBytesMax};
  std::unique_ptr<net::HttpExchange> exchange_;
};

// Post is one message on its way. Only its status matters: what it asks is answered on the stream.
class SseWire::Post final : public net::HttpExchangeReader {
 public:
  Post(SseWire& wire, std::size_t number, std::uint32_t check, wire::HttpRequest request)
      : wire_(wire), number_(number), check_(check) {
    exchange_ = wire.client_.start(*wire.endpoint_, std::move(request), *this, kNever);
  }

  // implements transport::HttpExchangeReader ---
  void on_head(int status, const wire::HttpHeaders& headers) override {
    wire_.inbox().exchanges[number_].status = status;
    wire_.inbox().exchanges[number_].headers = headers;
    Json what(Json::value_t::object);
    what["status"] = status;
    wire_.note(std::move(what), 0, check_);
  }
  void on_body(std::string_view) override {}
  void on_end() override { finish(); }
  void on_failed(const Error&, bool) override { finish(); }

 private:
  void finish() {
    wire_.inbox().exchanges[number_].ended = true;
    wire_.posts_.erase(number_);  // Destroys this.
  }

  SseWire& wire_;
  std::size_t number_;
  std::uint32_t check_;
  std::unique_ptr<net::HttpExchange> exchange_;
};

Task<Result<std::unique_ptr<Wire>>> SseWire::open(net::HttpClient& client, wire::Url url,
                                                  wire::HttpHeaders always, WireLog& log,
                                                  Instant deadline) {
  auto wire = std::make_unique<SseWire>(client, std::move(url), std::move(always), log);
  while (!wire->endpoint_ && !wire->inbox().closed) {
    if (!co_await wire->inbox().change(deadline)) break;
  }
  if (wire->endpoint_) co_return std::unique_ptr<Wire>(std::move(wire));
  if (!wire->inbox().closed) {
    co_return Error{ErrorCode::kDeadlineExceeded, "no endpoint event came"};
  }
  const ErrorCode code = wire->astray_ ? ErrorCode::kUnsupported : ErrorCode::kDisconnected;
  co_return Error{code, wire->inbox().why_closed};
}

SseWire::SseWire(net::HttpClient& client, wire::Url url, wire::HttpHeaders always, WireLog& log)
    : Wire(client.loop(), log),
      client_(client),
      url_(std::move(url)),
      always_(std::move(always)),
      stream_(std::make_unique<Stream>(*this)) {}

SseWire::~SseWire() = default;

std::size_t SseWire::send(std::string text, wire::HttpHeaders, std::uint32_t check) {
  sent(text, 0, check);
  wire::HttpRequest request;
  request.method = "POST";
  request.target = endpoint_->target;
  request.headers = always_;
  request.headers.set("Host", endpoint_->host_header());
  request.headers.set("Content-Type", "application/json");
  request.body = std::move(text);
  const std::size_t number = inbox().exchanges.size();
  inbox().exchanges.emplace_back();
  inbox().exchanges.back().method = request.method;
  posts_[number] = std::make_unique<Post>(*this, number, check, std::move(request));
  return 0;
}

Task<void> SseWire::close() {
  posts_.clear();
  stream_.reset();
  ended("closed by the judge");
  co_return;
}

}  // namespace plumbline::conformance
