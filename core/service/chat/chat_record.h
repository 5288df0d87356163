// What is kept of a chat: its session, and its messages one by one.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/base/time.h"
#include "core/json/json.h"
#include "core/model/model.h"

namespace plumbline::service {

// ChatSession is a conversation of one user. Turns follow one another: each begins with a message
// of the user, and ends with one of the assistant.
struct ChatSession {
  enum class State {
    kIdle,     // The next turn may begin.
    kRunning,  // `holder` works on a turn, until `held_until` unless it says more.
    kWaiting,  // The turn waits for a person's answer to `review`.
  };

  std::string id;
  std::string user;    // The principal whose it is.
  Duration created{};  // Since 1970, as all times here.
  Duration updated{};
  std::int64_t messages = 0;  // Kept so far.
  std::int64_t turns = 0;     // Begun so far.
  State state = State::kIdle;
  std::string holder;
  Duration held_until{};
  Json review = nullptr;     // Of kWaiting.
  std::int64_t version = 0;  // In the store.

  // thread names the checkpoints of the turn that was begun last.
  std::string thread() const { return "chat-" + id + "-" + std::to_string(turns); }
};

// name_of returns "idle", "running" or "waiting".
std::string_view name_of(ChatSession::State state);

// ChatMessage is one message of it.
struct ChatMessage {
  std::string id;
  Duration created{};
  model::Message message;
};

// write and read are the two ways between a record and its text. kInvalidInput: it is none.
std::string write_chat_session(const ChatSession& session);
Result<ChatSession> read_chat_session(std::string_view text);
std::string write_chat_message(const ChatMessage& message);
Result<ChatMessage> read_chat_message(std::string_view text);

// shown returns what the API tells: {"id", "userId" (the subject of a token), "createdAt",
// "updatedAt", "state"}, and
// {"id", "role", "content", "createdAt", ...} with what model::to_json tells beside.
Json shown(const ChatSession& session);
Json shown(const ChatMessage& message);

}  // namespace plumbline::service
