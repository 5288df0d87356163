// Wrong peers for beyond_bounds.cc and own_sessions.cc, ../kept_values.cc, ../tools_deleting.cc,
// ../values/tools_defaults.cc and ../lists/tools_ids.cc: what a tool says in words and does not
// keep.

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "conformance/broken/message_edits.h"
#include "conformance/broken/own_tool.h"
#include "conformance/broken/replies.h"

namespace plumbline::conformance {

namespace {

// in_own_tool returns what `message` lists of the peer's own tool; nullptr: it lists nothing.
Json* in_own_tool(Interceptor& interceptor, Json& message) {
  return edit::in_list(edit::result_of(interceptor, message, "tools/list"), "tools", kOwnTool);
}

void takes_any_share(Interceptor& interceptor, Json message) {
  Json arguments;
  if (own_tool(interceptor, message, R"({"percent": {"type": "integer"}})", false, arguments)) {
    answer_with(message, Json{{"rollout", {{"dev", int_or(arguments, "percent", 0)}}}});
  }
  if (Json* const tool = in_own_tool(interceptor, message)) {
    (*tool)["inputSchema"]["properties"]["percent"]["minimum"] = 0;
    (*tool)["inputSchema"]["properties"]["percent"]["maximum"] = 100;
  }
  interceptor.say(message);
}

void gives_any_number(Interceptor& interceptor, Json message) {
  Json arguments;
  if (own_tool(interceptor, message, R"({"most": {"type": "integer"}})", true, arguments)) {
    const std::int64_t most = std::clamp<std::int64_t>(int_or(arguments, "most", 3), 0, 30);
    answer_with(message, Json{{"stars", std::string(static_cast<std::size_t>(most), '*')}});
  }
  if (Json* const tool = in_own_tool(interceptor, message)) {
    (*tool)["inputSchema"]["properties"]["most"]["minimum"] = 1;
    (*tool)["inputSchema"]["properties"]["most"]["maximum"] = 10;
  }
  interceptor.say(message);
}

void takes_any_unit(Interceptor& interceptor, Json message) {
  Json arguments;
  if (own_tool(interceptor, message, R"({"unit": {"type": "string"}})", true, arguments)) {
    const bool fahrenheit = string_or(arguments, "unit", "") == "fahrenheit";
    answer_with(message, Json{{"temperature", fahrenheit ? 70 : 21}});
  }
  if (Json* const tool = in_own_tool(interceptor, message)) {
    (*tool)["inputSchema"]["properties"]["unit"]["enum"] = {"celsius", "fahrenheit"};
  }
  interceptor.say(message);
}

// cuts_fractions says that a row is an integer, and takes what is before the point.
void cuts_fractions(Interceptor& interceptor, Json message) {
  Json arguments;
  if (own_tool(interceptor, message, R"({"row": {"type": "number"}})", true, arguments)) {
    const Json* const row = find(arguments, "row");
    if (row == nullptr) {
      fail_as_own_tool(message, "A row has to be given.");
      return interceptor.say(message);
    }
    answer_with(message, Json{{"row", static_cast<std::int64_t>(row->get<double>())}});
  }
  if (Json* const tool = in_own_tool(interceptor, message)) {
    (*tool)["inputSchema"]["properties"]["row"]["type"] = "integer";
    (*tool)["inputSchema"]["required"] = {"row"};
  }
  interceptor.say(message);
}

// looks_at_the_first of the rows, which are integers.
void looks_at_the_first(Interceptor& interceptor, Json message) {
  Json arguments;
  if (own_tool(interceptor, message, R"({"rows": {"type": "array"}})", true, arguments)) {
    const Json* const first = at_pointer(arguments, "/rows/0");
    if (first == nullptr || !first->is_number_integer()) {
      fail_as_own_tool(message, "Rows are integers.");
      return interceptor.say(message);
    }
    answer_with(message, Json{{"first", *first}});
  }
  if (Json* const tool = in_own_tool(interceptor, message)) {
    (*tool)["inputSchema"]["properties"]["rows"]["items"]["type"] = "integer";
    (*tool)["inputSchema"]["properties"]["rows"]["minItems"] = 1;
    (*tool)["inputSchema"]["required"] = {"rows"};
  }
  interceptor.say(message);
}

// imports_as_it_checks stores the lines of which it is only to tell what would come of them.
void imports_as_it_checks(Interceptor& interceptor, Json message) {
  Json arguments;
  if (own_tool(interceptor, message,
               R"({"lines": {"type": "string"}, "dry_run": {"type": "boolean"}})", false,
               arguments)) {
    if (!arguments.contains("lines")) {
      fail_as_own_tool(message, "The lines are missing.");
      return interceptor.say(message);
    }
    const std::string lines = string_or(arguments, "lines", "");
    const bool good = lines.find(',') != std::string::npos;
    const bool added = good && !interceptor.memory.contains(lines);
    if (good) interceptor.memory[lines] = true;
    answer_with(message, Json{{"added", added ? 1 : 0}, {"rejected", good ? 0 : 1}});
  }
  if (Json* const tool = in_own_tool(interceptor, message)) {
    (*tool)["inputSchema"]["required"] = {"lines"};
  }
  describe_own_tool(interceptor, message, "Imports lines of the form name,amount.");
  interceptor.say(message);
}

bool calls_of(const Json& message, std::string_view tool) {
  return method_of(message) == "tools/call" && value_at(message, "/params/name") == Json(tool);
}

void answer_call(Interceptor& interceptor, const Json& message, const Json& value, bool well) {
  Json result = edit::text_result(dump_json(value));
  if (!well) result["isError"] = true;
  answer(interceptor, id_of(message), std::move(result));
}

void lists_tools_more(Interceptor& interceptor, Json message, const char* more) {
  Json* const tools = edit::result_of(interceptor, message, "tools/list");
  if (tools != nullptr && !tools->contains("nextCursor")) {
    for (const Json& tool : edit::read(more)) (*tools)["tools"].push_back(tool);
  }
  interceptor.say(message);
}

constexpr const char* kOfSettings = R"([
  {"name": "get_settings", "inputSchema": {"type": "object"},
   "annotations": {"readOnlyHint": true}},
  {"name": "update_settings", "inputSchema": {"type": "object", "properties": {
     "theme": {"type": "string"}, "signature": {"type": "string"}}}}])";

