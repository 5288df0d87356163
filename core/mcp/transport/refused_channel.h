// RefusedChannel stands where a channel would, had the server not refused to open it: each request
// is refused with the answer that the opening got. So a status means the same on every transport.

#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/base/lifeline.h"
#include "core/base/loop.h"
#include "core/mcp/transport/connection.h"
#include "core/mcp/transport/message_channel.h"
#include "core/wire/http.h"

namespace plumbline::transport {

class RefusedChannel final : public MessageChannel {
 public:
  // `where` is that of tell_refusal. `loop` must outlive the channel.
  RefusedChannel(Loop& loop, wire::HttpResponse refusal, std::string where = "")
      : loop_(loop),
        refusal_(std::move(refusal)),
        where_(std::move(where)),
        turn_([this] { answer(); }) {}

  // implements MessageChannel ---
  void start(MessageReceiver& receiver) override { receiver_ = &receiver; }
  void send(Json message) override;
  void close_send() override;
  void close() override;

 private:
  void answer();

  Loop& loop_;
  wire::HttpResponse refusal_;
  std::string where_;
  MessageReceiver* receiver_ = nullptr;  // Null before start() and once nothing may be called.
  std::vector<rpc::RpcId> waiting_;
  bool closing_ = false;
  Alarm turn_;
  Lifeline lifeline_;
};

// RefusedConnection holds one.
class RefusedConnection final : public Connection {
 public:
  RefusedConnection(Loop& loop, wire::HttpResponse refusal, Place place, std::string where = "")
      : place_(std::move(place)), channel_(loop, std::move(refusal), std::move(where)) {}

  // implements Connection ---
  Place place() const override { return place_; }
  MessageChannel& channel() override { return channel_; }
  std::string diagnosis() const override { return ""; }
  Task<void> close() override;

 private:
  Place place_;
  RefusedChannel channel_;
};

}  // namespace plumbline::transport
