// FallbackChannel speaks Streamable HTTP, and HTTP+SSE once a server shows that it knows only that.
//
// Spec 2025-11-25, basic/transports, Backwards Compatibility (MAY).

#pragma once

#include <memory>
#include <optional>

#include "core/mcp/transport/sse_client_channel.h"
#include "core/mcp/transport/streamable_http_client.h"

namespace plumbline::transport {

class FallbackChannel final : public MessageChannel, private MessageReceiver {
 public:
  // `client` must outlive the channel. `headers` go with every request.
  FallbackChannel(net::HttpClient& client, const wire::Url& url, wire::HttpHeaders headers);

  // streamable is what it began as; sse is null until it fell back.
  StreamableHttpClient& streamable() { return streamable_; }
  const SseClientChannel* sse() const { return sse_.get(); }

  // implements MessageChannel ---
  void start(MessageReceiver& receiver) override;
  void send(Json message) override;
  void close_send() override;
  void close() override;

 private:
  // implements MessageReceiver ---
  void on_message(Json message) override;
  void on_garbage(std::string_view bytes, const Error& error) override;
  void on_lost(const rpc::RpcId& id, const Error& error) override;
  void on_closed(const Error* error) override;

  MessageChannel& current();
  bool is_initialize(const rpc::RpcId& id) const;

  net::HttpClient& client_;
  wire::Url url_;
  wire::HttpHeaders headers_;
  MessageReceiver* receiver_ = nullptr;
  Json initialize_;  // Null before it was sent.
  StreamableHttpClient streamable_;
  std::unique_ptr<SseClientChannel> sse_;
};

}  // namespace plumbline::transport
