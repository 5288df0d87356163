#include "core/model/providers/request_parts.h"

#include <algorithm>
#include <utility>

namespace plumbline::model {

bool is_image(std::string_view mime_type) { return mime_type.starts_with("image/"); }

std::string_view audio_format(std::string_view mime_type) {
  if (mime_type == "audio/wav" || mime_type == "audio/x-wav" || mime_type == "audio/wave") {
    return "wav";
  }
  if (mime_type == "audio/mpeg" || mime_type == "audio/mp3") return "mp3";
  return {};
}

std::string data_url(const Media& media) {
  return "data:" + media.mime_type + ";base64," + media.data_base64;
}

bool is_strict(const Json& schema) {
  if (schema.is_array()) return std::ranges::all_of(schema, is_strict);
  if (!schema.is_object()) return true;
  const Json* const properties = find(schema, "properties");
  if (properties != nullptr || string_or(schema, "type", "") == "object") {
    if (bool_or(schema, "additionalProperties", true)) return false;
    const Json* const required = find(schema, "required");
    const std::size_t all = properties == nullptr ? 0 : properties->size();
    if (all > 0 && (required == nullptr || required->size() < all)) return false;
  }
  return std::ranges::all_of(schema, is_strict);
}

wire::HttpHeaders openai_headers(const Account& account) {
  wire::HttpHeaders headers;
  if (!account.key.empty()) headers.set("Authorization", "Bearer " + account.key);
  if (!account.organization.empty()) headers.set("OpenAI-Organization", account.organization);
  if (!account.project.empty()) headers.set("OpenAI-Project", account.project);
  return headers;
}

Json function_tools_of(const Prompt& prompt) {
  Json tools = Json::array();
  for (const ToolOffer& offer : prompt.tools) {
    Json function = {{"name", offer.name}, {"parameters", offer.input_schema}};
    if (!offer.description.empty()) function["description"] = offer.description;
    tools.push_back({{"type", "function"}, {"function", std::move(function)}});
  }
  return tools;
}

Json arguments_as_object(const std::string& arguments) {
  Result<Json> read = parse_json(arguments);
  if (read.ok() && read.value().is_object()) return std::move(read).value();
  return {{"arguments_text", arguments}};
}

}  // namespace plumbline::model
