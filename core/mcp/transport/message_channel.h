// MessageChannel carries JSON-RPC messages, one Json value each, in order, both ways.
//
// transport::StdioChannel frames them as lines on a Pipe, the HTTP channels as bodies and events;
// fakes::value_channel passes the values as they are. What arrives comes from the loop, never from
// inside a call on the channel.

#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "core/base/result.h"
#include "core/json/json.h"
#include "core/rpc/message.h"

namespace plumbline::transport {

// A MessageReceiver may close or destroy the channel from any of its functions.
class MessageReceiver {
 public:
  // on_message hands over what arrived: any JSON value, checked by nobody yet.
  virtual void on_message(Json message) = 0;

  // on_garbage tells of bytes that are no message: not JSON, not UTF-8, too deep, too long, or cut
  // off by the end of the connection (kDisconnected). The channel goes on with the next frame.
  // `bytes` are all of them, of a frame that is too long the beginning.
  virtual void on_garbage(std::string_view bytes, const Error& error) = 0;

  // on_lost tells that the request `id`, which was sent, gets no answer any more, while the channel
  // goes on: its own HTTP exchange was refused or ended without one. kUnsupported: refused with a
  // status of 4xx and no JSON-RPC body; kDisconnected: the exchange broke off, and whether the
  // request was carried out is unknown.
  virtual void on_lost(const rpc::RpcId& /*id*/, const Error& /*error*/) {}

  // on_closed is called once, and nothing after it. `error` is nullptr for an orderly end.
  virtual void on_closed(const Error* error) = 0;

 protected:
  ~MessageReceiver() = default;
};

class MessageChannel {
 public:
  virtual ~MessageChannel() = default;

  // start names who receives, once. `receiver` must outlive the channel or its close().
  virtual void start(MessageReceiver& receiver) = 0;

  // send queues one message. What cannot be delivered any more is dropped, and on_closed tells.
  virtual void send(Json message) = 0;

  // send_about queues a message that belongs to the peer's request `about`: its progress, a log
  // line or a question on its behalf. Where each request has a stream of its own it travels there.
  virtual void send_about(Json message, const rpc::RpcId& /*about*/) { send(std::move(message)); }

  // close_stream ends the stream that will carry the answer to the peer's request `about`, if it
  // has one of its own that can be resumed: the peer comes back for the rest.
  //
  // Spec 2025-11-25, basic/transports, Sending Messages to the Server (MAY).
  virtual void close_stream(const rpc::RpcId& /*about*/) {}

  // leave_unanswered tells that the peer's request `about`, which it has taken back, gets no
  // answer. Where each request has a stream of its own, that ends.
  virtual void leave_unanswered(const rpc::RpcId& /*about*/) {}

  // close_send ends our direction after what is queued.
  virtual void close_send() = 0;

  // close drops the channel. Nothing is called any more.
  virtual void close() = 0;
};

}  // namespace plumbline::transport
