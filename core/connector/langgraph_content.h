// The content that the document of LangGraph agents describes and MCP does not have: blocks of the
// type "json" with "data".

#pragma once

#include <string_view>

#include "core/json/json.h"

namespace plumbline::connector {

// is_langgraph returns whether an agent is declared as one of LangGraph: "langgraph:research".
inline bool is_langgraph(std::string_view agent) { return agent.starts_with("langgraph:"); }

// read_json_blocks makes text of the json blocks of a result, and structured content of the only
// one where there is none.
inline void read_json_blocks(Json& result) {
  const auto content = result.find("content");
  if (content == result.end() || !content->is_array()) return;
  for (Json& block : *content) {
    const Json* const data = find(block, "data");
    if (string_or(block, "type", "") != "json" || data == nullptr) continue;
    Json text = Json::object();
    text["type"] = "text";
    text["text"] = dump_json(*data);
    const bool only = content->size() == 1 && find(result, "structuredContent") == nullptr;
    if (only && data->is_object()) result["structuredContent"] = *data;
    block = std::move(text);
  }
}

}  // namespace plumbline::connector
