#include "reference/contents.h"

#include <utility>

#include "core/base/check.h"
#include "core/base/result.h"

namespace plumbline::reference {

Json document(std::string_view text) {
  Result<Json> parsed = parse_json(text);
  check(parsed.ok(), "a document in the source is no JSON");
  return std::move(parsed).value();
}

Json text_block(std::string text) {
  Json block(Json::value_t::object);
  block["type"] = "text";
  block["text"] = std::move(text);
  return block;
}

Json image_block() {
  Json block(Json::value_t::object);
  block["type"] = "image";
  block["data"] = kRedPixel;
  block["mimeType"] = "image/png";
  return block;
}

Json audio_block() {
  Json block(Json::value_t::object);
  block["type"] = "audio";
  block["data"] = kSilence;
  block["mimeType"] = "audio/wav";
  return block;
}

Json resource_block(std::string uri, std::string mime_type, std::string text) {
  Json block(Json::value_t::object);
  block["type"] = "resource";
  Json& resource = block["resource"];
  resource["uri"] = std::move(uri);
  resource["mimeType"] = std::move(mime_type);
  resource["text"] = std::move(text);
  return block;
}

Json result_of(Json block) {
  Json result(Json::value_t::object);
  result["content"] = Json::array();
  result["content"].push_back(std::move(block));
  return result;
}

Json text_result(std::string text) { return result_of(text_block(std::move(text))); }

Json plain_tool(std::string name, std::string description) {
  Json tool = document(R"json({"inputSchema": {"type": "object", "properties": {}}})json");
  tool["name"] = std::move(name);
  tool["description"] = std::move(description);
  return tool;
}

Json user_message(Json block) {
  Json message(Json::value_t::object);
  message["role"] = "user";
  message["content"] = std::move(block);
  return message;
}

Json contents_of(std::string uri, std::string mime_type, const char* kind, std::string value) {
  Json contents(Json::value_t::object);
  contents["uri"] = std::move(uri);
  contents["mimeType"] = std::move(mime_type);
  contents[kind] = std::move(value);
  Json result(Json::value_t::object);
  result["contents"] = Json::array();
  result["contents"].push_back(std::move(contents));
  return result;
}

}  // namespace plumbline::reference
