#include "scenarios/judge/model_watch.h"

#include <algorithm>
#include <map>
#include <utility>

namespace plumbline::scenarios {

namespace {

// What users say is told apart only where it is long enough to be nobody else's words.
constexpr std::size_t kTellingBytesMin = 8;

// Spoken is one message, wherever it was read.
struct Spoken {
  std::string role;
  std::string answers;             // The call that it answers.
  std::vector<std::string> calls;  // Ids.
};

// fault_in returns what is wrong with a conversation, empty when nothing is: an answer behind its
// call and before anybody else speaks, each call once.
std::string fault_in(const std::vector<Spoken>& all) {
  std::map<std::string, int> answers;
  std::size_t open = 0;
  for (std::size_t at = 0; at < all.size(); ++at) {
    const Spoken& one = all[at];
    if (one.role == "system" && at > 0) return "the system speaks in the middle";
    if (one.role == "tool") {
      const auto call = answers.find(one.answers);
      if (call == answers.end()) return "an answer to no call: " + one.answers;
      if (++call->second > 1) return "the call " + one.answers + " is answered twice";
      --open;
      continue;
    }
    if (open > 0) return "a call is not answered before the next message";
    for (const std::string& id : one.calls) {
      if (!answers.emplace(id, 0).second) return "two calls have the id " + id;
    }
    open = one.calls.size();
  }
  return open > 0 ? "a call is not answered" : "";
}

std::vector<Spoken> spoken_in(const model::Prompt& prompt) {
  std::vector<Spoken> out;
  for (const model::Message& message : prompt.messages) {
    Spoken one{"", message.tool_call_id, {}};
    if (message.role == model::Role::kSystem) one.role = "system";
    if (message.role == model::Role::kTool) one.role = "tool";
    for (const model::ToolCall& call : message.tool_calls) one.calls.push_back(call.id);
    out.push_back(std::move(one));
  }
  return out;
}

std::vector<Spoken> spoken_in(const Json& messages) {
  std::vector<Spoken> out;
  for (const Json& message : messages) {
    Spoken one{string_or(message, "role", ""), string_or(message, "toolCallId", ""), {}};
    if (const Json* const calls = find(message, "toolCalls")) {
      for (const Json& call : *calls) one.calls.push_back(string_or(call, "id", ""));
    }
    out.push_back(std::move(one));
  }
  return out;
}

}  // namespace

void ModelWatch::request_begins(std::string said) {
  said_ = std::move(said);
  prompts_ = 0;
  lives_ = 1;
}

void ModelWatch::request_ends(const Json& state) {
  const Json* const messages = find(state, "messages");
  if (messages == nullptr || !messages->is_array()) return;
  const std::string fault = fault_in(spoken_in(*messages));
  if (!fault.empty()) fail(kHistory, "the conversation at the end: " + fault);
}

void ModelWatch::on_prompt(const model::Prompt& prompt) {
  const std::string fault = fault_in(spoken_in(prompt));
  if (!fault.empty()) fail(kHistory, "a prompt: " + fault);
  if (++prompts_ > answers_max_ * kTriesMax * lives_) {
    fail(kRounds, "the model was asked " + std::to_string(prompts_) + " times in one request");
  }
  for (const std::string& other : inputs_) {
    if (other == said_ || other.size() < kTellingBytesMin) continue;
    const bool heard = std::ranges::any_of(prompt.messages, [&other](const auto& message) {
      return message.role == model::Role::kUser && message.text == other;
    });
    if (heard) fail(kPrivacy, "the model hears in one conversation what another user has said");
  }
}

void ModelWatch::fail(std::string_view id, std::string message) {
  if (std::ranges::find(failures_, id, &RunFailure::check) != failures_.end()) return;
  failures_.push_back({std::string(id), std::move(message)});
}

}  // namespace plumbline::scenarios
