// ChannelLog is a MessageReceiver for tests: it keeps what it hears.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/check.h"
#include "core/mcp/transport/message_channel.h"

namespace plumbline::fakes {

struct ChannelLog final : transport::MessageReceiver {
  void on_message(Json message) override {
    check(!closed, "a message after the end");
    messages.push_back(std::move(message));
  }
  void on_garbage(std::string_view bytes, const Error& why) override {
    check(!closed, "garbage after the end");
    garbage.emplace_back(bytes);
    garbage_errors.push_back(why);
  }
  void on_closed(const Error* why) override {
    check(!closed, "a second end");
    closed = true;
    if (why != nullptr) error = *why;
  }

  std::vector<Json> messages;
  std::vector<std::string> garbage;
  std::vector<Error> garbage_errors;
  bool closed = false;
  std::optional<Error> error;
};

}  // namespace plumbline::fakes
