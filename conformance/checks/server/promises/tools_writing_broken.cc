// Wrong peers for tools_at_once.cc, tools_deleting.cc, tools_made.cc, lists/tools_again.cc and
// lists/tools_order.cc.

#include <string>
#include <string_view>
#include <utility>

#include "conformance/broken/message_edits.h"
#include "conformance/broken/replies.h"

namespace plumbline::conformance {

namespace {

constexpr const char* kTaken = "test_simple_text";

bool calls_tool(const Json& message, std::string_view tool) {
  return method_of(message) == "tools/call" && value_at(message, "/params/name") == Json(tool);
}

// looks_first notes with each call whether it may still do what it does once.
void looks_first(Interceptor& interceptor, Json message) {
  if (calls_tool(message, kTaken)) {
    interceptor.memory[dump_json(id_of(message))] = interceptor.count > 0;
  }
  interceptor.pass(message);
}

// takes_behind_that does it, where the look has said that it may.
void takes_behind_that(Interceptor& interceptor, Json message) {
  if (edit::result_about(interceptor, message, kTaken) != nullptr) {
    const Json* const taken = find(interceptor.memory, dump_json(id_of(message)));
    ++interceptor.count;
    if (taken != nullptr && *taken == Json(true)) {
      Json failure = edit::text_result("It is taken.");
      failure["isError"] = true;
      edit::answer_instead(message, std::move(failure));
    }
  }
  interceptor.say(message);
}

Json schema_of_one(const char* name, const char* type) {
  Json schema = {{"type", "object"}};
  schema["properties"][name]["type"] = type;
  schema["required"].push_back(name);
  return schema;
}

// lists_notes has two tools more, and the notes that were made.
void lists_notes(Interceptor& interceptor, Json message) {
  Json* const tools = edit::result_of(interceptor, message, "tools/list");
  if (tools != nullptr && !tools->contains("nextCursor")) {
    (*tools)["tools"].push_back(
        {{"name", "add_note"}, {"inputSchema", schema_of_one("title", "string")}});
    (*tools)["tools"].push_back(
        {{"name", "delete_note"}, {"inputSchema", schema_of_one("id", "integer")}});
  }
  Json* const list = edit::result_of(interceptor, message, "resources/list");
  if (list != nullptr && !list->contains("nextCursor")) {
    for (int i = 1; i <= interceptor.count; ++i) {
      const std::string name = "notes/" + std::to_string(i);
      (*list)["resources"].push_back({{"uri", "test://" + name}, {"name", name}});
    }
  }
  interceptor.say(message);
}

void answers_as_tool(Interceptor& interceptor, const Json& message, const Json& value, bool well) {
  Json result = edit::text_result(dump_json(value));
  if (!well) result["isError"] = true;
  answer(interceptor, id_of(message), std::move(result));
}

// keeps_notes makes notes, and forgets what it lists when it deletes one.
void keeps_notes(Interceptor& interceptor, Json message) {
  if (calls_tool(message, "add_note")) {
    const bool well = value_at(message, "/params/arguments/title").is_string();
    if (well) ++interceptor.count;
    return answers_as_tool(interceptor, message, {{"id", interceptor.count}}, well);
  }
  if (calls_tool(message, "delete_note")) {
    const Json id = value_at(message, "/params/arguments/id");
    const bool there = id.is_number_integer() && id.get<int>() >= 1 &&
                       id.get<int>() <= interceptor.count &&
                       !interceptor.memory.contains(dump_json(id));
    if (there) interceptor.memory[dump_json(id)] = true;
    return answers_as_tool(interceptor, message, {{"deleted", there}}, there);
  }
  const Json uri = value_at(message, "/params/uri");
  const std::string text = uri.is_string() ? uri.get<std::string>() : "";
  if (method_of(message) != "resources/read" || !text.starts_with("test://notes/")) {
    return interceptor.pass(message);
  }
  if (interceptor.memory.contains(text.substr(13))) {
    return refuse(interceptor, id_of(message), -32002);
  }
  Json result = Json::object();
  result["contents"].push_back({{"uri", uri}, {"mimeType", "text/plain"}, {"text", "A note"}});
  answer(interceptor, id_of(message), std::move(result));
}

// Fault is what a keeper of items does wrong.
enum class Fault { kStock, kNothing, kUpdate, kDelete, kRenew, kList, kAgain };

Json schema_of_item(bool by_id, bool with_values) {
  Json schema = {{"type", "object"}};
  schema["properties"] = Json::object();
  schema["required"] = Json::array();
  if (by_id) schema["properties"]["id"]["type"] = "string";
  if (by_id) schema["required"].push_back("id");
  if (!with_values) return schema;
  schema["properties"]["title"]["type"] = "string";
  schema["properties"]["stock"]["type"] = "integer";
  if (!by_id) schema["required"] = Json::array({"title", "stock"});
  return schema;
}

void lists_item_tools(Interceptor& interceptor, Json message) {
  Json* const tools = edit::result_of(interceptor, message, "tools/list");
  if (tools != nullptr && !tools->contains("nextCursor")) {
    for (const char* const name : {"create_item", "get_item", "update_item", "delete_item"}) {
      const bool makes = std::string_view(name) == "create_item";
      const bool updates = std::string_view(name) == "update_item";
      Json tool = {{"name", name}, {"inputSchema", schema_of_item(!makes, makes || updates)}};
      if (makes) tool["description"] = "Adds an item. No id is given twice: they are never reused.";
      (*tools)["tools"].push_back(std::move(tool));
    }
  }
  interceptor.say(message);
}

// lists_items_of_none has a tool that makes items, of which there may be none.
void lists_items_of_none(Interceptor& interceptor, Json message) {
  Json* const tools = edit::result_of(interceptor, message, "tools/list");
  if (tools != nullptr && !tools->contains("nextCursor")) {
    Json schema = schema_of_item(false, true);
    schema["properties"]["stock"]["minimum"] = 0;
    (*tools)["tools"].push_back({{"name", "create_item"}, {"inputSchema", std::move(schema)}});
  }
  interceptor.say(message);
}

// lists_all_items has a tool more, which lists, and says of ids that none comes again.
void lists_all_items(Interceptor& interceptor, Json message) {
  Json* const tools = edit::result_of(interceptor, message, "tools/list");
  if (tools != nullptr && !tools->contains("nextCursor")) {
    (*tools)["tools"].push_back(
        {{"name", "list_items"}, {"inputSchema", schema_of_item(false, false)}});
  }
  lists_item_tools(interceptor, std::move(message));
}

void creates_item(Interceptor& interceptor, const Json& message, const Json& given, Fault fault) {
  const bool well = given.is_object() && value_at(given, "/title").is_string() &&
                    value_at(given, "/stock").is_number_integer();
  if (!well) return answers_as_tool(interceptor, message, "title and stock are needed", false);
  const bool again = fault == Fault::kAgain && interceptor.memory.contains("deleted");
  const std::string id = again ? string_or(interceptor.memory, "deleted", "")
                               : "item-" + std::to_string(++interceptor.count);
  Json item = {{"id", id}, {"title", given["title"]}, {"stock", given["stock"]}};
  if (fault == Fault::kStock) item["stock"] = -1;
  if (fault == Fault::kNothing && item["stock"] == 0) item["stock"] = 5;
  const Json told = fault == Fault::kNothing ? item : Json{{"id", id}};
  interceptor.memory[id] = std::move(item);
  answers_as_tool(interceptor, message, told, true);
}

template <Fault fault>
void keeps_items(Interceptor& interceptor, Json message) {
  const Json given = value_at(message, "/params/arguments");
  if (calls_tool(message, "create_item")) {
    return creates_item(interceptor, message, given, fault);
  }
  if (fault == Fault::kList && calls_tool(message, "list_items")) {
    Json items = Json::array();
    for (const Json& item : interceptor.memory) {
      items.push_back(item.contains("was") ? item["was"] : item);
    }
    return answers_as_tool(interceptor, message, {{"items", items}}, true);
  }
  const bool updates = calls_tool(message, "update_item");
  const bool deletes = calls_tool(message, "delete_item");
  if (!updates && !deletes && !calls_tool(message, "get_item")) return interceptor.pass(message);
  const std::string id = string_or(given, "id", "");
  if (!interceptor.memory.contains(id) || interceptor.memory[id].contains("was")) {
    return answers_as_tool(interceptor, message, "There is no such item.", false);
  }
  Json& item = interceptor.memory[id];
  for (const char* const name : {"title", "stock"}) {
    if (!updates) break;
    if (const Json* const value = find(given, name)) {
      item[name] = *value;
    } else if (fault == Fault::kUpdate) {
      item[name] = nullptr;
    }
  }
  const Json answer = item;
  if (deletes && fault == Fault::kList) {
    item = {{"was", answer}};
  } else if (deletes && fault != Fault::kDelete) {
    interceptor.memory.erase(id);
  }
  if (deletes && fault == Fault::kAgain) interceptor.memory["deleted"] = id;
  answers_as_tool(interceptor, message, deletes ? Json{{"deleted", true}} : answer, true);
}

// lists_loans has a tool that may be repeated, about loans that another one makes.
void lists_loans(Interceptor& interceptor, Json message) {
  Json* const tools = edit::result_of(interceptor, message, "tools/list");
  if (tools != nullptr && !tools->contains("nextCursor")) {
    (*tools)["tools"].push_back(
        {{"name", "create_item"}, {"inputSchema", schema_of_item(false, true)}});
    (*tools)["tools"].push_back({{"name", "renew_item"},
                                 {"inputSchema", schema_of_item(true, false)},
                                 {"annotations", {{"idempotentHint", true}}}});
  }
  interceptor.say(message);
}

// renews_items adds to what was lent with each call. Only the last that was made is known.
void renews_items(Interceptor& interceptor, Json message) {
  if (!calls_tool(message, "renew_item")) {
    if (calls_tool(message, "create_item")) interceptor.memory = Json::object();
    return keeps_items<Fault::kRenew>(interceptor, std::move(message));
  }
  const std::string id = string_or(value_at(message, "/params/arguments"), "id", "");
  if (!interceptor.memory.contains(id)) {
    return answers_as_tool(interceptor, message, "There is no such item.", false);
  }
  interceptor.memory[id]["weeks"] = int_or(interceptor.memory[id], "weeks", 0) + 2;
  const Json item = interceptor.memory[id];
  answers_as_tool(interceptor, message, item, true);
}

// lists_holds has a tool that places holds and may be repeated, and one that lists them.
void lists_holds(Interceptor& interceptor, Json message) {
  Json* const tools = edit::result_of(interceptor, message, "tools/list");
  if (tools != nullptr && !tools->contains("nextCursor")) {
    (*tools)["tools"].push_back({{"name", "place_hold"},
                                 {"inputSchema", schema_of_one("patron", "string")},
                                 {"annotations", {{"idempotentHint", true}}}});
    (*tools)["tools"].push_back({{"name", "list_holds"},
                                 {"inputSchema", schema_of_one("patron", "string")},
                                 {"annotations", {{"readOnlyHint", true}}}});
  }
  interceptor.say(message);
}

// places_holds adds a hold with each call, and says where it is in the queue if `counts`.
template <bool counts>
void places_holds(Interceptor& interceptor, Json message) {
  const bool lists = calls_tool(message, "list_holds");
  if (!lists && !calls_tool(message, "place_hold")) return interceptor.pass(message);
  const std::string patron = string_or(value_at(message, "/params/arguments"), "patron", "");
  if (patron.empty()) return answers_as_tool(interceptor, message, "A patron is needed.", false);
  Json& holds = interceptor.memory["holds"];
  if (lists) {
    Json found = Json::array();
    for (const Json& hold : holds.is_null() ? Json::array() : holds) {
      if (hold["patron"] == Json(patron)) found.push_back(hold);
    }
    return answers_as_tool(interceptor, message, {{"holds", found}}, true);
  }
  const std::string id = "H-" + std::to_string(++interceptor.count);
  holds.push_back({{"hold_id", id}, {"patron", patron}});
  Json answer = {{"hold_id", id}};
  if (counts) answer["position"] = interceptor.count;
  answers_as_tool(interceptor, message, answer, true);
}

// sorts_as_texts lists events by what their start is written like.
void sorts_as_texts(Interceptor& interceptor, Json message) {
  Json* const list = edit::result_of(interceptor, message, "tools/list");
  if (Json* const tool = edit::in_list(list, "tools", kTaken)) {
    (*tool)["description"] = "Lists events in the order in which they start";
  }
  if (edit::result_about(interceptor, message, kTaken) != nullptr) {
    Json events = Json::array();
    for (const char* const start :
         {"2026-12-01T09:30:00+01:00", "2026-12-01T13:05:00+01:00", "2026-12-01T16:00:00+09:00"}) {
      events.push_back({{"start", start}});
    }
    edit::answer_instead(message, edit::text_result(dump_json(events)));
  }
  interceptor.say(message);
}

const Deviation kToolsWritingDeviations[] = {
    {.id = "tools.at-once-as-in-turn",
     .revision = "2025-11-25",
     .what = "looks whether it may before it waits",
     .from_server = takes_behind_that,
     .from_client_message = looks_first},
    {.id = "tools.deleted-is-gone",
     .revision = "2025-11-25",
     .what = "lists what it has deleted",
     .from_server = lists_notes,
     .also = {"resources.list-changed-notification"},
     .from_client_message = keeps_notes},
    {.id = "tools.made-as-given",
     .revision = "2025-11-25",
     .what = "stores another value than it is given",
     .from_server = lists_item_tools,
     .from_client_message = keeps_items<Fault::kStock>},
    {.id = "tools.made-as-given",
     .revision = "2025-11-25",
     .what = "takes 0 for what was left out",
     .from_server = lists_items_of_none,
     .from_client_message = keeps_items<Fault::kNothing>},
    {.id = "tools.changed-as-told",
     .revision = "2025-11-25",
     .what = "empties what it is not told",
     .from_server = lists_item_tools,
     .from_client_message = keeps_items<Fault::kUpdate>},
    {.id = "tools.deleted-is-unknown",
     .revision = "2025-11-25",
     .what = "reads what it has deleted",
     .from_server = lists_item_tools,
     .from_client_message = keeps_items<Fault::kDelete>},
    {.id = "tools.deleted-is-unknown",
     .revision = "2025-11-25",
     .what = "lists what it has deleted among its items",
     .from_server = lists_all_items,
     .from_client_message = keeps_items<Fault::kList>},
    {.id = "tools.deleted-is-unknown",
     .revision = "2025-11-25",
     .what = "gives the id of a deleted item again",
     .from_server = lists_item_tools,
     .from_client_message = keeps_items<Fault::kAgain>},
    {.id = "tools.repeats-as-declared",
     .revision = "2025-11-25",
     .what = "renews what was just lent once more with each call",
     .from_server = lists_loans,
     .from_client_message = renews_items},
    {.id = "tools.repeats-as-declared",
     .revision = "2025-11-25",
     .what = "places another hold with each call, and says how many there are",
     .from_server = lists_holds,
     .from_client_message = places_holds<true>},
    {.id = "tools.repeats-as-declared",
     .revision = "2025-11-25",
     .transport = Transport::kHttp,
     .what = "places another hold with each call, as another tool lists",
     .from_server = lists_holds,
     .from_client_message = places_holds<false>},
    {.id = "tools.order-as-described",
     .revision = "2025-11-25",
     .what = "sorts times as texts",
     .from_server = sorts_as_texts},
};

}  // namespace

Deviations tools_writing_deviations() { return kToolsWritingDeviations; }

}  // namespace plumbline::conformance
