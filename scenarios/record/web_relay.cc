#include "scenarios/record/web_relay.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "core/net/http_answer.h"
#include "core/wire/sse.h"
#include "core/wire/websocket.h"

namespace plumbline::scenarios {

namespace {

constexpr int kSwitching = 101;
constexpr int kNoGateway = 502;
constexpr std::size_t kRelayedConnectionsMax = 1'000;

net::HttpClientOptions relay_client_options() {
  net::HttpClientOptions options;
  options.connections_max = kRelayedConnectionsMax;
  return options;
}

}  // namespace

// Exchange is one request and its answer, or a WebSocket.
class WebRelay::Exchange final : private net::HttpExchangeReader {
 public:
  Exchange(WebRelay& relay, wire::HttpRequest request, net::HttpReply reply)
      : relay_(relay), reply_(std::move(reply)) {
    number_ = relay_.recorder_.request(request, relay_.now());
    reply_.on_gone([this] { finish("the client has gone"); });
    if (!relay_.recorder_.kept().ok()) {
      give_up(relay_.recorder_.kept().error().message);
      return;
    }
    wire::Url to = relay_.options_.to;
    to.target = request.target;
    request.headers.erase("Host");
    request.headers.erase("Accept-Encoding");
    request.headers.erase("Sec-WebSocket-Extensions");
    if (!request.headers.get("Upgrade")) request.headers.erase("Connection");
    for (const auto& [name, value] : relay_.options_.headers.fields()) {
      request.headers.set(name, value);
    }
    upstream_ = relay_.client_.start(to, std::move(request), *this, kNever);
  }

  bool over() const { return over_; }

 private:
  // Way is one direction of a WebSocket: bytes pass as they are, and messages are told.
  struct Way final : net::PipeReader {
    Way(Exchange& its_exchange, Side its_to, wire::WebSocketRole role)
        : exchange(its_exchange), to(its_to), frames(role) {}

    void on_bytes(std::string_view bytes) override {
      frames.feed(bytes);
      while (const auto event = frames.next()) {
        const auto* const message = std::get_if<wire::WebSocketReader::Message>(&*event);
        if (message != nullptr) exchange.said(to, message->bytes);
      }
      if (exchange.may_pass()) other->write(std::string(bytes));
    }
    void on_end(const Error* error) override {
      if (error == nullptr) other->close_write();
      exchange.ended(error == nullptr ? "" : error->message);
    }

    Exchange& exchange;
    Side to;
    wire::WebSocketReader frames;
    std::unique_ptr<net::Pipe> from;
    net::Pipe* other = nullptr;
  };

  void said(Side to, std::string_view text, std::string_view event = "",
            std::string_view event_id = "") {
    relay_.recorder_.said(number_, to, text, relay_.now(), event, event_id);
  }

  // may_pass returns whether what was told of stands in the recording; else this is the end.
  bool may_pass() {
    const Status& kept = relay_.recorder_.kept();
    if (!kept.ok()) finish(kept.error().message);
    return kept.ok();
  }

  // implements HttpExchangeReader ---
  void on_head(int status, const wire::HttpHeaders& headers) override {
    relay_.recorder_.status(number_, status, headers, relay_.now());
    if (status == kSwitching) return begin_tunnel(headers);
    status_ = status;
    headers_ = headers;
    headers_.erase("Connection");
    const std::string type(headers.get("Content-Type").value_or(""));
    events_ = net::is_media_type(type, "text/event-stream");
    if (events_) reply_.open_stream(status_, headers_);
  }

  void on_body(std::string_view bytes) override {
    if (!events_) {
      body_ += bytes;
      if (body_.size() > limits::kMessageBytesMax) give_up("the answer is too long");
      return;
    }
    reader_.feed(bytes);
    while (const auto event = reader_.next()) {
      if (event->data.empty()) continue;
      said(Side::kClient, event->data, event->event, event->id.value_or(""));
    }
    if (may_pass()) reply_.write(bytes);
  }

