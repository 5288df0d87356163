// Clients that get lists, questions and input wrong.

#include "conformance/broken/client/client_edits.h"

namespace plumbline::conformance {

namespace {

// with_cursor changes the cursor with which lists are asked for.
void with_cursor(Interceptor& interceptor, Json message, const char* from, const char* to) {
  const Json* const cursor = at_pointer(message, "/params/cursor");
  if (cursor != nullptr && *cursor == from) message["params"]["cursor"] = to;
  interceptor.pass(message);
}

// as_retry changes what comes back with input.
bool is_retry(const Json& message) {
  return at_pointer(message, "/params/inputResponses") != nullptr;
}

void in_result(Interceptor& interceptor, Json message, void (*change)(Json& result)) {
  if (is_result(message)) change(message["result"]);
  interceptor.pass(message);
}

const ClientDeviation kClientContentDeviations[] = {
    {.id = "pagination.cursor-opaque",
     .revision = "2025-11-25",
     .what = "trims cursors",
     .from_client = [](Interceptor& interceptor,
                       Json message) { with_cursor(interceptor, message, "7", "8"); },
     .also = {"pagination.both-flows", "pagination.no-fixed-page-size"}},
    {.id = "pagination.no-fixed-page-size",
     .revision = "2025-11-25",
     .what = "takes an empty page for the last",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           const Json* const tools = at_pointer(message, "/result/tools");
           if (tools != nullptr && tools->empty()) message["result"].erase("nextCursor");
           interceptor.say(message);
         },
     .also = {"pagination.both-flows"}},
    {.id = "pagination.both-flows",
     .revision = "2025-11-25",
     .what = "leaves the last page out",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (string_or(*(find(message, "result") ? find(message, "result") : &message),
                         "nextCursor", "") == "a%20b/c?d=e&f") {
             message["result"].erase("nextCursor");
           }
           interceptor.say(message);
         }},
    {.id = "pagination.both-flows",
     .revision = "2025-11-25",
     .what = "takes the first page for the whole list",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           const Json* const tools = at_pointer(message, "/result/tools");
           if (tools != nullptr) message["result"].erase("nextCursor");
           interceptor.say(message);
         },
     .also = {"pagination.no-fixed-page-size", "pagination.cursor-opaque",
              "pagination.missing-cursor-is-end"}},
    {.id = "pagination.empty-cursor-not-end",
     .revision = "2026-07-28",
     .what = "takes an empty cursor for none",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           const Json* const cursor = at_pointer(message, "/result/nextCursor");
           if (cursor != nullptr && *cursor == "") message["result"].erase("nextCursor");
           interceptor.say(message);
         },
     .also = {"pagination.both-flows", "pagination.no-fixed-page-size"}},
    {.id = "pagination.missing-cursor-is-end",
     .revision = "2025-11-25",
     .what = "asks once more behind the end",
     .from_client =
         [](Interceptor& interceptor, Json message) {
           const Json* const cursor = at_pointer(message, "/params/cursor");
           if (cursor != nullptr && *cursor == "a%20b/c?d=e&f") {
             Json more = message;
             more["id"] = 900;
             interceptor.pass(more);
           }
           interceptor.pass(message);
         }},
    {.id = "prompts.client-paginates",
     .revision = "2025-11-25",
     .what = "reads one page of prompts",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (answers_with(message, "prompts")) message["result"].erase("nextCursor");
           interceptor.say(message);
         }},
    {.id = "mrtr.request-state-echo",
     .revision = "2026-07-28",
     .what = "writes the state anew",
     .from_client =
         [](Interceptor& interceptor, Json message) {
           if (at_pointer(message, "/params/requestState")) {
             message["params"]["requestState"] = R"({"not":"yours","n":1.0})";
           }
           interceptor.pass(message);
         },
     .also = {"mrtr.request-state-opaque"}},
    {.id = "mrtr.request-state-echo",
     .revision = "2026-07-28",
     .what = "takes a state that comes alone for an error",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           const Json* const type = at_pointer(message, "/result/resultType");
           const bool alone = type != nullptr && *type == "input_required" &&
                              at_pointer(message, "/result/inputRequests") == nullptr;
           if (alone) {
             message.erase("result");
             message["error"] = error_object(-32603);
           }
           interceptor.say(message);
         }},
    {.id = "mrtr.request-state-opaque",
     .revision = "2026-07-28",
     .what = "leaves a state out that it cannot read",
     .from_client =
         [](Interceptor& interceptor, Json message) {
           if (is_retry(message)) message["params"].erase("requestState");
           interceptor.pass(message);
         },
     .also = {"mrtr.request-state-echo"}},
    {.id = "mrtr.request-state-not-invented",
     .revision = "2026-07-28",
     .what = "makes a state of its own",
     .from_client =
         [](Interceptor& interceptor, Json message) {
           if (is_retry(message) && !at_pointer(message, "/params/requestState")) {
             message["params"]["requestState"] = "mine";
           }
           interceptor.pass(message);
         }},
    {.id = "mrtr.retry-new-id",
     .revision = "2026-07-28",
     .what = "comes back with the id of the first request",
     .from_client =
         [](Interceptor& interceptor, Json message) {
           if (is_retry(message)) {
             message["id"] = interceptor.memory;
           } else if (is_call(message)) {
             interceptor.memory = message["id"];
           }
           interceptor.pass(message);
         },
     .also = {"cancellation.references-own-in-flight"}},
    {.id = "mrtr.inputs-built-before-retry",
     .revision = "2026-07-28",
     .what = "gives input nobody asked for",
     .from_client =
         [](Interceptor& interceptor, Json message) {
           if (is_retry(message)) message["params"]["inputResponses"]["more"] = Json::object();
           interceptor.pass(message);
         },
     .also = {"tasks.update-keys-outstanding", "schema.messages-validate"}},
    {.id = "mrtr.inputs-scoped-to-retry",
     .revision = "2026-07-28",
     .what = "gives the state to another tool",
     .from_client =
         [](Interceptor& interceptor, Json message) {
           const Json* const name = at_pointer(message, "/params/name");
           if (name != nullptr && *name == "test_mrtr_unrelated") {
             message["params"]["requestState"] = "left over";
           }
           interceptor.pass(message);
         }},
    {.id = "mrtr.retry-repeats-original-params",
     .revision = "2026-07-28",
     .what = "changes the arguments",
     .from_client =
         [](Interceptor& interceptor, Json message) {
           if (is_retry(message)) message["params"]["arguments"]["extra"] = 1;
           interceptor.pass(message);
         }},
    {.id = "base.result-type-unknown-invalid",
     .revision = "2026-07-28",
     .what = "takes every type of result",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           const Json* const type = at_pointer(message, "/result/resultType");
           if (type != nullptr && *type == "x-unknown")
             message["result"]["resultType"] = "complete";
           interceptor.say(message);
         }},
    {.id = "base.result-type-absent-is-complete",
     .revision = "2026-07-28",
     .what = "wants a type",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (answers_with(message, "tools") && !answers_with(message, "resultType")) {
             message["result"]["tools"] = Json::array();
           }
           interceptor.say(message);
         }},
    {.id = "elicitation.capability-declared",
     .revision = "2025-11-25",
     .what = "does not declare elicitation",
     .from_client =
         [](Interceptor& interceptor, Json message) {
           if (method_is(message, "initialize")) {
             message["params"]["capabilities"].erase("elicitation");
           }
           interceptor.pass(message);
         }},
    {.id = "elicitation.result-action",
     .revision = "2025-11-25",
     .what = "agrees in other words",
     .from_client =
         [](Interceptor& interceptor, Json message) {
           if (answers_with(message, "action")) message["result"]["action"] = "yes";
           interceptor.pass(message);
         },
     .also = {"schema.messages-validate"}},
    {.id = "elicitation.mode-omitted-is-form",
     .revision = "2025-11-25",
     .what = "wants a mode",
     .from_client =
         [](Interceptor& interceptor, Json message) {
           if (answers_with(message, "action")) {
             message.erase("result");
             message["error"] = error_object(-32602);
           }
           interceptor.pass(message);
         },
     .also = {"elicitation.at-least-one-mode", "elicitation.result-action",
              "elicitation.capability-declared", "elicitation.multi-select-taken"}},
    {.id = "elicitation.client-validates-response",
     .revision = "2025-11-25",
     .what = "gives a text for a number",
     .from_client =
         [](Interceptor& interceptor, Json message) {
           if (answers_with(message, "content") && answers_with(message, "action")) {
             message["result"]["content"]["age"] = "thirty";
           }
           interceptor.pass(message);
         }},
    {.id = "elicitation.accept-content-matches-schema",
     .revision = "2026-07-28",
     .what = "gives a text for a number",
     .from_client =
         [](Interceptor& interceptor, Json message) {
           if (at_pointer(message, "/params/inputResponses/question/content")) {
             message["params"]["inputResponses"]["question"]["content"]["age"] = "thirty";
           }
           interceptor.pass(message);
         },
     .also = {"elicitation.client-validates-response"}},
    {.id = "elicitation.defaults-prefilled",
     .revision = "2025-11-25",
     .what = "leaves a default out",
     .from_client =
         [](Interceptor& interceptor, Json message) {
           if (at_pointer(message, "/result/content/score")) {
             message["result"]["content"].erase("score");
           }
           interceptor.pass(message);
         }},
    {.id = "elicitation.undeclared-mode-32602",
     .revision = "2025-11-25",
     .what = "answers another mode than it declared",
     .from_client =
         [](Interceptor& interceptor, Json message) {
           const Json* const code = at_pointer(message, "/error/code");
           if (code != nullptr && *code == -32602) message["error"]["code"] = -32600;
           interceptor.pass(message);
         },
     .also = {"jsonrpc.invalid-params-code"}},
    {.id = "sampling.capability-declared",
     .revision = "2025-11-25",
     .what = "does not declare sampling",
     .from_client =
         [](Interceptor& interceptor, Json message) {
           if (method_is(message, "initialize"))
             message["params"]["capabilities"].erase("sampling");
           interceptor.pass(message);
         }},
    {.id = "sampling.result-required-fields",
     .revision = "2025-11-25",
     .what = "does not name its model",
     .from_client =
         [](Interceptor& interceptor, Json message) {
           in_result(interceptor, message, [](Json& result) { result.erase("model"); });
         },
     .also = {"schema.messages-validate"}},
    {.id = "roots.capability-declared",
     .revision = "2025-11-25",
     .what = "does not declare roots",
     .from_client =
         [](Interceptor& interceptor, Json message) {
           if (method_is(message, "initialize")) message["params"]["capabilities"].erase("roots");
           interceptor.pass(message);
         }},
    {.id = "roots.uri-file-scheme",
     .revision = "2025-11-25",
     .what = "has roots on the network",
     .from_client =
         [](Interceptor& interceptor, Json message) {
           if (answers_with(message, "roots")) {
             message["result"]["roots"][0]["uri"] = "https://example.com/workspace";
           }
           interceptor.pass(message);
         }},
    {.id = "roots.uri-file-scheme",
     .revision = "2025-11-25",
     .what = "writes roots with backslashes",
     .from_client =
         [](Interceptor& interceptor, Json message) {
           if (answers_with(message, "roots")) {
             message["result"]["roots"][0]["uri"] = "file://c:\\work";
           }
           interceptor.pass(message);
         }},
    {.id = "roots.uris-validated",
     .revision = "2025-11-25",
     .what = "has a root that climbs",
     .from_client =
         [](Interceptor& interceptor, Json message) {
           if (answers_with(message, "roots")) {
             message["result"]["roots"][0]["uri"] = "file:///workspace/../etc";
           }
           interceptor.pass(message);
         }},
};

}  // namespace

ClientDeviations client_content_deviations() { return kClientContentDeviations; }

}  // namespace plumbline::conformance
