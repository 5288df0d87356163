// HttpConversation is the server's channel of one stateless request: it brings that request, and
// carries what is said until its answer.
//
// Spec 2026-07-28, basic/transports/streamable-http.

#pragma once

#include "core/base/budget/guests.h"
#include "core/base/lifeline.h"
#include "core/mcp/transport/message_channel.h"
#include "core/net/http_event_stream.h"

namespace plumbline::transport {

class HttpConversation final : public MessageChannel {
 public:
  // `request` is a request with a readable id, and `charge` what was taken for it.
  HttpConversation(Loop& loop, Json request, Held charge, net::HttpReply reply,
                   Duration keep_alive);

  // begin brings the request, if start() was called; else it comes soon after that. It may destroy
  // the conversation.
  void begin();

  Lifeline& lifeline() { return lifeline_; }

  // implements MessageChannel ---

  // The client that closes the answer takes its request back: on_closed with kDisconnected. After
  // the answer the conversation is over: on_closed without error.
  void start(MessageReceiver& receiver) override;
  void send(Json message) override;
  void close_send() override;
  void close() override;

 private:
  void gone();
  void turn();

  Loop& loop_;
  Held charge_;
  Json request_;
  Json id_;
  net::HttpEventStream stream_;
  MessageReceiver* receiver_ = nullptr;  // Null before start() and once nothing may be called.
  bool begun_ = false;
  bool over_ = false;
  Alarm turn_;
  Lifeline lifeline_;
};

}  // namespace plumbline::transport
