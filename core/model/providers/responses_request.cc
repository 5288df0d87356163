#include <utility>

#include "core/model/providers/request_parts.h"
#include "core/model/providers/responses.h"

namespace plumbline::model {

namespace {

Json input_text(std::string_view text) { return {{"type", "input_text"}, {"text", text}}; }

Json input_media(const Media& media) {
  if (is_image(media.mime_type)) {
    return {{"type", "input_image"}, {"image_url", data_url(media)}};
  }
  return {{"type", "input_file"}, {"filename", "file.pdf"}, {"file_data", data_url(media)}};
}

// input_of is a text, or a list of what there is beside it.
Json input_of(const Message& message) {
  if (message.media.empty()) return message.text;
  Json content = Json::array();
  if (!message.text.empty()) content.push_back(input_text(message.text));
  for (const Media& media : message.media) content.push_back(input_media(media));
  return content;
}

void add_items(Json& items, const Message& message) {
  switch (message.role) {
    case Role::kSystem:
      return items.push_back({{"role", "system"}, {"content", message.text}});
    case Role::kUser:
      return items.push_back({{"role", "user"}, {"content", input_of(message)}});
    case Role::kTool:
      return items.push_back({{"type", "function_call_output"},
                              {"call_id", message.tool_call_id},
                              {"output", input_of(message)}});
    case Role::kAssistant:
      break;
  }
  if (!message.text.empty()) {
    items.push_back({{"role", "assistant"}, {"content", message.text}});
  }
  for (const ToolCall& call : message.tool_calls) {
    items.push_back({{"type", "function_call"},
                     {"call_id", call.id},
                     {"name", call.name},
                     {"arguments", call.arguments}});
  }
}

Json response_tools_of(const Prompt& prompt) {
  Json tools = Json::array();
  for (const ToolOffer& offer : prompt.tools) {
    Json tool = {{"type", "function"}, {"name", offer.name}, {"parameters", offer.input_schema}};
    tool["strict"] = false;  // What the interface means by leaving it out is true.
    if (!offer.description.empty()) tool["description"] = offer.description;
    tools.push_back(std::move(tool));
  }
  return tools;
}

}  // namespace

bool Responses::takes(std::string_view mime_type) const {
  return is_image(mime_type) || mime_type == "application/pdf";
}

Asking Responses::ask(const Prompt& prompt, std::string_view model, const Account& account) const {
  Asking asking{.path = "/responses", .headers = openai_headers(account)};
  Json& body = asking.body;
  body = {{"model", model}, {"stream", true}, {"store", false}};
  body["input"] = Json::array();
  for (const Message& message : prompt.messages) add_items(body["input"], message);
  const Settings& settings = prompt.settings;
  if (!prompt.tools.empty()) {
    body["tools"] = response_tools_of(prompt);
    if (!settings.parallel_tool_calls) body["parallel_tool_calls"] = false;
  }
  if (settings.temperature) body["temperature"] = *settings.temperature;
  if (settings.output_tokens_max) body["max_output_tokens"] = *settings.output_tokens_max;
  if (settings.thinks) body["reasoning"]["effort"] = "high";
  if (settings.response_schema) {
    Json format = {{"type", "json_schema"}, {"name", "answer"}};
    format["schema"] = *settings.response_schema;
    format["strict"] = is_strict(*settings.response_schema);
    body["text"]["format"] = std::move(format);
  }
  return asking;
}

}  // namespace plumbline::model
