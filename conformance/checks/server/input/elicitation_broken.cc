#include <string>
#include <utility>

#include "conformance/broken/deviation.h"
#include "conformance/broken/message_edits.h"

namespace plumbline::conformance {

namespace {

constexpr const char* kElicit = "elicitation/create";

// elicitation_in returns the params of an elicitation request of the server's own.
Json* elicitation_in(Json& message) {
  return edit::is_method(message, kElicit) ? &message["params"] : nullptr;
}

// by_url turns a form into a question by URL, right in everything.
void by_url(Json& message) {
  Json params = Json::object();
  params["mode"] = "url";
  params["message"] = "Please look at this page";
  params["url"] = "https://example.com/ask";
  params["elicitationId"] = "id-" + dump_json(message["id"]);
  if (const Json* const meta = at_pointer(message, "/params/_meta")) params["_meta"] = *meta;
  message["params"] = std::move(params);
}

// is_answer returns whether the judge answers an elicitation by this action.
// says_no returns whether answers decline what was asked; null: there are none.
bool says_no(const Json* answers) {
  return answers != nullptr && dump_json(*answers).find("\"decline\"") != std::string::npos;
}

bool is_answer(const Json& message, std::string_view action) {
  const Json* const found = at_pointer(message, "/result/action");
  return found != nullptr && *found == Json(action);
}

// elicitation_declared returns what the client has declared, null for nothing.
Json elicitation_declared(const Json& message) {
  const Json* const found = at_pointer(message, "/params/capabilities/elicitation");
  return found == nullptr ? Json() : *found;
}

// note_declared remembers it and passes the message on.
void note_declared(Interceptor& interceptor, std::string text) {
  const Json message = edit::read(text);
  if (edit::is_method(message, "initialize")) interceptor.memory = elicitation_declared(message);
  interceptor.pass_text(std::move(text));
}

// asks_again keeps what one tool asks first, and says it again in place of what it answers then.
void asks_again(Interceptor& interceptor, Json message) {
  constexpr const char* kTool = "test_input_required_result_elicitation";
  if (Json* const result = edit::result_about(interceptor, message, kTool)) {
    const bool asks = string_or(*result, "resultType", "") == "input_required";
    if (asks && interceptor.memory.is_null()) interceptor.memory = *result;
    if (!asks && !interceptor.memory.is_null()) *result = interceptor.memory;
  }
  interceptor.say(message);
}

// has_notes has two tools more: one lists notes, one voids them.
void has_notes(Interceptor& interceptor, Json message) {
  Json* const list = edit::result_of(interceptor, message, "tools/list");
  if (list != nullptr && !list->contains("nextCursor")) {
    for (const char* const tool : {
             R"({"name": "list_notes", "description": "All notes",
                 "inputSchema": {"type": "object"}, "annotations": {"readOnlyHint": true}})",
             R"({"name": "void_note", "description": "Voids a note, when its user has confirmed it",
                 "inputSchema": {"type": "object", "required": ["noteId"],
                                 "properties": {"noteId": {"type": "string"}}},
                 "annotations": {"destructiveHint": true}})"}) {
      (*list)["tools"].push_back(edit::read(tool));
    }
  }
  interceptor.say(message);
}

void say_of_notes(Interceptor& interceptor, const Json& id, std::string text, bool well = true) {
  Json message = {{"jsonrpc", "2.0"}, {"id", id}, {"result", edit::text_result(std::move(text))}};
  if (!well) message["result"]["isError"] = true;
  interceptor.say(message);
}

// voids_anyway keeps in its memory what is declared, who has asked, and what is void.
void voids_anyway(Interceptor& interceptor, Json message) {
  if (!message.is_object()) return interceptor.pass(message);
  Json& memory = interceptor.memory;
  if (edit::is_method(message, "initialize")) memory["can"] = elicitation_declared(message);
  const std::string tool = string_or(message.value("params", Json::object()), "name", "");
  const Json* const note = at_pointer(message, "/params/arguments/noteId");
  if (edit::is_method(message, "tools/call") && tool == "list_notes") {
    Json list = Json::object();
    for (const char* const id : {"n-1", "n-2", "n-3"}) {
      list["notes"].push_back({{"id", id}, {"state", memory.contains(id) ? "void" : "open"}});
    }
    return say_of_notes(interceptor, message["id"], dump_json(list));
  }
  if (edit::is_method(message, "tools/call") && tool == "void_note") {
    const bool there = note != nullptr && note->is_string() &&
                       note->get<std::string>().starts_with("n-") && memory["can"].contains("form");
    if (!there) return say_of_notes(interceptor, message["id"], "There is no such note", false);
    const std::string asking = "void-" + dump_json(message["id"]);
    memory["asking"][asking] = {{"id", message["id"]}, {"note", *note}};
    Json request = edit::read(R"({"jsonrpc": "2.0", "method": "elicitation/create",
      "params": {"message": "Void it?", "requestedSchema": {"type": "object", "properties":
        {"confirm": {"type": "boolean"}}, "required": ["confirm"]}}})");
    request["id"] = asking;
    return interceptor.say(request);
  }
  const std::string answered = string_or(message, "id", "");
  if (!message.contains("method") && memory["asking"].contains(answered)) {
    const Json asked = memory["asking"][answered];
    memory[asked["note"].get<std::string>()] = true;
    return say_of_notes(interceptor, asked["id"], "It is void");
  }
  interceptor.pass(message);
}

