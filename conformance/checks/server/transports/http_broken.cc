#include <set>
#include <string>

#include "conformance/broken/deviation.h"

namespace plumbline::conformance {

namespace {

using wire::HttpHeaders;
using wire::HttpRequest;
using wire::HttpResponse;

constexpr const char* kSession = "Mcp-Session-Id";
constexpr const char* kVersion = "MCP-Protocol-Version";

std::optional<HttpResponse> go_on() { return std::nullopt; }

// spelled returns whether a field has exactly this name.
bool spelled(const HttpRequest& request, std::string_view name) {
  for (const auto& [key, value] : request.headers.fields()) {
    if (key == name) return true;
  }
  return false;
}

bool holds(const HttpRequest& request, std::string_view text) {
  return request.body.find(text) != std::string::npos;
}

// HeldStreams gives each session one GET stream, and goes on to count it when it is closed.
class HeldStreams final : public Keeper {
 public:
  std::optional<HttpResponse> answer(HttpRequest& request) override {
    const std::string session(request.headers.get("Mcp-Session-Id").value_or(""));
    const bool more = request.headers.count("Origin") || request.headers.count("Last-Event-ID");
    if (request.method != "GET" || more || session.empty()) return go_on();
    if (held_.insert(session).second) return go_on();
    return HttpResponse{409, {}, ""};
  }

