#include "core/service/chat/chat_record.h"

#include <chrono>
#include <utility>

#include "core/base/check.h"
#include "core/base/doors/wall_clock.h"
#include "core/json/archive.h"
#include "core/model/message_json.h"

namespace plumbline::service {

namespace {

constexpr std::int64_t kChatFormat = 1;

struct ChatRecordFields {
  static constexpr ChatSession::State last(ChatSession::State /*of*/) {
    return ChatSession::State::kWaiting;
  }

  static void fields(auto& archive, Some<ChatSession> auto& part) {
    archive("id", part.id);
    archive("user", part.user);
    archive("messages", part.messages);
    archive("turns", part.turns);
    archive("state", part.state);
    archive("holder", part.holder);
    archive("review", part.review);
  }
};

Duration milliseconds_in(const Json& json, std::string_view key) {
  return std::chrono::milliseconds(int_or(json, key, 0));
}

Result<Json> read_format(std::string_view text, std::string_view what) {
  Result<Json> json = parse_json(text);
  if (!json.ok()) return json;
  if (int_or(json.value(), "format", 0) == kChatFormat) return json;
  return Error{ErrorCode::kInvalidInput, "what is kept is no " + std::string(what) + " of format " +
                                             std::to_string(kChatFormat)};
}

}  // namespace

std::string_view name_of(ChatSession::State state) {
  switch (state) {
    case ChatSession::State::kIdle:
      return "idle";
    case ChatSession::State::kRunning:
      return "running";
    case ChatSession::State::kWaiting:
      return "waiting";
  }
  check(false, "unknown ChatSession::State");
  return {};
}

std::string write_chat_session(const ChatSession& session) {
  Json json = JsonWriter<ChatRecordFields>::write(session);
  json["format"] = kChatFormat;
  json["created_ms"] = milliseconds_of(session.created);
  json["updated_ms"] = milliseconds_of(session.updated);
  json["held_until_ms"] = milliseconds_of(session.held_until);
  return dump_json(json);
}

Result<ChatSession> read_chat_session(std::string_view text) {
  const Result<Json> json = read_format(text, "chat session");
  if (!json.ok()) return json.error();
  Result<ChatSession> read =
      JsonReader<ChatRecordFields>::read<ChatSession>(json.value(), "a kept chat session");
  if (!read.ok()) return read;
  read.value().created = milliseconds_in(json.value(), "created_ms");
  read.value().updated = milliseconds_in(json.value(), "updated_ms");
  read.value().held_until = milliseconds_in(json.value(), "held_until_ms");
  return read;
}

std::string write_chat_message(const ChatMessage& message) {
  Json json = model::to_json(message.message);
  json["format"] = kChatFormat;
  json["id"] = message.id;
  json["created_ms"] = milliseconds_of(message.created);
  return dump_json(json);
}

Result<ChatMessage> read_chat_message(std::string_view text) {
  const Result<Json> json = read_format(text, "chat message");
  if (!json.ok()) return json.error();
  Result<model::Message> message = model::message_of(json.value());
  if (!message.ok()) return message.error();
  return ChatMessage{string_or(json.value(), "id", ""), milliseconds_in(json.value(), "created_ms"),
                     std::move(message).value()};
}

Json shown(const ChatSession& session) {
  // A principal is "user SUB" (auth::principal_of) where the token has a subject.
  constexpr std::string_view kUser = "user ";
  const bool is_user = session.user.starts_with(kUser);
  return {{"id", session.id},
          {"userId", is_user ? session.user.substr(kUser.size()) : session.user},
          {"createdAt", rfc3339(session.created)},
          {"updatedAt", rfc3339(session.updated)},
          {"state", name_of(session.state)}};
}

Json shown(const ChatMessage& message) {
  Json out = model::to_json(message.message);
  out["id"] = message.id;
  out["createdAt"] = rfc3339(message.created);
  return out;
}

}  // namespace plumbline::service
