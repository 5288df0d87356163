// Clients that open wrongly, say the wrong things of themselves, or take a question for something
// else.

#include "conformance/broken/client/client_edits.h"
#include "conformance/catalogue/meta_keys.h"

namespace plumbline::conformance {

namespace {

constexpr const char* kMetaPrefix = "io.modelcontextprotocol/";

// with_meta puts a key into the _meta of each call.
void with_meta(Interceptor& interceptor, Json message, const char* key) {
  if (is_call(message)) message["params"]["_meta"][key] = "x";
  interceptor.pass(message);
}

void without_meta(Interceptor& interceptor, Json message, const char* key) {
  if (method_is(message, "tools/list") && at_pointer(message, "/params/_meta") != nullptr) {
    message["params"]["_meta"].erase(std::string(kMetaPrefix) + key);
  }
  interceptor.pass(message);
}

bool holds_at(const Json& message, const char* pointer, const char* value) {
  const Json* const found = at_pointer(message, pointer);
  return found != nullptr && *found == value;
}

const ClientDeviation kClientOpeningDeviations[] = {
    {.id = "lifecycle.initialize-first",
     .revision = "2025-11-25",
     .what = "lists tools before it opens",
     .from_client =
         [](Interceptor& interceptor, Json message) {
           if (method_is(message, "initialize")) {
             Json early = notice_of("tools/list");
             early["id"] = 700;
             interceptor.pass(early);
           }
           interceptor.pass(message);
         },
     .also = {"versioning.client-disconnects-on-unsupported"}},
    {.id = "lifecycle.client-sends-initialize",
     .revision = "2025-11-25",
     .what = "opens without a name",
     .from_client =
         [](Interceptor& interceptor, Json message) {
           if (method_is(message, "initialize")) message["params"].erase("clientInfo");
           interceptor.pass(message);
         },
     .also = {"schema.messages-validate"}},
    {.id = "lifecycle.implementation-name-and-version",
     .revision = "2025-11-25",
     .what = "has no version",
     .from_client =
         [](Interceptor& interceptor, Json message) {
           if (method_is(message, "initialize")) message["params"]["clientInfo"].erase("version");
           interceptor.pass(message);
         },
     .also = {"schema.messages-validate"}},
    {.id = "lifecycle.initialized-notification",
     .revision = "2025-11-25",
     .what = "never says that it is initialized",
     .from_client =
         [](Interceptor& interceptor, Json message) {
           if (!method_is(message, "notifications/initialized")) interceptor.pass(message);
         },
     .also = {"base.core-and-lifecycle-supported", "versioning.client-offers-supported"}},
    {.id = "base.core-and-lifecycle-supported",
     .revision = "2025-06-18",
     .what = "leaves instead of saying that it is initialized",
     .from_client =
         [](Interceptor& interceptor, Json message) {
           if (method_is(message, "notifications/initialized")) return interceptor.stop();
           interceptor.pass(message);
         },
     .also = {"versioning.client-offers-supported", "stdio.shutdown-client-sequence"}},
    {.id = "versioning.client-offers-supported",
     .revision = "2024-11-05",
     .what = "leaves when the server agrees",
     .from_server = [](Interceptor& interceptor, Json) { interceptor.stop(); },
     .also = {"base.core-and-lifecycle-supported", "stdio.shutdown-client-sequence"}},
    {.id = "lifecycle.client-waits-for-init-response",
     .revision = "2025-11-25",
     .what = "lists tools at once",
     .from_client =
         [](Interceptor& interceptor, Json message) {
           interceptor.pass(message);
           if (!method_is(message, "initialize")) return;
           Json early = notice_of("tools/list");
           early["id"] = 700;
           interceptor.pass(early);
         },
     .also = {"lifecycle.initialized-notification",
              "versioning.client-disconnects-on-unsupported"}},
    {.id = "lifecycle.initialize-not-in-batch",
     .revision = "2025-03-26",
     .what = "opens with an array",
     .from_client =
         [](Interceptor& interceptor, Json message) {
           if (!method_is(message, "initialize")) return interceptor.pass(message);
           Json batch = Json::array();
           batch.push_back(message);
           interceptor.pass(batch);
         }},
    {.id = "lifecycle.only-negotiated-capabilities",
     .revision = "2025-11-25",
     .what = "asks for prompts that nobody has",
     .from_client =
         [](Interceptor& interceptor, Json message) {
           if (is_call(message)) {
             Json more = notice_of("prompts/list");
             more["id"] = 700 + ++interceptor.count;
             interceptor.pass(more);
           }
           interceptor.pass(message);
         }},
    {.id = "lifecycle.respect-negotiated-version",
     .revision = "2025-03-26",
     .what = "calls tools as tasks too early",
     .from_client =
         [](Interceptor& interceptor, Json message) {
           if (is_call(message)) message["params"]["task"] = Json::object();
           interceptor.pass(message);
         }},
    {.id = "lifecycle.meta-protocol-version-on-requests",
     .revision = "2026-07-28",
     .what = "does not say its revision",
     .from_client = [](Interceptor& interceptor,
                       Json message) { without_meta(interceptor, message, "protocolVersion"); },
     .also = {"schema.messages-validate"}},
    {.id = "lifecycle.meta-client-capabilities-on-requests",
     .revision = "2026-07-28",
     .what = "does not say its capabilities",
     .from_client = [](Interceptor& interceptor,
                       Json message) { without_meta(interceptor, message, "clientCapabilities"); },
     .also = {"schema.messages-validate"}},
    {.id = "lifecycle.client-info-on-requests",
     .revision = "2026-07-28",
     .what = "does not say who it is",
     .from_client = [](Interceptor& interceptor,
                       Json message) { without_meta(interceptor, message, "clientInfo"); }},
    {.id = "base.meta-prefix-syntax",
     .revision = "2025-11-25",
     .what = "has a prefix that ends with a dot",
     .from_client = [](Interceptor& interceptor,
                       Json message) { with_meta(interceptor, message, "com.example./a"); },
     .also = {"base.meta-label-charset"}},
    {.id = "base.meta-label-charset",
     .revision = "2025-11-25",
     .what = "has a label that begins with a digit",
     .from_client = [](Interceptor& interceptor,
                       Json message) { with_meta(interceptor, message, "7com.x/a"); },
     .also = {"base.meta-prefix-syntax"}},
    {.id = "base.meta-name-syntax",
     .revision = "2025-11-25",
     .what = "has a name with blanks",
     .from_client = [](Interceptor& interceptor,
                       Json message) { with_meta(interceptor, message, "a name"); }},
    {.id = "base.meta-reserved-prefix-not-used",
     .revision = "2025-11-25",
     .what = "uses a prefix of MCP",
     .from_client =
         [](Interceptor& interceptor, Json message) {
           with_meta(interceptor, message, "io.modelcontextprotocol/plumbline");
         }},
    {.id = "versioning.extension-id-naming",
     .revision = "2026-07-28",
     .what = "has an extension without a prefix",
     .from_client =
         [](Interceptor& interceptor, Json message) {
           Json& meta = message["params"]["_meta"];
           meta[kMetaCapabilities]["extensions"]["mine"] = Json::object();
           interceptor.pass(message);
         }},
    {.id = "versioning.client-disconnects-on-unsupported",
     .revision = "2025-11-25",
     .what = "takes no notice of the version",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (answers_with(message, "protocolVersion")) {
             message["result"]["protocolVersion"] = "2025-11-25";
           }
           interceptor.say(message);
         }},
    {.id = "http.notification-answers-without-body",
     .revision = "2025-11-25",
     .transport = Transport::kHttp,
     .what = "stops where the answer to a notification had a Content-Type",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           const Json* const name = at_pointer(message, "/result/tools/0/name");
           if (name != nullptr && *name == Json("after_worded_answers")) return interceptor.stop();
           interceptor.say(message);
         }},
    {.id = "versioning.modern-error-no-fallback",
     .revision = "2026-07-28",
     .what = "falls back on every error",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (find(message, "error")) message["error"] = error_object(-32601);
           interceptor.say(message);
         },
     .also = {"versioning.client-selects-supported"}},
    {.id = "versioning.client-selects-supported",
     .revision = "2026-07-28",
     .what = "gives up on every error",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (find(message, "error")) return interceptor.stop();
           interceptor.say(message);
         },
     .also = {"stdio.shutdown-client-sequence", "jsonrpc.error-forms-taken"}},
    {.id = "jsonrpc.client-answers-each",
     .revision = "2025-11-25",
     .what = "takes a request with the id of its own for the answer",
     .from_client =
         [](Interceptor& interceptor, Json message) {
           if (is_call(message)) interceptor.memory = message["id"];
           interceptor.pass(message);
         },
     .from_server =
         [](Interceptor& interceptor, Json message) {
           const Json* const id = find(message, "id");
           const bool like = id != nullptr && !id->is_null() && *id == interceptor.memory;
           if (!like || !holds_at(message, "/method", "ping")) interceptor.say(message);
         }},
    {.id = "jsonrpc.client-answers-each",
     .revision = "2025-11-25",
     .what = "answers a form by a notification",
     .from_client =
         [](Interceptor& interceptor, Json message) {
           if (holds_at(message, "/id", "first-of-two")) {
             message = Json::object({{"jsonrpc", "2.0"}, {"method", "elicitation/response"}});
           }
           interceptor.pass(message);
         }},
    {.id = "http.get-405-tolerated",
     .revision = "2025-11-25",
     .transport = Transport::kHttp,
     .what = "gives up where GET is answered with 405",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (holds_at(message, "/result/tools/0/name", "without_a_stream")) {
             return interceptor.stop();
           }
           interceptor.say(message);
         }},
};

}  // namespace

ClientDeviations client_opening_deviations() { return kClientOpeningDeviations; }

}  // namespace plumbline::conformance