const Deviation kElicitationDeviations[] = {
    {.id = "elicitation.declined-changes-nothing",
     .revision = "2025-11-25",
     .what = "voids what it is told to leave",
     .from_server = has_notes,
     .from_client_message = voids_anyway},
    {.id = "elicitation.empty-capability-is-form-only",
     .revision = "2025-11-25",
     .what = "sends URLs to those who know forms alone",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (elicitation_in(message) && interceptor.memory == Json::object()) by_url(message);
           interceptor.say(message);
         },
     .from_client = note_declared},
    {.id = "elicitation.no-unsupported-mode",
     .revision = "2025-11-25",
     .what = "sends forms to those who know URLs alone",
     .from_client =
         [](Interceptor& interceptor, std::string text) {
           Json message = edit::read(text);
           const Json declared = elicitation_declared(message);
           if (declared.contains("url") && !declared.contains("form")) {
             message["params"]["capabilities"]["elicitation"]["form"] = Json::object();
             return interceptor.pass(message);
           }
           interceptor.pass_text(std::move(text));
         }},
    {.id = "elicitation.request-has-message",
     .revision = "2025-11-25",
     .what = "asks without a word",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (Json* const params = elicitation_in(message)) params->erase("message");
           interceptor.say(message);
         }},
    {.id = "elicitation.form-params",
     .revision = "2025-11-25",
     .what = "has forms without a schema",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (Json* const params = elicitation_in(message)) params->erase("requestedSchema");
           interceptor.say(message);
         },
     .also = {"elicitation.form-schema-flat-primitive"}},
    {.id = "elicitation.form-schema-flat-primitive",
     .revision = "2025-11-25",
     .what = "has a form in a form",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (Json* const params = elicitation_in(message)) {
             (*params)["requestedSchema"]["properties"]["inner"]["type"] = "object";
           }
           interceptor.say(message);
         }},
    {.id = "elicitation.form-schema-flat-primitive",
     .revision = "2025-11-25",
     .what = "lets its user choose among integers",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (Json* const params = elicitation_in(message)) {
             Json& field = (*params)["requestedSchema"]["properties"]["pages"];
             field["type"] = "integer";
             field["enum"] = Json::array({10, 20});
           }
           interceptor.say(message);
         }},
    {.id = "elicitation.url-params",
     .revision = "2025-11-25",
     .what = "asks by a URL without an id",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (elicitation_in(message)) {
             by_url(message);
             message["params"].erase("elicitationId");
           }
           interceptor.say(message);
         },
     .from_client = note_declared,
     .also = {"elicitation.empty-capability-is-form-only"}},
    {.id = "elicitation.url-valid",
     .revision = "2025-11-25",
     .what = "asks by what is no URL",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (elicitation_in(message) && interceptor.memory.contains("url")) {
             by_url(message);
             message["params"]["url"] = "this page";
           }
           interceptor.say(message);
         },
     .from_client = note_declared,
     .also = {"elicitation.url-https"}},
    {.id = "elicitation.url-https",
     .revision = "2025-11-25",
     .what = "asks by a URL without encryption",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (elicitation_in(message) && interceptor.memory.contains("url")) {
             by_url(message);
             message["params"]["url"] = "http://example.com/ask";
           }
           interceptor.say(message);
         },
     .from_client = note_declared},
    {.id = "elicitation.id-unique-and-opaque",
     .revision = "2025-11-25",
     .what = "has one id for all its questions",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (elicitation_in(message) && interceptor.memory.contains("url")) {
             by_url(message);
             message["params"]["elicitationId"] = "the one";
           }
           interceptor.say(message);
         },
     .from_client = note_declared},
    {.id = "elicitation.form-no-sensitive",
     .revision = "2025-11-25",
     .what = "asks for a password by a form",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (Json* const params = elicitation_in(message)) {
             (*params)["requestedSchema"]["properties"]["password"]["type"] = "string";
           }
           interceptor.say(message);
         }},
    {.id = "elicitation.no-clickable-urls-in-form",
     .revision = "2025-11-25",
     .what = "has a link in its forms",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (Json* const params = elicitation_in(message)) {
             (*params)["message"] = "See https://example.com/ first";
           }
           interceptor.say(message);
         }},
    {.id = "elicitation.complete-has-id",
     .revision = "2025-11-25",
     .what = "completes what was never begun",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           interceptor.say(message);
           if (!elicitation_in(message)) return;
           Json complete = Json::object();
           complete["jsonrpc"] = "2.0";
           complete["method"] = "notifications/elicitation/complete";
           complete["params"]["elicitationId"] = "never begun";
           interceptor.say(complete);
         }},
    {.id = "elicitation.required-error-32042",
     .revision = "2025-11-25",
     .what = "sends those to a page who cannot go there",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           const bool elicits = edit::is_of(interceptor, message, "test_elicitation");
           if (elicits && interceptor.memory.is_null() && message.contains("error")) {
             message["error"]["code"] = -32042;
           }
           interceptor.say(message);
         },
     .from_client = note_declared},
    {.id = "elicitation.required-error-list",
     .revision = "2025-11-25",
     .what = "needs a page and does not say which",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (edit::result_about(interceptor, message, "test_image_content")) {
             edit::refuse_instead(message, -32042);
           }
           interceptor.say(message);
         }},
    {.id = "elicitation.server-handles-all-actions",
     .revision = "2025-11-25",
     .what = "falls silent when the user declines",
     .from_client =
         [](Interceptor& interceptor, std::string text) {
           if (!is_answer(edit::read(text), "decline")) interceptor.pass_text(std::move(text));
         },
     .also = {"elicitation.content-omitted"}},
    {.id = "elicitation.server-handles-all-actions",
     .revision = "2025-11-25",
     .what = "takes a refusal for a mistake",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           const bool done = edit::result_of(interceptor, message, "tools/call") != nullptr;
           if (done && !interceptor.memory.is_null()) {
             interceptor.memory = nullptr;
             edit::refuse_instead(message, -32603);
           }
           interceptor.say(message);
         },
     .from_client =
         [](Interceptor& interceptor, std::string text) {
           if (is_answer(edit::read(text), "decline")) interceptor.memory = "declined";
           interceptor.pass_text(std::move(text));
         }},
    {.id = "elicitation.decline-cancel-handled",
     .revision = "2026-07-28",
     .what = "takes a refusal for a mistake",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           const bool declined =
               says_no(at_pointer(edit::params_asked(interceptor, message), "/inputResponses"));
           if (declined && find(message, "result")) edit::refuse_instead(message, -32603);
           interceptor.say(message);
         }},
    {.id = "elicitation.decline-cancel-handled",
     .revision = "2026-07-28",
     .what = "falls silent when the user declines",
     .from_client =
         [](Interceptor& interceptor, std::string text) {
           const bool declined = says_no(at_pointer(edit::read(text), "/params/inputResponses"));
           if (!declined) interceptor.pass_text(std::move(text));
         }},
    {.id = "elicitation.content-omitted",
     .revision = "2025-11-25",
     .what = "falls silent when the user cancels",
     .from_client =
         [](Interceptor& interceptor, std::string text) {
           if (!is_answer(edit::read(text), "cancel")) interceptor.pass_text(std::move(text));
         },
     .also = {"elicitation.server-handles-all-actions"}},
    {.id = "elicitation.server-validates-response",
     .revision = "2025-11-25",
     .what = "takes anything for an answer",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           const Json* const result = edit::result_about(interceptor, message, "test_elicitation");
           const Json params = edit::params_asked(interceptor, message);
           const bool wrong = at_pointer(params, "/arguments/message") != nullptr;
           if (result != nullptr && wrong && bool_or(*result, "isError", false)) {
             message["result"].erase("isError");
           }
           interceptor.say(message);
         },
     .also = {"tools.inputs-validated"}},
    {.id = "elicitation.no-assumed-success",
     .revision = "2026-07-28",
     .what = "asks only so many times",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           const bool elicits = edit::is_of(interceptor, message, "test_elicitation");
           const Json* const result = find(message, "result");
           const bool asks =
               result != nullptr && string_or(*result, "resultType", "") == "input_required";
           if (elicits && asks && ++interceptor.count > 8) {
             edit::answer_instead(message, edit::text_result("asked often enough"));
           }
           interceptor.say(message);
         },
     .also = {"mrtr.no-fulfilment-assumed"}},
    {.id = "mrtr.right-answer-taken",
     .revision = "2026-07-28",
     .what = "asks again whatever is answered",
     .from_server = asks_again},
    {.id = "elicitation.sensitive-via-url",
     .revision = "2025-11-25",
     .what = "asks for a secret by a form",
     .hints = R"({"tools": {"test_elicitation": {"shows": ["secret"]}}})"},
    {.id = "elicitation.sensitive-via-url",
     .revision = "2026-07-28",
     .what = "asks for a secret by a form",
     .hints = R"({"tools": {"test_input_required_result_elicitation": {"shows": ["secret"]}}})"},
    {.id = "mrtr.request-state-single-use",
     .revision = "2026-07-28",
     .what = "does again what may happen once",
     .hints = R"({"tools": {"test_input_required_result_request_state": {"shows": ["once"]}}})"},
};

}  // namespace

Deviations elicitation_deviations() { return kElicitationDeviations; }

}  // namespace plumbline::conformance
