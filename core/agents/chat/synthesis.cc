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
  std::string last_tool;  // "server/tool".
};

Work work_of(const ChatState& state) {
  Work out;
  for (auto at = static_cast<std::size_t>(state.turn_begins); at < state.messages.size(); ++at) {
    for (const model::ToolCall& call : state.messages[at].tool_calls) {
      ++out.calls;
      const Offer* const offer = state.offer(call.name);
      if (offer == nullptr) continue;
      out.last_tool = offer->server.empty() ? offer->tool : offer->server + "/" + offer->tool;
    }
  }
  return out;
}

// last_words returns what the model said last in this turn.
std::string last_words(const ChatState& state) {
  const model::Message& last = state.messages.back();
  return last.role == model::Role::kAssistant ? last.text : "";
}

std::string response_of(const ChatState& state) {
  if (state.error) return "The model could not answer: " + *state.error;
  std::string words = last_words(state);
  if (!words.empty()) return words;
  if (!state.errors.empty()) return "There is no answer: " + state.errors.back() + ".";
  return "The model gave no answer.";
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
  out["selected_capability"] = work.last_tool.empty() ? Json(nullptr) : Json(work.last_tool);
  // What is not from the model is said in its place: a conversation ends with an answer.
  if (out["response"] != last_words(state)) {
    update.messages.push_back(
        {.role = model::Role::kAssistant, .text = string_or(out, "response", "")});
  }
  update.final_output = std::move(out);
  co_return update;
}

}  // namespace plumbline::agents::chat