// keeps_settings empties those that a call does not name.
void keeps_settings(Interceptor& interceptor, Json message) {
  Json& settings = interceptor.memory["settings"];
  if (settings.is_null()) settings = {{"theme", "dark"}, {"signature", "Yours, Ada"}};
  const bool updates = calls_of(message, "update_settings");
  if (!updates && !calls_of(message, "get_settings")) return interceptor.pass(message);
  const Json given = value_at(message, "/params/arguments");
  for (const char* const name : {"theme", "signature"}) {
    const Json* const value = given.is_object() ? find(given, name) : nullptr;
    if (value != nullptr && !value->is_string()) {
      return answer_call(interceptor, message, "Settings are texts.", false);
    }
    if (updates) settings[name] = value == nullptr ? Json("") : *value;
  }
  answer_call(interceptor, message, settings, true);
}

constexpr const char* kOfBerths = R"([
  {"name": "get_berth", "annotations": {"readOnlyHint": true}, "inputSchema": {"type": "object",
   "properties": {"id": {"type": "string"}}, "required": ["id"]}},
  {"name": "free_berth", "annotations": {"destructiveHint": false}, "inputSchema": {
   "type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]}}])";

// frees_berths forgets them with that.
void frees_berths(Interceptor& interceptor, Json message) {
  const bool frees = calls_of(message, "free_berth");
  if (!frees && !calls_of(message, "get_berth")) return interceptor.pass(message);
  const Json id = value_at(message, "/params/arguments/id");
  const bool known = id.is_string() && !interceptor.memory.contains(id.get<std::string>());
  if (known && frees) interceptor.memory[id.get<std::string>()] = true;
  answer_call(interceptor, message, known ? Json{{"id", id}} : Json("There is no such berth."),
              known);
}

constexpr const char* kOfMoorings = R"([
  {"name": "list_moorings", "inputSchema": {"type": "object"},
   "annotations": {"readOnlyHint": true}},
  {"name": "get_mooring", "annotations": {"readOnlyHint": true}, "inputSchema": {"type": "object",
   "properties": {"id": {"type": "string"}}, "required": ["id"]}}])";

// rounds_ids lists what it has rounded, and knows what it had before.
void rounds_ids(Interceptor& interceptor, Json message) {
  if (calls_of(message, "list_moorings")) {
    const Json listed = {{"moorings",
                          {{{"id", "1187340029115842600"}, {"name", "North"}},
                           {{"id", "1187352977481203700"}, {"name", "South"}}}}};
    return answer_call(interceptor, message, listed, true);
  }
  if (!calls_of(message, "get_mooring")) return interceptor.pass(message);
  const Json id = value_at(message, "/params/arguments/id");
  const std::string said = id.is_string() ? id.get<std::string>() : "like that";
  answer_call(interceptor, message, "There is no mooring " + said + ".", false);
}

