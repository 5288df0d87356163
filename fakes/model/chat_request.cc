#include "fakes/model/chat_request.h"

#include <optional>
#include <string_view>
#include <utility>

namespace plumbline::fakes {

namespace {

using model::Message;
using model::Role;

constexpr std::string_view kDataStart = "data:";
constexpr std::string_view kBase64 = ";base64,";

std::optional<Role> role_of(std::string_view name) {
  if (name == "system" || name == "developer") return Role::kSystem;
  if (name == "user") return Role::kUser;
  if (name == "assistant") return Role::kAssistant;
  if (name == "tool") return Role::kTool;
  return std::nullopt;
}

// Reader keeps the first thing that is wrong.
struct Reader {
  std::string wrong;

  void refuse(const std::string& where, std::string_view expected) {
    if (wrong.empty()) wrong = where + ": expected " + std::string(expected);
  }

  std::string text(const Json& from, const char* key, const std::string& where) {
    const Json* const value = find(from, key);
    if (value != nullptr && value->is_string()) return value->get<std::string>();
    refuse(where + "." + key, "a string");
    return {};
  }
};

// read_image takes "data:image/png;base64,..."; what is at a URL nobody looks at here.
void read_image(const Json& part, Message& message) {
  const Json* const url = at_pointer(part, "/image_url/url");
  if (url == nullptr || !url->is_string()) return;
  const std::string& all = url->get_ref<const std::string&>();
  const std::size_t data = all.find(kBase64);
  if (!all.starts_with(kDataStart) || data == all.npos) return;
  message.media.push_back(
      {all.substr(kDataStart.size(), data - kDataStart.size()), all.substr(data + kBase64.size())});
}

void read_part(Reader& reader, const Json& part, const std::string& where, Message& message) {
  const std::string type = string_or(part, "type", "");
  if (type == "text") {
    message.text += reader.text(part, "text", where);
  } else if (type == "image_url") {
    read_image(part, message);
  } else if (type == "input_audio") {
    const Json* const audio = find(part, "input_audio");
    if (audio == nullptr) return reader.refuse(where + ".input_audio", "an object");
    message.media.push_back({"audio/" + string_or(*audio, "format", "wav"),
                             reader.text(*audio, "data", where + ".input_audio")});
  } else {
    reader.refuse(where + ".type", "text, image_url or input_audio");
  }
}

void read_content(Reader& reader, const Json& item, const std::string& where, Message& message) {
  const Json* const content = find(item, "content");
  if (content == nullptr || content->is_null()) {
    if (message.role != Role::kAssistant) reader.refuse(where + ".content", "a string or parts");
  } else if (content->is_string()) {
    message.text = content->get<std::string>();
  } else if (content->is_array()) {
    for (std::size_t i = 0; i < content->size(); ++i) {
      read_part(reader, (*content)[i], where + ".content[" + std::to_string(i) + "]", message);
    }
  } else {
    reader.refuse(where + ".content", "a string or parts");
  }
}

void read_calls(Reader& reader, const Json& item, const std::string& where, Message& message) {
  const Json* const calls = find(item, "tool_calls");
  if (calls == nullptr || calls->is_null()) return;
  if (!calls->is_array()) return reader.refuse(where + ".tool_calls", "an array");
  for (std::size_t i = 0; i < calls->size(); ++i) {
    const std::string at = where + ".tool_calls[" + std::to_string(i) + "]";
    const Json& call = (*calls)[i];
    const Json* const function = find(call, "function");
    if (function == nullptr) return reader.refuse(at + ".function", "an object");
    message.tool_calls.push_back({reader.text(call, "id", at),
                                  reader.text(*function, "name", at + ".function"),
                                  reader.text(*function, "arguments", at + ".function")});
  }
}

Message read_message(Reader& reader, const Json& item, const std::string& where) {
  Message message;
  const std::optional<Role> role = role_of(string_or(item, "role", ""));
  if (!role) reader.refuse(where + ".role", "system, developer, user, assistant or tool");
  message.role = role.value_or(Role::kUser);
  read_content(reader, item, where, message);
  if (message.role == Role::kAssistant) read_calls(reader, item, where, message);
  if (message.role == Role::kTool) message.tool_call_id = reader.text(item, "tool_call_id", where);
  return message;
}

void read_tools(Reader& reader, const Json& body, model::Prompt& prompt) {
  const Json* const tools = find(body, "tools");
  if (tools == nullptr || tools->is_null()) return;
  if (!tools->is_array()) return reader.refuse("tools", "an array");
  std::vector<model::ToolOffer> offers;
  for (std::size_t i = 0; i < tools->size(); ++i) {
    const std::string where = "tools[" + std::to_string(i) + "].function";
    const Json* const function = find((*tools)[i], "function");
    if (function == nullptr) return reader.refuse(where, "an object");
    model::ToolOffer offer{reader.text(*function, "name", where),
                           string_or(*function, "description", "")};
    if (const Json* const schema = find(*function, "parameters")) offer.input_schema = *schema;
    offers.push_back(std::move(offer));
  }
  prompt.tools = model::ToolOffers(std::move(offers));
}

void read_settings(Reader& reader, const Json& body, model::Settings& settings) {
  const Json* const temperature = find(body, "temperature");
  if (temperature != nullptr && temperature->is_number()) {
    settings.temperature = temperature->get<double>();
  }
  for (const char* const key : {"max_tokens", "max_completion_tokens"}) {
    const Json* const most = find(body, key);
    if (most == nullptr || most->is_null()) continue;
    if (!most->is_number_integer()) return reader.refuse(key, "a whole number");
    settings.output_tokens_max = most->get<std::int64_t>();
  }
  if (const Json* const schema = at_pointer(body, "/response_format/json_schema/schema")) {
    settings.response_schema = *schema;
  }
  settings.parallel_tool_calls = bool_or(body, "parallel_tool_calls", true);
}

}  // namespace

Result<ChatRequest, std::string> read_chat_request(const Json& body) {
  if (!body.is_object()) return std::string("the body: expected an object");
  Reader reader;
  ChatRequest request;
  request.model = reader.text(body, "model", "the body");
  const Json* const messages = find(body, "messages");
  if (messages == nullptr || !messages->is_array() || messages->empty()) {
    reader.refuse("messages", "an array of at least one");
  } else {
    for (std::size_t i = 0; i < messages->size(); ++i) {
      request.prompt.messages.push_back(
          read_message(reader, (*messages)[i], "messages[" + std::to_string(i) + "]"));
    }
  }
  read_tools(reader, body, request.prompt);
  read_settings(reader, body, request.prompt.settings);
  request.stream = bool_or(body, "stream", false);
  const Json* const usage = at_pointer(body, "/stream_options/include_usage");
  request.wants_usage = !request.stream || (usage != nullptr && *usage == true);
  if (!reader.wrong.empty()) return std::move(reader.wrong);
  return request;
}

}  // namespace plumbline::fakes
