#include "conformance/wire/websocket_wire.h"

#include <algorithm>
#include <utility>

namespace plumbline::conformance {

namespace {

constexpr int kWsTooLong = 1009;  // RFC 6455, section 7.4.1.
constexpr std::size_t kKeyBytes = 16;
constexpr std::string_view kSubprotocol = "mcp";

}  // namespace

Task<Result<std::unique_ptr<Wire>>> WebSocketWire::open(net::HttpClient& client, wire::Url url,
                                                        wire::HttpHeaders always,
                                                        RandomBytes random, WireLog& log,
                                                        Instant deadline) {
  auto wire = std::make_unique<WebSocketWire>(client, url, always, std::move(random), log);
  while (!wire->pipe_ && !wire->inbox().closed) {
    if (!co_await wire->inbox().change(deadline)) break;
  }
  if (wire->pipe_) co_return std::unique_ptr<Wire>(std::move(wire));
  if (!wire->inbox().closed) {
    co_return Error{ErrorCode::kDeadlineExceeded, "the WebSocket was not opened"};
  }
  co_return Error{ErrorCode::kDisconnected, wire->inbox().why_closed};
}

WebSocketWire::WebSocketWire(net::HttpClient& client, const wire::Url& url,
                             const wire::HttpHeaders& always, RandomBytes random, WireLog& log)
    : Wire(client.loop(), log), random_(std::move(random)) {
  offer_.host = url.host_header();
  offer_.target = url.target;
  offer_.key = wire::ws_key_of(random_(kKeyBytes));
  offer_.subprotocols.emplace_back(kSubprotocol);
  wire::HttpRequest request = wire::ws_request(offer_);
  for (const auto& [name, value] : always.fields()) request.headers.set(name, value);
  opening_ = client.start(url, std::move(request), *this, kNever);
}

WebSocketWire::~WebSocketWire() = default;

std::size_t WebSocketWire::send(std::string text, wire::HttpHeaders, std::uint32_t check) {
  sent(text, 0, check);
  write(wire::WebSocketOpcode::kText, text);
  return 0;
}

void WebSocketWire::end_input() { write(wire::WebSocketOpcode::kClose, "\x03\xe8"); }

Task<void> WebSocketWire::close() {
  if (pipe_) pipe_->close();
  ended("closed by the judge");
  co_return;
}

void WebSocketWire::on_head(int status, const wire::HttpHeaders& headers) {
  const Result<std::string> accepted = wire::accept_ws_response(offer_, status, headers);
  if (!accepted.ok()) return ended(accepted.error().message);
  pipe_ = opening_->take_pipe();
  pipe_->start(*this);
  inbox().changed();
}

void WebSocketWire::on_failed(const Error& error, bool) { ended(error.message); }

void WebSocketWire::on_bytes(std::string_view bytes) {
  if (inbox().closed) return;
  reader_.feed(bytes);
  while (const std::optional<wire::WebSocketReader::Event> event = reader_.next()) take(*event);
  if (flooded()) pipe_->close();  // Nobody listens any longer.
}

void WebSocketWire::on_end(const Error* error) {
  ended(error == nullptr ? "the subject closed the WebSocket" : error->message);
}

void WebSocketWire::take(const wire::WebSocketReader::Event& event) {
  using Reader = wire::WebSocketReader;
  if (const auto* const message = std::get_if<Reader::Message>(&event)) {
    arrived(message->bytes, Frame{}, 0);
  } else if (const auto* const ping = std::get_if<Reader::Ping>(&event)) {
    write(wire::WebSocketOpcode::kPong, ping->bytes);
  } else if (const auto* const closing = std::get_if<Reader::Close>(&event)) {
    ended("the subject closed the WebSocket with code " + std::to_string(closing->code));
  } else if (const auto* const broken = std::get_if<Reader::Broken>(&event)) {
    if (broken->code == kWsTooLong) return too_long();
    ended("no WebSocket: " + broken->what);
  }
}

void WebSocketWire::write(wire::WebSocketOpcode opcode, std::string_view payload) {
  if (!pipe_ || inbox().closed) return;
  const std::string key = random_(4);
  wire::WebSocketMask mask{};
  std::ranges::copy(key, mask.begin());
  std::string bytes;
  wire::append_ws_frame(bytes, opcode, payload, mask);
  pipe_->write(std::move(bytes));
}

}  // namespace plumbline::conformance
