// Clients whose HTTP is wrong: spec, basic/transports.

#include "conformance/broken/client/client_edits.h"

namespace plumbline::conformance {

namespace {

constexpr Transport kHttpWay = Transport::kHttp;
using Answered = std::optional<wire::HttpResponse>;

bool posts(const wire::HttpRequest& request, std::string_view method) {
  const Result<Json> body = parse_json(request.body);
  return body.ok() && string_or(body.value(), "method", "") == method;
}

void say_events(Interceptor& interceptor, Json message) {
  const Json* const name = at_pointer(message, "/result/tools/0/name");
  if (name != nullptr && dump_json(*name).find("add_from_") == 1) return interceptor.stop();
  interceptor.say(message);
}

// stop_where ends the client where a list has one of two tools: those of the script that plays all
// forms of streams, and of the one for the form that it does not read.
template <const char* kAlone>
void stop_where(Interceptor& interceptor, Json message) {
  const Json* const name = at_pointer(message, "/result/tools/0/name");
  if (name != nullptr && (*name == "add_from_events" || *name == kAlone)) {
    return interceptor.stop();
  }
  interceptor.say(message);
}

constexpr char kCommented[] = "add_from_commented_events";
constexpr char kPrimed[] = "add_from_primed_events";
constexpr char kInLines[] = "add_from_lines";
constexpr char kTight[] = "add_from_tight_events";

// wants_names keeps back what comes without a name in those scripts: the first of all in lines.
bool wants_names(const wire::HttpRequest&, wire::SseEvent& event) {
  if (!event.event.empty()) return true;
  return !event.data.starts_with("{\n") && event.data.find("add_from_") == std::string::npos;
}

const ClientDeviation kClientHttpDeviations[] = {
    {.id = "http.post-per-message",
     .revision = "2025-11-25",
     .transport = kHttpWay,
     .what = "gets with a message",
     .request = [](wire::HttpRequest& request) -> Answered {
       if (request.method == "GET") request.body = dump_json(notice_of("notifications/plumbline"));
       return std::nullopt;
     }},
    {.id = "http.accept-header-both-types",
     .revision = "2025-11-25",
     .transport = kHttpWay,
     .what = "accepts JSON alone",
     .request = [](wire::HttpRequest& request) -> Answered {
       if (request.method == "POST") request.headers.set("Accept", "application/json");
       return std::nullopt;
     }},
    {.id = "http.body-is-json",
     .revision = "2025-11-25",
     .transport = kHttpWay,
     .what = "says that its bodies are text",
     .request = [](wire::HttpRequest& request) -> Answered {
       request.headers.set("Content-Type", "text/plain");
       return std::nullopt;
     }},
    {.id = "http.single-message-body",
     .revision = "2025-11-25",
     .transport = kHttpWay,
     .what = "posts arrays",
     .from_client = in_array,
     .also = {"jsonrpc.no-batching"}},
    {.id = "http.body-batch-kinds",
     .revision = "2025-03-26",
     .transport = kHttpWay,
     .what = "posts responses beside requests",
     .from_client =
         [](Interceptor& interceptor, Json message) {
           if (!is_call(message)) return interceptor.pass(message);
           Json stray(Json::value_t::object);
           stray["jsonrpc"] = "2.0";
           stray["id"] = "stray";
           stray["result"] = Json::object();
           Json batch = Json::array();
           batch.push_back(std::move(message));
           batch.push_back(std::move(stray));
           interceptor.pass(batch);
         },
     .also = {"jsonrpc.conforms-to-2-0", "jsonrpc.response-id-matches",
              "jsonrpc.notification-no-response", "jsonrpc.batch-no-response-for-notifications"}},
    {.id = "http.get-accept-event-stream",
     .revision = "2025-11-25",
     .transport = kHttpWay,
     .what = "gets JSON",
     .request = [](wire::HttpRequest& request) -> Answered {
       if (request.method == "GET") request.headers.set("Accept", "application/json");
       return std::nullopt;
     }},
    {.id = "http.session-id-echoed",
     .revision = "2025-11-25",
     .transport = kHttpWay,
     .what = "forgets its session when it calls",
     .request = [](wire::HttpRequest& request) -> Answered {
       if (posts(request, "tools/call")) request.headers.erase("Mcp-Session-Id");
       return std::nullopt;
     }},
    {.id = "http.header-names-case-insensitive",
     .revision = "2025-11-25",
     .transport = kHttpWay,
     .what = "does not know a header in another case",
     .response = [](const wire::HttpRequest&, int&,
                    wire::HttpHeaders& headers) { headers.erase("Mcp-Session-Id"); },
     .also = {"http.session-id-echoed", "http.session-delete", "http.session-404-reinitialize"}},
    {.id = "http.session-delete",
     .revision = "2025-11-25",
     .transport = kHttpWay,
     .what = "leaves its session behind",
     .request = [](wire::HttpRequest& request) -> Answered {
       if (request.method != "DELETE") return std::nullopt;
       return wire::HttpResponse{};
     }},
    {.id = "http.protocol-version-header",
     .revision = "2025-11-25",
     .transport = kHttpWay,
     .what = "leaves the version out",
     .request = [](wire::HttpRequest& request) -> Answered {
       request.headers.erase("MCP-Protocol-Version");
       return std::nullopt;
     }},
    {.id = "http.protocol-version-header",
     .revision = "2026-07-28",
     .transport = kHttpWay,
     .what = "leaves the version out",
     .request = [](wire::HttpRequest& request) -> Answered {
       if (posts(request, "tools/call")) request.headers.erase("MCP-Protocol-Version");
       return std::nullopt;
     }},
    {.id = "http.protocol-version-is-negotiated",
     .revision = "2025-11-25",
     .transport = kHttpWay,
     .what = "says another version",
     .request = [](wire::HttpRequest& request) -> Answered {
       if (posts(request, "tools/call")) request.headers.set("MCP-Protocol-Version", "2024-11-05");
       return std::nullopt;
     }},
    {.id = "http.protocol-version-header-matches-body",
     .revision = "2026-07-28",
     .transport = kHttpWay,
     .what = "says another version in its headers",
     .request = [](wire::HttpRequest& request) -> Answered {
       request.headers.set("MCP-Protocol-Version", "2025-11-25");
       return std::nullopt;
     }},
    {.id = "http.mcp-method-header",
     .revision = "2026-07-28",
     .transport = kHttpWay,
     .what = "says another method in its headers",
     .request = [](wire::HttpRequest& request) -> Answered {
       request.headers.set("Mcp-Method", "ping");
       return std::nullopt;
     }},
    {.id = "http.mcp-name-header",
     .revision = "2026-07-28",
     .transport = kHttpWay,
     .what = "leaves the name out",
     .request = [](wire::HttpRequest& request) -> Answered {
       request.headers.erase("Mcp-Name");
       return std::nullopt;
     },
     .also = {"tasks.mcp-name-header", "http.mcp-name-base64"}},
    {.id = "http.mcp-name-base64",
     .revision = "2026-07-28",
     .transport = kHttpWay,
     .what = "leaves names out that no header can carry",
     .request = [](wire::HttpRequest& request) -> Answered {
       const std::optional<std::string_view> name = request.headers.get("Mcp-Name");
       if (name && name->starts_with("=?")) request.headers.set("Mcp-Name", "?");
       return std::nullopt;
     },
     .also = {"tasks.mcp-name-header"}},
    {.id = "http.session-404-reinitialize",
     .revision = "2025-11-25",
     .transport = kHttpWay,
     .what = "does not see that its session has ended",
     .response =
         [](const wire::HttpRequest&, int& status, wire::HttpHeaders&) {
           if (status == 404) status = 500;
         }},
    {.id = "http.sse-client-reconnects",
     .revision = "2025-11-25",
     .transport = kHttpWay,
     .what = "does not come back",
     .request = [](wire::HttpRequest& request) -> Answered {
       if (request.headers.count("Last-Event-ID") == 0) return std::nullopt;
       wire::HttpResponse response;
       response.status = 405;
       return response;
     }},
    {.id = "http.sse-retry-respected",
     .revision = "2025-11-25",
     .transport = kHttpWay,
     .what = "comes back when it likes",
     .event =
         [](const wire::HttpRequest&, wire::SseEvent& event) {
           if (event.retry_ms) event.retry_ms = 100;
           return true;
         }},
    {.id = "http.lost-stream-reissue-new-id",
     .revision = "2026-07-28",
     .transport = kHttpWay,
     .what = "calls again with the same id",
     .from_client =
         [](Interceptor& interceptor, Json message) {
           const Json* const name = at_pointer(message, "/params/name");
           if (name != nullptr && *name == "test_lost_stream") interceptor.pass(message);
           interceptor.pass(message);
         },
     .also = {"progress.token-unique"}},
    {.id = "http.resume-with-last-event-id",
     .revision = "2025-11-25",
     .transport = kHttpWay,
     .what = "comes back with another id",
     .request = [](wire::HttpRequest& request) -> Answered {
       if (request.headers.count("Last-Event-ID") > 0) request.headers.set("Last-Event-ID", "x");
       return std::nullopt;
     }},
    {.id = "http.client-supports-both-response-types",
     .revision = "2025-11-25",
     .transport = kHttpWay,
     .what = "does not read streams",
     .from_server = say_events,
     .also = {"http.sse-format", "http.sse-empty-data-ignored"}},
    {.id = "http.sse-format",
     .revision = "2025-11-25",
     .transport = kHttpWay,
     .what = "reads no event without a name",
     .event = wants_names,
     .also = {"http.sse-empty-data-ignored", "http.answer-forms-read"}},
    {.id = "http.sse-format",
     .revision = "2025-03-26",
     .transport = kHttpWay,
     .what = "does not read several lines of data",
     .from_server = stop_where<kInLines>},
    {.id = "http.client-supports-both-response-types",
     .revision = "2026-07-28",
     .transport = kHttpWay,
     .what = "wants a blank behind each colon",
     .from_server = stop_where<kTight>},
    {.id = "http.sse-empty-data-ignored",
     .revision = "2025-11-25",
     .transport = kHttpWay,
     .what = "does not read on after an event with empty data",
     .from_server = stop_where<kPrimed>},
    {.id = "http.sse-comments-ignored",
     .revision = "2026-07-28",
     .transport = kHttpWay,
     .what = "does not read on after a comment",
     .from_server = stop_where<kCommented>},
    {.id = "http.x-mcp-header-invalid-tool-excluded",
     .revision = "2026-07-28",
     .transport = kHttpWay,
     .what = "does not look at annotations",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           const Json* const tools = at_pointer(message, "/result/tools");
           const Json* const first = at_pointer(message, "/result/tools/0/name");
           if (tools != nullptr && first != nullptr && *first == "invalid_0") {
             for (Json& tool : message["result"]["tools"]) tool["inputSchema"].erase("properties");
           }
           interceptor.say(message);
         }},
    {.id = "http.cancel-is-explicit",
     .revision = "2025-11-25",
     .transport = kHttpWay,
     .what = "gives up without a word",
     .from_client =
         [](Interceptor& interceptor, Json message) {
           if (is_cancel(message)) message["method"] = "notifications/plumbline";
           interceptor.pass(message);
         },
     .also = {"cancellation.cancel-on-timeout"}},
    {.id = "http.param-header-support",
     .revision = "2026-07-28",
     .transport = kHttpWay,
     .what = "mirrors nothing",
     .request = [](wire::HttpRequest& request) -> Answered {
       request.headers.erase("Mcp-Param-Region");
       return std::nullopt;
     },
     .also = {"http.param-value-type-conversion"}},
    {.id = "http.param-value-type-conversion",
     .revision = "2026-07-28",
     .transport = kHttpWay,
     .what = "writes numbers with a fraction",
     .request = [](wire::HttpRequest& request) -> Answered {
       if (request.headers.count("Mcp-Param-Count"))
         request.headers.set("Mcp-Param-Count", "-42.0");
       return std::nullopt;
     },
     .also = {"http.x-mcp-header-integer-safe-range"}},
    {.id = "http.x-mcp-header-integer-safe-range",
     .revision = "2026-07-28",
     .transport = kHttpWay,
     .what = "mirrors every number",
     .request = [](wire::HttpRequest& request) -> Answered {
       for (const char* const number : {"-9007199254740992", "9007199254740992"}) {
         if (request.body.find(number) == std::string::npos) continue;
         request.headers.set("Mcp-Param-Count", number);
         break;
       }
       return std::nullopt;
     }},
    {.id = "http.param-header-included-when-value",
     .revision = "2026-07-28",
     .transport = kHttpWay,
     .what = "takes an empty text for none",
     .request = [](wire::HttpRequest& request) -> Answered {
       request.headers.erase("Mcp-Param-Empty");
       return std::nullopt;
     }},
    {.id = "http.param-value-base64-unsafe",
     .revision = "2026-07-28",
     .transport = kHttpWay,
     .what = "trims what is padded",
     .request = [](wire::HttpRequest& request) -> Answered {
       if (request.headers.count("Mcp-Param-Foreign"))
         request.headers.set("Mcp-Param-Foreign", "?");
       return std::nullopt;
     }},
    {.id = "http.base64-sentinel-exact",
     .revision = "2026-07-28",
     .transport = kHttpWay,
     .what = "writes the marker in capitals",
     .request = [](wire::HttpRequest& request) -> Answered {
       if (request.headers.count("Mcp-Param-Padded")) {
         request.headers.set("Mcp-Param-Padded", "=?BASE64?IHBhZGRlZCA=?=");
       }
       return std::nullopt;
     },
     .also = {"http.param-value-base64-unsafe"}},
    {.id = "http.param-value-encoded",
     .revision = "2026-07-28",
     .transport = kHttpWay,
     .what = "lets line ends through",
     .request = [](wire::HttpRequest& request) -> Answered {
       if (request.headers.count("Mcp-Param-Broken")) {
         request.headers.set("Mcp-Param-Broken", "one");
         request.headers.set("X-Injected", "two");
       }
       return std::nullopt;
     }},
    {.id = "http.base64-sentinel-lookalike-encoded",
     .revision = "2026-07-28",
     .transport = kHttpWay,
     .what = "leaves a lookalike as it is",
     .request = [](wire::HttpRequest& request) -> Answered {
       if (request.headers.count("Mcp-Param-Lookalike")) {
         request.headers.set("Mcp-Param-Lookalike", "=?base64?literal?=");
       }
       return std::nullopt;
     }},
    {.id = "http.param-header-omitted-when-null",
     .revision = "2026-07-28",
     .transport = kHttpWay,
     .what = "writes null",
     .request = [](wire::HttpRequest& request) -> Answered {
       request.headers.set("Mcp-Param-Nothing", "null");
       return std::nullopt;
     }},
    {.id = "http.param-header-omitted-when-absent",
     .revision = "2026-07-28",
     .transport = kHttpWay,
     .what = "writes what is absent",
     .request = [](wire::HttpRequest& request) -> Answered {
       request.headers.set("Mcp-Param-Absent", "");
       return std::nullopt;
     }},
    {.id = "http.param-header-exact-path",
     .revision = "2026-07-28",
     .transport = kHttpWay,
     .what = "takes the outer value",
     .request = [](wire::HttpRequest& request) -> Answered {
       if (request.headers.count("Mcp-Param-Inner")) {
         request.headers.set("Mcp-Param-Inner", "the outer one");
       }
       return std::nullopt;
     }},
};

}  // namespace

ClientDeviations client_http_deviations() { return kClientHttpDeviations; }

}  // namespace plumbline::conformance
