// What a turn of the chat agent comes to.

#include <algorithm>
#include <string>
#include <utility>

#include "core/agents/chat/chat_nodes.h"

namespace plumbline::agents::chat {

namespace {

// Work is what this turn has done beside talking.
struct Work {
  std::int64_t calls = 0;
  Json last_tool = nullptr;  // The last one of a server.
};

Work work_of(const ChatState& state) {
  Work out;
  for (auto at = static_cast<std::size_t>(state.turn_begins); at < state.messages.size(); ++at) {
    for (const model::ToolCall& call : state.messages[at].tool_calls) {
      ++out.calls;
      const Offer* const offer = state.offer(call.name);
      if (offer == nullptr || offer->server.empty()) continue;
      out.last_tool = {{"type", "tool"}, {"server", offer->server}, {"name", offer->tool}};
    }
  }
  return out;
}

// last_words returns what the model said last in this turn.
std::string last_words(const ChatState& state) {
  const model::Message& last = state.messages.back();
  return last.role == model::Role::kAssistant ? last.text : "";
}

std::string answer_in(const ChatState& state) {
  if (state.error) return "The model could not answer: " + *state.error;
  std::string words = last_words(state);
  if (!words.empty()) return words;
  if (!state.errors.empty()) return "There is no answer: " + state.errors.back() + ".";
  return "The model gave no answer.";
}

// response_of adds to the answer what the model may have kept back.
std::string response_of(const ChatState& state) {
  std::string response = answer_in(state);
  for (const std::string& label : state.in_doubt) {
    response += "\n\nIt is not known whether " + label + " took effect.";
  }
  return response;
}

}  // namespace

Task<ChatResult> synthesis_node(ChatContext& context) {
  const ChatState& state = context.state();
  const Work work = work_of(state);
  Json out = Json::object();
  out["status"] = state.error ? "failed" : work.calls == 0 ? "answered_without_mcp" : "ok";
  out["response"] = response_of(state);
  ChatState::Update update;
  Json errors = state.errors;
  if (state.error) {
    errors.push_back(*state.error);
    update.errors.push_back(*state.error);
  }
  out["errors"] = std::move(errors);
  out["selected_capability"] = work.last_tool;
  if (!state.in_doubt.empty()) out["outcome"] = "unknown";
  // What is not from the model is said as well: a conversation ends with the answer.
  const std::string response = string_or(out, "response", "");
  const std::string words = last_words(state);
  if (response != words) {
    const std::size_t said = words.empty() ? 0 : words.size() + std::string_view("\n\n").size();
    update.messages.push_back({.role = model::Role::kAssistant, .text = response.substr(said)});
  }
  update.final_output = std::move(out);
  co_return update;
}

}  // namespace plumbline::agents::chat
