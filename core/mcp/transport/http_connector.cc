#include "core/mcp/transport/http_connector.h"

#include <optional>
#include <utility>

#include "core/base/sha256.h"
#include "core/base/wait.h"
#include "core/mcp/transport/fallback_channel.h"
#include "core/mcp/transport/refused_channel.h"
#include "core/mcp/transport/websocket_channel.h"
#include "core/wire/websocket_handshake.h"

namespace plumbline::transport {

namespace {

constexpr std::size_t kKeyBytes = 16;
constexpr std::size_t kWordsBytesMax = 4'000;  // Of a refusal.

net::HttpClientOptions client_options(const HttpEndpoint& endpoint) {
  net::HttpClientOptions options;
  options.tls = endpoint.tls;
  options.authorizer = endpoint.authorizer;
  return options;
}

// place_of returns where an endpoint leads: of its headers, which say who we are there, the names
// are shown.
Place place_of(const HttpEndpoint& endpoint) {
  Place place;
  place.text = endpoint.url.origin() + endpoint.url.target;
  std::string all = place.text;
  if (endpoint.transport) {
    place.text += ", over " + std::string(mcp::name_of(*endpoint.transport));
    all += "\n" + std::string(mcp::name_of(*endpoint.transport));
  }
  std::string names;
  for (const auto& [name, value] : endpoint.headers.fields()) {
    all += "\n" + name + ": " + value;
    names += (names.empty() ? "" : ", ") + name;
  }
  if (!names.empty()) place.text += ", with " + names;
  Sha256 hash;
  hash.update(all);
  place.digest = hash.finish_hex();
  return place;
}

// HttpConnection is a channel over HTTP with the client that carries it.
class HttpConnection final : public Connection {
 public:
  HttpConnection(Loop& loop, net::Network& network, const HttpEndpoint& endpoint)
      : loop_(loop), place_(place_of(endpoint)), client_(loop, network, client_options(endpoint)) {
    if (endpoint.transport == mcp::Transport::kSse) {
      channel_ = std::make_unique<SseClientChannel>(client_, endpoint.url, endpoint.headers);
    } else if (endpoint.transport == mcp::Transport::kStreamableHttp) {
      StreamableHttpClientOptions options;
      options.headers = endpoint.headers;
      auto streamable =
          std::make_unique<StreamableHttpClient>(client_, endpoint.url, std::move(options));
      streamable_ = streamable.get();
      channel_ = std::move(streamable);
    } else {
      auto either = std::make_unique<FallbackChannel>(client_, endpoint.url, endpoint.headers);
      streamable_ = &either->streamable();
      channel_ = std::move(either);
    }
  }

  Place place() const override { return place_; }
  MessageChannel& channel() override { return *channel_; }
  std::string diagnosis() const override { return ""; }

  Task<void> close() override {
    if (streamable_ != nullptr) {
      streamable_->end_session();
      const Instant deadline = after(loop_.now(), limits::kStopGrace);
      co_await streamable_->session_ended().wait(loop_, deadline);
    }
    channel_->close();
  }

 private:
  Loop& loop_;
  Place place_;
  net::HttpClient client_;
  std::unique_ptr<MessageChannel> channel_;
  StreamableHttpClient* streamable_ = nullptr;  // Of channel_, where it is or may be one.
};

class WebSocketConnection final : public Connection {
 public:
  WebSocketConnection(Loop& loop, std::unique_ptr<net::Pipe> pipe, RandomBytes random, Place place)
      : loop_(loop),
        place_(std::move(place)),
        channel_(loop, std::move(pipe), wire::WebSocketRole::kClient, std::move(random)) {}

  Place place() const override { return place_; }
  MessageChannel& channel() override { return channel_; }
  std::string diagnosis() const override { return ""; }

  Task<void> close() override {
    if (!channel_.open()) co_return;
    channel_.close_send();
    const Instant deadline = after(loop_.now(), limits::kStopGrace);
    co_await channel_.ended().wait(loop_, deadline);
    channel_.close();
  }

 private:
  Loop& loop_;
  Place place_;
  WebSocketChannel channel_;
};

// Opening waits for the answer to the request that opens a WebSocket.
class Opening final : public net::HttpExchangeReader {
 public:
  Opening(net::HttpClient& client, wire::WebSocketOffer offer) : client_(client), offer_(offer) {}

