// Wrong peers for tools_pages.cc, ../words/tools_silence.cc and ../completion_offers.cc.

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "conformance/broken/message_edits.h"
#include "conformance/broken/replies.h"

namespace plumbline::conformance {

namespace {

constexpr const char* kPaged = "test_simple_text";

// gives_page answers with numbers of which the last of a page comes on the next again.
void gives_page(Json& message, const Json& arguments) {
  Json result = edit::text_result("limit and offset are whole numbers");
  const Json* const limit = find(arguments, "limit");
  const Json* const offset = find(arguments, "offset");
  const bool limited = limit == nullptr || limit->is_number_integer();
  const bool shifted = offset == nullptr || offset->is_number_integer();
  if (limited && shifted) {
    const int from = offset == nullptr ? 0 : offset->get<int>();
    const int count = limit == nullptr ? 3 : limit->get<int>();
    Json items = Json::array();
    for (int i = std::max(0, from - 1); i < std::min(from + count, 20); ++i) items.push_back(i);
    result = edit::text_result(dump_json(Json({{"numbers", items}})));
  } else {
    result["isError"] = true;
  }
  edit::answer_instead(message, std::move(result));
}

void overlaps_its_pages(Interceptor& interceptor, Json message) {
  Json* const list = edit::result_of(interceptor, message, "tools/list");
  if (Json* const tool = edit::in_list(list, "tools", kPaged)) {
    (*tool)["annotations"]["readOnlyHint"] = true;
    (*tool)["inputSchema"] = Json::object();
    (*tool)["inputSchema"]["type"] = "object";
    for (const char* const name : {"limit", "offset"}) {
      (*tool)["inputSchema"]["properties"][name]["type"] = "integer";
    }
  }
  if (edit::result_about(interceptor, message, kPaged) != nullptr) {
    const Json params = edit::params_asked(interceptor, message);
    const Json* const arguments = find(params, "arguments");
    gives_page(message, arguments == nullptr ? Json::object() : *arguments);
  }
  interceptor.say(message);
}

// reads_greetings has greet say that it only reads.
void reads_greetings(Interceptor& interceptor, Json message) {
  Json* const list = edit::result_of(interceptor, message, "tools/list");
  if (Json* const tool = edit::in_list(list, "tools", "greet")) {
    (*tool)["annotations"]["readOnlyHint"] = true;
  }
  interceptor.say(message);
}

// falls_silent_for_some never greets what is called otherwise than the first.
void falls_silent_for_some(Interceptor& interceptor, Json message) {
  const bool greets =
      method_of(message) == "tools/call" && value_at(message, "/params/name") == Json("greet");
  const Json name = value_at(message, "/params/arguments/name");
  if (greets && name.is_string() && name.get<std::string>().starts_with("static")) return;
  interceptor.pass(message);
}

constexpr const char* kQuiz = "quiz";

void lists_quiz(Interceptor& interceptor, Json message) {
  Json* const list = edit::result_of(interceptor, message, "prompts/list");
  if (list != nullptr && !list->contains("nextCursor")) {
    Json quiz = {{"name", kQuiz}};
    quiz["arguments"].push_back({{"name", "topic"}, {"required", true}});
    (*list)["prompts"].push_back(std::move(quiz));
  }
  interceptor.say(message);
}

// offers_capitals offers topics with capitals, and knows them in small letters.
void offers_capitals(Interceptor& interceptor, Json message) {
  const Json id = id_of(message);
  if (value_at(message, "/params/ref/name") == Json(kQuiz) && !id.is_null()) {
    Json result = Json::object();
    result["completion"]["values"] = Json::array();
    const Json typed = value_at(message, "/params/argument/value");
    if (typed.is_string() && std::string_view("Animals").starts_with(typed.get<std::string>()))
      result["completion"]["values"].push_back("Animals");
    return answer(interceptor, id, std::move(result));
  }
  const bool asked =
      method_of(message) == "prompts/get" && value_at(message, "/params/name") == Json(kQuiz);
  if (!asked) return interceptor.pass(message);
  const Json topic = value_at(message, "/params/arguments/topic");
  Json response = {{"jsonrpc", "2.0"}, {"id", id}};
  response["error"]["code"] = -32602;
  response["error"]["message"] = "There is no topic " + dump_json(topic);
  interceptor.say(response);
}

const Deviation kToolsValuesDeviations[] = {
    {.id = "tools.pages-make-the-whole",
     .revision = "2025-11-25",
     .what = "gives the last of a page on the next again",
     .from_server = overlaps_its_pages},
    {.id = "tools.each-call-answered",
     .revision = "2025-11-25",
     .what = "never answers for some values",
     .from_server = reads_greetings,
     .from_client_message = falls_silent_for_some},
    {.id = "completion.offers-are-taken",
     .revision = "2025-11-25",
     .what = "offers what its prompt refuses",
     .from_server = lists_quiz,
     .from_client_message = offers_capitals},
};

}  // namespace

Deviations tools_values_deviations() { return kToolsValuesDeviations; }

}  // namespace plumbline::conformance
