// Wrong peers for tools_bounds.cc, tools_defaults.cc, tools_results.cc, kept_values.cc,
// words/given_values.cc and lists/going_on.cc: tools that are the peer's own.

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "conformance/broken/message_edits.h"
#include "conformance/broken/own_tool.h"
#include "conformance/broken/replies.h"

namespace plumbline::conformance {

namespace {

void puts_an_object_into_a_text(Interceptor& interceptor, Json message) {
  Json arguments;
  if (own_tool(interceptor, message, "{}", true, arguments)) {
    fail_as_own_tool(message, "Error: [object Object]");
  }
  interceptor.say(message);
}

void sorts_numbers_as_texts(Interceptor& interceptor, Json message) {
  Json arguments;
  if (own_tool(interceptor, message, "{}", true, arguments)) {
    answer_with(message, edit::read(R"({"search": {"p50": 340, "p95": 95}})"));
  }
  interceptor.say(message);
}

void uses_another_default(Interceptor& interceptor, Json message) {
  Json arguments;
  if (own_tool(interceptor, message, R"({"currency": {"type": "string", "default": "EUR"}})", false,
               arguments)) {
    Json booked = edit::read(R"({"amount": 100})");
    booked["currency"] = string_or(arguments, "currency", "USD");
    answer_with(message, booked);
  }
  interceptor.say(message);
}

// uses_another_than_it_says has its default in words alone.
void uses_another_than_it_says(Interceptor& interceptor, Json message) {
  Json arguments;
  if (own_tool(interceptor, message,
               R"({"priority": {"type": "string", "enum": ["high", "low", "normal"]}})", false,
               arguments)) {
    answer_with(message, Json{{"priority", string_or(arguments, "priority", "low")}});
  }
  describe_own_tool(interceptor, message,
                    "Makes a card. The priority is \"normal\" unless another one is given.");
  interceptor.say(message);
}

// removes_when_it_tries has a job removed by a run that is meant to tell alone what would be.
void removes_when_it_tries(Interceptor& interceptor, Json message) {
  Json arguments;
  if (own_tool(interceptor, message, R"({"dry_run": {"type": "boolean"}})", false, arguments)) {
    if (bool_or(arguments, "dry_run", false)) ++interceptor.count;
    answer_with(message, edit::read(R"({"removed": "the first"})"));
  }
  Json* const list = edit::result_of(interceptor, message, "tools/list");
  if (Json* const tool = edit::in_list(list, "tools", "greet")) {
    (*tool)["annotations"]["readOnlyHint"] = true;
  }
  const Json* const greeting = edit::result_about(interceptor, message, "greet");
  if (greeting != nullptr && !bool_or(*greeting, "isError", false)) {
    answer_with(message, Json{{"jobs", {"j" + std::to_string(interceptor.count)}}});
  }
  interceptor.say(message);
}

void takes_zero_for_none(Interceptor& interceptor, Json message) {
  Json arguments;
  if (own_tool(interceptor, message, R"({"max_price": {"type": "integer", "minimum": 0}})", true,
               arguments)) {
    const std::int64_t most = int_or(arguments, "max_price", 0);
    Json found = Json::array();
    for (const int price : {3, 5, 9}) {
      if (most == 0 || price <= most) found.push_back(Json{{"price", price}});
    }
    answer_with(message, Json{{"articles", found}});
  }
  interceptor.say(message);
}

void compares_times_as_texts(Interceptor& interceptor, Json message) {
  Json arguments;
  if (own_tool(interceptor, message, R"({"since": {"type": "string", "format": "date-time"}})",
               true, arguments)) {
    const std::string since = string_or(arguments, "since", "");
    Json found = Json::array();
    for (const char* const at :
         {"2026-03-01T08:00:00Z", "2026-03-01T10:00:00Z", "2026-03-01T11:30:00Z"}) {
      if (std::string_view(at) >= since) found.push_back(Json{{"at", at}});
    }
    answer_with(message, Json{{"entries", found}});
  }
  interceptor.say(message);
}

// keeps_its_filter searches by what it was last asked for, where nothing is asked for now.
void keeps_its_filter(Interceptor& interceptor, Json message) {
  Json arguments;
  if (own_tool(interceptor, message, R"({"language": {"type": "string", "enum": ["de", "en"]}})",
               true, arguments)) {
    if (arguments.contains("language")) interceptor.count = 1;
    answer_with(message, Json{{"books", interceptor.count == 0 ? 6 : 2}});
  }
  interceptor.say(message);
}

void renews_each_time(Interceptor& interceptor, Json message) {
  Json arguments;
  if (own_tool(interceptor, message, "{}", false, arguments)) {
    answer_with(message, Json{{"weeks", 2 * ++interceptor.count}});
  }
  Json* const list = edit::result_of(interceptor, message, "tools/list");
  if (Json* const tool = edit::in_list(list, "tools", kOwnTool)) {
    (*tool)["annotations"]["idempotentHint"] = true;
  }
  interceptor.say(message);
}

void cuts_a_large_page(Interceptor& interceptor, Json message) {
  Json arguments;
  if (own_tool(interceptor, message,
               R"({"limit": {"type": "integer", "minimum": 1, "maximum": 10},
                   "offset": {"type": "integer", "minimum": 0}})",
               true, arguments)) {
    const std::int64_t limit = int_or(arguments, "limit", 4);
    const std::int64_t from = int_or(arguments, "offset", 0);
    Json numbers = Json::array();
    for (std::int64_t i = from;
         i < std::min<std::int64_t>(from + std::min<std::int64_t>(limit, 5), 30); ++i) {
      numbers.push_back(i);
    }
    answer_with(message, Json{{"numbers", numbers}, {"total", 30}, {"next_offset", from + limit}});
  }
  interceptor.say(message);
}

