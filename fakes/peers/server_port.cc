#include "fakes/peers/server_port.h"

#include <optional>
#include <utility>

#include "core/mcp/transport/stdio_channel.h"
#include "fakes/world/sim_pipe.h"
#include "fakes/world/value_channel.h"

namespace plumbline::fakes {

namespace {

class PipePort final : public ServerPort {
 public:
  explicit PipePort(net::Pipe& pipe)
      : pipe_(pipe), breakable_(dynamic_cast<SimPipe*>(&pipe)), channel_(pipe) {}

  void start(transport::MessageReceiver& receiver) override { channel_.start(receiver); }
  void send(Json message) override { channel_.send(std::move(message)); }
  void send_about(Json message, const Json& /*about*/) override { send(std::move(message)); }
  void send_raw(std::string text) override { pipe_.write(std::move(text)); }
  void close_send() override { channel_.close_send(); }
  void reset() override {
    if (breakable_ != nullptr) return breakable_->reset();
    channel_.close();
  }

 private:
  net::Pipe& pipe_;
  SimPipe* breakable_;  // Null on a real stream.
  transport::StdioChannel channel_;
};

class ChannelPort final : public ServerPort {
 public:
  explicit ChannelPort(transport::MessageChannel& channel)
      : channel_(channel), raw_(dynamic_cast<RawSender*>(&channel)) {}
  ~ChannelPort() override { channel_.close(); }

  void start(transport::MessageReceiver& receiver) override { channel_.start(receiver); }
  void send(Json message) override { channel_.send(std::move(message)); }
  void send_about(Json message, const Json& about) override {
    const std::optional<rpc::RpcId> id = rpc::read_id(about);
    if (!id) return channel_.send(std::move(message));
    channel_.send_about(std::move(message), *id);
  }
  void send_raw(std::string text) override {
    if (raw_ != nullptr) return raw_->send_raw(std::move(text));
    Result<Json> message = parse_json(text);
    if (message.ok()) channel_.send(std::move(message).value());
  }
  void close_send() override { channel_.close_send(); }
  void reset() override {
    if (raw_ != nullptr) return raw_->reset();
    channel_.close();
  }

 private:
  transport::MessageChannel& channel_;
  RawSender* raw_;  // Null when the channel sends only messages.
};

}  // namespace

std::unique_ptr<ServerPort> make_server_port(net::Pipe& pipe) {
  return std::make_unique<PipePort>(pipe);
}

std::unique_ptr<ServerPort> make_server_port(transport::MessageChannel& channel) {
  return std::make_unique<ChannelPort>(channel);
}

}  // namespace plumbline::fakes
