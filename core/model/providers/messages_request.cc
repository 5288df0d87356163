#include <utility>

#include "core/model/providers/messages.h"
#include "core/model/providers/request_parts.h"

namespace plumbline::model {

namespace {

constexpr std::int64_t kThinkingTokensMin = 1'024;  // As the interface wants it.
constexpr std::int64_t kAnswerTokensMax = 4'096;    // Where nobody says how long it may be.

Json text_block(std::string_view text) { return {{"type", "text"}, {"text", text}}; }

Json media_block(const Media& media) {
  Json source = {{"type", "base64"}, {"media_type", media.mime_type}, {"data", media.data_base64}};
  const char* const type = is_image(media.mime_type) ? "image" : "document";
  return {{"type", type}, {"source", std::move(source)}};
}

void add_blocks(Json& blocks, const Message& message) {
  if (!message.text.empty()) blocks.push_back(text_block(message.text));
  for (const Media& media : message.media) blocks.push_back(media_block(media));
}

Json call_block(const ToolCall& call) {
  return {{"type", "tool_use"},
          {"id", call.id},
          {"name", call.name},
          {"input", arguments_as_object(call.arguments)}};
}

Json result_block(const Message& message) {
  Json block = {{"type", "tool_result"}, {"tool_use_id", message.tool_call_id}};
  Json content = Json::array();
  add_blocks(content, message);
  if (!content.empty()) block["content"] = std::move(content);
  if (message.is_error) block["is_error"] = true;
  return block;
}

// Turns writes the conversation as the interface has it: the user and the assistant in turns. What
// tools return is said by the user.
class Turns {
 public:
  void add(const Message& message) {
    if (message.role == Role::kSystem) {
      if (!system_.empty() && !message.text.empty()) system_ += "\n\n";
      system_ += message.text;
      return;
    }
    Json blocks = Json::array();
    if (message.role == Role::kTool) {
      blocks.push_back(result_block(message));
    } else {
      add_blocks(blocks, message);
    }
    for (const ToolCall& call : message.tool_calls) blocks.push_back(call_block(call));
    say(message.role == Role::kAssistant ? "assistant" : "user", std::move(blocks));
  }

  void put_into(Json& body) {
    if (!system_.empty()) body["system"] = system_;
    body["messages"] = std::move(turns_);
  }

 private:
  void say(const char* role, Json blocks) {
    if (blocks.empty()) return;
    if (turns_.empty() || turns_.back()["role"] != role) {
      turns_.push_back({{"role", role}, {"content", Json::array()}});
    }
    for (Json& block : blocks) turns_.back()["content"].push_back(std::move(block));
  }

  std::string system_;
  Json turns_ = Json::array();
};

Json message_tools_of(const Prompt& prompt) {
  Json tools = Json::array();
  for (const ToolOffer& offer : prompt.tools) {
    Json tool = {{"name", offer.name}, {"input_schema", offer.input_schema}};
    if (tool["input_schema"].is_object()) tool["input_schema"].emplace("type", "object");
    if (!offer.description.empty()) tool["description"] = offer.description;
    tools.push_back(std::move(tool));
  }
  return tools;
}

// add_thinking asks for it where that goes without the provider's signed thoughts, which are not
// kept: not with tools, and only in an answer that has room for the least of it. Returns whether it
// did; then the interface takes no temperature.
bool add_thinking(const Prompt& prompt, Json& body) {
  const std::int64_t tokens = body["max_tokens"].get<std::int64_t>() / 2;
  if (!prompt.settings.thinks || !prompt.tools.empty() || tokens < kThinkingTokensMin) return false;
  body["thinking"] = {{"type", "enabled"}, {"budget_tokens", tokens}};
  return true;
}

}  // namespace

bool Messages::takes(std::string_view mime_type) const {
  return is_image(mime_type) || mime_type == "application/pdf";
}

Asking Messages::ask(const Prompt& prompt, std::string_view model, const Account& account) const {
  Asking asking{.path = "/messages"};
  if (!account.key.empty()) asking.headers.set("x-api-key", account.key);
  asking.headers.set("anthropic-version", "2023-06-01");
  Json& body = asking.body;
  body = {{"model", model}, {"stream", true}};
  body["max_tokens"] = prompt.settings.output_tokens_max.value_or(kAnswerTokensMax);
  Turns turns;
  for (const Message& message : prompt.messages) turns.add(message);
  turns.put_into(body);
  if (!prompt.tools.empty()) {
    body["tools"] = message_tools_of(prompt);
    if (!prompt.settings.parallel_tool_calls) {
      body["tool_choice"] = {{"type", "auto"}, {"disable_parallel_tool_use", true}};
    }
  }
  if (!add_thinking(prompt, body) && prompt.settings.temperature) {
    body["temperature"] = *prompt.settings.temperature;
  }
  if (prompt.settings.response_schema) {
    Json format = {{"type", "json_schema"}, {"schema", *prompt.settings.response_schema}};
    body["output_config"]["format"] = std::move(format);
  }
  return asking;
}

}  // namespace plumbline::model