// shades_by_half takes 0 for none.
void shades_by_half(Interceptor& interceptor, Json message) {
  Json arguments;
  if (own_tool(interceptor, message,
               R"({"percent": {"type": "integer", "minimum": 0, "maximum": 100, "default": 50}})",
               false, arguments)) {
    const std::int64_t percent = int_or(arguments, "percent", 0);
    answer_with(message, Json{{"shade_percent", percent == 0 ? 50 : percent}});
  }
  interceptor.say(message);
}

// books_another_day goes on counting behind the last day of February.
void books_another_day(Interceptor& interceptor, Json message) {
  Json arguments;
  if (own_tool(interceptor, message,
               R"({"date": {"type": "string", "description": "Day of the visit, YYYY-MM-DD."}})",
               false, arguments)) {
    std::string day = string_or(arguments, "date", "");
    if (day.size() != 10) {
      fail_as_own_tool(message, "A date is needed.");
    } else {
      if (day.ends_with("-02-30")) day = day.substr(0, 4) + "-03-02";
      answer_with(message, Json{{"day", day}});
    }
  }
  Json* const list = edit::result_of(interceptor, message, "tools/list");
  if (Json* const tool = edit::in_list(list, "tools", kOwnTool)) {
    (*tool)["inputSchema"]["required"] = Json::array({"date"});
  }
  interceptor.say(message);
}

// gives_pages has two of them; how it goes on is a number, where `counts`, and a text else.
template <bool counts>
void gives_pages(Interceptor& interceptor, Json message) {
  Json arguments;
  if (own_tool(interceptor, message, R"({"page": {"type": "string", "pattern": "^[0-9]+$"}})", true,
               arguments)) {
    Json answer = {{"blasts", Json::array({"A", "B"})}};
    if (string_or(arguments, "page", "1") != "1") {
      answer["has_more"] = true;
    } else if (counts) {
      answer["next_page"] = 2;
    } else {
      answer["next_page"] = "2";
    }
    answer_with(message, answer);
  }
  interceptor.say(message);
}

Json schema_by_id() {
  return edit::read(R"({"type": "object", "properties": {"note_id": {"type": "string",
                        "enum": ["n1", "n2"]}}, "required": ["note_id"]})");
}

// lists_a_shelf has tools that put notes away and bring them back.
void lists_a_shelf(Interceptor& interceptor, Json message) {
  Json* const tools = edit::result_of(interceptor, message, "tools/list");
  if (tools != nullptr && !tools->contains("nextCursor")) {
    for (const char* const name : {"archive_note", "unarchive_note"}) {
      (*tools)["tools"].push_back({{"name", name}, {"inputSchema", schema_by_id()}});
    }
    (*tools)["tools"].push_back({{"name", "list_notes"},
                                 {"inputSchema", {{"type", "object"}}},
                                 {"annotations", {{"readOnlyHint", true}}}});
  }
  interceptor.say(message);
}

