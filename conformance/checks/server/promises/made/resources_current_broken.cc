// Wrong peers for resources_current.cc.

#include <string>
#include <utility>

#include "conformance/broken/message_edits.h"
#include "conformance/broken/replies.h"

namespace plumbline::conformance {

namespace {

constexpr const char* kBoard = "note://board";

void lists_a_board(Interceptor& interceptor, Json message) {
  Json* const tools = edit::result_of(interceptor, message, "tools/list");
  if (tools != nullptr && !tools->contains("nextCursor")) {
    (*tools)["tools"].push_back(edit::read(R"({"name": "pin_note", "inputSchema": {"type": "object",
        "properties": {"text": {"type": "string"}}, "required": ["text"]}})"));
  }
  Json* const resources = edit::result_of(interceptor, message, "resources/list");
  if (resources != nullptr && !resources->contains("nextCursor")) {
    (*resources)["resources"].push_back({{"uri", kBoard},
                                         {"name", "board"},
                                         {"mimeType", "text/plain"},
                                         {"description", "All notes, as they are now."}});
  }
  interceptor.say(message);
}

// keeps_a_board answers with what was on the board when it was read first.
void keeps_a_board(Interceptor& interceptor, Json message) {
  Json& memory = interceptor.memory;
  if (!memory.contains("notes")) memory["notes"] = "Notes:";
  const std::string method = method_of(message);
  if (method == "tools/call" && value_at(message, "/params/name") == "pin_note") {
    const Json text = value_at(message, "/params/arguments/text");
    if (!text.is_string()) {
      Json result = edit::text_result("text is needed");
      result["isError"] = true;
      return answer(interceptor, id_of(message), std::move(result));
    }
    memory["notes"] = memory["notes"].get<std::string>() + "\n" + text.get<std::string>();
    return answer(interceptor, id_of(message), edit::text_result("pinned"));
  }
  if (method != "resources/read" || value_at(message, "/params/uri") != kBoard) {
    return interceptor.pass(message);
  }
  if (!memory.contains("read")) memory["read"] = memory["notes"];
  Json result = Json::object();
  result["contents"].push_back(
      {{"uri", kBoard}, {"mimeType", "text/plain"}, {"text", memory["read"]}});
  answer(interceptor, id_of(message), std::move(result));
}

const Deviation kResourcesCurrentDeviations[] = {
    {.id = "resources.read-is-current",
     .revision = "2025-11-25",
     .what = "keeps a resource from its first reading on",
     .from_server = lists_a_board,
     .from_client_message = keeps_a_board},
};

}  // namespace

Deviations resources_current_deviations() { return kResourcesCurrentDeviations; }

}  // namespace plumbline::conformance
