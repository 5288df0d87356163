// No server is blamed that keeps what its tools say, though it looks like one that does not.

#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "conformance/broken/message_edits.h"
#include "conformance/broken/own_tool.h"
#include "conformance/broken/replies.h"
#include "conformance/broken/right_subject_fixture.h"

namespace plumbline::conformance {
namespace {

Json* own_schema(Interceptor& interceptor, Json& message) {
  Json* const list = edit::result_of(interceptor, message, "tools/list");
  Json* const tool = edit::in_list(list, "tools", kOwnTool);
  return tool == nullptr ? nullptr : &(*tool)["inputSchema"]["properties"];
}

// cuts_and_says_both gives as many as it may, and says how many were asked for.
void cuts_and_says_both(Interceptor& interceptor, Json message, bool reads) {
  Json arguments;
  if (own_tool(interceptor, message, R"({"most": {"type": "integer"}})", reads, arguments)) {
    const std::int64_t asked = int_or(arguments, "most", 10);
    const std::int64_t most = asked < 1 ? 1 : asked > 10 ? 10 : asked;
    answer_with(message, Json{{"requested", asked}, {"most", most}});
  }
  if (Json* const properties = own_schema(interceptor, message)) {
    (*properties)["most"]["minimum"] = 1;
    (*properties)["most"]["maximum"] = 10;
  }
  interceptor.say(message);
}

// cuts_and_adds_a_note says what it has done in one more member.
void cuts_and_adds_a_note(Interceptor& interceptor, Json message) {
  Json arguments;
  if (own_tool(interceptor, message, R"({"percent": {"type": "integer"}})", false, arguments)) {
    const std::int64_t asked = int_or(arguments, "percent", 0);
    Json answer = {{"percent", asked}};
    if (asked > 100) answer["note"] = "set to all there is";
    if (asked < 0) answer["note"] = "set to none";
    answer_with(message, answer);
  }
  if (Json* const properties = own_schema(interceptor, message)) {
    (*properties)["percent"]["minimum"] = 0;
    (*properties)["percent"]["maximum"] = 100;
  }
  interceptor.say(message);
}

// cuts_a_fraction off an integer, and says both.
void cuts_a_fraction(Interceptor& interceptor, Json message) {
  Json arguments;
  if (own_tool(interceptor, message, R"({"row": {"type": "number"}})", true, arguments)) {
    const Json* const row = find(arguments, "row");
    const Json asked = row == nullptr ? Json(1) : *row;
    answer_with(message, Json{{"requested", asked},
                              {"row", static_cast<std::int64_t>(asked.get<double>())}});
  }
  if (Json* const properties = own_schema(interceptor, message)) {
    (*properties)["row"]["type"] = "integer";
  }
  interceptor.say(message);
}

// wants_a_filter_in_a_text, which no type of a schema tells.
void wants_a_filter_in_a_text(Interceptor& interceptor, Json message) {
  Json arguments;
  if (own_tool(interceptor, message, R"({"filter": {"type": "string"}})", true, arguments)) {
    if (arguments.contains("filter")) {
      fail_as_own_tool(message, "filter: Cannot deserialize value of type Filter from a text");
    } else {
      answer_with(message, Json{{"found", 0}});
    }
  }
  interceptor.say(message);
}

void deletes_much_later(Interceptor& interceptor, Json message) {
  Json arguments;
  if (own_tool(interceptor, message, "{}", false, arguments)) {
    answer_with(message, Json{{"archived", true}});
  }
  Json* const list = edit::result_of(interceptor, message, "tools/list");
  if (Json* const tool = edit::in_list(list, "tools", kOwnTool)) {
    (*tool)["annotations"]["destructiveHint"] = false;
  }
  describe_own_tool(interceptor, message,
                    "Archives a note. Archived notes are permanently deleted after 30 days.");
  interceptor.say(message);
}

// has_no_mean_of_nothing is right in what it says: the schema allows what has no answer.
void has_no_mean_of_nothing(Interceptor& interceptor, Json message) {
  Json arguments;
  if (own_tool(interceptor, message, R"({"of": {"type": "string", "enum": ["count", "mean"]}})",
               true, arguments)) {
    if (string_or(arguments, "of", "count") == "mean") {
      fail_as_own_tool(message, "The mean of an empty column is undefined.");
    } else {
      answer_with(message, Json{{"count", 0}});
    }
  }
  interceptor.say(message);
}

void lists_fares_in_two_currencies(Interceptor& interceptor, Json message) {
  always_answers(interceptor, std::move(message), "Lists fares, cheapest first.",
                 R"({"fares": [{"name": "Night", "price": 19, "currency": "EUR"},
                               {"name": "Coast", "price": 4200, "currency": "JPY"},
                               {"name": "Day", "price": 49, "currency": "EUR"}]})");
}