  void begin(const HttpEndpoint& endpoint, Instant deadline) {
    wire::HttpRequest request = wire::ws_request(offer_);
    for (const auto& [name, value] : endpoint.headers.fields()) request.headers.set(name, value);
    exchange_ = client_.start(endpoint.url, std::move(request), *this, deadline);
  }

  void on_head(int status, const wire::HttpHeaders& headers) override {
    const Result<std::string> accepted = wire::accept_ws_response(offer_, status, headers);
    if (accepted.ok()) {
      pipe_ = exchange_->take_pipe();
    } else {
      error_ = accepted.error();
      if (status >= 300) refusal_ = wire::HttpResponse{status, headers, ""};
    }
    if (!refusal_) answered_.set();  // What a refusal says of itself comes behind its head.
  }
  void on_body(std::string_view bytes) override {
    if (!refusal_) return;
    refusal_->body += bytes.substr(0, kWordsBytesMax - refusal_->body.size());
    if (refusal_->body.size() == kWordsBytesMax) answered_.set();
  }
  void on_end() override { answered_.set(); }
  void on_failed(const Error& error, bool /*connected*/) override {
    error_ = error;
    answered_.set();
  }

  Event& answered() { return answered_; }
  Result<std::unique_ptr<net::Pipe>> take() {
    if (pipe_ != nullptr) return std::move(pipe_);
    return error_.value_or(Error{ErrorCode::kDeadlineExceeded, "the WebSocket does not open"});
  }
  // refusal returns what came in its place; nothing when there was no answer.
  const std::optional<wire::HttpResponse>& refusal() const { return refusal_; }

 private:
  net::HttpClient& client_;
  wire::WebSocketOffer offer_;
  std::unique_ptr<net::Pipe> pipe_;
  std::optional<Error> error_;
  std::optional<wire::HttpResponse> refusal_;
  Event answered_;
  std::unique_ptr<net::HttpExchange> exchange_;
};

}  // namespace

HttpConnector::HttpConnector(Loop& loop, net::Network& network,
                             std::map<std::string, HttpEndpoint> servers, RandomBytes random)
    : loop_(loop), network_(network), servers_(std::move(servers)), random_(std::move(random)) {}

Task<Result<std::unique_ptr<Connection>>> HttpConnector::connect(std::string server) {
  const auto found = servers_.find(server);
  if (found == servers_.end()) {
    co_return Error{ErrorCode::kInvalidInput, "no server is called \"" + server + "\""};
  }
  const HttpEndpoint& endpoint = found->second;
  const std::string& scheme = endpoint.url.scheme;
  if (endpoint.transport == mcp::Transport::kWebSocket || scheme == "ws" || scheme == "wss") {
    Task<Result<std::unique_ptr<Connection>>> opening = open_websocket(endpoint);
    Result<std::unique_ptr<Connection>> opened = co_await std::move(opening);
    co_return std::move(opened);
  }
  std::unique_ptr<Connection> connection =
      std::make_unique<HttpConnection>(loop_, network_, endpoint);
  co_return connection;
}

Task<Result<std::unique_ptr<Connection>>> HttpConnector::open_websocket(HttpEndpoint endpoint) {
  net::HttpClient client(loop_, network_, client_options(endpoint));
  wire::WebSocketOffer offer;
  offer.host = endpoint.url.host_header();
  offer.target = endpoint.url.target;
  offer.key = wire::ws_key_of(random_(kKeyBytes));
  offer.subprotocols.emplace_back(kMcpSubprotocol);
  Opening opening(client, std::move(offer));
  const Instant deadline = after(loop_.now(), limits::kConnectTimeout);
  opening.begin(endpoint, deadline);
  co_await opening.answered().wait(loop_, deadline);
  if (opening.refusal()) {
    std::unique_ptr<Connection> refused = std::make_unique<RefusedConnection>(
        loop_, *opening.refusal(), place_of(endpoint), ", expected a WebSocket");
    co_return refused;
  }
  Result<std::unique_ptr<net::Pipe>> pipe = opening.take();
  if (!pipe.ok()) co_return std::move(pipe).error();
  std::unique_ptr<Connection> connection = std::make_unique<WebSocketConnection>(
      loop_, std::move(pipe).value(), random_, place_of(endpoint));
  co_return connection;
}

}  // namespace plumbline::transport
