// Tools that ask the client on the way: by a request of the server's own up to 2025-11-25, by an
// input-required result since 2026-07-28.

#include <string>
#include <utility>

#include "core/mcp/protocol/answer.h"
#include "reference/contents.h"
#include "reference/offer.h"
#include "reference/questions.h"

namespace plumbline::reference {

namespace {

using mcp::Reply;
using mcp::ServerCall;

Instant patience(Loop& loop) { return after(loop.now(), limits::kRequestTimeout); }

std::string argument_of(const ServerCall& call, const char* name) {
  return string_or(call.arguments(), name, "");
}

Json tool_with_text(const char* name, const char* what, const char* argument) {
  Json tool = plain_tool(name, what);
  Json& schema = tool["inputSchema"];
  schema["properties"][argument]["type"] = "string";
  schema["required"] = Json::array();
  schema["required"].push_back(argument);
  return tool;
}

Task<Reply<Json>> ask_model(ServerCall call, Loop& loop) {
  Json question = sampling(argument_of(call, "prompt"), 100);
  Reply<Json> answer = co_await ask_checked(call, "answer", "sampling/createMessage",
                                            std::move(question), patience(loop));
  if (!answer.ok()) co_return std::move(answer);
  co_return text_result("LLM response: " + said(answer.value()));
}

// The result of a form: `lead` and what the client did with it.
Reply<Json> outcome(ArgumentCheck& check, const std::string& lead, const Json& asked,
                    const Json& answer) {
  if (const auto wrong = form_problem(check, asked, answer)) return mcp::tool_error(*wrong);
  const Json* const content = find(answer, "content");
  return text_result(lead + "action=" + string_or(answer, "action", "") +
                     ", content=" + (content ? dump_json(*content) : "{}"));
}

Task<Reply<Json>> ask_form(ServerCall call, Loop& loop, ArgumentCheck& check, std::string lead,
                           Json question) {
  const Json asked = question;
  Reply<Json> answer =
      co_await call.ask("form", "elicitation/create", std::move(question), patience(loop));
  if (!answer.ok()) co_return std::move(answer);
  co_return outcome(check, lead, asked, answer.value());
}

Json user_form(std::string message) {
  Json params = document(R"json({
    "requestedSchema": {
      "type": "object",
      "properties": {
        "username": {"type": "string", "description": "User's response"},
        "email": {"type": "string", "description": "User's email address"}
      },
      "required": ["username", "email"]
    }
  })json");
  params["message"] = std::move(message);
  return params;
}

// A default for each primitive type.
Json form_with_defaults() {
  return document(R"json({
    "message": "Please review and update the form fields with defaults",
    "requestedSchema": {
      "type": "object",
      "properties": {
        "name": {"type": "string", "description": "User name", "default": "John Doe"},
        "age": {"type": "integer", "description": "User age", "default": 30},
        "score": {"type": "number", "description": "User score", "default": 95.5},
        "status": {
          "type": "string",
          "description": "User status",
          "enum": ["active", "inactive", "pending"],
          "default": "active"
        },
        "verified": {"type": "boolean", "description": "Verification status", "default": true}
      },
      "required": []
    }
  })json");
}

// Each way to offer a choice that `revision` has: one or several of untitled, titled and formerly
// titled values.
Json form_with_choices(mcp::Revision revision) {
  Json form = document(R"json({
    "message": "Please select options from the enum fields",
    "requestedSchema": {
      "type": "object",
      "properties": {
        "untitledSingle": {"type": "string", "enum": ["option1", "option2", "option3"]},
        "titledSingle": {
          "type": "string",
          "oneOf": [
            {"const": "value1", "title": "First Option"},
            {"const": "value2", "title": "Second Option"},
            {"const": "value3", "title": "Third Option"}
          ]
        },
        "legacyEnum": {
          "type": "string",
          "enum": ["opt1", "opt2", "opt3"],
          "enumNames": ["Option One", "Option Two", "Option Three"]
        },
        "untitledMulti": {
          "type": "array",
          "items": {"type": "string", "enum": ["option1", "option2", "option3"]}
        },
        "titledMulti": {
          "type": "array",
          "items": {
            "anyOf": [
              {"const": "value1", "title": "First Choice"},
              {"const": "value2", "title": "Second Choice"},
              {"const": "value3", "title": "Third Choice"}
            ]
          }
        }
      },
      "required": []
    }
  })json");
  if (!mcp::has_titled_choices(revision)) {
    for (const char* const later : {"titledSingle", "untitledMulti", "titledMulti"}) {
      form["requestedSchema"]["properties"].erase(later);
    }
  }
  return form;
}

}  // namespace

void add_asking_tools(Offer& offer) {
  Loop& loop = offer.loop();
  ArgumentCheck& check = offer.check();
  const auto sample = [&loop](ServerCall call) { return ask_model(std::move(call), loop); };
  const auto with_form = [&loop, &check](Json question) {
    return [&loop, &check, question = std::move(question)](ServerCall call) {
      return ask_form(std::move(call), loop, check, "Elicitation completed: ", question);
    };
  };
  offer.tool(tool_with_text("test_sampling", "Asks the client's model", "prompt"), sample);
  // No -32021 without this: it asks for a capability that the client may lack.
  offer.tool(plain_tool("test_missing_capability", "Needs the sampling capability"), sample);
  offer.tool(tool_with_text("test_elicitation", "Asks the user", "message"), [&loop, &check](
                                                                                 ServerCall call) {
    Json question = user_form(argument_of(call, "message"));
    return ask_form(std::move(call), loop, check, "User response: ", std::move(question));
  });
  offer.tool(plain_tool("test_streaming_elicitation", "Asks the user"),
             with_form(form("Shall this go on?", "go_on", "boolean")));
  offer.tool(plain_tool("test_elicitation_sep1034_defaults", "Asks with a default for each type"),
             with_form(form_with_defaults()));
  offer.tool(plain_tool("test_elicitation_sep1330_enums", "Asks with each kind of choice"),
             [with_form](ServerCall call) {
               return with_form(form_with_choices(call.client().revision))(std::move(call));
             });
}

}  // namespace plumbline::reference