void counts_what_it_gives(Interceptor& interceptor, Json message) {
  Json arguments;
  if (own_tool(interceptor, message, R"({"limit": {"type": "integer", "minimum": 1}})", true,
               arguments)) {
    const std::int64_t limit = int_or(arguments, "limit", 5);
    Json found = Json::array();
    for (std::int64_t i = 0; i < limit && i < 5; ++i) found.push_back("n" + std::to_string(i));
    answer_with(message, Json{{"notes", found}, {"total", found.size()}});
  }
  describe_own_tool(interceptor, message,
                    "Finds notes. \"total\" counts those that match, up to the limit.");
  interceptor.say(message);
}

// gives_an_exact_number that is beyond 2^53, and that every double holds: 2^60.
void gives_an_exact_number(Interceptor& interceptor, Json message) {
  Json arguments;
  if (own_tool(interceptor, message, "{}", true, arguments)) {
    const Json answer = edit::read(R"({"bytes": 1152921504606846976})");
    answer_with(message, answer);
    message["result"]["structuredContent"] = answer;
  }
  interceptor.say(message);
}

void logs_where_it_goes_on(Interceptor& interceptor, Json message) {
  if (method_of(message) == "notifications/message") {
    message["params"]["data"] = {
        {"listed", 50}, {"next_page_token", "eyJvZmZzZXQiOjUwLCJvcmRlciI6Im5hbWUiLCJwIjozfQ"}};
  }
  interceptor.say(message);
}

// shades_a_little rounds 0 up, and says so.
void shades_a_little(Interceptor& interceptor, Json message) {
  Json arguments;
  if (own_tool(interceptor, message,
               R"({"percent": {"type": "integer", "minimum": 0, "maximum": 100, "default": 50}})",
               false, arguments)) {
    const std::int64_t asked = int_or(arguments, "percent", 50);
    Json answer = {{"shade_percent", asked == 0 ? 50 : asked}};
    if (asked == 0) answer["note"] = "the screens stick: half is the least today";
    answer_with(message, answer);
  }
  interceptor.say(message);
}

// waits_as_usual for as long as it is told, where 0 stands for what is usual.
void waits_as_usual(Interceptor& interceptor, Json message) {
  Json arguments;
  if (own_tool(interceptor, message,
               R"({"minutes": {"type": "integer", "minimum": 0, "default": 50,
                               "description": "How long; 0 stands for the default."}})",
               false, arguments)) {
    const std::int64_t asked = int_or(arguments, "minutes", 0);
    answer_with(message, Json{{"minutes", asked == 0 ? 50 : asked}});
  }
  interceptor.say(message);
}

// keeps_to_the_calendar refuses days that there are not.
void keeps_to_the_calendar(Interceptor& interceptor, Json message) {
  Json arguments;
  if (own_tool(interceptor, message,
               R"({"date": {"type": "string", "description": "Day of the visit, YYYY-MM-DD."}})",
               false, arguments)) {
    const std::string day = string_or(arguments, "date", "");
    if (day.size() != 10 || day.ends_with("-30") || day.ends_with("-31")) {
      fail_as_own_tool(message, "There is no such day.");
    } else {
      answer_with(message, Json{{"day", day}});
    }
  }
  Json* const list = edit::result_of(interceptor, message, "tools/list");
  if (Json* const tool = edit::in_list(list, "tools", kOwnTool)) {
    (*tool)["inputSchema"]["required"] = Json::array({"date"});
  }
  interceptor.say(message);
}

void tells_in_parts(Interceptor& interceptor, Json message) {
  always_answers(interceptor, std::move(message), "Gives when and how long it ran, and how far.",
                 R"({"run_hours": 1, "run_minutes": 30, "wait_ms": 1501, "wait_seconds": 2,
                     "left_utc": "2026-06-01T06:00:00Z", "growth_percent": 240,
                     "left_local": "2026-06-01T08:00:00+02:00", "cpu_percent": 180,
                     "total": 0, "per_page": 3, "total_pages": 1,
                     "moved": {"starts_at": "2026-06-03T08:00:00Z",
                               "ends_at": "2026-06-01T08:00:00Z"}})");
}

