// Wrong peers for tools_reading.cc and lists/tools_searching.cc.

#include <string>
#include <string_view>

#include "conformance/broken/message_edits.h"

namespace plumbline::conformance {

namespace {

// greets_reading has greet say that it only reads, and returns the result of a call of it that went
// well; nullptr for anything else.
Json* greets_reading(Interceptor& interceptor, Json& message) {
  Json* const list = edit::result_of(interceptor, message, "tools/list");
  if (Json* const tool = edit::in_list(list, "tools", "greet")) {
    (*tool)["annotations"]["readOnlyHint"] = true;
  }
  Json* const result = edit::result_about(interceptor, message, "greet");
  return result == nullptr || bool_or(*result, "isError", false) ? nullptr : result;
}

// fails_as_a_tool has a call fail with a result.
void fails_as_a_tool(Json& message, std::string text) {
  Json failure = edit::text_result(std::move(text));
  failure["isError"] = true;
  edit::answer_instead(message, std::move(failure));
}

void forgets_every_second_time(Interceptor& interceptor, Json message) {
  Json* const result = greets_reading(interceptor, message);
  if (result != nullptr && ++interceptor.count % 2 == 0) {
    edit::answer_instead(message, edit::text_result("Hello, nobody!"));
  }
  interceptor.say(message);
}

void forgets_after_once(Interceptor& interceptor, Json message) {
  Json* const result = greets_reading(interceptor, message);
  if (result != nullptr && ++interceptor.count > 1) {
    edit::answer_instead(message, edit::text_result("Hello, nobody!"));
  }
  interceptor.say(message);
}

void greets_once(Interceptor& interceptor, Json message) {
  Json* const result = greets_reading(interceptor, message);
  if (result != nullptr && interceptor.count++ > 0) {
    fails_as_a_tool(message, "All names have been said.");
  }
  interceptor.say(message);
}

// counts_greetings has each greeting change what is read of the resource that is called so.
void counts_greetings(Interceptor& interceptor, Json message) {
  if (greets_reading(interceptor, message) != nullptr) ++interceptor.count;
  Json* const read = edit::result_of(interceptor, message, "resources/read");
  if (read != nullptr && interceptor.count > 0 && !(*read)["contents"].empty()) {
    Json& contents = (*read)["contents"].front();
    if (contents.contains("text")) contents["text"] = std::string(interceptor.count, '!');
  }
  interceptor.say(message);
}

// shows_before_and_after has a tool that says it reads give one text, and from the first call of
// another such tool on the other.
void shows_before_and_after(Interceptor& interceptor, Json message, const char* before,
                            const char* after) {
  greets_reading(interceptor, message);
  Json* const list = edit::result_of(interceptor, message, "tools/list");
  for (const char* const name : {"test_simple_text", "test_multiple_content_types"}) {
    if (Json* const tool = edit::in_list(list, "tools", name)) {
      (*tool)["annotations"]["readOnlyHint"] = true;
    }
  }
  if (edit::result_about(interceptor, message, "test_multiple_content_types") != nullptr) {
    interceptor.count = 1;
  }
  if (edit::result_about(interceptor, message, "test_simple_text") != nullptr) {
    edit::answer_instead(message, edit::text_result(interceptor.count == 0 ? before : after));
  }
  interceptor.say(message);
}

// searches_by_pattern has greet look for a text, as a pattern.
void searches_by_pattern(Interceptor& interceptor, Json message) {
  greets_reading(interceptor, message);
  Json* const list = edit::result_of(interceptor, message, "tools/list");
  if (Json* const tool = edit::in_list(list, "tools", "greet")) {
    (*tool)["description"] = "Finds greetings that have a text in them";
    (*tool)["inputSchema"] = {{"type", "object"},
                              {"properties", {{"query", {{"type", "string"}}}}},
                              {"required", {"query"}}};
  }
  if (edit::is_of(interceptor, message, "greet")) {
    const Json params = edit::params_asked(interceptor, message);
    const Json* const query = at_pointer(params, "/arguments/query");
    if (query == nullptr || !query->is_string()) {
      fails_as_a_tool(message, "A query is a text.");
    } else if (query->get<std::string>().find('(') != std::string::npos) {
      fails_as_a_tool(message, "Invalid regular expression: Unterminated group");
    } else {
      edit::answer_instead(message, edit::text_result("Hello"));
    }
  }
  interceptor.say(message);
}

// tells_two_prices has two tools tell of one article.
void tells_two_prices(Interceptor& interceptor, Json message) {
  Json* const list = edit::result_of(interceptor, message, "tools/list");
  for (const char* const name : {"greet", "test_simple_text"}) {
    Json* const tool = edit::in_list(list, "tools", name);
    if (tool != nullptr) (*tool)["annotations"]["readOnlyHint"] = true;
    const Json* const result = edit::result_about(interceptor, message, name);
    if (result == nullptr || bool_or(*result, "isError", false)) continue;
    Json article = {{"id", 7}, {"name", "Lamp"}};
    article["price"] = std::string_view(name) == "greet" ? 450 : 5;
    edit::answer_instead(message, edit::text_result(dump_json(article)));
    break;
  }
  interceptor.say(message);
}

const Deviation kToolsReadingDeviations[] = {
    {.id = "tools.answers-alike",
     .revision = "2025-11-25",
     .what = "answers every second time otherwise",
     .from_server = forgets_every_second_time},
    {.id = "tools.answers-alike",
     .revision = "2025-11-25",
     .what = "gives all at the first call and nothing after that",
     .from_server = forgets_after_once},
    {.id = "tools.answers-alike",
     .revision = "2026-07-28",
     .what = "answers once and no more",
     .from_server = greets_once},
    {.id = "tools.answers-agree",
     .revision = "2025-11-25",
     .what = "says another price alone than in the list",
     .from_server = tells_two_prices},
    {.id = "tools.reading-changes-nothing",
     .revision = "2025-11-25",
     .what = "changes the resource that a reading call names",
     .from_server = counts_greetings},
    {.id = "tools.reading-changes-nothing",
     .revision = "2025-11-25",
     .what = "sorts what is stored where it shows it sorted",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           shows_before_and_after(interceptor, std::move(message), "[3,1]", "[1,3]");
         }},
    {.id = "tools.reading-changes-nothing",
     .revision = "2025-11-25",
     .what = "closes what a reading call hands out",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           shows_before_and_after(interceptor, std::move(message), R"({"open":[1,2,3]})",
                                  R"({"open":[2,3]})");
         }},
    {.id = "tools.searched-text-is-text",
     .revision = "2025-11-25",
     .what = "puts what is searched for into a pattern",
     .from_server = searches_by_pattern},
};

}  // namespace

Deviations tools_reading_deviations() { return kToolsReadingDeviations; }

}  // namespace plumbline::conformance
