// Clients whose messages are wrong: spec, basic.

#include "conformance/broken/client/client_edits.h"

namespace plumbline::conformance {

namespace {

const ClientDeviation kClientMessageDeviations[] = {
    {.id = "jsonrpc.conforms-to-2-0",
     .revision = "2025-11-25",
     .what = "says version 1.0",
     .from_client =
         [](Interceptor& interceptor, Json message) {
           if (is_call(message)) message["jsonrpc"] = "1.0";
           interceptor.pass(message);
         },
     .also = {"jsonrpc.version-is-2.0", "schema.messages-validate"}},
    {.id = "jsonrpc.request-id-string-or-integer",
     .revision = "2025-11-25",
     .what = "calls tools with half an id",
     .from_client =
         [](Interceptor& interceptor, Json message) {
           if (is_call(message)) message["id"] = 4.5 + ++interceptor.count;
           interceptor.pass(message);
         },
     .also = {"cancellation.references-own-in-flight"}},
    {.id = "jsonrpc.request-id-safe",
     .revision = "2025-11-25",
     .what = "counts its calls by nanoseconds",
     .from_client =
         [](Interceptor& interceptor, Json message) {
           if (is_call(message)) message["id"] = 1'795'000'000'000'000'000 + ++interceptor.count;
           interceptor.pass(message);
         },
     .also = {"cancellation.references-own-in-flight"}},
    {.id = "jsonrpc.request-id-not-null",
     .revision = "2025-11-25",
     .what = "pings with the id null",
     .from_client =
         [](Interceptor& interceptor, Json message) {
           interceptor.pass(message);
           if (!method_is(message, "tools/list") || ++interceptor.count > 1) return;
           Json ping = notice_of("ping");
           ping["id"] = nullptr;
           interceptor.pass(ping);
         },
     .also = {"jsonrpc.request-id-string-or-integer"}},
    {.id = "jsonrpc.request-id-unique-in-session",
     .revision = "2025-11-25",
     .what = "gives all requests the id 1",
     .from_client =
         [](Interceptor& interceptor, Json message) {
           if (is_call(message)) message["id"] = 1;
           interceptor.pass(message);
         },
     .also = {"cancellation.references-own-in-flight", "cancellation.not-initialize"}},
    {.id = "jsonrpc.request-id-unique-in-session",
     .revision = "2025-11-25",
     .what = "gives a call the id of the list before, and cancels it",
     .from_client =
         [](Interceptor& interceptor, Json message) {
           const Json* const name = at_pointer(message, "/params/name");
           const bool endless = name != nullptr && *name == "never_ending";
           const bool reused = interceptor.count < 0;
           if (method_is(message, "tools/list")) interceptor.count = message["id"];
           if (endless) message["id"] = interceptor.count;
           if (endless) interceptor.count = -interceptor.count;
           if (reused && is_cancel(message)) message["params"]["requestId"] = -interceptor.count;
           interceptor.pass(message);
         }},
    {.id = "jsonrpc.request-id-unique-in-flight",
     .revision = "2026-07-28",
     .what = "asks twice with one id",
     .from_client =
         [](Interceptor& interceptor, Json message) {
           const Json* const name = at_pointer(message, "/params/name");
           if (name != nullptr && *name == "ask_back") interceptor.pass(message);
           interceptor.pass(message);
         },
     .also = {"progress.token-unique"}},
    {.id = "jsonrpc.response-result-xor-error",
     .revision = "2025-11-25",
     .what = "answers with a result and an error",
     .from_client =
         [](Interceptor& interceptor, Json message) {
           if (is_result(message)) message["error"] = error_object(-32603);
           interceptor.pass(message);
         },
     .also = {"jsonrpc.conforms-to-2-0", "elicitation.mode-omitted-is-form",
              "elicitation.at-least-one-mode"}},
    {.id = "jsonrpc.result-is-object",
     .revision = "2025-11-25",
     .what = "answers with a text",
     .from_client =
         [](Interceptor& interceptor, Json message) {
           if (is_result(message)) message["result"] = "pong";
           interceptor.pass(message);
         },
     .also = {"schema.messages-validate", "ping.empty-result", "elicitation.result-action",
              "sampling.result-required-fields", "roots.capability-declared",
              "roots.uri-file-scheme"}},
    {.id = "jsonrpc.error-object-code-message",
     .revision = "2025-11-25",
     .what = "leaves the messages of errors out",
     .from_client =
         [](Interceptor& interceptor, Json message) {
           if (find(message, "error")) message["error"].erase("message");
           interceptor.pass(message);
         },
     .also = {"schema.messages-validate"}},
    {.id = "jsonrpc.error-code-integer",
     .revision = "2025-11-25",
     .what = "gives errors half a code",
     .from_client =
         [](Interceptor& interceptor, Json message) {
           if (find(message, "error")) message["error"]["code"] = -32601.5;
           interceptor.pass(message);
         },
     .also = {"jsonrpc.invalid-params-code", "schema.messages-validate",
              "jsonrpc.method-not-found-code", "elicitation.undeclared-mode-32602",
              "jsonrpc.invalid-request-code"}},
    {.id = "jsonrpc.notification-no-id",
     .revision = "2025-11-25",
     .what = "gives notifications an id",
     .from_client =
         [](Interceptor& interceptor, Json message) {
           if (method_is(message, "notifications/initialized")) message["id"] = 99;
           interceptor.pass(message);
         },
     .also = {"lifecycle.initialized-notification", "base.core-and-lifecycle-supported",
              "versioning.client-offers-supported"}},
    {.id = "jsonrpc.invalid-params-code",
     .revision = "2025-11-25",
     .what = "gives samples of nothing",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (method_is(message, "sampling/createMessage") &&
               find(message["params"], "messages") == nullptr) {
             message["params"]["messages"] = Json::array();
           }
           interceptor.say(message);
         }},
    {.id = "jsonrpc.params-by-name",
     .revision = "2025-11-25",
     .what = "lists tools with an array as params",
     .from_client =
         [](Interceptor& interceptor, Json message) {
           if (method_is(message, "tools/list")) message["params"] = Json::array();
           interceptor.pass(message);
         },
     .also = {"schema.messages-validate", "pagination.both-flows", "pagination.cursor-opaque",
              "pagination.no-fixed-page-size", "pagination.missing-cursor-is-end"}},
    {.id = "jsonrpc.no-batching",
     .revision = "2025-11-25",
     .what = "puts each call into an array",
     .from_client = in_array,
     .also = {"stdio.single-message-lines", "lifecycle.initialize-not-in-batch",
              "jsonrpc.conforms-to-2-0"}},
    {.id = "progress.token-type",
     .revision = "2025-11-25",
     .what = "has progress tokens that are objects",
     .from_client =
         [](Interceptor& interceptor, Json message) {
           if (is_call(message)) message["params"]["_meta"]["progressToken"] = Json::object();
           interceptor.pass(message);
         },
     .also = {"schema.messages-validate"}},
    {.id = "cancellation.request-id-present",
     .revision = "2025-11-25",
     .what = "cancels without saying what",
     .from_client =
         [](Interceptor& interceptor, Json message) {
           if (is_cancel(message)) message["params"].erase("requestId");
           interceptor.pass(message);
         },
     .also = {"cancellation.cancel-on-timeout"}},
    {.id = "cancellation.references-own-in-flight",
     .revision = "2025-11-25",
     .what = "cancels what it never asked",
     .from_client =
         [](Interceptor& interceptor, Json message) {
           if (is_cancel(message)) message["params"]["requestId"] = 1'000'000;
           interceptor.pass(message);
         },
     .also = {"cancellation.cancel-on-timeout"}},
    {.id = "cancellation.not-initialize",
     .revision = "2025-11-25",
     .what = "cancels initialize",
     .from_client =
         [](Interceptor& interceptor, Json message) {
           interceptor.pass(message);
           if (!method_is(message, "initialize")) return;
           Json cancel = notice_of("notifications/cancelled");
           cancel["params"]["requestId"] = message["id"];
           interceptor.pass(cancel);
         },
     .also = {"lifecycle.client-waits-for-init-response"}},
    {.id = "prompts.argument-values-strings",
     .revision = "2025-11-25",
     .what = "gives prompts numbers",
     .from_client =
         [](Interceptor& interceptor, Json message) {
           if (method_is(message, "prompts/get")) message["params"]["arguments"]["n"] = 7;
           interceptor.pass(message);
         },
     .also = {"schema.messages-validate"}},
    {.id = "jsonrpc.response-id-matches",
     .revision = "2025-11-25",
     .what = "answers ids that are numbers as strings",
     .from_client =
         [](Interceptor& interceptor, Json message) {
           if (is_result(message) && message["id"].is_number()) {
             message["id"] = dump_json(message["id"]) + "x";
           }
           interceptor.pass(message);
         },
     .also = {"jsonrpc.conforms-to-2-0", "ping.empty-result"}},
    {.id = "ping.empty-result",
     .revision = "2025-11-25",
     .what = "answers pings with something",
     .from_client =
         [](Interceptor& interceptor, Json message) {
           if (is_result(message) && message["result"].empty()) message["result"]["pong"] = true;
           interceptor.pass(message);
         }},
    {.id = "jsonrpc.method-not-found-code",
     .revision = "2025-11-25",
     .what = "calls an unknown method an internal error",
     .from_client =
         [](Interceptor& interceptor, Json message) {
           if (find(message, "error")) message["error"]["code"] = -32603;
           interceptor.pass(message);
         },
     .also = {"jsonrpc.invalid-params-code", "elicitation.undeclared-mode-32602",
              "jsonrpc.invalid-request-code"}},
    {.id = "jsonrpc.client-sends-no-responses",
     .revision = "2026-07-28",
     .what = "answers what a server must not ask",
     .from_server = answer_everything,
     .also = {"base.transport-delivers-patterns"}},
    {.id = "jsonrpc.notification-no-response",
     .revision = "2025-11-25",
     .what = "answers unknown notifications",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (string_or(message, "method", "").ends_with("-unknown")) {
             Json answer(Json::value_t::object);
             answer["jsonrpc"] = "2.0";
             answer["id"] = "none";
             answer["error"] = error_object(-32601);
             interceptor.pass(answer);
           }
           interceptor.say(message);
         },
     .also = {"jsonrpc.conforms-to-2-0"}},
    {.id = "jsonrpc.unknown-notification-ignored",
     .revision = "2025-11-25",
     .what = "ends when it does not know a notification",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (string_or(message, "method", "").ends_with("-unknown")) return interceptor.stop();
           interceptor.say(message);
         },
     .also = {"cancellation.invalid-ignored", "elicitation.complete-unknown-ignored",
              "stdio.shutdown-client-sequence"}},
    {.id = "cancellation.invalid-ignored",
     .revision = "2025-06-18",
     .what = "ends when something unknown is cancelled",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (is_cancel(message)) return interceptor.stop();
           interceptor.say(message);
         },
     .also = {"jsonrpc.unknown-notification-ignored", "elicitation.complete-unknown-ignored",
              "cancellation.own-direction", "stdio.shutdown-client-sequence"}},
    {.id = "elicitation.complete-unknown-ignored",
     .revision = "2025-11-25",
     .what = "ends when an unknown elicitation is complete",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (method_is(message, "notifications/elicitation/complete")) return interceptor.stop();
           interceptor.say(message);
         },
     .also = {"jsonrpc.unknown-notification-ignored", "cancellation.invalid-ignored",
              "stdio.shutdown-client-sequence"}},
    {.id = "base.meta-reserved-no-assumptions",
     .revision = "2025-11-25",
     .what = "does not take _meta it does not know",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           const Json* const result = find(message, "result");
           if (result != nullptr && find(*result, "_meta") && find(*result, "tools")) {
             return interceptor.stop();
           }
           interceptor.say(message);
         },
     .also = {"stdio.shutdown-client-sequence"}},
};

}  // namespace

ClientDeviations client_message_deviations() { return kClientMessageDeviations; }

}  // namespace plumbline::conformance
