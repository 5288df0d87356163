#include <cctype>

#include "conformance/broken/deviation.h"
#include "conformance/broken/message_edits.h"

namespace plumbline::conformance {

namespace {

// bad_arguments returns whether `message` is what became of a bad call of `tool`.
bool bad_arguments(Interceptor& interceptor, const Json& message, std::string_view tool) {
  if (!edit::is_of(interceptor, message, tool)) return false;
  const Json* const result = find(message, "result");
  return find(message, "error") != nullptr ||
         (result != nullptr && bool_or(*result, "isError", false));
}

Json summed(Json structured, std::string text) {
  Json result = edit::text_result(std::move(text));
  result["structuredContent"] = std::move(structured);
  return result;
}

const Deviation kToolsCallsDeviations[] = {
    {.id = "tools.result-content-required",
     .revision = "2025-11-25",
     .what = "answers without content",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (Json* const result = edit::result_about(interceptor, message, "test_simple_text")) {
             result->erase("content");
           }
           interceptor.say(message);
         }},
    {.id = "tools.result-content-required",
     .revision = "2025-11-25",
     .what = "embeds a resource without the member resource",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (Json* const result = edit::result_about(interceptor, message, "test_simple_text")) {
             (*result)["content"] =
                 Json::array({{{"type", "resource"}, {"uri", "test://x"}, {"text", "x"}}});
           }
           interceptor.say(message);
         }},
    {.id = "tools.embedded-resource-capability",
     .revision = "2025-11-25",
     .what = "embeds resources without having any",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           edit::undeclare(interceptor, message, "resources");
           if (interceptor.method_asked(message).starts_with("resources/")) {
             edit::refuse_instead(message, -32601);
           }
           interceptor.say(message);
         }},
    {.id = "tools.structured-content-object",
     .revision = "2025-11-25",
     .what = "has a structure that is a list",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           Json* const result = edit::result_about(interceptor, message, "add_numbers");
           if (result != nullptr && !bool_or(*result, "isError", false)) {
             *result = summed(Json::array(), "[]");
           }
           interceptor.say(message);
         },
     .also = {"tools.output-schema-conform"}},
    {.id = "tools.structured-text-fallback",
     .revision = "2025-11-25",
     .what = "says something else in its text",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           Json* const result = edit::result_about(interceptor, message, "add_numbers");
           if (result != nullptr && result->contains("structuredContent")) {
             *result = summed((*result)["structuredContent"], "a sum");
           }
           interceptor.say(message);
         }},
    {.id = "tools.output-schema-conform",
     .revision = "2025-11-25",
     .what = "has another structure than promised",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           Json* const result = edit::result_about(interceptor, message, "add_numbers");
           if (result != nullptr && result->contains("structuredContent")) {
             Json other = Json::object();
             other["total"] = 1;
             *result = summed(other, dump_json(other));
           }
           interceptor.say(message);
         }},
    {.id = "tools.unknown-tool-protocol-error",
     .revision = "2025-11-25",
     .what = "takes an unknown tool for one that fails",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (edit::is_of(interceptor, message, "plumbline_no_such_tool")) {
             edit::answer_instead(message, edit::text_result("no such tool"));
             message["result"]["isError"] = true;
           }
           interceptor.say(message);
         }},
    {.id = "tools.name-case-sensitive",
     .revision = "2025-11-25",
     .what = "takes upper case for lower case",
     .from_client =
         [](Interceptor& interceptor, std::string text) {
           Json message = edit::read(text);
           if (edit::is_method(message, "tools/call") && message["params"]["name"].is_string()) {
             std::string name = message["params"]["name"];
             for (char& c : name) c = static_cast<char>(std::tolower(c));
             message["params"]["name"] = name;
             return interceptor.pass(message);
           }
           interceptor.pass_text(std::move(text));
         }},
    {.id = "tools.malformed-call-protocol-error",
     .revision = "2026-07-28",
     .what = "takes a number for the name of a tool that fails",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           const Json params = edit::params_asked(interceptor, message);
           const Json* const name = find(params, "name");
           if (name != nullptr && name->is_number()) {
             edit::answer_instead(message, edit::text_result("no name"));
             message["result"]["isError"] = true;
           }
           interceptor.say(message);
         }},
    {.id = "tools.execution-error-in-result",
     .revision = "2025-11-25",
     .what = "fails without isError",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (Json* const result =
                   edit::result_about(interceptor, message, "test_error_handling")) {
             result->erase("isError");
           }
           interceptor.say(message);
         }},
    {.id = "tools.execution-error-in-result",
     .revision = "2025-11-25",
     .what = "tells of a failure in a text alone",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           const Json params = edit::params_asked(interceptor, message);
           const Json* const arguments = find(params, "arguments");
           const Json* const name = at_pointer(params, "/arguments/name");
           const bool greets = edit::result_about(interceptor, message, "greet") != nullptr;
           if (greets && name != nullptr && name->is_string() && arguments->size() == 1) {
             edit::answer_instead(
                 message, edit::text_result("Error: there is no " + name->get<std::string>()));
           }
           interceptor.say(message);
         }},
    {.id = "tools.execution-error-in-result",
     .revision = "2025-11-25",
     .what = "tells of each breakdown in a text alone",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           const Json params = edit::params_asked(interceptor, message);
           const Json* const name = at_pointer(params, "/arguments/name");
           const Json* const result = edit::result_about(interceptor, message, "greet");
           const bool greets = result != nullptr && !bool_or(*result, "isError", false);
           if (greets && name != nullptr && name->is_string()) {
             edit::answer_instead(
                 message, edit::text_result("Error greeting them: list index out of range"));
           }
           interceptor.say(message);
         }},
    {.id = "tools.execution-error-in-result",
     .revision = "2025-11-25",
     .what = "fails by an error of the protocol",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           const Json params = edit::params_asked(interceptor, message);
           const Json* const name = at_pointer(params, "/arguments/name");
           const bool greets = edit::result_about(interceptor, message, "greet") != nullptr;
           if (greets && name != nullptr && name->is_string()) {
             edit::refuse_instead(message, -32603);
             message["error"]["message"] = name->get<std::string>() + " not found";
           }
           interceptor.say(message);
         }},
    {.id = "tools.inputs-validated",
     .revision = "2025-11-25",
     .what = "takes any arguments",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (bad_arguments(interceptor, message, "greet")) {
             edit::answer_instead(message, edit::text_result("fine"));
           }
           interceptor.say(message);
         }},
    {.id = "tools.inputs-validated",
     .revision = "2025-11-25",
     .what = "never answers without a name",
     .from_client_message =
         [](Interceptor& interceptor, Json message) {
           const Json* const name = at_pointer(message, "/params/arguments/name");
           const bool greets = string_or(message, "method", "") == "tools/call" &&
                               at_pointer(message, "/params/name") != nullptr &&
                               *at_pointer(message, "/params/name") == Json("greet");
           if (!greets || name != nullptr) interceptor.pass(message);
         }},
    {.id = "tools.input-validation-in-result",
     .revision = "2025-11-25",
     .what = "refuses arguments by a protocol error",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (bad_arguments(interceptor, message, "greet")) edit::refuse_instead(message, -32602);
           interceptor.say(message);
         }},
    {.id = "tools.input-validation-in-result",
     .revision = "2025-11-25",
     .what = "refuses arguments by a code of its own",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (bad_arguments(interceptor, message, "greet")) edit::refuse_instead(message, -32000);
           interceptor.say(message);
         }},
};

}  // namespace

Deviations tools_calls_deviations() { return kToolsCallsDeviations; }

}  // namespace plumbline::conformance
