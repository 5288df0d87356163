// Wrong peers for tools_described.cc, tools_converting.cc, tools_done.cc and counting.cc.

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "conformance/broken/message_edits.h"
#include "conformance/broken/own_tool.h"
#include "conformance/broken/replies.h"

namespace plumbline::conformance {

namespace {

constexpr std::int64_t kSaved = 250;

void writes_no_leading_zero(Interceptor& interceptor, Json message) {
  always_answers(interceptor, std::move(message),
                 "Tells how long it is, as H:MM:SS, minutes and seconds with two digits.",
                 R"({"length": "0:9:6"})");
}

void gives_the_day_before(Interceptor& interceptor, Json message) {
  always_answers(interceptor, std::move(message),
                 "Returns a trip. \"day\" is the calendar day of \"startedAt\" in UTC.",
                 R"({"startedAt": "2026-02-03T07:30:00Z", "day": "2026-02-02"})");
}

void writes_small_letters(Interceptor& interceptor, Json message) {
  always_answers(interceptor, std::move(message),
                 "Returns a car. \"plate\" is always in upper case.", R"({"plate": "ka-x 12"})");
}

void rounds_nothing(Interceptor& interceptor, Json message) {
  always_answers(interceptor, std::move(message),
                 "Returns the mean of all grades, rounded to two decimals.",
                 R"({"mean": 2.3333333})");
}

// multiplies_both_ways takes the factor between two units the wrong way round from one of them.
void multiplies_both_ways(Interceptor& interceptor, Json message) {
  Json arguments;
  if (own_tool(interceptor, message,
               R"({"amount": {"type": "number", "minimum": 0},
                   "from": {"type": "string", "enum": ["kWh", "MJ"]},
                   "to": {"type": "string", "enum": ["kWh", "MJ"]}})",
               true, arguments)) {
    const std::string from = string_or(arguments, "from", "kWh");
    const Json* const given = find(arguments, "amount");
    const double amount = given == nullptr ? 1 : given->get<double>();
    const double made = from == string_or(arguments, "to", "kWh") ? amount : amount * 3.6;
    answer_with(message, edit::read(R"({"amount": )" + std::to_string(made) + "}"));
  }
  interceptor.say(message);
}

// moves_what_it_can spends what is there, and says of more that it has spent that.
void moves_what_it_can(Interceptor& interceptor, Json message) {
  Json arguments;
  if (own_tool(interceptor, message, R"({"amount": {"type": "integer", "minimum": 1}})", false,
               arguments)) {
    const std::int64_t amount = int_or(arguments, "amount", 1);
    if (amount <= kSaved - interceptor.count) interceptor.count += static_cast<int>(amount);
    answer_with(message, edit::read(R"({"status": "completed"})"));
  }
  describe_own_tool(interceptor, message, "Spends money. More than there is is refused.");
  Json* const list = edit::result_of(interceptor, message, "tools/list");
  if (Json* const tool = edit::in_list(list, "tools", "greet")) {
    (*tool)["annotations"]["readOnlyHint"] = true;
  }
  const Json* const greeting = edit::result_about(interceptor, message, "greet");
  if (greeting != nullptr && !bool_or(*greeting, "isError", false)) {
    answer_with(message, Json{{"balance", kSaved - interceptor.count}});
  }
  interceptor.say(message);
}

// leaves_inches_as_they_are says centimetres beside what was given in inches.
void leaves_inches_as_they_are(Interceptor& interceptor, Json message) {
  Json arguments;
  if (own_tool(interceptor, message, R"({"chest": {"type": "number", "minimum": 1},
                                         "unit": {"type": "string", "enum": ["cm", "in"]}})",
               false, arguments)) {
    const double chest = find(arguments, "chest") == nullptr ? 1 : arguments["chest"].get<double>();
    if (chest < 20) {
      fail_as_own_tool(message, "chest must lie between 20 and 250.");
    } else {
      answer_with(message, Json{{"chest", arguments["chest"]}, {"unit", "cm"}});
    }
  }
  describe_own_tool(interceptor, message,
                    "Keeps centimetres: inches are converted (1 in = 2.54 cm).");
  Json* const list = edit::result_of(interceptor, message, "tools/list");
  if (Json* const tool = edit::in_list(list, "tools", kOwnTool)) {
    (*tool)["inputSchema"]["required"] = Json::array({"chest", "unit"});
  }
  interceptor.say(message);
}

void lists_and_counts(Interceptor& interceptor, Json message) {
  Json* const tools = edit::result_of(interceptor, message, "tools/list");
  if (tools != nullptr && !tools->contains("nextCursor")) {
    for (const std::string_view verb : {"list", "count"}) {
      Json tool = edit::read(
          R"({"inputSchema": {"type": "object"}, "annotations": {"readOnlyHint": true}})");
      tool["name"] = std::string(verb) + "_notes";
      tool["description"] = (verb == "list" ? "Lists" : "Counts") +
                            std::string(" the notes. Archived notes are left out.");
      (*tools)["tools"].push_back(std::move(tool));
    }
  }
  interceptor.say(message);
}

// counts_archived counts what its list leaves out.
void counts_archived(Interceptor& interceptor, Json message) {
  const Json name = value_at(message, "/params/name");
  const bool calls = method_of(message) == "tools/call";
  if (!calls || (name != Json("list_notes") && name != Json("count_notes"))) {
    return interceptor.pass(message);
  }
  const char* const told = name == Json("list_notes")
                               ? R"({"notes": [{"note": "one"}, {"note": "two"}]})"
                               : R"({"total": 3})";
  answer(interceptor, id_of(message), edit::text_result(told));
}

const Deviation kToolsDescribedDeviations[] = {
    {.id = "tools.values-as-described",
     .revision = "2025-11-25",
     .what = "writes minutes without a leading zero",
     .from_server = writes_no_leading_zero},
    {.id = "tools.values-as-described",
     .revision = "2025-11-25",
     .what = "gives the day before",
     .from_server = gives_the_day_before},
    {.id = "tools.values-as-described",
     .revision = "2025-11-25",
     .what = "writes a code in small letters",
     .from_server = writes_small_letters},
    {.id = "tools.values-as-described",
     .revision = "2025-11-25",
     .what = "rounds nothing",
     .from_server = rounds_nothing},
    {.id = "tools.conversions-turn-back",
     .revision = "2025-11-25",
     .what = "multiplies in both directions",
     .from_server = multiplies_both_ways},
    {.id = "tools.conversions-turn-back",
     .revision = "2025-11-25",
     .what = "leaves inches as they are",
     .from_server = leaves_inches_as_they_are},
    {.id = "tools.done-is-done",
     .revision = "2025-11-25",
     .what = "says that it has moved more than there is",
     .from_server = moves_what_it_can},
    {.id = "tools.answers-agree",
     .revision = "2025-11-25",
     .what = "counts what the list leaves out",
     .from_server = lists_and_counts,
     .from_client_message = counts_archived},
};

}  // namespace

Deviations tools_described_deviations() { return kToolsDescribedDeviations; }

}  // namespace plumbline::conformance
