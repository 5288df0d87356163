#include "conformance/broken/deviation.h"
#include "conformance/broken/message_edits.h"

namespace plumbline::conformance {

namespace {

Json* first_message(Interceptor& interceptor, Json& message, std::string_view prompt) {
  Json* const result = edit::result_of(interceptor, message, "prompts/get");
  if (result == nullptr || !edit::is_of(interceptor, message, prompt)) return nullptr;
  return &(*result)["messages"][0];
}

const Deviation kPromptsDeviations[] = {
    {.id = "prompts.capability-declared",
     .revision = "2025-11-25",
     .what = "has prompts without saying so",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           edit::undeclare(interceptor, message, "prompts");
           interceptor.say(message);
         }},
    {.id = "prompts.list-responds",
     .revision = "2026-07-28",
     .what = "lists its prompts in an object",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (Json* const result = edit::result_of(interceptor, message, "prompts/list")) {
             (*result)["prompts"] = Json::object();
           }
           interceptor.say(message);
         }},
    {.id = "prompts.list-not-connection-dependent",
     .revision = "2026-07-28",
     .transport = Transport::kHttp,
     .what = "shows a prompt to every other one who asks",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           Json* const result = edit::result_of(interceptor, message, "prompts/list");
           if (result != nullptr && ++interceptor.count % 2 == 0) {
             (*result)["prompts"].erase(std::size_t{0});
           }
           interceptor.say(message);
         }},
    {.id = "prompts.list-changed-notification",
     .revision = "2025-11-25",
     .what = "never tells of changed prompts",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (!edit::is_method(message, "notifications/prompts/list_changed"))
             interceptor.say(message);
         }},
    {.id = "prompts.result-shape",
     .revision = "2025-11-25",
     .what = "lets the system speak",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (Json* const first = first_message(interceptor, message, "test_simple_prompt")) {
             (*first)["role"] = "system";
           }
           interceptor.say(message);
         }},
    {.id = "prompts.image-content-encoding",
     .revision = "2025-11-25",
     .what = "has an image of the type png",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (Json* const first = first_message(interceptor, message, "test_prompt_with_image")) {
             (*first)["content"]["mimeType"] = "png";
           }
           interceptor.say(message);
         }},
    {.id = "prompts.audio-content-encoding",
     .revision = "2025-11-25",
     .what = "has a sound that is no base64",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (Json* const first = first_message(interceptor, message, "test_prompt_with_image")) {
             (*first)["content"]["type"] = "audio";
             (*first)["content"]["data"] = "la la la!";
           }
           interceptor.say(message);
         }},
    {.id = "prompts.embedded-resource-fields",
     .revision = "2025-11-25",
     .what = "embeds a resource of no type",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (Json* const first =
                   first_message(interceptor, message, "test_prompt_with_embedded_resource")) {
             (*first)["content"]["resource"].erase("mimeType");
           }
           interceptor.say(message);
         }},
    {.id = "prompts.unknown-prompt-error",
     .revision = "2025-11-25",
     .what = "fails by itself on an unknown prompt",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (edit::is_of(interceptor, message, "plumbline_no_such_prompt")) {
             edit::refuse_instead(message, -32603);
           }
           interceptor.say(message);
         }},
    {.id = "prompts.missing-argument-error",
     .revision = "2025-11-25",
     .what = "makes up arguments that are missing",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           const bool missing = edit::code_of(message) == -32602;
           if (missing && edit::is_of(interceptor, message, "test_prompt_with_arguments")) {
             Json result = Json::object();
             result["messages"] = Json::array();
             edit::answer_instead(message, result);
           }
           interceptor.say(message);
         }},
    {.id = "prompts.argument-values-strings",
     .revision = "2025-11-25",
     .what = "wants a number as an argument of a prompt",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           const Json* const result = edit::result_of(interceptor, message, "prompts/get");
           if (result != nullptr &&
               edit::is_of(interceptor, message, "test_prompt_with_arguments")) {
             edit::refuse_instead(message, -32602);
             message["error"]["message"] = "Invalid input: expected number, received string";
           }
           interceptor.say(message);
         }},
    {.id = "prompts.argument-values-strings",
     .revision = "2025-11-25",
     .what = "wants a list as an argument of a prompt",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           const Json* const result = edit::result_of(interceptor, message, "prompts/get");
           if (result != nullptr &&
               edit::is_of(interceptor, message, "test_prompt_with_arguments")) {
             edit::refuse_instead(message, -32602);
             message["error"]["message"] = "arg1: Input should be a valid list";
           }
           interceptor.say(message);
         }},
    {.id = "prompts.optional-arguments-optional",
     .revision = "2025-11-25",
     .what = "needs an argument that it calls optional",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (Json* const result = edit::result_of(interceptor, message, "prompts/list")) {
             for (Json& prompt : (*result)["prompts"]) {
               if (prompt["name"] != "test_prompt_with_arguments") continue;
               prompt["arguments"][1]["required"] = false;
             }
           }
           interceptor.say(message);
         }},
    {.id = "prompts.optional-arguments-optional",
     .revision = "2025-11-25",
     .what = "wants the member arguments of a prompt that has none",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           const Json* const result = edit::result_of(interceptor, message, "prompts/get");
           const Json params = edit::params_asked(interceptor, message);
           if (result != nullptr && !params.contains("arguments")) {
             edit::refuse_instead(message, -32602);
           }
           interceptor.say(message);
         }},
    {.id = "prompts.arguments-validated",
     .revision = "2025-11-25",
     .what = "falls silent on a number as an argument",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           const Json params = edit::params_asked(interceptor, message);
           const Json* const first = at_pointer(params, "/arguments/arg1");
           if (first == nullptr || !first->is_number()) interceptor.say(message);
         }},
    {.id = "prompts.inputs-outputs-validated",
     .revision = "2025-11-25",
     .what = "evaluates templates in arguments",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           std::string text = dump_json(message);
           const std::size_t at = text.find("{{7*7}}");
           if (at != std::string::npos) text.replace(at, 7, "49");
           interceptor.say_text(text);
         }},
    {.id = "prompts.respect-capabilities",
     .revision = "2025-11-25",
     .what = "tells of changed prompts without having said that it would",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (Json* const result = edit::result_of(interceptor, message, "initialize")) {
             (*result)["capabilities"]["prompts"].erase("listChanged");
           }
           interceptor.say(message);
           if (edit::result_about(interceptor, message, "test_simple_text")) {
             Json changed = Json::object();
             changed["jsonrpc"] = "2.0";
             changed["method"] = "notifications/prompts/list_changed";
             interceptor.say(changed);
           }
         },
     .also = {"lifecycle.only-negotiated-capabilities"}},
};

}  // namespace

Deviations prompts_deviations() { return kPromptsDeviations; }

}  // namespace plumbline::conformance
