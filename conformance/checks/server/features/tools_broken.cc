#include <algorithm>
#include <string>

#include "conformance/broken/deviation.h"
#include "conformance/broken/message_edits.h"

namespace plumbline::conformance {

namespace {

Json* listed_tool(Interceptor& interceptor, Json& message, std::string_view name) {
  return edit::in_list(edit::result_of(interceptor, message, "tools/list"), "tools", name);
}

// Learner has a call of one tool change what is listed, once.
class Learner final : public Keeper {
 public:
  std::optional<wire::HttpResponse> answer(wire::HttpRequest& request) override {
    Json message = edit::read(request.body);
    const Json* const name = at_pointer(message, "/params/name");
    if (learnt_ || !edit::is_method(message, "tools/call") || name == nullptr) return std::nullopt;
    if (*name != Json("test_simple_text")) return std::nullopt;
    learnt_ = true;
    message["params"]["name"] = "test_trigger_tool_change";
    request.body = dump_json(message);
    request.headers.erase("Content-Length");
    return std::nullopt;
  }

 private:
  bool learnt_ = false;
};

const Deviation kToolsDeviations[] = {
    {"tools.capability-declared", "2025-11-25", Transport::kStdio, "has tools without saying so",
     [](Interceptor& interceptor, Json message) {
       edit::undeclare(interceptor, message, "tools");
       interceptor.say(message);
     }},
    {"tools.capability-declared", "2025-11-25", Transport::kStdio,
     "declares no tools to clients that declare nothing",
     [](Interceptor& interceptor, Json message) {
       const Json asked = interceptor.asked(message);
       const Json* const own = at_pointer(asked, "/params/capabilities");
       if (own != nullptr && own->empty()) edit::undeclare(interceptor, message, "tools");
       interceptor.say(message);
     }},
    {"tools.list-responds", "2026-07-28", Transport::kStdio, "lists its tools in an object",
     [](Interceptor& interceptor, Json message) {
       if (Json* const result = edit::result_of(interceptor, message, "tools/list")) {
         (*result)["tools"] = Json::object();
       }
       interceptor.say(message);
     }},
    {"tools.list-not-connection-dependent",
     "2026-07-28",
     Transport::kHttp,
     "shows another tool to everyone who asks",
     [](Interceptor& interceptor, Json message) {
       if (Json* const tool = listed_tool(interceptor, message, "greet")) {
         (*tool)["name"] = "greet-" + std::to_string(++interceptor.count);
       }
       interceptor.say(message);
     },
     nullptr,
     nullptr,
     nullptr,
     {},
     {"lifecycle.peer-info-not-behavioral", "base.listed-is-served"}},
    {.id = "tools.list-not-connection-dependent",
     .revision = "2026-07-28",
     .what = "has a tool less where one was called",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (edit::result_of(interceptor, message, "tools/call")) ++interceptor.count;
           Json* const result = edit::result_of(interceptor, message, "tools/list");
           if (result != nullptr && interceptor.count > 0) (*result)["tools"].erase(0);
           interceptor.say(message);
         },
     .also = {"lifecycle.peer-info-not-behavioral", "tools.deterministic-order"}},
    {.id = "tools.list-not-connection-dependent",
     .revision = "2026-07-28",
     .what = "has a tool less when it is asked for the first time",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           Json* const result = edit::result_of(interceptor, message, "tools/list");
           if (result != nullptr && interceptor.count++ == 0) (*result)["tools"].erase(0);
           interceptor.say(message);
         },
     .also = {"lifecycle.peer-info-not-behavioral", "tools.deterministic-order",
              "lifecycle.no-prior-request-context"}},
    {.id = "tools.list-not-connection-dependent",
     .revision = "2026-07-28",
     .what = "has a tool less where server/discover was not asked",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (edit::result_of(interceptor, message, "server/discover")) ++interceptor.count;
           Json* const result = edit::result_of(interceptor, message, "tools/list");
           if (result != nullptr && interceptor.count == 0) (*result)["tools"].erase(0);
           interceptor.say(message);
         }},
    {"tools.deterministic-order", "2026-07-28", Transport::kHttp,
     "turns the list round every other time",
     [](Interceptor& interceptor, Json message) {
       Json* const result = edit::result_of(interceptor, message, "tools/list");
       if (result != nullptr && ++interceptor.count > 1) {
         std::ranges::reverse((*result)["tools"].get_ref<Json::array_t&>());
       }
       interceptor.say(message);
     }},
    {.id = "tools.deterministic-order",
     .revision = "2025-11-25",
     .what = "turns the list round each time",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           Json* const result = edit::result_of(interceptor, message, "tools/list");
           if (result != nullptr && interceptor.count++ % 2 == 0) {
             std::ranges::reverse((*result)["tools"].get_ref<Json::array_t&>());
           }
           interceptor.say(message);
         }},
    {.id = "tools.list-changed-notification",
     .revision = "2025-11-25",
     .transport = Transport::kHttp,
     .what = "has a tool more once one was called, and tells nobody",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (!edit::is_method(message, "notifications/tools/list_changed"))
             interceptor.say(message);
         },
     .also = {"tools.list-stable-under-calls", "security.tools-stable"},
     .hints = R"({"tools": {"test_trigger_tool_change": {"call": false}}})",
     .keeper = [](Behind) -> std::unique_ptr<Keeper> { return std::make_unique<Learner>(); }},
    {.id = "tools.definition-required-fields",
     .revision = "2026-07-28",
     .what = "has a tool without an inputSchema",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (Json* const tool = listed_tool(interceptor, message, "test_simple_text")) {
             tool->erase("inputSchema");
           }
           interceptor.say(message);
         },
     .also = {"tools.input-schema-valid"}},
    {"tools.input-schema-valid", "2025-11-25", Transport::kStdio, "has a tool that takes a string",
     [](Interceptor& interceptor, Json message) {
       if (Json* const tool = listed_tool(interceptor, message, "test_simple_text")) {
         (*tool)["inputSchema"]["type"] = "string";
       }
       interceptor.say(message);
     }},
    {.id = "tools.input-schema-valid",
     .revision = "2026-07-28",
     .what = "has an inputSchema that is no schema",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (Json* const tool = listed_tool(interceptor, message, "test_simple_text")) {
             (*tool)["inputSchema"]["required"] = "everything";
           }
           interceptor.say(message);
         },
     .also = {"schema.schemas-valid"}},
    {"tools.no-params-schema-closed", "2025-11-25", Transport::kStdio,
     "takes anything where it needs nothing",
     [](Interceptor& interceptor, Json message) {
       if (Json* const tool = listed_tool(interceptor, message, "test_simple_text")) {
         (*tool)["inputSchema"]["additionalProperties"] = true;
       }
       interceptor.say(message);
     }},
    {"tools.name-length",
     "2025-11-25",
     Transport::kStdio,
     "has a tool with a very long name",
     [](Interceptor& interceptor, Json message) {
       if (Json* const tool = listed_tool(interceptor, message, "test_audio_content")) {
         (*tool)["name"] = std::string(129, 'a');
       }
       interceptor.say(message);
     },
     nullptr,
     nullptr,
     nullptr,
     {},
     {"base.listed-is-served"}},
    {"tools.name-charset",
     "2025-11-25",
     Transport::kStdio,
     "has a tool with a space in its name",
     [](Interceptor& interceptor, Json message) {
       if (Json* const tool = listed_tool(interceptor, message, "test_audio_content")) {
         (*tool)["name"] = "make a sound";
       }
       interceptor.say(message);
     },
     nullptr,
     nullptr,
     nullptr,
     {},
     {"base.listed-is-served"}},
    {.id = "tools.name-no-special-chars",
     .revision = "2026-07-28",
     .what = "has a tool with a comma in its name",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (Json* const tool = listed_tool(interceptor, message, "greet"))
             (*tool)["name"] = "greet,me";
           interceptor.say(message);
         },
     .also = {"tools.name-charset", "base.listed-is-served"}},
    {"tools.name-unique", "2025-11-25", Transport::kStdio, "lists a tool twice",
     [](Interceptor& interceptor, Json message) {
       if (Json* const tool = listed_tool(interceptor, message, "greet")) {
         const Json again = *tool;
         message["result"]["tools"].push_back(again);
       }
       interceptor.say(message);
     }},
    {"tools.x-mcp-header-no-sensitive", "2026-07-28", Transport::kStdio,
     "mirrors a key into a header",
     [](Interceptor& interceptor, Json message) {
       if (Json* const tool = listed_tool(interceptor, message, "test_x_mcp_header")) {
         (*tool)["inputSchema"]["properties"]["query"]["x-mcp-header"] = "Api-Key";
       }
       interceptor.say(message);
     }},
    {"tools.list-changed-notification", "2025-11-25", Transport::kStdio,
     "never tells of changed tools",
     [](Interceptor& interceptor, Json message) {
       if (!edit::is_method(message, "notifications/tools/list_changed")) interceptor.say(message);
     }},
    {.id = "tools.list-changed-notification",
     .revision = "2026-07-28",
     .what = "never tells of changed tools",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (!edit::is_method(message, "notifications/tools/list_changed"))
             interceptor.say(message);
         },
     .also = {"subscriptions.multiple-concurrent"}},
};

}  // namespace

Deviations tools_deviations() { return kToolsDeviations; }

}  // namespace plumbline::conformance
