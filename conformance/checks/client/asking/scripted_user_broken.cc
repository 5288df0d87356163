// Clients that do not do what their user said, and clients that answer what is no message.

#include <string>
#include <vector>

#include "conformance/broken/client/client_edits.h"
#include "conformance/broken/client/right_clients.h"
#include "conformance/broken/message_edits.h"

namespace plumbline::conformance {

namespace {

// answered returns the answer to the judge's question `name` in `message`; nullptr: it has none.
Json* answered(Json& message, const char* name) {
  const Json* const id = find(message, "id");
  if (id != nullptr && *id == Json(name) && message.contains("result")) return &message["result"];
  const Json* const given = at_pointer(message, "/params/inputResponses");
  if (given == nullptr || find(*given, name) == nullptr) return nullptr;
  return &message["params"]["inputResponses"][name];
}

void accept_all(Interceptor& interceptor, Json message) {
  if (Json* const answer = answered(message, "form-2")) {
    (*answer)["action"] = "accept";
    (*answer)["content"] = Json::object();
  }
  interceptor.pass(message);
}

void tell_what_was_refused(Interceptor& interceptor, Json message) {
  for (const char* const name : {"form-1", "form-2"}) {
    if (Json* const answer = answered(message, name)) (*answer)["content"]["name"] = "Ada";
  }
  interceptor.pass(message);
}

void take_the_last_hint(Interceptor& interceptor, Json message) {
  for (const char* const name : {"hints-1", "hints-2"}) {
    Json* const answer = answered(message, name);
    if (answer == nullptr) continue;
    const bool large = (*answer)["model"] == "plumbline-large";
    (*answer)["model"] = large ? "plumbline-small" : "plumbline-large";
  }
  interceptor.pass(message);
}

void tell_at_length(Interceptor& interceptor, Json message) {
  if (Json* const answer = answered(message, "hints-1")) {
    std::string story;
    for (int i = 0; i < 200; ++i) story += "once ";
    (*answer)["content"]["text"] = story;
  }
  interceptor.pass(message);
}

void annotate_wrongly(Interceptor& interceptor, Json message) {
  if (Json* const answer = answered(message, "hints-1")) {
    (*answer)["content"]["annotations"]["priority"] = 7;
  }
  interceptor.pass(message);
}

void list_one_more(Interceptor& interceptor, Json message) {
  if (Json* const answer = answered(message, "roots-1")) {
    Json root(Json::value_t::object);
    root["uri"] = "file:///etc";
    (*answer)["roots"].push_back(std::move(root));
  }
  interceptor.pass(message);
}

void list_what_is_gone(Interceptor& interceptor, Json message) {
  for (const char* const name : {"roots-1", "roots-2"}) {
    Json* const answer = answered(message, name);
    if (answer == nullptr) continue;
    Json root(Json::value_t::object);
    root["uri"] = "file:///plumbline-no-such-folder";
    (*answer)["roots"].push_back(std::move(root));
  }
  interceptor.pass(message);
}

void change_roots_silently(Interceptor& interceptor, Json message) {
  if (Json* const answer = answered(message, "roots-2")) (*answer)["roots"] = Json::array();
  interceptor.pass(message);
}

void use_no_tool(Interceptor& interceptor, Json message) {
  if (Json* const answer = answered(message, "tool")) {
    (*answer)["content"] = edit::text_result("I would rather talk")["content"][0];
    (*answer)["stopReason"] = "endTurn";
  }
  interceptor.pass(message);
}

void use_a_tool_anyway(Interceptor& interceptor, Json message) {
  if (Json* const answer = answered(message, "no-tool")) {
    Json& use = (*answer)["content"] = Json::object();
    use["type"] = "tool_use";
    use["id"] = "use-2";
    use["name"] = "look_up";
    use["input"] = Json::object();
    (*answer)["stopReason"] = "toolUse";
  }
  interceptor.pass(message);
}

void refuse_odd_ids(Interceptor& interceptor, Json message) {
  if (answered(message, "url-2") != nullptr) edit::refuse_instead(message, -32602);
  interceptor.pass(message);
}

// answer_unreadable answers what is no JSON with this code.
void answer_unreadable(Interceptor& interceptor, std::string) {
  Json answer(Json::value_t::object);
  answer["jsonrpc"] = "2.0";
  answer["id"] = nullptr;
  answer["error"] = error_object(-32000);
  interceptor.pass(answer);
}

// answer_wrong answers a request whose method is a number with a result.
void answer_wrong(Interceptor& interceptor, Json message) {
  const Json* const id = find(message, "id");
  if (id == nullptr || *id != Json("judge-wrong")) return interceptor.say(message);
  Json answer(Json::value_t::object);
  answer["jsonrpc"] = "2.0";
  answer["id"] = "judge-wrong";
  answer["result"] = Json::object();
  interceptor.pass(answer);
}

void answer_nothing_with_nothing(Interceptor& interceptor, Json message) {
  if (!message.is_array() || !message.empty()) return interceptor.say(message);
  interceptor.pass(Json::array());
}

// list_tasks lists the tasks of the server once one was made, by `cursor` instead of the next one;
// empty: by that.
void list_tasks(Interceptor& interceptor, Json message, const char* cursor) {
  const bool made = at_pointer(message, "/result/task") != nullptr;
  const Json* const next = at_pointer(message, "/result/nextCursor");
  const Json* const id = find(message, "id");
  const bool listed = id != nullptr && *id == Json("list-of-tasks");
  if (made || (listed && next != nullptr)) {
    Json list = notice_of("tasks/list");
    list["id"] = made ? "list-of-tasks" : "list-of-more";
    list["params"] = Json::object();
    if (!made) list["params"]["cursor"] = *cursor == '\0' ? *next : Json(cursor);
    interceptor.pass(list);
  }
  const bool mine = listed || (id != nullptr && *id == Json("list-of-more"));
  if (!mine) interceptor.say(message);
}

void forget_the_task(Interceptor& interceptor, Json message) {
  if (Json* const answer = answered(message, "of-the-task")) answer->erase("_meta");
  interceptor.pass(message);
}

void with_tools(mcp::ClientOptions& options) { options.sampling_tools = true; }
void with_urls(mcp::ClientOptions& options) { options.url_elicitation = true; }

const ClientDeviation kScriptedUserDeviations[] = {
    {.id = "elicitation.decline-and-cancel-options",
     .revision = "2025-11-25",
     .what = "accepts where its user cancelled",
     .from_client = accept_all},
    {.id = "elicitation.decline-and-cancel-options",
     .revision = "2026-07-28",
     .what = "accepts where its user cancelled",
     .from_client = accept_all},
    {.id = "elicitation.refused-without-content",
     .revision = "2025-11-25",
     .what = "tells what its user did not send",
     .from_client = tell_what_was_refused},
    {.id = "elicitation.refused-without-content",
     .revision = "2026-07-28",
     .what = "tells what its user did not send",
     .from_client = tell_what_was_refused},
    {.id = "sampling.hints-in-order",
     .revision = "2024-11-05",
     .what = "goes by the last hint",
     .from_client = take_the_last_hint},
    {.id = "sampling.max-tokens-respected",
     .revision = "2026-07-28",
     .what = "tells a long story",
     .from_client = tell_at_length},
    {.id = "sampling.tool-choice-required",
     .revision = "2025-11-25",
     .what = "talks where a tool is required",
     .from_client = use_no_tool,
     .options = with_tools},
    {.id = "sampling.tool-choice-none",
     .revision = "2025-11-25",
     .what = "uses a tool where none may be used",
     .from_client = use_a_tool_anyway,
     .options = with_tools},
    {.id = "sampling.tool-choice-none",
     .revision = "2026-07-28",
     .what = "uses a tool where none may be used",
     .from_client = use_a_tool_anyway,
     .options = with_tools},
    {.id = "resources.annotations-valid",
     .revision = "2025-06-18",
     .what = "has a priority of 7",
     .from_client = annotate_wrongly,
     .also = {"schema.messages-validate"}},
    {.id = "elicitation.id-unique-and-opaque",
     .revision = "2025-11-25",
     .what = "refuses ids that are not to its taste",
     .from_client = refuse_odd_ids,
     .options = with_urls},
    {.id = "roots.only-permitted-exposed",
     .revision = "2025-06-18",
     .what = "lists a folder that nobody permitted",
     .from_client = list_one_more,
     .also = {"roots.list-changed-notified"}},
    {.id = "roots.accessibility-monitored",
     .revision = "2024-11-05",
     .what = "lists a folder that is not there",
     .from_client = list_what_is_gone},
    {.id = "roots.list-changed-notified",
     .revision = "2025-03-26",
     .what = "changes its roots without a word",
     .from_client = change_roots_silently},
    {.id = "jsonrpc.parse-error-code",
     .revision = "2025-11-25",
     .what = "has an error of its own for what is no JSON",
     .unreadable = answer_unreadable},
    {.id = "jsonrpc.invalid-request-code",
     .revision = "2025-11-25",
     .what = "answers a request without a method",
     .from_server = answer_wrong},
    {.id = "jsonrpc.batch-empty-invalid",
     .revision = "2025-03-26",
     .what = "answers an empty array with another",
     .from_server = answer_nothing_with_nothing,
     .also = {"jsonrpc.conforms-to-2-0"}},
    {.id = "tasks.list-cursor-opaque",
     .revision = "2025-11-25",
     .what = "trims the cursor of a list of tasks",
     .from_server = [](Interceptor& interceptor,
                       Json message) { list_tasks(interceptor, message, "judge"); }},
    {.id = "tasks.related-meta-on-all-messages",
     .revision = "2025-11-25",
     .what = "answers what belongs to a task without naming it",
     .from_client = forget_the_task},
};

}  // namespace

ClientDeviations scripted_user_deviations() { return kScriptedUserDeviations; }

std::vector<ClientDeviation> right_clients() {
  return {
      right_task_keeper(),
      right_icon_loader(),
      {.id = "sampling.tool-choice-required",
       .revision = "2025-11-25",
       .what = "uses a tool where one is required",
       .options = with_tools},
      {.id = "sampling.tool-choice-none",
       .revision = "2025-11-25",
       .what = "uses no tool where none may be used",
       .options = with_tools},
      {.id = "sampling.tool-choice-none",
       .revision = "2026-07-28",
       .what = "uses no tool where none may be used",
       .options = with_tools},
      {.id = "elicitation.id-unique-and-opaque",
       .revision = "2025-11-25",
       .what = "takes URLs with any id",
       .options = with_urls},
      {.id = "tasks.list-cursor-opaque",
       .revision = "2025-11-25",
       .what = "lists the tasks of a server",
       .from_server = [](Interceptor& interceptor,
                         Json message) { list_tasks(interceptor, message, ""); }},
  };
}

}  // namespace plumbline::conformance
