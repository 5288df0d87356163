#include "conformance/broken/replies.h"
#include "conformance/catalogue/meta_keys.h"

namespace plumbline::conformance {

namespace {

bool is_error(const Json& message, std::int64_t code) {
  const Json* const wrong = find(message, "error");
  return wrong != nullptr && int_or(*wrong, "code", 0) == code;
}

// serves_null_ids answers a request whose id is null as any other.
void serves_null_ids(Interceptor& interceptor, std::string text) {
  const Json message = read(text);
  const Json* const id = find(message, "id");
  const bool null = id != nullptr && id->is_null() && !method_of(message).empty();
  if (null) return answer(interceptor, nullptr, Json::object());
  interceptor.pass_text(std::move(text));
}

// serves_batches answers an array of requests with an array of results.
void serves_batches(Interceptor& interceptor, std::string text) {
  const Json messages = read(text);
  if (!messages.is_array() || messages.empty()) return interceptor.pass_text(std::move(text));
  Json results = Json::array();
  for (const Json& message : messages) {
    Json result = Json::object();
    result["jsonrpc"] = "2.0";
    result["id"] = id_of(message);
    result["result"] = Json::object();
    results.push_back(std::move(result));
  }
  interceptor.say(results);
}

const Deviation kJsonrpcDeviations[] = {
    {.id = "jsonrpc.bad-id-not-served",
     .revision = "2025-11-25",
     .what = "serves a request whose id is null",
     .from_client = serves_null_ids},
    {.id = "jsonrpc.request-answered",
     .revision = "2025-11-25",
     .what = "answers nothing that is named like a notification",
     .from_client =
         [](Interceptor& interceptor, std::string text) {
           const Json message = read(text);
           const bool named = method_of(message).starts_with("notifications/");
           if (!named || find(message, "id") == nullptr) interceptor.pass_text(std::move(text));
         }},
    {.id = "jsonrpc.request-answered",
     .revision = "2025-11-25",
     .what = "never answers a list that is asked for without params",
     .from_client =
         [](Interceptor& interceptor, std::string text) {
           const Json message = read(text);
           const bool bare = method_of(message) == "prompts/list" && !message.contains("params");
           if (!bare) interceptor.pass_text(std::move(text));
         },
     .also = {"prompts.capability-declared"}},
    {.id = "jsonrpc.request-answered",
     .revision = "2025-11-25",
     .transport = Transport::kHttp,
     .what = "is out of order when params are no object",
     .request = [](wire::HttpRequest& request) -> std::optional<wire::HttpResponse> {
       const Json params = value_at(read(request.body), "/params");
       if (params.is_null() || params.is_object()) return std::nullopt;
       return wire::HttpResponse{500, {}, ""};
     }},
    {.id = "jsonrpc.batch-not-served",
     .revision = "2025-11-25",
     .what = "answers batches in a revision that has none",
     .from_client = serves_batches,
     .also = {"jsonrpc.no-batching", "stdio.single-message-lines"}},
    {"jsonrpc.method-not-found-code",
     "2025-11-25",
     Transport::kStdio,
     "answers an unknown method with an empty result",
     [](Interceptor& interceptor, Json message) {
       if (is_error(message, -32601) &&
           interceptor.method_asked(message) == "plumbline/no-such-method") {
         message.erase("error");
         message["result"] = Json::object();
       }
       interceptor.say(message);
     },
     nullptr,
     nullptr,
     nullptr,
     {},
     {"tasks.tool-forbidden-32601", "tasks.tool-required-32601"}},
    {"jsonrpc.parse-error-code", "2025-11-25", Transport::kStdio, "ignores what is no JSON",
     [](Interceptor& interceptor, Json message) {
       if (!is_error(message, -32700)) interceptor.say(message);
     }},
    {"jsonrpc.parse-error-code", "2025-11-25", Transport::kStdio,
     "calls what is no JSON an invalid request",
     [](Interceptor& interceptor, Json message) {
       if (is_error(message, -32700)) message["error"]["code"] = -32600;
       interceptor.say(message);
     }},
    {"jsonrpc.invalid-request-code", "2025-11-25", Transport::kStdio,
     "calls an invalid request an internal error",
     [](Interceptor& interceptor, Json message) {
       if (is_error(message, -32600)) message["error"]["code"] = -32603;
       interceptor.say(message);
     }},
    {.id = "jsonrpc.notification-no-response",
     .revision = "2025-11-25",
     .what = "answers unknown notifications with an error",
     .from_client =
         [](Interceptor& interceptor, std::string text) {
           if (method_of(read(text)).ends_with("-unknown")) refuse(interceptor, nullptr, -32601);
           interceptor.pass_text(std::move(text));
         },
     .also = {"jsonrpc.unknown-notification-ignored"}},
    {.id = "jsonrpc.notification-no-response",
     .revision = "2025-11-25",
     .what = "answers lists that nobody waits for",
     .from_client =
         [](Interceptor& interceptor, std::string text) {
           const Json message = read(text);
           const bool bare = method_of(message) == "tools/list" && !message.contains("id");
           if (bare) answer(interceptor, nullptr, {{"tools", Json::array()}});
           interceptor.pass_text(std::move(text));
         }},
    {.id = "jsonrpc.notification-no-response",
     .revision = "2026-07-28",
     .what = "answers late cancellations with a result",
     .from_client =
         [](Interceptor& interceptor, std::string text) {
           const Json message = read(text);
           const Json id = value_at(message, "/params/requestId");
           if (id == Json("plumbline-never-asked")) answer(interceptor, nullptr, Json::object());
           interceptor.pass_text(std::move(text));
         },
     .also = {"base.result-type-required", "lifecycle.server-info-on-results"}},
    {.id = "jsonrpc.method-not-found-code",
     .revision = "2026-07-28",
     .what = "still sets the level of its log",
     .from_client =
         [](Interceptor& interceptor, std::string text) {
           const Json message = read(text);
           if (method_of(message) != "logging/setLevel") return interceptor.pass_text(text);
           Json result = Json::object();
           result["resultType"] = "complete";
           result["_meta"][kMetaServerInfo]["name"] = "bent";
           result["_meta"][kMetaServerInfo]["version"] = "1";
           answer(interceptor, id_of(message), std::move(result));
         }},
    {"jsonrpc.version-is-2.0", "2025-11-25", Transport::kStdio, "says version 1.0 in its errors",
     [](Interceptor& interceptor, Json message) {
       if (find(message, "error")) message["jsonrpc"] = "1.0";
       interceptor.say(message);
     }},
    {.id = "jsonrpc.conforms-to-2-0",
     .revision = "2025-11-25",
     .what = "answers some requests twice",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           interceptor.say(message);
           if (interceptor.method_asked(message) == "tools/list") interceptor.say(message);
         }},
    {.id = "jsonrpc.conforms-to-2-0",
     .revision = "2025-11-25",
     .what = "logs a mean of nothing",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           interceptor.say(message);
           if (interceptor.method_asked(message) != "tools/list") return;
           interceptor.say_text(R"({"jsonrpc":"2.0","method":"notifications/message",)"
                                R"("params":{"level":"info","data":{"mean":NaN}}})");
         }},
    {.id = "jsonrpc.unknown-notification-ignored",
     .revision = "2025-11-25",
     .what = "answers unknown notifications without params with an error",
     .from_client =
         [](Interceptor& interceptor, std::string text) {
           const Json message = read(text);
           const bool unknown = method_of(message) == "notifications/plumbline-unknown";
           if (unknown && !message.contains("params")) refuse(interceptor, nullptr, -32600);
           interceptor.pass_text(std::move(text));
         }},
    {.id = "jsonrpc.invalid-params-code",
     .revision = "2025-11-25",
     .what = "has a code of its own for missing params",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           const Json asked = interceptor.asked(message);
           const bool bare = method_of(asked) == "tools/call" && !asked.contains("params");
           if (bare && message.contains("error")) message["error"]["code"] = -32099;
           interceptor.say(message);
         }},
    {.id = "jsonrpc.notifications-known",
     .revision = "2025-11-25",
     .what = "tells of each call by a notification of its own",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           const Json told = {{"jsonrpc", "2.0"}, {"method", "bent/event"}};
           if (interceptor.method_asked(message) == "tools/call") interceptor.say(told);
           interceptor.say(message);
         }},
    {.id = "jsonrpc.invalid-params-code",
     .revision = "2025-11-25",
     .what = "fails by itself where arguments are null",
     .from_client =
         [](Interceptor& interceptor, std::string text) {
           const Json message = read(text);
           const Json* const given = at_pointer(message, "/params/arguments");
           if (method_of(message) == "tools/call" && given != nullptr && given->is_null()) {
             return refuse(interceptor, id_of(message), -32603);
           }
           interceptor.pass_text(std::move(text));
         }},
    {.id = "jsonrpc.error-without-id-when-unreadable",
     .revision = "2025-11-25",
     .what = "makes up an id for what it could not read",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (is_error(message, -32700)) message["id"] = 77;
           interceptor.say(message);
         }},
    {.id = "jsonrpc.responses-any-order",
     .revision = "2025-11-25",
     .what = "loses slow calls",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           const Json asked = interceptor.asked(message);
           const bool slow = value_at(asked, "/params/name") == "test_tool_with_progress";
           if (!slow || !value_at(asked, "/params/_meta").is_null()) interceptor.say(message);
         }},
    {.id = "jsonrpc.batch-receive",
     .revision = "2025-03-26",
     .transport = Transport::kHttp,
     .what = "refuses arrays of requests",
     .from_client =
         [](Interceptor& interceptor, std::string text) {
           const bool batch = text.starts_with("[") && text.find("ping") != std::string::npos;
           if (!batch) return interceptor.pass_text(std::move(text));
           refuse(interceptor, nullptr, -32600);
         }},
    {.id = "stdio.batch-lines-accepted",
     .revision = "2025-03-26",
     .what = "refuses lines with arrays of requests",
     .from_client =
         [](Interceptor& interceptor, std::string text) {
           const bool batch = text.starts_with("[") && text.find("ping") != std::string::npos;
           if (!batch) return interceptor.pass_text(std::move(text));
           refuse(interceptor, nullptr, -32600);
         },
     .also = {"jsonrpc.batch-receive"}},
    {.id = "jsonrpc.batch-no-response-for-notifications",
     .revision = "2025-03-26",
     .what = "answers arrays of notifications with an empty array",
     .from_client =
         [](Interceptor& interceptor, std::string text) {
           const bool batch = text.starts_with("[{") && text.find("\"id\"") == std::string::npos;
           if (batch) interceptor.say(Json::array());
           interceptor.pass_text(std::move(text));
         }},
    {.id = "jsonrpc.batch-empty-invalid",
     .revision = "2025-03-26",
     .what = "ignores empty arrays",
     .from_client =
         [](Interceptor& interceptor, std::string text) {
           if (text != "[]") interceptor.pass_text(std::move(text));
         }},
};

}  // namespace

Deviations jsonrpc_deviations() { return kJsonrpcDeviations; }

}  // namespace plumbline::conformance
