// SseClientChannel is the client's side of the HTTP+SSE transport: one GET stream that brings
// everything, and a POST to the endpoint that it announces for each message.
//
// Spec 2024-11-05, basic/transports, HTTP with SSE.

#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/lifeline.h"
#include "core/mcp/transport/channel_kit.h"
#include "core/mcp/transport/message_channel.h"
#include "core/mcp/transport/refused_channel.h"
#include "core/net/http_answer.h"
#include "core/net/http_client.h"

namespace plumbline::transport {

class SseClientChannel final : public MessageChannel, private net::HttpAnswerReader {
 public:
  // `headers` go with every request. `client` must outlive the channel.
  SseClientChannel(net::HttpClient& client, wire::Url stream, wire::HttpHeaders headers);

  // implements MessageChannel ---

  // start opens the stream. The channel closes with it, when no endpoint of the same origin is
  // announced in limits::kConnectTimeout, when the session that it stands for is over (404 to what
  // is posted), and when our messages pile up (kLimitReached). Where the stream is refused, each
  // request is (RefusedChannel).
  void start(MessageReceiver& receiver) override;
  void send(Json message) override;
  void close_send() override;
  void close() override;

 private:
  struct Post {
    std::vector<rpc::RpcId> waiting;
    bool opens_gate = false;  // What was sent later waits until it was taken.
    bool dead = false;        // Swept soon.
    std::unique_ptr<net::HttpAnswer> answer;
  };

  void on_answer_event(net::HttpAnswer& answer, wire::SseEvent event) override;
  void on_answer_over(net::HttpAnswer& answer, const Error* error, bool connected) override;

  wire::HttpRequest request_of(std::string method) const;
  void take_endpoint(const std::string& text);
  void hold(Json message);
  void post(const Json& message);
  void send_held();
  void stream_over();
  void post_over(Post& post, const Error* error, bool connected);
  void finish(const Error* error);
  void sweep();

  net::HttpClient& client_;
  wire::Url url_;
  wire::HttpHeaders headers_;
  MessageReceiver* receiver_ = nullptr;  // Null before start() and once nothing may be called.
  bool closed_ = false;
  std::unique_ptr<net::HttpAnswer> stream_;
  std::optional<wire::Url> endpoint_;
  bool served_ = false;  // It was good for something.
  std::unique_ptr<RefusedChannel> refused_;
  bool gate_closed_ = false;
  HeldMessages held_;
  std::optional<Error> overrun_;  // They are too many.
  std::vector<std::unique_ptr<Post>> posts_;
  Alarm patience_;  // For the endpoint.
  Alarm sweep_turn_;
  Alarm end_turn_;
  Lifeline lifeline_;
};

}  // namespace plumbline::transport
