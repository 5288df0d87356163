#include <string>

#include "conformance/broken/deviation.h"
#include "conformance/broken/door_keeper.h"

namespace plumbline::conformance {

namespace {

using wire::HttpRequest;
using wire::HttpResponse;

const wire::HttpHeaders kToken = {{"Authorization", "Bearer right"}};

bool calls(const HttpRequest& request, const char* method) {
  return request.body.find("\"" + std::string(method) + "\"") != std::string::npos;
}

const Deviation kVerifiedDeviations[] = {
    {.id = "security.all-inbound-requests-verified",
     .revision = "2025-11-25",
     .transport = Transport::kHttp,
     .what = "looks at no token",
     .credentials = kToken,
     .also = {"security.sessions-not-authentication", "http.authenticate-connections"}},
    {.id = "security.sessions-not-authentication",
     .revision = "2025-06-18",
     .transport = Transport::kHttp,
     .what = "looks at the token of initialize alone",
     .request = [](HttpRequest& request) -> std::optional<HttpResponse> {
       const bool opens = request.body.find("\"initialize\"") != std::string::npos;
       const bool asks = request.target.starts_with("/.well-known/");
       if (!opens && !asks) return std::nullopt;
       return keep_door(request);
     },
     .credentials = kToken,
     .also = {"security.all-inbound-requests-verified", "http.authenticate-connections",
              "auth.token-validated", "auth.missing-token-401"}},
    {.id = "http.authenticate-connections",
     .revision = "2026-07-28",
     .transport = Transport::kHttp,
     .what = "looks at no token",
     .credentials = kToken},
    {.id = "security.all-inbound-requests-verified",
     .revision = "2025-11-25",
     .transport = Transport::kHttp,
     .what = "lets everybody call tools",
     .request = [](HttpRequest& request) -> std::optional<HttpResponse> {
       if (calls(request, "tools/call")) return std::nullopt;
       return keep_door(request);
     },
     .credentials = kToken,
     .also = {"security.sessions-not-authentication", "http.authenticate-connections"}},
    {.id = "security.sessions-not-authentication",
     .revision = "2025-11-25",
     .transport = Transport::kHttp,
     .what = "lets everybody listen to a session",
     .request = [](HttpRequest& request) -> std::optional<HttpResponse> {
       const bool listens = request.method == "GET" && request.target == "/mcp";
       if (listens) return std::nullopt;
       return keep_door(request);
     },
     .credentials = kToken,
     .also = {"security.all-inbound-requests-verified", "http.authenticate-connections",
              "auth.missing-token-401"}},
    {.id = "security.sessions-not-authentication",
     .revision = "2025-06-18",
     .transport = Transport::kHttp,
     .what = "lets everybody end a session",
     .request = [](HttpRequest& request) -> std::optional<HttpResponse> {
       if (request.method == "DELETE") return std::nullopt;
       return keep_door(request);
     },
     .credentials = kToken,
     .also = {"security.all-inbound-requests-verified", "http.authenticate-connections"}},
    {.id = "http.authenticate-connections",
     .revision = "2026-07-28",
     .transport = Transport::kHttp,
     .what = "lets everybody read resources",
     .request = [](HttpRequest& request) -> std::optional<HttpResponse> {
       if (calls(request, "resources/read")) return std::nullopt;
       return keep_door(request);
     },
     .credentials = kToken},
};

}  // namespace

Deviations verified_deviations() { return kVerifiedDeviations; }

}  // namespace plumbline::conformance
