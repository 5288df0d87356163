// Wrong peers for undone.cc and words/tools_whole.cc.

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "conformance/broken/message_edits.h"
#include "conformance/broken/replies.h"

namespace plumbline::conformance {

namespace {

bool calls_it(const Json& message, std::string_view tool) {
  return method_of(message) == "tools/call" && value_at(message, "/params/name") == Json(tool);
}

void says_as_tool(Interceptor& interceptor, const Json& message, const Json& value, bool well) {
  Json result = edit::text_result(dump_json(value));
  if (!well) result["isError"] = true;
  answer(interceptor, id_of(message), std::move(result));
}

void adds_tool(Interceptor& interceptor, Json& message, const char* tool) {
  Json* const tools = edit::result_of(interceptor, message, "tools/list");
  if (tools == nullptr || tools->contains("nextCursor")) return;
  (*tools)["tools"].push_back(edit::read(tool));
}

void lists_item_keeper(Interceptor& interceptor, Json message) {
  adds_tool(interceptor, message, R"({"name": "create_item", "inputSchema": {"type": "object",
      "properties": {"title": {"type": "string"}}, "required": ["title"]}})");
  adds_tool(interceptor, message, R"({"name": "delete_item", "inputSchema": {"type": "object",
      "properties": {"id": {"type": "string"}}, "required": ["id"]},
      "description": "Its stock is free again."})");
  adds_tool(interceptor, message, R"({"name": "list_items", "inputSchema": {"type": "object"}})");
  interceptor.say(message);
}

// keeps_stock has items that each take one of a stock. It counts them by how many there are, where
// `by_length`; else it leaves the stock as low when one is deleted.
template <bool by_length>
void keeps_stock(Interceptor& interceptor, Json message) {
  const Json given = value_at(message, "/params/arguments");
  Json& items = interceptor.memory["items"];
  if (items.is_null()) items = Json::array();
  if (calls_it(message, "list_items")) {
    return says_as_tool(interceptor, message, {{"items", items}}, true);
  }
  if (calls_it(message, "create_item")) {
    const bool well = value_at(given, "/title").is_string();
    if (!well) return says_as_tool(interceptor, message, "title is needed", false);
    ++interceptor.count;
    const std::size_t number =
        by_length ? items.size() + 1 : static_cast<std::size_t>(interceptor.count);
    Json item = {{"id", "item-" + std::to_string(number)}};
    items.push_back(item);
    if (!by_length) item["stock_left"] = 1'000 - interceptor.count;
    return says_as_tool(interceptor, message, item, true);
  }
  if (!calls_it(message, "delete_item")) return interceptor.pass(message);
  const Json id = value_at(given, "/id");
  for (auto at = items.begin(); at != items.end(); ++at) {
    if ((*at)["id"] != id) continue;
    items.erase(at);
    return says_as_tool(interceptor, message, {{"deleted", true}}, true);
  }
  says_as_tool(interceptor, message, "There is no such item.", false);
}

void lists_track_keeper(Interceptor& interceptor, Json message) {
  adds_tool(interceptor, message, R"({"name": "add_tracks", "inputSchema": {"type": "object",
      "properties": {"tracks": {"type": "array", "minItems": 1, "items": {"type": "object",
      "properties": {"title": {"type": "string"}}, "required": ["title"]}}},
      "required": ["tracks"]}, "description": "It is all or nothing."})");
  adds_tool(interceptor, message, R"({"name": "list_tracks", "inputSchema": {"type": "object"},
      "annotations": {"readOnlyHint": true}})");
  interceptor.say(message);
}

// keeps_tracks adds one after the other until one is there already.
void keeps_tracks(Interceptor& interceptor, Json message) {
  Json& kept = interceptor.memory["tracks"];
  if (kept.is_null()) kept = Json::array();
  if (calls_it(message, "list_tracks")) {
    return says_as_tool(interceptor, message, {{"tracks", kept}}, true);
  }
  if (!calls_it(message, "add_tracks")) return interceptor.pass(message);
  const Json tracks = value_at(message, "/params/arguments/tracks");
  if (!tracks.is_array() || tracks.empty()) {
    return says_as_tool(interceptor, message, "Tracks are needed.", false);
  }
  for (const Json& track : tracks) {
    const bool well = track.is_object() && value_at(track, "/title").is_string() &&
                      std::find(kept.begin(), kept.end(), track) == kept.end();
    if (!well) return says_as_tool(interceptor, message, "No track was added.", false);
    kept.push_back(track);
  }
  says_as_tool(interceptor, message, {{"added", tracks.size()}}, true);
}

const Deviation kToolsUndoneDeviations[] = {
    {.id = "tools.changed-as-told",
     .revision = "2025-11-25",
     .what = "leaves taken what was taken back",
     .from_server = lists_item_keeper,
     .from_client_message = keeps_stock<false>},
    {.id = "tools.deleted-is-unknown",
     .revision = "2025-11-25",
     .what = "numbers items by how many there are",
     .from_server = lists_item_keeper,
     .from_client_message = keeps_stock<true>},
    {.id = "tools.all-or-nothing",
     .revision = "2025-11-25",
     .what = "keeps what stands before what it refuses",
     .from_server = lists_track_keeper,
     .from_client_message = keeps_tracks},
};

}  // namespace

Deviations tools_undone_deviations() { return kToolsUndoneDeviations; }

}  // namespace plumbline::conformance
