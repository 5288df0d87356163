#include <algorithm>
#include <string>

#include "conformance/broken/deviation.h"
#include "conformance/broken/message_edits.h"

namespace plumbline::conformance {

namespace {

Json* listed_tool(Hands& hands, Json& message, std::string_view name) {
  return edit::in_list(edit::result_of(hands, message, "tools/list"), "tools", name);
}

const Deviation kToolsDeviations[] = {
    {"tools.capability-declared", "2025-11-25", Transport::kStdio, "has tools without saying so",
     [](Hands& hands, Json message) {
       edit::undeclare(hands, message, "tools");
       hands.say(message);
     }},
    {"tools.list-responds", "2026-07-28", Transport::kStdio, "lists its tools in an object",
     [](Hands& hands, Json message) {
       if (Json* const result = edit::result_of(hands, message, "tools/list")) {
         (*result)["tools"] = Json::object();
       }
       hands.say(message);
     }},
    {"tools.list-not-connection-dependent",
     "2026-07-28",
     Transport::kHttp,
     "shows another tool to everyone who asks",
     [](Hands& hands, Json message) {
       if (Json* const tool = listed_tool(hands, message, "greet")) {
         (*tool)["name"] = "greet-" + std::to_string(++hands.count);
       }
       hands.say(message);
     },
     nullptr,
     nullptr,
     nullptr,
     {},
     {"lifecycle.peer-info-not-behavioral"}},
    {"tools.deterministic-order", "2026-07-28", Transport::kHttp,
     "turns the list round every other time",
     [](Hands& hands, Json message) {
       Json* const result = edit::result_of(hands, message, "tools/list");
       if (result != nullptr && ++hands.count > 1) {
         std::ranges::reverse((*result)["tools"].get_ref<Json::array_t&>());
       }
       hands.say(message);
     }},
    {.id = "tools.definition-required-fields",
     .revision = "2026-07-28",
     .what = "has a tool without an inputSchema",
     .from_server =
         [](Hands& hands, Json message) {
           if (Json* const tool = listed_tool(hands, message, "test_simple_text")) {
             tool->erase("inputSchema");
           }
           hands.say(message);
         },
     .also = {"tools.input-schema-valid"}},
    {"tools.input-schema-valid", "2025-11-25", Transport::kStdio, "has a tool that takes a string",
     [](Hands& hands, Json message) {
       if (Json* const tool = listed_tool(hands, message, "test_simple_text")) {
         (*tool)["inputSchema"]["type"] = "string";
       }
       hands.say(message);
     }},
    {.id = "tools.input-schema-valid",
     .revision = "2026-07-28",
     .what = "has an inputSchema that is no schema",
     .from_server =
         [](Hands& hands, Json message) {
           if (Json* const tool = listed_tool(hands, message, "test_simple_text")) {
             (*tool)["inputSchema"]["required"] = "everything";
           }
           hands.say(message);
         },
     .also = {"schema.schemas-valid"}},
    {"tools.no-params-schema-closed", "2025-11-25", Transport::kStdio,
     "takes anything where it needs nothing",
     [](Hands& hands, Json message) {
       if (Json* const tool = listed_tool(hands, message, "test_simple_text")) {
         (*tool)["inputSchema"]["additionalProperties"] = true;
       }
       hands.say(message);
     }},
    {"tools.name-length", "2025-11-25", Transport::kStdio, "has a tool with a very long name",
     [](Hands& hands, Json message) {
       if (Json* const tool = listed_tool(hands, message, "test_audio_content")) {
         (*tool)["name"] = std::string(129, 'a');
       }
       hands.say(message);
     }},
    {"tools.name-charset", "2025-11-25", Transport::kStdio, "has a tool with a space in its name",
     [](Hands& hands, Json message) {
       if (Json* const tool = listed_tool(hands, message, "test_audio_content")) {
         (*tool)["name"] = "make a sound";
       }
       hands.say(message);
     }},
    {.id = "tools.name-no-special-chars",
     .revision = "2026-07-28",
     .what = "has a tool with a comma in its name",
     .from_server =
         [](Hands& hands, Json message) {
           if (Json* const tool = listed_tool(hands, message, "greet"))
             (*tool)["name"] = "greet,me";
           hands.say(message);
         },
     .also = {"tools.name-charset"}},
    {"tools.name-unique", "2025-11-25", Transport::kStdio, "lists a tool twice",
     [](Hands& hands, Json message) {
       if (Json* const tool = listed_tool(hands, message, "greet")) {
         const Json again = *tool;
         message["result"]["tools"].push_back(again);
       }
       hands.say(message);
     }},
    {"tools.x-mcp-header-no-sensitive", "2026-07-28", Transport::kStdio,
     "mirrors a key into a header",
     [](Hands& hands, Json message) {
       if (Json* const tool = listed_tool(hands, message, "test_x_mcp_header")) {
         (*tool)["inputSchema"]["properties"]["query"]["x-mcp-header"] = "Api-Key";
       }
       hands.say(message);
     }},
    {"tools.list-changed-notification", "2025-11-25", Transport::kStdio,
     "never tells of changed tools",
     [](Hands& hands, Json message) {
       if (!edit::is_method(message, "notifications/tools/list_changed")) hands.say(message);
     }},
    {.id = "tools.list-changed-notification",
     .revision = "2026-07-28",
     .what = "never tells of changed tools",
     .from_server =
         [](Hands& hands, Json message) {
           if (!edit::is_method(message, "notifications/tools/list_changed")) hands.say(message);
         },
     .also = {"subscriptions.multiple-concurrent"}},
};

}  // namespace

Deviations tools_deviations() { return kToolsDeviations; }

}  // namespace plumbline::conformance