void links_to_its_pages(Interceptor& interceptor, Json message) {
  Json arguments;
  if (own_tool(interceptor, message, R"({"page": {"type": "integer", "minimum": 1}})", true,
               arguments)) {
    answer_with(message, Json{{"notes", Json::array({"A"})},
                              {"next_page", "https://notes.example/list?page=2"}});
  }
  interceptor.say(message);
}

void lists_a_branching_letter(Interceptor& interceptor, Json message) {
  Json* const list = edit::result_of(interceptor, message, "prompts/list");
  if (list != nullptr && !list->contains("nextCursor")) {
    Json prompt = {{"name", "letter"}, {"description", "A letter."}};
    prompt["arguments"].push_back({{"name", "customer"},
                                   {"description", "Used only if the letter is personal."},
                                   {"required", true}});
    (*list)["prompts"].push_back(std::move(prompt));
  }
  interceptor.say(message);
}

void writes_impersonally(Interceptor& interceptor, Json message) {
  if (method_of(message) != "prompts/get" || value_at(message, "/params/name") != "letter") {
    return interceptor.pass(message);
  }
  Json result = Json::object();
  result["messages"].push_back(
      {{"role", "user"}, {"content", {{"type", "text"}, {"text", "To whom it may concern"}}}});
  answer(interceptor, id_of(message), std::move(result));
}

constexpr const char* kOfProfiles = R"([
  {"name": "get_profile", "inputSchema": {"type": "object"},
   "annotations": {"readOnlyHint": true}},
  {"name": "update_profile", "inputSchema": {"type": "object", "properties": {
     "theme": {"type": "string"}, "motto": {"type": "string", "default": ""}}}}])";

void lists_a_profile(Interceptor& interceptor, Json message) {
  Json* const tools = edit::result_of(interceptor, message, "tools/list");
  if (tools != nullptr && !tools->contains("nextCursor")) {
    for (const Json& tool : edit::read(kOfProfiles)) (*tools)["tools"].push_back(tool);
  }
  interceptor.say(message);
}

// keeps_a_profile takes the default of a motto that is left out.
void keeps_a_profile(Interceptor& interceptor, Json message) {
  Json& profile = interceptor.memory["profile"];
  if (profile.is_null()) profile = {{"theme", "dark"}, {"motto", "Onward"}};
  const Json tool = value_at(message, "/params/name");
  const bool updates = tool == "update_profile";
  if (method_of(message) != "tools/call" || (!updates && tool != "get_profile")) {
    return interceptor.pass(message);
  }
  const Json given = value_at(message, "/params/arguments");
  if (updates) {
    profile["theme"] = string_or(given, "theme", string_or(profile, "theme", ""));
    profile["motto"] = string_or(given, "motto", "");
  }
  answer(interceptor, id_of(message), edit::text_result(dump_json(profile)));
}

// takes_inches answers in the unit that it was given, or converts, as it says.
template <bool converts>
void takes_inches(Interceptor& interceptor, Json message) {
  Json arguments;
  if (own_tool(interceptor, message, R"({"chest": {"type": "number", "minimum": 20},
                                         "unit": {"type": "string", "enum": ["cm", "in"]}})",
               true, arguments)) {
    const double given =
        find(arguments, "chest") == nullptr ? 20 : arguments["chest"].get<double>();
    const bool inches = string_or(arguments, "unit", "cm") == "in";
    const double chest = converts && inches ? given * 2.54 : given;
    answer_with(
        message,
        Json{{"chest", chest}, {"unit", inches && !converts ? "in" : "cm"}, {"fits", true}});
  }
  describe_own_tool(interceptor, message, "Takes inches as well (1 in = 2.54 cm).");
  Json* const list = edit::result_of(interceptor, message, "tools/list");
  if (Json* const tool = edit::in_list(list, "tools", kOwnTool)) {
    (*tool)["inputSchema"]["required"] = Json::array({"chest", "unit"});
  }
  interceptor.say(message);
}