 private:
  std::set<std::string> held_;
};

const Deviation kHttpDeviations[] = {
    {.id = "http.get-stream-or-405",
     .revision = "2025-11-25",
     .transport = Transport::kHttp,
     .what = "gives no second stream to a session whose first is closed",
     .keeper = [](Behind) -> std::unique_ptr<Keeper> { return std::make_unique<HeldStreams>(); }},
    {.id = "http.single-endpoint-post-get",
     .revision = "2025-11-25",
     .transport = Transport::kHttp,
     .what = "has no GET",
     .request = [](HttpRequest& request) -> std::optional<HttpResponse> {
       if (request.method != "GET" || request.headers.count("Last-Event-ID")) return go_on();
       return HttpResponse{404, {}, ""};
     },
     .also = {"http.get-stream-or-405"}},
    {.id = "http.single-endpoint-post",
     .revision = "2026-07-28",
     .transport = Transport::kHttp,
     .what = "lists templates elsewhere",
     .request = [](HttpRequest& request) -> std::optional<HttpResponse> {
       if (!holds(request, "\"resources/templates/list\"")) return go_on();
       return HttpResponse{404, {{"Content-Type", "text/plain"}}, "no such page"};
     }},
    {.id = "http.get-stream-or-405",
     .revision = "2025-11-25",
     .transport = Transport::kHttp,
     .what = "never answers GET",
     .also = {"http.single-endpoint-post-get"},
     .holds_gets = true},
    {.id = "http.get-stream-or-405",
     .revision = "2025-11-25",
     .transport = Transport::kHttp,
     .what = "answers GET with a page",
     .request = [](HttpRequest& request) -> std::optional<HttpResponse> {
       const bool more = request.headers.count("Origin") || request.headers.count("Last-Event-ID");
       if (request.method != "GET" || more) return go_on();
       return HttpResponse{200, {{"Content-Type", "text/html"}}, ""};
     }},
    {.id = "http.get-delete-405",
     .revision = "2026-07-28",
     .transport = Transport::kHttp,
     .what = "has no sessions, but answers GET with 400",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (interceptor.method_asked(message) == "server/discover" && find(message, "result")) {
             message["result"]["supportedVersions"] = Json::array({"2026-07-28"});
           }
           interceptor.say(message);
         }},
    {.id = "http.origin-validated",
     .revision = "2025-11-25",
     .transport = Transport::kHttp,
     .what = "does not look at the Origin of a GET",
     .request = [](HttpRequest& request) -> std::optional<HttpResponse> {
       if (request.method == "GET") request.headers.erase("Origin");
       return go_on();
     }},
    {.id = "http.origin-validated",
     .revision = "2026-07-28",
     .transport = Transport::kHttp,
     .what = "takes an Origin that begins like its own for its own",
     .request = [](HttpRequest& request) -> std::optional<HttpResponse> {
       const std::string origin(request.headers.get("Origin").value_or(""));
       if (origin.starts_with("http://localhost")) request.headers.erase("Origin");
       return go_on();
     }},
    {.id = "http.origin-validated",
     .revision = "2024-11-05",
     .transport = Transport::kSse,
     .what = "does not look at Origin",
     .request = [](HttpRequest& request) -> std::optional<HttpResponse> {
       request.headers.erase("Origin");
       return go_on();
     }},
    {.id = "http.origin-invalid-403",
     .revision = "2025-11-25",
     .transport = Transport::kHttp,
     .what = "refuses an Origin with 400",
     .response =
         [](const HttpRequest& request, int& status, HttpHeaders&) {
           if (request.headers.count("Origin")) status = 400;
         }},
    {.id = "http.chunked-bodies-read",
     .revision = "2025-11-25",
     .transport = Transport::kHttp,
     .what = "reads no body without a Content-Length",
     .request = [](HttpRequest& request) -> std::optional<HttpResponse> {
       if (request.headers.count("Transfer-Encoding") == 0) return go_on();
       return HttpResponse{411, {}, ""};
     }},
    {.id = "http.session-id-once",
     .revision = "2025-11-25",
     .transport = Transport::kHttp,
     .what = "names its sessions twice",
     .response =
         [](const HttpRequest&, int&, HttpHeaders& headers) {
           const std::string id(headers.get(kSession).value_or(""));
           if (!id.empty()) headers.add("mcp-session-id", id);
         }},
    {.id = "http.session-id-exposed",
     .revision = "2025-11-25",
     .transport = Transport::kHttp,
     .what = "lets pages in and hides the session from them",
     .response = [](const HttpRequest&, int&,
                    HttpHeaders& headers) { headers.set("Access-Control-Allow-Origin", "*"); },
     .also = {"http.preflight-answered"}},
    {.id = "http.preflight-answered",
     .revision = "2025-11-25",
     .transport = Transport::kHttp,
     .what = "lets pages in and refuses their header MCP-Protocol-Version",
     .request = [](HttpRequest& request) -> std::optional<HttpResponse> {
       if (request.method != "OPTIONS") return go_on();
       return HttpResponse{204,
                           {{"Access-Control-Allow-Origin", "*"},
                            {"Access-Control-Allow-Headers", "content-type, mcp-session-id"}},
                           ""};
     },
     .response =
         [](const HttpRequest&, int&, HttpHeaders& headers) {
           headers.set("Access-Control-Allow-Origin", "*");
           headers.set("Access-Control-Expose-Headers", "Mcp-Session-Id");
         }},
    {.id = "http.preflight-answered",
     .revision = "2025-11-25",
     .transport = Transport::kHttp,
     .what = "lets pages in, and not their DELETE",
     .request = [](HttpRequest& request) -> std::optional<HttpResponse> {
       if (request.method != "OPTIONS") return go_on();
       return HttpResponse{
           204,
           {{"Access-Control-Allow-Origin", "*"},
            {"Access-Control-Allow-Methods", "GET, POST"},
            {"Access-Control-Allow-Headers", "content-type, mcp-session-id, mcp-protocol-version"}},
           ""};
     },
     .response =
         [](const HttpRequest&, int&, HttpHeaders& headers) {
           headers.set("Access-Control-Allow-Origin", "*");
           headers.set("Access-Control-Expose-Headers", "Mcp-Session-Id");
         }},
    {.id = "http.media-types-parsed",
     .revision = "2025-11-25",
     .transport = Transport::kHttp,
     .what = "wants to be asked for the two types in no other words",
     .request = [](HttpRequest& request) -> std::optional<HttpResponse> {
       if (request.method != "POST" ||
           request.headers.get("Accept") == "application/json, text/event-stream") {
         return go_on();
       }
       return HttpResponse{406, {}, ""};
     }},
    {.id = "http.notification-rejected-error-status",
     .revision = "2025-11-25",
     .transport = Transport::kHttp,
     .what = "takes half a notification",
     .request = [](HttpRequest& request) -> std::optional<HttpResponse> {
       if (!holds(request, "\"notifications/cancelled\"") || parse_json(request.body).ok()) {
         return go_on();
       }
       return HttpResponse{202, {}, ""};
     }},
    {.id = "http.header-names-case-insensitive",
     .revision = "2025-11-25",
     .transport = Transport::kHttp,
     .what = "does not know the session header in lower case",
     .request = [](HttpRequest& request) -> std::optional<HttpResponse> {
       if (spelled(request, "mcp-session-id")) request.headers.erase(kSession);
       return go_on();
     }},
    {.id = "http.header-names-case-insensitive",
     .revision = "2026-07-28",
     .transport = Transport::kHttp,
     .what = "does not know Mcp-Method in upper case",
     .request = [](HttpRequest& request) -> std::optional<HttpResponse> {
       if (spelled(request, "MCP-METHOD")) request.headers.erase("Mcp-Method");
       return go_on();
     }},
    {.id = "http.protocol-version-absent-default",
     .revision = "2025-11-25",
     .transport = Transport::kHttp,
     .what = "insists on the version header",
     .request = [](HttpRequest& request) -> std::optional<HttpResponse> {
       if (request.headers.count(kVersion) || !request.headers.count(kSession)) return go_on();
       return HttpResponse{400, {}, ""};
     }},
    {.id = "http.protocol-version-invalid-400",
     .revision = "2025-11-25",
     .transport = Transport::kHttp,
     .what = "takes any version",
     .request = [](HttpRequest& request) -> std::optional<HttpResponse> {
       if (request.headers.get(kVersion) == "nonsense") request.headers.erase(kVersion);
       return go_on();
     }},
    {.id = "http.multiple-streams-tolerated",
     .revision = "2025-11-25",
     .transport = Transport::kHttp,
     .what = "forgets one of three calls",
     .from_client =
         [](Interceptor& interceptor, std::string text) {
           if (text.find("\"several-") == std::string::npos || ++interceptor.count % 3 != 0) {
             interceptor.pass_text(std::move(text));
           }
         }},
    {.id = "http.notification-202",
     .revision = "2025-11-25",
     .transport = Transport::kHttp,
     .what = "answers notifications with 200",
     .response =
         [](const HttpRequest&, int& status, HttpHeaders&) {
           if (status == 202) status = 200;
         }},
    {.id = "http.notification-202",
     .revision = "2025-11-25",
     .transport = Transport::kHttp,
     .what = "wants params in notifications",
     .response =
         [](const HttpRequest& request, int& status, HttpHeaders&) {
           const Result<Json> message = parse_json(request.body);
           const bool bare =
               message.ok() && !find(message.value(), "id") && !find(message.value(), "params");
           if (status == 202 && bare) status = 400;
         },
     .also = {"roots.server-handles-change"}},
    {.id = "http.response-content-type",
     .revision = "2025-11-25",
     .transport = Transport::kHttp,
     .what = "sends JSON as plain text",
     .response =
         [](const HttpRequest&, int& status, HttpHeaders& headers) {
           const bool json = headers.get("Content-Type") == "application/json";
           if (status == 200 && json) headers.set("Content-Type", "text/plain");
         }},
    {.id = "http.response-content-type",
     .revision = "2025-11-25",
     .transport = Transport::kHttp,
     .what = "calls an event JSON",
     .request = [](HttpRequest& request) -> std::optional<HttpResponse> {
       if (!holds(request, "plumbline://no-such-resource")) return go_on();
       return HttpResponse{200, {{"Content-Type", "application/json"}}, "data: {}\n\n"};
     }},
    {.id = "http.response-content-type",
     .revision = "2026-07-28",
     .transport = Transport::kHttp,
     .what = "does not say what it sends",
     .response =
         [](const HttpRequest& request, int& status, HttpHeaders& headers) {
           const bool json = headers.get("Content-Type") == "application/json";
           if (status == 200 && json && holds(request, "prompts/list")) {
             headers.set("Content-Type", "text/json");
           }
         }},
    {.id = "http.response-content-type",
     .revision = "2026-07-28",
     .transport = Transport::kHttp,
     .what = "answers without Content-Type",
     .response =
         [](const HttpRequest& request, int& status, HttpHeaders& headers) {
           const bool json = headers.get("Content-Type") == "application/json";
           if (status == 200 && json && holds(request, "prompts/list"))
             headers.erase("Content-Type");
         }},
    {.id = "http.preflight-answered",
     .revision = "2025-11-25",
     .transport = Transport::kHttp,
     .what = "says twice who is let in",
     .response =
         [](const HttpRequest&, int&, HttpHeaders& headers) {
           headers.set("Access-Control-Allow-Origin", "*");
           headers.add("Access-Control-Allow-Origin", "*");
           headers.set("Access-Control-Expose-Headers", "Mcp-Session-Id");
         }},
};

}  // namespace

Deviations http_deviations() { return kHttpDeviations; }

}  // namespace plumbline::conformance
