#include <string>

#include "conformance/broken/deviation.h"
#include "conformance/broken/message_edits.h"
#include "conformance/broken/own_tool.h"

namespace plumbline::conformance {

namespace {

Json completed(int count) {
  Json result = Json::object();
  result["resultType"] = "complete";
  Json& values = result["completion"]["values"] = Json::array();
  for (int i = 0; i < count; ++i) values.push_back("value " + std::to_string(i));
  return result;
}

Json* completion_of(Interceptor& interceptor, Json& message) {
  return edit::result_of(interceptor, message, "completion/complete");
}

bool types_nothing(Interceptor& interceptor, const Json& message) {
  const Json params = edit::params_asked(interceptor, message);
  const Json* const value = at_pointer(params, "/argument/value");
  return value != nullptr && *value == Json("");
}

// offers_students has students by a tool, no completions, and a template of which it reads nothing.
void offers_students(Interceptor& interceptor, Json message) {
  edit::undeclare(interceptor, message, "completions");
  Json arguments;
  if (own_tool(interceptor, message, R"({"studentId": {"type": "string", "enum": ["S-1", "S-2"]}})",
               true, arguments)) {
    answer_with(message, Json{{"id", string_or(arguments, "studentId", "S-1")}});
  }
  Json* const list = edit::result_of(interceptor, message, "resources/templates/list");
  if (list != nullptr) {
    (*list)["resourceTemplates"] = Json::array();
    (*list)["resourceTemplates"].push_back(
        {{"name", "student"}, {"uriTemplate", "grades://students/{studentId}"}});
  }
  if (interceptor.method_asked(message) == "completion/complete") {
    edit::refuse_instead(message, -32601);
  }
  const std::string uri = string_or(edit::params_asked(interceptor, message), "uri", "");
  if (uri.starts_with("grades://")) edit::refuse_instead(message, -32002);
  interceptor.say(message);
}

const Deviation kCompletionDeviations[] = {
    {.id = "completion.listed-is-served",
     .revision = "2025-11-25",
     .what = "knows its templates by their names alone",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           const Json params = edit::params_asked(interceptor, message);
           const Json* const type = at_pointer(params, "/ref/type");
           if (type != nullptr && *type == Json("ref/resource")) {
             edit::refuse_instead(message, -32602);
           }
           interceptor.say(message);
         }},
    {.id = "resources.template-readable",
     .revision = "2025-11-25",
     .what = "reads nothing that is made of a template",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           const Json params = edit::params_asked(interceptor, message);
           const std::string uri = string_or(params, "uri", "");
           const bool reads = interceptor.method_asked(message) == "resources/read";
           if (reads && uri.starts_with("test://template/")) edit::refuse_instead(message, -32002);
           interceptor.say(message);
         }},
    {.id = "resources.template-readable",
     .revision = "2025-11-25",
     .what = "reads none of the ids that its tools give",
     .from_server = offers_students},
    {.id = "resources.template-readable",
     .revision = "2025-11-25",
     .what = "decodes nothing that a template was filled with",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           const Json params = edit::params_asked(interceptor, message);
           const std::string uri = string_or(params, "uri", "");
           Json* const result = completion_of(interceptor, message);
           if (result != nullptr && types_nothing(interceptor, message)) {
             Json& completion = (*result)["completion"];
             completion["values"].push_back("Zoë Smith");
             completion["total"] = completion["values"].size();
           }
           const bool reads = interceptor.method_asked(message) == "resources/read";
           if (reads && uri.find('%') != std::string::npos) edit::refuse_instead(message, -32002);
           interceptor.say(message);
         }},
    {.id = "completion.capability-declared",
     .revision = "2025-11-25",
     .what = "completes without saying so",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           edit::undeclare(interceptor, message, "completions");
           interceptor.say(message);
         },
     .also = {"completion.unsupported-method-not-found"}},
    {.id = "completion.max-100-values",
     .revision = "2025-11-25",
     .what = "has 150 values at a time",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           Json* const result = completion_of(interceptor, message);
           if (result != nullptr && types_nothing(interceptor, message)) *result = completed(150);
           interceptor.say(message);
         }},
    {.id = "completion.max-100-values",
     .revision = "2026-07-28",
     .what = "has a total that is less than its values",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           Json* const result = completion_of(interceptor, message);
           if (result != nullptr && types_nothing(interceptor, message)) {
             Json more = completed(5);
             more["completion"]["total"] = 2;
             edit::answer_instead(message, std::move(more));
           }
           interceptor.say(message);
         }},
    {.id = "completion.max-100-values",
     .revision = "2025-11-25",
     .what = "cuts its values and counts those that are left",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           const Json params = edit::params_asked(interceptor, message);
           const std::string typed = string_or(
               params.is_object() ? params.value("argument", Json::object()) : Json(), "value", "");
           if (completion_of(interceptor, message) != nullptr && typed.size() < 2) {
             Json some = completed(typed.empty() ? 5 : typed == "v" ? 7 : 0);
             some["completion"]["total"] = some["completion"]["values"].size();
             some["completion"]["hasMore"] = false;
             edit::answer_instead(message, std::move(some));
           }
           interceptor.say(message);
         }},
    {.id = "completion.unsupported-method-not-found",
     .revision = "2025-11-25",
     .what = "does not complete, and fails by itself",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           edit::undeclare(interceptor, message, "completions");
           if (interceptor.method_asked(message) == "completion/complete") {
             edit::refuse_instead(message, -32603);
           }
           interceptor.say(message);
         }},
    {.id = "completion.invalid-ref-error",
     .revision = "2025-11-25",
     .what = "completes for a prompt that there is not",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           const Json params = edit::params_asked(interceptor, message);
           const Json* const name = at_pointer(params, "/ref/name");
           if (name != nullptr && *name == Json("plumbline_no_such_prompt")) {
             edit::answer_instead(message, completed(0));
           }
           interceptor.say(message);
         }},
    {.id = "completion.missing-argument-error",
     .revision = "2025-11-25",
     .what = "fails by itself when it is not told what to complete",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           const Json params = edit::params_asked(interceptor, message);
           const bool completes = interceptor.method_asked(message) == "completion/complete";
           if (completes && find(params, "argument") == nullptr) {
             edit::refuse_instead(message, -32603);
           }
           interceptor.say(message);
         }},
    {.id = "completion.sorted-and-fuzzy",
     .revision = "2025-11-25",
     .what = "has the same values whatever is typed",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (Json* const result = completion_of(interceptor, message)) *result = completed(3);
           interceptor.say(message);
         }},
    {.id = "completion.inputs-validated",
     .revision = "2025-11-25",
     .what = "completes what is no reference",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           const Json params = edit::params_asked(interceptor, message);
           const Json* const type = at_pointer(params, "/ref/type");
           if (type != nullptr && *type == Json("ref/plumbline")) {
             edit::answer_instead(message, completed(2));
           }
           interceptor.say(message);
         }},
};

}  // namespace

Deviations completion_deviations() { return kCompletionDeviations; }

}  // namespace plumbline::conformance
