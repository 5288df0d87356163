#include "fakes/peers/server_ear.h"

#include <string>
#include <utility>

namespace plumbline::fakes {

namespace {

class ToldPort final : public ServerPort, private transport::MessageReceiver {
 public:
  ToldPort(std::unique_ptr<ServerPort> port, ServerEar& ear)
      : port_(std::move(port)), ear_(ear), connection_(ear.connected()) {}

  // implements ServerPort ---
  void start(transport::MessageReceiver& receiver) override {
    receiver_ = &receiver;
    port_->start(*this);
  }
  void send(Json message) override {
    ear_.said(connection_, message);
    port_->send(std::move(message));
  }
  void send_about(Json message, const Json& about) override {
    ear_.said(connection_, message);
    port_->send_about(std::move(message), about);
  }
  void send_raw(std::string text) override {
    ear_.said_raw(connection_, text);
    port_->send_raw(std::move(text));
  }
  void close_send() override { port_->close_send(); }
  void reset() override { port_->reset(); }

 private:
  // implements transport::MessageReceiver ---
  void on_message(Json message) override {
    ear_.heard(connection_, message);
    receiver_->on_message(std::move(message));
  }
  void on_garbage(std::string_view bytes, const Error& error) override {
    ear_.heard_garbage(connection_, bytes);
    receiver_->on_garbage(bytes, error);
  }
  void on_lost(const rpc::RpcId& id, const Error& error) override { receiver_->on_lost(id, error); }
  void on_closed(const Error* error) override {
    ear_.client_left(connection_);
    receiver_->on_closed(error);
  }

  std::unique_ptr<ServerPort> port_;
  ServerEar& ear_;
  std::int64_t connection_;
  transport::MessageReceiver* receiver_ = nullptr;
};

}  // namespace

std::unique_ptr<ServerPort> make_told_port(std::unique_ptr<ServerPort> port, ServerEar& ear) {
  return std::make_unique<ToldPort>(std::move(port), ear);
}

}  // namespace plumbline::fakes
