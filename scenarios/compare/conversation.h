// Conversation is one session as a client saw it: what it asked and what was answered, and what the
// server said of its own accord.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/json/json.h"
#include "scenarios/record/recording.h"

namespace plumbline::scenarios {

struct Conversation {
  struct Exchange {
    Json request;
    Json answer{};      // The whole response; null: none came.
    std::string why{};  // None did.
  };

  std::vector<Exchange> exchanges;
  std::vector<Json> said;  // Requests and notifications of the server.
};

// conversation_of returns what a recording has.
Conversation conversation_of(const RecordedSession& session);

// target_of names what a request is about: "tools/call/echo", "resources/read/file:///a", "ping".
std::string target_of(const Json& request);

}  // namespace plumbline::scenarios
