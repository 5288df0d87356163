#include <utility>

#include "core/model/providers/chat_completions.h"
#include "core/model/providers/request_parts.h"

namespace plumbline::model {

namespace {

Json text_part(std::string_view text) { return {{"type", "text"}, {"text", text}}; }

Json media_part(const Media& media) {
  if (is_image(media.mime_type)) {
    return {{"type", "image_url"}, {"image_url", {{"url", data_url(media)}}}};
  }
  return {
      {"type", "input_audio"},
      {"input_audio", {{"data", media.data_base64}, {"format", audio_format(media.mime_type)}}}};
}

Json content_of(const Message& message) {
  if (message.media.empty()) return message.text;
  Json parts = Json::array();
  if (!message.text.empty()) parts.push_back(text_part(message.text));
  for (const Media& media : message.media) parts.push_back(media_part(media));
  return parts;
}

Json assistant_message(const Message& message) {
  Json out = {{"role", "assistant"}, {"content", message.text}};
  if (message.tool_calls.empty()) return out;
  if (message.text.empty()) out["content"] = nullptr;
  for (const ToolCall& call : message.tool_calls) {
    Json one = {{"id", call.id}, {"type", "function"}};
    one["function"] = {{"name", call.name}, {"arguments", call.arguments}};
    out["tool_calls"].push_back(std::move(one));
  }
  return out;
}

// ChatMessages writes the conversation. What tools show waits until the last of their results.
class ChatMessages {
 public:
  void add(const Message& message) {
    if (message.role != Role::kTool) show();
    switch (message.role) {
      case Role::kSystem:
        return out_.push_back({{"role", "system"}, {"content", message.text}});
      case Role::kUser:
        return out_.push_back({{"role", "user"}, {"content", content_of(message)}});
      case Role::kAssistant:
        return out_.push_back(assistant_message(message));
      case Role::kTool:
        out_.push_back(
            {{"role", "tool"}, {"tool_call_id", message.tool_call_id}, {"content", message.text}});
        if (message.media.empty()) return;
        shown_.push_back(text_part("What the call " + message.tool_call_id + " returned:"));
        for (const Media& media : message.media) shown_.push_back(media_part(media));
    }
  }

  Json take() {
    show();
    return std::move(out_);
  }

 private:
  void show() {
    if (shown_.empty()) return;
    out_.push_back({{"role", "user"}, {"content", std::exchange(shown_, Json::array())}});
  }

  Json out_ = Json::array();
  Json shown_ = Json::array();
};

void add_settings(const Settings& settings, Json& body) {
  if (settings.temperature) body["temperature"] = *settings.temperature;
  if (settings.output_tokens_max) body["max_completion_tokens"] = *settings.output_tokens_max;
  if (settings.thinks) body["reasoning_effort"] = "high";
  if (!settings.response_schema) return;
  const Json& schema = *settings.response_schema;
  Json format = {{"name", "answer"}, {"schema", schema}, {"strict", is_strict(schema)}};
  body["response_format"] = {{"type", "json_schema"}, {"json_schema", std::move(format)}};
}

}  // namespace

bool ChatCompletions::takes(std::string_view mime_type) const {
  return is_image(mime_type) || !audio_format(mime_type).empty();
}

Asking ChatCompletions::ask(const Prompt& prompt, std::string_view model,
                            const Account& account) const {
  Asking asking{.path = "/chat/completions", .headers = openai_headers(account)};
  ChatMessages messages;
  for (const Message& message : prompt.messages) messages.add(message);
  asking.body = {{"model", model}, {"stream", true}};
  asking.body["stream_options"] = {{"include_usage", true}};
  asking.body["messages"] = messages.take();
  if (!prompt.tools.empty()) {
    asking.body["tools"] = function_tools_of(prompt);
    // Not every provider knows the member, and true is what it means where it is missing.
    if (!prompt.settings.parallel_tool_calls) asking.body["parallel_tool_calls"] = false;
  }
  add_settings(prompt.settings, asking.body);
  return asking;
}

}  // namespace plumbline::model