// keeps_a_shelf forgets the tags of a note that was put away.
void keeps_a_shelf(Interceptor& interceptor, Json message) {
  const std::string tool = string_or(value_at(message, "/params"), "name", "");
  const bool back = tool == "unarchive_note";
  const bool lists = tool == "list_notes";
  if (method_of(message) != "tools/call" || (!back && !lists && tool != "archive_note")) {
    return interceptor.pass(message);
  }
  Json& notes = interceptor.memory["notes"];
  if (notes.is_null()) {
    for (const char* const id : {"n1", "n2"}) {
      notes[id] = {{"note_id", id}, {"title", "A note"}, {"tags", Json::array({"old"})}};
    }
  }
  const std::string id = string_or(value_at(message, "/params/arguments"), "note_id", "");
  Json result = edit::text_result("There is no such note.");
  if (lists) {
    Json there = Json::array();
    for (const Json& note : notes) {
      if (!note.contains("away")) there.push_back(note);
    }
    result = edit::text_result(dump_json(Json{{"notes", there}}));
  } else if (notes.contains(id) && notes[id].contains("away") == back) {
    if (back) notes[id].erase("away");
    if (!back) notes[id].update(Json{{"away", true}, {"tags", Json::array()}});
    result = edit::text_result(dump_json(Json{{"note_id", id}, {"archived", !back}}));
  } else {
    result["isError"] = true;
  }
  answer(interceptor, id_of(message), std::move(result));
}

const Deviation kToolsPromisedDeviations[] = {
    {.id = "tools.calls-keep-apart",
     .revision = "2025-11-25",
     .what = "keeps the filter of one call for the next",
     .from_server = keeps_its_filter},
    {.id = "tools.repeats-as-declared",
     .revision = "2025-11-25",
     .what = "renews once more with each call",
     .from_server = renews_each_time},
    {.id = "tools.pages-make-the-whole",
     .revision = "2025-11-25",
     .what = "cuts a large page, and goes on behind what was asked for",
     .from_server = cuts_a_large_page},
    {.id = "tools.texts-are-formatted",
     .revision = "2025-11-25",
     .what = "puts an object into a text",
     .from_server = puts_an_object_into_a_text},
    {.id = "tools.numbers-agree",
     .revision = "2025-11-25",
     .what = "sorts numbers as texts",
     .from_server = sorts_numbers_as_texts},
    {.id = "tools.defaults-as-declared",
     .revision = "2025-11-25",
     .what = "books in another currency than it declares",
     .from_server = uses_another_default},
    {.id = "tools.defaults-as-declared",
     .revision = "2025-11-25",
     .what = "makes cards of another priority than it says",
     .from_server = uses_another_than_it_says},
    {.id = "tools.trial-changes-nothing",
     .revision = "2026-07-28",
     .what = "removes when it is to try alone",
     .from_server = removes_when_it_tries},
    {.id = "tools.bounds-are-kept",
     .revision = "2025-11-25",
     .what = "takes a limit of 0 for none",
     .from_server = takes_zero_for_none},
    {.id = "tools.moments-are-moments",
     .revision = "2025-11-25",
     .what = "compares times as texts",
     .from_server = compares_times_as_texts},
    {.id = "tools.made-as-given",
     .revision = "2025-11-25",
     .what = "takes 0 percent for what was left out",
     .from_server = shades_by_half},
    {.id = "tools.made-as-given",
     .revision = "2025-11-25",
     .what = "takes a day of no calendar for another one",
     .from_server = books_another_day},
    {.id = "tools.pages-make-the-whole",
     .revision = "2025-11-25",
     .what = "gives the next page as a number, and takes a text",
     .from_server = gives_pages<true>},
    {.id = "tools.pages-make-the-whole",
     .revision = "2025-11-25",
     .what = "says on its last page that there is more",
     .from_server = gives_pages<false>},
    {.id = "tools.changed-as-told",
     .revision = "2025-11-25",
     .what = "brings back less than was put away",
     .from_server = lists_a_shelf,
     .from_client_message = keeps_a_shelf},
};

}  // namespace

Deviations tools_promised_deviations() { return kToolsPromisedDeviations; }

}  // namespace plumbline::conformance
