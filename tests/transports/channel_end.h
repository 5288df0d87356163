// ChannelEnd is one side of a conversation in a test: a channel, what it heard, and what it
// answers.

#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/check.h"
#include "core/json/json.h"
#include "core/mcp/transport/message_channel.h"

namespace plumbline::transports_test {

struct ChannelEnd final : transport::MessageReceiver {
  ChannelEnd() = default;
  explicit ChannelEnd(std::unique_ptr<transport::MessageChannel> taken) { take(std::move(taken)); }

  // take owns the channel; use does not.
  void take(std::unique_ptr<transport::MessageChannel> taken) {
    owned = std::move(taken);
    use(*owned);
  }
  void use(transport::MessageChannel& lent) {
    channel = &lent;
    channel->start(*this);
  }

  void on_message(Json message) override {
    check(!closed, "a message after the end");
    messages.push_back(message);
    if (act) act(std::move(message));
  }
  void on_garbage(std::string_view bytes, const Error&) override { garbage.emplace_back(bytes); }
  void on_lost(const rpc::RpcId& id, const Error& why) override {
    check(!closed, "a loss after the end");
    lost.emplace_back(rpc::describe(id), why);
  }
  void on_closed(const Error* why) override {
    check(!closed, "a second end");
    closed = true;
    if (why != nullptr) error = *why;
  }

  void request(const Json& id, std::string_view method, Json params = Json::object()) {
    channel->send(
        {{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", std::move(params)}});
  }
  void notify(std::string_view method, Json params = Json::object()) {
    channel->send({{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}});
  }
  void answer(const Json& id, Json result) {
    channel->send({{"jsonrpc", "2.0"}, {"id", id}, {"result", std::move(result)}});
  }

  // find_answer returns the result or error that came for `id`, nullptr for none.
  const Json* find_answer(const Json& id) const {
    for (const Json& message : messages) {
      const Json* const its_id = find(message, "id");
      if (its_id != nullptr && *its_id == id && !message.contains("method")) return &message;
    }
    return nullptr;
  }
  // find_method returns the first message that calls `method`, nullptr for none.
  const Json* find_method(std::string_view method) const {
    for (const Json& message : messages) {
      if (string_or(message, "method", "") == method) return &message;
    }
    return nullptr;
  }

  std::vector<Json> messages;
  std::vector<std::string> garbage;
  std::vector<std::pair<std::string, Error>> lost;
  bool closed = false;
  std::optional<Error> error;
  std::function<void(Json)> act;  // On each message.
  transport::MessageChannel* channel = nullptr;
  std::unique_ptr<transport::MessageChannel> owned;
};

}  // namespace plumbline::transports_test
