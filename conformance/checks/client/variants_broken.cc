// Clients that break a rule in another way than the first that comes to mind.

#include <string>

#include "conformance/broken/client/client_edits.h"

namespace plumbline::conformance {

namespace {

constexpr Transport kByHttp = Transport::kHttp;

bool responds(const Json& message) {
  return find(message, "method") == nullptr && find(message, "id") != nullptr;
}

// say_nothing keeps everything back.
void say_nothing(Interceptor&, Json) {}

// open_alone answers initialize in the place of the server, who never hears of it.
void open_alone(Interceptor& interceptor, Json message) {
  if (method_is(message, "notifications/initialized")) return;
  if (!method_is(message, "initialize")) return interceptor.pass(message);
  Json answer(Json::value_t::object);
  answer["jsonrpc"] = "2.0";
  answer["id"] = message["id"];
  answer["result"]["protocolVersion"] = message["params"]["protocolVersion"];
  answer["result"]["capabilities"]["tools"] = Json::object();
  answer["result"]["serverInfo"]["name"] = "made up";
  answer["result"]["serverInfo"]["version"] = "1";
  interceptor.say(answer);
}

// report_back reports less each time of each request that has a token.
void report_back(Interceptor& interceptor, Json message) {
  const Json* const token = at_pointer(message, "/params/_meta/progressToken");
  if (token != nullptr && find(message, "id") != nullptr) {
    for (const int progress : {2, 1}) {
      Json report = notice_of("notifications/progress");
      report["params"]["progressToken"] = *token;
      report["params"]["progress"] = progress;
      interceptor.pass(report);
    }
  }
  interceptor.say(message);
}

const Json* root_of(const Json& message) { return at_pointer(message, "/result/roots/0"); }

// each_argument changes each argument of each call; what becomes null is dropped.
void each_argument(Interceptor& interceptor, Json message, void (*change)(Json& value)) {
  Json* const arguments = is_call(message) && message["params"].contains("arguments")
                              ? &message["params"]["arguments"]
                              : nullptr;
  if (arguments == nullptr || !arguments->is_object()) return interceptor.pass(message);
  Json changed = Json::object();
  for (auto item = arguments->begin(); item != arguments->end(); ++item) {
    Json value = *item;
    const bool was_null = value.is_null();
    change(value);
    if (was_null || !value.is_null()) changed[item.key()] = std::move(value);
  }
  *arguments = std::move(changed);
  interceptor.pass(message);
}

const ClientDeviation kClientVariantDeviations[] = {
    {.id = "tools.call-arguments-exact",
     .revision = "2025-11-25",
     .what = "drops arguments that are empty",
     .from_client =
         [](Interceptor& interceptor, Json message) {
           each_argument(interceptor, std::move(message), [](Json& value) {
             if (value == "") value = nullptr;
           });
         }},
    {.id = "tools.call-arguments-exact",
     .revision = "2025-03-26",
     .what = "cuts whole numbers to 32 bits",
     .from_client =
         [](Interceptor& interceptor, Json message) {
           each_argument(interceptor, std::move(message), [](Json& value) {
             if (value.is_number_integer()) value = static_cast<int>(value.get<std::int64_t>());
           });
         }},
    {.id = "tools.call-arguments-exact",
     .revision = "2026-07-28",
     .what = "sends objects as text",
     .from_client =
         [](Interceptor& interceptor, Json message) {
           each_argument(interceptor, std::move(message), [](Json& value) {
             if (value.is_object()) value = dump_json(value);
           });
         }},
    {.id = "base.support-core-components",
     .revision = "2026-07-28",
     .what = "asks for nothing",
     .from_client = say_nothing},
    {.id = "base.core-and-lifecycle-supported",
     .revision = "2025-11-25",
     .what = "asks for nothing",
     .from_client = say_nothing,
     .also = {"lifecycle.client-sends-initialize"}},
    {.id = "lifecycle.client-sends-initialize",
     .revision = "2025-11-25",
     .what = "lists tools and never opens",
     .from_client = open_alone,
     .also = {"base.core-and-lifecycle-supported", "lifecycle.initialize-first"}},
    {.id = "versioning.client-offers-supported",
     .revision = "2025-11-25",
     .what = "offers a revision that there is not",
     .from_client =
         [](Interceptor& interceptor, Json message) {
           if (method_is(message, "initialize"))
             message["params"]["protocolVersion"] = "2025-11-26";
           interceptor.pass(message);
         }},
    {.id = "versioning.single-version-per-session",
     .revision = "2025-11-25",
     .what = "opens its session again in an older revision",
     .from_client =
         [](Interceptor& interceptor, Json message) {
           if (method_is(message, "initialize")) interceptor.memory = message;
           if (is_call(message) && ++interceptor.count == 1) {
             Json again = interceptor.memory;
             again["id"] = 800;
             again["params"]["protocolVersion"] = "2025-03-26";
             interceptor.pass(again);
           }
           interceptor.pass(message);
         },
     .also = {"lifecycle.initialized-notification", "lifecycle.client-waits-for-init-response"}},
    {.id = "jsonrpc.response-id-matches",
     .revision = "2025-11-25",
     .what = "answers without an id",
     .from_client =
         [](Interceptor& interceptor, Json message) {
           if (responds(message)) message.erase("id");
           interceptor.pass(message);
         },
     .also = {"jsonrpc.conforms-to-2-0", "ping.empty-result", "jsonrpc.method-not-found-code",
              "jsonrpc.notification-no-response", "jsonrpc.invalid-params-code",
              "elicitation.capability-declared", "elicitation.undeclared-mode-32602",
              "sampling.capability-declared", "sampling.tools-undeclared-error",
              "roots.capability-declared", "jsonrpc.parse-error-code"}},
    {.id = "jsonrpc.notification-no-response",
     .revision = "2025-11-25",
     .what = "answers unknown notifications with an error without an id",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (string_or(message, "method", "").ends_with("-unknown")) {
             Json answer(Json::value_t::object);
             answer["jsonrpc"] = "2.0";
             answer["error"] = error_object(-32601);
             interceptor.pass(answer);
           }
           interceptor.say(message);
         }},
    {.id = "jsonrpc.no-batching",
     .revision = "2025-11-25",
     .what = "writes an empty array before its calls",
     .from_client =
         [](Interceptor& interceptor, Json message) {
           if (is_call(message)) interceptor.pass(Json::array());
           interceptor.pass(message);
         },
     .also = {"stdio.single-message-lines", "jsonrpc.conforms-to-2-0"}},
    {.id = "jsonrpc.batch-no-response-for-notifications",
     .revision = "2025-03-26",
     .what = "answers arrays of notifications with an empty one",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (message.is_array() && !message.empty() && find(message[0], "id") == nullptr) {
             interceptor.pass(Json::array());
           }
           interceptor.say(message);
         },
     .also = {"jsonrpc.conforms-to-2-0"}},
    {.id = "base.utf8-encoding",
     .revision = "2025-11-25",
     .what = "ends a long call in Latin-1",
     .from_client =
         [](Interceptor& interceptor, Json message) {
           if (!is_call(message)) return interceptor.pass(message);
           std::string text = dump_json(message);
           text.insert(text.size() - 1, ",\"x\":\"" + std::string(400, 'x') + "\xE9\"");
           interceptor.pass_text(std::move(text));
         },
     .also = {"jsonrpc.conforms-to-2-0", "stdio.no-embedded-newlines"}},
    {.id = "stdio.stdin-only-mcp",
     .revision = "2025-11-25",
     .what = "logs to the server in JSON",
     .from_client =
         [](Interceptor& interceptor, Json message) {
           if (is_call(message)) interceptor.pass_text(R"({"level":"debug","text":"calling"})");
           interceptor.pass(message);
         },
     .also = {"jsonrpc.conforms-to-2-0", "jsonrpc.response-result-xor-error",
              "jsonrpc.version-is-2.0"}},
    {.id = "stdio.stdin-only-mcp",
     .revision = "2026-07-28",
     .what = "writes two messages on one line",
     .from_client =
         [](Interceptor& interceptor, Json message) {
           std::string text = dump_json(message);
           if (is_call(message)) text += dump_json(notice_of("notifications/plumbline"));
           interceptor.pass_text(std::move(text));
         },
     .also = {"jsonrpc.conforms-to-2-0"}},
    {.id = "stdio.newline-delimited",
     .revision = "2025-11-25",
     .what = "writes two messages with a blank between",
     .from_client =
         [](Interceptor& interceptor, Json message) {
           std::string text = dump_json(message);
           if (is_call(message)) text += " " + dump_json(notice_of("notifications/plumbline"));
           interceptor.pass_text(std::move(text));
         },
     .also = {"jsonrpc.conforms-to-2-0"}},
    {.id = "cancellation.references-own-in-flight",
     .revision = "2025-11-25",
     .what = "cancels a list when it has called a tool of it",
     .from_client =
         [](Interceptor& interceptor, Json message) {
           if (method_is(message, "tools/list")) interceptor.memory = message["id"];
           interceptor.pass(message);
           if (!is_call(message)) return;
           Json cancel = notice_of("notifications/cancelled");
           cancel["params"]["requestId"] = interceptor.memory;
           interceptor.pass(cancel);
         },
     .also = {"cancellation.cancel-on-timeout"}},
    {.id = "progress.increases",
     .revision = "2025-11-25",
     .what = "reports less each time",
     .from_server = report_back},
    {.id = "progress.stops-after-completion",
     .revision = "2025-11-25",
     .what = "reports progress of what it has answered",
     .from_client =
         [](Interceptor& interceptor, Json message) {
           interceptor.pass(message);
           if (!responds(message) || !interceptor.memory.is_object()) return;
           Json report = notice_of("notifications/progress");
           report["params"]["progressToken"] =
               interceptor.memory["params"]["_meta"]["progressToken"];
           report["params"]["progress"] = 1;
           interceptor.pass(report);
         },
     .from_server =
         [](Interceptor& interceptor, Json message) {
           const bool wanted = at_pointer(message, "/params/_meta/progressToken") != nullptr;
           if (wanted && find(message, "id") != nullptr) interceptor.memory = message;
           interceptor.say(message);
         }},
    {.id = "sampling.result-required-fields",
     .revision = "2025-11-25",
     .what = "has a bare text for the content",
     .from_client =
         [](Interceptor& interceptor, Json message) {
           if (answers_with(message, "model")) message["result"]["content"] = "sampled";
           interceptor.pass(message);
         },
     .also = {"schema.messages-validate", "schema.content-types-by-revision"}},
    {.id = "elicitation.accept-content-matches-schema",
     .revision = "2026-07-28",
     .what = "leaves out what a form requires",
     .from_client =
         [](Interceptor& interceptor, Json message) {
           if (at_pointer(message, "/params/inputResponses/question/content")) {
             message["params"]["inputResponses"]["question"]["content"].erase("name");
           }
           interceptor.pass(message);
         },
     .also = {"elicitation.client-validates-response", "elicitation.defaults-prefilled"}},
    {.id = "roots.uris-validated",
     .revision = "2025-11-25",
     .what = "has a root that climbs, percent-encoded",
     .from_client =
         [](Interceptor& interceptor, Json message) {
           if (root_of(message) != nullptr) {
             message["result"]["roots"][0]["uri"] = "file:///workspace/%2E%2e/etc";
           }
           interceptor.pass(message);
         }},
    {.id = "http.post-per-message",
     .revision = "2025-11-25",
     .transport = kByHttp,
     .what = "posts its cancellations to another address",
     .request = [](wire::HttpRequest& request) -> std::optional<wire::HttpResponse> {
       if (request.body.find("notifications/cancelled") != std::string::npos) {
         request.target = "/mcp/cancel";
       }
       return std::nullopt;
     },
     .also = {"cancellation.cancel-on-timeout", "http.cancel-is-explicit", "http.session-delete"}},
    {.id = "http.session-id-echoed",
     .revision = "2025-11-25",
     .transport = kByHttp,
     .what = "cuts the id of its session",
     .request = [](wire::HttpRequest& request) -> std::optional<wire::HttpResponse> {
       const std::optional<std::string_view> id = request.headers.get("Mcp-Session-Id");
       if (id && request.method == "POST") {
         request.headers.set("Mcp-Session-Id", std::string(id->substr(0, 16)));
       }
       return std::nullopt;
     }},
    {.id = "http.protocol-version-header",
     .revision = "2025-11-25",
     .transport = kByHttp,
     .what = "has an empty version",
     .request = [](wire::HttpRequest& request) -> std::optional<wire::HttpResponse> {
       if (request.headers.count("MCP-Protocol-Version")) {
         request.headers.set("MCP-Protocol-Version", "");
       }
       return std::nullopt;
     }},
    {.id = "http.sse-format",
     .revision = "2025-06-18",
     .transport = kByHttp,
     .what = "takes the first event of a stream for the answer",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           const Json* const data = at_pointer(message, "/params/data");
           if (data != nullptr && *data == "before the answer") return interceptor.stop();
           interceptor.say(message);
         }},
    {.id = "http.protocol-version-is-negotiated",
     .revision = "2025-11-25",
     .transport = kByHttp,
     .what = "says the version that it offered",
     .request = [](wire::HttpRequest& request) -> std::optional<wire::HttpResponse> {
       if (request.headers.count("MCP-Protocol-Version")) {
         request.headers.set("MCP-Protocol-Version", "2025-11-25");
       }
       return std::nullopt;
     }},
    {.id = "http.protocol-version-is-negotiated",
     .revision = "2025-11-25",
     .transport = kByHttp,
     .what = "says the version that it offered where it posts nothing",
     .request = [](wire::HttpRequest& request) -> std::optional<wire::HttpResponse> {
       if (request.method != "POST" && request.headers.count("MCP-Protocol-Version") > 0) {
         request.headers.set("MCP-Protocol-Version", "2025-11-25");
       }
       return std::nullopt;
     }},
    {.id = "http.protocol-version-header",
     .revision = "2025-11-25",
     .transport = kByHttp,
     .what = "says its version twice in one header",
     .request = [](wire::HttpRequest& request) -> std::optional<wire::HttpResponse> {
       if (request.headers.count("MCP-Protocol-Version")) {
         request.headers.set("MCP-Protocol-Version", "2025-11-25, 2025-11-25");
       }
       return std::nullopt;
     }},
    {.id = "http.protocol-version-header",
     .revision = "2026-07-28",
     .transport = kByHttp,
     .what = "says its version in two headers",
     .request = [](wire::HttpRequest& request) -> std::optional<wire::HttpResponse> {
       request.headers.add("MCP-Protocol-Version", "2026-07-28");
       return std::nullopt;
     }},
    {.id = "http.client-supports-both-response-types",
     .revision = "2025-11-25",
     .transport = kByHttp,
     .what = "does not read JSON",
     .response =
         [](const wire::HttpRequest&, int& status, wire::HttpHeaders& headers) {
           const std::optional<std::string_view> type = headers.get("Content-Type");
           if (type && type->starts_with("application/json")) status = 500;
         },
     .also = {"base.core-and-lifecycle-supported", "versioning.client-offers-supported"}},
    {.id = "http.param-value-type-conversion",
     .revision = "2026-07-28",
     .transport = kByHttp,
     .what = "writes texts in quotes",
     .request = [](wire::HttpRequest& request) -> std::optional<wire::HttpResponse> {
       if (request.headers.count("Mcp-Param-Region")) {
         request.headers.set("Mcp-Param-Region", "\"us-west1\"");
       }
       return std::nullopt;
     },
     .also = {"http.param-header-support"}},
};

}  // namespace

ClientDeviations client_variant_deviations() { return kClientVariantDeviations; }

}  // namespace plumbline::conformance
