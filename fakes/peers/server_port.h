// ServerPort is how a scripted server speaks: over bytes, where it can say anything, or over
// values.

#pragma once

#include <memory>
#include <string>

#include "core/json/json.h"
#include "core/mcp/transport/message_channel.h"
#include "core/net/pipe.h"

namespace plumbline::fakes {

class ServerPort {
 public:
  virtual ~ServerPort() = default;

  // start names who receives, once.
  virtual void start(transport::MessageReceiver& receiver) = 0;

  // send sends one message, well formed or not.
  virtual void send(Json message) = 0;

  // send_about sends a message on the stream that carries the answer to request `about`, where the
  // transport has one for each.
  virtual void send_about(Json message, const Json& about) = 0;

  // send_raw sends text as it is. A channel that is no RawSender sends it if it is one JSON value,
  // and drops it otherwise.
  virtual void send_raw(std::string text) = 0;

  // close_send ends our direction. reset breaks both; on a real stream it closes it.
  virtual void close_send() = 0;
  virtual void reset() = 0;
};

// make_server_port speaks newline-delimited JSON over `pipe`, which must outlive the port.
std::unique_ptr<ServerPort> make_server_port(net::Pipe& pipe);

// make_server_port speaks over `channel`, which must outlive the port.
std::unique_ptr<ServerPort> make_server_port(transport::MessageChannel& channel);

}  // namespace plumbline::fakes
