#include "core/mcp/protocol/downgrade.h"

#include <cstddef>
#include <string>
#include <utility>

namespace plumbline::mcp {

namespace {

void drop(Json& object, const char* key) {
  if (auto* const members = object.get_ptr<Json::object_t*>()) members->erase(key);
}

Json text_block(std::string text) {
  Json block(Json::value_t::object);
  block["type"] = "text";
  block["text"] = std::move(text);
  return block;
}

void downgrade_block(Json& block, Revision revision) {
  const std::string type = string_or(block, "type", "");
  if (type == "audio" && !has_audio(revision)) {
    block = text_block("[audio, " + string_or(block, "mimeType", "unknown type") +
                       ": this protocol revision cannot carry it]");
  } else if (type == "resource_link") {
    if (!has_resource_links(revision)) {
      block = text_block(string_or(block, "name", "resource") + ": " + string_or(block, "uri", ""));
    } else {
      downgrade_item(block, revision);
    }
  }
}

void downgrade_call(Json& result, Revision revision) {
  const Json* const structured = find(result, "structuredContent");
  if (find(result, "content") == nullptr) {
    Json content = Json::array();
    if (structured != nullptr) content.push_back(text_block(dump_json(*structured)));
    result["content"] = std::move(content);
  }
  if (!has_structured_content(revision)) drop(result, "structuredContent");
  Json& content = result["content"];
  if (!content.is_array()) return;
  for (Json& block : content) downgrade_block(block, revision);
}

// Spec 2025-11-25, server/utilities/completion, Completion Results (MUST at most 100 values).
void cap_completion(Json& result) {
  constexpr std::size_t kValuesMax = 100;
  if (!result.contains("completion")) return;
  Json& completion = result["completion"];
  if (find(completion, "values") == nullptr || completion["values"].size() <= kValuesMax) return;
  auto* const values = completion["values"].get_ptr<Json::array_t*>();
  if (values == nullptr) return;
  completion.emplace("total", values->size());
  completion["hasMore"] = true;
  values->resize(kValuesMax);
}

}  // namespace

void downgrade_item(Json& item, Revision revision) {
  if (!has_titles(revision)) drop(item, "title");
  if (!has_icons(revision)) drop(item, "icons");
  if (!has_structured_content(revision)) drop(item, "outputSchema");
  if (!has_tasks(revision)) drop(item, "execution");
  const bool is_tool = find(item, "inputSchema") != nullptr;
  if (is_tool && !has_tool_annotations(revision)) drop(item, "annotations");
  if (!is_tool && !has_titles(revision) && find(item, "annotations") != nullptr) {
    drop(item["annotations"], "lastModified");
  }
  if (has_titles(revision)) return;
  if (find(item, "arguments") == nullptr || !item["arguments"].is_array()) return;
  for (Json& argument : item["arguments"]) drop(argument, "title");
}

void downgrade_result(std::string_view method, Json& result, Revision revision) {
  if (!result.is_object()) return;
  if (method == "tools/call") {
    const bool handle = find(result, "task") != nullptr && find(result, "content") == nullptr;
    if (handle || string_or(result, "resultType", "complete") != "complete") return;
    return downgrade_call(result, revision);
  }
  if (method == "completion/complete") return cap_completion(result);
  if (method != "prompts/get") return;
  const Json* const messages = find(result, "messages");
  if (messages == nullptr || !messages->is_array()) return;
  for (Json& message : result["messages"]) {
    if (find(message, "content") != nullptr) downgrade_block(message["content"], revision);
  }
}

}  // namespace plumbline::mcp
