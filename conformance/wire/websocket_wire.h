// WebSocketWire exchanges texts with the subject over a WebSocket with the subprotocol "mcp".

#pragma once

#include <memory>

#include "conformance/wire/wire.h"
#include "core/base/random_bytes.h"
#include "core/net/http_client.h"
#include "core/wire/url.h"
#include "core/wire/websocket.h"
#include "core/wire/websocket_handshake.h"

namespace plumbline::conformance {

class WebSocketWire final : public Wire, private net::HttpExchangeReader, private net::PipeReader {
 public:
  // open waits for the upgrade. kDisconnected: it was refused. `client` and `log` must outlive the
  // wire.
  static Task<Result<std::unique_ptr<Wire>>> open(net::HttpClient& client, wire::Url url,
                                                  wire::HttpHeaders always, RandomBytes random,
                                                  WireLog& log, Instant deadline);

  WebSocketWire(net::HttpClient& client, const wire::Url& url, const wire::HttpHeaders& always,
                RandomBytes random, WireLog& log);
  ~WebSocketWire() override;

  // implements Wire ---
  std::size_t send(std::string text, wire::HttpHeaders headers, std::uint32_t check) override;
  void end_input() override;
  Task<void> close() override;

 private:
  // implements transport::HttpExchangeReader ---
  void on_head(int status, const wire::HttpHeaders& headers) override;
  void on_body(std::string_view) override {}
  void on_end() override {}
  void on_failed(const Error& error, bool connected) override;

  // implements transport::PipeReader ---
  void on_bytes(std::string_view bytes) override;
  void on_end(const Error* error) override;

  void take(const wire::WebSocketReader::Event& event);
  void write(wire::WebSocketOpcode opcode, std::string_view payload);

  RandomBytes random_;
  wire::WebSocketOffer offer_;
  wire::WebSocketReader reader_{wire::WebSocketRole::kClient, kJudgedMessageBytesMax};
  std::unique_ptr<net::HttpExchange> opening_;
  std::unique_ptr<net::Pipe> pipe_;
};

}  // namespace plumbline::conformance
