#include "core/model/conversation.h"

#include <set>

namespace plumbline::model {

namespace {

// ConversationReader walks through a conversation and remembers which calls wait for their answers.
class ConversationReader {
 public:
  std::optional<std::string> read(const Message& message) {
    if (message.role == Role::kTool) return answer(message);
    if (!waiting_.empty()) return unanswered();
    if (message.role != Role::kAssistant && !message.tool_calls.empty()) {
      return "calls of tools in a message that is not the assistant's";
    }
    if (message.role == Role::kSystem && begun_) return "a system message behind others";
    begun_ = begun_ || message.role != Role::kSystem;
    for (const ToolCall& call : message.tool_calls) {
      if (call.id.empty()) return "a call of \"" + call.name + "\" without an id";
      if (!ids_.insert(call.id).second) return "two calls have the id \"" + call.id + "\"";
      waiting_.insert(call.id);
    }
    return std::nullopt;
  }

  std::optional<std::string> unanswered() const {
    return "the call \"" + *waiting_.begin() + "\" has no answer behind it";
  }

  bool waits() const { return !waiting_.empty(); }

 private:
  std::optional<std::string> answer(const Message& message) {
    if (waiting_.erase(message.tool_call_id) == 1) return std::nullopt;
    return (ids_.contains(message.tool_call_id) ? "a second answer to the call \""
                                                : "an answer to no call: \"") +
           message.tool_call_id + "\"";
  }

  bool begun_ = false;  // By a message that is not the system's.
  std::set<std::string> ids_;
  std::set<std::string> waiting_;
};

}  // namespace

std::optional<std::string> fault_of(const std::vector<Message>& messages) {
  ConversationReader reader;
  for (const Message& message : messages) {
    if (std::optional<std::string> fault = reader.read(message)) return fault;
  }
  return reader.waits() ? reader.unanswered() : std::nullopt;
}

}  // namespace plumbline::model