// gives_large_numbers answers with an id of 64 bits.
void gives_large_numbers(Interceptor& interceptor, Json message) {
  Json arguments;
  if (own_tool(interceptor, message, "{}", true, arguments)) {
    const Json answer = edit::read(R"({"name": "North", "id": 1187340029115842561})");
    answer_with(message, answer);
    message["result"]["structuredContent"] = answer;
  }
  interceptor.say(message);
}

void deletes_for_good(Interceptor& interceptor, Json message) {
  Json arguments;
  if (own_tool(interceptor, message, "{}", false, arguments)) {
    answer_with(message, Json{{"released", true}});
  }
  if (Json* const tool = in_own_tool(interceptor, message)) {
    (*tool)["annotations"]["destructiveHint"] = false;
  }
  describe_own_tool(interceptor, message,
                    "Releases a berth. The booking is deleted for good, with its notes.");
  interceptor.say(message);
}

constexpr const char* kOfCarts = R"([
  {"name": "view_cart", "description": "The cart of this session.", "inputSchema":
   {"type": "object"}, "annotations": {"readOnlyHint": true}},
  {"name": "add_to_cart", "inputSchema": {"type": "object"}, "annotations":
   {"destructiveHint": false}}])";

// OneCart is everybody's.
class OneCart final : public Keeper {
 public:
  std::optional<wire::HttpResponse> answer(wire::HttpRequest& request) override {
    const Json message = read(request.body);
    const bool adds = calls_of(message, "add_to_cart");
    if (!adds && !calls_of(message, "view_cart")) return std::nullopt;
    if (adds) ++items_;
    Json response = {{"jsonrpc", "2.0"}, {"id", id_of(message)}};
    response["result"] = edit::text_result(dump_json(Json{{"items", items_}}));
    return wire::HttpResponse{200, {{"Content-Type", "application/json"}}, dump_json(response)};
  }

 private:
  int items_ = 0;
};

const Deviation kToolsWordsDeviations[] = {
    {.id = "tools.inputs-validated",
     .revision = "2025-11-25",
     .what = "takes a share of more than all",
     .from_server = takes_any_share},
    {.id = "tools.inputs-validated",
     .revision = "2025-11-25",
     .what = "gives more than its schema has as the most",
     .from_server = gives_any_number},
    {.id = "tools.inputs-validated",
     .revision = "2026-07-28",
     .what = "takes any unit for the first",
     .from_server = takes_any_unit},
    {.id = "tools.inputs-validated",
     .revision = "2025-11-25",
     .what = "cuts the fraction off an integer",
     .from_server = cuts_fractions},
    {.id = "tools.inputs-validated",
     .revision = "2025-11-25",
     .what = "looks at the first of a list alone",
     .from_server = looks_at_the_first},
    {.id = "tools.trial-changes-nothing",
     .revision = "2025-11-25",
     .what = "imports the lines that it is to check alone",
     .from_server = imports_as_it_checks},
    {.id = "tools.changed-as-told",
     .revision = "2025-11-25",
     .what = "empties the settings that it is not told",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           lists_tools_more(interceptor, std::move(message), kOfSettings);
         },
     .from_client_message = keeps_settings},
    {.id = "tools.annotations-hold",
     .revision = "2025-11-25",
     .what = "says that it destroys nothing, and that it deletes for good",
     .from_server = deletes_for_good},
    {.id = "tools.annotations-hold",
     .revision = "2025-11-25",
     .what = "forgets what it frees, and says that it destroys nothing",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           lists_tools_more(interceptor, std::move(message), kOfBerths);
         },
     .from_client_message = frees_berths},
    {.id = "tools.listed-ids-known",
     .revision = "2025-11-25",
     .what = "lists ids that it has rounded",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           lists_tools_more(interceptor, std::move(message), kOfMoorings);
         },
     .from_client_message = rounds_ids},
    {.id = "tools.numbers-exact",
     .revision = "2025-11-25",
     .what = "answers with an id of 64 bits",
     .from_server = gives_large_numbers},
    {.id = "tools.sessions-keep-apart",
     .revision = "2025-11-25",
     .transport = Transport::kHttp,
     .what = "has one cart for all sessions",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           lists_tools_more(interceptor, std::move(message), kOfCarts);
         },
     .keeper = [](Behind) -> std::unique_ptr<Keeper> { return std::make_unique<OneCart>(); }},
};

}  // namespace

Deviations tools_words_deviations() { return kToolsWordsDeviations; }

}  // namespace plumbline::conformance
