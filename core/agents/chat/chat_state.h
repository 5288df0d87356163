// ChatState is what the chat agent knows in one turn: the conversation so far, the servers that its
// user has linked, and what the model wants to be done.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/agents/policy/policy.h"
#include "core/base/result.h"
#include "core/json/json.h"
#include "core/model/model.h"

namespace plumbline::agents::chat {

// ServerLink is an MCP server that a user has taken among his own.
struct ServerLink {
  std::string id;
  std::string server_id;  // In the directory.
  bool enabled = true;
  Json config = nullptr;  // What the user has said for it; null: nothing.
  Json server = nullptr;  // What the directory says of it: {"id", "name", "description", ...}.
};

Json to_json(const ServerLink& link);
Result<ServerLink> server_link_of(const Json& json);

// Offer is a tool as it was put before the model, and what stands behind the name.
struct Offer {
  std::string name;
  std::string server;  // Empty: one of our own, on the directory.
  std::string tool;
  bool as_task = false;
  Assessment assessment;
};

// Sampling is what the server of a call has asked of the model, for which the call is made again.
struct Sampling {
  std::string call;  // Its id.
  Json params;       // Of sampling/createMessage.
};

struct ChatState {
  struct Update;

  model::Message input;                  // What this turn begins with.
  std::vector<model::Message> messages;  // With those of the turns before.
  std::vector<ServerLink> mcp_links;
  std::optional<std::string> next_step;  // The node that planning leads to.
  std::optional<std::string> error;      // Why the turn has failed.
  std::vector<Offer> offers;             // Of the model's last answer.
  std::int64_t turn_begins = 0;          // Where in `messages`, with the system's in front.
  std::int64_t rounds = 0;               // Answers of the model in this turn.
  model::Usage usage;                    // Of all of them.
  std::vector<std::string> errors;       // What went wrong on the way.
  std::vector<std::string> in_doubt;     // Calls ("server/tool") that may have taken effect.
  std::vector<Sampling> samplings;       // Of the calls of the model's last answer, oldest first.
  Json final_output;                     // null until synthesis.

  // apply is the reducer: messages, errors, in_doubt and samplings are appended, usage and rounds
  // are added up, every other field is replaced when named.
  void apply(Update&& update);

  static constexpr std::int64_t kVersion = 2;
  Json to_json() const;
  static Result<ChatState> from_json(const Json& saved);

  // open_calls returns the calls of the model's last message that have no answer yet, in order.
  // They live as long as the state stays as it is.
  std::vector<const model::ToolCall*> open_calls() const;

  // samplings_of returns what the server of a call has asked so far, oldest first. They live as
  // long as the state stays as it is.
  std::vector<const Sampling*> samplings_of(const std::string& call) const;

  // offer returns the tool that the model was offered under that name; nullptr: none.
  const Offer* offer(const std::string& name) const;
};

struct ChatState::Update {
  std::optional<std::string> system;  // The system's message, in front of all others.
  std::vector<model::Message> messages;
  std::optional<std::vector<ServerLink>> mcp_links;
  std::optional<std::optional<std::string>> next_step;
  std::optional<std::string> error;
  std::optional<std::vector<Offer>> offers;
  std::int64_t rounds = 0;
  model::Usage usage;
  std::vector<std::string> errors;
  std::vector<std::string> in_doubt;
  std::vector<Sampling> samplings;
  std::optional<std::string> answer;  // What the turn's last message, the assistant's, says.
  std::optional<Json> final_output;

  Json to_json() const;
  static Result<Update> from_json(const Json& saved);
};

}  // namespace plumbline::agents::chat