const RightSubject kPromisingServers[] = {
    {{.id = "tools.conversions-turn-back",
      .revision = "2025-11-25",
      .what = "answers in the unit that it was given",
      .from_server = takes_inches<false>},
     Verdict::kSkip},
    {{.id = "tools.conversions-turn-back",
      .revision = "2025-11-25",
      .what = "converts as it says",
      .from_server = takes_inches<true>},
     Verdict::kPass},
    {{.id = "logging.no-sensitive-data",
      .revision = "2025-11-25",
      .what = "logs the token of the next page",
      .from_server = logs_where_it_goes_on},
     Verdict::kSkip},
    {{.id = "tools.annotations-hold",
      .revision = "2025-11-25",
      .what = "archives what is deleted for good much later",
      .from_server = deletes_much_later},
     Verdict::kPass},
    {{.id = "tools.valid-arguments-taken",
      .revision = "2025-11-25",
      .what = "says that a mean is undefined",
      .from_server = has_no_mean_of_nothing},
     Verdict::kPass},
    {{.id = "tools.valid-arguments-taken",
      .revision = "2025-11-25",
      .what = "wants a filter in a text",
      .from_server = wants_a_filter_in_a_text},
     Verdict::kPass},
    {{.id = "tools.inputs-validated",
      .revision = "2025-11-25",
      .what = "cuts a fraction off, and says both",
      .from_server = cuts_a_fraction},
     Verdict::kPass},
    {{.id = "tools.inputs-validated",
      .revision = "2025-11-25",
      .what = "cuts a number to the most, and says both",
      .from_server =
          [](Interceptor& interceptor, Json message) {
            cuts_and_says_both(interceptor, std::move(message), true);
          }},
     Verdict::kPass},
    {{.id = "tools.inputs-validated",
      .revision = "2025-11-25",
      .what = "writes with a number that it cut, and says both",
      .from_server =
          [](Interceptor& interceptor, Json message) {
            cuts_and_says_both(interceptor, std::move(message), false);
          }},
     Verdict::kPass},
    {{.id = "tools.inputs-validated",
      .revision = "2025-11-25",
      .what = "cuts a number to the most, and notes that",
      .from_server = cuts_and_adds_a_note},
     Verdict::kPass},
    {{.id = "tools.changed-as-told",
      .revision = "2025-11-25",
      .what = "takes the default of what is left out",
      .from_server = lists_a_profile,
      .from_client_message = keeps_a_profile,
      .hints = R"({"tools": {"update_profile": {"call": true}}})"},
     Verdict::kPass},
    {{.id = "tools.order-as-described",
      .revision = "2025-11-25",
      .what = "lists prices in two currencies, cheapest first",
      .from_server = lists_fares_in_two_currencies},
     Verdict::kSkip},
    {{.id = "tools.found-as-described",
      .revision = "2025-11-25",
      .what = "counts what it gives, up to the limit",
      .from_server = counts_what_it_gives},
     Verdict::kSkip},
    {{.id = "tools.numbers-exact",
      .revision = "2025-11-25",
      .what = "answers with a large number that a double holds",
      .from_server = gives_an_exact_number},
     Verdict::kPass},
    {{.id = "tools.made-as-given",
      .revision = "2025-11-25",
      .what = "rounds 0 up, and says so",
      .from_server = shades_a_little},
     Verdict::kPass},
    {{.id = "tools.made-as-given",
      .revision = "2025-11-25",
      .what = "takes 0 for the default, as it says",
      .from_server = waits_as_usual},
     Verdict::kSkip},
    {{.id = "tools.made-as-given",
      .revision = "2025-11-25",
      .what = "refuses days that are in no calendar",
      .from_server = keeps_to_the_calendar},
     Verdict::kPass},
    {{.id = "tools.numbers-agree",
      .revision = "2025-11-25",
      .what = "tells a time in parts, and rounded",
      .from_server = tells_in_parts},
     Verdict::kPass},
    {{.id = "tools.pages-make-the-whole",
      .revision = "2025-11-25",
      .what = "gives the address of its next page",
      .from_server = links_to_its_pages},
     Verdict::kSkip},
    {{.id = "prompts.arguments-used",
      .revision = "2025-11-25",
      .what = "needs the name of a customer in some letters",
      .from_server = lists_a_branching_letter,
      .from_client_message = writes_impersonally},
     Verdict::kSkip},
};

class PromisingServer : public testing::TestWithParam<RightSubject> {};

TEST_P(PromisingServer, IsNotBlamed) { expect_not_blamed(GetParam()); }

INSTANTIATE_TEST_SUITE_P(All, PromisingServer, testing::ValuesIn(kPromisingServers),
                         [](const auto& named) { return "Number" + std::to_string(named.index); });

}  // namespace
}  // namespace plumbline::conformance
