// Wrong peers for tools_bounds.cc, tools_defaults.cc and tools_results.cc: tools that are the
// peer's own, in place of a fixture.

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "conformance/broken/message_edits.h"
#include "conformance/broken/own_tool.h"

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
};

}  // namespace

Deviations tools_promised_deviations() { return kToolsPromisedDeviations; }

}  // namespace plumbline::conformance