  void on_end() override {
    if (!events_) {
      if (!body_.empty()) said(Side::kClient, body_);
      if (!may_pass()) return;
      reply_.respond({status_, std::move(headers_), std::move(body_)});
    } else {
      reply_.end();
    }
    finish("");
  }

  void on_failed(const Error& error, bool /*connected*/) override { give_up(error.message); }

  void give_up(const std::string& why) {
    if (reply_.open() && status_ == 0) {
      reply_.respond(
          {kNoGateway, {{"Content-Type", "text/plain"}}, "plumbline record: " + why + "\n"});
    }
    finish(why);
  }

  void begin_tunnel(const wire::HttpHeaders& headers) {
    to_client_.emplace(*this, Side::kClient, wire::WebSocketRole::kClient);
    to_server_.emplace(*this, Side::kServer, wire::WebSocketRole::kServer);
    to_client_->from = upstream_->take_pipe();
    to_server_->from = reply_.upgrade(headers);
    if (to_client_->from == nullptr || to_server_->from == nullptr) {
      return finish("the client has gone");
    }
    to_client_->other = to_server_->from.get();
    to_server_->other = to_client_->from.get();
    to_client_->from->start(*to_client_);
    to_server_->from->start(*to_server_);
  }

  // ended tells that one direction of the WebSocket has ended; the other one may go on.
  void ended(const std::string& why) {
    if (++ends_ == 2 || !why.empty()) finish(why);
  }

  void finish(const std::string& why) {
    if (std::exchange(over_, true)) return;
    relay_.recorder_.end(number_, why, relay_.now());
    relay_.sweep_soon();
  }

  WebRelay& relay_;
  net::HttpReply reply_;
  std::int64_t number_ = 0;
  int status_ = 0;
  wire::HttpHeaders headers_;
  std::string body_;  // Unless it is a stream of events.
  bool events_ = false;
  bool over_ = false;
  int ends_ = 0;
  wire::SseReader reader_;
  std::optional<Way> to_client_;
  std::optional<Way> to_server_;
  std::unique_ptr<net::HttpExchange> upstream_;
};

WebRelay::WebRelay(Loop& loop, net::Network& network, WebRelayOptions options,
                   WebRecorder& recorder)
    : loop_(loop),
      options_(std::move(options)),
      recorder_(recorder),
      begin_(loop.now()),
      client_(loop, network, relay_client_options()),
      sweep_([this] {
        std::erase_if(exchanges_, [](const auto& exchange) { return exchange->over(); });
      }),
      server_(loop, *this, options_.access) {}

WebRelay::~WebRelay() = default;

Result<std::unique_ptr<WebRelay>> WebRelay::listen(Loop& loop, net::Network& network,
                                                   WebRelayOptions options, WebRecorder& recorder) {
  auto relay = std::make_unique<WebRelay>(loop, network, std::move(options), recorder);
  Result<std::unique_ptr<net::Listener>> listener =
      network.listen(relay->options_.at, relay->options_.tls,
                     [server = &relay->server_](std::unique_ptr<net::Pipe> pipe) {
                       server->accept(std::move(pipe));
                     });
  if (!listener.ok()) return listener.error();
  relay->listener_ = std::move(listener).value();
  return relay;
}

std::string WebRelay::url() const {
  const bool web_socket = options_.to.scheme.starts_with("ws");
  const std::string scheme = std::string(web_socket ? "ws" : "http") + (options_.tls ? "s" : "");
  return scheme + "://" + net::describe({options_.at.host, listener_->port()}) + options_.to.target;
}

void WebRelay::on_request(wire::HttpRequest request, net::HttpReply reply) {
  exchanges_.push_back(std::make_unique<Exchange>(*this, std::move(request), std::move(reply)));
}

}  // namespace plumbline::scenarios
