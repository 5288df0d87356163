#include "conformance/broken/deviation.h"
#include "conformance/broken/message_edits.h"

namespace plumbline::conformance {

namespace {

// sampling_in returns the params of a sampling request, its own or the first inside a result.
Json* sampling_in(Json& message) {
  if (edit::is_method(message, "sampling/createMessage")) return &message["params"];
  const Json* const asked = at_pointer(message, "/result/inputRequests");
  if (asked == nullptr || !asked->is_object()) return nullptr;
  for (auto& [key, request] : message["result"]["inputRequests"].items()) {
    if (edit::is_method(request, "sampling/createMessage")) return &request["params"];
  }
  return nullptr;
}

Json block_of(const char* type, const char* key, const char* id) {
  Json block = Json::object();
  block["type"] = type;
  block[key] = id;
  if (type == std::string_view("tool_use")) block["_meta"]["plumbline/kept"] = id;
  return block;
}

// history is a tool loop in the messages of a request: a question, two uses, their results.
Json history() {
  Json messages = Json::array();
  messages.push_back(Json::object());
  messages[0]["role"] = "user";
  messages[0]["content"] = edit::text_result("?")["content"][0];
  messages.push_back(Json::object());
  messages[1]["role"] = "assistant";
  messages[1]["content"].push_back(block_of("tool_use", "id", "use-1"));
  messages[1]["content"].push_back(block_of("tool_use", "id", "use-2"));
  messages.push_back(Json::object());
  messages[2]["role"] = "user";
  messages[2]["content"].push_back(block_of("tool_result", "toolUseId", "use-1"));
  messages[2]["content"].push_back(block_of("tool_result", "toolUseId", "use-2"));
  return messages;
}

const Deviation kSamplingDeviations[] = {
    {.id = "sampling.no-tools-without-capability",
     .revision = "2025-11-25",
     .what = "offers tools to every model",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (Json* const params = sampling_in(message)) {
             (*params)["toolChoice"]["mode"] = "auto";
           }
           interceptor.say(message);
         }},
    {.id = "sampling.avoid-include-context",
     .revision = "2025-11-25",
     .what = "wants the context of all servers",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (Json* const params = sampling_in(message)) {
             (*params)["includeContext"] = "allServers";
           }
           interceptor.say(message);
         },
     .also = {"sampling.include-context-needs-capability"}},
    {.id = "sampling.include-context-needs-capability",
     .revision = "2025-11-25",
     .what = "wants context of those who have none",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           Json* const params = sampling_in(message);
           if (params != nullptr && interceptor.count == 1)
             (*params)["includeContext"] = "thisServer";
           interceptor.say(message);
         },
     .from_client =
         [](Interceptor& interceptor, std::string text) {
           const Json message = edit::read(text);
           const Json* const sampling = at_pointer(message, "/params/capabilities/sampling");
           if (sampling != nullptr)
             interceptor.count = find(*sampling, "context") == nullptr ? 1 : 0;
           interceptor.pass_text(std::move(text));
         }},
    {.id = "sampling.request-required-fields",
     .revision = "2025-11-25",
     .what = "sets no bound to what is sampled",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (Json* const params = sampling_in(message)) params->erase("maxTokens");
           interceptor.say(message);
         }},
    {.id = "sampling.message-role-content",
     .revision = "2026-07-28",
     .what = "lets the system speak to the model",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (Json* const params = sampling_in(message)) {
             (*params)["messages"][0]["role"] = "system";
           }
           interceptor.say(message);
         }},
    {.id = "sampling.tool-results-only-message",
     .revision = "2025-11-25",
     .what = "says something beside tool results",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (Json* const params = sampling_in(message)) {
             (*params)["messages"] = history();
             (*params)["messages"][2]["content"].push_back(edit::text_result("!")["content"][0]);
           }
           interceptor.say(message);
         }},
    {.id = "sampling.tool-use-balanced",
     .revision = "2025-11-25",
     .what = "leaves a tool use without its result",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (Json* const params = sampling_in(message)) {
             (*params)["messages"] = history();
             (*params)["messages"][2]["content"].erase(std::size_t{1});
           }
           interceptor.say(message);
         }},
    {.id = "sampling.tool-meta-preserved",
     .revision = "2025-11-25",
     .what = "loses the _meta of tool uses",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (Json* const params = sampling_in(message)) {
             (*params)["messages"] = history();
             (*params)["messages"][1]["content"][0].erase("_meta");
           }
           interceptor.say(message);
         }},
    {.id = "sampling.client-may-modify-parameters",
     .revision = "2025-11-25",
     .what = "wants the model that it asked for",
     .from_client =
         [](Interceptor& interceptor, std::string text) {
           Json message = edit::read(text);
           const Json* const model = at_pointer(message, "/result/model");
           if (model != nullptr && *model == Json("plumbline-another-model")) {
             edit::refuse_instead(message, -32603);
             return interceptor.pass(message);
           }
           interceptor.pass_text(std::move(text));
         }},
    {.id = "sampling.content-array-tolerated",
     .revision = "2025-11-25",
     .what = "falls silent on content in an array",
     .from_client =
         [](Interceptor& interceptor, std::string text) {
           const Json message = edit::read(text);
           const Json* const content = at_pointer(message, "/result/content");
           if (content != nullptr && content->is_array()) return;
           interceptor.pass_text(std::move(text));
         }},
    {.id = "sampling.content-validated",
     .revision = "2025-11-25",
     .what = "falls silent on an empty answer of the model",
     .from_client =
         [](Interceptor& interceptor, std::string text) {
           const Json message = edit::read(text);
           const Json* const result = find(message, "result");
           if (result != nullptr && result->is_object() && result->empty()) return;
           interceptor.pass_text(std::move(text));
         }},
};

}  // namespace

Deviations sampling_deviations() { return kSamplingDeviations; }

}  // namespace plumbline::conformance
