// WebSocketChannel carries one JSON message in each text message of a WebSocket, once it is open.
// Both sides use it. MCP names no such transport: it is a custom one, with the subprotocol "mcp".
//
// Source: RFC 6455.

#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "core/base/lifeline.h"
#include "core/base/loop.h"
#include "core/base/random_bytes.h"
#include "core/base/wait.h"
#include "core/mcp/transport/channel_kit.h"
#include "core/mcp/transport/message_channel.h"
#include "core/net/pipe.h"
#include "core/wire/websocket.h"

namespace plumbline::transport {

inline constexpr std::string_view kMcpSubprotocol = "mcp";

class WebSocketChannel final : public MessageChannel, private net::PipeReader {
 public:
  // `pipe` is behind the opening and not started. `random` gives a client its masks; a server needs
  // none. `loop` must outlive the channel. What the peer sends, and does not take, is taken from
  // `share`.
  WebSocketChannel(Loop& loop, std::unique_ptr<net::Pipe> pipe, wire::WebSocketRole role,
                   RandomBytes random = nullptr, Share share = {});

  // implements MessageChannel ---
  //
  // Pings are answered. A peer that breaks the protocol, or sends a message over
  // limits::kMessageBytesMax, is closed with the code that says so; one that takes more than its
  // share with 1009 or 1013. A peer that closes
  // as unauthorized (3000), forbidden (3003) or to be tried later (1013) refuses so what it was
  // asked, as by 401, 403 and 503. A binary message, and text that
  // is no JSON, is garbage.
  void start(MessageReceiver& receiver) override;
  void send(Json message) override;
  void leave_unanswered(const rpc::RpcId& about) override { charges_.forget(about); }
  // close_send closes the WebSocket in order; on_closed follows, after limits::kStopGrace at most.
  void close_send() override;
  void close() override;

  // open returns whether on_closed is still to come. ended() is set behind it; never after close().
  bool open() const { return receiver_ != nullptr; }
  Event& ended() { return ended_; }

 private:
  void on_bytes(std::string_view bytes) override;
  void on_end(const Error* error) override;
  void on_drained() override;

  // count charges for the bytes that are here. False: there is no room, and the peer is told.
  bool count();
  void refuse(Resource resource, std::uint64_t amount);
  void take_message(const wire::WebSocketReader::Message& message);
  void take(wire::WebSocketReader::Event event);
  void forget_answered(const Json& message);
  // refuse_waiting returns whether the channel is still there.
  bool refuse_waiting(const wire::WebSocketReader::Close& closing);
  void write(wire::WebSocketOpcode opcode, std::string_view payload, bool final = true);
  void say_close(int code, std::string_view reason);
  // end_because says goodbye and gives the peer a moment to read it.
  void end_because(int code, std::string_view reason, std::optional<Error> why);
  std::optional<wire::WebSocketMask> mask();
  void finish();

  Loop& loop_;
  std::unique_ptr<net::Pipe> pipe_;
  wire::WebSocketRole role_;
  RandomBytes random_;
  Share share_;
  Held text_;
  AskedCharges charges_;
  wire::WebSocketReader frames_;
  MessageReceiver* receiver_ = nullptr;  // Null before start() and once nothing may be called.
  std::vector<rpc::RpcId> waiting_;      // What a client has asked and is not answered.
  bool close_said_ = false;
  bool ending_ = false;  // Nothing is read any more.
  std::optional<Error> why_;
  Event ended_;
  Alarm patience_;
  Lifeline lifeline_;
};

}  // namespace plumbline::transport
