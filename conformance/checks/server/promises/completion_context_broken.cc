// Wrong peers for completion_context.cc and completion_offers.cc.

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

#include "conformance/broken/message_edits.h"
#include "conformance/broken/replies.h"

namespace plumbline::conformance {

namespace {

constexpr const char* kLessons = "lesson://{language}/{lesson}";

// lists_lessons has a template of two variables.
void lists_lessons(Interceptor& interceptor, Json message) {
  if (Json* const list = edit::result_of(interceptor, message, "resources/templates/list")) {
    (*list)["resourceTemplates"].push_back({{"uriTemplate", kLessons}, {"name", "lesson"}});
  }
  interceptor.say(message);
}

// completion_of returns those of `values` that begin as what is typed.
Json completion_of(std::initializer_list<const char*> values, const std::string& typed) {
  Json found = Json::array();
  for (const std::string_view value : values) {
    if (value.starts_with(typed)) found.push_back(value);
  }
  Json result = Json::object();
  result["completion"]["values"] = std::move(found);
  return result;
}

// teaches_all_in_all completes each variable alone: there is a sauna in Finnish and sheep in Welsh.
void teaches_all_in_all(Interceptor& interceptor, Json message) {
  const Json id = id_of(message);
  if (value_at(message, "/params/ref/uri") == kLessons && !id.is_null()) {
    const Json* const argument = at_pointer(message, "/params/argument");
    const std::string name = argument == nullptr ? "" : string_or(*argument, "name", "");
    const std::string typed = argument == nullptr ? "" : string_or(*argument, "value", "");
    if (name == "language") {
      return answer(interceptor, id, completion_of({"welsh", "finnish"}, typed));
    }
    if (name == "lesson") return answer(interceptor, id, completion_of({"sauna", "sheep"}, typed));
  }
  const Json uri = value_at(message, "/params/uri");
  if (method_of(message) != "resources/read" ||
      (uri != "lesson://finnish/sauna" && uri != "lesson://welsh/sheep")) {
    return interceptor.pass(message);
  }
  Json result = Json::object();
  result["contents"] = Json::array();
  result["contents"].push_back({{"uri", uri}, {"mimeType", "text/plain"}, {"text", "A lesson."}});
  answer(interceptor, id, std::move(result));
}

// knows_few_pairs refuses a prompt for two of the words that it offers.
void knows_few_pairs(Interceptor& interceptor, Json message) {
  const bool asked = method_of(message) == "prompts/get";
  const bool refused = value_at(message, "/params/arguments/arg1") == "park" &&
                       value_at(message, "/params/arguments/arg2") == "party";
  if (!asked || !refused) return interceptor.pass(message);
  refuse(interceptor, id_of(message), -32602);
}

// lists_a_letter has a prompt more.
void lists_a_letter(Interceptor& interceptor, Json message) {
  Json* const list = edit::result_of(interceptor, message, "prompts/list");
  if (list != nullptr && !list->contains("nextCursor")) {
    Json prompt = {{"name", "letter"}, {"description", "A letter to a customer."}};
    prompt["arguments"].push_back({{"name", "customer"}, {"required", true}});
    (*list)["prompts"].push_back(std::move(prompt));
  }
  interceptor.say(message);
}

// writes_to_anyone writes the same to each of them.
void writes_to_anyone(Interceptor& interceptor, Json message) {
  if (method_of(message) != "prompts/get" || value_at(message, "/params/name") != "letter") {
    return interceptor.pass(message);
  }
  if (!value_at(message, "/params/arguments/customer").is_string()) {
    return refuse(interceptor, id_of(message), -32602);
  }
  Json result = Json::object();
  result["messages"].push_back(
      {{"role", "user"}, {"content", {{"type", "text"}, {"text", "Dear customer"}}}});
  answer(interceptor, id_of(message), std::move(result));
}

const Deviation kCompletionContextDeviations[] = {
    {.id = "completion.context-respected",
     .revision = "2025-11-25",
     .what = "offers every lesson in every language",
     .from_server = lists_lessons,
     .from_client_message = teaches_all_in_all},
    {.id = "completion.context-respected",
     .revision = "2026-07-28",
     .what = "offers words for a prompt that do not go together",
     .from_client_message = knows_few_pairs},
    {.id = "prompts.arguments-used",
     .revision = "2025-11-25",
     .what = "writes the same to whomever it is to write",
     .from_server = lists_a_letter,
     .from_client_message = writes_to_anyone},
};

}  // namespace

Deviations completion_context_deviations() { return kCompletionContextDeviations; }

}  // namespace plumbline::conformance
